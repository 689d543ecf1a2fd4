/* The explorer's state and what keys do to it. */
#include "keyavg/app.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "keyavg/many.h"
#include "keyavg/memory.h"
#include "keyavg/nearest.h"
#include "keyavg/work.h"
#include "rooms.h"

void app_init(struct app *app, const char *path, const struct query *query, int rows, int width, bool ascii)
{
    *app = (struct app){.path = path, .query = *query, .cursor_row = -1, .bar_row = -1};
    app->filter = filter_copy(query->filter);
    app->query.filter = app->filter;
    app->looks = (struct looks){.bars = true, .mouse = true, .ascii = ascii};
    grid_init(&app->grid, rows, width, ascii);
    bindings_init(&app->bindings);
    loading_open(app);
}

void app_free(struct app *app)
{
    work_end(app);
    while (app->top != NULL)
        view_pop(app);
    app_free_two(app);
    table_free(app->table);
    if (app->trace != NULL)
        trace_free(app->trace);
    bindings_free(&app->bindings);
    prompt_free(&app->prompt);
    text_free(&app->message);
    text_free(&app->status);
    grid_free(&app->grid);
    text_free(&app->filter_before);
    filter_free(app->filter);
    for (size_t i = 0; i < app->old_filters.count; i++)
        filter_free(app->old_filters.items[i]);
    array_free(&app->old_filters);
    array_free(&app->kept_keys);
    free(app->looks.theme);
    free(app->export_path);
    free(app->theme_before);
    free(app->verdict);
    *app = (struct app){0};
}

__attribute__((format(printf, 3, 0))) static void set_message(struct app *app, bool error, const char *format,
                                                                va_list arguments)
{
    char line[1024];
    vsnprintf(line, sizeof line, format, arguments);
    text_clear(&app->message);
    text_add_string(&app->message, line);
    app->message_is_error = error;
}

void app_say(struct app *app, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    set_message(app, false, format, arguments);
    va_end(arguments);
}

void app_complain(struct app *app, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    set_message(app, true, format, arguments);
    va_end(arguments);
}

void app_update(struct app *app)
{
    many_update(app);
    if (app->table == NULL)
        return;
    struct compare_query query = app_compare_query(app);
    uint64_t work = app->patience == 0 || app->work != NULL ? 0
                    : app->compare != NULL                  ? compare_update_work(app->compare, &query)
                                                            : table_update_work(app->table, &app->query);
    if (app->work != NULL || work > app->patience) {
        app->update_waits = true;
        return;
    }
    app->update_waits = false;
    if (app->compare != NULL) {
        compare_update(app->compare, &query, NULL);
        app_side_filters_shown(app);
    } else {
        table_update(app->table, &app->query);
    }
    app_tell_views(app);
}

void app_tell_views(struct app *app)
{
    if (app->many != NULL)
        many_forget_rows(app->many);
    for (struct view *view = app->top; view != NULL; view = view->below)
        if (view->ops->changed != NULL)
            view->ops->changed(view);
}

void app_run(struct app *app, const struct action *action, struct span argument)
{
    if (!(action->contexts & view_context(app->top))) {
        app_complain(app, "%s does nothing in this view", action->name);
        return;
    }
    action->run(app, argument);
}

static void unknown_key(struct app *app)
{
    struct text name = {0};
    key_add_name(app->key.code, &name);
    struct text help = {0};
    const struct action *action = action_find(span_of("help"));
    if (action != NULL)
        bindings_add_keys(&app->bindings, action, &help);
    app_complain(app, "%s means nothing here; help: %s", name.length > 0 ? name.bytes : "?",
                 help.length > 0 ? help.bytes : ":help");
    text_free(&name);
    text_free(&help);
}

void app_key(struct app *app, const struct key *key)
{
    app->key = *key;
    switch (key->code) {
    case KEYCODE_RESIZE: grid_resize(&app->grid, key->row, key->column); return;
    case KEYCODE_HANGUP:
        app->exit_code = 1;
        app->quit = true;
        return;
    case KEYCODE_TERMINATE:
        app->exit_code = 128 + key->row;
        app->quit = true;
        return;
    case KEYCODE_PROGRESS:
    case KEYCODE_NONE: return;
    default: break;
    }
    text_clear(&app->message);
    app->message_is_error = false;
    if (work_takes_key(app, key))
        return;
    if (app->prompt.kind != NULL) {
        prompt_key(app, key);
        return;
    }
    const struct action *action = bindings_find(&app->bindings, key->code, view_context(app->top));
    if (action == NULL)
        unknown_key(app);
    else
        app_run(app, action, (struct span){"", 0});
}

/* -- The `:` prompt ---------------------------------------------------------------------------- */

static const struct {
    const char *name, *action;
} aliases[] = {{"w", "export"}, {"q", "quit"}, {"h", "help"}, {"se", "set"}};

/* By name, by alias, or by the only name that begins so. */
static const struct action *find_command(struct span name)
{
    const struct action *found = action_find(name);
    if (found != NULL)
        return found;
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
        if (span_is(name, aliases[i].name))
            return action_find(span_of(aliases[i].action));
    for (unsigned i = 0; i < action_count; i++) {
        if (strncmp(actions[i].name, name.bytes, name.length) != 0)
            continue;
        if (found != NULL)
            return NULL;
        found = &actions[i];
    }
    return found;
}

void app_command(struct app *app, struct span line)
{
    while (line.length > 0 && *line.bytes == ' ') {
        line.bytes++;
        line.length--;
    }
    while (line.length > 0 && line.bytes[line.length - 1] == ' ')
        line.length--;
    if (line.length == 0)
        return;
    size_t length = 0;
    while (length < line.length && line.bytes[length] != ' ')
        length++;
    struct span name = {line.bytes, length};
    const struct action *action = find_command(name);
    while (length < line.length && line.bytes[length] == ' ')
        length++;
    struct span argument = {line.bytes + length, line.length - length};
    if (action != NULL) {
        app_run(app, action, argument);
        return;
    }
    struct nearest nearest;
    nearest_init(&nearest, name);
    for (unsigned i = 0; i < action_count; i++)
        nearest_offer(&nearest, actions[i].name);
    if (nearest.name != NULL)
        app_complain(app, "no command '%.*s'; did you mean %s?", (int)name.length, name.bytes, nearest.name);
    else
        app_complain(app, "no command '%.*s'", (int)name.length, name.bytes);
}

/* -- Drawing ------------------------------------------------------------------------------------ */

static void draw_prompt(struct app *app, int row)
{
    struct grid *grid = &app->grid;
    struct prompt *prompt = &app->prompt;
    int at = grid_string(grid, row, 0, prompt->kind->label, ROLE_PROMPT);
    struct span text = text_span(&prompt->text);
    int room = grid->columns - at - 1;
    size_t left = utf8_width((struct span){text.bytes, prompt->cursor});
    /* A long text is shown around its cursor. */
    size_t skipped = 0;
    while (room > 0 && left > (size_t)room && skipped < prompt->cursor) {
        uint32_t point;
        skipped += utf8_decode(text.bytes + skipped, text.length - skipped, &point);
        left -= (size_t)utf8_point_width(point);
    }
    struct span seen = {text.bytes + skipped, text.length - skipped};
    int used = text.length > 0 ? grid_text(grid, row, at, room, seen, UTF8_CUT_END, ROLE_PROMPT) : 0;
    if (prompt->problem.length > 0) {
        int problem_at = at + used + 2;
        grid_text(grid, row, problem_at, grid->columns - problem_at, text_span(&prompt->problem), UTF8_CUT_END,
                  ROLE_PROMPT_ERROR);
    }
    app->cursor_row = row;
    app->cursor_column = at + (int)left;
}

static void draw_candidates(struct app *app, int row)
{
    struct grid *grid = &app->grid;
    const struct candidates *candidates = &app->prompt.candidates;
    grid_blank(grid, row, 0, grid->columns, ROLE_PROMPT_HINT);
    /* From the chosen one on where not all fit. */
    size_t first = app->prompt.candidate < candidates->words.count ? app->prompt.candidate / 5 * 5 : 0;
    int at = 1;
    for (size_t i = first; i < candidates->words.count && at < grid->columns; i++) {
        enum role role = i == app->prompt.candidate ? ROLE_MENU_SELECTED : ROLE_PROMPT_HINT;
        at += grid_string(grid, row, at, candidates->words.items[i], role) + 2;
    }
}

static void draw_status(struct app *app, int row)
{
    struct grid *grid = &app->grid;
    grid_blank(grid, row, 0, grid->columns, ROLE_TEXT);
    if (app->prompt.kind != NULL) {
        draw_prompt(app, row);
        return;
    }
    enum role role = ROLE_STATUS;
    text_clear(&app->status);
    if (app->work != NULL && !app->message_is_error) {
        role = ROLE_PROGRESS;
        work_add_line(app, &app->status);
    } else if (app->many != NULL && app->many->work != NULL && !app->message_is_error) {
        role = ROLE_PROGRESS;
        many_add_work_line(app, &app->status);
    } else if (app->message.length > 0) {
        role = app->message_is_error ? ROLE_STATUS_ERROR : ROLE_STATUS;
        text_add_span(&app->status, text_span(&app->message));
    } else {
        for (struct view *view = app->top; view != NULL && app->status.length == 0; view = view->below)
            if (view->ops->status != NULL)
                view->ops->status(view, &app->status);
    }
    grid_text(grid, row, 1, grid->columns - 1, text_span(&app->status), UTF8_CUT_END, role);
}

/* What F1 to F10 do now. Where not all fit, the least wanted are left out; a blank stands between any two. */
static void draw_bar(struct app *app, int row)
{
    enum { KEYS = 10, WIDEST_GAP = 6 };
    static const uint8_t least_wanted[] = {2, 9, 8, 5, 7, 6, 4, 3, 10};
    struct grid *grid = &app->grid;
    const struct action *shown[KEYS + 1] = {0};
    int count = 0, width = 0;
    app->bar_row = row;
    grid_blank(grid, row, 0, grid->columns, ROLE_TEXT);
    for (int i = 1; i <= KEYS; i++) {
        const struct action *action =
            bindings_find(&app->bindings, (uint32_t)(KEYCODE_F0 + i), view_context(app->top));
        app->bar_starts[i] = INT_MAX;
        if (action == NULL || action->label == NULL)
            continue;
        shown[i] = action;
        width += (int)strlen(action->label) + (i < 10 ? 2 : 3) + 1;
        count++;
    }
    for (size_t i = 0; i < sizeof least_wanted && width - 1 > grid->columns; i++) {
        int key = least_wanted[i];
        if (shown[key] == NULL)
            continue;
        width -= (int)strlen(shown[key]->label) + (key < 10 ? 2 : 3) + 1;
        shown[key] = NULL;
        count--;
    }
    int gap = 1 + (count > 1 ? (grid->columns - width + 1) / (count - 1) : 0), at = 0;
    gap = gap < 1 ? 1 : gap > WIDEST_GAP ? WIDEST_GAP : gap;
    for (int i = 1; i <= KEYS; i++) {
        if (shown[i] == NULL)
            continue;
        char name[16], label[32];
        bool on = shown[i]->on != NULL && shown[i]->on(app);
        snprintf(name, sizeof name, "F%d", i);
        snprintf(label, sizeof label, "%s", shown[i]->label);
        for (char *c = label; on && *c != 0; c++)
            *c = (char)(*c >= 'a' && *c <= 'z' ? *c - 32 : *c);
        app->bar_starts[i] = at;
        at += grid_string(grid, row, at, name, ROLE_FUNCTION_KEY);
        at += grid_string(grid, row, at, label, on ? ROLE_FUNCTION_ON : ROLE_FUNCTION_LABEL) + gap;
    }
}

/* The views from the lowest that is seen up. */
static void draw_views(struct view *view, struct grid *grid, struct area area)
{
    if (view->ops->overlay && view->below != NULL)
        draw_views(view->below, grid, area);
    view->ops->draw(view, grid, area);
}

void app_draw(struct app *app)
{
    struct grid *grid = &app->grid;
    /* While a table is being made the last one stays on the screen as it was drawn. */
    bool kept = app->work != NULL || app->update_waits;
    if (!kept)
        grid_clear(grid);
    app->cursor_row = -1;
    app->bar_row = -1;
    struct area area = {0, 0, grid->rows, grid->columns};
    int status_row = -1;
    if (grid->rows >= 12) {
        area.rows--;
        draw_bar(app, grid->rows - 1);
        if (app->prompt.kind != NULL && app->prompt.candidates.words.count > 0)
            draw_candidates(app, grid->rows - 1);
    }
    if (grid->rows >= 3)
        status_row = --area.rows;
    if (grid->rows >= 5) {
        area.rows--;
        area.row++;
        if (!kept)
            title_draw(app, grid, 0);
    }
    if (area.rows > 0 && !kept)
        draw_views(app->top, grid, area);
    /* After the views, which may leave something to it. */
    if (status_row >= 0)
        draw_status(app, status_row);
    /* Without a status line a prompt still has to be seen. */
    if (grid->rows < 3 && grid->rows > 0 && app->prompt.kind != NULL) {
        grid_blank(grid, grid->rows - 1, 0, grid->columns, ROLE_PROMPT);
        draw_prompt(app, grid->rows - 1);
    }
}
