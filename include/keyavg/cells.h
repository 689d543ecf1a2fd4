/* Cells of groups (groups.h): what a column says of a group, and arithmetic on cells. */
#ifndef KEYAVG_CELLS_H
#define KEYAVG_CELLS_H

#include "keyavg/column.h"
#include "keyavg/summary.h"

/* What is known of the sources of a table of groups. */
struct cell_facts {
    const struct groups *groups;
    uint32_t has, backend;         /* enum source_has, enum backend: of all sources */
    uint32_t sources;
    int64_t self_cpu, self_device; /* ns: what shares are of */
};

/* A column's value for a group as table_value has it for a row; VALUE_UNKNOWN for what groups do not keep (cpu_parent,
 * cpu_children, outermost_cpu_time_total; percentiles of groups without histogram). */
void group_value(const struct cell_facts *facts, const struct group *group, const struct column *column,
                 struct value *out, struct text *scratch);

/* The first part of a group's key, what stands under Name; borrowed from the strings or made in `scratch`. */
struct span group_label(const struct cell_facts *facts, const struct group *group, struct text *scratch);

/* The measure that a column is the sum of, or -1. */
int column_measure(const struct column *column);

/* The column of a measure. */
const struct column *measure_column(enum measure measure);

/* The device's name in headings. */
const char *facts_device_name(const struct cell_facts *facts);

/* a - b of two known numbers, exact where int64 holds it; a / b, unknown when b is 0. */
struct value value_difference(const struct value *a, const struct value *b);
struct value value_quotient(const struct value *a, const struct value *b);

struct value value_integer(int64_t integer);
struct value value_ratio(int64_t integer, int64_t over); /* unknown over 0 */
struct value value_zero(const struct value *like);

/* Sorts numbers of rows by cells: unknown ones last, equal ones in the order in which they stand. With `by_size` the
 * sign does not matter. */
typedef void row_cell(const void *context, uint32_t row, const struct column *column, struct value *out,
                      struct text *scratch);
void cells_sort(row_cell *cell, const void *context, const struct column *column, bool ascending, bool by_size,
                uint32_t *rows, uint32_t count);

#endif
