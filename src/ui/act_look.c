/* How the rows are looked at: units, bars, shares, search, marks. */
#include <stdio.h>
#include <stdlib.h>

#include "acts.h"
#include "keyavg/theme.h"
#include "rows.h"

void act_column_left(struct app *app, struct span argument)
{
    (void)argument;
    struct table_view *view = table_view_of(app);
    if (view->column_cursor > 0)
        view->column_cursor--;
}

void act_column_right(struct app *app, struct span argument)
{
    (void)argument;
    struct table_view *view = table_view_of(app);
    if (view->column_cursor + 1 < view->seen.count)
        view->column_cursor++;
}

void act_percent_base(struct app *app, struct span argument)
{
    (void)argument;
    struct query *query = &app->query;
    query->percent_of = query->percent_of == PERCENT_OF_ALL ? PERCENT_OF_SHOWN : PERCENT_OF_ALL;
    app_update(app);
    app_say(app, query->percent_of == PERCENT_OF_ALL ? "100 %% is the sum over all rows of the file"
                                                     : "100 %% is the sum over the rows that filter and scope leave");
}

void act_unit(struct app *app, struct span argument)
{
    static const struct {
        const char *name;
        enum time_unit unit;
    } units[] = {{"auto", TIME_AUTO}, {"us", TIME_US}, {"ms", TIME_MS}, {"s", TIME_S}};
    int next = 0;
    for (int i = 0; i < 4; i++) {
        if (argument.length > 0 ? span_is(argument, units[i].name) : units[i].unit == app->query.unit) {
            next = argument.length > 0 ? i : (i + 1) % 4;
            break;
        }
        if (i == 3) {
            app_complain(app, "the unit is auto, us, ms or s");
            return;
        }
    }
    app->query.unit = units[next].unit;
    app_update(app);
    app_say(app, "times in %s", units[next].name);
}

void act_bars(struct app *app, struct span argument)
{
    (void)argument;
    app->looks.bars = !app->looks.bars;
}

void act_columns(struct app *app, struct span argument)
{
    struct error error;
    if (argument.length == 0)
        columns_view_open(app);
    else if (!table_columns_set(app, argument, false, &error))
        app_complain(app, "%s", error.text);
}

void act_detail(struct app *app, struct span argument)
{
    (void)argument;
    struct table_view *view = table_view_of(app);
    view->detail = !view->detail;
    view->detail_top = 0;
}

void act_detail_down(struct app *app, struct span argument)
{
    (void)argument;
    table_view_of(app)->detail_top++;
}

void act_detail_up(struct app *app, struct span argument)
{
    (void)argument;
    struct table_view *view = table_view_of(app);
    if (view->detail_top > 0)
        view->detail_top--;
}

/* -- Hide below ----------------------------------------------------------------------------------- */

static bool set_below(struct app *app, struct span text)
{
    char number[32];
    if (text.length >= sizeof number)
        return false;
    memcpy(number, text.bytes, text.length);
    number[text.length] = 0;
    char *end;
    double value = strtod(number, &end);
    while (*end == ' ' || *end == '%')
        end++;
    if (*end != 0 || !(value >= 0 && value <= 100))
        return false;
    app->query.hide_below = text.length == 0 ? 0 : value;
    app_update(app);
    return true;
}

static void below_done(struct app *app, struct span text, bool accepted)
{
    if (accepted && !set_below(app, text))
        app_complain(app, "a number of per cent from 0 to 100, 0 hides nothing");
}

static const struct prompt_kind below_prompt = {
    .label = "hide rows below % of the sort column: ", .done = below_done, .history = HISTORY_NONE};

void act_hide_below(struct app *app, struct span argument)
{
    if (argument.length > 0) {
        below_done(app, argument, true);
        return;
    }
    char now[32] = "";
    if (app->query.hide_below > 0)
        snprintf(now, sizeof now, "%g", app->query.hide_below);
    prompt_open(app, &below_prompt, span_of(now));
}

/* -- Search --------------------------------------------------------------------------------------- */

static char lower(char c)
{
    return (char)(c >= 'A' && c <= 'Z' ? c + 32 : c);
}

/* Smart case: capitals in the word mean themselves. */
static bool has_capital(struct span word)
{
    for (size_t i = 0; i < word.length; i++)
        if (word.bytes[i] >= 'A' && word.bytes[i] <= 'Z')
            return true;
    return false;
}

size_t search_find(struct span text, struct span word)
{
    bool exact = has_capital(word);
    for (size_t i = 0; i + word.length <= text.length; i++) {
        size_t same = 0;
        while (same < word.length && (exact ? text.bytes[i + same] == word.bytes[same]
                                            : lower(text.bytes[i + same]) == lower(word.bytes[same])))
            same++;
        if (same == word.length)
            return i;
    }
    return SIZE_MAX;
}

static bool row_matches(struct app *app, struct table_view *view, uint32_t index, struct span word)
{
    text_clear(&view->scratch);
    rows_add_label(app, rows_at(app, index), &view->scratch);
    return search_find(text_span(&view->scratch), word) != SIZE_MAX;
}

/* The next match from a row on, around the end; false when there is none. */
static bool search_from(struct app *app, struct table_view *view, uint32_t from, int step)
{
    uint32_t count = rows_count(app);
    struct span word = text_span(&view->search);
    if (word.length == 0 || count == 0)
        return false;
    for (uint32_t i = 0, at = from % count; i < count; i++) {
        if (row_matches(app, view, at, word)) {
            view->view.list.cursor = at;
            list_fit(&view->view.list);
            table_view_moved(&view->view);
            return true;
        }
        at = step > 0 ? (at + 1 == count ? 0 : at + 1) : at == 0 ? count - 1 : at - 1;
    }
    return false;
}

static void set_search(struct table_view *view, struct span word)
{
    text_clear(&view->search);
    text_add_span(&view->search, word);
}

static void search_changed(struct app *app, struct span text)
{
    struct table_view *view = table_view_of(app);
    set_search(view, text);
    if (text.length == 0)
        view->view.list.cursor = app->search_start;
    else if (!search_from(app, view, app->search_start, 1))
        text_add_string(&app->prompt.problem, "not found");
}

static void search_done(struct app *app, struct span text, bool accepted)
{
    struct table_view *view = table_view_of(app);
    if (!accepted) {
        text_clear(&view->search);
        view->view.list.cursor = app->search_start;
        list_fit(&view->view.list);
        table_view_moved(&view->view);
        return;
    }
    set_search(view, text);
    if (text.length > 0 && !search_from(app, view, app->search_start, 1))
        app_complain(app, "'%.*s' is in no name", (int)text.length, text.bytes);
}

static const struct prompt_kind search_prompt = {
    .label = "/", .changed = search_changed, .done = search_done, .history = HISTORY_SEARCH};

void act_search(struct app *app, struct span argument)
{
    app->search_start = app->top->list.cursor;
    if (argument.length > 0)
        search_done(app, argument, true);
    else
        prompt_open(app, &search_prompt, (struct span){"", 0});
}

static void search_again(struct app *app, int step)
{
    struct table_view *view = table_view_of(app);
    uint32_t count = rows_count(app), cursor = view->view.list.cursor;
    if (view->search.length == 0) {
        app_complain(app, "nothing was searched for yet");
        return;
    }
    uint32_t from = count == 0 ? 0 : step > 0 ? (cursor + 1) % count : (cursor + count - 1) % count;
    if (!search_from(app, view, from, step))
        app_complain(app, "'%s' is in no name", view->search.bytes);
    else if (step > 0 ? view->view.list.cursor <= cursor : view->view.list.cursor >= cursor)
        app_say(app, step > 0 ? "search went on at the first row" : "search went on at the last row");
}

void act_search_next(struct app *app, struct span argument)
{
    (void)argument;
    search_again(app, 1);
}

void act_search_previous(struct app *app, struct span argument)
{
    (void)argument;
    search_again(app, -1);
}

/* -- Marks ---------------------------------------------------------------------------------------- */

void act_mark(struct app *app, struct span argument)
{
    (void)argument;
    struct table_view *view = table_view_of(app);
    uint32_t row = table_view_row(view);
    if (row == UINT32_MAX)
        return;
    rows_mark(view, row, true);
    view->sums.known = false;
    list_move(&view->view.list, 1);
    table_view_moved(&view->view);
}

void act_mark_matches(struct app *app, struct span argument)
{
    struct table_view *view = table_view_of(app);
    uint32_t found = 0;
    for (uint32_t i = 0; i < rows_count(app) && argument.length > 0; i++) {
        if (!row_matches(app, view, i, argument))
            continue;
        rows_mark(view, rows_at(app, i), false);
        found++;
    }
    view->sums.known = false;
    app_say(app, "%u row%s marked", found, found == 1 ? "" : "s");
}

void act_unmark(struct app *app, struct span argument)
{
    (void)argument;
    rows_unmark_all(table_view_of(app));
    table_view_of(app)->sums.known = false;
}

/* -- Theme ---------------------------------------------------------------------------------------- */

static struct theme_names theme_list;

static void set_theme(struct app *app, const char *name)
{
    free(app->looks.theme);
    app->looks.theme = memory_copy_text(name, strlen(name));
    if (app->outside.theme != NULL)
        app->outside.theme(app);
}

static void theme_label(struct app *app, int entry, struct text *out)
{
    text_add_string(out, theme_list.items[entry]);
    if (app->theme_before != NULL && strcmp(app->theme_before, theme_list.items[entry]) == 0)
        text_add_string(out, " (now)");
}

static void theme_preview(struct app *app, int entry)
{
    if (entry >= 0)
        set_theme(app, theme_list.items[entry]);
    else if (app->theme_before != NULL)
        set_theme(app, app->theme_before);
}

static void theme_pick(struct app *app, int entry)
{
    set_theme(app, theme_list.items[entry]);
    app_say(app, "theme %s; :save keeps it", theme_list.items[entry]);
}

void act_theme(struct app *app, struct span argument)
{
    theme_names_free(&theme_list);
    theme_list = (struct theme_names){0};
    theme_names_list(&theme_list);
    if (argument.length > 0) {
        for (size_t i = 0; i < theme_list.count; i++) {
            if (span_is(argument, theme_list.items[i])) {
                theme_pick(app, (int)i);
                return;
            }
        }
        app_complain(app, "no theme '%.*s'; :theme alone lists them", (int)argument.length, argument.bytes);
        return;
    }
    static struct menu menu = {
        .title = "theme", .add_label = theme_label, .pick = theme_pick, .preview = theme_preview};
    menu.count = (int)theme_list.count;
    int now = 0;
    free(app->theme_before);
    const char *theme = app->looks.theme;
    app->theme_before = theme != NULL ? memory_copy_text(theme, strlen(theme)) : NULL;
    for (size_t i = 0; i < theme_list.count; i++)
        if (app->looks.theme != NULL && strcmp(theme_list.items[i], app->looks.theme) == 0)
            now = (int)i;
    menu_open(app, &menu, now);
}
