/* What works on the rows of a drill as on those of the table: sorting, searching, filtering, marking. Each action
 * does its part here when the view on top is a drill. */
#include <stdlib.h>

#include "acts.h"
#include "drill_view.h"
#include "keyavg/filter.h"

/* An action of the table's that drills have as well. */
#define EITHER(name, call)                                                                                             \
    void act_any_##name(struct app *app, struct span argument)                                                         \
    {                                                                                                                  \
        struct drill_view *view = drill_view_of(app);                                                                  \
        if (view == NULL)                                                                                              \
            act_##name(app, argument);                                                                                 \
        else                                                                                                           \
            call;                                                                                                      \
    }

/* -- Columns and sorting ------------------------------------------------------------------------------------------- */

/* To the next column that stands on the screen: not Name, not what the panes tell. */
static void move_column(struct drill_view *view, int step)
{
    const struct drill *drill = view->drill;
    for (int64_t i = (int64_t)view->column_cursor + step; i >= 0 && i < drill->column_count; i += step) {
        const char *name = drill->columns[i]->name;
        if (strcmp(name, "key") == 0 || (drill->kind == DRILL_FOCUS && strcmp(name, "part") == 0))
            continue;
        view->column_cursor = (uint32_t)i;
        return;
    }
}

static const struct column *under_cursor(const struct drill_view *view)
{
    return view->column_cursor < view->drill->column_count ? view->drill->columns[view->column_cursor] : NULL;
}

static void sort_by(struct drill_view *view, const struct column *column, bool ascending)
{
    view->settings.sort = column;
    view->settings.ascending = ascending;
    drill_view_relist(view);
}

/* The same column again turns round; words begin with the first. */
static void sort_again(struct drill_view *view, const struct column *column)
{
    if (column != NULL)
        sort_by(view, column, column == view->settings.sort ? !view->settings.ascending : !column_is_number(column));
}

static void add_label(struct app *app, int entry, struct text *out)
{
    const struct drill_view *view = drill_view_of(app);
    if (entry == 0) {
        text_add_string(out, "the view's own order");
        return;
    }
    column_add_title(view->drill->known[entry - 1], app->table, out);
    text_addf(out, "  %s", view->drill->known[entry - 1]->name);
}

static void pick_sort(struct app *app, int entry)
{
    struct drill_view *view = drill_view_of(app);
    if (entry == 0)
        sort_by(view, NULL, false);
    else
        sort_again(view, view->drill->known[entry - 1]);
}

static void sort_named(struct app *app, struct drill_view *view, struct span name)
{
    static struct menu menu = {.title = "sort by", .add_label = add_label, .pick = pick_sort};
    const struct column *column = name.length > 0 ? column_find(name) : NULL;
    if (name.length == 0) {
        menu.count = (int)drill_columns_most(view->drill) + 1;
        menu_open(app, &menu, 0);
    } else if (column == NULL || !drill_has_column(view->drill, column)) {
        app_complain(app, "no column '%.*s' in this view", (int)name.length, name.bytes);
    } else {
        sort_again(view, column);
    }
}

static void sort_number(struct app *app, struct drill_view *view, struct span argument)
{
    uint32_t number = app->key.code >= '1' && app->key.code <= '9' ? app->key.code - '1' : 0;
    if (argument.length == 1 && argument.bytes[0] >= '1' && argument.bytes[0] <= '9')
        number = (uint32_t)(argument.bytes[0] - '1');
    if (number < view->drill->column_count)
        sort_again(view, view->drill->columns[number]);
    else
        app_complain(app, "there is no column %u", number + 1);
}

static void sort_beside(struct drill_view *view, int step)
{
    int count = (int)view->drill->column_count, now = -1;
    for (int i = 0; i < count; i++)
        if (view->drill->columns[i] == view->settings.sort)
            now = i;
    int next = now < 0 ? 0 : now + step;
    if (next < 0 || next >= count)
        return;
    view->column_cursor = (uint32_t)next;
    sort_by(view, view->drill->columns[next], !column_is_number(view->drill->columns[next]));
}

static void reverse(struct app *app, struct drill_view *view)
{
    if (view->settings.sort == NULL)
        app_complain(app, "the rows stand in the view's own order; sort them first");
    else
        sort_by(view, view->settings.sort, !view->settings.ascending);
}

EITHER(column_left, move_column(view, -1))
EITHER(column_right, move_column(view, 1))
EITHER(sort, sort_named(app, view, argument))
EITHER(sort_ascending, sort_by(view, under_cursor(view), true))
EITHER(sort_descending, sort_by(view, under_cursor(view), false))
EITHER(sort_by_number, sort_number(app, view, argument))
EITHER(sort_left, sort_beside(view, -1))
EITHER(sort_right, sort_beside(view, 1))
EITHER(sort_reverse, reverse(app, view))
EITHER(unsort, sort_by(view, NULL, false))

/* -- Which columns ------------------------------------------------------------------------------------------------- */

static bool is_shown(const struct drill_view *view, const struct column *column)
{
    for (unsigned i = 0; i < view->drill->column_count; i++)
        if (view->drill->columns[i] == column)
            return true;
    return false;
}

static bool column_on(const struct app *app, int entry)
{
    const struct drill_view *view = drill_view_of(app);
    return is_shown(view, view->drill->known[entry]);
}

static void column_label(struct app *app, int entry, struct text *out)
{
    add_label(app, entry + 1, out);
}

/* The shown columns with one more or less, in the kind's own order. */
static void switch_column(struct app *app, int entry)
{
    struct drill_view *view = drill_view_of(app);
    const struct drill *drill = view->drill;
    unsigned most = drill_columns_most(drill), count = 0;
    const struct column **chosen = memory_alloc((most + 1) * sizeof *chosen);
    for (unsigned i = 0; i < most; i++)
        if (is_shown(view, drill->known[i]) != ((int)i == entry))
            chosen[count++] = drill->known[i];
    free(view->chosen);
    view->chosen = chosen;
    view->settings.columns = chosen;
    view->settings.column_count = count;
    drill_view_relist(view);
}

static void columns_menu(struct app *app, struct drill_view *view)
{
    static struct menu menu = {.title = "columns", .add_label = column_label, .on = column_on, .pick = switch_column};
    menu.count = (int)drill_columns_most(view->drill);
    menu_open(app, &menu, 0);
}

void act_choose_columns(struct app *app, struct span argument)
{
    (void)argument;
    columns_menu(app, drill_view_of(app));
}

/* -- Search -------------------------------------------------------------------------------------------------------- */

static bool search_from(struct drill_view *view, uint32_t from, int step)
{
    uint32_t count = (uint32_t)view->drill->rows.count;
    for (uint32_t i = 0, at = count > 0 ? from % count : 0; i < count && view->search.length > 0; i++) {
        text_clear(&view->scratch);
        drill_add_label(view->drill, view->drill->rows.items[at].id, &view->scratch);
        if (search_find(text_span(&view->scratch), text_span(&view->search)) != SIZE_MAX) {
            drill_view_go(view, at);
            return true;
        }
        at = step > 0 ? (at + 1 == count ? 0 : at + 1) : at == 0 ? count - 1 : at - 1;
    }
    return false;
}

static void set_search(struct drill_view *view, struct span word)
{
    text_clear(&view->search);
    text_add_span(&view->search, word);
}

static void search_changed(struct app *app, struct span text)
{
    struct drill_view *view = drill_view_of(app);
    set_search(view, text);
    if (text.length == 0)
        drill_view_go(view, app->search_start);
    else if (!search_from(view, app->search_start, 1))
        text_add_string(&app->prompt.problem, "not found");
}

static void search_done(struct app *app, struct span text, bool accepted)
{
    struct drill_view *view = drill_view_of(app);
    set_search(view, accepted ? text : (struct span){"", 0});
    if (!accepted)
        drill_view_go(view, app->search_start);
    else if (text.length > 0 && !search_from(view, app->search_start, 1))
        app_complain(app, "'%.*s' is in no name", (int)text.length, text.bytes);
}

static const struct prompt_kind search_prompt = {
    .label = "/", .changed = search_changed, .done = search_done, .history = HISTORY_SEARCH};

static void search(struct app *app, struct span argument)
{
    app->search_start = app->top->list.cursor;
    if (argument.length > 0)
        search_done(app, argument, true);
    else
        prompt_open(app, &search_prompt, (struct span){"", 0});
}

static void search_again(struct app *app, struct drill_view *view, int step)
{
    uint32_t count = (uint32_t)view->drill->rows.count, cursor = view->view.list.cursor;
    if (view->search.length == 0)
        app_complain(app, "nothing was searched for yet");
    else if (!search_from(view, count == 0 ? 0 : step > 0 ? cursor + 1 : cursor + count - 1, step))
        app_complain(app, "'%s' is in no name", view->search.bytes);
}

EITHER(search, search(app, argument))
EITHER(search_next, search_again(app, view, 1))
EITHER(search_previous, search_again(app, view, -1))

/* -- Filter -------------------------------------------------------------------------------------------------------- */

static bool set_filter(struct drill_view *view, struct span text, struct error *error)
{
    struct filter *filter = filter_parse(text, error);
    if (filter == NULL)
        return false;
    const struct column *lacking = drill_filter_lacks(view->drill, filter);
    if (lacking != NULL) {
        filter_free(filter);
        return error_set(error, ERROR_USAGE, "this view has no column '%s'", lacking->name);
    }
    filter_free(view->filter);
    view->filter = text.length > 0 ? filter : NULL;
    if (text.length == 0)
        filter_free(filter);
    view->settings.filter = view->filter;
    drill_view_relist(view);
    return true;
}

static void filter_changed(struct app *app, struct span text)
{
    struct error error = {0};
    if (!set_filter(drill_view_of(app), text, &error))
        text_add_string(&app->prompt.problem, error.text);
}

static void filter_done(struct app *app, struct span text, bool accepted)
{
    struct error error = {0};
    if (!set_filter(drill_view_of(app), accepted ? text : text_span(&app->filter_before), &error))
        app_complain(app, "%s", error.text);
}

static const struct prompt_kind filter_prompt = {
    .label = "rows: ", .changed = filter_changed, .done = filter_done, .history = HISTORY_FILTER};

static void filter(struct app *app, struct drill_view *view, struct span argument)
{
    if (argument.length > 0) {
        filter_done(app, argument, true);
        return;
    }
    text_clear(&app->filter_before);
    if (view->filter != NULL)
        filter_add_text(view->filter, true, &app->filter_before);
    prompt_open(app, &filter_prompt, text_span(&app->filter_before));
}

EITHER(filter, filter(app, view, argument))

/* -- Marks --------------------------------------------------------------------------------------------------------- */

static void mark(struct drill_view *view)
{
    const struct drill_row *row = drill_view_row(view);
    if (row == NULL)
        return;
    size_t kept = 0;
    bool marked = drill_view_is_marked(view, row->id);
    for (size_t i = 0; i < view->marks.count; i++) {
        if (view->marks.items[i].id == row->id)
            drill_bookmark_free(&view->marks.items[i].row);
        else
            view->marks.items[kept++] = view->marks.items[i];
    }
    view->marks.count = kept;
    view->sums.known = false;
    if (!marked) {
        struct drill_mark mark = {.id = row->id};
        drill_bookmark_set(&mark.row, view->drill, row);
        array_push(&view->marks, mark);
    }
    list_move(&view->view.list, 1);
    drill_view_moved(&view->view);
}

EITHER(mark, mark(view))
EITHER(unmark, drill_view_unmark(view))
