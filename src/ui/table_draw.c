/* Drawing the table. */
#include <stdio.h>
#include <stdlib.h>

#include "keyavg/grouping.h"
#include "keyavg/remainder.h"
#include "rows.h"

enum {
    MARGIN = 2,      /* the mark and a space before Name */
    BAR_COLUMNS = 6, /* a space and five cells */
    SHARE_COLUMNS = 8, /* -100.00% */
    TIME_COLUMNS = 10, /* -999.999us */
    FACTOR_COLUMNS = 7, /* 100.00x, +12,345 */
    DETAIL_RIGHT = 120, /* from this width on the detail pane stands at the right */
};

/* Room for the title with the sort mark, and for the cells. */
static int width_of(const struct app *app, const struct table_column *entry, const struct column *column,
                    const struct text *title)
{
    int least = (int)utf8_width(text_span(title)) + 2, own = column->width;
    if (entry->width > 0)
        return entry->width;
    if (column->unit == UNIT_TEXT && column->width > 12 && own > app->grid.columns / 4)
        own = app->grid.columns / 4 > 16 ? app->grid.columns / 4 : 16;
    if (column->unit == UNIT_SHARE)
        own = app->looks.bars && column->of == NULL ? SHARE_COLUMNS + BAR_COLUMNS : SHARE_COLUMNS;
    if (column->unit == UNIT_TIME)
        own = TIME_COLUMNS + (column->of != NULL && app->query.unit != TIME_AUTO ? 4 : 0);
    if (column->of != NULL && (column->unit == UNIT_FACTOR || column->unit == UNIT_COUNT))
        own = FACTOR_COLUMNS;
    return own > least ? own : least;
}

int table_columns_width(const struct app *app, const struct table_column *entry)
{
    struct text title = {0};
    column_add_title(entry->column, app->table, &title);
    int width = width_of(app, entry, entry->column, &title);
    text_free(&title);
    return width;
}

/* Of a column as it stands among its facets. */
static int seen_width(const struct table_view *view, uint32_t seen)
{
    struct text title = {0};
    table_columns_add_title(view, seen, &title);
    int width = width_of(view->view.app, &view->columns.items[view->seen.items[seen].entry], view->seen.items[seen].column,
                         &title);
    text_free(&title);
    return width;
}

/* Name gets what the others leave, but never so little that it tells nothing. */
static int name_width(const struct table_view *view, int wide)
{
    int others = 0;
    bool keys = false;
    for (uint32_t i = 0; i < view->seen.count; i++) {
        others += 1 + seen_width(view, i);
        keys = keys || table_columns_is_key(&view->columns.items[view->seen.items[i].entry]);
    }
    int left = wide - MARGIN - others;
    int least = keys ? wide / 4 : wide * 9 / 25;
    least = least > 60 ? 60 : least;
    int width = left > least ? left : least;
    width = width > 100 ? 100 : width;
    return width < 8 ? 8 : width;
}

/* Parts of the key stay beside Name, as without them rows look alike; but they leave room for two columns. */
static void freeze(struct table_view *view, int wide)
{
    int at = MARGIN + view->name_width;
    view->frozen = 0;
    view->placed_count = 0;
    for (uint32_t i = 0; i < view->seen.count && view->placed_count < PLACED_MAX / 2; i++) {
        const struct table_column *entry = &view->columns.items[view->seen.items[i].entry];
        int width = seen_width(view, i);
        if (!table_columns_is_key(entry) || at + 1 + width > wide - 2 * (TIME_COLUMNS + 2))
            return;
        view->placed[view->placed_count++] = (struct placed_column){i, at + 1, width};
        view->frozen++;
        at += 1 + width;
    }
}

/* Places the columns from first_column on; the last that does not fit is left out, unless it is the only one. */
static void place(struct table_view *view, int wide)
{
    uint32_t count = (uint32_t)view->seen.count;
    view->name_width = name_width(view, wide);
    if (view->name_width > wide - MARGIN)
        view->name_width = wide - MARGIN > 0 ? wide - MARGIN : 0;
    if (view->column_cursor >= count)
        view->column_cursor = count > 0 ? count - 1 : 0;
    /* With another width the columns are scrolled anew, only as far as the cursor asks for. */
    if (view->wide != wide)
        view->first_column = 0;
    view->wide = wide;
    freeze(view, wide);
    if (view->column_cursor >= view->frozen && view->first_column > view->column_cursor)
        view->first_column = view->column_cursor;
    if (view->first_column < view->frozen)
        view->first_column = view->frozen;
    int frozen = view->placed_count;
    int begin = frozen > 0 ? view->placed[frozen - 1].at + view->placed[frozen - 1].width
                           : MARGIN + view->name_width;
    for (;;) {
        int at = begin;
        view->placed_count = frozen;
        for (uint32_t i = view->first_column; i < count && view->placed_count < PLACED_MAX; i++) {
            int width = seen_width(view, i);
            if (at + 1 + width > wide) {
                if (view->placed_count > frozen || wide - at - 1 < 4)
                    break;
                width = wide - at - 1;
            }
            view->placed[view->placed_count++] = (struct placed_column){i, at + 1, width};
            at += 1 + width;
        }
        uint32_t end = view->first_column + (uint32_t)(view->placed_count - frozen);
        view->more_left = view->first_column > view->frozen;
        view->more_right = end < count;
        if (view->column_cursor < end || view->first_column >= view->column_cursor)
            return;
        view->first_column++;
    }
}

static void draw_title(struct table_view *view, struct grid *grid, int row, const struct placed_column *placed)
{
    const struct query *query = &view->view.app->query;
    const struct column *column = view->seen.items[placed->seen].column;
    bool sorted = rows_sorted_by(view->view.app) == column;
    bool under = placed->seen == view->column_cursor;
    enum role role = under ? ROLE_HEADER_CURSOR : sorted ? ROLE_HEADER_SORTED : ROLE_HEADER;
    text_clear(&view->cell);
    table_columns_add_title(view, placed->seen, &view->cell);
    if (sorted)
        text_add_string(&view->cell, grid->ascii ? (query->ascending ? " ^" : " v")
                                                 : (query->ascending ? " \u25B2" : " \u25BC"));
    if (column_is_number(column))
        grid_right(grid, row, placed->at, placed->width, text_span(&view->cell), role);
    else
        grid_text(grid, row, placed->at, placed->width, text_span(&view->cell), UTF8_CUT_END, role);
}

static void draw_header(struct table_view *view, struct grid *grid, int row, int left, int wide)
{
    const struct app *app = view->view.app;
    const struct query *query = &app->query;
    grid_blank(grid, row, left, wide, ROLE_HEADER);
    const struct column *key = column_find(span_of("key"));
    bool sorted = query->sort == key;
    text_clear(&view->cell);
    if (query->grouping.parts & GROUP_NAME)
        text_add_string(&view->cell, "Name");
    else
        text_add_string(&view->cell, grouping_first(&query->grouping)->name);
    if (sorted)
        text_add_string(&view->cell, grid->ascii ? (query->ascending ? " ^" : " v")
                                                 : (query->ascending ? " \u25B2" : " \u25BC"));
    int room = view->name_width - 3;
    grid_text(grid, row, left + MARGIN, room, text_span(&view->cell), UTF8_CUT_END,
              sorted ? ROLE_HEADER_SORTED : ROLE_HEADER);
    for (int i = 0; i < view->placed_count; i++)
        draw_title(view, grid, row, &view->placed[i]);
    if (view->more_left)
        grid_point(grid, row, left + MARGIN + view->name_width - 2, 0x25C2, '<', ROLE_HEADER);
    if (view->more_right)
        grid_point(grid, row, left + MARGIN + view->name_width - 1, 0x25B8, '>', ROLE_HEADER);
}

static enum role kind_role(const struct table *table, uint32_t row)
{
    switch (event_kind(table->trace, table->averages->rows[row].first)) {
    case KIND_ANNOTATION: return ROLE_NAME_ANNOTATION;
    case KIND_PYTHON: return ROLE_NAME_PYTHON;
    case KIND_RUNTIME: return ROLE_NAME_RUNTIME;
    case KIND_KERNEL:
    case KIND_MEMCPY:
    case KIND_MEMSET:
    case KIND_DEVICE_ANNOTATION:
    case KIND_SYNC:
    case KIND_DEVICE_OTHER: return ROLE_NAME_DEVICE;
    default: return ROLE_NAME_OP;
    }
}

static enum role name_role(const struct app *app, uint32_t row)
{
    int side;
    uint32_t own = rows_of_table(app, row, &side);
    enum role usual = kind_role(rows_table(app, side), own);
    return app->compare != NULL ? changes_name_role(app, row, usual) : usual;
}

/* A row's stack in one line: the innermost frame and how many more there are. */
static void add_stack(const struct app *app, uint32_t row, struct text *out)
{
    struct span frame;
    uint32_t depth = rows_stack(app, row, &frame, 1);
    text_clear(out);
    if (depth == 0)
        return;
    if (depth > 1)
        text_addf(out, "+%u ", depth - 1);
    text_add_span(out, frame);
}

/* A cell at its place. `fixed` is the role of the whole row under the cursor, or -1. */
static void draw_cell(struct table_view *view, struct grid *grid, int screen_row, uint32_t row,
                      const struct placed_column *placed, int fixed)
{
    struct app *app = view->view.app;
    const struct column *column = view->seen.items[placed->seen].column;
    struct value value;
    rows_value(app, row, column, &value, &view->scratch);
    text_clear(&view->cell);
    column_add_text(column, &value, app->query.unit, &view->cell);
    bool unknown = value.kind == VALUE_UNKNOWN;
    double share = 0;
    bool has_share = !unknown && rows_share(app, row, column, &share);
    enum role role = unknown ? ROLE_UNKNOWN : has_share ? role_of_share(share)
                     : column_is_number(column)         ? ROLE_NUMBER
                                                        : ROLE_TEXT;
    if (app->compare != NULL && !unknown)
        changes_cell_role(app, row, column, &value, &role);
    if (fixed >= 0)
        role = placed->seen == view->column_cursor ? ROLE_CURSOR_COLUMN : (enum role)fixed;
    int width = placed->width;
    if (column->unit == UNIT_SHARE && app->looks.bars && column->of == NULL && width > BAR_COLUMNS) {
        width -= BAR_COLUMNS;
        if (has_share)
            grid_bar(grid, screen_row, placed->at + width + 1, BAR_COLUMNS - 1, share,
                     fixed >= 0 ? (enum role)fixed : ROLE_BAR);
    }
    if (strcmp(column->name, "stack") == 0 && !unknown) {
        add_stack(app, row, &view->cell);
        grid_text(grid, screen_row, placed->at, width, text_span(&view->cell), UTF8_CUT_MIDDLE, role);
    } else if (column_is_number(column) || unknown) {
        grid_right(grid, screen_row, placed->at, width, text_span(&view->cell), role);
    } else {
        grid_text(grid, screen_row, placed->at, width, text_span(&view->cell), UTF8_CUT_MIDDLE, role);
    }
}

/* Marks where a search word stands in a name that is drawn whole. */
static void draw_match(const struct table_view *view, struct grid *grid, int row, int at, struct span name)
{
    struct span word = text_span(&view->search);
    size_t place = word.length > 0 && utf8_width(name) <= (size_t)view->name_width ? search_find(name, word) : SIZE_MAX;
    if (place != SIZE_MAX)
        grid_role(grid, row, at + (int)utf8_width((struct span){name.bytes, place}), (int)utf8_width(word), ROLE_MATCH);
}

/* A name of blanks alone is shown between quotes. */
static void quote_blank(struct text *name)
{
    for (size_t i = 0; i < name->length; i++)
        if (name->bytes[i] != ' ')
            return;
    size_t blanks = name->length;
    text_clear(name);
    text_add_char(name, '"');
    text_add_repeat(name, ' ', blanks);
    text_add_char(name, '"');
}

static void draw_row(struct table_view *view, struct grid *grid, int screen_row, uint32_t index, int left, int wide)
{
    struct app *app = view->view.app;
    uint32_t row = rows_at(app, index);
    bool cursor = index == view->view.list.cursor;
    bool marked = rows_marked(view, row);
    int fixed = cursor ? (int)(marked ? ROLE_MARKED_CURSOR : ROLE_CURSOR) : marked ? (int)ROLE_MARKED : -1;
    grid_blank(grid, screen_row, left, wide, fixed >= 0 ? (enum role)fixed : ROLE_TEXT);
    if (marked)
        grid_point(grid, screen_row, left, '*', '*', (enum role)fixed);
    char change = app->compare != NULL ? changes_mark(app, row) : '\0';
    if (change != '\0')
        grid_point(grid, screen_row, left + 1, (uint32_t)change, change,
                   fixed >= 0 ? (enum role)fixed : changes_name_role(app, row, ROLE_DIM));
    text_clear(&view->cell);
    rows_add_label(app, row, &view->cell);
    quote_blank(&view->cell);
    grid_text(grid, screen_row, left + MARGIN, view->name_width, text_span(&view->cell), UTF8_CUT_MIDDLE,
              fixed >= 0 ? (enum role)fixed : name_role(app, row));
    draw_match(view, grid, screen_row, left + MARGIN, text_span(&view->cell));
    for (int i = 0; i < view->placed_count; i++)
        draw_cell(view, grid, screen_row, row, &view->placed[i], cursor ? fixed : -1);
}

/* Whether a row below the last tells what the others leave out. */
static bool has_foot(const struct app *app)
{
    return app->compare != NULL ? rows_hidden(app) > 0 : table_has_remainder(app->table);
}

/* What `L` hides of two traces. */
static void draw_hidden(struct table_view *view, struct grid *grid, int row, int left)
{
    char line[96];
    uint32_t hidden = rows_hidden(view->view.app);
    snprintf(line, sizeof line, "%u row%s hidden below %g %%", hidden, hidden == 1 ? "" : "s",
             view->view.app->query.hide_below);
    grid_text(grid, row, left + MARGIN, view->name_width + 8, span_of(line), UTF8_CUT_END, ROLE_FOOTER);
}

/* Rows that are left out for whatever reason, with what they add to each column. */
static void draw_remainder(struct table_view *view, struct grid *grid, int row, int left)
{
    struct app *app = view->view.app;
    text_clear(&view->cell);
    table_add_remainder_label(app->table, &view->cell);
    grid_text(grid, row, left + MARGIN, view->name_width, text_span(&view->cell), UTF8_CUT_END, ROLE_FOOTER);
    table_sums_make_remainder(view);
    for (int i = 0; i < view->placed_count; i++) {
        const struct placed_column *placed = &view->placed[i];
        const struct column *column = view->seen.items[placed->seen].column;
        bool bar = column->unit == UNIT_SHARE && app->looks.bars && placed->width > BAR_COLUMNS;
        if (!column->summable)
            continue;
        text_clear(&view->cell);
        column_add_text(column, &view->remainder.items[view->seen.items[placed->seen].entry], app->query.unit,
                        &view->cell);
        grid_right(grid, row, placed->at, placed->width - (bar ? BAR_COLUMNS : 0), text_span(&view->cell), ROLE_FOOTER);
    }
}

static void draw_table(struct table_view *view, struct grid *grid, struct area area)
{
    struct app *app = view->view.app;
    struct list *list = &view->view.list;
    view->header_row = -1;
    if (area.rows >= 3) {
        crumbs_draw(app, grid, area.row);
        area.row++;
        area.rows--;
    }
    place(view, area.columns);
    if (area.rows >= 2) {
        view->header_row = area.row;
        draw_header(view, grid, area.row, area.column, area.columns);
        area.row++;
        area.rows--;
    }
    bool foot = has_foot(app);
    if (foot && area.rows >= 3)
        area.rows--;
    view->first_row = area.row;
    list->height = area.rows;
    list->count = rows_count(app);
    list_fit(list);
    for (int i = 0; i < area.rows && list->top + (uint32_t)i < list->count; i++)
        draw_row(view, grid, area.row + i, list->top + (uint32_t)i, area.column, area.columns);
    if (foot && area.rows >= 2) {
        uint32_t left = list->count - list->top;
        int below = left < (uint32_t)area.rows ? (int)left : area.rows;
        (app->compare != NULL ? draw_hidden : draw_remainder)(view, grid, area.row + below, area.column);
    }
}

void table_view_draw(struct view *base, struct grid *grid, struct area area)
{
    struct table_view *view = (struct table_view *)(void *)base;
    if (view->detail && area.columns >= DETAIL_RIGHT && area.rows >= 6) {
        int pane = area.columns * 2 / 5;
        struct area right = {area.row + 1, area.column + area.columns - pane, area.rows - 1, pane};
        for (int i = 0; i < right.rows; i++)
            grid_point(grid, right.row + i, right.column, 0x2502, '|', ROLE_PANE_BORDER);
        right.column += 2;
        right.columns -= 2;
        area.columns -= pane;
        draw_table(view, grid, area);
        table_detail_draw(view, grid, right);
    } else if (view->detail && area.rows >= 10) {
        int pane = area.rows * 2 / 5;
        struct area bottom = {area.row + area.rows - pane, area.column, pane, area.columns};
        grid_line(grid, bottom.row, area.column, area.columns, ROLE_PANE_BORDER);
        bottom.row++;
        bottom.rows--;
        bottom.column += MARGIN;
        bottom.columns -= MARGIN;
        area.rows -= pane;
        draw_table(view, grid, area);
        table_detail_draw(view, grid, bottom);
    } else {
        draw_table(view, grid, area);
        /* Where there is no room for both, the pane covers the rows. */
        if (view->detail && area.rows >= 3) {
            struct area over = {area.row + 1, area.column, area.rows - 1, area.columns};
            for (int i = 0; i < over.rows; i++)
                grid_blank(grid, over.row + i, over.column, over.columns, ROLE_TEXT);
            table_detail_draw(view, grid, over);
        }
    }
}
