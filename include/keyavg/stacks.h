/* Stacks as paths in one tree: node 0 is the empty stack, each other node one frame called from its parent. */
#ifndef KEYAVG_STACKS_H
#define KEYAVG_STACKS_H

#include <stdbool.h>
#include <stdint.h>

#include "keyavg/text.h"

struct stack_node {
    uint32_t caller; /* node */
    uint32_t frame;  /* strings */
    uint32_t depth;  /* frames on the path */
};

struct stacks {
    struct stack_node *nodes;
    uint32_t count, capacity, mask;
    uint32_t *slots;
    uint32_t deepest; /* frames of the longest path */
};

void stacks_init(struct stacks *stacks);
void stacks_free(struct stacks *stacks);

/* The node of one frame under a caller's node; made when it is new. */
uint32_t stacks_add(struct stacks *stacks, uint32_t caller, uint32_t frame);

/* False for the frames that torch leaves out of stacks (semantics.md 5). */
bool stacks_frame_counts(struct span frame);

#endif
