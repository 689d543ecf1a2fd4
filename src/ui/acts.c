/* What actions do that work in every view. */
#include "acts.h"

static void move(struct app *app, int64_t rows)
{
    struct view *view = app->top;
    list_move(&view->list, rows);
    if (view->ops->moved != NULL)
        view->ops->moved(view);
}

static int64_t page(const struct app *app)
{
    return app->top->list.height > 1 ? app->top->list.height - 1 : 1;
}

/* By key one row; `:down 5` five. */
static int64_t times(struct span argument)
{
    int64_t value = 0;
    for (size_t i = 0; i < argument.length && value < 1000000000; i++) {
        if (argument.bytes[i] < '0' || argument.bytes[i] > '9')
            return 1;
        value = value * 10 + (argument.bytes[i] - '0');
    }
    return argument.length > 0 ? value : 1;
}

void act_down(struct app *app, struct span argument)
{
    move(app, times(argument));
}

void act_up(struct app *app, struct span argument)
{
    move(app, -times(argument));
}

void act_page_down(struct app *app, struct span argument)
{
    struct list *list = &app->top->list;
    uint32_t rows = (uint32_t)page(app);
    /* The screen turns as a page does: the cursor keeps its place on it. */
    list->top = list->count - list->top > rows ? list->top + rows : list->top;
    move(app, page(app) * times(argument));
}

void act_page_up(struct app *app, struct span argument)
{
    struct list *list = &app->top->list;
    uint32_t rows = (uint32_t)page(app);
    list->top = list->top > rows ? list->top - rows : 0;
    move(app, -page(app) * times(argument));
}

void act_half_down(struct app *app, struct span argument)
{
    move(app, (page(app) + 1) / 2 * times(argument));
}

void act_half_up(struct app *app, struct span argument)
{
    move(app, -(page(app) + 1) / 2 * times(argument));
}

void act_first(struct app *app, struct span argument)
{
    (void)argument;
    move(app, -(int64_t)app->top->list.count);
}

void act_last(struct app *app, struct span argument)
{
    (void)argument;
    move(app, app->top->list.count);
}

void act_wheel_down(struct app *app, struct span argument)
{
    move(app, 3 * times(argument));
}

void act_wheel_up(struct app *app, struct span argument)
{
    move(app, -3 * times(argument));
}

void act_click(struct app *app, struct span argument)
{
    (void)argument;
    int row = app->key.row, column = app->key.column;
    if (app->key.code != KEYCODE_CLICK)
        return;
    if (row == app->bar_row && app->bar_row >= 0) {
        for (int i = 10; i >= 1; i--) {
            if (column < app->bar_starts[i])
                continue;
            const struct action *action =
                bindings_find(&app->bindings, (uint32_t)(KEYCODE_F0 + i), view_context(app->top));
            if (action != NULL && action->label != NULL)
                app_run(app, action, (struct span){"", 0});
            return;
        }
        return;
    }
    if (app->top->ops->click != NULL)
        app->top->ops->click(app->top, row, column);
}

static void command_done(struct app *app, struct span text, bool accepted)
{
    if (accepted)
        app_command(app, text);
}

static const struct prompt_kind command_prompt = {
    .label = ":",
    .done = command_done,
    .complete = complete_command,
    .history = HISTORY_COMMAND,
};

void act_command(struct app *app, struct span argument)
{
    prompt_open(app, &command_prompt, argument);
}

void act_set(struct app *app, struct span argument)
{
    size_t length = 0;
    while (length < argument.length && argument.bytes[length] != ' ' && argument.bytes[length] != '=')
        length++;
    struct span name = {argument.bytes, length};
    if (name.length == 0) {
        app_complain(app, ":set NAME VALUE; Tab after `:set ` lists the names");
        return;
    }
    while (length < argument.length && (argument.bytes[length] == ' ' || argument.bytes[length] == '='))
        length++;
    struct span value = {argument.bytes + length, argument.length - length};
    const struct setting *setting = setting_find(name);
    struct error error = {0};
    if (setting != NULL && value.length == 0 && memchr(argument.bytes, '=', argument.length) == NULL) {
        struct text now = {0};
        setting->get(app, &now);
        app_say(app, "%s %s", setting->name, now.length > 0 ? now.bytes : "(nothing)");
        text_free(&now);
    } else if (!setting_set(app, name, value, &error)) {
        app_complain(app, "%s", error.text);
    }
}

void act_cli(struct app *app, struct span argument)
{
    (void)argument;
    struct text line = {0};
    bool exact = command_line_add(app, &line);
    if (app->outside.clipboard != NULL)
        app->outside.clipboard(app, text_span(&line));
    app_say(app, "%s%s", exact ? "" : "(of the whole row: no --focus names these calls) ", line.bytes);
    text_free(&line);
}

void act_help(struct app *app, struct span argument)
{
    (void)argument;
    help_open(app);
}

void act_mouse(struct app *app, struct span argument)
{
    (void)argument;
    app->looks.mouse = !app->looks.mouse;
    if (app->outside.mouse != NULL)
        app->outside.mouse(app, app->looks.mouse);
    app_say(app, app->looks.mouse ? "mouse on; with Shift the terminal still selects text"
                                  : "mouse off; the terminal selects text again");
}

void act_redraw(struct app *app, struct span argument)
{
    (void)argument;
    if (app->outside.redraw != NULL)
        app->outside.redraw(app);
}

void act_suspend(struct app *app, struct span argument)
{
    (void)argument;
    if (app->outside.suspend != NULL)
        app->outside.suspend(app);
}

void act_close(struct app *app, struct span argument)
{
    (void)argument;
    if (app->top->below != NULL)
        view_pop(app);
}

void act_back(struct app *app, struct span argument)
{
    if (app->top->below != NULL)
        view_pop(app);
    else
        act_quit(app, argument);
}

void act_escape(struct app *app, struct span argument)
{
    struct view *view = app->top;
    if (view->below != NULL && !view->ops->ground)
        view_pop(app);
    else if (app->reading)
        loading_stop(app, argument);
    else if (view->ops->escape != NULL)
        view->ops->escape(view);
}

void act_quit(struct app *app, struct span argument)
{
    (void)argument;
    app->quit = true;
}
