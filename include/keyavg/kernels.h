/* The device events that a row launched, by kernel name.
 *
 * Figures use torch's link alone (tree->owner). A row's kernels are those of the whole subtrees of its calls, each
 * once, however its calls stand in each other; `own` is the part whose op is a call of the row itself, so that the
 * sum of `own` is the row's self device time. Beside them stand, not `counted`, the device events that only a weaker
 * rule of launches.h gives to the row: they are there to go to, no part of torch's device time of it.
 *
 * Of a whole file all rows are counted, and the sum is the file's device time (annotations excluded). */
#ifndef KEYAVG_KERNELS_H
#define KEYAVG_KERNELS_H

#include "keyavg/launches.h"

enum kernel_kind {
    KERNEL_NAMED,   /* device events of one name, whose op is known by `rule` */
    KERNEL_GRAPH,   /* [graph launch]: without torch's link, launched with a CUDA or HIP graph */
    KERNEL_NO_OP,   /* [no op]: no op by any rule */
    KERNEL_MISSING, /* [launched, no device event]: launch calls, not device events; no device time */
    KERNEL_KINDS
};

struct kernel_row {
    uint8_t kind;           /* enum kernel_kind */
    uint8_t rule;           /* KERNEL_NAMED: enum launch_rule; also LAUNCH_NONE in kernels_of_events */
    bool counted;           /* in the sums */
    uint32_t name;          /* KERNEL_NAMED: strings, torch's name; else 0 */
    uint32_t first, count;  /* events[first] ..: its device events, or runtime calls, in list order */
    uint32_t own_count;
    int64_t total, own;     /* ns; KERNEL_MISSING: 0 */
    /* 0 until kernels_measure. */
    int64_t min, p90, max; /* ns, of the durations, p90 by nearest rank; KERNEL_MISSING: of the calls */
    uint32_t lane, lanes;   /* trace.lanes: that of the first event; how many there are. KERNEL_MISSING: 0 */
    uint32_t delays;        /* events whose launch delay is known */
    int64_t delay_total, delay_max; /* ns */
};

struct kernels {
    struct kernel_row *rows; /* counted ones first; then by total, most first; then list order */
    uint32_t count;
    uint32_t *events;        /* of all rows, one after the other */
    int64_t total, own;      /* ns, of the counted rows */
};

/* Of the calls of a row or of any set. Device events in the set count as launched by themselves. Linear in the events;
 * free with kernels_free. */
struct kernels *kernels_of_calls(struct tree *tree, const uint32_t *calls, uint32_t count);

/* Of the whole file. */
struct kernels *kernels_of_file(struct tree *tree);

/* Just these device events by name, all counted and `own`: what is in `[graph launch]`, say. */
struct kernels *kernels_of_events(struct tree *tree, const uint32_t *events, uint32_t count);
void kernels_free(struct kernels *kernels);

/* Fills in how durations and delays are spread, which takes as long again, for who shows that. Once. */
void kernels_measure(struct tree *tree, struct kernels *kernels);

/* The ops that launched a kernel row's events, each once, in list order; of KERNEL_MISSING the calls' ops. To
 * free(). */
uint32_t *kernels_ops(struct tree *tree, const struct kernels *kernels, const struct kernel_row *row, uint32_t *count);

/* `[no op]`, ...; empty for KERNEL_NAMED. */
const char *kernel_kind_name(enum kernel_kind kind);

/* What the file tells of one kernel's launch. Its text is not in memory: give this the event's text from
 * trace_event_text, for rows that are shown. Each is the value as written (`[256, 1, 1]`, `"WARPS"`), in the text
 * given; empty if absent. */
struct kernel_args {
    struct span grid, block, registers, shared_memory, occupancy, graph_id, graph_node, annotated_stream,
        original_stream;
};
void kernel_args_read(struct span event_text, struct kernel_args *args);

#endif
