/* The profiler's steps: the CPU events named `ProfilerStep#n`, and which event belongs to which. */
#ifndef KEYAVG_STEPS_H
#define KEYAVG_STEPS_H

#include "keyavg/tree.h"

/* Found once and kept by the tree. */
struct steps {
    int64_t *numbers; /* the n of each step, rising; two markers of one n are one step */
    uint32_t count;
    uint32_t *of; /* by event: place in `numbers` + 1, 0: [no step] */
};

/* An event of the same process belongs to the step whose [start, end) holds its start, on any thread; a device event
 * follows its op, else the runtime call of its correlation. */
const struct steps *tree_steps(struct tree *tree);
void steps_free(struct steps *steps);

/* How many steps there are, without looking at the other events. */
uint32_t steps_count(struct tree *tree);

#endif
