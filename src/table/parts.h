/* Cells that show parts of a key: what groups can be made of besides torch's own. */
#ifndef KEYAVG_TABLE_PARTS_H
#define KEYAVG_TABLE_PARTS_H

#include "keyavg/table.h"

#define PART(name) void part_##name(const struct table *table, uint32_t row, struct value *out, struct text *scratch)

PART(dtypes);
PART(thread);
PART(step);
PART(phase);
PART(module);
PART(lane);

#undef PART

/* Numbers in a text (`step 10`) compare as numbers. */
int part_compare(struct span a, struct span b);

#endif
