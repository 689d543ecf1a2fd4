/* The tree and what follows from it, on traces of a few events whose values can be told by hand (semantics: 2 to 6). */
#include <criterion/criterion.h>

#include <stdio.h>

#include "keyavg/average.h"
#include "keyavg/names.h"
#include "support/loads.h"

#define OP(name, ts, dur, args) \
    "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"" name "\",\"pid\":1,\"tid\":1,\"ts\":" ts ",\"dur\":" dur ",\"args\":{" args "}}"
#define EVENT(cat, name, tid, ts, dur, args)                                                                           \
    "{\"ph\":\"X\",\"cat\":\"" cat "\",\"name\":\"" name "\",\"pid\":1,\"tid\":" tid ",\"ts\":" ts ",\"dur\":" dur              \
    ",\"args\":{" args "}}"
#define MEMORY(ts, bytes, kind)                                                                                        \
    "{\"ph\":\"i\",\"name\":\"[memory]\",\"pid\":1,\"tid\":9,\"ts\":" ts ",\"args\":{\"Bytes\":" bytes ",\"Device Type\":" kind "}}"

struct made {
    struct trace *trace;
    struct tree *tree;
};

static struct made make(const char *events, bool without_python)
{
    struct made made = {.trace = support_events(events)};
    made.tree = tree_build(made.trace, without_python);
    return made;
}

static void release(struct made *made)
{
    tree_free(made->tree);
    trace_free(made->trace);
}

Test(tree, a_chain_of_one_name_stands_in_its_first_call_with_the_last_ones_kernels)
{
    struct made made = make(OP("f", "0", "100", "\"External id\":1") "," OP("f", "10", "80", "\"External id\":2") ","
                            OP("f", "20", "50", "\"External id\":3") "," OP("g", "30", "10", "") ","
                            OP("g", "45", "10", "") ","
                            EVENT("kernel", "k1", "7", "50", "5", "\"External id\":1,\"correlation\":51") ","
                            EVENT("kernel", "k3", "7", "60", "7", "\"External id\":3,\"correlation\":53"), false);
    uint32_t f = support_event(made.trace, "f", 0);
    cr_expect(made.tree->state[support_event(made.trace, "f", 1)] == STATE_FOLDED);
    cr_expect(made.tree->state[support_event(made.trace, "f", 2)] == STATE_FOLDED);
    cr_expect(made.tree->parent[support_event(made.trace, "g", 0)] == f &&
              made.tree->parent[support_event(made.trace, "g", 1)] == f);
    cr_expect(amounts_get(&made.tree->self_cpu, f) == 80000, "%ld", (long)amounts_get(&made.tree->self_cpu, f));
    cr_expect(amounts_get(&made.tree->device_total, f) == 7000, "the outer call's own kernel is replaced");
    cr_expect(made.tree->owner[support_event(made.trace, "k1", 0)] == NO_EVENT);
    release(&made);
}

Test(tree, two_children_of_one_name_are_not_folded)
{
    struct made made = make(OP("f", "0", "100", "") "," OP("f", "10", "20", "") "," OP("f", "40", "20", ""), false);
    cr_expect(made.tree->state[1] == STATE_ROW && made.tree->state[2] == STATE_ROW);
    cr_expect(amounts_get(&made.tree->self_cpu, 0) == 60000);
    release(&made);
}

Test(tree, a_partial_overlap_gives_no_parent_and_cuts_nothing)
{
    struct made made = make(OP("a", "0", "100", "") "," OP("b", "50", "100", "") "," OP("c", "60", "10", "") ","
                            OP("d", "120", "10", ""), false);
    cr_expect(made.tree->parent[1] == NO_EVENT && made.tree->parent[2] == 1 && made.tree->parent[3] == 1);
    cr_expect(amounts_get(&made.tree->self_cpu, 0) == 100000 && amounts_get(&made.tree->self_cpu, 1) == 80000);
    release(&made);
}

Test(tree, an_event_that_starts_where_another_ends_is_its_sibling)
{
    struct made made = make(OP("a", "0", "10", "") "," OP("b", "10", "5", "") "," OP("c", "10", "0", ""), false);
    cr_expect(made.tree->parent[1] == NO_EVENT && made.tree->parent[2] == 1);
    release(&made);
}

Test(tree, async_events_have_no_parent_and_no_self_time)
{
    struct made made = make(OP("a", "0", "100", "") "," OP("late", "10", "20", "\"finished\":false") ","
                            EVENT("user_annotation", "nccl:all_reduce", "1", "40", "20", ""), false);
    cr_expect(made.tree->parent[1] == NO_EVENT && made.tree->parent[2] == NO_EVENT);
    cr_expect(amounts_get(&made.tree->self_cpu, 0) == 100000 && amounts_get(&made.tree->self_cpu, 1) == 0 &&
              amounts_get(&made.tree->self_cpu, 2) == 0);
    release(&made);
}

Test(tree, a_linked_call_joins_its_ops_thread)
{
    struct made made = make(OP("a", "0", "100", "\"External id\":5") ","
                            EVENT("cuda_runtime", "cudaLaunchKernel", "2", "10", "20", "\"External id\":5,\"correlation\":9"), false);
    cr_expect(made.tree->parent[1] == 0 && amounts_get(&made.tree->self_cpu, 0) == 80000);
    release(&made);
}

Test(tree, an_id_that_is_the_correlation_counts_only_around_the_call)
{
    /* Files of 2022-23: the id of the kernel is its correlation, by chance that of another op. */
    struct made made = make(OP("other", "0", "10", "\"External id\":9") "," OP("mm", "50", "40", "\"External id\":2") ","
                            EVENT("cuda_runtime", "cudaLaunchKernel", "1", "60", "5", "\"External id\":9,\"correlation\":9") ","
                            EVENT("kernel", "gemm", "7", "70", "8", "\"External id\":9,\"correlation\":9"), false);
    cr_expect(made.tree->owner[support_event(made.trace, "gemm", 0)] == support_event(made.trace, "mm", 0));
    release(&made);
}

Test(tree, memory_counts_at_both_ends_of_an_op)
{
    struct made made = make(OP("a", "10", "10", "") "," MEMORY("10", "1", "0") "," MEMORY("20", "2", "0") ","
                            MEMORY("9.999", "4", "0") "," MEMORY("20.001", "8", "0") "," MEMORY("15", "16", "1"), false);
    uint32_t a = support_event(made.trace, "a", 0);
    cr_expect(amounts_get(&made.tree->memory[MEMORY_CPU], a) == 3, "%ld",
              (long)amounts_get(&made.tree->memory[MEMORY_CPU], a));
    cr_expect(amounts_get(&made.tree->memory[MEMORY_DEVICE], a) == 16);
    cr_expect(made.trace->events.count == 3, "the two records outside are rows of their own");
    release(&made);
}

Test(tree, a_record_that_only_a_frame_covers_is_a_row_without_frames)
{
    static const char events[] = EVENT("python_function", "x.py(1): f", "1", "0", "100", "") "," MEMORY("50", "7", "0");
    struct made with = make(events, false), without = make(events, true);
    uint32_t row = support_event(with.trace, "[memory]", 0);
    cr_expect(with.tree->state[row] == STATE_ABSENT && without.tree->state[row] == STATE_ROW);
    cr_expect(amounts_get(&with.tree->memory[MEMORY_CPU], 0) == 7 && amounts_get(&without.tree->memory[MEMORY_CPU], row) == 7);
    release(&with);
    release(&without);
}

static struct averages *group(struct made *made, unsigned parts)
{
    struct grouping grouping = {.parts = parts, .stack_depth = 1, .python = PYTHON_IN_TREE};
    return averages_build(made->tree, &grouping, NULL);
}

Test(tree, self_memory_is_taken_from_the_calling_row)
{
    struct made made = make(OP("a", "0", "100", "") "," OP("b", "10", "20", "") "," MEMORY("15", "5", "0") ","
                            MEMORY("50", "3", "0"), false);
    struct averages *rows = group(&made, GROUP_NAME);
    cr_expect(rows->rows[0].memory[MEMORY_CPU] == 8 && rows->rows[0].memory[MEMORY_SELF_CPU] == 3);
    cr_expect(rows->rows[1].memory[MEMORY_CPU] == 5 && rows->rows[1].memory[MEMORY_SELF_CPU] == 5);
    averages_free(rows);
    release(&made);
}

Test(tree, shapes_are_as_python_prints_them_and_lists_stand_empty_in_torchs_key)
{
    struct made made = make(OP("a", "0", "1", "\"Input Dims\": [[32,64],[],[[2,3], [4]],[5]]") ","
                            OP("a", "2", "1", "\"Input Dims\": [ [32, 64], [], [], [5] ]") ","
                            OP("a", "4", "1", "\"Input Dims\": []") "," OP("a", "6", "1", ""), false);
    const struct inputs *inputs = &made.trace->inputs.items[made.trace->events.inputs[0]];
    cr_expect(span_is(strings_get(&made.trace->strings, inputs->dims), "[[32, 64], [], [[2, 3], [4]], [5]]"));
    cr_expect(span_is(strings_get(&made.trace->strings, inputs->torch_dims), "[[32, 64], [], [], [5]]"));
    struct averages *rows = group(&made, GROUP_NAME | GROUP_SHAPE);
    cr_expect(rows->count == 2 && rows->rows[0].count == 2 && rows->rows[1].count == 2, "%u rows", rows->count);
    averages_free(rows);
    release(&made);
}

Test(tree, equal_strings_have_one_number)
{
    struct strings strings;
    strings_init(&strings);
    uint32_t a = strings_add(&strings, "aten::add", 9), b = strings_add(&strings, "aten::add_", 10);
    cr_expect(strings_add(&strings, "", 0) == 0 && a != b && strings_add(&strings, "aten::add", 9) == a);
    for (unsigned i = 0; i < 5000; i++) {
        char text[16];
        int length = snprintf(text, sizeof text, "%u", i);
        strings_add(&strings, text, (size_t)length);
    }
    cr_expect(strings_find(&strings, "4999", 4) == strings_add(&strings, "4999", 4));
    cr_expect(strings_find(&strings, "none", 4) == UINT32_MAX && strings.count == 5003);
    strings_free(&strings);
}

Test(tree, flops_are_torchs_estimate)
{
    static const struct {
        const char *events;
        uint64_t flops;
    } cases[] = {
        {OP("aten::mm", "0", "1", "\"Input Dims\":[[2,3],[3,4]]"), 2 * 6 * 12 / 3},
        {OP("aten::addmm", "0", "1", "\"Input Dims\":[[4],[2,3],[3,4]]"), 2 * 6 * 12 / 3},
        {OP("aten::bmm", "0", "1", "\"Input Dims\":[[5,2,3],[5,3,4]]"), 2 * 30 * 60 / 3 / 5},
        {OP("aten::add", "0", "1", "\"Input Dims\":[[7,8],[7,8],[]]"), 56},
        {OP("aten::add_", "0", "1", "\"Input Dims\":[[7,8],[7,8],[]]"), 0},
        {OP("aten::mul", "0", "1", "\"Input Dims\":[[7,8]]"), 0},
        {OP("aten::mm", "0", "1", "\"Input Dims\":[[2,0],[0,4]]"), 0},
        {OP("aten::conv2d", "0", "1", "\"Input Dims\":[[1,3,8,8],[6,3,3,3],[],[],[],[],[]],"
            "\"Concrete Inputs\":[\"\",\"\",\"\",\"[1, 1]\",\"[1, 1]\",\"[1, 1]\",\"1\"]"), 2 * 8 * 8 * 9 * 3 * 6},
        {OP("aten::conv2d", "0", "1", "\"Input Dims\":[[1,3,8,8],[6,3,3,3],[],[],[],[],[]],"
            "\"Concrete Inputs\":[\"\",\"\",\"\",\"[0, 0]\",\"[1, 1]\",\"[1, 1]\",\"1\"]"), 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct made made = make(cases[i].events, false);
        cr_expect(event_flops(made.trace, 0) == cases[i].flops, "%s: %llu", cases[i].events,
                  (unsigned long long)event_flops(made.trace, 0));
        release(&made);
    }
}

Test(tree, percentiles_are_by_nearest_rank_and_deviation_over_n)
{
    struct made made = make(OP("a", "0", "1", "") "," OP("a", "10", "2", "") "," OP("a", "20", "3", "") ","
                            OP("a", "30", "10", ""), false);
    struct averages *rows = group(&made, GROUP_NAME);
    struct spread spread = averages_spread(rows, 0);
    cr_expect(spread.min == 1000 && spread.max == 10000 && spread.p50 == 2000 && spread.p90 == 10000 &&
              spread.p99 == 10000);
    cr_expect(spread.deviation > 3535.5 && spread.deviation < 3535.6, "%f", spread.deviation);
    averages_free(rows);
    release(&made);
}
