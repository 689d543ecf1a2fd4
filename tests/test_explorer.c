/*
 * The explorer's state without a process: the cursor follows its event.
 */
#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../src/ui/drill_view.h"
#include "keyavg/app.h"
#include "keyavg/grouping.h"
#include "support/explorer.h"
#include "support/skip.h"

/* The row under the cursor, a number of averages->rows. */
static uint32_t cursor_row(const struct app *app)
{
    struct view *view = app->top;
    cr_assert_lt(view->list.cursor, app->table->count);
    return app->table->order[view->list.cursor];
}

static uint32_t row_of(const struct app *app, uint32_t event)
{
    return app->table->averages->row_of[tree_row_event(app->table->tree, event)];
}

static const char *const groupings[] = {
    "name", "name,shape", "name,stack=1", "name,stack=3", "name,overload", "name,dtype", "name,thread",
    "name,step", "scope", "step", "thread", "module", "device", "name,shape,stack=5,scope",
};

enum { GROUPINGS = sizeof groupings / sizeof *groupings };

static void set_grouping(struct app *app, const char *text)
{
    struct error error;
    cr_assert(grouping_parse(span_of(text), &app->query.grouping, &error));
    app_update(app);
    app_draw(app);
}

static void follow_everywhere(struct app *app, const char *path)
{
    for (int from = 0; from < GROUPINGS; from++) {
        set_grouping(app, groupings[from]);
        uint32_t count = app->table->count, step = count / 5 + 1;
        for (uint32_t place = 0; place < count; place += step) {
            set_grouping(app, groupings[from]);
            app->top->list.cursor = place;
            app->top->ops->moved(app->top);
            uint32_t event = app->table->averages->rows[cursor_row(app)].first;
            for (int to = 0; to < GROUPINGS; to++) {
                set_grouping(app, groupings[to]);
                cr_assert_eq(cursor_row(app), row_of(app, event), "%s: row %u of %s, event %u under %s", path, place,
                             groupings[from], event, groupings[to]);
            }
        }
    }
}

Test(explorer, the_cursor_follows_its_event_through_groupings, .timeout = 300)
{
    DIR *samples = opendir(support_samples_dir());
    int opened = 0;
    cr_assert_not_null(samples);
    for (struct dirent *entry; (entry = readdir(samples)) != NULL;) {
        static const char *const names[] = {"trace.json.gz", "trace.json"};
        for (int i = 0; i < 2; i++) {
            char path[4096];
            struct app app;
            snprintf(path, sizeof path, "%s/%s/%s", support_samples_dir(), entry->d_name, names[i]);
            if (entry->d_name[0] == '.' || access(path, R_OK) != 0 || !support_explore(&app, path))
                continue;
            if (app.table->count > 0)
                follow_everywhere(&app, path);
            app_free(&app);
            opened++;
        }
    }
    closedir(samples);
    cr_assert_gt(opened, 15, "only %d samples", opened);
}

static void open_small(struct app *app)
{
    cr_assert(support_explore(app, support_sample("gpu_small/trace.json")));
}

Test(explorer, the_cursor_follows_through_sort_and_reverse)
{
    struct app app;
    open_small(&app);
    support_type(&app, "<Down 7>");
    uint32_t event = app.table->averages->rows[cursor_row(&app)].first;
    static const char *const keys[] = {"1", "1", "r", "<lt>", ">", "[", "]", ":unsort<Enter>", "u", "S", "}", "{", "t"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        support_type(&app, keys[i]);
        if (strcmp(keys[i], "t") != 0)
            cr_expect_eq(cursor_row(&app), row_of(&app, event), "after %s", keys[i]);
    }
    app_free(&app);
}

Test(explorer, a_filtered_row_comes_back)
{
    struct app app;
    open_small(&app);
    support_type(&app, "/gemm<Enter>");
    uint32_t event = app.table->averages->rows[cursor_row(&app)].first, place = app.top->list.cursor;
    support_type(&app, "\\!gemm<Enter>");
    cr_expect_eq(row_of(&app, event), NO_EVENT);
    cr_expect_eq(app.top->list.cursor, place, "it stays at its place");
    support_type(&app, "<Esc>");
    cr_expect_null(app.query.filter);
    cr_expect_eq(cursor_row(&app), row_of(&app, event));
    app_free(&app);
}

Test(explorer, a_wrong_filter_keeps_the_last_good_one)
{
    struct app app;
    open_small(&app);
    support_type(&app, "\\kind:kernel<Enter>");
    uint32_t count = app.table->count;
    support_type(&app, "\\ /(/<Enter>");
    cr_expect_eq(app.table->count, count);
    cr_expect(app.message_is_error);
    cr_expect_not_null(strstr(app.message.bytes, "at 14"), "%s", app.message.bytes);
    support_type(&app, "\\ count>=2<Esc>");
    cr_expect_eq(app.table->count, count, "Esc brings the old filter back");
    app_free(&app);
}

Test(explorer, escape_takes_crumbs_back_one_by_one_and_never_quits)
{
    struct app app;
    open_small(&app);
    support_type(&app, "S}f%\\kind:op<Enter>L2<Enter>t");
    for (int i = 0; i < 12; i++)
        support_type(&app, "<Esc>");
    cr_expect_not(app.quit);
    cr_expect_eq(app.query.grouping.parts, GROUP_NAME);
    cr_expect_eq(app.query.scope, SCOPE_ALL);
    cr_expect_eq(app.query.percent_of, PERCENT_OF_ALL);
    cr_expect_null(app.query.filter);
    cr_expect_not(app.query.top_level_only);
    cr_expect_eq(app.query.hide_below > 0, 0);
    app_free(&app);
}

Test(explorer, marks_are_kept_by_row_and_grouping)
{
    struct app app;
    struct text status = {0};
    open_small(&app);
    support_type(&app, "  ");
    app.top->ops->status(app.top, &status);
    cr_expect_not_null(strstr(status.bytes, "2 marked"), "%s", status.bytes);
    static const struct {
        const char *keys;
        bool marked;
    } steps[] = {{"S", false}, {"S", true}, {"r", true}, {"ffffff", true}, {"f", true}, {"U", false}};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        support_type(&app, steps[i].keys);
        text_clear(&status);
        app.top->ops->status(app.top, &status);
        if (strcmp(steps[i].keys, "ffffff") != 0)
            cr_expect_eq(strstr(status.bytes, "2 marked") != NULL, steps[i].marked, "after %s: %s", steps[i].keys,
                         status.bytes);
    }
    text_free(&status);
    app_free(&app);
}

/* Each device event once: its own row is shown, or that of its op, or for totals of one that called it. */
Test(explorer, the_status_line_sums_device_time_once)
{
    static const struct {
        const char *keys, *words;
    } cases[] = {
        {"", "shown 100.0 % of Self CUDA 7.746ms"},
        /* The kernels of these ops, which have no rows now; waiting and the like has no op. */
        {"\\kind:op<Enter>", "shown 86.4 % of Self CUDA 6.690ms"},
        {"\\kind:kernel<Enter>", "shown 77.5 % of Self CUDA 6.002ms"},
        {"\\!kind:annotation<Enter>", "shown 100.0 % of Self CUDA 7.746ms"},
        {":sort device_time_total<Enter>", "shown 100.0 % of CUDA total 7.746ms"},
        {"\\kind:annotation<Enter>", "shown 0.0 % of Self CUDA annotations 8.583ms"},
        /* aten::linear has no kernel of its own: what it calls has. */
        {"\\aten::linear<Enter>", "shown 0.0 % of Self CUDA 0.000us"},
        {"\\aten::linear<Enter>:sort device_time_total<Enter>", "shown 7.3 % of CUDA total 565.805us"},
        {"/aten::mm<Enter> /sgemm_128x64_nt<Enter> ", "2 marked 1.215ms"},
        {"  ", "2 marked 1.215ms"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct app app;
        struct text status = {0};
        open_small(&app);
        support_type(&app, cases[i].keys);
        app.top->ops->status(app.top, &status);
        cr_expect_not_null(strstr(status.bytes, cases[i].words), "%s: %s", cases[i].keys, status.bytes);
        text_free(&status);
        app_free(&app);
    }
}

/* What is shown and what is hidden is all there is: the cells of a column and its remainder. The status line counts
 * each kernel once, whatever rows have it. */
Test(explorer, hidden_rows_are_told_below_the_shown_ones)
{
    struct app app;
    open_small(&app);
    support_type(&app, "L5<Enter><Resize 120x30>");
    struct text screen = {0};
    grid_add_text(&app.grid, &screen);
    cr_expect_not_null(strstr(screen.bytes, "[79 more rows]"), "%s", screen.bytes);
    cr_expect_not_null(strstr(screen.bytes, "94.1 % of Self CUDA 7.293ms   79 hidden"));
    text_free(&screen);
    app_free(&app);
}

Test(explorer, shares_of_all_ignore_the_filter)
{
    struct app app;
    open_small(&app);
    int64_t cpu = app.table->self_cpu_all, device = app.table->self_device_all;
    support_type(&app, "\\conv<Enter>");
    cr_expect_eq(app.table->self_cpu_all, cpu);
    cr_expect_eq(app.table->self_device_all, device);
    cr_expect_lt(app.table->self_cpu_shown, cpu);
    support_type(&app, "S}}L5<Enter>");
    cr_expect_eq(app.table->self_cpu_all, cpu);
    app_free(&app);
}

Test(explorer, a_click_on_a_crumb_takes_that_one_away)
{
    struct app app;
    open_small(&app);
    support_type(&app, "S}%");
    support_type(&app, "<Click 3,2>");
    cr_expect_eq(app.query.grouping.parts, GROUP_NAME | GROUP_STACK);
    cr_expect_eq(app.query.percent_of, PERCENT_OF_SHOWN);
    support_type(&app, "\\conv step:1<Enter>");
    struct text crumbs = {0};
    grid_add_text(&app.grid, &crumbs);
    cr_expect_not_null(strstr(crumbs.bytes, "filter conv \u2715  steps 1 \u2715"), "%s", crumbs.bytes);
    text_free(&crumbs);
    support_type(&app, "<Click 14,2>");
    cr_assert_not_null(app.filter);
    cr_expect(filter_has_steps(app.filter) && !filter_has_others(app.filter));
    app_free(&app);
}

Test(explorer, a_click_on_a_title_sorts_and_on_a_row_again_opens)
{
    struct app app;
    open_small(&app);
    support_type(&app, "<Click 5,3>");
    cr_expect_str_eq(app.query.sort->name, "key");
    cr_expect(app.query.ascending);
    support_type(&app, "<Click 5,3>");
    cr_expect_not(app.query.ascending);
    support_type(&app, "<Click 5,8>");
    cr_expect_eq(app.top->list.cursor, app.top->list.top + 4);
    support_type(&app, "<Click 5,8>");
    cr_expect_str_eq(app.top->ops->name, "focus");
    app_free(&app);
}

Test(explorer, keys_that_need_a_flag_name_it)
{
    static const struct {
        const char *keys, *words;
    } cases[] = {
        {"S", "record_shapes=True"},
        {"}", "with_stack=True"},
        {"{", "with_stack=True"},
        {"<F8>", "with_stack=True"},
        {"O", "capture_overload_names=True"},
        {"p", "with_stack=True"},
        {":group dtype<Enter>", "record_shapes=True"},
        {":group module<Enter>", "with_modules=True"},
        {":group step<Enter>", "prof.step()"},
    };
    char path[4096];
    struct app app;
    snprintf(path, sizeof path, "%s/mlp_plain/trace.json.gz", support_samples_dir());
    cr_assert(support_explore(&app, path));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        support_type(&app, cases[i].keys);
        cr_expect(app.message_is_error, "%s", cases[i].keys);
        cr_expect_not_null(strstr(app.message.bytes, cases[i].words), "%s: %s", cases[i].keys, app.message.bytes);
        cr_expect_eq(app.query.grouping.parts, GROUP_NAME);
    }
    app_free(&app);
}

Test(explorer, the_command_line_shows_the_same)
{
    struct app app;
    open_small(&app);
    support_type(&app, "S}f\\conv !\"a b\"<Enter>L2<Enter>%u[t:cli<Enter>");
    cr_expect_not_null(strstr(app.message.bytes, "keyavg --group-by name,shape,stack=1 --sort-by "), "%s",
                       app.message.bytes);
    static const char *const words[] = {"--ascending", "--row-limit -1", "--filter 'conv !\"a b\"'", "--scope forward",
                                        "--top-level-events-only", "--hide-below 2", "--percent-of shown",
                                        "--time-unit us", "--device-annotations on", "--columns key,"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        cr_expect_not_null(strstr(app.message.bytes, words[i]), "%s in %s", words[i], app.message.bytes);
    app_free(&app);
}

Test(explorer, commands_that_are_none_name_the_nearest)
{
    struct app app;
    open_small(&app);
    support_type(&app, ":shaps<Enter>");
    cr_expect_str_eq(app.message.bytes, "no command 'shaps'; did you mean shapes?");
    support_type(&app, ":set hide-belw 3<Enter>");
    cr_expect_str_eq(app.message.bytes, "no option 'hide-belw'; did you mean hide-below");
    support_type(&app, ":set scope sideways<Enter>");
    cr_expect_str_eq(app.message.bytes, "'sideways' is not all, forward, backward, user, recompute, sync, optimizer, data or none");
    support_type(&app, ":<Up><Up><Up><Enter>");
    cr_expect_str_eq(app.message.bytes, "no command 'shaps'; did you mean shapes?");
    app_free(&app);
}

/* Random keys: alive, the cursor in range, quits at the end. */
Test(explorer, survives_any_keys, .timeout = 300)
{
    static const char *const keys[] = {
        "j", "k", "g", "G", "<PgDn>", "<PgUp>", "<C-d>", "<C-u>", "h", "l", "[", "]", "1", "2", "5", "9", "<lt>", ">",
        "r", "s", "S", "}", "{", "O", "b", "f", "p", "t", "/", "n", "N", "\\", "L", "%", "u", "B", "C", " ", "U", "d",
        "y", "o", ":", "?", "M", "<Esc>", "<Enter>", "<Tab>", "<Backspace>", "<F6>", "<F8>", "x", "a", "3", "J", "K",
        "<Up>", "<Down>", "<Click 5,5>", "<Click 60,3>", "<Click 3,2>", "<Click 3,24>", "<WheelDown>", "<Resize 80x24>",
        "<Resize 40x8>", "<Resize 1x1>", "<Resize 200x50>", "<Resize 20x3>", "c", "o", "n", "v", "+", "-", "0",
    };
    static const char *const samples[] = {"gpu_small/trace.json", "mlp_verbose/trace.json.gz", "empty/trace.json.gz"};
    unsigned seed = 1;
    for (int s = 0; s < 3; s++) {
        char path[4096];
        struct app app;
        snprintf(path, sizeof path, "%s/%s", support_samples_dir(), samples[s]);
        if (!support_explore(&app, path))
            continue;
        for (int i = 0; i < 6000; i++) {
            seed = seed * 1103515245 + 12345;
            const char *key = keys[(seed >> 16) % (sizeof keys / sizeof *keys)];
            support_type(&app, key);
            app.quit = false; /* `:` and Tab can come upon :quit */
            struct list *list = &app.top->list;
            cr_assert(list->count == 0 ? list->cursor == 0 : list->cursor < list->count, "seed 1, step %d: %s", i, key);
        }
        support_type(&app, "<Esc><Esc><C-c>");
        cr_assert(app.quit);
        app_free(&app);
    }
}

/* A device that the trace has not has no name: its columns are called Device in menus, the column setup and texts. */
Test(explorer, columns_of_no_device_are_called_device)
{
    static const char *const keys[] = {"s", "C", "<Esc>Ts", "<Esc>:columns device_time_total<Enter>"};
    struct app app;
    cr_assert(support_explore(&app, support_sample("mlp_all/trace.json.gz")));
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        support_type(&app, keys[i]);
        support_type(&app, "<Resize 80x60>");
        cr_expect(support_on_screen(&app, "Device total"), "%s", keys[i]);
        cr_expect_not(support_on_screen(&app, "None"), "%s", keys[i]);
        support_type(&app, "<Esc>");
    }
    app_free(&app);
}

/* What a page says of the row under the cursor begins somewhere on the screen, however small that is. */
Test(explorer, sentences_of_pages_have_room_everywhere)
{
    struct app app;
    cr_assert(support_explore(&app, support_sample("mlp_all/trace.json.gz")));
    support_type(&app, "Q");
    const struct drill *drill = drill_view_of(&app)->drill;
    struct text scratch = {0};
    for (uint32_t i = 0; i < drill->rows.count; i++) {
        struct value value;
        char begin[64]; /* its first word, behind which a line may end */
        drill_value(drill, drill->rows.items[i].id, column_find(span_of("advice")), &value, &scratch);
        snprintf(begin, sizeof begin, "%.*s", (int)value.text.length, value.text.bytes);
        begin[strcspn(begin, " _.")] = '\0';
        for (int rows = 3; rows <= 24; rows++) {
            grid_resize(&app.grid, rows, 40);
            app_draw(&app);
            cr_expect(support_on_screen(&app, begin), "%s at %d rows", begin, rows);
        }
        support_type(&app, "<Down>");
    }
    text_free(&scratch);
    app_free(&app);
}
