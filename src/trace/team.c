#include "team.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* A block on its way. */
struct slot {
    struct block block;
    struct piece piece;
    bool done;
};

struct team {
    pthread_mutex_t lock;
    pthread_cond_t given, done;
    pthread_t *threads;
    struct part *parts;     /* workers + 1 */
    struct slot *slots;     /* a ring */
    unsigned workers, slot_count;
    uint64_t next_given, next_started, next_taken;
    bool ending, array_form;
};

struct worker {
    struct team *team;
    unsigned number;
};

static void read_slot(struct team *team, struct part *part, struct slot *slot)
{
    struct document document = {0};
    if (slot->block.offset != 0) {
        document.where = DOCUMENT_EVENTS;
        document.found_events = true;
        document.array_form = team->array_form;
    }
    part_read(part, &slot->block, &document, &slot->piece);
}

static void *work(void *argument)
{
    struct worker *worker = argument;
    struct team *team = worker->team;
    struct part *part = &team->parts[worker->number];
    free(worker);
    pthread_mutex_lock(&team->lock);
    for (;;) {
        while (team->next_started == team->next_given && !team->ending)
            pthread_cond_wait(&team->given, &team->lock);
        if (team->next_started == team->next_given)
            break;
        struct slot *slot = &team->slots[team->next_started++ % team->slot_count];
        pthread_mutex_unlock(&team->lock);
        read_slot(team, part, slot);
        pthread_mutex_lock(&team->lock);
        slot->done = true;
        pthread_cond_signal(&team->done);
    }
    pthread_mutex_unlock(&team->lock);
    return NULL;
}

struct team *team_start(unsigned workers, bool array_form)
{
    struct team *team = memory_zero(1, sizeof *team);
    pthread_mutex_init(&team->lock, NULL);
    pthread_cond_init(&team->given, NULL);
    pthread_cond_init(&team->done, NULL);
    team->array_form = array_form;
    team->slot_count = workers * 2 + 1;
    team->slots = memory_zero(team->slot_count, sizeof *team->slots);
    team->parts = memory_zero(workers + 1, sizeof *team->parts);
    team->threads = memory_zero(workers + 1, sizeof *team->threads);
    for (unsigned i = 0; i <= workers; i++)
        part_init(&team->parts[i]);
    for (unsigned i = 0; i < workers; i++) {
        struct worker *worker = memory_alloc(sizeof *worker);
        *worker = (struct worker){team, i + 1};
        if (pthread_create(&team->threads[i], NULL, work, worker) != 0) {
            free(worker);
            break; /* fewer threads, or the caller alone, do as well */
        }
        team->workers++;
    }
    return team;
}

void team_end(struct team *team)
{
    pthread_mutex_lock(&team->lock);
    team->ending = true;
    pthread_cond_broadcast(&team->given);
    pthread_mutex_unlock(&team->lock);
    for (unsigned i = 0; i < team->workers; i++)
        pthread_join(team->threads[i], NULL);
    for (unsigned i = 0; i < (team->slot_count + 1) / 2; i++)
        part_free(&team->parts[i]);
    pthread_mutex_destroy(&team->lock);
    pthread_cond_destroy(&team->given);
    pthread_cond_destroy(&team->done);
    free(team->parts);
    free(team->slots);
    free(team->threads);
    free(team);
}

bool team_has_room(const struct team *team)
{
    return team->next_given - team->next_taken < team->slot_count;
}

bool team_is_empty(const struct team *team)
{
    return team->next_given == team->next_taken;
}

void team_give(struct team *team, const struct block *block)
{
    struct slot *slot = &team->slots[team->next_given % team->slot_count];
    *slot = (struct slot){.block = *block};
    if (team->workers == 0) {
        read_slot(team, &team->parts[0], slot);
        slot->done = true;
        team->next_given++;
        team->next_started++;
        return;
    }
    pthread_mutex_lock(&team->lock);
    team->next_given++;
    pthread_cond_signal(&team->given);
    pthread_mutex_unlock(&team->lock);
}

bool team_take(struct team *team, bool wait, struct block *block, struct piece *piece)
{
    struct slot *slot = &team->slots[team->next_taken % team->slot_count];
    pthread_mutex_lock(&team->lock);
    while (!slot->done && wait)
        pthread_cond_wait(&team->done, &team->lock);
    bool done = slot->done;
    pthread_mutex_unlock(&team->lock);
    if (!done)
        return false;
    *block = slot->block;
    *piece = slot->piece;
    team->next_taken++;
    return true;
}

struct part *team_parts(struct team *team, unsigned *count)
{
    *count = team->workers + 1;
    return team->parts;
}
