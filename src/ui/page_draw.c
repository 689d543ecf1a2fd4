/* The pages that explain numbers: what the row under the cursor means, whole, in a pane below the rows. */
#include "drill_view.h"

/* Little room has a pane for the sentence alone, at last without a line above it. */
enum { MARGIN = 2, PANE_ROWS = 4, LEAST_ROWS = 9, SMALL_ROWS = 6, SMALLEST_ROWS = 4 };

bool page_is_one(const struct drill *drill)
{
    return drill->kind == DRILL_QUALITY || drill->kind == DRILL_EXPLAIN;
}

int page_pane_rows(const struct drill *drill, int rows)
{
    if (!page_is_one(drill) || rows < SMALLEST_ROWS)
        return 0;
    return rows < SMALL_ROWS ? PANE_ROWS - 2 : rows < LEAST_ROWS ? PANE_ROWS - 1 : PANE_ROWS;
}

enum role page_state_role(struct span state)
{
    return span_is(state, "fault")     ? ROLE_WORSE
           : span_is(state, "note")    ? ROLE_HEAT_3
           : span_is(state, "missing") ? ROLE_UNKNOWN
           : span_is(state, "ok")      ? ROLE_BETTER
                                       : ROLE_TEXT;
}

/* Appends a cell of the row, by its column. */
static void add_cell(struct drill_view *view, uint32_t id, const char *name, struct text *out)
{
    struct value value;
    const struct column *column = column_find(span_of(name));
    drill_value(view->drill, id, column, &value, &view->scratch);
    column_add_text(column, &value, view->view.app->query.unit, out);
}

void page_draw_pane(struct drill_view *view, struct grid *grid, struct area area)
{
    const struct drill_row *row = drill_view_row(view);
    struct text line = {0}, clean = {0};
    bool large = area.rows >= PANE_ROWS, line_above = area.rows >= PANE_ROWS - 1;
    if (line_above)
        grid_line(grid, area.row, area.column, area.columns, ROLE_PANE_BORDER);
    if (row != NULL && large) {
        add_cell(view, row->id, "key", &line);
        text_add_string(&line, ": ");
        add_cell(view, row->id, "found", &line);
        text_add_string(&line, "  ");
    }
    if (row != NULL)
        add_cell(view, row->id, "advice", &line);
    utf8_add_clean(&clean, text_span(&line), grid->ascii);
    struct span rest = text_span(&clean);
    for (int i = line_above; i < area.rows && rest.length > 0; i++) {
        size_t taken = line_fitting(rest, area.columns - 2 * MARGIN);
        grid_text(grid, area.row + i, area.column + MARGIN, area.columns - MARGIN, (struct span){rest.bytes, taken},
                  UTF8_CUT_END, ROLE_TEXT);
        rest = (struct span){rest.bytes + taken, rest.length - taken};
    }
    text_clear(&view->rest);
    text_add_span(&view->rest, rest);
    text_free(&line);
    text_free(&clean);
}
