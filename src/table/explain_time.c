/* Explaining times: totals, self, on the device. */
#include <stdlib.h>

#include "explain.h"
#include "keyavg/launches.h"
#include "keyavg/wrap.h"

static const struct column *time_column(void)
{
    return column_find(span_of("cpu_time_total"));
}

static event_list all_calls(const struct explaining *of)
{
    event_list calls = {0};
    for (uint32_t i = 0; i < of->count; i++)
        array_push(&calls, of->calls[i]);
    return calls;
}

static bool is_async(const struct explaining *of, uint32_t event)
{
    return (of->trace->events.flags[event] & EVENT_ASYNC) != 0;
}

/* The calls that have another call of the row above them. Parents come before children. */
static event_list calls_inside(const struct explaining *of)
{
    event_list inside = {0};
    uint8_t *below = memory_zero((size_t)of->tree->count + 1, 1);
    for (uint32_t e = 0; e < of->tree->count; e++) {
        uint32_t parent = of->tree->parent[e];
        below[e] = parent != NO_EVENT && (below[parent] || of->table->averages->row_of[parent] == of->row);
        if (below[e] && of->table->averages->row_of[e] == of->row)
            array_push(&inside, e);
    }
    free(below);
    return inside;
}

static int64_t device_total(const struct explaining *of, uint32_t event)
{
    return amounts_get(&of->tree->device_total, event);
}

static int64_t self_device(const struct explaining *of, uint32_t event)
{
    return amounts_get(&of->tree->self_device, event);
}

static void add_durations(struct explaining *of, enum explain_sign sign)
{
    event_list calls = all_calls(of);
    int64_t sum = explain_sum(of, explain_duration, &calls);
    explain_add(of, sign, of->on_device ? "durations of the events" : "durations of the calls", sum, time_column(),
                &calls,
                "from start to end, with everything inside");
}

/* Device rows have no time on the CPU. */
static bool add_no_cpu(struct explaining *of)
{
    if (!of->on_device)
        return false;
    add_durations(of, EXPLAIN_LEFT_OUT);
    return true;
}

void explain_cpu_total(struct explaining *of)
{
    if (add_no_cpu(of))
        return;
    add_durations(of, EXPLAIN_PLUS);
    event_list inside = calls_inside(of);
    if (inside.count > 0) {
        int64_t sum = explain_sum(of, explain_duration, &inside);
        explain_add(of, EXPLAIN_NOTE, "calls inside of calls of this row", sum, time_column(), &inside,
                    "recursion: their time counts again; the column CPU once counts it once");
    }
    array_free(&inside);
}

void explain_outermost(struct explaining *of)
{
    if (add_no_cpu(of))
        return;
    add_durations(of, EXPLAIN_PLUS);
    event_list inside = calls_inside(of);
    int64_t sum = explain_sum(of, explain_duration, &inside);
    explain_add(of, EXPLAIN_MINUS, "calls inside of calls of this row", sum, time_column(), &inside,
                "recursion: the outer call has their time already");
}

void explain_self_cpu(struct explaining *of)
{
    struct text words = {0};
    if (add_no_cpu(of))
        return;
    add_durations(of, EXPLAIN_PLUS);
    event_list children = explain_children(of);
    explain_add_names(of, "call", &children, explain_duration, &words);
    int64_t below = explain_sum(of, explain_duration, &children);
    explain_add(of, EXPLAIN_MINUS, "calls directly below", below, time_column(), &children, words.bytes);
    event_list async = explain_pick(of, is_async);
    if (async.count > 0) {
        int64_t sum = explain_sum(of, explain_duration, &async);
        explain_add(of, EXPLAIN_MINUS, "asynchronous calls", sum, time_column(), &async,
                    "they end on another thread, or were still running at the end: no children, no time of their own");
    }
    array_free(&async);
    text_free(&words);
}

/* -- On the device ------------------------------------------------------------------------------------------------- */

static event_list own_kernels(const struct explaining *of)
{
    event_list kernels = {0};
    tree_need_kernels(of->tree);
    for (uint32_t i = 0; i < of->count; i++)
        for (uint32_t k = of->tree->kernel_first[of->calls[i]]; k < of->tree->kernel_first[of->calls[i] + 1]; k++)
            array_push(&kernels, of->tree->kernels[k]);
    explain_order(&kernels);
    return kernels;
}

static void add_own_kernels(struct explaining *of)
{
    struct text words = {0};
    event_list kernels = own_kernels(of);
    explain_add_names(of, "event", &kernels, self_device, &words);
    int64_t sum = explain_sum(of, self_device, &kernels);
    explain_add(of, EXPLAIN_PLUS, "their kernels, copies and fills", sum, time_column(), &kernels, words.bytes);
    text_free(&words);
}

/* Device events that other rules than torch's link lead to the row's calls. */
static void add_unlinked(struct explaining *of)
{
    const struct launches *launches = tree_launches(of->tree);
    event_list found = {0};
    for (uint32_t e = 0; e < of->tree->count; e++)
        if (event_on_device(of->trace, e) && launches->op[e] != NO_EVENT && launches->rule[e] != LAUNCH_LINK &&
            of->table->averages->row_of[launches->op[e]] == of->row)
            array_push(&found, e);
    if (found.count > 0) {
        int64_t sum = explain_sum(of, explain_duration, &found);
        explain_add(of, EXPLAIN_LEFT_OUT, "device events without torch's link", sum, time_column(), &found,
                    "correlation leads from them to these calls, but torch's link does not: torch counts them in no "
                    "op");
    }
    array_free(&found);
}

void explain_self_device(struct explaining *of)
{
    if (of->on_device) {
        event_list events = explain_pick(of, is_async);
        add_durations(of, EXPLAIN_PLUS);
        if (events.count > 0) {
            int64_t sum = explain_sum(of, explain_duration, &events);
            explain_add(of, EXPLAIN_MINUS, "asynchronous events", sum, time_column(), &events,
                        "they have no time in torch");
        }
        array_free(&events);
        return;
    }
    add_own_kernels(of);
    add_unlinked(of);
}

void explain_device_total(struct explaining *of)
{
    struct text words = {0};
    if (of->on_device) {
        explain_self_device(of);
        return;
    }
    add_own_kernels(of);
    event_list below = {0}, children = explain_children(of);
    for (size_t i = 0; i < children.count; i++)
        if (device_total(of, children.items[i]) != 0)
            array_push(&below, children.items[i]);
    explain_add_names(of, "call", &below, device_total, &words);
    int64_t sum = explain_sum(of, device_total, &below);
    explain_add(of, EXPLAIN_PLUS, "kernels of calls below", sum, time_column(), &below, words.bytes);
    add_unlinked(of);
    array_free(&children);
    text_free(&words);
}
