/*
 * Drills over a table that becomes another one: read again, recorded anew, filtered, grouped otherwise.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "../src/ui/drill_view.h"
#include "support/explorer.h"
#include "support/render.h"

static const char *const views[] = {
    "/aten::addmm<Enter><Enter>",     "/aten::addmm<Enter>c",  "Tgo",       "Tvg+j+", "T= g*", "m",
    "/aten::linear<Enter>K",          "P",                     "/mm<Enter>e", "TFgjjz",
    "/aten::addmm<Enter>cj<Enter>jj", "K o<Enter>p",  "Tvgz",               "Tvg+jz",
};
enum { VIEWS = sizeof views / sizeof *views };

static void set_table(struct app *app, struct trace *trace)
{
    cr_assert_not_null(trace);
    app_set_table(app, app_build_table(trace, &app->query, true));
    app_draw(app);
}

static struct trace *load(const char *path)
{
    struct error error = {0};
    struct trace_options options = {0};
    return trace_load(path, &options, &error);
}

static void add_screen(const struct app *app, struct text *out)
{
    text_clear(out);
    grid_add_beside(&app->grid, out);
}

/* Cursor, marks, folds, zoom and the views below: all is as it was. */
Test(drill_bookmark, views_stay_when_the_file_is_read_again, .timeout = 120)
{
    static const char *const samples[] = {"gpu_small/trace.json", "mlp_all/trace.json.gz"};
    struct text before = {0}, after = {0};
    for (int sample = 0; sample < 2; sample++) {
        for (size_t i = 0; i < VIEWS; i++) {
            struct app app;
            char path[4096];
            snprintf(path, sizeof path, "%s", support_sample(samples[sample]));
            cr_assert(support_explore(&app, path));
            support_type(&app, views[i]);
            support_type(&app, "jjj <Up> k<Resize 100x30>");
            add_screen(&app, &before);
            set_table(&app, load(path));
            add_screen(&app, &after);
            cr_expect_str_eq(after.bytes, before.bytes, "%s in %s:\n%s", views[i], samples[sample], after.bytes);
            support_type(&app, "<Backspace>");
            add_screen(&app, &before);
            set_table(&app, load(path));
            add_screen(&app, &after);
            cr_expect_str_eq(after.bytes, before.bytes, "below %s in %s", views[i], samples[sample]);
            app_free(&app);
        }
    }
    text_free(&before);
    text_free(&after);
}

#define OP(name, ts, dur)                                                                                              \
    "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"" name "\",\"pid\":1,\"tid\":1,\"ts\":" #ts ",\"dur\":" #dur "},"
static const char first[] = "{\"traceEvents\":[" OP("a", 0, 100) OP("b", 10, 30) OP("c", 12, 8) OP("b", 50, 40) "{}]}";
/* Another recording: other times, one more op. */
static const char anew[] =
    "{\"traceEvents\":[" OP("z", 500, 5) OP("a", 1000, 90) OP("b", 1010, 20) OP("c", 1011, 4) OP("d", 1050, 1) "{}]}";
static const char without_b[] = "{\"traceEvents\":[" OP("a", 1000, 90) OP("c", 1011, 4) "{}]}";

static void open_text(struct app *app, const char *json)
{
    struct query query;
    query_init(&query);
    app_init(app, "made", &query, 24, 80, false);
    app_set_table(app, app_build_table(support_trace(json), &app->query, false));
    app_draw(app);
}

static const char *label_here(const struct app *app)
{
    static struct text label;
    text_clear(&label);
    drill_add_label(drill_view_of(app)->drill, drill_view_row(drill_view_of(app))->id, &label);
    return label.bytes;
}

Test(drill_bookmark, a_focus_is_kept_by_name)
{
    struct app app;
    open_text(&app, first);
    support_type(&app, "/b<Enter><Enter>");
    cr_expect_str_eq(label_here(&app), "b");
    support_type(&app, "<Down>");
    while (strcmp(label_here(&app), "c") != 0)
        support_type(&app, "<Down>");
    support_type(&app, " /c<Enter>");
    set_table(&app, support_trace(anew));
    cr_assert_not_null(drill_view_of(&app));
    cr_expect_str_eq(label_here(&app), "c");
    cr_expect(support_on_screen(&app, "1 call "));
    cr_expect(support_on_screen(&app, "* c"), "the mark stays with its row");
    app_free(&app);
}

/* The call whose tree is shown is not in the other recording; its row's focus below is. */
Test(drill_bookmark, what_is_not_there_any_more_is_closed)
{
    struct app app;
    open_text(&app, first);
    support_type(&app, "/b<Enter><Enter>c<Enter>");
    cr_expect_eq(drill_view_of(&app)->drill->kind, DRILL_TREE);
    set_table(&app, support_trace(anew));
    cr_assert_not_null(drill_view_of(&app));
    cr_expect_eq(drill_view_of(&app)->drill->kind, DRILL_CALLS);
    cr_expect(support_on_screen(&app, "not in the file any more"));
    set_table(&app, support_trace(without_b));
    cr_expect_null(drill_view_of(&app));
    support_type(&app, "jk<Enter>c<Backspace><Backspace>");
    app_free(&app);
}

/* While a file is read its first part is shown; the drills over it grow. */
Test(drill_bookmark, drills_grow_with_the_file)
{
    struct app app;
    open_text(&app, "{\"traceEvents\":[" OP("a", 0, 100) OP("b", 10, 30) "{}]}");
    support_type(&app, "/b<Enter>c");
    cr_expect(support_on_screen(&app, "1 call "));
    set_table(&app, support_trace(first));
    cr_assert_not_null(drill_view_of(&app));
    cr_expect(support_on_screen(&app, "2 calls "));
    app_free(&app);
}

Test(drill_bookmark, marks_come_back_with_their_rows)
{
    struct app app;
    cr_assert(support_explore(&app, support_sample("gpu_small/trace.json")));
    support_type(&app, "/aten::addmm<Enter>cg j ");
    cr_expect_eq(drill_view_of(&app)->marks.count, 2);
    cr_expect(support_on_screen(&app, "2 marked"));
    support_type(&app, ":set filter step:1<Enter>");
    cr_expect(support_on_screen(&app, "1 marked"), "one of the calls is in the step");
    support_type(&app, ":set filter=<Enter>jk");
    cr_expect(support_on_screen(&app, "2 marked"));
    support_type(&app, ":set python out<Enter>jk");
    cr_expect(support_on_screen(&app, "2 marked"));
    support_type(&app, "U");
    cr_expect_not(support_on_screen(&app, "marked"));
    app_free(&app);
}

/* What is open, and what was closed of what is open at first, is so again after the table was another. */
Test(drill_bookmark, folds_outlive_a_filter)
{
    static const char *const trees[] = {"Tg+j+j+j+", "Tgo", "mj-", "m*g-"};
    static const char *const changes[] = {":set filter step:1<Enter>", ":set python rows<Enter>",
                                          ":set time-unit ms<Enter>", ":set filter kind:kernel<Enter>",
                                          ":scope backward<Enter>:set filter step:none<Enter>"};
    static const char *const back[] = {":set filter=<Enter>", ":set python tree<Enter>",
                                       ":set time-unit auto<Enter>", ":set filter=<Enter>",
                                       ":scope all<Enter>:set filter=<Enter>"};
    for (size_t i = 0; i < sizeof trees / sizeof *trees; i++) {
        for (size_t k = 0; k < sizeof changes / sizeof *changes; k++) {
            struct app app;
            cr_assert(support_explore(&app, support_sample("gpu_small/trace.json")));
            support_type(&app, trees[i]);
            size_t rows = drill_view_of(&app)->drill->rows.count;
            support_type(&app, changes[k]);
            support_type(&app, back[k]);
            cr_expect_eq(drill_view_of(&app)->drill->rows.count, rows, "%s, %s: %zu rows were %zu", trees[i], changes[k],
                         drill_view_of(&app)->drill->rows.count, rows);
            app_free(&app);
        }
    }
}

/* A mark on a row that the rows' own filter hides is there again without it, also after a change of the table. */
Test(drill_bookmark, marks_outlive_a_filter_of_rows)
{
    struct app app;
    cr_assert(support_explore(&app, support_sample("gpu_small/trace.json")));
    support_type(&app, "/aten::linear<Enter>Kg \\zzz<Enter>");
    cr_expect(support_on_screen(&app, "no row passes the filter"));
    support_type(&app, ":set python rows<Enter>");
    cr_expect(support_on_screen(&app, "no row passes the filter"));
    support_type(&app, "\\<Backspace 3><Enter>");
    cr_expect(support_on_screen(&app, "1 marked"));
    app_free(&app);
}
