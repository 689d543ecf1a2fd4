/* Which op launched what: by `External id`, or by the runtime call in files that do not hold it. */
#include "links.h"

#include <stdlib.h>
#include <string.h>

enum { NOT_KNOWN = NO_EVENT - 1 };

/* Events by a number of theirs: to the first in the file, then a chain of the others in no order. Numbers that lie
 * close together, as torch gives them, are places in one array; others are hashed, with open addressing. */
struct index {
    int64_t *keys; /* NULL where numbers are places */
    int64_t low, high;
    uint32_t *first, *next;
    uint32_t mask;
};

/* What numbers there will be. */
struct range {
    int64_t low, high;
    uint32_t count;
};

static void range_add(struct range *range, int64_t key)
{
    range->low = range->count == 0 || key < range->low ? key : range->low;
    range->high = range->count == 0 || key > range->high ? key : range->high;
    range->count++;
}

static void index_init(struct index *index, const struct range *range, uint32_t events)
{
    uint64_t width = (uint64_t)range->high - (uint64_t)range->low, mask = 15;
    *index = (struct index){.low = range->low, .high = range->high};
    if (range->count != 0 && width < range->count * (uint64_t)4) {
        mask = width;
    } else {
        while (mask < range->count * (uint64_t)2)
            mask = mask * 2 + 1;
        index->keys = memory_alloc((mask + 1) * sizeof *index->keys);
    }
    index->mask = (uint32_t)mask;
    index->first = memory_alloc((mask + 1) * sizeof *index->first);
    memset(index->first, 0xFF, (mask + 1) * sizeof *index->first);
    index->next = memory_alloc(((size_t)events + 1) * sizeof *index->next);
}

static void index_free(struct index *index)
{
    free(index->keys);
    free(index->first);
    free(index->next);
}

static uint32_t slot_of(const struct index *index, int64_t key)
{
    if (index->keys == NULL)
        return (uint32_t)(key - index->low);
    uint32_t slot = (uint32_t)hash_pair((uint64_t)key, 0) & index->mask;
    while (index->first[slot] != NO_EVENT && index->keys[slot] != key)
        slot = (slot + 1) & index->mask;
    return slot;
}

static void index_add(struct index *index, const struct events *events, int64_t key, uint32_t event)
{
    uint32_t slot = slot_of(index, key), first = index->first[slot];
    if (first != NO_EVENT && events_offset(events, first) < events_offset(events, event)) {
        index->next[event] = index->next[first];
        index->next[first] = event;
    } else {
        if (index->keys != NULL)
            index->keys[slot] = key;
        index->next[event] = first;
        index->first[slot] = event;
    }
}

static uint32_t index_find(const struct index *index, int64_t key)
{
    if (key < index->low || key > index->high)
        return NO_EVENT;
    return index->first[slot_of(index, key)];
}

static bool is_present(const struct trace *trace, uint32_t e)
{
    return !(trace->events.flags[e] & EVENT_DROPPED_NAME);
}

/* An event that is linked to an op: not a device annotation, and a sync event only when its id is not its own
 * number. */
static bool is_linked(const struct trace *trace, uint32_t e)
{
    enum event_kind kind = event_kind(trace, e);
    int64_t id = events_external_id(&trace->events, e);
    if (!is_present(trace, e) || id <= 0 || (!kind_on_device(kind) && kind != KIND_RUNTIME))
        return false;
    return kind != KIND_DEVICE_ANNOTATION && (kind != KIND_SYNC || id != events_number(&trace->events, e));
}

/* Whether a linked event's id is no more than its own correlation, as files of 2022-23 have it. */
static bool id_is_correlation(const struct trace *trace, uint32_t e)
{
    return events_external_id(&trace->events, e) == events_number(&trace->events, e);
}

/* An event that device work can be linked to. */
static bool is_target(const struct trace *trace, uint32_t e)
{
    enum event_kind kind = event_kind(trace, e);
    return is_present(trace, e) && !kind_on_device(kind) && kind != KIND_RUNTIME && kind != KIND_OVERHEAD &&
           kind != KIND_MEMORY && events_external_id(&trace->events, e) > 0;
}

/* A runtime call that its correlation can name. */
static bool is_numbered_call(const struct trace *trace, uint32_t e)
{
    return event_kind(trace, e) == KIND_RUNTIME && is_present(trace, e) && events_number(&trace->events, e) != 0;
}

struct open_op {
    int64_t end;
    uint32_t event;
};

typedef ARRAY(struct open_op) open_ops;

static void visit(const struct trace *trace, open_ops *threads, uint32_t e, uint32_t *around)
{
    open_ops *open = &threads[trace->events.thread[e]];
    while (open->count > 0 && open->items[open->count - 1].end < trace->events.start[e])
        open->count--;
    if (event_kind(trace, e) == KIND_OP)
        array_push(open, (struct open_op){event_end(trace, e), e});
    else if (open->count > 0)
        around[e] = open->items[open->count - 1].event;
}

/* The innermost op around each runtime call's start on its thread. An op that starts with a call is around it. */
static uint32_t *find_around(const struct trace *trace)
{
    uint32_t count = trace->events.count;
    uint32_t *around = memory_alloc(((size_t)count + 1) * sizeof *around);
    open_ops *threads = memory_zero(trace->threads.count + 1, sizeof *threads);
    for (uint32_t e = 0; e < count; e++)
        around[e] = NO_EVENT;
    for (uint32_t from = 0, to; from < count; from = to) {
        for (to = from + 1; to < count && trace->events.start[to] == trace->events.start[from];)
            to++;
        for (uint32_t e = from; e < to; e++)
            if (event_kind(trace, e) == KIND_OP && is_present(trace, e) && !(trace->events.flags[e] & EVENT_ASYNC))
                visit(trace, threads, e, around);
        for (uint32_t e = from; e < to; e++)
            if (is_numbered_call(trace, e))
                visit(trace, threads, e, around);
    }
    for (size_t i = 0; i < trace->threads.count; i++)
        array_free(&threads[i]);
    free(threads);
    return around;
}

static int by_time(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* The op that an id stands for which is also a correlation: the first in the file in which one of that correlation's
 * calls starts, else the one around the first call. There are calls; `times` is room for their starts. */
static uint32_t op_of_correlation(const struct trace *trace, const struct index *ops, const struct index *launches,
                                  const uint32_t *around, int64_t number, int64_t *times)
{
    const struct events *events = &trace->events;
    uint32_t op = index_find(ops, number), first = index_find(launches, number), found = NO_EVENT;
    size_t calls = 0;
    for (uint32_t call = first; op != NO_EVENT && call != NO_EVENT; call = launches->next[call])
        times[calls++] = events->start[call];
    if (calls > 1)
        qsort(times, calls, sizeof *times, by_time);
    for (; op != NO_EVENT; op = ops->next[op]) {
        size_t low = 0, high = calls; /* to the first call that does not start before the op */
        while (low < high) {
            size_t middle = (low + high) / 2;
            if (times[middle] < events->start[op])
                low = middle + 1;
            else
                high = middle;
        }
        if (low < calls && times[low] <= event_end(trace, op) &&
            (found == NO_EVENT || events_offset(events, op) < events_offset(events, found)))
            found = op;
    }
    return found != NO_EVENT ? found : around[first];
}

void links_build(struct tree *tree)
{
    const struct trace *trace = tree->trace;
    const struct events *events = &trace->events;
    struct range targets = {0}, calls = {0};
    uint32_t linked = 0;
    bool by_correlation = false;
    for (uint32_t e = 0; e < tree->count; e++) {
        tree->owner[e] = NO_EVENT;
        if (is_linked(trace, e)) {
            linked++;
            by_correlation |= id_is_correlation(trace, e);
        }
        if (is_target(trace, e))
            range_add(&targets, events_external_id(events, e));
        if (is_numbered_call(trace, e))
            range_add(&calls, events_number(events, e));
    }
    if (linked == 0)
        return;
    struct index ops, launches = {0};
    uint32_t *around = NULL;
    index_init(&ops, &targets, tree->count);
    for (uint32_t e = 0; e < tree->count; e++)
        if (is_target(trace, e))
            index_add(&ops, events, events_external_id(events, e), e);
    if (by_correlation) {
        index_init(&launches, &calls, tree->count);
        for (uint32_t e = 0; e < tree->count; e++)
            if (is_numbered_call(trace, e))
                index_add(&launches, events, events_number(events, e), e);
        around = find_around(trace);
    }
    /* Many events may share one correlation: what it stands for is found once. */
    int64_t *times = memory_alloc(((size_t)calls.count + 1) * sizeof *times);
    uint32_t *known = by_correlation ? memory_alloc(((size_t)launches.mask + 1) * sizeof *known) : NULL;
    for (size_t i = 0; by_correlation && i <= launches.mask; i++)
        known[i] = NOT_KNOWN;
    for (uint32_t e = 0; e < tree->count; e++) {
        if (!is_linked(trace, e))
            continue;
        uint32_t op = index_find(&ops, events_external_id(events, e));
        if (id_is_correlation(trace, e) && index_find(&launches, events_number(events, e)) != NO_EVENT) {
            uint32_t *memo = &known[slot_of(&launches, events_number(events, e))];
            if (*memo == NOT_KNOWN)
                *memo = op_of_correlation(trace, &ops, &launches, around, events_number(events, e), times);
            op = *memo;
        }
        if (op != NO_EVENT && !(events->flags[op] & EVENT_ASYNC))
            tree->owner[e] = op;
    }
    index_free(&ops);
    if (by_correlation)
        index_free(&launches);
    free(around);
    free(times);
    free(known);
}
