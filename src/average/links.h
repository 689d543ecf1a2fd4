/* Steps of tree_build, in this order; each knows only its own columns of the tree. */
#ifndef KEYAVG_AVERAGE_LINKS_H
#define KEYAVG_AVERAGE_LINKS_H

#include "keyavg/tree.h"

/* tree->owner: which op launched each device event, which op's thread each runtime call joins (semantics.md 3). */
void links_build(struct tree *tree);

/* tree->memory from the trace's records (semantics.md 4). */
void memory_build(struct tree *tree);

/* tree->stack: own stacks, else the python frames that are open at the event's start (semantics.md 5). */
void frames_build(struct tree *tree);

/* tree->stack of backward events: that of their forward event. Needs the folded tree. */
void backward_build(struct tree *tree);

/* tree->forward_thread of the numbers that arrows tell of; the others stay. True when that is all of them. */
bool arrows_find_threads(struct tree *tree);

#endif
