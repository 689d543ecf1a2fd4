/* The tree of calls, and what follows from it for each event: owners, self times, device times, memory, stacks. */
#ifndef KEYAVG_TREE_H
#define KEYAVG_TREE_H

#include "keyavg/amounts.h"
#include "keyavg/trace.h"

/* Python frames: in the tree and in stacks but not rows (torch's default), rows as well, or left out as if they had
 * not been recorded. The tree is the same for the first two. */
enum python_frames { PYTHON_IN_TREE, PYTHON_AS_ROWS, PYTHON_LEFT_OUT };

struct steps;
struct launches;
struct pairs;
struct quality;

struct tree {
    struct trace *trace;    /* borrowed; only its table of stacks grows */
    bool without_python;
    uint32_t count;         /* events */
    uint32_t *parent;       /* the calling CPU event; for an event folded into its parent: that parent; else NO_EVENT */
    uint32_t *owner;        /* device events: the op whose kernel it is; runtime calls: the op whose thread it joined */
    uint8_t *state;         /* enum event_state */
    uint32_t *stack;        /* trace.stacks node: python frames, backward stacks set */
    struct amounts self_cpu;     /* ns; can be negative */
    struct amounts device_total; /* ns; not there in files without device events, as the next */
    struct amounts self_device;  /* ns */
    /* bytes, MEMORY_CPU and MEMORY_DEVICE, not self; not there when the file has no such records */
    struct amounts memory[2];
    /* count + 1: the children of e are children[child_first[e] .. child_first[e + 1]) in list order; */
    uint32_t *child_first;
    uint32_t *children;     /* both NULL until tree_need_children */
    uint32_t *kernel_first; /* likewise the device events that e owns, in file order; NULL until tree_need_kernels */
    uint32_t *kernels;
    uint32_t *forward_thread; /* by trace.forward_threads: the thread it stands for, UINT32_MAX none */
    /* CPU events that begin inside of another of their thread and end behind it, in list order */
    ARRAY(uint32_t) crossing;
    int64_t overlap;        /* ns: how long they go on inside of what they cross, in all */
    bool has_stacks;        /* any event has a stack */
    bool has_device_time;   /* any event has device time */
    struct steps *steps;    /* steps.h, phase.h, module.h, launches.h, pairs.h, quality.h: NULL until asked for */
    uint8_t *phase;
    uint32_t *module;
    struct launches *launches;
    struct pairs *pairs;
    struct quality *quality;
    uint64_t *flops[8];     /* by enum flop_rule, by trace.inputs: what tree_flops has found; UINT64_MAX not yet */
};

enum event_state {
    STATE_ROW = 0,    /* takes part in averages */
    STATE_FOLDED = 1, /* stands in its parent, which has the same name and no other child */
    STATE_ABSENT = 2, /* a dropped name, or a python frame that is left out */
};

enum memory_column { MEMORY_CPU, MEMORY_DEVICE, MEMORY_SELF_CPU, MEMORY_SELF_DEVICE };

/* Builds the tree of all events. Needs the trace to stay as long; free with tree_free. O(n log n), no recursion. */
struct tree *tree_build(struct trace *trace, bool without_python); /* adds to trace->stacks */
void tree_free(struct tree *tree);

/* Builds the lists of children and of kernels once; later calls cost nothing. */
void tree_need_children(struct tree *tree);
void tree_need_kernels(struct tree *tree);

/* torch's RecordScope number of an event: 7 user annotation, 1 backward, 0 forward or unknown. */
int event_scope(const struct trace *trace, uint32_t event);

/* torch's node id, -1 when there is none. */
int event_node_id(const struct trace *trace, uint32_t event);

/* torch's estimate of floating point operations from shapes and inputs (semantics.md 6), whatever the header says. */
uint64_t event_flops(const struct trace *trace, uint32_t event);

/* The same, remembered for equal inputs; for any thread, once tree_need_flops has made room for it. */
void tree_need_flops(struct tree *tree);
uint64_t tree_flops(const struct tree *tree, uint32_t event);

/* The event (itself, or the one it is folded into) whose row this event belongs to. */
uint32_t tree_row_event(const struct tree *tree, uint32_t event);

/* The thread on whose tree an event lies: that of the op which a runtime call joined, else its own. */
static inline uint32_t tree_thread(const struct tree *tree, uint32_t event)
{
    uint32_t owner = tree->owner[event];
    return owner != NO_EVENT && event_kind(tree->trace, event) == KIND_RUNTIME ? tree->trace->events.thread[owner]
                                                                              : tree->trace->events.thread[event];
}

static inline bool event_on_device(const struct trace *trace, uint32_t event)
{
    return kind_on_device(event_kind(trace, event));
}

#endif
