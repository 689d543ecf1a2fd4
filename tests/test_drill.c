/*
 * Drilling down on small traces whose answer is known: callers and callees, lists of calls.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "keyavg/calls.h"
#include "keyavg/focus.h"
#include "keyavg/names.h"
#include "support/keyed.h"
#include "support/render.h"

/* -- Helpers ----------------------------------------------------------------------------------------------------- */

#define EVENTS(list) "{\"traceEvents\": [" list "{}]}"
#define CPU(name, ts, dur)                                                                                             \
    "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"" name "\",\"pid\":1,\"tid\":1,\"ts\":" #ts ",\"dur\":" #dur "},"
#define FRAME(name, ts, dur)                                                                                           \
    "{\"ph\":\"X\",\"cat\":\"python_function\",\"name\":\"" name "\",\"pid\":1,\"tid\":1,\"ts\":" #ts ",\"dur\":" #dur \
    "},"

static struct focus *focus_on(const struct keyed *drill, const char *name, bool fold)
{
    uint32_t count;
    const uint32_t *calls = keys_calls(drill->keys, keyed_find(drill, name), &count);
    return focus_build(drill->keys, calls, count, fold);
}

/* `name calls cpu device` of each row in microseconds, one after the other, for comparing. */
static char *describe(const struct keyed *drill, const struct focus_row *rows, uint32_t count)
{
    struct text out = {0};
    for (uint32_t i = 0; i < count; i++) {
        if (rows[i].kind == FOCUS_KEY)
            text_add_span(&out, keyed_name(drill, rows[i].key));
        text_addf(&out, "%s %u %g %g%s", focus_kind_name((enum focus_kind)rows[i].kind), rows[i].calls,
                  (double)rows[i].cpu / 1000, (double)rows[i].device / 1000, i + 1 < count ? "; " : "");
    }
    text_add(&out, "", 0);
    return out.bytes;
}

static void expect_focus(const struct keyed *drill, const char *name, bool fold, const char *callers,
                         const char *callees)
{
    struct focus *focus = focus_on(drill, name, fold);
    char *have_callers = describe(drill, focus->callers, focus->caller_count);
    char *have_callees = describe(drill, focus->callees, focus->callee_count);
    cr_expect_str_eq(have_callers, callers, "callers of %s", name);
    cr_expect_str_eq(have_callees, callees, "callees of %s", name);
    free(have_callers);
    free(have_callees);
    focus_free(focus);
}

/* -- Focus ------------------------------------------------------------------------------------------------------- */

Test(drill, callers_and_callees)
{
    struct keyed drill = keyed_text(EVENTS(CPU("a", 0, 100) CPU("b", 10, 30) CPU("c", 12, 8) CPU("b", 50, 40)
                                               CPU("d", 55, 5) CPU("b", 200, 10) CPU("c", 300, 1)));
    expect_focus(&drill, "b", false, "a 2 70 0; [top level] 1 10 0", "[self] 3 67 0; c 1 8 0; d 1 5 0");
    expect_focus(&drill, "a", false, "[top level] 1 100 0", "b 2 70 0; [self] 1 30 0");
    expect_focus(&drill, "c", false, "b 1 8 0; [top level] 1 1 0", "[self] 2 9 0");
    keyed_close(&drill);
}

/* A call of the row inside of one is a call of its own: the row stands on both sides of itself. */
Test(drill, recursion)
{
    struct keyed drill =
        keyed_text(EVENTS(CPU("f", 0, 100) CPU("f", 10, 60) CPU("g", 20, 30) CPU("f", 25, 20) CPU("h", 80, 5)));
    struct focus *focus = focus_on(&drill, "f", false);
    cr_expect_eq(focus->cpu_total, 180000);
    cr_expect_eq(focus->self_cpu, 35000 + 30000 + 20000);
    focus_free(focus);
    expect_focus(&drill, "f", false, "[top level] 1 100 0; f 1 60 0; g 1 20 0",
                 "[self] 3 85 0; f 1 60 0; g 1 30 0; h 1 5 0");
    keyed_close(&drill);
}

/* What ends on another thread has a total and no self time. */
Test(drill, async)
{
    struct keyed drill = keyed_text(EVENTS(CPU("a", 0, 50) "{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"gloo:"
                                                           "all_reduce\",\"pid\":1,\"tid\":1,\"ts\":10,\"dur\":70},"));
    expect_focus(&drill, "gloo:all_reduce", false, "[top level] 1 70 0", "[async] 1 70 0");
    expect_focus(&drill, "a", false, "[top level] 1 50 0", "[self] 1 50 0");
    keyed_close(&drill);
}

#define PYTHON                                                                                                         \
    EVENTS(FRAME("main", 0, 1000) FRAME("train", 100, 800) FRAME("forward", 200, 300) CPU("linear", 250, 100)          \
           CPU("addmm", 260, 50) CPU("relu", 400, 50) FRAME("forward", 600, 200) CPU("linear", 650, 100)               \
           FRAME("hook", 660, 40) FRAME("inner", 670, 20) CPU("relu", 675, 10))

/* Frames are callers, callees and rows to focus on, also where they are no rows of the table. */
Test(drill, frames)
{
    struct keyed drill = keyed_text(PYTHON);
    expect_focus(&drill, "linear", false, "forward 2 200 0", "[self] 2 110 0; addmm 1 50 0; hook 1 40 0");
    expect_focus(&drill, "forward", false, "train 2 500 0", "[self] 2 250 0; linear 2 200 0; relu 1 50 0");
    expect_focus(&drill, "relu", false, "forward 1 50 0; inner 1 10 0", "[self] 2 60 0");
    keyed_close(&drill);
}

/* A run of frames bears its outermost frame's name and has all of its time. */
Test(drill, folded_frames)
{
    struct keyed drill = keyed_text(PYTHON);
    expect_focus(&drill, "linear", true, "main 2 200 0", "[self] 2 110 0; addmm 1 50 0; hook 1 40 0");
    expect_focus(&drill, "relu", true, "main 1 50 0; hook 1 10 0", "[self] 2 60 0");
    /* A frame in the set ends the run above it and takes in the frames below it. */
    expect_focus(&drill, "train", true, "main 1 800 0", "[self] 1 550 0; linear 2 200 0; relu 1 50 0");
    struct focus *focus = focus_on(&drill, "train", true);
    cr_expect_eq(focus->self_cpu, 300000);
    cr_expect_eq(focus->folded_cpu, 250000);
    focus_free(focus);
    expect_focus(&drill, "main", true, "[top level] 1 1000 0", "[self] 1 750 0; linear 2 200 0; relu 1 50 0");
    keyed_close(&drill);
}

/* Of a part of a row's calls all callers and callees are shown, whoever chose the calls. */
Test(drill, chosen_calls)
{
    struct keyed drill = keyed_text(PYTHON);
    uint32_t count;
    const uint32_t *calls = keys_calls(drill.keys, keyed_find(&drill, "linear"), &count);
    cr_assert_eq(count, 2);
    struct focus *focus = focus_build(drill.keys, calls + 1, 1, false);
    char *callees = describe(&drill, focus->callees, focus->callee_count);
    cr_expect_str_eq(callees, "[self] 1 60 0; hook 1 40 0");
    free(callees);
    focus_free(focus);
    /* A filtered table has the second call alone; of frames, which it has not, all are taken. */
    uint64_t *set = keys_select_events(drill.tree, calls + 1, 1);
    struct averages *averages = averages_build(drill.tree, &drill.keys->grouping, set);
    uint32_t *chosen = keys_chosen_calls(drill.keys, averages, keyed_find(&drill, "linear"), &count);
    cr_expect(count == 1 && chosen[0] == calls[1]);
    free(chosen);
    chosen = keys_chosen_calls(drill.keys, averages, keyed_find(&drill, "forward"), &count);
    cr_expect_eq(count, 2);
    free(chosen);
    free(set);
    set = keys_select_rows(averages, NULL, 0);
    cr_expect_eq(set[0], UINT64_C(1) << calls[1]);
    free(set);
    averages_free(averages);
    keyed_close(&drill);
}

/* -- Call lists -------------------------------------------------------------------------------------------------- */

Test(drill, call_lists)
{
    struct keyed drill = keyed_text(EVENTS(CPU("a", 0, 1) CPU("a", 10, 2) CPU("a", 20, 4) CPU("a", 30, 8)
                                               CPU("a", 40, 8) CPU("a", 50, 0) CPU("b", 60, 5)));
    uint32_t count, classes[3];
    const uint32_t *calls = keys_calls(drill.keys, keyed_find(&drill, "a"), &count);
    cr_assert_eq(count, 6);
    /* Classes from 1 ns to 8000 ns, each 20 times the one before. */
    struct call_histogram histogram = calls_histogram(drill.trace, calls, count, classes, 3);
    cr_expect(histogram.low == 1 && histogram.high == 8000 && histogram.most == 5);
    cr_expect(classes[0] == 1 && classes[1] == 0 && classes[2] == 5);
    cr_expect_float_eq(histogram_bound(&histogram, 3, 1), 20, 1e-6);
    cr_expect_eq(histogram_bound(&histogram, 3, 3), 8000);
    calls_histogram(drill.trace, calls + 3, 2, classes, 3);
    cr_expect(classes[0] == 2 && classes[1] == 0 && classes[2] == 0, "equal ones stand in the first class");
    int64_t places[10];
    cr_expect_eq(calls_strip(drill.trace, calls, count, places, 10), 6);
    cr_expect(places[0] == 1000 && places[5] == 0);
    cr_expect_eq(calls_strip(drill.trace, calls, count, places, 3), 3);
    cr_expect(places[0] == 2000 && places[1] == 8000 && places[2] == 8000);
    cr_expect_eq(calls_first(calls, count), calls[0]);
    cr_expect_eq(calls_worst(drill.trace, calls, count), calls[3], "the first of equals");
    cr_expect_eq(calls_worst(drill.trace, calls, 0), NO_EVENT);
    struct spread spread = calls_spread(drill.trace, calls, count);
    cr_expect(spread.min == 0 && spread.p50 == 2000 && spread.p90 == 8000 && spread.max == 8000);
    cr_expect_eq(calls_spread(drill.trace, calls, 0).max, 0);
    keyed_close(&drill);
}

Test(drill, by_step)
{
    struct keyed drill = keyed_text(EVENTS(CPU("ProfilerStep#4", 0, 100) CPU("a", 10, 20) CPU("a", 40, 30)
                                           CPU("ProfilerStep#7", 100, 100) CPU("a", 150, 5) CPU("a", 300, 1)));
    uint32_t count;
    const uint32_t *calls = keys_calls(drill.keys, keyed_find(&drill, "a"), &count);
    struct step_sum *sums = calls_by_step(drill.tree, calls, count);
    cr_expect(sums[0].calls == 1 && sums[0].cpu == 1000);
    cr_expect(sums[1].calls == 2 && sums[1].cpu == 50000);
    cr_expect(sums[2].calls == 1 && sums[2].cpu == 5000);
    free(sums);
    keyed_close(&drill);
}
