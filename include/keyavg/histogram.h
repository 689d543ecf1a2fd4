/* How a row's calls are spread: counts by ranges of durations. Histograms of many ranks add up to the histogram of all
 * their calls, in any order, and a percentile of one is at most 1 % beside the true one. */
#ifndef KEYAVG_HISTOGRAM_H
#define KEYAVG_HISTOGRAM_H

#include <stdbool.h>
#include <stdint.h>

/* Values below 128 ns have a range each. From there on each power of two is cut into 64 ranges of one length, so that
 * the middle of a range is at most 1/128 (0.79 %) from any value in it. Ranges are numbered from 0 up. */
enum { HISTOGRAM_RANGES = 128 + 56 * 64 };

struct histogram_bar {
    uint32_t range; /* number */
    uint64_t count; /* > 0 */
};

struct histogram {
    struct histogram_bar *bars; /* by range; only those that are not empty */
    uint32_t count, capacity;
};

/* The range that holds a duration in ns, which is not negative. */
uint32_t histogram_range(int64_t ns);

/* The smallest duration of a range, the largest, and the one that stands for all of them, in ns. */
int64_t histogram_low(uint32_t range);
int64_t histogram_high(uint32_t range);
int64_t histogram_middle(uint32_t range);

/* A bar behind all others. `range` is above theirs. */
void histogram_push(struct histogram *histogram, uint32_t range, uint64_t count);

/* Adds what another one counts. */
void histogram_merge(struct histogram *into, const struct histogram *from);
void histogram_copy(struct histogram *into, const struct histogram *from);
void histogram_free(struct histogram *histogram);

/* The value that p of 100 values do not exceed (nearest rank), at most 1 % beside the true one and within min .. max,
 * which are known exactly. 0 for an empty histogram. */
int64_t histogram_percentile(const struct histogram *histogram, unsigned p, int64_t min, int64_t max);

#endif
