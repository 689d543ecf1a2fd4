/* What the shown rows of a table leave out of the file: rows over the limit, below hide_below, not chosen by filter,
 * scope or top_level_only, and calls of shown rows that filter or scope leave out. A column's cells and its remainder
 * add up to the same whatever is shown: to what the rows of the whole file, in this grouping, add up to. (On the device
 * that has a kernel's time in its own row and in those of its op and callers.) */
#ifndef KEYAVG_REMAINDER_H
#define KEYAVG_REMAINDER_H

#include "keyavg/table.h"

/* Whether anything is left out. */
bool table_has_remainder(struct table *table);

/* Rows of the file that are not shown. */
uint32_t table_remainder_rows(struct table *table);

/* Its cell of a column: the sum over the file less that over the shown rows; VALUE_UNKNOWN for columns that do not add
 * up, or that the trace does not have. */
void table_remainder_value(struct table *table, const struct column *column, struct value *out);

/* Appends its name: `[12 more rows]`, `[calls left out]` where only parts of shown rows are missing. */
void table_add_remainder_label(struct table *table, struct text *out);

#endif
