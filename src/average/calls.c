#include "keyavg/calls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "keyavg/steps.h"
#include "keyavg/wrap.h"
#include "numbering.h"

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

struct spread calls_spread(const struct trace *trace, const uint32_t *calls, uint32_t count)
{
    struct spread spread = {0};
    if (count == 0)
        return spread;
    int64_t *values = memory_alloc((size_t)count * sizeof *values);
    double sum = 0, squares = 0;
    for (uint32_t i = 0; i < count; i++) {
        values[i] = trace->events.duration[calls[i]];
        sum += (double)values[i];
    }
    double mean = sum / count;
    for (uint32_t i = 0; i < count; i++)
        squares += ((double)values[i] - mean) * ((double)values[i] - mean);
    qsort(values, count, sizeof *values, by_value);
    spread = (struct spread){
        .min = values[0], .max = values[count - 1], .p50 = percentile(values, count, 50),
        .p90 = percentile(values, count, 90), .p99 = percentile(values, count, 99), .deviation = sqrt(squares / count),
    };
    free(values);
    return spread;
}

static int64_t at_least_one(int64_t duration)
{
    return duration > 0 ? duration : 1;
}

struct call_histogram calls_histogram(const struct trace *trace, const uint32_t *calls, uint32_t count,
                                      uint32_t *classes, unsigned cells)
{
    struct call_histogram histogram = {.low = 1, .high = 1};
    memset(classes, 0, cells * sizeof *classes);
    for (uint32_t i = 0; i < count; i++) {
        int64_t duration = at_least_one(trace->events.duration[calls[i]]);
        if (i == 0 || duration < histogram.low)
            histogram.low = duration;
        if (i == 0 || duration > histogram.high)
            histogram.high = duration;
    }
    double low = log((double)histogram.low), width = (log((double)histogram.high) - low) / cells;
    for (uint32_t i = 0; i < count; i++) {
        double where = width > 0 ? (log((double)at_least_one(trace->events.duration[calls[i]])) - low) / width : 0;
        unsigned cell = where >= cells ? cells - 1 : where > 0 ? (unsigned)where : 0;
        if (++classes[cell] > histogram.most)
            histogram.most = classes[cell];
    }
    return histogram;
}

double histogram_bound(const struct call_histogram *histogram, unsigned cells, unsigned i)
{
    if (i == 0 || i == cells) /* exact at both ends */
        return (double)(i == 0 ? histogram->low : histogram->high);
    double low = log((double)histogram->low), high = log((double)histogram->high);
    return exp(low + (high - low) * i / cells);
}

unsigned calls_strip(const struct trace *trace, const uint32_t *calls, uint32_t count, int64_t *places, unsigned cells)
{
    unsigned filled = count < cells ? count : cells;
    for (unsigned p = 0; p < filled; p++) {
        uint64_t from = (uint64_t)p * count / filled, to = (uint64_t)(p + 1) * count / filled;
        places[p] = 0;
        for (uint64_t i = from; i < to; i++)
            if (trace->events.duration[calls[i]] > places[p])
                places[p] = trace->events.duration[calls[i]];
    }
    return filled;
}

struct step_sum *calls_by_step(struct tree *tree, const uint32_t *calls, uint32_t count)
{
    const struct steps *steps = tree_steps(tree);
    struct step_sum *sums = memory_zero((size_t)steps->count + 1, sizeof *sums);
    for (uint32_t i = 0; i < count; i++) {
        struct step_sum *sum = &sums[steps->of[calls[i]]];
        sum->calls++;
        wrap_to(&sum->cpu, tree->trace->events.duration[calls[i]]);
        wrap_to(&sum->device, amounts_get(&tree->device_total, calls[i]));
    }
    return sums;
}

uint32_t calls_first(const uint32_t *calls, uint32_t count)
{
    return count != 0 ? calls[0] : NO_EVENT;
}

uint32_t calls_worst(const struct trace *trace, const uint32_t *calls, uint32_t count)
{
    uint32_t worst = calls_first(calls, count);
    for (uint32_t i = 1; i < count; i++)
        if (trace->events.duration[calls[i]] > trace->events.duration[worst])
            worst = calls[i];
    return worst;
}
