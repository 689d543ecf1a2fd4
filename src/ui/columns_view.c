/* The column setup: which columns are shown, their order and width. */
#include <stdio.h>

#include "acts.h"
#include "rows.h"

static struct table_column *entry_of(struct app *app)
{
    struct table_view *table = table_view_of(app);
    uint32_t cursor = app->top->list.cursor;
    return table != NULL && cursor < table->columns.count ? &table->columns.items[cursor] : NULL;
}

static bool is_seen(const struct table_view *table, uint32_t column)
{
    for (size_t i = 0; i < table->seen.count; i++)
        if (table->seen.items[i].entry == column)
            return true;
    return false;
}

static void draw(struct view *view, struct grid *grid, struct area area)
{
    struct table_view *table = table_view_of(view->app);
    struct list *list = &view->list;
    list->count = table != NULL ? (uint32_t)table->columns.count : 0;
    int wide = area.columns < 76 ? area.columns : 76;
    int rows = (int)list->count + 2 < area.rows ? (int)list->count + 2 : area.rows;
    struct area box = {area.row, area.column + (area.columns - wide) / 2, rows, wide};
    grid_box(grid, box.row, box.column, box.rows, box.columns, "columns");
    list->height = rows - 2;
    list_fit(list);
    struct text line = {0};
    for (int i = 0; table != NULL && i < list->height && list->top + (uint32_t)i < list->count; i++) {
        uint32_t number = list->top + (uint32_t)i;
        const struct table_column *entry = &table->columns.items[number];
        bool cursor = number == list->cursor;
        enum role role = cursor ? ROLE_MENU_SELECTED : ROLE_MENU;
        grid_blank(grid, box.row + 1 + i, box.column + 1, wide - 2, role);
        text_clear(&line);
        text_add_string(&line, is_seen(table, number) ? "[x] " : "[ ] ");
        column_add_title(entry->column, view->app->table, &line);
        grid_text(grid, box.row + 1 + i, box.column + 2, 22, text_span(&line), UTF8_CUT_END, role);
        text_clear(&line);
        text_addf(&line, "%3d", table_columns_width(view->app, entry));
        grid_text(grid, box.row + 1 + i, box.column + 24, 4, text_span(&line), UTF8_CUT_END, role);
        const char *remedy = column_remedy(entry->column);
        text_clear(&line);
        if (!rows_have_column(view->app, entry->column) && remedy != NULL)
            text_addf(&line, "not recorded; needs %s", remedy);
        else
            text_add_string(&line, entry->column->help);
        grid_text(grid, box.row + 1 + i, box.column + 29, wide - 31, text_span(&line), UTF8_CUT_END,
                  cursor ? role : ROLE_HELP_TEXT);
    }
    text_free(&line);
}

static void status(struct view *view, struct text *out)
{
    const struct table_column *entry = entry_of(view->app);
    if (entry != NULL)
        text_addf(out, "%s: %s", entry->column->name, entry->column->help);
}

static void click(struct view *view, int row, int column)
{
    (void)column;
    /* The title line is row 0, the box begins below it. */
    uint32_t number = view->list.top + (uint32_t)(row - 2);
    if (row < 2 || row - 2 >= view->list.height || number >= view->list.count)
        return;
    if (number == view->list.cursor)
        columns_switch(view->app, (struct span){"", 0});
    view->list.cursor = number;
}

static const struct view_ops columns_view_ops = {
    .name = "columns",
    .context = CONTEXT_COLUMNS,
    .overlay = true,
    .draw = draw,
    .status = status,
    .click = click,
};

void columns_view_open(struct app *app)
{
    struct table_view *table = table_view_of(app);
    struct view *view = view_push(app, &columns_view_ops, sizeof *view);
    view->list.count = (uint32_t)table->columns.count;
    if (table->column_cursor < table->seen.count)
        view->list.cursor = table->seen.items[table->column_cursor].entry;
}

void columns_switch(struct app *app, struct span argument)
{
    (void)argument;
    struct table_view *table = table_view_of(app);
    struct table_column *entry = entry_of(app);
    if (entry == NULL)
        return;
    entry->choice = is_seen(table, app->top->list.cursor) ? COLUMN_HIDDEN : COLUMN_SHOWN;
    table_columns_refresh(table);
}

static void shift(struct app *app, int by)
{
    struct table_view *table = table_view_of(app);
    uint32_t from = app->top->list.cursor, to = from + (uint32_t)by;
    if (table == NULL || from >= table->columns.count || to >= table->columns.count)
        return;
    struct table_column entry = table->columns.items[from];
    table->columns.items[from] = table->columns.items[to];
    table->columns.items[to] = entry;
    table->remainder.count = 0;
    app->top->list.cursor = to;
    list_fit(&app->top->list);
    table_columns_refresh(table);
}

void columns_earlier(struct app *app, struct span argument)
{
    (void)argument;
    shift(app, -1);
}

void columns_later(struct app *app, struct span argument)
{
    (void)argument;
    shift(app, 1);
}

static void widen(struct app *app, int by)
{
    struct table_column *entry = entry_of(app);
    if (entry == NULL)
        return;
    int width = table_columns_width(app, entry) + by;
    entry->width = (uint8_t)(width < 4 ? 4 : width > 200 ? 200 : width);
}

void columns_wider(struct app *app, struct span argument)
{
    (void)argument;
    widen(app, 1);
}

void columns_narrower(struct app *app, struct span argument)
{
    (void)argument;
    widen(app, -1);
}

void columns_reset(struct app *app, struct span argument)
{
    (void)argument;
    struct table_view *table = table_view_of(app);
    if (table == NULL)
        return;
    table_columns_init(table);
    table_columns_refresh(table);
    app_say(app, "columns as at the start");
}
