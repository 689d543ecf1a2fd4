/* What the two forms of the call tree share. */
#ifndef KEYAVG_AVERAGE_CALLTREE_H
#define KEYAVG_AVERAGE_CALLTREE_H

#include "keyavg/calltree.h"

/* A new last node without times; `parent` NO_EVENT for node 0. */
uint32_t calltree_add_node(struct calltree *calltree, uint32_t parent, enum calltree_kind kind, uint32_t key,
                           uint32_t first);

/* Sorts the children of one node, whose list is made, and tells them their places. */
void calltree_sort_children(struct calltree *calltree, uint32_t node);

/* Bottom up: makes a node's list of children. */
void calltree_unfold(struct calltree *calltree, uint32_t node);

/* child_first of a bottom-up node that is not yet unfolded. */
#define CALLTREE_FOLDED UINT32_MAX

#endif
