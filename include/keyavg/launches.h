/* From device events to the calls and ops that launched them, further than torch's own link goes.
 *
 * Figures know tree->owner alone (semantics.md 3). For going from a kernel to its op and back more is tried, in
 * turn, and the rule that was used is kept: many files have a link for few device events. */
#ifndef KEYAVG_LAUNCHES_H
#define KEYAVG_LAUNCHES_H

#include "keyavg/tree.h"

enum launch_rule {
    LAUNCH_NONE,   /* no op is known */
    LAUNCH_LINK,   /* torch's link: the kernel counts in the op's device time */
    LAUNCH_CALL,   /* the op of the runtime call with the same correlation */
    LAUNCH_AROUND, /* the innermost cpu_op around that call */
    LAUNCH_RULES
};

/* Found once and kept by the tree. Device annotations take no part: they are launched by nothing. */
struct launches {
    uint32_t *op;      /* by event; device events: the op that launched it by `rule`, NO_EVENT none */
    uint32_t *call;    /* device events: the runtime call of its correlation, NO_EVENT none; runtime calls: the first
                          device event in list order that is its, NO_EVENT none */
    uint32_t *next;    /* device events: the next one of the same call, NO_EVENT none */
    uint32_t *first;   /* CPU events: the first device event in list order that was launched below it, by any rule */
    uint8_t *rule;     /* device events: enum launch_rule */
    uint8_t *is_graph; /* device events: 1 when the call launches a CUDA or HIP graph */
    uint8_t *is_launch; /* runtime calls: 1 when the call by its name launches device work */
    uint32_t *work;    /* the device events that can be launched, `device_events` of them, in list order */
    uint32_t device_events, unlinked; /* of which have no op by torch's link */
    uint32_t launch_calls, missing;   /* calls that launch device work, of which have no device event in the file */
    uint32_t early;                   /* device events that start before the call that launched them: clocks differ */
};

const struct launches *tree_launches(struct tree *tree);
void launches_free(struct launches *launches);

/* Whether a runtime call of this name launches device work: cudaLaunchKernel*, cuLaunchKernel*, cudaGraphLaunch,
 * cudaMemcpyAsync, cudaMemsetAsync, and the hip, ur and ze forms. */
bool launch_name(struct span name);

/* Whether a launch call belongs to the ones `missing` counts: it has a correlation, and no device event has the
 * same. */
bool launches_is_missing(const struct trace *trace, const struct launches *launches, uint32_t event);

/* Whether a device event starts before the call that launched it, as `early` counts. */
bool launches_is_early(const struct trace *trace, const struct launches *launches, uint32_t event);

/* The device event's start less the end of the call that launched it, in ns. Of a runtime call and of an op that of its
 * first device event. False when it is not known: no device event, no call that launches, no time, a negative one, or a
 * later event of a graph. */
bool launches_delay(const struct trace *trace, const struct launches *launches, uint32_t event, int64_t *delay);

/* `link`, `correlation`, `around`, empty for LAUNCH_NONE. */
const char *launch_rule_name(enum launch_rule rule);

#endif
