/* The modules of a model as a tree: `nn.Module: X_k` frames inside each other, with what ran forward in them and the
 * backward that goes with it.
 *
 * Every CPU event, and with it the device events that it owns (torch's link), stands in one node: that of the
 * nearest module frame above it. A backward end with a pair (pairs.h) stands, with all below it, where its forward
 * op stands, and counts as backward, also what recomputes a forward there (the frames below it are `recomputed`);
 * backward without a pair stands in node 0. So each microsecond is in one node on one side, and node 0's totals are
 * the file's self CPU time and the device time that has an op. */
#ifndef KEYAVG_MODULE_TREE_H
#define KEYAVG_MODULE_TREE_H

#include "keyavg/pairs.h"

struct module_side {
    int64_t cpu, self_cpu, device, self_device; /* ns; self: not in a module inside this one */
};

struct module_node {
    uint32_t parent;     /* node; NO_EVENT for node 0, `[no module]` */
    uint32_t name;       /* strings: without `nn.Module: `, node 0: 0 */
    uint32_t first;      /* the first frame of it in list order, NO_EVENT for node 0 */
    uint32_t depth;
    uint32_t calls, recomputed; /* frames forward; and below a backward end */
    uint32_t pairs;             /* whose forward op stands here */
    uint32_t child_first, child_count; /* in `children` */
    struct module_side forward, backward;
};

struct module_tree {
    struct module_node *nodes;
    uint32_t count;     /* 1: no module frames were recorded (with_stack=True records them) */
    uint32_t *children; /* of each node in one piece, by forward and backward CPU time, most first, then list order */
    uint32_t *node_of;  /* by CPU event; 0 also for what has none */
};

/* `by_class` makes one node of modules of one class under one node: `Linear_0`, `Linear_1` are `Linear`. Linear in the
 * events, no recursion; free with module_tree_free. */
struct module_tree *module_tree_build(struct tree *tree, bool by_class);
void module_tree_free(struct module_tree *modules);

#endif
