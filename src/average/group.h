/* Which events stand in which row. */
#ifndef KEYAVG_AVERAGE_GROUP_H
#define KEYAVG_AVERAGE_GROUP_H

#include "keyavg/average.h"

/* Numbers the groups in order of first appearance; row_of[e] is the group of event e, NO_EVENT for events in no row.
 * Returns how many groups there are. */
uint32_t group_events(struct tree *tree, const struct grouping *grouping, const uint64_t *selected, uint32_t *row_of);

#endif
