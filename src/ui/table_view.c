/* The table view: rows, cursor and anchor. */
#include "table_view.h"

#include <stdlib.h>

#include "acts.h"
#include "rows.h"

struct table_view *table_view_of(const struct app *app)
{
    struct view *view = app->top;
    while (view != NULL && view->ops != &table_view_ops)
        view = view->below;
    return (struct table_view *)(void *)view;
}

uint32_t table_view_row(const struct table_view *view)
{
    const struct app *app = view->view.app;
    return view->view.list.cursor < rows_count(app) ? rows_at(app, view->view.list.cursor) : UINT32_MAX;
}

void table_view_moved(struct view *base)
{
    struct table_view *view = (struct table_view *)(void *)base;
    uint32_t row = table_view_row(view);
    view->anchor = NO_EVENT;
    if (row != UINT32_MAX) {
        uint32_t own = rows_of_table(base->app, row, &view->anchor_side);
        view->anchor = rows_table(base->app, view->anchor_side)->averages->rows[own].first;
    }
    view->detail_top = 0;
}

void table_view_follow(struct table_view *view)
{
    const struct app *app = view->view.app;
    struct list *list = &view->view.list;
    list->count = rows_count(app);
    uint32_t row = rows_find(app, view->anchor_side, view->anchor);
    for (uint32_t i = 0; i < list->count && row != UINT32_MAX; i++) {
        if (rows_at(app, i) == row) {
            list->cursor = i;
            break;
        }
    }
    list_fit(list);
}

static void changed(struct view *base)
{
    struct table_view *view = (struct table_view *)(void *)base;
    view->sums.known = false;
    view->remainder.count = 0;
    table_columns_refresh(view);
    table_view_follow(view);
    if (view->anchor == NO_EVENT)
        table_view_moved(base);
    view->detail_top = 0;
}

/* -- The status line ----------------------------------------------------------------------------- */

/* Annotations are told where there is nothing else. */
static void add_total(struct app *app, const struct column *column, int64_t sum, int64_t annotations, struct text *out)
{
    bool apart = sum == 0 && annotations > 0;
    struct value value = {.kind = VALUE_INTEGER, .integer = apart ? annotations : sum, .over = 1};
    if (apart)
        text_add_string(out, "annotations ");
    column_add_text(column, &value, app->query.unit, out);
}

static void status(struct view *base, struct text *out)
{
    struct table_view *view = (struct table_view *)(void *)base;
    struct app *app = base->app;
    struct table *table = app->table;
    if (app->compare != NULL) {
        changes_add_status(view, out);
        return;
    }
    if (table->count == 0) {
        text_add_string(out, "no rows");
        if (table->averages->count > 0 || table->hidden > 0)
            text_addf(out, ": %u hidden", table->hidden + table->left_out);
        else if (app->query.filter != NULL || app->query.scope != SCOPE_ALL)
            text_add_string(out, " pass the filter; Esc takes back");
        else
            text_add_string(out, ": the trace holds no op");
        return;
    }
    if (!view->sums.known)
        table_sums_make(view);
    const struct table_sums *sums = &view->sums;
    text_addf(out, "row %u of %u   shown ", base->list.cursor + 1, table->count);
    bool device = strstr(sums->column->name, "device") != NULL;
    int64_t all = device ? table->self_device_all : table->self_cpu_all;
    bool once = device || strncmp(sums->column->name, "self_", 5) == 0;
    if (once && all > 0)
        text_addf(out, "%.1f %% of ", 100.0 * (double)sums->shown / (double)all);
    column_add_title(sums->column, table, out);
    text_add_char(out, ' ');
    add_total(app, sums->column, sums->shown, device ? sums->annotations : 0, out);
    if (sums->marked_rows > 0) {
        text_addf(out, "   %u marked ", sums->marked_rows);
        add_total(app, sums->column, sums->marked, device ? sums->marked_annotations : 0, out);
    }
    if (table->hidden > 0)
        text_addf(out, "   %u hidden", table->hidden);
    if (table->left_out > 0)
        text_addf(out, "   %u rows over the limit", table->left_out);
}

/* -- Mouse ---------------------------------------------------------------------------------------- */

static void click(struct view *base, int row, int column)
{
    struct table_view *view = (struct table_view *)(void *)base;
    struct app *app = base->app;
    if (view->header_row > 0 && row == view->header_row - 1) {
        crumbs_click(app, column);
        return;
    }
    if (row == view->header_row) {
        for (int i = 0; i < view->placed_count; i++) {
            if (column < view->placed[i].at || column >= view->placed[i].at + view->placed[i].width)
                continue;
            const struct column *clicked = view->seen.items[view->placed[i].seen].column;
            view->column_cursor = view->placed[i].seen;
            act_sort(app, span_of(clicked->name));
            return;
        }
        if (column < view->name_width + 2)
            act_sort(app, span_of("key"));
        return;
    }
    if (row < view->first_row || row >= view->first_row + base->list.height)
        return;
    uint32_t clicked = base->list.top + (uint32_t)(row - view->first_row);
    if (clicked >= base->list.count)
        return;
    if (clicked == base->list.cursor) {
        act_open(app, (struct span){"", 0});
        return;
    }
    base->list.cursor = clicked;
    table_view_moved(base);
}

static void escape(struct view *base)
{
    crumbs_remove_last(base->app);
}

static void free_view(struct view *base)
{
    struct table_view *view = (struct table_view *)(void *)base;
    array_free(&view->columns);
    array_free(&view->seen);
    array_free(&view->remainder);
    for (int s = 0; s < COMPARE_SIDES; s++)
        marks_free(&view->marks[s]);
    text_free(&view->search);
    text_free(&view->scratch);
    text_free(&view->cell);
}

const struct view_ops table_view_ops = {
    .name = "table",
    .context = CONTEXT_TABLE,
    .draw = table_view_draw,
    .status = status,
    .moved = table_view_moved,
    .click = click,
    .escape = escape,
    .changed = changed,
    .free = free_view,
};

void table_view_open(struct app *app)
{
    struct table_view *view = view_push(app, &table_view_ops, sizeof *view);
    view->anchor = NO_EVENT;
    table_columns_init(view);
    changed(&view->view);
    /* The column cursor begins where the eye is: at the column sorted by. */
    table_columns_cursor_to(view, rows_sorted_by(app));
}
