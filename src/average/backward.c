/* Backward events have the stack of their forward event, found by sequence number and forward thread. */
#include <stdlib.h>

#include "links.h"

/* Of the threads that share one sequence number no more than this many are looked at. */
enum { CANDIDATES = 256 };

struct sequence {
    int64_t number;
    uint32_t thread, stack;
};

/* A set of (sequence number, thread) with a value each. */
struct sequences {
    struct sequence *slots;
    uint8_t *used;
    size_t mask, count;
};

static void sequences_init(struct sequences *set)
{
    set->mask = 1023;
    set->count = 0;
    set->slots = memory_alloc((set->mask + 1) * sizeof *set->slots);
    set->used = memory_zero(set->mask + 1, 1);
}

static void sequences_free(struct sequences *set)
{
    free(set->slots);
    free(set->used);
}

static size_t find_slot(const struct sequences *set, int64_t number, uint32_t thread)
{
    size_t slot = hash_pair((uint64_t)number, thread) & set->mask;
    while (set->used[slot] && (set->slots[slot].number != number || set->slots[slot].thread != thread))
        slot = (slot + 1) & set->mask;
    return slot;
}

/* The member with this number and thread; made with `stack` where there is none yet. Valid until the next call. */
static struct sequence *sequences_add(struct sequences *set, int64_t number, uint32_t thread, uint32_t stack)
{
    size_t slot = find_slot(set, number, thread);
    if (set->used[slot])
        return &set->slots[slot];
    set->used[slot] = 1;
    set->slots[slot] = (struct sequence){number, thread, stack};
    if (++set->count * 2 <= set->mask)
        return &set->slots[slot];
    struct sequences old = *set;
    set->mask = old.mask * 2 + 1;
    set->slots = memory_alloc((set->mask + 1) * sizeof *set->slots);
    set->used = memory_zero(set->mask + 1, 1);
    for (size_t i = 0; i <= old.mask; i++)
        if (old.used[i]) {
            slot = find_slot(set, old.slots[i].number, old.slots[i].thread);
            set->used[slot] = 1;
            set->slots[slot] = old.slots[i];
        }
    sequences_free(&old);
    return &set->slots[find_slot(set, number, thread)];
}

static int by_number(const void *a, const void *b)
{
    const struct sequence *x = a, *y = b;
    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    return (x->stack > y->stack) - (x->stack < y->stack);
}

/* The members of a set, in order of their numbers, equal ones as they were met. */
static struct sequence *sorted_members(const struct sequences *set)
{
    struct sequence *sorted = memory_alloc((set->count + 1) * sizeof *sorted);
    size_t count = 0;
    for (size_t i = 0; i <= set->mask; i++)
        if (set->used[i])
            sorted[count++] = set->slots[i];
    qsort(sorted, count, sizeof *sorted, by_number);
    return sorted;
}

/* The threads with a sequence number: the events that are not backward, one for each number and thread. */
static struct sequence *find_forward(const struct tree *tree, size_t *count)
{
    const struct trace *trace = tree->trace;
    struct sequences forward;
    sequences_init(&forward);
    for (uint32_t e = 0; e < tree->count; e++) {
        int64_t number = event_sequence(trace, e);
        if (tree->state[e] != STATE_ABSENT && number >= 0 && !(trace->events.flags[e] & EVENT_HAS_FORWARD) &&
            event_scope(trace, e) != 1)
            sequences_add(&forward, number, tree_thread(tree, e), e);
    }
    struct sequence *sorted = sorted_members(&forward);
    *count = forward.count;
    sequences_free(&forward);
    return sorted;
}

/* Which thread each of the profiler's own thread numbers stands for: that from which its arrows come, else the one on
 * which most events lie that share a sequence number with it. Of equal ones the thread met first. */
static void find_forward_threads(struct tree *tree)
{
    const struct trace *trace = tree->trace;
    size_t numbers = trace->forward_threads.count, count;
    tree->forward_thread = memory_alloc((numbers + 1) * sizeof *tree->forward_thread);
    for (size_t i = 0; i < numbers; i++)
        tree->forward_thread[i] = UINT32_MAX;
    if (numbers <= 1 || arrows_find_threads(tree))
        return;
    struct sequence *forward = find_forward(tree, &count);
    struct sequences votes; /* by profiler's number and thread: how many */
    sequences_init(&votes);
    for (uint32_t e = 0; e < tree->count; e++) {
        if (tree->state[e] == STATE_ABSENT || !(trace->events.flags[e] & EVENT_HAS_FORWARD))
            continue;
        int64_t number = event_sequence(trace, e);
        size_t low = 0, high = count;
        while (low < high) {
            size_t middle = (low + high) / 2;
            if (forward[middle].number < number)
                low = middle + 1;
            else
                high = middle;
        }
        for (high = low; high < count && high - low < CANDIDATES && forward[high].number == number; high++)
            sequences_add(&votes, trace->events.place[e], forward[high].thread, 0)->stack++;
    }
    uint32_t *most = memory_zero(numbers, sizeof *most);
    for (size_t i = 1; i < numbers; i++)
        most[i] = tree->forward_thread[i] != UINT32_MAX ? UINT32_MAX : 0; /* arrows are sure */
    for (size_t i = 0; i <= votes.mask; i++) {
        if (!votes.used[i])
            continue;
        const struct sequence *vote = &votes.slots[i];
        uint32_t *thread = &tree->forward_thread[vote->number];
        if (vote->stack > most[vote->number] || (vote->stack == most[vote->number] && vote->thread < *thread)) {
            most[vote->number] = vote->stack;
            *thread = vote->thread;
        }
    }
    free(most);
    sequences_free(&votes);
    free(forward);
}

void backward_build(struct tree *tree)
{
    const struct trace *trace = tree->trace;
    find_forward_threads(tree);
    bool stacks = false;
    for (uint32_t e = 0; e < tree->count && !stacks; e++)
        stacks = tree->stack[e] != 0;
    if (!stacks)
        return;
    /* The nearest event at or above each one that is backward. Parents come before their children. */
    uint32_t *backward = memory_alloc(((size_t)tree->count + 1) * sizeof *backward);
    struct sequences forward;
    sequences_init(&forward);
    for (uint32_t e = 0; e < tree->count; e++) {
        uint32_t parent = event_on_device(trace, e) ? NO_EVENT : tree->parent[e];
        backward[e] = event_scope(trace, e) == 1 ? e : parent != NO_EVENT ? backward[parent] : NO_EVENT;
        if (tree->state[e] == STATE_ROW && backward[e] == NO_EVENT)
            sequences_add(&forward, event_sequence(trace, e), tree_thread(tree, e), tree->stack[e]);
    }
    for (uint32_t e = 0; e < tree->count; e++) {
        if (tree->state[e] != STATE_ROW || backward[e] == NO_EVENT)
            continue;
        uint32_t nearest = backward[e];
        uint32_t thread = trace->events.flags[nearest] & EVENT_HAS_FORWARD
                              ? tree->forward_thread[trace->events.place[nearest]]
                              : UINT32_MAX;
        size_t slot = find_slot(&forward, event_sequence(trace, nearest), thread);
        tree->stack[e] = thread != UINT32_MAX && forward.used[slot] ? forward.slots[slot].stack : 0;
    }
    sequences_free(&forward);
    free(backward);
}
