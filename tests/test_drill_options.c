/*
 * A view on the command line and on the screen: the one opens the other, and is told by it.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "../src/ui/drill_view.h"
#include "support/explorer.h"
#include "support/run.h"
#include "support/skip.h"

/* The screen that --play '' draws with these options. */
static struct support_bytes screen_of(const char *const *options)
{
    const char *argv[32] = {support_keyavg(), "--play", "", "--screen", "100x24"};
    struct support_bytes screen;
    int count = 5, status;
    while (*options != NULL)
        argv[count++] = *options++;
    argv[count] = support_sample("gpu_small/trace.json");
    cr_assert(support_run(argv, &screen, NULL, &status));
    cr_assert_eq(status, 0);
    return screen;
}

static void expect_on(struct support_bytes screen, const char *words, bool there)
{
    cr_expect_eq(strstr(screen.bytes, words) != NULL, there, "'%s' in\n%s", words, screen.bytes);
}

Test(drill_options, sort_columns_and_limit_are_the_view_s)
{
    const char *const options[] = {"--view",    "calls",       "--focus",     "aten::mm",   "--sort-by", "duration",
                                   "--columns", "call,duration,step", "--row-limit", "2", "--ascending", NULL};
    struct support_bytes screen = screen_of(options);
    expect_on(screen, "Duration \u25B2", true);
    expect_on(screen, "Step", true);
    expect_on(screen, "Start", false);
    expect_on(screen, "row 1 of 2 ", true);
    support_run_free(&screen);
}

Test(drill_options, the_table_under_it_is_the_usual_one)
{
    struct app app;
    struct drill_settings wanted;
    struct error error = {0};
    cr_assert(support_explore(&app, support_sample("gpu_small/trace.json")));
    const struct column *sort = app.query.sort;
    drill_settings_init(&wanted);
    wanted.sort = column_find(span_of("duration"));
    cr_assert(drill_view_open_named(&app, DRILL_CALLS, "aten::mm", &wanted, &error));
    cr_expect_eq(drill_view_of(&app)->settings.sort, wanted.sort);
    support_type(&app, "<Backspace>");
    cr_expect_eq(app.query.sort, sort);
    cr_expect_not(drill_view_open_named(&app, DRILL_CALLS, "aten::nothing", &wanted, &error));
    app_free(&app);
}

Test(drill_options, filter_and_flags_are_the_view_s)
{
    const char *const tree[] = {"--view", "tree", "--bottom-up", "--view-filter", "count>8 kind:op", "--row-limit", "5",
                                NULL};
    struct support_bytes screen = screen_of(tree);
    expect_on(screen, "bottom up", true);
    expect_on(screen, "rows count>8 kind:op", true);
    support_run_free(&screen);
    const char *const modules[] = {"--view", "modules", "--by-class", NULL};
    screen = screen_of(modules);
    expect_on(screen, "Conv2d ", true);
    expect_on(screen, "Conv2d_0", false);
    support_run_free(&screen);
}

static void expect_usage(const char *const *options, const char *words)
{
    const char *argv[16] = {support_keyavg()};
    struct support_bytes messages;
    int count = 1, status;
    while (*options != NULL)
        argv[count++] = *options++;
    argv[count] = support_sample("gpu_small/trace.json");
    cr_assert(support_run(argv, NULL, &messages, &status));
    cr_expect_eq(status, 2);
    cr_expect(strstr(messages.bytes, words) != NULL, "%s", messages.bytes);
    support_run_free(&messages);
}

Test(drill_options, what_a_view_has_not_is_told)
{
    const char *const table[] = {"--view-filter", "conv", NULL};
    const char *const column[] = {"--view", "pairs", "--view-filter", "duration>1", NULL};
    const char *const wrong[] = {"--view", "pairs", "--view-filter", "kind:none", NULL};
    expect_usage(table, "--view-filter is for a view");
    expect_usage(column, "--view pairs has no column 'duration'");
    expect_usage(wrong, "a kind is op");
}

/* -- What --focus must be ----------------------------------------------------------------------------------------- */

static void expect_focus(struct app *app, const char *keys, const char *wanted, bool exact)
{
    struct text have = {0};
    support_type(app, keys);
    text_add(&have, "", 0);
    cr_expect_eq(drill_add_focus(drill_view_of(app)->drill, &have), exact, "%s", keys);
    cr_expect_str_eq(have.bytes, wanted, "%s: %s", keys, have.bytes);
    text_free(&have);
}

Test(drill_options, a_focus_has_its_name)
{
    struct app app;
    cr_assert(support_explore(&app, support_sample("gpu_small/trace.json")));
    expect_focus(&app, "/aten::addmm<Enter><Enter>", "aten::addmm", true);
    expect_focus(&app, "k<Enter>", "aten::linear", true);
    expect_focus(&app, "k<Enter>", "<built-in function linear>", true);
    support_type(&app, "<Backspace 3>");
    expect_focus(&app, "T", "", true);
    support_type(&app, "<Backspace>");
    /* The first call's page is the row's. */
    expect_focus(&app, "ce", "aten::addmm", true);
    support_type(&app, "<Backspace>");
    expect_focus(&app, "je", "aten::addmm@2", true);
    expect_focus(&app, "<Backspace><Enter>", "aten::addmm@2", true);
    support_type(&app, "<Backspace 2>");
    support_type(&app, "S/aten::mm<Enter>g/aten::mm<Enter>n<Enter>");
    struct text name = {0};
    cr_expect(drill_add_focus(drill_view_of(&app)->drill, &name));
    cr_expect(strncmp(name.bytes, "aten::mm#", 9) == 0, "%s", name.bytes);
    text_free(&name);
    app_free(&app);
}

/* Calls that no name says: the line is of their whole row, and that is told. */
Test(drill_options, the_command_line_says_what_it_cannot)
{
    struct app app;
    cr_assert(support_explore(&app, support_sample("gpu_small/trace.json")));
    support_type(&app, "<Resize 300x24>K/sgemm<Enter>o:cli<Enter>");
    cr_expect(support_on_screen(&app, "no --focus names these calls"));
    app_free(&app);
}
