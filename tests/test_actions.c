/*
 * What the explorer's actions do to its state and screen, beyond the pictures of test_play.c.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "keyavg/options.h"
#include "support/explorer.h"
#include "support/skip.h"

static void open_small(struct app *app)
{
    cr_assert(support_explore(app, support_sample("gpu_small/trace.json")));
}

static const char *message(const struct app *app)
{
    return app->message.length > 0 ? app->message.bytes : "";
}

Test(actions, the_first_sort_is_by_device_time_else_by_cpu_time)
{
    struct app app;
    open_small(&app);
    cr_expect_str_eq(app.query.sort->name, "self_device_time_total");
    cr_expect_not(app.query.ascending);
    cr_expect_eq(app.query.grouping.python, PYTHON_IN_TREE);
    cr_expect_eq(app.table->count, app.table->averages->count);
    app_free(&app);
    cr_assert(support_explore(&app, support_sample("mlp_plain/trace.json.gz")));
    cr_expect_str_eq(app.query.sort->name, "self_cpu_time_total");
    app_free(&app);
}

/* The first view is what the command line asks for. */
Test(actions, options_set_the_first_view)
{
    static const char *const pairs[][8] = {
        {"--sort-by", "count", NULL, ":sort count<Enter>"},
        {"--group-by", "name,shape,stack=2", NULL, "S}}"},
        {"--filter", "conv !kind:kernel", NULL, "\\conv !kind:kernel<Enter>"},
        {"--scope", "backward", NULL, "ff"},
        {"--hide-below", "3", NULL, "L3<Enter>"},
        {"--percent-of", "shown", NULL, ":set percent-of shown<Enter>"},
        {"--time-unit", "ms", NULL, ":set time-unit ms<Enter>"},
        {"--columns", "count,flops", NULL, ":columns count,flops<Enter>"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct support_bytes one, other;
        const char *with[] = {support_keyavg(), "--play", "g<C-l>", support_sample("gpu_small/trace.json"), pairs[i][0],
                              pairs[i][1], NULL};
        char keys[128];
        snprintf(keys, sizeof keys, "%sg<C-l>", pairs[i][3]);
        const char *typed[] = {support_keyavg(), "--play", keys, support_sample("gpu_small/trace.json"), NULL};
        setenv("LC_ALL", "C.UTF-8", 1);
        cr_assert(support_run(with, &one, NULL, NULL));
        cr_assert(support_run(typed, &other, NULL, NULL));
        cr_assert_gt(one.length, 100);
        cr_assert_gt(other.length, 100);
        /* Where the columns are scrolled to is left out: the names and crumbs tell enough. */
        const char *a = one.bytes, *b = other.bytes;
        for (int line = 0; line < 22; line++) {
            cr_expect_eq(strncmp(a, b, line < 2 ? strcspn(a, "\n") : 18), 0, "%s, line %d: %.40s|%.40s", pairs[i][0],
                         line, a, b);
            a += strcspn(a, "\n") + 1;
            b += strcspn(b, "\n") + 1;
        }
        support_run_free(&one);
        support_run_free(&other);
    }
}

/* Every option that changes what is shown can be set, tells what it is, and takes it back. */
Test(actions, every_option_of_the_view_has_a_set)
{
    static const char *const values[][3] = {
        {"group-by", "name,shape,stack=2", "name"},
        {"sort-by", "count", "none"},
        {"ascending", "on", "off"},
        {"row-limit", "5", "-1"},
        {"filter", "conv", ""},
        {"scope", "backward", "all"},
        {"top-level-events-only", "on", "off"},
        {"hide-below", "2.5", "0"},
        {"percent-of", "shown", "all"},
        {"time-unit", "ms", "auto"},
        {"python", "rows", "tree"},
        {"full-list-shapes", "on", "off"},
        {"device-annotations", "off", "on"},
        {"columns", "key,count,flops", "default"},
        {"bars", "off", "on"},
        {"detail", "on", "off"},
        {"mouse", "off", "on"},
        {"theme", "light", "dark"},
    };
    enum { VALUES = sizeof values / sizeof *values };
    struct app app;
    open_small(&app);
    for (int i = 0; i < VALUES; i++) {
        for (int j = 1; j < 3; j++) {
            char keys[128], wanted[128];
            snprintf(keys, sizeof keys, ":set %s=%s<Enter>", values[i][0], values[i][j]);
            support_type(&app, keys);
            cr_expect_not(app.message_is_error, "%s: %s", keys, message(&app));
            snprintf(keys, sizeof keys, ":set %s<Enter>", values[i][0]);
            support_type(&app, keys);
            snprintf(wanted, sizeof wanted, "%s %s", values[i][0], *values[i][j] != 0 ? values[i][j] : "(nothing)");
            if (strcmp(values[i][j], "default") != 0)
                cr_expect_str_eq(message(&app), wanted);
        }
    }
    app_free(&app);
    /* All options of grouping and rows are among them, some under the name of what they are short for. */
    static const char *const short_forms[] = {"group-by-input-shape", "group-by-stack-n", "group-by-overload-name",
                                              "include-python-functions", "no-python"};
    for (unsigned i = 0; i < option_entry_count; i++) {
        if (option_entries[i].group != OPTIONS_GROUPING && option_entries[i].group != OPTIONS_ROWS)
            continue;
        bool known = false;
        for (int j = 0; j < VALUES; j++)
            known = known || strcmp(values[j][0], option_entries[i].name) == 0;
        for (size_t j = 0; j < sizeof short_forms / sizeof *short_forms; j++)
            known = known || strcmp(short_forms[j], option_entries[i].name) == 0;
        cr_expect(known, "--%s has no :set", option_entries[i].name);
    }
}

Test(actions, wrong_values_are_refused)
{
    static const char *const wrong[] = {
        "group-by=nothing", "sort-by=nothing", "ascending=perhaps", "row-limit=many", "filter=/(/", "scope=sideways",
        "hide-below=101", "percent-of=none", "time-unit=h", "python=cobra", "columns=nothing", "theme=nothing",
    };
    struct app app;
    open_small(&app);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char keys[128];
        snprintf(keys, sizeof keys, ":set %s<Enter>", wrong[i]);
        support_type(&app, keys);
        cr_expect(app.message_is_error, "%s", wrong[i]);
        cr_expect_eq(app.table->count, app.table->averages->count, "%s", wrong[i]);
    }
    app_free(&app);
}

/* What is hidden is judged by the sort column on the base in force, by self CPU where that column has no share. */
Test(actions, rows_are_hidden_by_the_sort_column)
{
    static const char *const sorts[] = {"self_device_time_total", "self_cpu_time_total", "cpu_time_total", "count",
                                        "key"};
    struct app app;
    open_small(&app);
    for (size_t i = 0; i < sizeof sorts / sizeof *sorts; i++) {
        for (int shown = 0; shown < 2; shown++) {
            char keys[160];
            snprintf(keys, sizeof keys, ":sort %s<Enter>:set filter conv|aten<Enter>:set percent-of %s<Enter>L4<Enter>", sorts[i],
                     shown ? "shown" : "all");
            support_type(&app, keys);
            const struct table *table = app.table;
            bool device = strstr(sorts[i], "device") != NULL;
            int64_t base = device ? (shown ? table->self_device_shown : table->self_device_all)
                                  : (shown ? table->self_cpu_shown : table->self_cpu_all);
            for (uint32_t j = 0; j < table->count + table->hidden; j++) {
                const struct average *row = &table->averages->rows[table->order[j]];
                int64_t value = device                                     ? row->self_device_time_total
                                : strcmp(sorts[i], "cpu_time_total") == 0 ? row->cpu_time_total
                                                                           : row->self_cpu_time_total;
                double share = base > 0 ? 100.0 * (double)value / (double)base : 0;
                /* All of a base of nothing: then self CPU decides. */
                if (base > 0)
                    cr_expect_eq(share >= 4, j < table->count, "%s of %s: row %u has %f %%", sorts[i], shown ? "shown" : "all", j,
                                 share);
            }
        }
    }
    app_free(&app);
}

Test(actions, themes_are_shown_while_the_cursor_moves)
{
    struct app app;
    open_small(&app);
    support_type(&app, ":theme dark<Enter>:theme<Enter>");
    char before[64];
    snprintf(before, sizeof before, "%s", app.looks.theme);
    support_type(&app, "<Down>");
    cr_expect_str_neq(app.looks.theme, before);
    support_type(&app, "<Esc>");
    cr_expect_str_eq(app.looks.theme, before);
    support_type(&app, ":theme<Enter><Down>");
    char other[64];
    snprintf(other, sizeof other, "%s", app.looks.theme);
    support_type(&app, "<Enter>");
    cr_expect_str_eq(app.looks.theme, other);
    app_free(&app);
}

Test(actions, the_function_bar_is_clicked_where_its_labels_are)
{
    static const int widths[] = {80, 81, 100, 120, 200, 60, 40};
    struct app app;
    open_small(&app);
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        char size[32];
        snprintf(size, sizeof size, "<Resize %dx24>", widths[i]);
        support_type(&app, size);
        struct text screen = {0};
        grid_add_text(&app.grid, &screen);
        const char *bar = strstr(screen.bytes, "F1Help");
        cr_assert_not_null(bar);
        /* A blank between any two, and nothing is cut. */
        for (const char *at = bar; (at = strchr(at + 1, 'F')) != NULL;)
            if (at[1] >= '1' && at[1] <= '9')
                cr_expect_eq(at[-1], ' ', "%s", bar);
        cr_expect_not_null(strstr(bar, "F10Quit"), "%d: %s", widths[i], bar);
        const char *sort = strstr(bar, "F6Sort");
        cr_assert_not_null(sort);
        for (int j = 0; j < 6; j++) {
            char click[32];
            snprintf(click, sizeof click, "<Click %d,24>", (int)(sort - bar) + 1 + j);
            support_type(&app, click);
            cr_expect(support_on_screen(&app, "order of first appearance"), "%d: %s", widths[i], click);
            support_type(&app, "<Esc>");
        }
        text_free(&screen);
    }
    app_free(&app);
}

/* The whole name, every attribute of FunctionEventAvg, shapes with types, stack, statistics. */
Test(actions, the_detail_pane_has_all_there_is)
{
    struct app app;
    open_small(&app);
    support_type(&app, "<Resize 240x80>/ampere_sgemm_128x64_nt<Enter>/void at::native<Enter>d");
    for (unsigned i = 0; i < column_count; i++)
        if (columns[i].attribute)
            cr_expect(support_on_screen(&app, columns[i].name), "%s", columns[i].name);
    cr_expect(support_on_screen(&app, "float>, float, float)"), "the whole name");
    support_type(&app, "/aten::addmm<Enter>");
    static const char *const of_first[] = {
        "first shapes [[128], [192, 65536], [65536, 128], [], []]", "[\"float\", \"float\", \"float\", \"Scalar\", \"Scalar\"]",
        "first stack  <built-in function linear>", "[], []] (first call's)", "<built-in function linear> +",
        "aten::linear (first call's)", "min ", "p50 ", "p90 ", "p99 ", "max ", "\u03C3 ",
    };
    for (size_t i = 0; i < sizeof of_first / sizeof *of_first; i++)
        cr_expect(support_on_screen(&app, of_first[i]), "%s", of_first[i]);
    support_type(&app, "S}}}");
    cr_expect(support_on_screen(&app, "shapes       [[128], "));
    cr_expect(support_on_screen(&app, "nn.Module: Linear_"), "all three frames");
    cr_expect_not(support_on_screen(&app, "[], []] (first call's)"));
    app_free(&app);
}

Test(actions, control_s_is_no_key)
{
    struct bindings bindings;
    bindings_init(&bindings);
    for (size_t i = 0; i < bindings.count; i++)
        cr_expect_neq(bindings.items[i].code, 'S' - 64, "%s", bindings.items[i].action->name);
    bindings_free(&bindings);
}
