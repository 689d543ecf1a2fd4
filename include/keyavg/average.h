/* Groups of events and their averages: torch's FunctionEventAvg, exact, for any grouping. */
#ifndef KEYAVG_AVERAGE_H
#define KEYAVG_AVERAGE_H

#include "keyavg/tree.h"

/* What a row's key is made of. GROUP_NAME is torch's own: name, node id, device type, annotation or not. */
enum group_part {
    GROUP_NAME = 1,
    GROUP_OVERLOAD = 2,
    GROUP_SHAPE = 4,
    GROUP_DTYPE = 8,
    GROUP_STACK = 16,
    GROUP_THREAD = 32,
    GROUP_STEP = 64,
    GROUP_SCOPE = 128, /* the phase */
    GROUP_MODULE = 256,
    GROUP_DEVICE = 512, /* device and stream */
};

struct grouping {
    unsigned parts;        /* enum group_part */
    int stack_depth;       /* with GROUP_STACK: the n innermost frames, n >= 1 */
    bool full_list_shapes; /* with GROUP_SHAPE: every tensor of a list in the key */
    enum python_frames python;
};

struct average {
    uint32_t first; /* the group's first event in list order: its name, shapes, stack, parent, ... are the row's */
    uint32_t count;
    int64_t cpu_time_total, self_cpu_time_total;       /* ns */
    int64_t device_time_total, self_device_time_total; /* ns */
    int64_t memory[4];                                 /* bytes, enum memory_column */
    uint64_t flops;                                    /* torch's estimate; counted also when with_flops is off */
};

struct averages {
    struct tree *tree;
    struct grouping grouping;
    uint32_t count;         /* rows, in order of first appearance */
    struct average *rows;
    uint32_t *row_of;       /* per event; NO_EVENT: in no row */
    /* count + 1; the calls of row r, in list order: calls[call_first[r] ..]; NULL until needed */
    uint32_t *call_first;
    uint32_t *calls;
};

/* Groups the events (of `selected`, one bit an event, or all when NULL) and averages each group. Free with
 * averages_free. */
struct averages *averages_build(struct tree *tree, const struct grouping *grouping, const uint64_t *selected);
void averages_free(struct averages *averages);

/* The rows r of averages for which chosen[r] is not 0, as averages of their own: what averages_build gives for the
 * events of those rows. Free with averages_free. */
struct averages *averages_choose(const struct averages *from, const uint8_t *chosen);
void averages_need_calls(struct averages *averages);

/* Statistics over a row's calls of CPU total (device rows: duration), in ns; percentiles by nearest rank, deviation
 * over n. */
struct spread {
    int64_t min, max, p50, p90, p99;
    double deviation;
};
struct spread averages_spread(struct averages *averages, uint32_t row);

/* The sums that torch prints are made in double microseconds in list order (semantics.md 7); these are those. */
struct torch_times {
    double cpu_time_total, self_cpu_time_total, device_time_total, self_device_time_total; /* us */
};

/* One per row, to free(). */
struct torch_times *averages_torch_times(struct averages *averages);

/* The four values of single events as torch has them, one per event of the tree, to free(). */
struct torch_times *tree_torch_times(struct tree *tree);

#endif
