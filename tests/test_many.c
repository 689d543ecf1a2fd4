/*
 * The table over many ranks in the explorer: grouped, chosen and exported like the command line's; rank by rank in the
 * focus; made anew by a thread, which can be stopped.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "keyavg/many.h"
#include "support/explorer.h"
#include "support/words.h"

enum { RANKS = 4 };

/* The four ranks of samples/ddp, separated by blanks; to be released. */
static struct text all_ranks(void)
{
    struct text words = {0};
    for (int i = 0; i < RANKS; i++) {
        char name[64];
        snprintf(name, sizeof name, "ddp/rank%d/trace.json.gz", i);
        text_addf(&words, "%s%s", i > 0 ? " " : "", words_sample(name));
    }
    return words;
}

/* What keys put into the clipboard of an explorer over these files; to be released. */
static struct support_bytes copied(const char *keys, const char *files)
{
    struct text words = {0};
    text_addf(&words, "--ranks --screen 100x24 --play '%s' %s", keys, files);
    struct words_run run = words_run(words.bytes, NULL, NULL);
    cr_assert_eq(run.status, 0, "%s: %s", keys, run.err.bytes);
    char *mark = strstr(run.err.bytes, "clipboard: "), *line = mark != NULL ? strchr(mark, '\n') : NULL;
    cr_assert_not_null(line, "%s: nothing was copied: %s", keys, run.err.bytes);
    struct support_bytes result = {strdup(line + 1), strlen(line + 1)};
    words_run_free(&run);
    text_free(&words);
    return result;
}

/* -- Exports ------------------------------------------------------------------------------------------------------ */

/* What Y copies is what the command line of :cli prints. */
static void same_as_the_command_line(const char *keys, const char *files)
{
    char with_cli[256], with_copy[256];
    snprintf(with_cli, sizeof with_cli, "%s:cli<Enter>", keys);
    snprintf(with_copy, sizeof with_copy, "%sY", keys);
    struct support_bytes line = copied(with_cli, files), view = copied(with_copy, files);
    line.bytes[strcspn(line.bytes, "\n")] = '\0';
    cr_assert_eq(strncmp(line.bytes, "keyavg ", 7), 0, "%s: %s", keys, line.bytes);
    struct words_run run = words_run(line.bytes + 7, NULL, NULL);
    cr_expect_eq(run.status, 0, "%s: %s", line.bytes, run.err.bytes);
    cr_expect_str_eq(view.bytes, run.out.bytes, "%s\n%s\n%s", line.bytes, view.bytes, run.out.bytes);
    cr_expect_gt(strlen(run.out.bytes), 200, "%s: too little to compare", line.bytes);
    words_run_free(&run);
    free(line.bytes);
    free(view.bytes);
}

static const char *const views[] = {
    "", "S", "S>>r", "mm<lt>", "O", ":group step,scope<Enter>", ":group shape<Enter>", "\\mm count>3<Enter>",
    "\\kind:op !copy<Enter>f", "ff", "t", "L2<Enter>", "S\\calls_differ>0<Enter>", "b<Down 6> <Esc>", "SS<Esc>",
    "\\self_cpu_time_total.spread>1ms<Enter>", "u", "qS}A", "q\\mm<Enter>A",
};

Test(many, exports_are_what_the_command_line_prints, .timeout = 240)
{
    struct text files = all_ranks();
    for (size_t i = 0; i < sizeof views / sizeof *views; i++)
        same_as_the_command_line(views[i], files.bytes);
    text_free(&files);
}

Test(many, exports_of_public_ranks, .timeout = 240)
{
    const char *files = words_shared("dlrm8");
    for (size_t i = 0; i < sizeof views / sizeof *views; i++)
        same_as_the_command_line(views[i], files);
}

Test(many, a_row_is_copied_and_a_file_written)
{
    struct text files = all_ranks(), words = {0};
    char path[64];
    snprintf(path, sizeof path, "many-%d.csv", (int)getpid());
    struct support_bytes row = copied("/aten::addmm<Enter>y", files.bytes);
    cr_expect_eq(strncmp(row.bytes, "aten::addmm\t", 12), 0, "%s", row.bytes);
    text_addf(&words, "--ranks --screen 100x24 --play '\\addmm<Enter>w%s<Enter>' %s", path, files.bytes);
    struct words_run run = words_run(words.bytes, NULL, NULL);
    cr_expect_not_null(strstr(run.out.bytes, ".csv as csv: 3 rows"), "%s", run.out.bytes);
    words_run_free(&run);
    text_clear(&words);
    text_addf(&words, "--ranks -f csv -F addmm %s", files.bytes);
    struct words_run batch = words_run(words.bytes, NULL, NULL);
    FILE *file = fopen(path, "rb");
    cr_assert_not_null(file);
    char *bytes = calloc(1, 1 << 16);
    fread(bytes, 1, (1 << 16) - 1, file);
    fclose(file);
    unlink(path);
    /* The file has the columns of the screen, not all. */
    cr_expect_eq(strncmp(bytes, "key,", 4), 0, "%s", bytes);
    cr_expect_not_null(strstr(bytes, "\naten::addmm,"), "%s", bytes);
    cr_expect_not_null(strstr(batch.out.bytes, "\naten::addmm,"), "%s", batch.out.bytes);
    words_run_free(&batch);
    free(bytes);
    free(row.bytes);
    text_free(&words);
    text_free(&files);
}

/* -- Rank by rank ------------------------------------------------------------------------------------------------- */

static struct words_run screen(const char *keys, const char *files)
{
    struct text words = {0};
    text_addf(&words, "--ranks --time-unit us --screen 110x30 --play '%s' %s", keys, files);
    struct words_run run = words_run(words.bytes, NULL, NULL);
    cr_assert_eq(run.status, 0, "%s: %s", keys, run.err.bytes);
    text_free(&words);
    return run;
}

/* The line of a rank in the pane. */
static const char *line_of_rank(const char *pane, int rank, char *out, size_t room)
{
    char begin[32];
    snprintf(begin, sizeof begin, "\n rank %d ", rank);
    const char *at = pane != NULL ? strstr(pane, begin) : NULL;
    snprintf(out, room, "%.*s", at != NULL ? (int)strcspn(at + 1, "\n") : 0, at != NULL ? at + 1 : "");
    return out;
}

/* The pane below a focus has each rank's own numbers, whichever rank's trace is open. */
static void pane_tells(const char *keys, const char *filter, const char *name, const char *files)
{
    struct text words = {0};
    text_addf(&words, "--ranks --by-rank -f csv -c key,self_cpu_time_total,count -F '%s' -s key %s", filter, files);
    struct words_run batch = words_run(words.bytes, NULL, NULL);
    struct words_run run = screen(keys, files);
    const char *pane = strstr(run.out.bytes, "\n ranks  Self CPU");
    cr_expect_not_null(pane, "%s", run.out.bytes);
    int seen = 0;
    for (const char *at = batch.out.bytes; (at = strstr(at, name)) != NULL; at++) {
        /* key,node_id,self,count; the ranks stand in their order */
        char line[512], amount[64], calls[64];
        double self;
        int rank = seen, count;
        cr_assert_eq(sscanf(at + strlen(name), ",%lf,%d", &self, &count), 2, "%s", at);
        snprintf(amount, sizeof amount, " %.3fus ", self);
        snprintf(calls, sizeof calls, " %d call", count);
        line_of_rank(pane, rank, line, sizeof line);
        cr_expect_not_null(strstr(line, amount), "%s: rank %d:%s\n%s", keys, rank, amount, run.out.bytes);
        cr_expect_not_null(strstr(line, calls), "%s: rank %d:%s\n%s", keys, rank, calls, run.out.bytes);
        seen++;
    }
    cr_expect_eq(seen, RANKS, "%s: %d ranks\n%s", keys, seen, batch.out.bytes);
    words_run_free(&batch);
    words_run_free(&run);
    text_free(&words);
}

Test(many, the_focus_lists_the_row_rank_by_rank, .timeout = 60)
{
    struct text files = all_ranks();
    pane_tells("/aten::addmm<Enter><Enter>", "/^aten::addmm$/", "\naten::addmm", files.bytes);
    pane_tells("/aten::addmm<Enter><Enter>)", "/^aten::addmm$/", "\naten::addmm", files.bytes);
    pane_tells("/aten::addmm<Enter><Enter>((", "/^aten::addmm$/", "\naten::addmm", files.bytes);
    pane_tells("q/aten::linear<Enter><Enter>", "/^aten::linear$/", "\naten::linear", files.bytes);
    text_free(&files);
}

static void shows(const char *keys, const char *files, const char *wanted)
{
    struct words_run run = screen(keys, files);
    cr_expect_not_null(strstr(run.out.bytes, wanted), "%s: no '%s' in\n%s", keys, wanted, run.out.bytes);
    words_run_free(&run);
}

/* A row is found by all of its key, in the trace and over the ranks. */
Test(many, a_row_of_any_grouping_is_opened, .timeout = 60)
{
    struct text files = all_ranks();
    shows("S/addmm<Enter><Enter>", files.bytes, " focus  aten::addmm  [[128], [32, 64]");
    shows("S/empty_strided<Enter><Enter>)", files.bytes, " focus  aten::empty_strided  [[], [], ");
    shows("S/empty_strided<Enter><Enter>)", files.bytes, " trace.json.gz  rank 2 of 4 ");
    shows("S/empty_strided<Enter><Enter>)", files.bytes, "\n ranks  Self CPU");
    shows(":group step,scope<Enter><Enter>", files.bytes, "\n ranks  Self CPU");
    /* Grouped in the trace: the table over ranks is so too, or is once it is looked at. */
    shows("qS/aten::addmm<Enter><Enter>", files.bytes, "\n ranks  Self CPU");
    shows("qS/aten::addmm<Enter><Enter>", files.bytes, "\n rank 3 ");
    shows("q:group name,thread<Enter>A", files.bytes, "\n thread \u2715");
    shows("q:group name,thread<Enter>A", files.bytes, " thread 1 ");
    /* Threads have other numbers in each process. */
    shows(":group name,thread<Enter>/addmm<Enter><Enter>", files.bytes, " focus  aten::addmm  ");
    shows(":group name,thread<Enter>/addmm<Enter><Enter>)", files.bytes, " focus  aten::addmm  ");
    shows(":group name,thread<Enter>/addmm<Enter><Enter>)", files.bytes, " trace.json.gz  rank 2 of 4 ");
    shows(":group name,thread<Enter>/addmm<Enter><Enter>c(", files.bytes, " trace.json.gz  rank 0 of 4 ");
    shows(":group name,thread<Enter>/addmm<Enter><Enter>c(", files.bytes, " focus  aten::addmm  ");
    shows(":group thread,step,dtype<Enter><Enter>", files.bytes, "\n ranks  Self CPU");
    text_free(&files);
}

Test(many, what_cannot_be_is_told, .timeout = 60)
{
    struct text files = all_ranks(), three = {0};
    shows("}", files.bytes, "no stacks in these traces; torch.profiler records them with with_stack=True");
    shows("\\nothing_like_it<Enter>", files.bytes, "nothing passes this filter; Esc takes it away");
    shows("\\nothing_like_it<Enter>j", files.bytes, "no rows pass the filter; Esc takes back");
    shows("\\/(<Enter>", files.bytes, " 4 ranks  CPU  68 rows");
    shows("S<Esc>", files.bytes, " 4 ranks  CPU  68 rows");
    shows("\\addmm<Esc>", files.bytes, " 4 ranks  CPU  68 rows");
    shows("L99<Enter>", files.bytes, "no rows: 68 hidden");
    text_addf(&three, "%s", files.bytes);
    *strrchr(three.bytes, ' ') = '\0';
    three.length = strlen(three.bytes);
    shows("", three.bytes, " 3 ranks  1 missing  CPU  ");
    text_free(&three);
    text_free(&files);
}

/* A configuration groups the ranks as it groups one trace; the command line stands above it. */
Test(many, a_configuration_groups_them, .timeout = 60)
{
    struct text files = all_ranks(), more = {0};
    const char *config = words_file("many.yaml", "options:\n  group-by: name,shape\n");
    text_addf(&more, "--config %s %s", config, files.bytes);
    shows("", more.bytes, "\n shape \u2715");
    text_clear(&more);
    text_addf(&more, "--config %s --group-by name %s", config, files.bytes);
    shows("", more.bytes, "\n by name");
    unlink(config);
    text_free(&more);
    text_free(&files);
}

Test(many, the_mouse_sorts_and_takes_crumbs_away, .timeout = 60)
{
    struct text files = all_ranks();
    shows("S<Click 3,2>", files.bytes, "\n by name");
    shows("<Click 54,3>", files.bytes, " spread\u25BC");
    shows("<Click 54,3><Click 54,3>", files.bytes, " spread\u25B2");
    shows("mmmm", files.bytes, " # of Calls\u25BC");
    /* No digit is lost for want of room. */
    shows("", files.bytes, " 137870.698us ");
    shows("<Click 5,6>", files.bytes, " row 3 of 68 ");
    shows("<Click 5,6><Click 5,6>", files.bytes, " focus  DistributedDataParallel.forward ");
    text_free(&files);
}

/* -- Made by a thread --------------------------------------------------------------------------------------------- */

/* Summaries of the four ranks, in the folder where the test runs. */
static void summarise(char paths[RANKS][64])
{
    for (int i = 0; i < RANKS; i++) {
        struct text words = {0};
        char name[64];
        snprintf(name, sizeof name, "ddp/rank%d/trace.json.gz", i);
        snprintf(paths[i], sizeof paths[i], "many-%d-rank%d.kavg", (int)getpid(), i);
        text_addf(&words, "--summarise %s %s", paths[i], words_sample(name));
        words_print(words.bytes, NULL, NULL, 0, NULL, NULL);
        text_free(&words);
    }
}

static void remove_all(char paths[RANKS][64])
{
    for (int i = 0; i < RANKS; i++)
        unlink(paths[i]);
}

/* An explorer over summaries; what takes long waits for `work`. */
static void open_summaries(struct app *app, struct options *options, char paths[RANKS][64])
{
    char *argv[] = {(char[]){"keyavg"}, (char[]){"--ranks"}, paths[0], paths[1], paths[2], paths[3], NULL};
    struct error error = {0};
    cr_assert(options_parse(options, 6, argv, &error), "%s", error.text);
    struct many *many = many_read(options, &error);
    cr_assert_not_null(many, "%s", error.text);
    app_init(app, paths[0], &options->query, 24, 100, false);
    cr_assert_not(many_start(app, many));
    many_show(app);
    app->patience = 1;
    app_draw(app);
}

static void close_summaries(struct app *app, struct options *options)
{
    struct many *many = app->many;
    app_free(app);
    many_free(many);
    options_free(options);
}

static void finish(struct app *app)
{
    while (!many_work_wait(app, 1000000000))
        ;
    many_work_take(app);
    app_draw(app);
}

/* All that waits, as the loop does it; how often that was. */
static int work(struct app *app)
{
    int times = 0;
    for (; app->many->work_waits; times++) {
        many_work_start(app, NULL);
        finish(app);
    }
    return times;
}

Test(many, a_thread_makes_what_is_made_at_once, .timeout = 60)
{
    static const char *const keys[] = {"S", "jjj", "S", "f", ":group name,step<Enter>", "\\mm", "<Enter>", "<Esc>",
                                       ":group name<Enter>", "t", "t", "R", ">", "r", "m", "/copy<Enter>", "S"};
    char paths[RANKS][64];
    struct options options, others;
    struct app app, other;
    struct text a = {0}, b = {0};
    int times = 0;
    summarise(paths);
    open_summaries(&app, &options, paths);
    open_summaries(&other, &others, paths);
    other.patience = 0;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        support_type(&app, keys[i]);
        times += work(&app);
        support_type(&other, keys[i]);
        support_add_screen(&app, &a);
        support_add_screen(&other, &b);
        cr_assert_str_eq(a.bytes, b.bytes, "after key %zu, %s:\n%s%s", i, keys[i], a.bytes, b.bytes);
    }
    cr_expect_geq(times, 6, "%d times in a thread", times);
    close_summaries(&app, &options);
    close_summaries(&other, &others);
    remove_all(paths);
    text_free(&a);
    text_free(&b);
}

Test(many, escape_stops_reading, .timeout = 60)
{
    char paths[RANKS][64];
    struct options options;
    struct app app;
    summarise(paths);
    open_summaries(&app, &options, paths);
    uint32_t count = app.many->ranks->count;
    support_type(&app, "S");
    cr_expect(app.many->work_waits);
    support_type(&app, "<Esc>");
    cr_expect_not(app.many->work_waits, "what had not begun is not begun");
    cr_expect_eq(app.query.grouping.parts, GROUP_NAME);
    support_type(&app, "S");
    many_work_start(&app, NULL);
    app_draw(&app);
    cr_expect(support_on_screen(&app, "reading 4 files again"));
    support_type(&app, "jj<Esc>");
    finish(&app);
    cr_expect_not(app.many->work_waits);
    cr_expect_eq(app.many->ranks->count, count);
    cr_expect_eq(app.query.grouping.parts, GROUP_NAME);
    cr_expect_eq(app.top->list.cursor, 2, "moving goes on meanwhile");
    cr_expect(support_on_screen(&app, " by name"));
    close_summaries(&app, &options);
    remove_all(paths);
}

/* What is asked for while another table is being made is what is shown in the end. */
Test(many, the_last_question_counts, .timeout = 60)
{
    char paths[RANKS][64];
    struct options options;
    struct app app;
    summarise(paths);
    open_summaries(&app, &options, paths);
    support_type(&app, "S");
    many_work_start(&app, NULL);
    support_type(&app, ":group name,step<Enter>");
    finish(&app);
    cr_expect_eq(work(&app), 1);
    cr_expect(support_on_screen(&app, "by step \u2715"));
    cr_expect_eq(app.many->ranks->query.query.grouping.parts, GROUP_NAME | GROUP_STEP);
    support_type(&app, ":group name<Enter>");
    many_work_start(&app, NULL);
    support_type(&app, ":group name,step<Enter>");
    finish(&app);
    cr_expect_eq(work(&app), 0, "that is on the screen already");
    cr_expect_eq(app.many->ranks->query.query.grouping.parts, GROUP_NAME | GROUP_STEP);
    close_summaries(&app, &options);
    remove_all(paths);
}

/* A question that files cannot answer leaves all as it was; a file that is gone is told and left out. */
Test(many, what_fails_is_told, .timeout = 60)
{
    char paths[RANKS][64];
    struct options options;
    struct app app;
    summarise(paths);
    open_summaries(&app, &options, paths);
    uint32_t count = app.many->ranks->count;
    support_type(&app, ":group name,thread<Enter>");
    work(&app);
    cr_expect(support_on_screen(&app, "a summary has groups by name and one of"));
    cr_expect_eq(app.query.grouping.parts, GROUP_NAME);
    cr_expect_eq(app.many->ranks->count, count);
    unlink(paths[1]);
    support_type(&app, "R");
    cr_expect_eq(work(&app), 1);
    cr_expect(support_on_screen(&app, "-rank1.kavg: "));
    cr_expect(support_on_screen(&app, "3 ranks  1 missing"));
    cr_expect_eq(app.many->ranks->roll.whole->sources.count, 3);
    close_summaries(&app, &options);
    remove_all(paths);
}
