/* The table: the rows of a query over one trace, in the order in which they are shown. */
#ifndef KEYAVG_TABLE_H
#define KEYAVG_TABLE_H

#include "keyavg/average.h"
#include "keyavg/column.h"
#include "keyavg/query.h"

struct table {
    struct trace *trace;
    struct tree *tree;
    struct averages *averages;
    struct query query;
    uint32_t *order; /* numbers of averages->rows: first the shown ones, `count` of them; room for all */
    uint32_t count;
    uint32_t left_out; /* rows cut by the row limit; they follow the shown ones in `order` */
    uint32_t hidden;   /* rows below query.hide_below; they follow those */
    /* The rows that count before the row limit and top_level_only, in order of first appearance: those over which torch
     * takes sums and widths. */
    uint32_t *kept;
    uint32_t kept_count;
    bool restricted;         /* scope, filter or settings leave some events out before they are grouped */
    struct averages *whole;  /* where restricted: the same grouping of all events; NULL until it is asked for */
    /* Sums over all rows of the file, the base of `of all`; and over the kept rows. */
    const struct tree *summed; /* the tree and the python state that the first two sums are of */
    enum python_frames summed_python;
    int64_t self_cpu_all, self_device_all;     /* ns; device: device rows that are no annotations (semantics.md 3) */
    int64_t self_cpu_shown, self_device_shown; /* the same over `kept` */
    struct spread *spreads;                    /* per row, as far as asked for; NULL until the first */
    uint8_t *spread_known;
    /* by row, ns: CPU total with recursion counted once; its last item tells whether it is known */
    int64_t *outermost;
};

/* Groups, sorts and limits. The trace must outlive the table; it keeps the tree for the next table_update. */
struct table *table_build(struct trace *trace, const struct query *query);

/* Makes the table show another query, doing only what has changed (a new sort does not regroup). */
void table_update(struct table *table, const struct query *query);
void table_free(struct table *table);

/* Makes `whole` where the table is restricted and has it not yet. */
void table_need_whole(struct table *table);

/* About how many events and rows table_update would go through, which tells a short wait from a long one; 0: the table
 * shows it already. */
uint64_t table_update_work(const struct table *table, const struct query *query);

/* Whether the table shows this query already. */
bool table_shows(const struct table *table, const struct query *query);

/* A table of another query over the same trace, made beside the first, which stays as it is and shares with it what
 * both have. It may be made by another thread, while nobody else looks at the first one or at the trace. One of the two
 * is then given up. */
struct table *table_beside(const struct table *table, const struct query *query);
void table_give_up(struct table *table, const struct table *other);

/* A cell's value: unknown where the trace did not record it or a share is of nothing. `row` is a number of
 * averages->rows. `scratch` is cleared and holds text that had to be made. */
void table_value(const struct table *table, uint32_t row, const struct column *column, struct value *out,
                 struct text *scratch);

/* Sorts row numbers by a column: unknown values last both ways, equal ones in the order in which they stood. */
void table_sort(const struct table *table, const struct column *column, bool ascending, uint32_t *rows,
                uint32_t count);

/* The same by numbers, `keys[row]`. */
void table_sort_reals(const double *keys, bool ascending, uint32_t *rows, uint32_t count);

/* Parts of a row that more than one column, writer or pane wants. `row` is a number of averages->rows. */
uint32_t table_row_name(const struct table *table, uint32_t row);      /* strings number of torch's key */
struct span table_row_shapes(const struct table *table, uint32_t row); /* Python's text; empty when not in the key */
struct span table_row_overload(const struct table *table, uint32_t row); /* empty when not in the key */
/* The row's stack lines, innermost first: up to the grouping's depth, none when not in the key. Fills at most `room`
 * of `lines` and returns how many there are. */
uint32_t table_row_stack(const struct table *table, uint32_t row, struct span *lines, uint32_t room);
bool table_row_on_device(const struct table *table, uint32_t row);
bool table_row_annotation(const struct table *table, uint32_t row);
bool table_row_async(const struct table *table, uint32_t row);
bool table_row_top_level(const struct table *table, uint32_t row); /* its first event has no parent */
uint64_t table_row_flops(const struct table *table, uint32_t row); /* torch's: 0 without with_flops */
const struct spread *table_row_spread(const struct table *table, uint32_t row); /* computed once for each row */

/* The events that scope, filter and settings chose, one bit each, to free(); NULL: all. */
uint64_t *table_chosen_events(const struct table *table);

/* An event that stands for the row's key whatever filter and scope leave of it: its first over all events. */
uint32_t table_row_key_event(struct table *table, uint32_t row);
int64_t table_row_outermost(const struct table *table, uint32_t row); /* ns; computed once for all rows */

/* Appends the first part of the row's key, what stands under Name where the name is not part of it. */
void table_add_row_label(const struct table *table, uint32_t row, struct text *out);

/* What stands under Name: torch's key, else that label, made in `scratch`. */
struct span table_row_label(const struct table *table, uint32_t row, struct text *scratch);

/* The device's name in headings (`CUDA`), `None` without one; and of a row (`CPU` or the device's). */
const char *table_device_name(const struct table *table);
const char *table_row_device_name(const struct table *table, uint32_t row);

#endif
