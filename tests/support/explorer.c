#include "explorer.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "keyavg/work.h"
#include "skip.h"

const char *support_sample(const char *name)
{
    static char path[4096];
    snprintf(path, sizeof path, "%s/%s", support_samples_dir(), name);
    return path;
}

bool support_explore(struct app *app, const char *path)
{
    struct error error = {0};
    struct trace_options options = {0};
    struct query query;
    struct trace *trace = trace_load(path, &options, &error);
    if (trace == NULL)
        return false;
    query_init(&query);
    app_init(app, path, &query, 24, 80, false);
    app_set_table(app, app_build_table(trace, &app->query, false));
    app_draw(app);
    return true;
}

void support_type(struct app *app, const char *keys)
{
    struct span rest = span_of(keys);
    struct key key;
    struct error error = {0};
    int times;
    while (key_next(&rest, &key, &times, &error)) {
        for (int i = 0; i < times; i++) {
            app_key(app, &key);
            app_draw(app);
        }
    }
    cr_assert_eq(error.code, ERROR_NONE, "%s", error.text);
}

int support_work(struct app *app)
{
    int times = 0;
    while (app->update_waits || app->work != NULL) {
        if (app->work == NULL)
            work_start(app, NULL);
        cr_assert(work_wait(app, -1));
        work_take(app);
        times++;
    }
    app_draw(app);
    return times;
}

void support_type_patiently(struct app *app, const char *keys)
{
    struct span rest = span_of(keys);
    struct key key;
    struct error error = {0};
    for (int times; key_next(&rest, &key, &times, &error);) {
        for (int i = 0; i < times; i++) {
            app_key(app, &key);
            app_draw(app);
            support_work(app);
        }
    }
}

void support_add_screen(const struct app *app, struct text *out)
{
    text_clear(out);
    grid_add_beside(&app->grid, out);
}

bool support_on_screen(const struct app *app, const char *text)
{
    struct text screen = {0};
    grid_add_text(&app->grid, &screen);
    bool found = screen.length > 0 && strstr(screen.bytes, text) != NULL;
    text_free(&screen);
    return found;
}

void support_type_beside(struct app *one, struct app *other, const char *const *keys, size_t count)
{
    struct text a = {0}, b = {0};
    for (size_t i = 0; i < count; i++) {
        support_type(one, keys[i]);
        support_type_patiently(other, keys[i]);
        support_add_screen(one, &a);
        support_add_screen(other, &b);
        cr_assert_str_eq(b.bytes, a.bytes, "after key %zu, %s:\n%s%s", i, keys[i], a.bytes, b.bytes);
    }
    text_free(&a);
    text_free(&b);
}
