/*
 * What stands in the cells of views: every column that a view has, labels under every part of a key, and what a view
 * answers to clicks and to words that mean nothing in it.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../src/ui/drill_view.h"
#include "support/explorer.h"
#include "support/run.h"
#include "support/skip.h"

/* The lines that --view prints as csv. */
static struct support_bytes csv_of(const char *view, const char *focus, const char *names)
{
    const char *argv[] = {support_keyavg(), "--format", "csv", "--view", view, "--columns", names,
                          support_sample("gpu_small/trace.json"), focus != NULL ? "--focus" : NULL, focus, NULL};
    struct support_bytes out;
    int status;
    cr_assert(support_run(argv, &out, NULL, &status));
    cr_assert_eq(status, 0, "%s %s", view, names);
    return out;
}

static void expect_csv(const char *view, const char *focus, const char *names, const char *wanted)
{
    struct support_bytes out = csv_of(view, focus, names);
    cr_expect(strstr(out.bytes, wanted) != NULL, "'%s' in\n%s", wanted, out.bytes);
    support_run_free(&out);
}

Test(drill_cells, columns_of_kernels)
{
    expect_csv("kernels", "aten::conv2d", "min,max,delay_max,registers,shared_memory,occupancy,grid,block",
               "420.537,453.386,93.267,210,49152,17,\"[1536, 1, 1]\",\"[128, 1, 1]\"\r\n");
    /* A memset has no such arguments. */
    expect_csv("kernels", "aten::conv2d", "key,registers,graph,link", "Memset (Device),,,link\r\n");
    expect_csv("kernels", NULL, "key,lane,own_device_time", "ampere_sgemm_128x64_nt,CUDA 0/7,598.491\r\n");
}

/* Grid and graph of launches in a graph, where a recording of them is at hand. */
Test(drill_cells, columns_of_graph_launches)
{
    char path[4200];
    struct support_bytes out;
    int status;
    snprintf(path, sizeof path, "%s/traces/vllm-decode-graph.json.gz", support_need_shared());
    const char *argv[] = {support_keyavg(), "--format", "csv", "--view", "kernels", "--columns", "key,count,graph", path,
                          NULL};
    cr_assert(support_run(argv, &out, NULL, &status));
    cr_expect_eq(status, 0);
    cr_expect(strstr(out.bytes, "[graph launch]") != NULL, "%s", out.bytes);
    support_run_free(&out);
}

Test(drill_cells, columns_of_calls)
{
    expect_csv("calls", "aten::addmm", "key,call,event,step,phase,caller,thread",
               "aten::addmm,1,69,step 1,forward,aten::linear,41873/41873\r\n");
    expect_csv("calls", "ampere_sgemm_128x64_nt", "thread,launch_delay,caller", "CUDA 0 stream 7,261.994,aten::mm\r\n");
    /* Of all calls, also those of no step. */
    expect_csv("calls", NULL, "key,call,step", "[memory],1,[no step]\r\n");
}

Test(drill_cells, columns_of_an_event)
{
    /* Brackets are no members, and what is in them has its whole way. */
    expect_csv("event", "cudaLaunchKernel", "member,content", "member,content\r\nph,\"\"\"X\"\"\"\r\n");
    expect_csv("event", "cudaLaunchKernel", "member,content", "args.correlation,1219\r\nparent,");
    expect_csv("event", "cudaLaunchKernel", "member,content", "cat,\"\"\"cuda_runtime\"\"\"\r\n");
    expect_csv("event", "cudaLaunchKernel", "member,event", "parent,43\r\n");
    expect_csv("event", "cudaLaunchKernel", "member,event", "launched,51\r\n");
    expect_csv("event", "ampere_sgemm_128x64_nt", "member,content", "op (torch's link),aten::mm  event ");
    expect_csv("event", "ampere_sgemm_128x64_nt", "member,content", "launched by,cudaLaunchKernel  event ");
}

Test(drill_cells, pairs_without_an_end)
{
    expect_csv("pairs", NULL, "key,pairs,forward_cpu,backward_cpu,backward_ratio,backward_only,backward_only_cpu,"
                              "forward_only_cpu,backward_only_device",
               "torch::autograd::AccumulateGrad,0,,,,8,223.308,,0.000\r\n");
    expect_csv("pairs", NULL, "key,pairs,forward_device,backward_device,forward_only_device,backward_only_cpu",
               "aten::addmm,2,552.900,1188.907,,\r\n");
}

/* -- Labels ------------------------------------------------------------------------------------------------------- */

Test(drill_cells, labels_have_every_part_of_the_key)
{
    static const struct {
        const char *parts, *row, *label;
    } labels[] = {
        {"name,dtype", "addmm", "aten::addmm  [\"float\", \"float\", \"float\", \"Scalar\", \"Scalar\"]"},
        {"name,thread", "addmm", "aten::addmm  41873/41873"},
        {"name,step", "addmm", "aten::addmm  step 1"},
        {"name,step", "main", "train.py(44): main  [no step]"},
        {"name,scope", "addmm", "aten::addmm  forward"},
        {"name,module", "addmm", "aten::addmm  Linear_0"},
        {"name,device", "addmm", "aten::addmm  CPU"},
        {"name,device", "sgemm", "ampere_sgemm_128x64_nt  CUDA 0 stream 7"},
        {"name,stack=1", "addmm", "aten::addmm  <built-in function linear>"},
        {"name,shape", "addmm", "aten::addmm  [[128], [192, 65536], [65536, 128], [], []]"},
    };
    struct text label = {0};
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) {
        struct app app;
        char keys[200];
        cr_assert(support_explore(&app, support_sample("gpu_small/trace.json")));
        snprintf(keys, sizeof keys, ":set python rows<Enter>:group %s<Enter>/%s<Enter><Enter>", labels[i].parts,
                 labels[i].row);
        support_type(&app, keys);
        cr_assert_not_null(drill_view_of(&app), "%s", keys);
        text_clear(&label);
        drill_add_subject(drill_view_of(&app)->drill, &label);
        cr_expect_str_eq(label.bytes, labels[i].label);
        app_free(&app);
    }
    text_free(&label);
}

/* Grouped without names a key is its parts alone. */
Test(drill_cells, labels_without_a_name)
{
    struct app app;
    cr_assert(support_explore(&app, support_sample("gpu_small/trace.json")));
    support_type(&app, ":group module<Enter>/Conv<Enter><Enter>");
    cr_expect(support_on_screen(&app, "focus  Conv2d_0 "));
    support_type(&app, "<Backspace>:group dtype<Enter>G<Enter>");
    cr_assert_not_null(drill_view_of(&app));
    app_free(&app);
}

/* -- Keys and clicks ---------------------------------------------------------------------------------------------- */

Test(drill_cells, a_click_on_a_title_sorts_and_on_a_row_goes_there)
{
    struct app app;
    cr_assert(support_explore(&app, support_sample("gpu_small/trace.json")));
    support_type(&app, "K");
    struct drill_view *view = drill_view_of(&app);
    char click[40];
    const struct placed_column *placed = &view->placed[1];
    const struct column *column = view->drill->columns[placed->seen];
    snprintf(click, sizeof click, "<Click %d,%d>", placed->at + placed->width, view->header_row + 1);
    support_type(&app, click);
    cr_expect_eq(view->settings.sort, column);
    snprintf(click, sizeof click, "<Click 4,%d>", view->header_row + 1);
    support_type(&app, click);
    cr_expect_str_eq(view->settings.sort->name, "key");
    support_type(&app, "<Backspace>/aten::linear<Enter><Enter>");
    view = drill_view_of(&app);
    uint32_t row = view->view.list.cursor;
    snprintf(click, sizeof click, "<Click 4,%d>", view->first_rows[FOCUS_CALLEES] + 1);
    support_type(&app, click);
    cr_expect_eq(view->view.list.cursor, row + 1, "the first callee");
    support_type(&app, click);
    cr_expect_neq(drill_view_of(&app), view, "a second click opens it");
    app_free(&app);
}

Test(drill_cells, what_means_nothing_in_a_view_is_said)
{
    static const char *const wrong[][2] = {
        {"c:sort count<Enter>", "no column 'count' in this view"}, {"m9", "there is no column"},
        {"cr", "sort them first"},                                 {"c/zzz<Enter>", "'zzz' is in no name"},
        {"cn", "nothing was searched for yet"},                    {"c\\kind:x<Enter>", "a kind is op"},
        {"<Enter><Enter>", "this row is in focus"},                {"TgZ", "this is the whole tree"},
        {"e<Enter>", "Enter opens them"},                          {"\\zzz<Enter>c", "there is no row"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct app app;
        cr_assert(support_explore(&app, support_sample("gpu_small/trace.json")));
        support_type(&app, "/aten::addmm<Enter>");
        support_type(&app, wrong[i][0]);
        cr_expect(support_on_screen(&app, wrong[i][1]), "%s", wrong[i][0]);
        app_free(&app);
    }
}

/* The menus of a view name its own columns. */
Test(drill_cells, menus_sort_and_choose_columns)
{
    struct app app;
    cr_assert(support_explore(&app, support_sample("gpu_small/trace.json")));
    support_type(&app, "/aten::mm<Enter>cs");
    cr_expect(support_on_screen(&app, "launch_delay"));
    support_type(&app, "g<Down 4><Enter>");
    const struct column *sort = drill_view_of(&app)->settings.sort;
    cr_assert_not_null(sort);
    support_type(&app, "sg<Enter>");
    cr_expect_null(drill_view_of(&app)->settings.sort, "the view's own order is the first entry");
    unsigned shown = drill_view_of(&app)->drill->column_count;
    support_type(&app, "Cg <Esc>");
    cr_expect_eq(drill_view_of(&app)->drill->column_count, shown - 1);
    support_type(&app, ":cli<Enter>");
    app_free(&app);
}
