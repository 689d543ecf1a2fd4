/* What a list of calls looks like: how their durations are spread, how they change over the recording. For the calls
 * of a row (averages_need_calls), of a key (keys_calls) or of any set; lists are in list order, which is time order. */
#ifndef KEYAVG_CALLS_H
#define KEYAVG_CALLS_H

#include "keyavg/average.h"

/* Statistics over the durations, in ns: percentiles by nearest rank, deviation over n. All 0 for no calls. */
struct spread calls_spread(const struct trace *trace, const uint32_t *calls, uint32_t count);

/* Counts of durations in `cells` (>= 1) classes whose bounds grow by one ratio, from the smallest duration to the
 * largest. A duration of 0 counts as 1 ns, a logarithm wanting more than nothing. All are in the first class when
 * they are equal. */
struct call_histogram {
    int64_t low, high;     /* ns: the smallest and the largest duration, at least 1 */
    uint32_t most;         /* the largest count of a class */
};
struct call_histogram calls_histogram(const struct trace *trace, const uint32_t *calls, uint32_t count,
                                      uint32_t *classes, unsigned cells);

/* Where class i begins, in ns: low * (high / low) ^ (i / cells). */
double histogram_bound(const struct call_histogram *histogram, unsigned cells, unsigned i);

/* Durations over call number, for a strip of `cells` places: place i has the longest of the calls i * count / cells
 * up to (i + 1) * count / cells. Fewer calls than places fill one each. Returns how many places are filled. ns. */
unsigned calls_strip(const struct trace *trace, const uint32_t *calls, uint32_t count, int64_t *places, unsigned cells);

/* The calls' sums by step: item 0 is [no step], item s step number steps->numbers[s - 1] (steps.h). */
struct step_sum {
    uint32_t calls;
    int64_t cpu, device; /* ns; cpu of device events: their duration */
};

/* One for each step and [no step], steps_count + 1 of them, to free(). */
struct step_sum *calls_by_step(struct tree *tree, const uint32_t *calls, uint32_t count);

/* The first call, and the longest (the first of equals); NO_EVENT for no calls. */
uint32_t calls_first(const uint32_t *calls, uint32_t count);
uint32_t calls_worst(const struct trace *trace, const uint32_t *calls, uint32_t count);

#endif
