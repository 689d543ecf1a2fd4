#include "keyavg/average.h"

#include <stdlib.h>
#include <string.h>

#include "group.h"
#include "keyavg/calls.h"
#include "keyavg/names.h"
#include "keyavg/timing.h"
#include "keyavg/wrap.h"

/* Sums of what every event has. */
static void add_events(struct averages *averages)
{
    struct tree *tree = averages->tree;
    const struct trace *trace = tree->trace;
    const struct events *events = &trace->events;
    bool has_inputs = trace->inputs.count > 1;
    uint8_t on_device[256] = {0};
    for (unsigned i = 0; i < category_count; i++)
        on_device[i] = kind_on_device((enum event_kind)categories[i].kind);
    for (uint32_t e = 0; e < tree->count; e++) {
        uint32_t number = averages->row_of[e];
        if (number == NO_EVENT)
            continue;
        struct average *row = &averages->rows[number];
        if (row->count++ == 0)
            row->first = e;
        wrap_to(&row->cpu_time_total, on_device[events->category[e]] ? 0 : events->duration[e]);
        wrap_to(&row->self_cpu_time_total, tree->self_cpu[e]);
        wrap_to(&row->device_time_total, tree->device_total[e]);
        wrap_to(&row->self_device_time_total, tree->self_device[e]);
        if (has_inputs && events->inputs[e] != 0)
            row->flops += tree_flops(tree, e);
    }
}

/* Memory, and self memory: an event's own is taken from the row of the event that called it, in whatever row that is. */
static void add_memory(struct averages *averages)
{
    const struct tree *tree = averages->tree;
    for (unsigned i = MEMORY_CPU; i <= MEMORY_DEVICE; i++) {
        const int64_t *memory = tree->memory[i];
        for (uint32_t e = 0; memory != NULL && e < tree->count; e++) {
            if (memory[e] == 0 || tree->state[e] != STATE_ROW)
                continue;
            uint32_t number = averages->row_of[e], parent = tree->parent[e];
            if (number != NO_EVENT) {
                wrap_to(&averages->rows[number].memory[i], memory[e]);
                if (!(tree->trace->events.flags[e] & EVENT_ASYNC))
                    wrap_to(&averages->rows[number].memory[i + MEMORY_SELF_CPU], memory[e]);
            }
            if (parent != NO_EVENT && averages->row_of[parent] != NO_EVENT) {
                int64_t *self = &averages->rows[averages->row_of[parent]].memory[i + MEMORY_SELF_CPU];
                *self = wrap_sub(*self, memory[e]);
            }
        }
    }
}

struct averages *averages_build(struct tree *tree, const struct grouping *grouping, const uint64_t *selected)
{
    timing_begin(TIMING_AVERAGES);
    struct averages *averages = memory_zero(1, sizeof *averages);
    averages->tree = tree;
    averages->grouping = *grouping;
    averages->row_of = memory_alloc(((size_t)tree->count + 1) * sizeof *averages->row_of);
    averages->count = group_events(tree, grouping, selected, averages->row_of);
    averages->rows = memory_zero((size_t)averages->count + 1, sizeof *averages->rows);
    add_events(averages);
    add_memory(averages);
    return averages;
}

void averages_free(struct averages *averages)
{
    if (averages == NULL)
        return;
    free(averages->rows);
    free(averages->row_of);
    free(averages->call_first);
    free(averages->calls);
    free(averages);
}

void averages_need_calls(struct averages *averages)
{
    if (averages->calls != NULL)
        return;
    uint32_t *first = memory_zero((size_t)averages->count + 2, sizeof *first);
    for (uint32_t r = 0; r < averages->count; r++)
        first[r + 2] = averages->rows[r].count;
    for (uint32_t r = 0; r < averages->count; r++)
        first[r + 2] += first[r + 1];
    averages->calls = memory_alloc(((size_t)averages->tree->count + 1) * sizeof *averages->calls);
    for (uint32_t e = 0; e < averages->tree->count; e++)
        if (averages->row_of[e] != NO_EVENT)
            averages->calls[first[averages->row_of[e] + 1]++] = e;
    averages->call_first = first;
}

struct spread averages_spread(struct averages *averages, uint32_t row)
{
    averages_need_calls(averages);
    return calls_spread(averages->tree->trace, averages->calls + averages->call_first[row], averages->rows[row].count);
}
