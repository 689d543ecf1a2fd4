/* The module of a call: the nn.Module in whose forward it ran. */
#ifndef KEYAVG_MODULE_H
#define KEYAVG_MODULE_H

#include "keyavg/tree.h"

/* By event, a strings number of the trace, 0 for [none]: the innermost `nn.Module:` frame of the stack (without that
 * word), else the last part of `Module Hierarchy`. Backward events have their forward event's, device events their
 * op's. Found once and kept by the tree. */
const uint32_t *tree_modules(struct tree *tree);

#endif
