/* Memory of ops: the records that fall into their time, on whatever thread. */
#include <stdlib.h>

#include "links.h"
#include "keyavg/wrap.h"

/* The first record at or after (`after`: behind) a time, looked for from `from` on. */
static size_t first_record(const struct trace *trace, size_t from, int64_t time, bool after)
{
    const struct memory_record *records = trace->memory.items;
    size_t count = trace->memory.count, step = 1, to = from;
    while (to < count && (after ? records[to].time <= time : records[to].time < time)) {
        from = to + 1;
        to += step;
        step *= 2;
    }
    if (to > count)
        to = count;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (after ? records[middle].time <= time : records[middle].time < time)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

void memory_build(struct tree *tree)
{
    const struct trace *trace = tree->trace;
    size_t records = trace->memory.count, first = 0;
    if (records == 0)
        return;
    int64_t *sums[2] = {memory_zero(records + 1, sizeof **sums), memory_zero(records + 1, sizeof **sums)};
    bool any[2] = {false, false};
    for (size_t i = 0; i < records; i++) {
        const struct memory_record *record = &trace->memory.items[i];
        for (unsigned k = MEMORY_CPU; k <= MEMORY_DEVICE; k++) {
            bool counts = record->counts && record->on_device == (k == MEMORY_DEVICE);
            any[k] |= counts;
            sums[k][i + 1] = wrap_add(sums[k][i], counts && !record->out_of_memory ? record->bytes : 0);
        }
    }
    for (unsigned k = MEMORY_CPU; k <= MEMORY_DEVICE; k++)
        if (any[k])
            amounts_init(&tree->memory[k], tree->count);
    for (uint32_t e = 0; e < tree->count; e++) {
        enum event_kind kind = event_kind(trace, e);
        if (tree->state[e] != STATE_ROW || kind_on_device(kind))
            continue;
        if (kind == KIND_MEMORY) {
            if (trace->events.place[e] != 0)
                amounts_set(&tree->memory[trace->events.place[e] == 1 ? MEMORY_CPU : MEMORY_DEVICE], e,
                            events_number(&trace->events, e));
            continue;
        }
        first = first_record(trace, first, trace->events.start[e], false);
        size_t end = first_record(trace, first, event_end(trace, e), true);
        for (unsigned k = MEMORY_CPU; end > first && k <= MEMORY_DEVICE; k++)
            if (any[k] && sums[k][end] != sums[k][first]) /* room that is not written to costs nothing */
                amounts_set(&tree->memory[k], e, wrap_sub(sums[k][end], sums[k][first]));
    }
    free(sums[0]);
    free(sums[1]);
}
