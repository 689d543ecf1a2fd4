/*
 * Call trees on small traces whose answer is known, and on deep ones.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "keyavg/calltree.h"
#include "keyavg/focus.h"
#include "keyavg/module_tree.h"
#include "keyavg/names.h"
#include "support/keyed.h"
#include "support/render.h"

#define EVENTS(list) "{\"traceEvents\": [" list "{}]}"
#define EVENT(cat, name, ts, dur)                                                                                      \
    "{\"ph\":\"X\",\"cat\":\"" cat "\",\"name\":\"" name "\",\"pid\":1,\"tid\":1,\"ts\":" #ts ",\"dur\":" #dur "},"
#define CPU(name, ts, dur) EVENT("cpu_op", name, ts, dur)
#define FRAME(name, ts, dur) EVENT("python_function", name, ts, dur)

static struct span node_name(const struct calltree *calltree, uint32_t node)
{
    const struct trace *trace = calltree->keys->tree->trace;
    const struct calltree_node *at = &calltree->nodes[node];
    if (at->kind != CALLTREE_KEY)
        return span_of(calltree_kind_name((enum calltree_kind)at->kind));
    return strings_get(&trace->strings, event_key(trace, calltree->keys->first[at->key]));
}

/* The tree as it would be drawn, a line a node: dots for the depth, name, calls, total, self in microseconds. */
static char *draw(struct calltree *calltree)
{
    struct text out = {0};
    for (uint32_t n = calltree_next(calltree, 0, true); n != NO_EVENT; n = calltree_next(calltree, n, true)) {
        text_add_repeat(&out, '.', calltree->nodes[n].depth - 1);
        text_add_span(&out, node_name(calltree, n));
        text_addf(&out, " %u %g %g", calltree->nodes[n].calls, (double)calltree->nodes[n].total / 1000,
                  (double)calltree->nodes[n].self / 1000);
        if (calltree->nodes[n].device_total != 0)
            text_addf(&out, " device %g %g", (double)calltree->nodes[n].device_total / 1000,
                      (double)calltree->nodes[n].self_device / 1000);
        text_add_char(&out, '\n');
    }
    text_add(&out, "", 0);
    return out.bytes;
}

static void expect_drawn(struct calltree *calltree, const char *want)
{
    char *have = draw(calltree);
    cr_expect_str_eq(have, want);
    free(have);
}

static uint64_t *select_named(const struct keyed *drill, const char *name)
{
    ARRAY(uint32_t) list = {0};
    for (uint32_t e = 0; e < drill->tree->count; e++)
        if (span_is(strings_get(&drill->trace->strings, event_key(drill->trace, e)), name))
            array_push(&list, e);
    uint64_t *set = keys_select_events(drill->tree, list.items, (uint32_t)list.count);
    array_free(&list);
    return set;
}

#define STEPS                                                                                                          \
    EVENTS(CPU("step", 0, 100) CPU("mm", 10, 30) CPU("add", 12, 8) CPU("relu", 50, 5) CPU("step", 100, 100)            \
               CPU("mm", 110, 50) CPU("add", 115, 10) CPU("mm", 118, 2) CPU("add", 190, 6) CPU("add", 300, 1))

Test(calltree, top_down)
{
    struct keyed drill = keyed_text(STEPS);
    struct calltree *calltree = calltree_build(drill.keys, NULL, false);
    expect_drawn(calltree, "step 2 200 109\n"
                           ".mm 2 80 62\n"
                           "..add 2 18 16\n"
                           "...mm 1 2 2\n"
                           ".add 1 6 6\n"
                           ".relu 1 5 5\n"
                           "add 1 1 1\n");
    calltree_sort(calltree, WEIGHT_CALLS);
    uint32_t count;
    const uint32_t *children = calltree_children(calltree, 0, &count);
    cr_assert_eq(count, 2);
    uint32_t step = children[0], *events = calltree_events(calltree, step, &count);
    cr_expect_eq(count, 2);
    cr_expect(calltree->node_of[events[1]] == step && calltree->nodes[step].first == events[0]);
    free(events);
    calltree_free(calltree);
    keyed_close(&drill);
}

/* A set of calls: the way down to them without times of its own, then all below them. */
Test(calltree, of_a_set)
{
    struct keyed drill = keyed_text(STEPS);
    uint64_t *set = select_named(&drill, "mm");
    struct calltree *calltree = calltree_build(drill.keys, set, false);
    expect_drawn(calltree, "step 0 80 0\n"
                           ".mm 2 80 62\n"
                           "..add 2 18 16\n"
                           "...mm 1 2 2\n");
    calltree_free(calltree);
    free(set);
    set = select_named(&drill, "add");
    calltree = calltree_build(drill.keys, set, false);
    expect_drawn(calltree, "step 0 24 0\n"
                           ".mm 0 18 0\n"
                           "..add 2 18 16\n"
                           "...mm 1 2 2\n"
                           ".add 1 6 6\n"
                           "add 1 1 1\n");
    calltree_free(calltree);
    free(set);
    keyed_close(&drill);
}

Test(calltree, bottom_up)
{
    struct keyed drill = keyed_text(STEPS);
    struct calltree *down = calltree_build(drill.keys, NULL, false);
    struct calltree *up = calltree_turn(down);
    expect_drawn(up, "step 2 200 109\n"
                     "mm 3 82 64\n"
                     ".step 2 80 62\n"
                     ".add 1 2 2\n"
                     "..mm 1 2 2\n"
                     "...step 1 2 2\n"
                     "add 4 25 23\n"
                     ".mm 2 18 16\n"
                     "..step 2 18 16\n"
                     ".step 1 6 6\n"
                     ".[top level] 1 1 1\n"
                     "relu 1 5 5\n"
                     ".step 1 5 5\n");
    calltree_free(up);
    /* Nothing is unfolded that nobody looked at. */
    up = calltree_turn(down);
    cr_expect_eq(up->count, 1 + 4);
    uint32_t count;
    calltree_children(up, 2, &count);
    cr_expect_leq(up->count, 1 + 4 + 3);
    calltree_free(up);
    calltree_free(down);
    keyed_close(&drill);
}

Test(calltree, hot_path_and_chains)
{
    struct keyed drill = keyed_text(EVENTS(CPU("a", 0, 100) CPU("b", 0, 90) CPU("c", 1, 80)
                                           CPU("d", 2, 70) CPU("e", 80, 1) CPU("f", 3, 30)));
    struct calltree *calltree = calltree_build(drill.keys, NULL, false);
    struct calltree_chain chain = calltree_chain(calltree, calltree_next(calltree, 0, true));
    cr_expect(span_is(node_name(calltree, chain.last), "c"));
    cr_expect_eq(chain.length, 3);
    cr_expect_eq(chain.self, 10000 + 10000 + 9000);
    char path[64] = "";
    for (uint32_t node = calltree_hot(calltree, 0); node != NO_EVENT; node = calltree_hot(calltree, node))
        strncat(path, node_name(calltree, node).bytes, 1);
    cr_expect_str_eq(path, "abcd", "d keeps more for itself than it gives to f");
    cr_expect_eq(calltree_next(calltree, calltree_hot(calltree, 0), false), NO_EVENT, "nothing beside a");
    calltree_free(calltree);
    keyed_close(&drill);
}

#define PYTHON                                                                                                         \
    EVENTS(FRAME("main", 0, 1000) FRAME("train", 100, 800) FRAME("forward", 200, 300) CPU("linear", 250, 100)          \
           FRAME("hook", 260, 40) FRAME("inner", 270, 20) CPU("relu", 275, 10) CPU("relu", 400, 50))

Test(calltree, folded_frames)
{
    struct keyed drill = keyed_text(PYTHON);
    struct calltree *calltree = calltree_build(drill.keys, NULL, true);
    expect_drawn(calltree, "main 1 1000 850\n"
                           ".linear 1 100 60\n"
                           "..hook 1 40 30\n"
                           "...relu 1 10 10\n"
                           ".relu 1 50 50\n");
    cr_expect_eq(calltree->nodes[1].frames, 2);
    calltree_free(calltree);
    keyed_close(&drill);
}

#define KERNEL(name, ts, dur, args)                                                                                    \
    "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"" name "\",\"pid\":0,\"tid\":7,\"ts\":" #ts ",\"dur\":" #dur          \
    ",\"args\":{\"device\":0,\"stream\":7" args "}},"

/* Device events are no nodes, but for those without an op. */
Test(calltree, device)
{
    struct keyed drill = keyed_text(EVENTS(
        CPU("step", 0, 100)
        "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"mm\",\"pid\":1,\"tid\":1,\"ts\":10,\"dur\":20,\"args\":{\"External id\":5}},"
        KERNEL("gemm", 40, 30, ",\"External id\":5") KERNEL("loose", 80, 4, "") KERNEL("loose", 90, 6, "")
        "{\"ph\":\"X\",\"cat\":\"gpu_user_annotation\",\"name\":\"step\",\"pid\":0,\"tid\":7,\"ts\":40,\"dur\":60},"));
    struct calltree *calltree = calltree_build(drill.keys, NULL, false);
    expect_drawn(calltree, "step 1 100 80 device 30 0\n"
                           ".mm 1 20 20 device 30 30\n"
                           "[no op] 2 0 0 device 10 0\n"
                           ".loose 2 0 0 device 10 10\n");
    cr_expect_eq(calltree->nodes[0].device_total, 40000);
    calltree_sort(calltree, WEIGHT_SELF_DEVICE);
    cr_expect_eq(calltree_hot(calltree, 0), NO_EVENT, "neither root has device time of its own");
    calltree_sort(calltree, WEIGHT_DEVICE_TOTAL);
    uint32_t hot = calltree_hot(calltree, calltree_hot(calltree, 0));
    cr_expect(span_is(node_name(calltree, hot), "mm"));
    struct calltree *up = calltree_turn(calltree);
    expect_drawn(up, "step 1 100 80 device 30 0\n"
                     "mm 1 20 20 device 30 30\n"
                     ".step 1 20 20 device 30 30\n"
                     "loose 2 0 0 device 10 10\n"
                     ".[no op] 2 0 0 device 10 10\n");
    calltree_free(up);
    calltree_free(calltree);
    /* Of chosen kernels the ops that own them are the way. */
    uint64_t *set = select_named(&drill, "gemm");
    calltree = calltree_build(drill.keys, set, false);
    expect_drawn(calltree, "step 0 0 0 device 30 0\n"
                           ".mm 0 0 0 device 30 30\n");
    free(set);
    calltree_free(calltree);
    keyed_close(&drill);
}

/* No depth ends a walk, and none makes it slow: a hundred thousand levels of ops and frames. */
Test(calltree, deep, .timeout = 60)
{
    enum { LEVELS = 100000 };
    struct text json = {0};
    text_add_string(&json, "{\"traceEvents\": [");
    for (int i = 0; i < LEVELS; i++)
        text_addf(&json, "{\"ph\":\"X\",\"cat\":\"%s\",\"name\":\"f%d\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":%d},",
                  i % 3 != 0 ? "python_function" : "cpu_op", i % 7, i, 2 * LEVELS - 2 * i);
    text_add_string(&json, "{}]}");
    struct keyed drill = keyed_text(json.bytes);
    text_free(&json);
    struct calltree *calltree = calltree_build(drill.keys, NULL, false);
    cr_expect_eq(calltree->count, LEVELS + 1);
    cr_expect_eq(calltree->nodes[LEVELS].depth, LEVELS);
    struct calltree_chain chain = calltree_chain(calltree, 1);
    cr_expect_eq(chain.length, LEVELS);
    struct calltree *up = calltree_turn(calltree);
    uint32_t node = 0, unfolded = 0, count;
    for (const uint32_t *children; (children = calltree_children(up, node, &count)), count > 0 && unfolded < 20;
         unfolded++)
        node = children[0];
    cr_expect_eq(unfolded, 20);
    calltree_free(up);
    struct calltree *folded = calltree_build(drill.keys, NULL, true);
    cr_expect_eq(folded->nodes[0].total, calltree->nodes[0].total);
    calltree_free(folded);
    calltree_free(calltree);
    for (uint32_t key = 0; key < drill.keys->count; key++) {
        const uint32_t *calls = keys_calls(drill.keys, key, &count);
        struct focus *focus = focus_build(drill.keys, calls, count, key % 2 == 1);
        cr_expect_eq(focus->calls, count);
        focus_free(focus);
    }
    uint64_t *set = keys_select_events(drill.tree, &(uint32_t){LEVELS - 1}, 1);
    calltree = calltree_build(drill.keys, set, false);
    cr_expect_eq(calltree->count, LEVELS + 1, "one call with its callers");
    cr_expect_eq(calltree->nodes[1].total, 2000);
    free(set);
    calltree_free(calltree);
    struct module_tree *modules = module_tree_build(drill.tree, false);
    cr_expect_eq(modules->count, 1);
    module_tree_free(modules);
    uint32_t from;
    enum pair_jump how;
    cr_expect_eq(pairs_jump(drill.tree, LEVELS - 1, &from, &how), NO_EVENT);
    keyed_close(&drill);
}
