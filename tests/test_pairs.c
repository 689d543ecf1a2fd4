/*
 * Forward and backward on small traces whose answer is known: which ops go together, and under which module.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "keyavg/module_tree.h"
#include "keyavg/names.h"
#include "keyavg/pairs.h"
#include "support/render.h"
#include "support/skip.h"
#include "support/traces.h"

#define EVENTS(list) "{\"traceEvents\": [" list "{}]}"
#define EVENT(cat, name, tid, ts, dur, args)                                                                           \
    "{\"ph\":\"X\",\"cat\":\"" cat "\",\"name\":\"" name "\",\"pid\":1,\"tid\":" #tid ",\"ts\":" #ts ",\"dur\":" #dur  \
    ",\"args\":{" args "}},"
#define OP(name, tid, ts, dur) EVENT("cpu_op", name, tid, ts, dur, "")
#define FORWARD(name, tid, ts, dur, number)                                                                            \
    EVENT("cpu_op", name, tid, ts, dur, "\"Sequence number\":" #number ",\"Fwd thread id\":0")
#define BACKWARD(name, tid, ts, dur, number, thread)                                                                   \
    EVENT("cpu_op", name, tid, ts, dur, "\"Sequence number\":" #number ",\"Fwd thread id\":" #thread)
#define EVALUATE "autograd::engine::evaluate_function: "
#define FRAME(name, tid, ts, dur) EVENT("python_function", name, tid, ts, dur, "")
#define ARROW(cat, phase, id, tid, ts)                                                                                 \
    "{\"ph\":\"" phase "\",\"id\":" #id ",\"cat\":\"" cat "\",\"name\":\"" cat "\",\"pid\":1,\"tid\":" #tid ",\"ts\":" #ts "},"

struct drill {
    struct trace *trace;
    struct tree *tree;
};

static struct drill drill_text(const char *json)
{
    struct drill drill = {.trace = support_trace(json)};
    drill.tree = tree_build(drill.trace, false);
    return drill;
}

static void drill_close(struct drill *drill)
{
    tree_free(drill->tree);
    trace_free(drill->trace);
}

static struct span name_of(const struct drill *drill, uint32_t e)
{
    return strings_get(&drill->trace->strings, event_key(drill->trace, e));
}

/* The n-th event of a name, from 0. */
static uint32_t event_named(const struct drill *drill, const char *name, unsigned n)
{
    for (uint32_t e = 0; e < drill->tree->count; e++)
        if (span_is(name_of(drill, e), name) && n-- == 0)
            return e;
    cr_assert_fail("no event %s", name);
    return NO_EVENT;
}

static void expect_jump(const struct drill *drill, uint32_t from, uint32_t to, enum pair_jump way)
{
    enum pair_jump how;
    uint32_t used, back, have = pairs_jump(drill->tree, from, &used, &how);
    cr_expect_eq(have, to, "from %s: to %s", name_of(drill, from).bytes,
                 have != NO_EVENT ? name_of(drill, have).bytes : "-");
    cr_expect_eq(how, way, "from %s: %d", name_of(drill, from).bytes, how);
    if (have != NO_EVENT)
        cr_expect_eq(pairs_jump(drill->tree, have, &back, &how), used, "back from %s", name_of(drill, have).bytes);
}

/* The ops of case 40: `aten::linear` has its child's number, and no pair of its own. */
#define CASE_40                                                                                                        \
    FORWARD("linear", 100, 0, 100, 7) FORWARD("addmm", 100, 20, 60, 7) FORWARD("relu", 100, 110, 20, 8)                \
    BACKWARD(EVALUATE "ReluBackward0", 101, 150, 40, 8, 1) BACKWARD("ReluBackward0", 101, 155, 30, 8, 1)               \
    BACKWARD(EVALUATE "AddmmBackward0", 101, 200, 100, 7, 1) BACKWARD("AddmmBackward0", 101, 210, 80, 7, 1)            \
    OP("mm", 101, 220, 10) OP(EVALUATE "torch::autograd::AccumulateGrad", 101, 400, 5)

static void check_case_40(const char *json, bool by_flows)
{
    struct drill drill = drill_text(json);
    const struct pairs *pairs = tree_pairs(drill.tree);
    uint32_t addmm = event_named(&drill, "addmm", 0), relu = event_named(&drill, "relu", 0);
    uint32_t back = event_named(&drill, EVALUATE "AddmmBackward0", 0);
    cr_expect_eq(pairs->count, 2);
    cr_expect_eq(pairs->by_flows, by_flows);
    cr_expect_eq(pairs->open_count, 0);
    expect_jump(&drill, addmm, back, PAIR_OWN);
    expect_jump(&drill, back, addmm, PAIR_OWN);
    expect_jump(&drill, relu, event_named(&drill, EVALUATE "ReluBackward0", 0), PAIR_OWN);
    expect_jump(&drill, event_named(&drill, "AddmmBackward0", 0), addmm, PAIR_AROUND);
    expect_jump(&drill, event_named(&drill, "mm", 0), addmm, PAIR_AROUND);
    expect_jump(&drill, event_named(&drill, "linear", 0), back, PAIR_INSIDE);
    expect_jump(&drill, event_named(&drill, EVALUATE "torch::autograd::AccumulateGrad", 0), NO_EVENT, PAIR_NONE);
    drill_close(&drill);
}

/* Arrows at the enclosing call, as case 40 has them; at the inner op, as torch writes them; and none. */
Test(pairs, case_40)
{
    check_case_40(EVENTS(CASE_40 ARROW("ac2g", "s", 1, 100, 110) ARROW("ac2g", "f", 1, 101, 200)
                             ARROW("fwdbwd", "s", 1, 100, 20) ARROW("fwdbwd", "f", 1, 101, 200)
                                 ARROW("fwdbwd", "s", 2, 100, 110) ARROW("fwdbwd", "f", 2, 101, 150)),
                  true);
    check_case_40(EVENTS(CASE_40 ARROW("fwdbwd", "f", 2, 101, 155) ARROW("fwdbwd", "s", 1, 100, 20)
                             ARROW("fwdbwd", "f", 1, 101, 210) ARROW("fwdbwd", "s", 2, 100, 110)),
                  true);
    check_case_40(EVENTS(CASE_40), false);
}

/* Of ops that start together the one whose number is that of the other end, else the innermost. */
Test(pairs, ends_that_start_together)
{
    struct drill drill = drill_text(EVENTS(FORWARD("a", 1, 0, 50, 3) FORWARD("b", 1, 0, 40, 4) FORWARD("c", 1, 0, 30, 5)
                                           BACKWARD(EVALUATE "B", 2, 100, 50, 4, 1) BACKWARD("B", 2, 100, 40, 4, 1)
                                           OP("d", 1, 200, 20) OP("e", 1, 200, 10) OP("D", 2, 300, 20)
                                           ARROW("fwdbwd", "s", 1, 1, 0) ARROW("fwdbwd", "f", 1, 2, 100)
                                           ARROW("fwdbwd", "s", 2, 1, 200) ARROW("fwdbwd", "f", 2, 2, 300)
                                           ARROW("fwdbwd", "s", 3, 1, 77) ARROW("fwdbwd", "f", 3, 2, 300)
                                           ARROW("fwdbwd", "s", 4, 1, 200)));
    const struct pairs *pairs = tree_pairs(drill.tree);
    expect_jump(&drill, event_named(&drill, "b", 0), event_named(&drill, EVALUATE "B", 0), PAIR_OWN);
    expect_jump(&drill, event_named(&drill, "e", 0), event_named(&drill, "D", 0), PAIR_OWN);
    cr_expect_eq(pairs->count, 2);
    cr_expect_eq(pairs->flows, 3, "an arrow without its other end is none");
    cr_expect_eq(pairs->lost, 1, "nothing starts at 77");
    /* Numbers 3 and 5 have no backward. */
    cr_expect_eq(pairs->open_count, 2);
    drill_close(&drill);
}

/* An id that is used again pairs its first start with its first end. */
Test(pairs, reused_ids)
{
    struct drill drill = drill_text(EVENTS(OP("a", 1, 0, 5) OP("b", 1, 10, 5) OP("A", 2, 20, 5) OP("B", 2, 30, 5)
                                           ARROW("fwdbwd", "s", 1, 1, 10) ARROW("fwdbwd", "f", 1, 2, 20)
                                           ARROW("fwdbwd", "s", 1, 1, 0) ARROW("fwdbwd", "f", 1, 2, 30)));
    expect_jump(&drill, event_named(&drill, "a", 0), event_named(&drill, "A", 0), PAIR_OWN);
    expect_jump(&drill, event_named(&drill, "b", 0), event_named(&drill, "B", 0), PAIR_OWN);
    drill_close(&drill);
}

/* Without arrows: the op of a number that starts last; the backward op that ends first; a second backward has none. */
Test(pairs, by_number)
{
    struct drill drill = drill_text(EVENTS(FORWARD("a", 1, 0, 100, 3) FORWARD("b", 1, 10, 20, 3)
                                           FORWARD("c", 1, 40, 20, 3)
                                           FORWARD("open", 1, 110, 5, 4)
                                           BACKWARD(EVALUATE "C", 2, 200, 50, 3, 1) BACKWARD("C", 2, 210, 30, 3, 1)
                                           BACKWARD(EVALUATE "C", 2, 300, 50, 3, 1) BACKWARD("C", 2, 310, 30, 3, 1)));
    const struct pairs *pairs = tree_pairs(drill.tree);
    uint32_t c = event_named(&drill, "c", 0), second = event_named(&drill, EVALUATE "C", 1);
    expect_jump(&drill, c, event_named(&drill, EVALUATE "C", 0), PAIR_OWN);
    expect_jump(&drill, second, NO_EVENT, PAIR_NONE);
    cr_expect_eq(pairs->side[second], PAIR_BACKWARD);
    cr_assert_eq(pairs->open_count, 1);
    cr_expect_eq(pairs->open[0], event_named(&drill, "open", 0));
    struct keys *keys = keys_build(drill.tree, &(struct grouping){.parts = GROUP_NAME});
    struct pair_rows *rows = pairs_group(keys, NULL);
    cr_assert_eq(rows->count, 3);
    cr_expect_eq(rows->rows[0].first, c, "of equal backward times the one with a forward time");
    cr_expect(rows->rows[0].pairs == 1 && rows->rows[0].forward_cpu == 20000 && rows->rows[0].backward_cpu == 50000);
    cr_expect(rows->rows[1].backward_only == 1 && rows->rows[1].backward_only_cpu == 50000 && rows->rows[1].pairs == 0);
    cr_expect(rows->rows[2].forward_only == 1 && rows->rows[2].forward_only_cpu == 5000);
    pair_rows_free(rows);
    uint64_t *set = keys_select_events(drill.tree, &second, 1);
    rows = pairs_group(keys, set);
    cr_expect(rows->count == 1 && rows->rows[0].backward_only == 1);
    pair_rows_free(rows);
    free(set);
    set = keys_select_events(drill.tree, &c, 1);
    rows = pairs_group(keys, set);
    cr_expect(rows->count == 1 && rows->rows[0].pairs == 1);
    pair_rows_free(rows);
    free(set);
    keys_free(keys);
    drill_close(&drill);
}

/* With arrows nothing else makes pairs, and no end is in two. */
Test(pairs, arrows_alone)
{
    struct drill drill = drill_text(EVENTS(FORWARD("a", 1, 0, 10, 1) FORWARD("b", 1, 20, 10, 2)
                                           BACKWARD("B", 2, 100, 10, 2, 1) BACKWARD("A", 2, 120, 10, 1, 1)
                                           OP("C", 2, 140, 10)
                                           ARROW("fwdbwd", "s", 1, 1, 0) ARROW("fwdbwd", "f", 1, 2, 120)
                                           ARROW("fwdbwd", "s", 2, 1, 0) ARROW("fwdbwd", "f", 2, 2, 140)
                                           ARROW("fwdbwd", "s", 3, 1, 20) ARROW("fwdbwd", "f", 3, 2, 120)));
    const struct pairs *pairs = tree_pairs(drill.tree);
    cr_expect(pairs->count == 1 && pairs->flows == 3 && pairs->lost == 2);
    expect_jump(&drill, event_named(&drill, "a", 0), event_named(&drill, "A", 0), PAIR_OWN);
    expect_jump(&drill, event_named(&drill, "b", 0), NO_EVENT, PAIR_NONE);
    expect_jump(&drill, event_named(&drill, "C", 0), NO_EVENT, PAIR_NONE);
    cr_expect(pairs->open_count == 1 && pairs->open[0] == event_named(&drill, "b", 0));
    drill_close(&drill);
}

/* A backward op in another one's call is an end of its own; the accumulation of gradients is no forward op. */
Test(pairs, other_number_inside)
{
    struct drill drill = drill_text(EVENTS(FORWARD("a", 1, 0, 10, 1) FORWARD("b", 1, 20, 10, 2)
                                           EVENT("user_annotation", "back", 2, 90, 100, "")
                                           BACKWARD(EVALUATE "A", 2, 100, 50, 1, 1) BACKWARD("B", 2, 110, 10, 2, 1)
                                           FORWARD("torch::autograd::AccumulateGrad", 2, 160, 5, 77)));
    uint32_t outer = event_named(&drill, EVALUATE "A", 0), inner = event_named(&drill, "B", 0);
    expect_jump(&drill, event_named(&drill, "b", 0), inner, PAIR_OWN);
    expect_jump(&drill, event_named(&drill, "a", 0), outer, PAIR_OWN);
    expect_jump(&drill, event_named(&drill, "back", 0), event_named(&drill, "a", 0), PAIR_INSIDE);
    cr_expect_eq(tree_pairs(drill.tree)->open_count, 0);
    /* A pair is chosen with either end. */
    struct keys *keys = keys_build(drill.tree, &(struct grouping){.parts = GROUP_NAME});
    uint64_t *set = keys_select_events(drill.tree, &inner, 1);
    struct pair_rows *rows = pairs_group(keys, set);
    cr_expect(rows->count == 1 && rows->rows[0].pairs == 1 && rows->rows[0].backward_cpu == 10000);
    pair_rows_free(rows);
    free(set);
    uint32_t b = event_named(&drill, "b", 0);
    set = keys_select_events(drill.tree, &b, 1);
    rows = pairs_group(keys, set);
    cr_expect(rows->count == 1 && rows->rows[0].pairs == 1 && rows->rows[0].backward_only == 0);
    pair_rows_free(rows);
    free(set);
    keys_free(keys);
    drill_close(&drill);
}

/* Two threads that train alike have the same numbers: arrows tell which of the profiler's threads is which. */
Test(pairs, threads_alike)
{
    struct drill drill = drill_text(EVENTS(FRAME("left", 1, 0, 50) FORWARD("a", 1, 5, 10, 0)
                                           FRAME("right", 2, 0, 50) FORWARD("a", 2, 6, 10, 0)
                                           BACKWARD(EVALUATE "A", 3, 100, 20, 0, 8) BACKWARD("A", 3, 105, 10, 0, 8)
                                           BACKWARD(EVALUATE "A", 4, 100, 20, 0, 9) BACKWARD("A", 4, 106, 10, 0, 9)
                                           ARROW("fwdbwd", "s", 1, 2, 6) ARROW("fwdbwd", "f", 1, 3, 105)
                                           ARROW("fwdbwd", "s", 2, 1, 5) ARROW("fwdbwd", "f", 2, 4, 106)
                                           /* a thread without an arrow: its number is found by the others' rule */
                                           FORWARD("z", 5, 0, 10, 40) BACKWARD("Z", 6, 100, 10, 40, 10)));
    cr_expect_eq(drill.tree->forward_thread[drill.trace->events.place[event_named(&drill, "Z", 0)]],
                 drill.trace->events.thread[event_named(&drill, "z", 0)]);
    uint32_t third = event_named(&drill, "A", 0), fourth = event_named(&drill, "A", 1);
    const struct stack_node *nodes = drill.trace->stacks.nodes;
    cr_expect(span_is(strings_get(&drill.trace->strings, nodes[drill.tree->stack[third]].frame), "right"));
    cr_expect(span_is(strings_get(&drill.trace->strings, nodes[drill.tree->stack[fourth]].frame), "left"));
    uint32_t left = event_named(&drill, "a", 0);
    cr_expect_eq(tree_pairs(drill.tree)->other[left], drill.tree->parent[fourth]);
    drill_close(&drill);
}

/* What arrows say is what the sequence numbers would say without them, but where threads train alike. */
Test(pairs, as_torch_links)
{
    struct support_traces traces = support_traces_below(support_samples_dir(), false);
    unsigned compared = 0;
    for (unsigned i = 0; i < traces.count; i++) {
        struct trace *trace = support_trace_file(traces.paths[i]);
        size_t flows = trace->flows.count;
        if (flows != 0 && strncmp(support_short_path(traces.paths[i]), "threads", 7) != 0) {
            struct tree *by_arrows = tree_build(trace, false);
            const struct pairs *have = tree_pairs(by_arrows);
            cr_expect(have->by_flows);
            trace->flows.count = 0;
            struct tree *by_numbers = tree_build(trace, false);
            const struct pairs *want = tree_pairs(by_numbers);
            cr_expect(!want->by_flows && have->count == want->count, "%s", traces.paths[i]);
            for (uint32_t e = 0; e < by_arrows->count; e++)
                cr_expect_eq(have->other[e], want->other[e], "%s: event %u", traces.paths[i], e);
            trace->flows.count = flows;
            compared += have->count;
            tree_free(by_arrows);
            tree_free(by_numbers);
        }
        trace_free(trace);
    }
    support_traces_free(&traces);
    cr_expect_gt(compared, 900, "only %u pairs", compared);
}

/* -- Modules ----------------------------------------------------------------------------------------------------- */

#define DEVICE(cat, name, tid, ts, dur, args)                                                                          \
    "{\"ph\":\"X\",\"cat\":\"" cat "\",\"name\":\"" name "\",\"pid\":" #tid ",\"tid\":7,\"ts\":" #ts ",\"dur\":" #dur  \
    ",\"args\":{\"device\":0,\"stream\":7," args "}},"

#define NET                                                                                                            \
    FRAME("nn.Module: Net_0", 1, 0, 100) FRAME("nn.Module: Linear_0", 1, 10, 30)                                       \
    EVENT("cpu_op", "addmm", 1, 20, 10, "\"Sequence number\":1,\"Fwd thread id\":0,\"External id\":5")                 \
    DEVICE("kernel", "gemm", 0, 25, 40, "\"External id\":5")                                                           \
    FRAME("nn.Module: Linear_1", 1, 50, 20) FORWARD("addmm", 1, 55, 10, 2) FORWARD("relu", 1, 80, 10, 3)               \
    FORWARD("loss", 1, 200, 10, 4)                                                                                     \
    BACKWARD(EVALUATE "Loss", 2, 300, 10, 4, 1)                                                                        \
    BACKWARD(EVALUATE "Relu", 2, 310, 10, 3, 1)                                                                        \
    BACKWARD(EVALUATE "Addmm", 2, 320, 10, 2, 1)                                                                       \
    BACKWARD(EVALUATE "Addmm", 2, 330, 50, 1, 1)                                                                       \
    EVENT("cpu_op", "mm", 2, 335, 5, "\"External id\":6") DEVICE("kernel", "gemm", 0, 340, 60, "\"External id\":6")    \
    FRAME("nn.Module: Linear_0", 2, 350, 10) FRAME("nn.Module: Odd_", 3, 0, 140)                                       \
    OP(EVALUATE "Inner", 2, 370, 5) OP(EVALUATE "Inner", 3, 50, 30)                                                    \
    OP(EVALUATE "torch::autograd::AccumulateGrad", 2, 390, 5)

static void add_side(const struct module_side *side, struct text *out)
{
    text_addf(out, " %g %g %g %g", (double)side->cpu / 1000, (double)side->self_cpu / 1000, (double)side->device / 1000,
              (double)side->self_device / 1000);
}

/* `name calls pairs: forward's four times, backward's` of each node. */
static void expect_modules(const struct drill *drill, bool by_class, const char *want)
{
    struct module_tree *modules = module_tree_build(drill->tree, by_class);
    const uint32_t *roots = modules->children + modules->nodes[0].child_first;
    cr_assert_eq(modules->nodes[0].child_count, 2);
    for (uint32_t i = 0; i < 2; i++) /* the one with more forward and backward time is the first */
        cr_expect(span_starts(strings_get(&drill->trace->strings, modules->nodes[roots[i]].name),
                              i == 0 ? "Net" : "Odd_"));
    struct text out = {0};
    for (uint32_t n = 0; n < modules->count; n++) {
        const struct module_node *node = &modules->nodes[n];
        text_add_repeat(&out, '.', node->depth);
        text_add_span(&out, strings_get(&drill->trace->strings, node->name));
        text_addf(&out, " %u+%u %u:", node->calls, node->recomputed, node->pairs);
        add_side(&node->forward, &out);
        text_add_string(&out, " |");
        add_side(&node->backward, &out);
        text_add_char(&out, '\n');
    }
    text_add(&out, "", 0);
    cr_expect_str_eq(out.bytes, want);
    text_free(&out);
    module_tree_free(modules);
}

Test(modules, forward_and_backward)
{
    struct drill drill = drill_text(EVENTS(NET));
    expect_modules(&drill, false,
                   " 0+0 1: 220 10 40 0 | 115 45 60 0\n"
                   ".Odd_ 1+0 0: 110 110 0 0 | 0 0 0 0\n"
                   ".Net_0 1+0 1: 100 50 40 0 | 70 10 60 0\n"
                   "..Linear_0 1+0 1: 30 30 40 40 | 50 40 60 60\n"
                   "..Linear_1 1+0 1: 20 20 0 0 | 10 10 0 0\n"
                   "...Linear_0 0+1 0: 0 0 0 0 | 10 10 0 0\n");
    expect_modules(&drill, true,
                   " 0+0 1: 220 10 40 0 | 115 45 60 0\n"
                   ".Odd_ 1+0 0: 110 110 0 0 | 0 0 0 0\n"
                   ".Net 1+0 1: 100 50 40 0 | 70 10 60 0\n"
                   "..Linear 2+0 2: 50 50 40 40 | 60 50 60 60\n"
                   "...Linear 0+1 0: 0 0 0 0 | 10 10 0 0\n");
    drill_close(&drill);
}
