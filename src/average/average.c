#include "keyavg/average.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "group.h"
#include "keyavg/names.h"
#include "keyavg/timing.h"

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
        row->cpu_time_total += on_device[events->category[e]] ? 0 : events->duration[e];
        row->self_cpu_time_total += tree->self_cpu[e];
        row->device_time_total += tree->device_total[e];
        row->self_device_time_total += tree->self_device[e];
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
                averages->rows[number].memory[i] += memory[e];
                if (!(tree->trace->events.flags[e] & EVENT_ASYNC))
                    averages->rows[number].memory[i + MEMORY_SELF_CPU] += memory[e];
            }
            if (parent != NO_EVENT && averages->row_of[parent] != NO_EVENT)
                averages->rows[averages->row_of[parent]].memory[i + MEMORY_SELF_CPU] -= memory[e];
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

static int by_value(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* The smallest value that at least p of 100 values do not exceed. */
static int64_t percentile(const int64_t *sorted, uint32_t count, unsigned p)
{
    uint64_t rank = ((uint64_t)count * p + 99) / 100;
    return sorted[rank > 0 ? rank - 1 : 0];
}

struct spread averages_spread(struct averages *averages, uint32_t row)
{
    averages_need_calls(averages);
    uint32_t from = averages->call_first[row], count = averages->rows[row].count;
    int64_t *values = memory_alloc(((size_t)count + 1) * sizeof *values);
    double sum = 0, squares = 0;
    for (uint32_t i = 0; i < count; i++) {
        values[i] = averages->tree->trace->events.duration[averages->calls[from + i]];
        sum += (double)values[i];
    }
    double mean = sum / count;
    for (uint32_t i = 0; i < count; i++)
        squares += ((double)values[i] - mean) * ((double)values[i] - mean);
    qsort(values, count, sizeof *values, by_value);
    struct spread spread = {
        .min = values[0], .max = values[count - 1], .p50 = percentile(values, count, 50),
        .p90 = percentile(values, count, 90), .p99 = percentile(values, count, 99), .deviation = sqrt(squares / count),
    };
    free(values);
    return spread;
}
