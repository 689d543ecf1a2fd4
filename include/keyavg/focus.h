/* Focus: who called a set of calls, and what they called, aggregated under a grouping.
 *
 * The set is a row's calls, those that a filter left of them, or any events. All callers and callees are shown, also
 * those that no filter chose; python frames of the tree take part, also when they are no rows.
 *
 * Sums are exact, in ns: the callers' `cpu` adds up to `cpu_total`, and so does the callees' with [self] and
 * [async]; likewise `device`. For a row of an unfiltered table cpu_total, self_cpu, device_total and self_device are
 * its columns.
 *
 * Recursion is counted as torch's totals count it: a call inside a call of the same row is a call of its own, with
 * its whole time. So the row stands among its own callers and callees when a call of it is directly under another
 * one, with the time of those inner calls; nothing is taken off, and both sides still add up.
 * (`outermost_cpu_time_total` in the table is the time without such repetition.)
 *
 * Folding runs of python frames makes one item of frames that call each other: the run bears the name of its
 * outermost frame and has the time of all. A run ends at a frame of the set. The frames' own time is in the item,
 * or, below a frame of the set, in [self]; so the sums stay. */
#ifndef KEYAVG_FOCUS_H
#define KEYAVG_FOCUS_H

#include "keyavg/keys.h"

enum focus_kind {
    FOCUS_KEY,          /* calls of a key */
    FOCUS_SELF,         /* callees: the row's own time, in no callee */
    FOCUS_ASYNC,        /* callees: calls that ended on another thread; torch gives them a total and no self time */
    FOCUS_TOP_LEVEL,    /* callers: called by nothing recorded */
    FOCUS_GRAPH_LAUNCH, /* callers of device events: launched with a CUDA or HIP graph; no op is known */
    FOCUS_NO_OP,        /* callers of device events: no op is known */
    FOCUS_KINDS
};

struct focus_row {
    uint32_t key;        /* FOCUS_KEY: keys number; else NO_EVENT */
    uint32_t first;      /* the first event in list order that stands here; NO_EVENT for what is no event */
    uint32_t calls;      /* callers: calls of the set made from here; callees: calls made by the set */
    uint8_t kind;        /* enum focus_kind */
    uint8_t rule;        /* callers of device events: enum launch_rule, the weakest that was used; else LAUNCH_NONE */
    int64_t cpu, device; /* ns; callers: given to the set's calls from here; callees: taken here from their total */
};

struct focus {
    uint32_t calls;      /* distinct events of the set that are in the tree or on the device */
    int64_t cpu_total, self_cpu, device_total, self_device; /* ns, sums over them; device events have no CPU time */
    int64_t folded_cpu;  /* ns: of [self], what lies in frames folded into it */
    struct focus_row *callers, *callees; /* most CPU time first, then most device time, then list order */
    uint32_t caller_count, callee_count;
};

/* Events folded into their parent count as the parent; absent ones are passed over. One pass over the tree, no
 * recursion. `keys` tells the grouping. Free with focus_free. */
struct focus *focus_build(const struct keys *keys, const uint32_t *events, uint32_t count, bool fold_python);
void focus_free(struct focus *focus);

/* `[self]`, ...; empty for FOCUS_KEY. */
const char *focus_kind_name(enum focus_kind kind);

#endif
