/* Drawing drills: columns, rows, the strip over calls. */
#include <stdlib.h>

#include "drill_view.h"

enum {
    MARGIN = 2,      /* the mark and a space */
    BAR_COLUMNS = 6, /* a space and five cells */
    SHARE_COLUMNS = 8,
    TIME_COLUMNS = 10,
    WIDE = 120, /* from here on a level of a tree takes two columns */
    REST_LEAST = 12,
};

/* -- Columns ----------------------------------------------------------------------------------------------------- */

static bool is_key(const struct column *column)
{
    return strcmp(column->name, "key") == 0;
}

/* Part is told by the pane. */
static bool is_placed(const struct drill_view *view, const struct column *column)
{
    return !is_key(column) && !(view->drill->kind == DRILL_FOCUS && strcmp(column->name, "part") == 0);
}

static int column_width(const struct drill_view *view, const struct column *column)
{
    const struct app *app = view->view.app;
    struct text title = {0};
    column_add_title(column, app->table, &title);
    int width = (int)utf8_width(text_span(&title)) + (view->settings.sort == column ? 2 : 0), own = column->width;
    text_free(&title);
    if (page_is_one(view->drill) && strcmp(column->name, "advice") == 0)
        return own;
    if (column->unit == UNIT_TEXT && own > 12 && own > app->grid.columns / 4)
        own = app->grid.columns / 4 > 16 ? app->grid.columns / 4 : 16;
    if (column->unit == UNIT_SHARE)
        own = app->looks.bars ? SHARE_COLUMNS + BAR_COLUMNS : SHARE_COLUMNS;
    if (column->unit == UNIT_TIME)
        own = TIME_COLUMNS;
    if (column->unit == UNIT_COUNT && own > 7)
        own = 7;
    return own > width ? own : width;
}

/* The name has what the others leave, but never too little; what then has no room is scrolled to. */
static void set_name_width(struct drill_view *view, int wide)
{
    const struct drill *drill = view->drill;
    bool named = false;
    int others = 0;
    for (unsigned i = 0; i < drill->column_count; i++) {
        named = named || is_key(drill->columns[i]);
        others += is_placed(view, drill->columns[i]) ? 1 + column_width(view, drill->columns[i]) : 0;
    }
    /* Names of trees are moved in. */
    bool tree = drill->kind == DRILL_TREE || drill->kind == DRILL_MODULES, page = page_is_one(drill);
    int least = tree ? wide / 2 : page ? (wide >= 100 ? 40 : wide * 2 / 5) : wide * 9 / 25, width;
    least = least < 60 ? least : 60;
    width = wide - MARGIN - others;
    width = width < least || page ? least : width > 100 ? 100 : width;
    view->name_width = !named ? 0 : width > wide - MARGIN ? wide - MARGIN : width;
}

/* Pages end with sentences, which are cut. */
static bool takes_rest(const struct drill_view *view, uint32_t i)
{
    return page_is_one(view->drill) && strcmp(view->drill->columns[i]->name, "advice") == 0;
}

void drill_columns_place(struct drill_view *view, int wide)
{
    const struct drill *drill = view->drill;
    set_name_width(view, wide);
    if (view->column_cursor >= drill->column_count)
        view->column_cursor = drill->column_count > 0 ? drill->column_count - 1 : 0;
    if (view->first_column > view->column_cursor)
        view->first_column = view->column_cursor;
    for (;;) {
        int at = MARGIN + view->name_width - (view->name_width > 0 ? 0 : 1);
        uint32_t end = drill->column_count;
        bool any = false;
        view->placed_count = 0;
        view->more_left = false;
        for (uint32_t i = 0; i < view->first_column; i++)
            view->more_left = view->more_left || is_placed(view, drill->columns[i]);
        for (uint32_t i = view->first_column; i < drill->column_count && view->placed_count < PLACED_MAX; i++) {
            if (!is_placed(view, drill->columns[i]))
                continue;
            int width = column_width(view, drill->columns[i]);
            if (at + 1 + width > wide) {
                if ((any && !takes_rest(view, i)) || wide - at - 1 < (any ? REST_LEAST : 4)) {
                    end = i;
                    break;
                }
                width = wide - at - 1;
            }
            view->placed[view->placed_count++] = (struct placed_column){i, at + 1, width};
            any = true;
            at += 1 + width;
        }
        view->more_right = end < drill->column_count;
        if (view->column_cursor < end || view->first_column >= view->column_cursor)
            return;
        view->first_column++;
    }
}

static void add_sort_mark(const struct drill_view *view, const struct grid *grid, const struct column *column,
                          struct text *out)
{
    bool up = view->settings.ascending;
    if (view->settings.sort == column)
        text_add_string(out, grid->ascii ? (up ? " ^" : " v") : up ? " \u25B2" : " \u25BC");
}

void drill_draw_header(struct drill_view *view, struct grid *grid, int row, const char *name, int wide)
{
    const struct column *key = column_find(span_of("key"));
    grid_blank(grid, row, 0, wide, ROLE_HEADER);
    view->name_at = MARGIN;
    if (view->name_width > 0) {
        text_clear(&view->cell);
        text_add_string(&view->cell, name);
        add_sort_mark(view, grid, key, &view->cell);
        grid_text(grid, row, MARGIN, view->name_width - 3, text_span(&view->cell), UTF8_CUT_END,
                  view->settings.sort == key ? ROLE_HEADER_SORTED : ROLE_HEADER);
        if (view->more_left)
            grid_point(grid, row, MARGIN + view->name_width - 2, 0x25C2, '<', ROLE_HEADER);
        if (view->more_right)
            grid_point(grid, row, MARGIN + view->name_width - 1, 0x25B8, '>', ROLE_HEADER);
    }
    for (int i = 0; i < view->placed_count; i++) {
        const struct placed_column *placed = &view->placed[i];
        const struct column *column = view->drill->columns[placed->seen];
        enum role role = placed->seen == view->column_cursor      ? ROLE_HEADER_CURSOR
                         : view->settings.sort == column ? ROLE_HEADER_SORTED
                                                         : ROLE_HEADER;
        text_clear(&view->cell);
        column_add_title(column, view->view.app->table, &view->cell);
        add_sort_mark(view, grid, column, &view->cell);
        if (column_is_number(column))
            grid_right(grid, row, placed->at, placed->width, text_span(&view->cell), role);
        else
            grid_text(grid, row, placed->at, placed->width, text_span(&view->cell), UTF8_CUT_END, role);
    }
}

/* -- Rows -------------------------------------------------------------------------------------------------------- */

static enum role name_role(const struct drill *drill, uint32_t id)
{
    uint32_t event = drill_event(drill, id);
    if (page_is_one(drill))
        return ROLE_TEXT;
    if (event == NO_EVENT)
        return ROLE_DIM;
    switch (event_kind(drill->trace, event)) {
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

static void draw_cell(struct drill_view *view, struct grid *grid, int row, uint32_t id,
                      const struct placed_column *placed, int fixed)
{
    const struct app *app = view->view.app;
    const struct column *column = view->drill->columns[placed->seen];
    struct value value;
    drill_value(view->drill, id, column, &value, &view->scratch);
    text_clear(&view->cell);
    column_add_text(column, &value, app->query.unit, &view->cell);
    bool unknown = value.kind == VALUE_UNKNOWN;
    double share = 0;
    bool has_share = !unknown && drill_share(view->drill, id, column, &share);
    enum role role = unknown ? ROLE_UNKNOWN : has_share ? role_of_share(share)
                     : column_is_number(column)         ? ROLE_NUMBER
                                                        : ROLE_TEXT;
    if (strcmp(column->name, "state") == 0)
        role = page_state_role(text_span(&view->cell));
    if (fixed >= 0)
        role = placed->seen == view->column_cursor && !view->passive ? ROLE_CURSOR_COLUMN : (enum role)fixed;
    int width = placed->width;
    if (column->unit == UNIT_SHARE && app->looks.bars && width > BAR_COLUMNS) {
        width -= BAR_COLUMNS;
        if (has_share)
            grid_bar(grid, row, placed->at + width + 1, BAR_COLUMNS - 1, share < 1 ? share : 1,
                     fixed >= 0 ? (enum role)fixed : ROLE_BAR);
    }
    if (column_is_number(column) || unknown)
        grid_right(grid, row, placed->at, width, text_span(&view->cell), role);
    else
        grid_text(grid, row, placed->at, width, text_span(&view->cell), UTF8_CUT_MIDDLE, role);
}

/* The least depth on the screen: deep trees are drawn as if they began there. */
static uint32_t shallowest(const struct drill_view *view)
{
    const struct list *list = &view->view.list;
    uint32_t least = UINT32_MAX;
    for (uint32_t i = list->top; i < list->count && i < list->top + (uint32_t)list->height; i++)
        if (view->drill->rows.items[i].depth < least)
            least = view->drill->rows.items[i].depth;
    return least == UINT32_MAX ? 0 : least;
}

/* How far a row's name is moved in, and its fold sign. */
static int draw_indentation(const struct drill_view *view, struct grid *grid, int row, const struct drill_row *shown,
                            enum role role)
{
    if (view->drill->kind != DRILL_TREE && view->drill->kind != DRILL_MODULES)
        return 0;
    int step = grid->columns >= WIDE ? 2 : 1;
    int most = view->name_width / 2, in = (int)(shown->depth - shallowest(view)) * step;
    in = in > most ? most : in;
    if (shown->parent)
        grid_point(grid, row, MARGIN + in, shown->open ? 0x25BE : 0x25B8, shown->open ? '-' : '+', role);
    return in + 2;
}

static void draw_match(const struct drill_view *view, struct grid *grid, int row, int at, int room, struct span name)
{
    struct span word = text_span(&view->search);
    size_t place = word.length > 0 && utf8_width(name) <= (size_t)room ? search_find(name, word) : SIZE_MAX;
    if (place != SIZE_MAX)
        grid_role(grid, row, at + (int)utf8_width((struct span){name.bytes, place}), (int)utf8_width(word), ROLE_MATCH);
}

void drill_draw_row(struct drill_view *view, struct grid *grid, int screen_row, uint32_t index, int wide)
{
    const struct drill_row *row = &view->drill->rows.items[index];
    bool cursor = index == view->view.list.cursor, marked = drill_view_is_marked(view, row->id);
    int fixed = cursor ? (int)(marked ? ROLE_MARKED_CURSOR : ROLE_CURSOR) : marked ? (int)ROLE_MARKED : -1;
    if (cursor && view->passive)
        fixed = (int)ROLE_MARKED;
    grid_blank(grid, screen_row, 0, wide, fixed >= 0 ? (enum role)fixed : ROLE_TEXT);
    if (marked)
        grid_point(grid, screen_row, 0, '*', '*', (enum role)fixed);
    if (view->name_width > 0) {
        int in = draw_indentation(view, grid, screen_row, row, fixed >= 0 ? (enum role)fixed : ROLE_TREE_LINE);
        text_clear(&view->cell);
        drill_add_label(view->drill, row->id, &view->cell);
        grid_text(grid, screen_row, MARGIN + in, view->name_width - in, text_span(&view->cell), UTF8_CUT_MIDDLE,
                  fixed >= 0 ? (enum role)fixed : name_role(view->drill, row->id));
        draw_match(view, grid, screen_row, MARGIN + in, view->name_width - in, text_span(&view->cell));
    }
    for (int i = 0; i < view->placed_count; i++)
        draw_cell(view, grid, screen_row, row->id, &view->placed[i], cursor ? fixed : -1);
}

/* -- Calls: duration over call number ---------------------------------------------------------------------------- */

static void draw_strip(struct drill_view *view, struct grid *grid, int row, int wide)
{
    uint32_t count = drill_calls_count(view->drill);
    unsigned cells = wide > MARGIN ? (unsigned)(wide - MARGIN) : 0;
    if (cells == 0 || count == 0)
        return;
    const int64_t *places;
    int64_t longest = 1;
    unsigned filled = drill_calls_strip(view->drill, cells, &places);
    for (unsigned i = 0; i < filled; i++)
        longest = places[i] > longest ? places[i] : longest;
    const struct drill_row *shown = drill_view_row(view);
    unsigned under = shown == NULL        ? cells
                     : count <= cells ? shown->id
                                      : (unsigned)((uint64_t)shown->id * cells / count);
    for (unsigned i = 0; i < filled; i++) {
        int eighths = (int)((double)places[i] / (double)longest * 8 + 0.5);
        eighths = eighths < 1 ? 1 : eighths > 8 ? 8 : eighths;
        static const char letters[] = "._-=+*%#";
        grid_point(grid, row, MARGIN + (int)i, 0x2580u + (uint32_t)eighths, letters[eighths - 1],
                   i == under ? ROLE_MATCH : ROLE_BAR);
    }
}

/* -- Event ------------------------------------------------------------------------------------------------------- */

static void draw_line(struct drill_view *view, struct grid *grid, int screen_row, uint32_t index, int wide)
{
    const struct drill_row *row = &view->drill->rows.items[index];
    bool cursor = index == view->view.list.cursor;
    bool link = drill_event_link(view->drill, row->id) != NO_EVENT;
    enum role role = cursor && !view->passive ? ROLE_CURSOR : link ? ROLE_HELP_KEY : ROLE_TEXT;
    int in = MARGIN + 2 * (int)(row->depth < 20 ? row->depth : 20);
    grid_blank(grid, screen_row, 0, wide, role);
    text_clear(&view->cell);
    drill_add_label(view->drill, row->id, &view->cell);
    grid_text(grid, screen_row, in, wide - in, text_span(&view->cell), UTF8_CUT_MIDDLE, role);
    draw_match(view, grid, screen_row, in, wide - in, text_span(&view->cell));
}

/* -- The view ---------------------------------------------------------------------------------------------------- */

/* What the view is, what it is about, and what filter and scope leave out. */
static void draw_title(struct drill_view *view, struct grid *grid, int row, int wide)
{
    const struct app *app = view->view.app;
    const char *kind = drill_kinds[view->drill->kind].name;
    int at = 1, right = wide;
    if (app->compare != NULL)
        at += grid_string(grid, row, at, view->side == COMPARE_BASE ? "base" : "new", ROLE_PANE_TITLE) + 2;
    grid_text(grid, row, at, wide - at, span_of(kind), UTF8_CUT_END, ROLE_CRUMB);
    at += 2 + (int)strlen(kind);
    text_clear(&view->cell);
    if (app->query.scope != SCOPE_ALL)
        text_addf(&view->cell, "  scope %s", scope_names[app->query.scope]);
    if (app->filter != NULL) {
        text_add_string(&view->cell, "  filter ");
        filter_add_text(app->filter, true, &view->cell);
    }
    if (view->filter != NULL) {
        text_add_string(&view->cell, "  rows ");
        filter_add_text(view->filter, true, &view->cell);
    }
    if (view->settings.fold_python)
        text_add_string(&view->cell, "  frames folded");
    int crumbs = (int)utf8_width(text_span(&view->cell));
    if (crumbs > 0) {
        crumbs = crumbs > wide / 3 ? wide / 3 : crumbs;
        right -= crumbs + 1;
        grid_text(grid, row, right, crumbs, text_span(&view->cell), UTF8_CUT_END, ROLE_CRUMB);
    }
    /* A long name is cut first, but something of it stays. */
    struct text facts = {0};
    drill_add_facts(view->drill, &facts);
    text_clear(&view->cell);
    drill_add_subject(view->drill, &view->cell);
    int room = right - at - (int)utf8_width(text_span(&facts)), least = (right - at) / 3;
    at += grid_text(grid, row, at, room > least ? room : least, text_span(&view->cell), UTF8_CUT_MIDDLE,
                    ROLE_PANE_TITLE);
    grid_text(grid, row, at, right - at, text_span(&facts), UTF8_CUT_END, ROLE_DIM);
    text_free(&facts);
}

static void draw_rows(struct drill_view *view, struct grid *grid, struct area area)
{
    struct list *list = &view->view.list;
    bool event = view->drill->kind == DRILL_EVENT;
    if (view->drill->kind == DRILL_CALLS && area.rows >= 6) {
        draw_strip(view, grid, area.row, area.columns);
        area.row++;
        area.rows--;
    }
    drill_columns_place(view, area.columns);
    view->header_row = -1;
    if (!event && area.rows >= 2) {
        view->header_row = area.row;
        drill_draw_header(view, grid, area.row, "Name", area.columns);
        area.row++;
        area.rows--;
    }
    int pane = page_pane_rows(view->drill, area.rows);
    if (page_is_one(view->drill))
        page_draw_pane(view, grid, (struct area){area.row + area.rows - pane, area.column, pane, area.columns});
    area.rows -= pane;
    view->first_rows[0] = area.row;
    view->heights[0] = area.rows;
    list->height = area.rows;
    list->count = (uint32_t)view->drill->rows.count;
    list_fit(list);
    for (int i = 0; i < area.rows && list->top + (uint32_t)i < list->count; i++) {
        if (event)
            draw_line(view, grid, area.row + i, list->top + (uint32_t)i, area.columns);
        else
            drill_draw_row(view, grid, area.row + i, list->top + (uint32_t)i, area.columns);
    }
}

void drill_view_draw(struct view *base, struct grid *grid, struct area area)
{
    struct drill_view *view = (struct drill_view *)(void *)base;
    if (area.rows >= 3) {
        draw_title(view, grid, area.row, area.columns);
        area.row++;
        area.rows--;
    }
    if (view->drill->kind == DRILL_FOCUS)
        drill_focus_draw(view, grid, area);
    else
        draw_rows(view, grid, area);
}
