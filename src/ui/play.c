/* `--play`: the explorer without a terminal. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "keyavg/explorer.h"
#include "keyavg/many.h"
#include "keyavg/output.h"
#include "startup.h"
#include "table_view.h"

static void to_standard_error(struct app *app, struct span text)
{
    (void)app;
    fprintf(stderr, "clipboard: %zu bytes\n", text.length);
    fwrite(text.bytes, 1, text.length, stderr);
    if (text.length > 0 && text.bytes[text.length - 1] != '\n')
        fputc('\n', stderr);
}

/* Reads what the app is of, and shows it. */
static bool read_traces(struct app *app, bool sort_given, struct error *error)
{
    struct trace_options reading[COMPARE_SIDES] = {{.keep_text = true}, {.keep_text = true}};
    const char *const paths[COMPARE_SIDES] = {app->path, app->two.path};
    struct trace *traces[COMPARE_SIDES];
    if (app->two.on) {
        struct compare_query query = app_compare_query(app);
        if (!compare_load(paths, reading, true, traces, error))
            return false;
        app_set_compare(app, app_build_compare(traces, &query));
        return true;
    }
    struct trace *trace = trace_load(app->path, &reading[0], error);
    if (trace != NULL)
        app_set_table(app, app_build_table(trace, &app->query, sort_given));
    return trace != NULL;
}

static void read_again(struct app *app)
{
    struct error error = {0};
    bool good = read_traces(app, true, &error);
    if (!good)
        app_complain(app, "%s", error.text);
    if (app->many != NULL)
        (good ? many_arrived : many_failed)(app);
}

static int complain(const struct error *error)
{
    fprintf(stderr, "keyavg: %s\n", error->text);
    return error->code != ERROR_NONE ? (int)error->code : ERROR_IO;
}

/* The screen; with roles, each line is followed by the letters of its cells. */
static int print(const struct grid *grid, bool roles_too)
{
    struct text screen = {0};
    struct output output;
    struct error error = {0};
    if (roles_too)
        grid_add_beside(grid, &screen);
    else
        grid_add_text(grid, &screen);
    output_to(&output, STDOUT_FILENO);
    struct sink sink = output_sink(&output);
    sink.write(sink.context, screen.bytes, screen.length);
    text_free(&screen);
    return output_commit(&output, &error) || output.failure == EPIPE ? 0 : complain(&error);
}

static bool play(struct app *app, const char *keys, struct error *error)
{
    struct span rest = span_of(keys);
    struct key key;
    int times;
    while (!app->quit && key_next(&rest, &key, &times, error)) {
        for (int i = 0; i < times && !app->quit; i++) {
            app_key(app, &key);
            if (!app->quit)
                app_draw(app);
        }
    }
    return error->code == ERROR_NONE;
}

int explorer_play(const struct options *options)
{
    struct error error = {0};
    struct app app;
    struct startup startup;
    struct many *many = options->mode == MODE_RANKS ? many_read(options, &error) : NULL;
    if (options->mode == MODE_RANKS && many == NULL)
        return complain(&error);
    startup_init(&startup, options, true);
    app_init(&app, options->trace, &options->query, options->screen_rows, options->screen_columns, startup.ascii);
    if (options->mode == MODE_COMPARE)
        startup_two(&startup, &app);
    bool reads = many == NULL || many_start(&app, many);
    app.outside = (struct app_outside){.clipboard = to_standard_error, .reload = read_again};
    startup_prepare(&startup, &app);
    bool good = !reads || read_traces(&app, app.sort_given, &error);
    if (good && reads) {
        app_tell_damage(&app);
        startup_finish(&startup, &app);
    }
    if (good) {
        if (many != NULL)
            many_show(&app);
        if (!app.message_is_error)
            changes_tell_notes(&app);
        app_draw(&app);
        good = play(&app, options->play, &error);
    }
    int code = good ? print(&app.grid, options->screen_roles) : complain(&error);
    app_free(&app);
    many_free(many);
    startup_free(&startup);
    return code;
}

int explorer_print_config(void)
{
    struct text page = {0};
    config_page_print(&page);
    fwrite(page.bytes, 1, page.length, stdout);
    text_free(&page);
    return fflush(stdout) == 0 ? 0 : ERROR_IO;
}
