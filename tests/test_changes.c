/*
 * Two traces in the explorer: the table of changes, its columns, its keys and its drills; long updates, reading again.
 * And the screens and tables of public pairs of traces.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "keyavg/app.h"
#include "keyavg/work.h"
#include "support/explorer.h"
#include "support/render.h"
#include "support/skip.h"
#include "support/words.h"

/* -- Public pairs ------------------------------------------------------------------------------------------------ */

static char *read_golden(const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/golden/%s", support_tests_dir(), name);
    return access(path, F_OK) == 0 ? support_read(path, NULL) : NULL;
}

/* KEYAVG_UPDATE_GOLDEN=1 writes the files anew instead of comparing. */
static void check_golden(const char *name, const struct support_bytes *text)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/golden/%s", support_tests_dir(), name);
    if (getenv("KEYAVG_UPDATE_GOLDEN") != NULL) {
        FILE *file = fopen(path, "w");
        cr_assert_not_null(file, "%s", path);
        fwrite(text->bytes, 1, text->length, file);
        fclose(file);
        return;
    }
    char *golden = read_golden(name);
    cr_expect_not_null(golden, "%s: no golden file", name);
    if (golden != NULL)
        cr_expect_str_eq(text->bytes, golden, "%s is now:\n%s", name, text->bytes);
    free(golden);
}

static void check_words(const char *name, const char *words, const char *first, const char *second)
{
    setenv("LC_ALL", "C.UTF-8", 1);
    struct words_run run = words_run(words, first, second);
    cr_expect_eq(run.status, 0, "%s: %s", words, run.err.bytes);
    check_golden(name, &run.out);
    words_run_free(&run);
}

/* The first screen, drilled into a row, and the table in batch. */
static void check_pair(const char *name, const char *first, const char *second)
{
    char golden[64];
    snprintf(golden, sizeof golden, "changes-%s.screen", name);
    check_words(golden, "--play '' --screen 100x20 $1 $2", first, second);
    snprintf(golden, sizeof golden, "changes-%s.drill", name);
    check_words(golden, "--play 'jSA<Enter>' --screen 100x24 $1 $2", first, second);
    snprintf(golden, sizeof golden, "changes-%s.batch", name);
    check_words(golden, "--batch --format text --row-limit 12 $1 $2", first, second);
}

Test(changes, ranks_of_our_own)
{
    check_pair("ddp", words_sample("ddp/rank0/trace.json.gz"), words_sample("ddp/rank3/trace.json.gz"));
}

Test(changes, public_pair)
{
    check_pair("pair", words_shared("diff-base.json.gz"), words_shared("diff-test.json.gz"));
}

Test(changes, public_control)
{
    check_pair("control", words_shared("a100-diff-control.json.gz"), words_shared("a100-nccl.json.gz"));
}

Test(changes, public_sampled_ranks)
{
    check_pair("sampled", words_shared("sampled-rank0.json.gz"), words_shared("sampled-rank1.json.gz"));
}

Test(changes, public_ranks)
{
    check_pair("dlrm", words_shared("dlrm8/worker0.json.gz"), words_shared("dlrm8/worker5.json.gz"));
}

/* -- The same on the screen and in batch -------------------------------------------------------------------------- */

/* What keys show, written by the explorer, is what options print. */
static void check_export(const char *keys, const char *options, const char *first, const char *second)
{
    char path[] = "changes-XXXXXX.csv", words[512];
    int file = mkstemps(path, 4);
    cr_assert_geq(file, 0);
    close(file);
    unlink(path);
    snprintf(words, sizeof words, "--play '%sw%s<Enter>' $1 $2", keys, path);
    struct words_run played = words_run(words, first, second);
    cr_assert_eq(played.status, 0, "%s", played.err.bytes);
    cr_assert_not_null(strstr(played.out.bytes, "wrote "), "%s:\n%s", keys, played.out.bytes);
    words_run_free(&played);
    char *written = support_read(path, NULL);
    unlink(path);
    /* The columns are those of the screen. */
    char all[4096], *header = strndup(written, strcspn(written, "\r\n"));
    snprintf(all, sizeof all, "--format csv --columns %s %s $1 $2", header, options);
    struct words_run printed = words_run(all, first, second);
    cr_assert_eq(printed.status, 0, "%s", printed.err.bytes);
    cr_expect_str_eq(written, printed.out.bytes, "%s, %s", keys, options);
    words_run_free(&printed);
    free(header);
    free(written);
}

Test(changes, exports_are_what_batch_prints, .timeout = 120)
{
    static const char *const same[][2] = {
        {"", ""},
        {"S", "--group-by-input-shape"},
        {"A", "--per-step"},
        {"==A", "--per-step"},
        {"\\mm<Enter>", "--filter mm"},
        {"\\self_cpu_time_total.diff>100us<Enter>", "--filter self_cpu_time_total.diff>100us"},
        {":scope backward<Enter>", "--scope backward"},
        {":group scope,name<Enter>", "--group-by scope,name"},
        {":set unchanged on<Enter>", "--unchanged"},
        {":sort count<Enter>", "--sort-by count"},
        {":sort self_cpu_time_total.ratio<Enter>r", "--sort-by self_cpu_time_total.ratio --ascending"},
        {"r", "--ascending"},
        {"tL1<Enter>", "--top-level-events-only --hide-below 1"},
        {":set row-limit 5<Enter>", "--row-limit 5"},
        {"p", "--include-python-functions"},
        {":unsort<Enter>", "--sort-by none"},
    };
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        check_export(same[i][0], same[i][1], words_sample("ddp/rank0/trace.json.gz"),
                     words_sample("ddp/rank1/trace.json.gz"));
        check_export(same[i][0], same[i][1], words_sample("mlp_all/trace.json.gz"),
                     words_sample("gpu_small/trace.json"));
    }
}

/* Each line behind a word; the first one stands once. */
static void add_lines(struct text *out, const char *word, const char *lines, bool header)
{
    for (const char *at = lines; *at != '\0';) {
        size_t length = strcspn(at, "\n") + 1;
        bool first = at == lines;
        if (!first || header)
            text_addf(out, "%s,%.*s", first ? "side" : word, (int)length, at);
        at += length;
    }
}

/* A view of two traces has the rows that it has of each alone. */
Test(changes, views_have_the_rows_of_each_side, .timeout = 120)
{
    static const char *const views[] = {
        "--view focus --focus aten::addmm", "--view calls --focus aten::addmm --sort-by duration", "--view tree -n 40",
        "--view modules", "--view pairs --group-by name,shape", "--view event --focus aten::mm",
        "--view tree --focus aten::linear --bottom-up --row-limit 10", "--view calls --scope backward --filter mm",
    };
    for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
        const char *base = words_sample("ddp/rank0/trace.json.gz"), *other = words_sample("ddp/rank1/trace.json.gz");
        char words[256];
        struct text expected = {0};
        snprintf(words, sizeof words, "%s --format csv $1", views[i]);
        struct words_run first = words_run(words, base, NULL), second = words_run(words, other, NULL);
        add_lines(&expected, "base", first.out.bytes, true);
        add_lines(&expected, "new", second.out.bytes, false);
        snprintf(words, sizeof words, "%s --format csv $1 $2", views[i]);
        words_print(words, base, other, 0, expected.bytes, NULL);
        words_run_free(&first);
        words_run_free(&second);
        text_free(&expected);
    }
    const char *a = words_sample("mlp_all/trace.json.gz"), *b = words_sample("gpu_small/trace.json");
    words_print("--view calls --focus aten::cudnn_convolution --format csv --columns call,side -n 1 $1 $2", a, b, 0,
                "call,side\r\n1,new\r\n", "");
    words_print("--view calls --focus nowhere --format csv $1 $2", a, b, 2, "", NULL);
    words_print("--explain aten::mm cpu_time_total $1 $2", a, b, 2, "", "keyavg: --explain is of one trace\n");
    words_print("--view calls --fail-if 'count > 1' $1 $2", a, b, 2, "",
                "keyavg: --fail-if is about the table of changes; --view does not go with it\n");
    words_print("--view calls --sort-by count.diff $1 $2", a, b, 2, "", NULL);
    words_print("--columns side $1 $2", a, b, 2, "",
                "keyavg: column 'side' is of the views of two traces\n");
}

/* `:cli` tells both files, filters of sides and what only two traces have. */
Test(changes, the_command_line_that_shows_the_same)
{
    struct words_run run = words_run("--play 'A:cli<Enter>' --base-filter scope:forward --new-filter 'step:2 !mm' $1",
                                     "a b.json", NULL);
    cr_expect_eq(run.status, 1); /* no such file */
    words_run_free(&run);
    run = words_run("--play 'AS:cli<Enter>' --base-filter scope:forward --new-filter 'step:2 !mm' $1",
                    words_sample("ddp/rank0/trace.json.gz"), NULL);
    const char *line = strstr(run.err.bytes, "keyavg --group-by name,shape");
    cr_assert_not_null(line, "%s", run.err.bytes);
    cr_expect_not_null(strstr(line, " --per-step "));
    cr_expect_not_null(strstr(line, " --base-filter scope:forward --new-filter 'step:2 !mm' "), "%s", line);
    cr_expect_null(strstr(line, "--sort-by"), "%s", line);
    words_run_free(&run);
}

/* -- The explorer itself ------------------------------------------------------------------------------------------ */

static struct compare *read_pair(const char *first, const char *second, const struct compare_query *query)
{
    const char *const paths[COMPARE_SIDES] = {first, second};
    struct trace_options reading[COMPARE_SIDES] = {{.keep_text = true}, {.keep_text = true}};
    struct trace *traces[COMPARE_SIDES];
    struct error error = {0};
    cr_assert(compare_load(paths, reading, true, traces, &error), "%s", error.text);
    return app_build_compare(traces, query);
}

/* At 100x24; with `patience` 1 every update is left to the loop. */
static void open_two(struct app *app, const char *first, const char *second, const char *const own[COMPARE_SIDES],
                     uint64_t patience)
{
    struct query query;
    struct compare_query more = {.main_sort = true};
    query_init(&query);
    app_init(app, first, &query, 24, 100, false);
    app_init_two(app, second, &more, own);
    more = app_compare_query(app);
    app_set_compare(app, read_pair(first, second, &more));
    app->patience = patience;
    app_draw(app);
}

static const char *const no_filters[COMPARE_SIDES];

static void open_ranks(struct app *app, uint64_t patience)
{
    open_two(app, words_sample("ddp/rank0/trace.json.gz"), words_sample("ddp/rank1/trace.json.gz"), no_filters,
             patience);
}

/* A comparison made beside the one that is shown is the one that an update makes. */
Test(changes, long_updates_show_the_same_in_the_end, .timeout = 120)
{
    static const char *const keys[] = {
        "S", "}", "}", "<Down 5>", "A", "=", "\\mm", "<Enter>", "f", "f", "%", "p", "p", "p", "L1<Enter>", "3", "r",
        "t", "t", " j ", ":group scope,step<Enter>", "u", "<Enter>", "a", "S", "q", "<Esc>", "<Esc>", "<Esc>",
        ":sort p99<Enter>", "=", "\\<Backspace 2>count>1<Enter>", "A", "U", ":set unchanged on<Enter>",
        ":set sort-by auto<Enter>", "jj<Enter>",
        "a", "j", "c",
        "jj", "T", "+", "a", "e", "q", "q", "q", "q", "d", "G",
    };
    struct app one, other;
    open_ranks(&one, 0);
    open_ranks(&other, 1);
    support_type_beside(&one, &other, keys, sizeof keys / sizeof *keys);
    app_free(&one);
    app_free(&other);
}

Test(changes, escape_gives_up_a_long_update)
{
    static const char *const own[COMPARE_SIDES] = {"step:1", NULL};
    struct app app;
    open_two(&app, words_sample("ddp/rank0/trace.json.gz"), words_sample("ddp/rank0/trace.json.gz"), own, 1);
    support_type_patiently(&app, "\\mm<Enter>");
    uint32_t count = app.compare->count;
    const struct filter *filter = app.two.filters[COMPARE_BASE];
    support_type(&app, "\\add<Enter>");
    work_start(&app, NULL);
    support_type(&app, "S");
    support_type(&app, "<Esc>");
    support_work(&app);
    cr_expect_eq(app.compare->count, count);
    cr_expect_eq(app.query.grouping.parts, GROUP_NAME);
    cr_expect_eq(app.two.filters[COMPARE_BASE], filter, "the filter that is shown is in force again");
    cr_expect(support_on_screen(&app, "filter mm"));
    app_free(&app);
}

/* Sides have filters that are set and taken away while the program runs; Esc in a long update brings back what is
 * shown. */
Test(changes, sides_have_filters_of_their_own)
{
    struct app app;
    open_ranks(&app, 0);
    uint32_t all = app.compare->count;
    support_type(&app, ":set base-filter step:1<Enter>:set new-filter step:2 !mm<Enter>");
    cr_expect(support_on_screen(&app, "base step:1 \u2715"));
    cr_expect(support_on_screen(&app, "new step:2 !mm \u2715"));
    cr_expect(support_on_screen(&app, "-aten::addmm"));
    app.patience = 1;
    support_type(&app, ":set base-filter step:2<Enter>");
    cr_expect(app.update_waits);
    support_type(&app, "<Esc>");
    cr_expect_str_eq(app.two.own[COMPARE_BASE], "step:1");
    cr_expect_eq(app.two.filters[COMPARE_BASE], app.compare->query.filters[COMPARE_BASE]);
    app.patience = 0;
    support_type(&app, ":set base-filter step:<Enter>");
    cr_expect(support_on_screen(&app, "nothing stands behind the colon"));
    cr_expect_str_eq(app.two.own[COMPARE_BASE], "step:1");
    support_type(&app, "<Esc><Esc>");
    cr_expect_null(app.two.own[COMPARE_NEW]);
    cr_expect_null(app.two.own[COMPARE_BASE]);
    cr_expect_eq(app.compare->count, all);
    app_free(&app);
}

/* Cursor and marks stay with their rows, whatever order, columns or reading. */
Test(changes, cursor_and_marks_stay, .timeout = 60)
{
    struct app app;
    open_ranks(&app, 0);
    support_type(&app, "/addmm<Enter> <Down 2> ");
    cr_expect(support_on_screen(&app, "2 marked"));
    support_type(&app, "/addmm<Enter>r=");
    support_type(&app, "jk");
    cr_expect(support_on_screen(&app, "2 marked"));
    struct text before = {0}, after = {0};
    support_add_screen(&app, &before);
    struct compare_query query = app_compare_query(&app);
    app_set_compare(&app, read_pair(words_sample("ddp/rank0/trace.json.gz"), words_sample("ddp/rank1/trace.json.gz"),
                                    &query));
    app_draw(&app);
    support_add_screen(&app, &after);
    cr_expect_str_eq(after.bytes, before.bytes);
    support_type(&app, "U");
    cr_expect_not(support_on_screen(&app, "marked"));
    text_free(&before);
    text_free(&after);
    app_free(&app);
}

/* -- Both sides of a drill ----------------------------------------------------------------------------------------- */

Test(changes, drills_show_both_sides, .timeout = 60)
{
    static const char *const keys[] = {"<Enter>", "c", "T", "m", "e", "P", "<Enter><Enter>", "c<Enter>"};
    struct app app;
    open_two(&app, words_sample("mlp_all/trace.json.gz"), words_sample("gpu_small/trace.json"), no_filters, 0);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        support_type(&app, "g/aten::addmm<Enter>");
        support_type(&app, keys[i]);
        cr_expect(support_on_screen(&app, " base  "), "%s", keys[i]);
        cr_expect(support_on_screen(&app, " new  "), "%s", keys[i]);
        int side = app.side;
        support_type(&app, "a");
        cr_expect_eq(app.side, 1 - side, "%s", keys[i]);
        cr_expect_eq(app.table, app.compare->sides[app.side].table);
        support_type(&app, "<Down 3>S");
        support_type(&app, "q");
        while (app.top->below != NULL)
            support_type(&app, "q");
    }
    app_free(&app);
}

/* A click on the other side goes there; where there is room for one alone it is its own. */
Test(changes, clicks_go_to_their_side)
{
    struct app app;
    open_ranks(&app, 0);
    support_type(&app, "<Enter><Click 5,5>");
    cr_expect_eq(app.side, COMPARE_BASE);
    support_type(&app, "<Click 5,16>");
    cr_expect_eq(app.side, COMPARE_NEW);
    grid_resize(&app.grid, 8, 40);
    app_draw(&app);
    support_type(&app, "a<Click 5,5>");
    cr_expect_eq(app.side, COMPARE_BASE);
    app_free(&app);
}

Test(changes, what_one_side_has_alone_is_said)
{
    struct app app;
    open_two(&app, words_sample("mlp_all/trace.json.gz"), words_sample("gpu_small/trace.json"), no_filters, 0);
    support_type(&app, "/cudnn_convolution<Enter><Enter>");
    cr_expect(support_on_screen(&app, "base: nothing of this is there"));
    support_type(&app, "a");
    cr_expect(support_on_screen(&app, "nothing of this is in the base"));
    app_free(&app);
}

/* What is saved from two traces starts one without a complaint. */
Test(changes, saved_settings_are_for_one_trace_too)
{
    char path[64], words[256];
    snprintf(path, sizeof path, "changes-%d.yaml", (int)getpid());
    setenv("KEYAVG_CONFIG", path, 1);
    struct words_run run = words_run("--play ']:columns key,count.diff<Enter>A=:save<Enter>' $1 $2",
                                     words_sample("ddp/rank0/trace.json.gz"), words_sample("ddp/rank1/trace.json.gz"));
    cr_expect_not_null(strstr(run.out.bytes, "saved to"), "%s", run.out.bytes);
    words_run_free(&run);
    char *saved = support_read(path, NULL);
    cr_expect_not_null(strstr(saved, "\n  per-step: on"), "%s", saved);
    cr_expect_not_null(strstr(saved, "\n  facets: change"), "%s", saved);
    cr_expect_null(strstr(saved, ".diff"), "%s", saved);
    free(saved);
    snprintf(words, sizeof words, "--play '' --config %s $1", path);
    run = words_run(words, words_sample("ddp/rank0/trace.json.gz"), NULL);
    cr_expect_not_null(strstr(run.out.bytes, "row 1 of"), "%s", run.out.bytes);
    words_run_free(&run);
    unlink(path);
}

/* The menu of sorts comes back to the size of the change, which no column's name says. */
Test(changes, the_menu_has_the_first_order)
{
    struct app app;
    struct text first = {0}, again = {0};
    open_ranks(&app, 0);
    support_add_screen(&app, &first);
    support_type(&app, "]");
    cr_expect_not(app.two.main_sort);
    support_type(&app, "s");
    support_type(&app, "G");
    cr_expect(support_on_screen(&app, "size of the change, as at first"));
    support_type(&app, "<Enter>g");
    support_add_screen(&app, &again);
    cr_expect_str_eq(again.bytes, first.bytes);
    text_free(&first);
    text_free(&again);
    app_free(&app);
}

/* Keys of two traces do nothing in one, and say so. */
Test(changes, one_trace_has_no_sides)
{
    struct app app;
    cr_assert(support_explore(&app, support_sample("gpu_small/trace.json")));
    support_type(&app, "=");
    cr_expect(support_on_screen(&app, "= means nothing here"));
    support_type(&app, ":per-step<Enter>");
    cr_expect(support_on_screen(&app, "per-step does nothing in this view"));
    support_type(&app, ":set per-step on<Enter>");
    cr_expect(support_on_screen(&app, "per-step is for two traces: keyavg BASE NEW"));
    support_type(&app, ":sort count.diff<Enter>");
    cr_expect(support_on_screen(&app, "the column count.diff needs two traces: keyavg BASE NEW"));
    support_type(&app, "<Enter>a");
    cr_expect(support_on_screen(&app, "a means nothing here"));
    app_free(&app);
}
