/*
 * The views that drill on the screen: goldens on a recording of a CPU and of a GPU, ways through the views, and that
 * each cell is what batch prints.
 *
 * KEYAVG_UPDATE_GOLDEN=1 writes the goldens anew.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../src/ui/drill_view.h"
#include "keyavg/names.h"
#include "keyavg/pairs.h"
#include "support/explorer.h"
#include "support/skip.h"

static const struct {
    const char *name, *keys;
} screens[] = {
    {"focus", "/aten::addmm<Enter><Enter>"}, {"calls", "/aten::addmm<Enter>c"}, {"tree", "Tgo"},
    {"bottom-up", "Tvg+"},                   {"kernels", "/aten::linear<Enter>K"}, {"pairs", "P"},
    {"modules", "m"},                        {"event", "/aten::addmm<Enter>e"},
    {"quality", "Q/first step<Enter>"},  {"explain", "/aten::addmm<Enter>!"},
};
enum { SCREENS = sizeof screens / sizeof *screens };

static const char *const recordings[][2] = {{"gpu", "samples/gpu_small/trace.json"},
                                            {"cpu", "samples/mlp_all/trace.json.gz"}};
static const char *const sizes[] = {"80x24", "140x40"};

static void prepare(void)
{
    char path[4096];
    setenv("LC_ALL", "C.UTF-8", 1);
    setenv("HOME", "/nonexistent", 1);
    unsetenv("XDG_CONFIG_HOME");
    unsetenv("NO_COLOR");
    snprintf(path, sizeof path, "%s/..", support_samples_dir());
    cr_assert_eq(chdir(path), 0);
}

static void check(const char *name, struct support_bytes screen)
{
    char path[4096];
    static char golden[1 << 20];
    snprintf(path, sizeof path, "%s/golden/%s", support_tests_dir(), name);
    FILE *file = fopen(path, getenv("KEYAVG_UPDATE_GOLDEN") != NULL ? "wb" : "rb");
    cr_assert_not_null(file, "%s", path);
    if (getenv("KEYAVG_UPDATE_GOLDEN") != NULL) {
        fwrite(screen.bytes, 1, screen.length, file);
    } else {
        size_t length = fread(golden, 1, sizeof golden - 1, file);
        golden[length] = 0;
        cr_expect_str_eq(screen.bytes, golden, "%s is another:\n%s", name, screen.bytes);
    }
    fclose(file);
}

Test(drill_views, goldens, .timeout = 120)
{
    prepare();
    for (int i = 0; i < SCREENS; i++) {
        for (int recording = 0; recording < 2; recording++) {
            for (int size = 0; size < 2; size++) {
                char name[128];
                struct support_bytes screen;
                const char *argv[] = {support_keyavg(), "--play", screens[i].keys, "--screen", sizes[size],
                                      recordings[recording][1], NULL};
                cr_assert(support_run(argv, &screen, NULL, NULL));
                snprintf(name, sizeof name, "view-%s.%s.%s", screens[i].name, recordings[recording][0], sizes[size]);
                check(name, screen);
                support_run_free(&screen);
            }
        }
    }
}

/* -- Ways --------------------------------------------------------------------------------------------------------- */

static struct span label_here(const struct app *app, struct text *text)
{
    const struct drill_view *view = drill_view_of(app);
    text_clear(text);
    drill_add_label(view->drill, drill_view_row(view)->id, text);
    return text_span(text);
}

/* From the slowest kernel to the line of Python that asked for it: K, o, Enter, p, and e shows it whole. */
Test(drill_views, from_the_slowest_kernel_to_python_in_five_keys)
{
    struct app app;
    struct text label = {0};
    cr_assert(support_explore(&app, support_sample("gpu_small/trace.json")));
    support_type(&app, ":sort max<Enter>\\kind:kernel<Enter>g");
    struct span slowest = table_row_label(app.table, app.table->order[app.top->list.cursor], &label);
    cr_assert(span_starts(slowest, "sm86_xmma_fprop_implicit_gemm"), "%.*s", (int)slowest.length, slowest.bytes);
    support_type(&app, "K");
    cr_expect(span_starts(label_here(&app, &label), "sm86_xmma_fprop_implicit_gemm"));
    support_type(&app, "o");
    cr_expect(span_is(label_here(&app, &label), "aten::cudnn_convolution"));
    support_type(&app, "<Enter>");
    cr_expect(span_is(label_here(&app, &label), "aten::cudnn_convolution"));
    support_type(&app, "p");
    cr_expect(span_is(label_here(&app, &label), "model.py(24): forward"), "%s", label.bytes);
    support_type(&app, "e");
    cr_expect(support_on_screen(&app, "\"name\": \"model.py(24): forward\""));
    support_type(&app, "<Backspace><Backspace><Backspace><Backspace>");
    cr_expect_null(drill_view_of(&app));
    app_free(&app);
    text_free(&label);
}

Test(drill_views, backspace_goes_back_to_the_same_cursor)
{
    struct app app;
    struct text label = {0};
    cr_assert(support_explore(&app, support_sample("mlp_all/trace.json.gz")));
    support_type(&app, "/aten::addmm<Enter>");
    uint32_t cursor = app.top->list.cursor;
    support_type(&app, "<Enter>k");
    cr_expect(span_is(label_here(&app, &label), "aten::linear"), "%s", label.bytes);
    support_type(&app, "<Enter>");
    cr_expect_eq(drill_focus_part(drill_view_of(&app)->drill, drill_view_row(drill_view_of(&app))->id), FOCUS_ROW);
    cr_expect(span_is(label_here(&app, &label), "aten::linear"));
    support_type(&app, "<Backspace>");
    cr_expect(span_is(label_here(&app, &label), "aten::linear"));
    cr_expect_eq(drill_focus_part(drill_view_of(&app)->drill, drill_view_row(drill_view_of(&app))->id), FOCUS_CALLERS);
    support_type(&app, "<Backspace>");
    cr_expect_null(drill_view_of(&app));
    cr_expect_eq(app.top->list.cursor, cursor);
    app_free(&app);
    text_free(&label);
}

Test(drill_views, x_twice_returns)
{
    struct app app;
    cr_assert(support_explore(&app, support_sample("gpu_small/trace.json")));
    support_type(&app, "/aten::addmm<Enter>");
    uint32_t cursor = app.top->list.cursor;
    support_type(&app, "x");
    cr_expect_neq(app.top->list.cursor, cursor);
    support_type(&app, "x");
    cr_expect_eq(app.top->list.cursor, cursor);
    support_type(&app, "cj");
    uint32_t event = drill_view_of(&app)->anchor;
    support_type(&app, "x");
    cr_expect_neq(drill_view_of(&app)->anchor, event);
    support_type(&app, "x");
    cr_expect_eq(drill_view_of(&app)->anchor, event);
    app_free(&app);
}

/* Where the cursor's row stands for an event that is an end of a pair: there and back again, in every view. */
Test(drill_views, x_twice_returns_from_any_view)
{
    static const char *const ways[] = {"", "<Enter>", "c", "cj", "T", "TF", "P", "e", "T<Enter>", "P<Enter>c", "Tv"};
    static const char *const samples[] = {"gpu_small/trace.json", "mlp_all/trace.json.gz"};
    for (int sample = 0; sample < 2; sample++) {
        for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
            struct app app;
            cr_assert(support_explore(&app, support_sample(samples[sample])));
            support_type(&app, "/aten::addmm<Enter>");
            support_type(&app, ways[i]);
            const struct drill_view *view = drill_view_of(&app);
            uint32_t event = view != NULL ? view->anchor
                                          : app.table->averages->rows[table_view_row(table_view_of(&app))].first;
            enum drill_kind kind = view != NULL ? view->drill->kind : DRILL_TABLE;
            const struct pairs *pairs = tree_pairs(app.table->tree);
            cr_assert_neq(event, NO_EVENT);
            if (strcmp(ways[i], "Tv") == 0) {
                support_type(&app, "/aten::addmm<Enter>");
                event = drill_view_of(&app)->anchor;
            }
            cr_assert_neq(pairs->other[event], NO_EVENT, "%s", ways[i]);
            support_type(&app, "x");
            view = drill_view_of(&app);
            cr_expect_eq(view != NULL ? view->anchor : table_view_of(&app)->anchor, pairs->other[event], "%s", ways[i]);
            cr_expect(support_on_screen(&app, "backward: "));
            support_type(&app, "x");
            view = drill_view_of(&app);
            cr_expect_eq(view != NULL ? view->anchor : table_view_of(&app)->anchor, event, "%s", ways[i]);
            cr_expect(support_on_screen(&app, "forward: "));
            bool stays = kind == DRILL_TABLE || kind == DRILL_CALLS || kind == DRILL_EVENT ||
                         (kind == DRILL_TREE && strchr(ways[i], 'v') == NULL);
            enum drill_kind now = view != NULL ? view->drill->kind : DRILL_TABLE;
            cr_expect_eq(now, stays ? kind : DRILL_FOCUS, "%s: %s", ways[i], drill_kinds[now].name);
            app_free(&app);
        }
    }
}

/* In a tree `x` goes to the node of the other end, which is opened; of one call the tree of the other end is opened. */
Test(drill_views, x_in_a_tree_goes_to_the_other_end_s_node)
{
    struct app app;
    struct text label = {0};
    cr_assert(support_explore(&app, support_sample("gpu_small/trace.json")));
    support_type(&app, "/aten::addmm<Enter>Tx");
    cr_expect(span_is(label_here(&app, &label), "autograd::engine::evaluate_function: AddmmBackward0"), "%s",
              label.bytes);
    cr_expect_eq(app.top->below->below, NULL, "in the same tree");
    support_type(&app, "<Backspace>c<Enter>x");
    cr_expect(span_is(label_here(&app, &label), "autograd::engine::evaluate_function: AddmmBackward0"), "%s",
              label.bytes);
    support_type(&app, "<Backspace>");
    cr_expect(span_is(label_here(&app, &label), "aten::addmm"), "the tree of the call is below it");
    support_type(&app, "<Backspace 2>/kernel<Enter>");
    app_free(&app);
    text_free(&label);
}

Test(drill_views, x_tells_where_it_leads_nowhere)
{
    struct app app;
    cr_assert(support_explore(&app, support_sample("gpu_small/trace.json")));
    support_type(&app, "/Lazy Function<Enter>x");
    cr_expect(support_on_screen(&app, "forward and backward of this call are not linked"));
    support_type(&app, "ex");
    cr_expect(support_on_screen(&app, "forward and backward of this call are not linked"));
    app_free(&app);
}

/* Its events stand in the nodes below. */
Test(drill_views, what_has_no_op_opens_as_well)
{
    struct app app;
    struct text label = {0};
    cr_assert(support_explore(&app, support_sample("gpu_small/trace.json")));
    support_type(&app, "TG");
    while (!span_is(label_here(&app, &label), "[no op]"))
        support_type(&app, "k");
    uint32_t calls = 0, count;
    uint32_t *events = drill_events(drill_view_of(&app)->drill, drill_view_row(drill_view_of(&app))->id, &count);
    for (uint32_t i = 0; i < count; i++)
        calls += event_on_device(app.trace, events[i]) && app.table->tree->owner[events[i]] == NO_EVENT;
    cr_expect(count > 0 && calls == count, "%u of %u", calls, count);
    free(events);
    support_type(&app, "c");
    cr_expect_eq(drill_view_of(&app)->drill->kind, DRILL_CALLS);
    cr_expect(support_on_screen(&app, "calls  [no op]"));
    app_free(&app);
    text_free(&label);
}

Test(drill_views, help_says_what_rows_count)
{
    static const char *const says[][2] = {{"<Enter>", "Recursion: "},
                                          {"T", "stand under [no op]"},
                                          {"K", "Sums are of torch's link alone"},
                                          {"P", "Arrows make the pairs"},
                                          {"m", "counts as backward"}};
    for (size_t i = 0; i < sizeof says / sizeof *says; i++) {
        struct app app;
        cr_assert(support_explore(&app, support_sample("gpu_small/trace.json")));
        support_type(&app, "/aten::addmm<Enter>");
        support_type(&app, says[i][0]);
        support_type(&app, "?G");
        cr_expect(support_on_screen(&app, says[i][1]), "%s", says[i][0]);
        app_free(&app);
    }
}

/* Settings that change the table under a view leave it on its row. */
Test(drill_views, stay_through_changes_of_the_table)
{
    static const char *const views[] = {"<Enter>", "c", "T", "K", "P", "m", "e"};
    static const char *const changes[] = {"u", "ff", "f", ":set python out<Enter>", ":set group-by name,shape<Enter>",
                                          ":set filter addmm<Enter>", ":set filter zzz<Enter>", "<Resize 60x10>",
                                          "<Resize 5x3>", "<Resize 200x50>", ":reload<Enter>"};
    for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
        for (size_t k = 0; k < sizeof changes / sizeof *changes; k++) {
            struct app app;
            cr_assert(support_explore(&app, support_sample("gpu_small/trace.json")));
            support_type(&app, "/aten::addmm<Enter>");
            support_type(&app, views[i]);
            support_type(&app, changes[k]);
            support_type(&app, "jjk<PgDn><PgUp>Gg/a<Enter>nN<Backspace>");
            app_free(&app);
        }
    }
}

/* Every key in every view, twice, and on what it opened: nothing breaks. */
Test(drill_views, every_action_in_every_view, .timeout = 300)
{
    static const char *const views[] = {"<Enter>", "c", "T", "K", "P", "m", "e"};
    for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
        for (unsigned k = 0; k < action_count; k++) {
            struct app app;
            if ((actions[k].traits & ACTION_QUIET) != 0 || actions[k].keys[0] == 0)
                continue;
            cr_assert(support_explore(&app, support_sample("gpu_small/trace.json")));
            support_type(&app, "/aten::addmm<Enter>");
            support_type(&app, views[i]);
            for (int again = 0; again < 2; again++) {
                if (actions[k].contexts & app.top->ops->context && strcmp(actions[k].name, "command") != 0) {
                    app_run(&app, &actions[k], (struct span){"", 0});
                    app_draw(&app);
                }
                support_type(&app, "<Down><Tab>");
            }
            app_free(&app);
        }
    }
}

/* -- Cells -------------------------------------------------------------------------------------------------------- */

static void add_cells(const struct grid *grid, int row, int column, int width, struct text *out)
{
    text_clear(out);
    for (int i = 0; i < width; i++) {
        const struct cell *cell = grid_cell(grid, row, column + i);
        for (int k = 0; cell != NULL && k < cell->count; k++) {
            char bytes[4];
            text_add(out, bytes, utf8_encode(cell->points[k], bytes));
        }
    }
    size_t start = 0;
    while (out->length > 0 && out->bytes[out->length - 1] == ' ')
        out->length--;
    while (start < out->length && out->bytes[start] == ' ')
        start++;
    memmove(out->bytes, out->bytes + start, out->length - start);
    out->length -= start;
    out->bytes[out->length] = 0;
}

/* Compares what stands on the screen with a drill that was made as batch makes it. */
static uint32_t compare(struct app *app, const struct drill *batch)
{
    struct drill_view *view = drill_view_of(app);
    struct text shown = {0}, wanted = {0}, clean = {0}, scratch = {0};
    uint32_t compared = 0;
    cr_assert_eq(view->drill->rows.count, batch->rows.count);
    for (size_t i = 0; i < batch->rows.count; i++) {
        int row = -1;
        for (int part = 0; part < FOCUS_PARTS; part++) {
            uint32_t first = 0, count = (uint32_t)batch->rows.count;
            if (batch->kind == DRILL_FOCUS)
                drill_view_part(view, (enum focus_part)part, &first, &count);
            if (i >= first && i - first < (uint32_t)view->heights[part] && i < first + count)
                row = view->first_rows[part] + (int)(i - first);
            if (batch->kind != DRILL_FOCUS)
                break;
        }
        for (int k = 0; k < view->placed_count && row >= 0; k++) {
            const struct column *column = view->drill->columns[view->placed[k].seen];
            struct value value;
            drill_value(batch, batch->rows.items[i].id, column, &value, &scratch);
            text_clear(&wanted);
            text_clear(&clean);
            column_add_text(column, &value, app->query.unit, &wanted);
            utf8_add_fitted(&clean, text_span(&wanted), (size_t)view->placed[k].width, UTF8_CUT_MIDDLE, false);
            text_add_char(&clean, '\0');
            add_cells(&app->grid, row, view->placed[k].at, view->placed[k].width, &shown);
            cr_expect_str_eq(shown.bytes, clean.bytes, "row %zu, %s", i, column->name);
            compared++;
        }
    }
    text_free(&shown);
    text_free(&wanted);
    text_free(&clean);
    text_free(&scratch);
    return compared;
}

/* The event's page: each line on the screen is one of batch, moved in less. */
static uint32_t compare_lines(struct app *app, const struct drill *batch)
{
    struct drill_view *view = drill_view_of(app);
    struct text page = {0}, shown = {0};
    drill_add_page(batch, &page);
    const char *line = page.bytes;
    uint32_t compared = 0;
    cr_assert_eq(view->drill->rows.count, batch->rows.count);
    for (size_t i = 0; i < batch->rows.count && i < (size_t)view->heights[0]; i++, compared++) {
        const char *end = strchr(line, '\n');
        line += strspn(line, " ");
        add_cells(&app->grid, view->first_rows[0] + (int)i, 0, app->grid.columns, &shown);
        cr_expect(span_equal(text_span(&shown), (struct span){line, (size_t)(end - line)}), "line %zu: '%s' and '%.*s'",
                  i, shown.bytes, (int)(end - line), line);
        line = end + 1;
    }
    text_free(&page);
    text_free(&shown);
    return compared;
}

Test(drill_views, cells_are_those_of_batch)
{
    static const char *const keys[DRILL_KINDS] = {
        [DRILL_FOCUS] = "<Enter>", [DRILL_CALLS] = "c", [DRILL_TREE] = "T", [DRILL_KERNELS] = "K", [DRILL_PAIRS] = "P",
        [DRILL_MODULES] = "m", [DRILL_EVENT] = "e"};
    for (int recording = 0; recording < 2; recording++) {
        for (int kind = DRILL_FOCUS; kind <= DRILL_EVENT; kind++) {
            struct app app;
            struct drill_settings made;
            struct error error;
            cr_assert(support_explore(&app, support_sample(recordings[recording][1] + strlen("samples/"))));
            if (kind == DRILL_KERNELS && recording == 1) {
                app_free(&app);
                continue;
            }
            support_type(&app, "B<Resize 400x300>/aten::addmm<Enter>");
            struct drill_source source = {.table = app.table};
            struct drill_subject subject = {.about = DRILL_OF_ALL};
            if (kind == DRILL_FOCUS || kind == DRILL_CALLS || kind == DRILL_KERNELS || kind == DRILL_EVENT)
                cr_assert(drill_subject_find(&source, span_of("aten::addmm"), &subject, &error));
            support_type(&app, keys[kind]);
            drill_settings_init(&made);
            made.unfolded = true;
            if (kind == DRILL_TREE) {
                struct drill_view *view = drill_view_of(&app);
                view->settings.unfolded = true;
                drill_view_relist(view);
                app_draw(&app);
            }
            struct drill *batch = drill_build(&source, (enum drill_kind)kind, subject, &made);
            uint32_t compared = kind == DRILL_EVENT ? compare_lines(&app, batch) : compare(&app, batch);
            cr_expect_geq(compared, 4, "%s", drill_kinds[kind].name);
            drill_free(batch);
            drill_source_clear(&source);
            app_free(&app);
        }
    }
}
