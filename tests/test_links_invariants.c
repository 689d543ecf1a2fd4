/*
 * What must hold of the links in every recording: launches and their device events, arrows and pairs.
 */
#include <criterion/criterion.h>
#include <stdio.h>

#include "keyavg/launches.h"
#include "keyavg/pairs.h"
#include "support/render.h"
#include "support/skip.h"
#include "support/traces.h"

static bool is_work(const struct tree *tree, uint32_t e)
{
    return tree->state[e] == STATE_ROW && event_on_device(tree->trace, e) &&
           event_kind(tree->trace, e) != KIND_DEVICE_ANNOTATION;
}

static void check_launches(struct tree *tree, const char *path)
{
    const struct trace *trace = tree->trace;
    const struct launches *launches = tree_launches(tree);
    for (uint32_t e = 0; e < tree->count; e++) {
        if (!is_work(tree, e)) {
            cr_assert_eq(launches->op[e], NO_EVENT);
            continue;
        }
        cr_assert_eq(launches->rule[e] == LAUNCH_LINK, tree->owner[e] != NO_EVENT, "%s: event %u", path, e);
        cr_assert_eq(launches->rule[e] == LAUNCH_NONE, launches->op[e] == NO_EVENT, "%s: event %u", path, e);
        int64_t delay;
        if (launches_delay(trace, launches, e, &delay))
            cr_assert_eq(event_end(trace, launches->call[e]) + delay, trace->events.start[e]);
        if (launches->call[e] != NO_EVENT)
            cr_assert_eq(event_correlation(trace, e), event_correlation(trace, launches->call[e]));
    }
}

/* Arrows whose id has both ends, an id that comes more than once as often as both ends do. */
static unsigned count_arrows(const struct trace *trace)
{
    unsigned count = 0;
    for (size_t i = 0; i < trace->flows.count; i++) {
        unsigned before = 0, other = 0;
        for (size_t j = 0; j < trace->flows.count; j++) {
            if (trace->flows.items[j].id != trace->flows.items[i].id)
                continue;
            before += j < i && trace->flows.items[j].finish == trace->flows.items[i].finish;
            other += trace->flows.items[j].finish != trace->flows.items[i].finish;
        }
        count += !trace->flows.items[i].finish && before < other;
    }
    return count;
}

static void check_pairs(struct tree *tree, const char *path, unsigned *with_arrows)
{
    const struct trace *trace = tree->trace;
    const struct pairs *pairs = tree_pairs(tree);
    unsigned arrows = count_arrows(trace), ends = 0;
    cr_expect_eq(pairs->flows, arrows, "%s: %u arrows, %u counted", path, arrows, pairs->flows);
    if (arrows != 0) {
        cr_expect_eq(pairs->count, arrows, "%s: %u pairs of %u arrows", path, pairs->count, arrows);
        cr_expect_eq(pairs->lost, 0, "%s", path);
        (*with_arrows)++;
    }
    for (uint32_t e = 0; e < tree->count; e++) {
        uint32_t other = pairs->other[e], from;
        enum pair_jump how;
        if (other == NO_EVENT)
            continue;
        ends++;
        cr_assert_eq(pairs->other[other], e, "%s: event %u", path, e);
        cr_assert(pairs->side[e] + pairs->side[other] == PAIR_FORWARD + PAIR_BACKWARD, "%s: event %u", path, e);
        cr_assert_eq(pairs_jump(tree, e, &from, &how), other);
        cr_assert(how == PAIR_OWN && from == e);
        cr_assert_eq(pairs_jump(tree, other, &from, &how), e, "%s: `x` twice from event %u", path, e);
        cr_assert_eq(tree->state[e], STATE_ROW);
    }
    cr_expect_eq(ends, pairs->count * 2);
    /* From anywhere: twice is back at the end that was used. */
    for (uint32_t e = 0; e < tree->count; e += tree->count / 500 + 1) {
        uint32_t from, back;
        enum pair_jump how;
        uint32_t to = pairs_jump(tree, e, &from, &how);
        cr_assert_eq(to == NO_EVENT, how == PAIR_NONE);
        if (to != NO_EVENT)
            cr_expect(pairs_jump(tree, to, &back, &how) == from && back == to, "%s: event %u", path, e);
    }
}

static void check_folder(const char *folder, bool all, unsigned least_arrows)
{
    struct support_traces traces = support_traces_below(folder, all);
    unsigned with_arrows = 0;
    for (unsigned i = 0; i < traces.count; i++) {
        struct trace *trace = support_trace_file(traces.paths[i]);
        for (int without_python = 0; without_python < 2; without_python++) {
            struct tree *tree = tree_build(trace, without_python);
            check_launches(tree, support_short_path(traces.paths[i]));
            check_pairs(tree, support_short_path(traces.paths[i]), &with_arrows);
            tree_free(tree);
        }
        trace_free(trace);
    }
    support_traces_free(&traces);
    cr_expect_geq(with_arrows, least_arrows, "only %u trees with arrows", with_arrows);
}

Test(links_invariants, samples, .timeout = 600)
{
    check_folder(support_samples_dir(), false, 30);
}

Test(links_invariants, traces, .timeout = 600)
{
    char folder[4200];
    snprintf(folder, sizeof folder, "%s/traces", support_need_shared());
    check_folder(folder, true, 8);
}
