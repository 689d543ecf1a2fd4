/* The rows that the table view shows: of one trace, or of two that are compared. A row's number is one of
 * averages->rows of the table, or of the comparison's rows. */
#ifndef KEYAVG_UI_ROWS_H
#define KEYAVG_UI_ROWS_H

#include "table_view.h"

uint32_t rows_count(const struct app *app); /* that are shown */
uint32_t rows_at(const struct app *app, uint32_t place);
uint32_t rows_hidden(const struct app *app);   /* by hide_below */
uint32_t rows_left_out(const struct app *app); /* over the limit */

/* A cell, and whether its column has anything to say. */
void rows_value(const struct app *app, uint32_t row, const struct column *column, struct value *out,
                struct text *scratch);
bool rows_have_column(const struct app *app, const struct column *column);

/* Appends what stands under Name: the name, or the first part of the key. */
void rows_add_label(const struct app *app, uint32_t row, struct text *out);

/* The lines of a row's stack, innermost first: fills at most `room` and returns how many there are. */
uint32_t rows_stack(const struct app *app, uint32_t row, struct span *lines, uint32_t room);

/* The share of the whole that a cell stands for; false where that means nothing. */
bool rows_share(const struct app *app, uint32_t row, const struct column *column, double *share);

/* The table's row that stands for a row: of the new trace where it has one, else of base. */
uint32_t rows_of_table(const struct app *app, uint32_t row, int *side);
const struct table *rows_table(const struct app *app, int side);

/* The table whose device names headings: one that has a device. */
const struct table *rows_device_table(const struct app *app);

/* The row that the first call of another is in, UINT32_MAX none. */
uint32_t rows_find(const struct app *app, int side, uint32_t event);

/* Whether a fact holds for the trace, or for one of the two. */
bool rows_any(const struct app *app, bool (*holds)(const struct table *table));

/* The column that bears the mark of the sort, NULL none. */
const struct column *rows_sorted_by(const struct app *app);

/* Marks, which know a row by its key in each table. */
bool rows_marked(const struct table_view *view, uint32_t row);
void rows_mark(struct table_view *view, uint32_t row, bool off); /* off: a marked one loses its mark */
void rows_unmark_all(struct table_view *view);
bool rows_any_marked(const struct table_view *view);

#endif
