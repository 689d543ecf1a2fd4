/*
 * Updates that are made in a thread: what is on the screen meanwhile, and which keys go where. Each
 * test is the loop itself, so that nothing depends on how long anything takes.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "keyavg/app.h"
#include "keyavg/work.h"
#include "support/explorer.h"

/* gpu_small at 80x24; with `patience` 1 every update is left to the loop. */
static void open_app(struct app *app, uint64_t patience)
{
    cr_assert(support_explore(app, support_sample("gpu_small/trace.json")));
    app->patience = patience;
}

/* What drills share is there before anybody can ask for it. */
Test(work, a_table_made_meanwhile_is_ready_for_drills)
{
    struct app app;
    open_app(&app, 1);
    support_type(&app, ":set python out<Enter>");
    cr_expect_eq(support_work(&app), 1);
    cr_expect_not_null(app.table->tree->launches);
    cr_expect_not_null(app.table->tree->pairs);
    app_free(&app);
}

Test(work, shows_the_same_in_the_end, .timeout = 120)
{
    static const char *const keys[] = {
        "S", "}", "}", "<Down 5>", "\\conv", "<Enter>", "f", "f", "%", "p", "p", "p", "L1<Enter>", "3", "r", "t", "t", " j ",
        "\\", "<Backspace 9>kind:kernel", "<Esc>", ":group scope,step<Enter>", "u", "<Esc>", "<Esc>", "<Esc>", "<Esc>",
        ":sort p99<Enter>", "O", "{", "s<Down 3><Enter>", "b<Down 2> <Esc>", "/gemm<Enter>", "n", "\\count>1<Enter>", "U",
    };
    struct app one, other;
    open_app(&one, 0);
    open_app(&other, 1);
    support_type_beside(&one, &other, keys, sizeof keys / sizeof *keys);
    app_free(&one);
    app_free(&other);
}

Test(work, the_last_screen_stays_with_a_line_below)
{
    struct app app;
    open_app(&app, 1);
    cr_assert(support_on_screen(&app, "row 1 of 99"));
    support_type(&app, "S");
    cr_assert(app.update_waits);
    work_start(&app, NULL);
    app_draw(&app);
    cr_expect(support_on_screen(&app, "Esc stops"));
    cr_expect(support_on_screen(&app, "ProfilerStep*"));
    cr_expect_not(support_on_screen(&app, "shape \u2715"));
    support_work(&app);
    cr_expect(support_on_screen(&app, "shape \u2715"));
    cr_expect_not(support_on_screen(&app, "Esc stops"));
    app_free(&app);
}

Test(work, keys_typed_meanwhile_come_after_it)
{
    struct app app;
    open_app(&app, 1);
    support_type(&app, "S");
    work_start(&app, NULL);
    support_type(&app, "<Down 3>");
    cr_expect_eq(app.top->list.cursor, 0);
    cr_expect(support_on_screen(&app, "3 keys wait"));
    support_work(&app);
    cr_expect_eq(app.top->list.cursor, 3);
    /* Also those that ask for the next one, in their order. */
    support_type(&app, "s");
    support_type(&app, "<Down><Enter>");
    work_start(&app, NULL);
    support_type(&app, "gjS");
    cr_expect(support_work(&app) >= 2);
    cr_expect_eq(app.query.grouping.parts, GROUP_NAME);
    cr_expect_eq(app.kept_keys.count, 0);
    app_free(&app);
}

Test(work, escape_brings_the_query_back_that_is_shown)
{
    struct app app;
    open_app(&app, 1);
    support_type(&app, "\\kind:kernel<Enter>");
    support_work(&app);
    uint32_t count = app.table->count;
    support_type(&app, "S");
    work_start(&app, NULL);
    support_type(&app, "\\!gemm<Enter>}");
    support_type(&app, "<Esc>");
    cr_expect(support_on_screen(&app, "stopping"));
    cr_expect_eq(app.query.grouping.parts, GROUP_NAME);
    support_work(&app);
    cr_expect_eq(app.table->count, count);
    cr_assert_not_null(app.query.filter);
    cr_expect(support_on_screen(&app, "filter kind:kernel"));
    cr_expect_eq(app.kept_keys.count, 0);
    /* Before it has begun, too. */
    support_type(&app, "S<Esc>");
    cr_expect_not(app.update_waits);
    cr_expect_eq(app.query.grouping.parts, GROUP_NAME);
    app_free(&app);
}

Test(work, a_filter_being_typed_is_made_only_as_it_is_in_the_end)
{
    struct app app;
    open_app(&app, 1);
    support_type(&app, "\\c");
    work_start(&app, NULL);
    support_type(&app, "onv");
    cr_expect(support_on_screen(&app, "filter: conv"));
    cr_expect_eq(support_work(&app), 2, "one for c, one for conv");
    cr_expect(support_on_screen(&app, "filter conv"));
    support_type(&app, "<Enter>");
    cr_expect_eq(support_work(&app), 0);
    support_type(&app, "\\ x");
    work_start(&app, NULL);
    support_type(&app, "<Esc>");
    cr_expect_eq(support_work(&app), 1, "the filter before is on the screen still");
    cr_expect(support_on_screen(&app, "filter conv"));
    app_free(&app);
}

Test(work, the_last_grouping_wins)
{
    struct app app;
    open_app(&app, 1);
    support_type(&app, "}");
    work_start(&app, NULL);
    support_type(&app, "}}S");
    cr_expect_eq(support_work(&app), 2);
    cr_expect_eq(app.query.grouping.stack_depth, 3);
    cr_expect_eq(app.query.grouping.parts, GROUP_NAME | GROUP_STACK | GROUP_SHAPE);
    cr_expect_eq(app.table->averages->grouping.stack_depth, 3);
    app_free(&app);
}

Test(work, quits_and_changes_size_meanwhile)
{
    struct app app;
    open_app(&app, 1);
    support_type(&app, "S");
    work_start(&app, NULL);
    support_type(&app, "<Resize 40x8>");
    cr_expect(support_on_screen(&app, "working on"));
    support_type(&app, "<Resize 1x1><Resize 100x30>q");
    cr_expect(app.quit);
    app_free(&app);
}
