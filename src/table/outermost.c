/* CPU totals in which recursion counts once: of calls inside of calls of the same row only the outermost. */
#include "outermost.h"
#include "keyavg/wrap.h"

#include <stdlib.h>

struct walk {
    const struct table *table;
    uint32_t *active; /* by row: calls of it that are open */
    ARRAY(uint32_t) open; /* the events open on this thread, the outermost first */
};

static void close_last(struct walk *walk)
{
    uint32_t event = walk->open.items[--walk->open.count];
    uint32_t row = walk->table->averages->row_of[event];
    if (row != NO_EVENT)
        walk->active[row]--;
}

static void enter(struct walk *walk, uint32_t event, int64_t *totals)
{
    const struct tree *tree = walk->table->tree;
    uint32_t row = walk->table->averages->row_of[event];
    while (walk->open.count > 0 && walk->open.items[walk->open.count - 1] != tree->parent[event])
        close_last(walk);
    if (row != NO_EVENT && walk->active[row]++ == 0)
        wrap_to(&totals[row], tree->trace->events.duration[event]);
    array_push(&walk->open, event);
}

/* Events by the thread on whose tree they lie, in list order. */
static uint32_t *by_thread(const struct tree *tree, size_t **first)
{
    size_t threads = tree->trace->threads.count;
    size_t *start = memory_zero(threads + 2, sizeof *start);
    uint32_t *list = memory_alloc(((size_t)tree->count + 1) * sizeof *list);
    for (uint32_t e = 0; e < tree->count; e++)
        start[tree_thread(tree, e) + 2]++;
    for (size_t t = 2; t < threads + 2; t++)
        start[t] += start[t - 1];
    for (uint32_t e = 0; e < tree->count; e++)
        list[start[tree_thread(tree, e) + 1]++] = e;
    *first = start;
    return list;
}

int64_t *outermost_totals(const struct table *table)
{
    const struct tree *tree = table->tree;
    struct walk walk = {.table = table};
    int64_t *totals = memory_zero((size_t)table->averages->count + 1, sizeof *totals);
    walk.active = memory_zero((size_t)table->averages->count + 1, sizeof *walk.active);
    size_t *first;
    uint32_t *list = by_thread(tree, &first);
    for (size_t t = 0; t < tree->trace->threads.count; t++) {
        for (size_t i = first[t]; i < first[t + 1]; i++)
            if (!event_on_device(tree->trace, list[i]) && tree->state[list[i]] != STATE_ABSENT)
                enter(&walk, list[i], totals);
        while (walk.open.count > 0)
            close_last(&walk);
    }
    array_free(&walk.open);
    free(walk.active);
    free(first);
    free(list);
    return totals;
}
