/*
 * Device events on small traces whose answer is known: which op launched what, by which rule, and how much of it.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "keyavg/focus.h"
#include "keyavg/kernels.h"
#include "keyavg/names.h"
#include "keyavg/pairs.h"
#include "support/keyed.h"
#include "support/render.h"
#include "support/skip.h"

/* -- Helpers ----------------------------------------------------------------------------------------------------- */

#define EVENTS(list) "{\"traceEvents\": [" list "{}]}"
#define OP(name, ts, dur, id)                                                                                          \
    "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"" name "\",\"pid\":1,\"tid\":1,\"ts\":" #ts ",\"dur\":" #dur          \
    ",\"args\":{\"External id\":" #id "}},"
#define CALL(name, ts, dur, args)                                                                                      \
    "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"" name "\",\"pid\":1,\"tid\":1,\"ts\":" #ts ",\"dur\":" #dur    \
    ",\"args\":{" args "}},"
#define KERNEL(name, ts, dur, args)                                                                                    \
    "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"" name "\",\"pid\":0,\"tid\":7,\"ts\":" #ts ",\"dur\":" #dur          \
    ",\"args\":{\"device\":0,\"stream\":7," args "}},"

/* -- Kernels ----------------------------------------------------------------------------------------------------- */

#define DEVICE                                                                                                         \
    EVENTS(OP("outer", 0, 100, 1) OP("mm", 10, 50, 2)                                                                  \
               CALL("cudaLaunchKernel", 20, 10, "\"correlation\":11,\"External id\":2")                                \
               KERNEL("gemm", 40, 30, "\"correlation\":11,\"External id\":2")                                          \
               CALL("cudaLaunchKernel", 70, 10, "\"correlation\":12,\"External id\":1")                                \
               KERNEL("fill", 75, 5, "\"correlation\":12,\"External id\":1")                                           \
               CALL("cudaLaunchKernel", 85, 5, "\"correlation\":13,\"External id\":1")                                 \
               OP("triton", 200, 50, 3) CALL("cuLaunchKernelEx", 210, 10, "\"correlation\":14")                        \
               KERNEL("fused", 230, 20, "\"correlation\":14")                                                          \
               CALL("cudaGraphLaunch", 300, 10, "\"correlation\":15")                                                  \
               KERNEL("gemm", 320, 7, "\"correlation\":15") KERNEL("fused", 330, 8, "\"correlation\":15")              \
               KERNEL("early", 1, 3, "\"correlation\":99")                                                             \
               OP("late", 400, 50, 4) CALL("cudaMemcpyAsync", 410, 10, "\"correlation\":16,\"External id\":4")         \
               KERNEL("copy", 430, 4, "\"correlation\":16")                                                            \
               CALL("cudaStreamSynchronize", 440, 5, "\"correlation\":17,\"External id\":4"))

/* `name count total own rule` of each row, times in microseconds; in brackets what is not counted. */
static char *describe_kernels(const struct keyed *drill, const struct kernels *kernels)
{
    struct text out = {0};
    for (uint32_t i = 0; i < kernels->count; i++) {
        const struct kernel_row *row = &kernels->rows[i];
        text_add_string(&out, i == 0 ? "" : "; ");
        text_add_string(&out, row->counted ? "" : "(");
        if (row->kind == KERNEL_NAMED)
            text_add_span(&out, strings_get(&drill->trace->strings, row->name));
        text_addf(&out, "%s %u %g %g", kernel_kind_name((enum kernel_kind)row->kind), row->count,
                  (double)row->total / 1000,
                  (double)row->own / 1000);
        if (row->rule != LAUNCH_NONE)
            text_addf(&out, " %s", launch_rule_name((enum launch_rule)row->rule));
        text_add_string(&out, row->counted ? "" : ")");
    }
    text_add(&out, "", 0);
    return out.bytes;
}

static void expect_kernels(const struct keyed *drill, const char *name, const char *want)
{
    uint32_t count;
    const uint32_t *calls = name != NULL ? keys_calls(drill->keys, keyed_find(drill, name), &count) : NULL;
    struct kernels *kernels = calls != NULL ? kernels_of_calls(drill->tree, calls, count)
                                           : kernels_of_file(drill->tree);
    char *have = describe_kernels(drill, kernels);
    cr_expect_str_eq(have, want, "kernels of %s", name != NULL ? name : "the file");
    free(have);
    kernels_free(kernels);
}

Test(kernels, of_rows_and_file)
{
    struct keyed drill = keyed_text(DEVICE);
    expect_kernels(&drill, "mm", "gemm 1 30 30 link");
    expect_kernels(&drill, "outer", "gemm 1 30 0 link; fill 1 5 5 link; [launched, no device event] 1 0 0");
    /* Weaker rules lead to kernels that are no part of the op's device time. */
    expect_kernels(&drill, "triton", "(fused 1 20 0 around)");
    expect_kernels(&drill, "late", "(copy 1 4 0 correlation)");
    /* The whole file: every device event once. */
    expect_kernels(&drill, NULL,
                   "gemm 1 30 30 link; fused 1 20 0 around; [graph launch] 2 15 0; fill 1 5 5 link; "
                   "copy 1 4 0 correlation; "
                   "[no op] 1 3 0; [launched, no device event] 1 0 0");
    /* A row on the device: what it is made of. */
    expect_kernels(&drill, "fused", "fused 1 20 20 around; fused 1 8 8");
    keyed_close(&drill);
}

/* `name device-time rule` of the callers of a kernel, in microseconds. */
static void expect_callers(const struct keyed *drill, const char *name, const char *want)
{
    uint32_t count;
    const uint32_t *calls = keys_calls(drill->keys, keyed_find(drill, name), &count);
    struct focus *focus = focus_build(drill->keys, calls, count, false);
    struct text out = {0};
    for (uint32_t i = 0; i < focus->caller_count; i++) {
        const struct focus_row *row = &focus->callers[i];
        text_add_string(&out, i == 0 ? "" : "; ");
        if (row->kind == FOCUS_KEY)
            text_add_span(&out, keyed_name(drill, row->key));
        text_addf(&out, "%s %g %s", focus_kind_name((enum focus_kind)row->kind), (double)row->device / 1000,
                  launch_rule_name((enum launch_rule)row->rule));
    }
    text_add(&out, "", 0);
    cr_expect_str_eq(out.bytes, want, "callers of %s", name);
    text_free(&out);
    focus_free(focus);
}

/* The callers of a kernel are the ops that launched it, and the rule is told. */
Test(kernels, ops_of_kernels)
{
    struct keyed drill = keyed_text(DEVICE);
    expect_callers(&drill, "gemm", "mm 30 link; [graph launch] 7 ");
    expect_callers(&drill, "early", "[no op] 3 ");
    expect_callers(&drill, "fused", "triton 20 around; [graph launch] 8 ");
    struct kernels *kernels = kernels_of_file(drill.tree);
    uint32_t count, *ops = kernels_ops(drill.tree, kernels, &kernels->rows[1], &count);
    cr_assert_eq(count, 1);
    cr_expect(span_is(keyed_name(&drill, drill.keys->of[ops[0]]), "triton"));
    free(ops);
    kernels_free(kernels);
    keyed_close(&drill);
}

Test(kernels, launch_delays)
{
    struct keyed drill = keyed_text(DEVICE);
    const struct launches *launches = tree_launches(drill.tree);
    int64_t delay = -1;
    uint32_t count;
    cr_expect(launches_delay(drill.trace, launches, keys_calls(drill.keys, keyed_find(&drill, "gemm"), &count)[0],
                             &delay));
    cr_expect_eq(delay, 10000);
    /* An op and a call have that of their first device event. */
    cr_expect(launches_delay(drill.trace, launches, keys_calls(drill.keys, keyed_find(&drill, "outer"), &count)[0],
                             &delay));
    cr_expect_eq(delay, 10000);
    const uint32_t *calls = keys_calls(drill.keys, keyed_find(&drill, "cudaLaunchKernel"), &count);
    cr_expect_eq(count, 3);
    cr_expect(launches_delay(drill.trace, launches, calls[0], &delay) && delay == 10000);
    cr_expect_not(launches_delay(drill.trace, launches, calls[1], &delay),
                  "the device event starts before the call ends");
    cr_expect_not(launches_delay(drill.trace, launches, calls[2], &delay), "no device event");
    /* Of a graph the first device event has a delay. */
    calls = keys_calls(drill.keys, keyed_find(&drill, "fused"), &count);
    cr_expect_not(launches_delay(drill.trace, launches, calls[1], &delay));
    calls = keys_calls(drill.keys, keyed_find(&drill, "gemm"), &count);
    cr_expect(launches_delay(drill.trace, launches, calls[1], &delay) && delay == 10000);
    cr_expect_eq(launches->launch_calls, 6);
    cr_expect_eq(launches->missing, 1);
    cr_expect_eq(launches->early, 0);
    cr_expect_eq(launches->device_events, 7);
    cr_expect_eq(launches->unlinked, 5);
    keyed_close(&drill);
}

Test(kernels, launch_names)
{
    static const char *const launch[] = {
        "cudaLaunchKernel", "cudaLaunchKernelExC", "cudaLaunchKernel_ptsz", "cuLaunchKernel", "cuLaunchKernelEx",
        "cudaGraphLaunch",
        "cudaMemcpyAsync", "cudaMemsetAsync", "cudaMemcpy2DAsync", "hipLaunchKernel", "hipExtModuleLaunchKernel",
        "hipGraphLaunch",
        "hipMemcpyWithStream", "hipMemsetAsync", "urEnqueueKernelLaunch", "urEnqueueUSMMemcpy",
    };
    static const char *const other[] = {
        "cudaMemcpy", "cudaStreamSynchronize", "cudaMalloc", "cudaLaunchHostFunc", "cudaEventRecord", "hipMemcpy",
        "hipMalloc",
        "aten::mm", "urEnqueueEventsWait", "cudaMallocAsync", "Launch", "",
    };
    for (size_t i = 0; i < sizeof launch / sizeof *launch; i++)
        cr_expect(launch_name(span_of(launch[i])), "%s", launch[i]);
    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        cr_expect_not(launch_name(span_of(other[i])), "%s", other[i]);
}

Test(kernels, kernel_args)
{
    struct kernel_args args;
    const char *text = "{\"ph\": \"X\", \"name\": \"grid\", \"args\": {\"s\": \"\\\"block\\\": [9]\", \"grid\": [256, 1, 1],"
                       " \"block\" : [ [32] , 2, 1 ],"
                       " \"registers per thread\": 40, \"graph node id\": 8, \"in\": {\"shared memory\": 1},"
                       " \"est. achieved occupancy %\": 31}}";
    kernel_args_read(span_of(text), &args);
    cr_expect(span_is(args.grid, "[256, 1, 1]"));
    cr_expect(span_is(args.block, "[ [32] , 2, 1 ]"));
    cr_expect(span_is(args.registers, "40"));
    cr_expect(span_is(args.graph_node, "8"));
    cr_expect(span_is(args.occupancy, "31"));
    cr_expect_eq(args.shared_memory.length, 0, "of something else");
    cr_expect_eq(args.graph_id.length, 0);
}

/* From the slowest kernel of the small GPU recording to the line of Python that asked for it. */
Test(kernels, kernel_to_python)
{
    char path[4200];
    snprintf(path, sizeof path, "%s/gpu_small/trace.json", support_samples_dir());
    struct keyed drill = keyed_open(support_trace_file(path));
    struct kernels *kernels = kernels_of_file(drill.tree);
    kernels_measure(drill.tree, kernels);
    const struct kernel_row *slowest = NULL, *kinds[KERNEL_KINDS] = {NULL};
    for (uint32_t i = 0; i < kernels->count; i++) {
        const struct kernel_row *row = &kernels->rows[i];
        kinds[row->kind] = row;
        if (row->kind == KERNEL_NAMED && (slowest == NULL || row->max > slowest->max))
            slowest = row;
    }
    cr_assert_not_null(slowest);
    cr_expect_eq(slowest->max, 453386);
    uint32_t count, *ops = kernels_ops(drill.tree, kernels, slowest, &count);
    cr_assert_gt(count, 0);
    static const char *const want[] = {"aten::cudnn_convolution", "nn.Module: Conv2d_0", "model.py(24): forward",
                                       "nn.Module: Net_0", "train.py(31): train_step"};
    size_t met = 0;
    for (uint32_t e = ops[0]; e != NO_EVENT && met < 5; e = drill.tree->parent[e])
        met += span_is(strings_get(&drill.trace->strings, event_key(drill.trace, e)), want[met]);
    cr_expect_eq(met, 5, "the way ends at %s", met < 5 ? want[met] : "");
    free(ops);
    /* samples/gpu_small/README.md tells what hangs loose. */
    cr_assert(kinds[KERNEL_GRAPH] != NULL && kinds[KERNEL_NO_OP] != NULL && kinds[KERNEL_MISSING] != NULL);
    cr_expect_eq(kinds[KERNEL_GRAPH]->count, 4);
    cr_expect_eq(kinds[KERNEL_MISSING]->count, 1);
    struct kernels *inside = kernels_of_events(drill.tree, kernels->events + kinds[KERNEL_GRAPH]->first, 4);
    cr_expect_eq(inside->total, kinds[KERNEL_GRAPH]->total);
    cr_expect_geq(inside->count, 2);
    kernels_free(inside);
    kernels_free(kernels);
    keyed_close(&drill);
}


/* A call that waits shares its number with the launch before it, or has a device event of its own kind: no launch. */
Test(kernels, calls_that_launch_nothing)
{
    struct keyed drill = keyed_text(EVENTS(OP("mm", 0, 100, 1) CALL("cudaEventRecord", 5, 3, "\"correlation\":11")
                                               CALL("cudaLaunchKernel", 10, 10, "\"correlation\":11")
                                               KERNEL("gemm", 30, 10, "\"correlation\":11")
                                               CALL("cudaStreamSynchronize", 50, 10, "\"correlation\":12")
                                               "{\"ph\":\"X\",\"cat\":\"cuda_sync\",\"name\":\"Stream Sync\",\"pid\":0,\"tid\":7,\"ts\":70,"
                                               "\"dur\":5,\"args\":{\"stream\":7,\"correlation\":12}},"));
    const struct launches *launches = tree_launches(drill.tree);
    int64_t delay;
    uint32_t count, gemm = keys_calls(drill.keys, keyed_find(&drill, "gemm"), &count)[0];
    cr_expect_eq(launches->call[gemm], keys_calls(drill.keys, keyed_find(&drill, "cudaLaunchKernel"), &count)[0]);
    cr_expect(launches_delay(drill.trace, launches, gemm, &delay) && delay == 10000);
    uint32_t sync = keys_calls(drill.keys, keyed_find(&drill, "Stream Sync"), &count)[0];
    cr_expect_eq(launches->op[sync], keys_calls(drill.keys, keyed_find(&drill, "mm"), &count)[0]);
    cr_expect_not(launches_delay(drill.trace, launches, sync, &delay));
    keyed_close(&drill);
}

/* An op folded into its parent stands in it, also as the op of a call; a jump from a kernel goes by any rule. */
Test(kernels, folded_op)
{
    struct keyed drill = keyed_text(EVENTS(
        "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"mm\",\"pid\":1,\"tid\":1,\"ts\":0,\"dur\":100,\"args\":{\"Sequence number\":4}},"
        OP("mm", 10, 80, 2) CALL("cudaLaunchKernel", 20, 10, "\"correlation\":11,\"External id\":2")
        KERNEL("gemm", 40, 30, "\"correlation\":11")
        "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"back\",\"pid\":1,\"tid\":1,\"ts\":200,\"dur\":9,"
        "\"args\":{\"Sequence number\":4,\"Fwd thread id\":1}},"));
    uint32_t count, gemm = keys_calls(drill.keys, keyed_find(&drill, "gemm"), &count)[0];
    uint32_t mm = keys_calls(drill.keys, keyed_find(&drill, "mm"), &count)[0];
    cr_assert_eq(count, 1, "one is folded");
    cr_expect_eq(tree_launches(drill.tree)->op[gemm], mm);
    cr_expect_eq(tree_launches(drill.tree)->rule[gemm], LAUNCH_CALL);
    enum pair_jump how;
    uint32_t from, back = keys_calls(drill.keys, keyed_find(&drill, "back"), &count)[0];
    cr_expect_eq(pairs_jump(drill.tree, gemm, &from, &how), back);
    cr_expect(how == PAIR_AROUND && from == mm);
    keyed_close(&drill);
}

/* Streams, delays and percentiles of many launches; those that count come before those that do not. */
Test(kernels, figures)
{
    struct text json = {0};
    text_add_string(&json, "{\"traceEvents\": [");
    text_add_string(&json, OP("op", 0, 100000, 1));
    for (int i = 0; i < 200; i++)
        text_addf(&json,
                  "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaLaunchKernel\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":10,"
                  "\"args\":{\"correlation\":%d,\"External id\":1}},"
                  "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"%s\",\"pid\":0,\"tid\":7,\"ts\":%d,\"dur\":%d,"
                  "\"args\":{\"device\":0,\"stream\":%d,\"correlation\":%d,\"External id\":1}},",
                  i * 100, i + 1, i < 100 ? "same" : "rising", i * 100 + 10 + i % 3, i < 100 ? 7 : i * 10,
                  7 + i % 3 / 2, i + 1);
    text_add_string(&json, CALL("cudaLaunchKernel", 99000, 10, "\"correlation\":999"));
    text_add_string(&json, KERNEL("loose", 99020, 900000, "\"correlation\":999"));
    text_add_string(&json, "{}]}");
    struct keyed drill = keyed_text(json.bytes);
    text_free(&json);
    uint32_t count, *ops;
    struct kernels *kernels = kernels_of_calls(drill.tree, keys_calls(drill.keys, keyed_find(&drill, "op"), &count), 1);
    cr_expect(kernels->count > 0 && kernels->rows[0].max == 0, "measured when it is asked for");
    kernels_measure(drill.tree, kernels);
    cr_assert_eq(kernels->count, 3);
    const struct kernel_row *rising = &kernels->rows[0], *same = &kernels->rows[1];
    cr_expect(!kernels->rows[2].counted && kernels->rows[2].total > rising->total, "what is not counted comes last");
    cr_expect(rising->counted && rising->count == 100 && rising->min == 1000000 && rising->max == 1990000);
    cr_expect_eq(rising->p90, 1890000);
    cr_expect(same->min == 7000 && same->p90 == 7000 && same->max == 7000);
    cr_expect_eq(rising->lanes, 2);
    cr_expect_eq(same->lane, drill.trace->events.place[kernels->events[same->first]]);
    cr_expect(same->delays == 100 && same->delay_max == 2000 && same->delay_total == 33 * (1000 + 2000) + 0);
    ops = kernels_ops(drill.tree, kernels, same, &count);
    cr_expect_eq(count, 1, "an op is told once");
    free(ops);
    kernels_free(kernels);
    keyed_close(&drill);
}

/* Numbers that lie far apart, and those at the ends of what a number can be. */
Test(kernels, far_correlations)
{
    struct keyed drill = keyed_text(EVENTS(OP("mm", 0, 100, 1)
                                           CALL("cudaLaunchKernel", 10, 1, "\"correlation\":-9223372036854775808")
                                               CALL("cudaLaunchKernel", 20, 1, "\"correlation\":5")
                                               CALL("cudaLaunchKernel", 30, 1, "\"correlation\":9223372036854775807")
                                               KERNEL("low", 50, 1, "\"correlation\":-9223372036854775808")
                                               KERNEL("near", 50, 1, "\"correlation\":5")
                                               KERNEL("loose", 50, 1, "\"correlation\":6")
                                               KERNEL("high", 50, 1, "\"correlation\":9223372036854775807")));
    static const char *const names[] = {"low", "near", "high"};
    const struct launches *launches = tree_launches(drill.tree);
    uint32_t count;
    const uint32_t *calls = keys_calls(drill.keys, keyed_find(&drill, "cudaLaunchKernel"), &count);
    cr_assert_eq(count, 3);
    for (unsigned i = 0; i < 3; i++) {
        uint32_t ignored;
        cr_expect_eq(launches->call[keys_calls(drill.keys, keyed_find(&drill, names[i]), &ignored)[0]], calls[i], "%s",
                     names[i]);
    }
    cr_expect_eq(launches->call[keys_calls(drill.keys, keyed_find(&drill, "loose"), &count)[0]], NO_EVENT);
    cr_expect_eq(launches->missing, 0);
    keyed_close(&drill);
}
