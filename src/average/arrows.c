/* Which thread each of the profiler's own thread numbers stands for, as far as arrows tell: a backward op has the
 * number, and its arrow begins on the thread. Sequence numbers alone do not tell threads that train alike from each
 * other. */
#include <stdlib.h>

#include "links.h"
#include "numbering.h"

/* Votes that settle a number, and events of one start that are looked at for an arrow. */
enum { VOTES_ENOUGH = 8, CANDIDATES = 64 };

/* The forward thread number of the backward op at an arrow's end, 0 none. */
static uint32_t number_at(const struct tree *tree, const struct flow *flow)
{
    const struct events *events = &tree->trace->events;
    uint32_t low = 0, high = tree->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (events->start[middle] < flow->time)
            low = middle + 1;
        else
            high = middle;
    }
    for (high = low; high < tree->count && high - low < CANDIDATES && events->start[high] == flow->time; high++)
        if (events->thread[high] == flow->thread && events->flags[high] & EVENT_HAS_FORWARD)
            return events->place[high];
    return 0;
}

bool arrows_find_threads(struct tree *tree)
{
    const struct trace *trace = tree->trace;
    size_t numbers = trace->forward_threads.count, open = numbers - 1, flows = trace->flows.count;
    uint32_t *most = memory_zero(numbers, sizeof *most), *seen = memory_zero(numbers, sizeof *seen);
    struct numbering ids, votes; /* ids of ends to places in `of_id`; (number, thread) to places in `counts` */
    ARRAY(uint32_t) of_id = {0}, counts = {0};
    numbering_init(&ids);
    numbering_init(&votes);
    for (size_t i = 0; i < flows && open > 0; i++) {
        const struct flow *flow = &trace->flows.items[i];
        uint32_t number = flow->finish ? number_at(tree, flow) : 0;
        if (number == 0 || seen[number] == VOTES_ENOUGH || numbering_add(&ids, (uint64_t)flow->id) != of_id.count)
            continue;
        array_push(&of_id, number);
        open -= ++seen[number] == VOTES_ENOUGH;
    }
    for (size_t i = 0; i < flows && of_id.count > 0; i++) {
        const struct flow *flow = &trace->flows.items[i];
        uint32_t place = flow->finish ? UINT32_MAX : numbering_find(&ids, (uint64_t)flow->id);
        if (place == UINT32_MAX)
            continue;
        uint32_t number = of_id.items[place], vote = numbering_add(&votes, numbering_pair(number, flow->thread));
        if (vote >= counts.count)
            array_push(&counts, 0);
        if (++counts.items[vote] > most[number]) {
            most[number] = counts.items[vote];
            tree->forward_thread[number] = flow->thread;
        }
    }
    bool all = true;
    for (size_t i = 1; i < numbers; i++)
        all = all && tree->forward_thread[i] != UINT32_MAX;
    numbering_free(&ids);
    numbering_free(&votes);
    array_free(&of_id);
    array_free(&counts);
    free(most);
    free(seen);
    return all;
}
