/* Explaining counts, memory, FLOPs, averages, shares and statistics. */
#include "explain.h"
#include "keyavg/wrap.h"

static const struct column *count_column(void)
{
    return column_find(span_of("count"));
}

void explain_count(struct explaining *of)
{
    event_list calls = {0};
    for (uint32_t i = 0; i < of->count; i++)
        array_push(&calls, of->calls[i]);
    explain_add(of, EXPLAIN_PLUS, of->on_device ? "events of the row" : "calls of the row", of->count, of->column,
                &calls,
                "one for each event whose key is the row's");
}

/* -- Memory -------------------------------------------------------------------------------------------------------- */

static int64_t cpu_bytes(const struct explaining *of, uint32_t event)
{
    return amounts_get(&of->tree->memory[MEMORY_CPU], event);
}

static int64_t device_bytes(const struct explaining *of, uint32_t event)
{
    return amounts_get(&of->tree->memory[MEMORY_DEVICE], event);
}

static void add_memory(struct explaining *of, enum memory_column memory, bool self)
{
    explain_value *bytes = memory == MEMORY_CPU ? cpu_bytes : device_bytes;
    bool there = amounts_there(&of->tree->memory[memory]);
    event_list calls = {0}, async = {0};
    int64_t sum = 0;
    for (uint32_t i = 0; there && i < of->count; i++) {
        uint32_t e = of->calls[i];
        if (bytes(of, e) == 0)
            continue;
        bool left_out = self && (of->trace->events.flags[e] & EVENT_ASYNC) != 0;
        if (left_out) {
            array_push(&async, e);
            continue;
        }
        array_push(&calls, e);
        wrap_to(&sum, bytes(of, e));
    }
    explain_add(of, EXPLAIN_PLUS, "allocated less freed in the calls", sum, of->column, &calls,
                "all records while they ran, on whatever thread; negative where more was freed");
    if (!self)
        return;
    if (there) {
        event_list children = explain_children(of), with = {0};
        for (size_t i = 0; i < children.count; i++)
            if (bytes(of, children.items[i]) != 0)
                array_push(&with, children.items[i]);
        sum = explain_sum(of, bytes, &with);
        explain_add(of, EXPLAIN_MINUS, "that of calls directly below", sum, of->column, &with, "it is theirs");
        array_free(&children);
    }
    if (async.count > 0) {
        sum = explain_sum(of, bytes, &async);
        explain_add(of, EXPLAIN_LEFT_OUT, "asynchronous calls", sum, of->column, &async,
                    "they have no memory of their own");
    }
    array_free(&async);
}

void explain_cpu_memory(struct explaining *of)
{
    add_memory(of, MEMORY_CPU, false);
}

void explain_device_memory(struct explaining *of)
{
    add_memory(of, MEMORY_DEVICE, false);
}

void explain_self_cpu_memory(struct explaining *of)
{
    add_memory(of, MEMORY_CPU, true);
}

void explain_self_device_memory(struct explaining *of)
{
    add_memory(of, MEMORY_DEVICE, true);
}

/* -- FLOPs --------------------------------------------------------------------------------------------------------- */

void explain_flops(struct explaining *of)
{
    event_list with = {0}, without = {0};
    uint64_t sum = 0;
    for (uint32_t i = 0; i < of->count; i++) {
        uint64_t flops = of->trace->events.inputs[of->calls[i]] != 0 ? tree_flops(of->tree, of->calls[i]) : 0;
        sum += flops;
        if (flops > 0)
            array_push(&with, of->calls[i]);
        else
            array_push(&without, of->calls[i]);
    }
    explain_add(of, EXPLAIN_PLUS, "torch's estimates of the calls", (int64_t)sum, of->column, &with,
                "mm, addmm, bmm, baddbmm, conv2d: 2 a multiplication and addition; add, mul: one an item");
    if (without.count > 0)
        explain_add(of, EXPLAIN_LEFT_OUT, "calls without an estimate", (int64_t)without.count, count_column(), &without,
                    "torch estimates no other ops, and none without shapes");
    array_free(&without);
}

/* -- Averages and shares ------------------------------------------------------------------------------------------- */

static void add_calls_below(struct explaining *of)
{
    explain_add(of, EXPLAIN_OVER, of->on_device ? "events" : "calls", of->count, count_column(), NULL,
                "the average is over all of the row, however long each is");
}

void explain_cpu_time(struct explaining *of)
{
    explain_cpu_total(of);
    add_calls_below(of);
}

void explain_device_time(struct explaining *of)
{
    explain_device_total(of);
    add_calls_below(of);
}

/* The base of shares. */
static int64_t add_base(struct explaining *of, bool device)
{
    const struct table *table = of->table;
    bool all = table->query.percent_of == PERCENT_OF_ALL;
    int64_t base = device ? (all ? table->self_device_all : table->self_device_shown)
                          : (all ? table->self_cpu_all : table->self_cpu_shown);
    struct text title = {0};
    const struct column *self = column_find(span_of(device ? "self_device_time_total" : "self_cpu_time_total"));
    column_add_title(self, table, &title);
    text_addf(&title, " of all %srows", device ? "device " : "");
    text_add_string(&title, all ? "" : " shown");
    explain_add(of, EXPLAIN_OVER, title.bytes, base, self, NULL,
                device ? "rows of the device that are no annotations, so that each moment of a kernel counts once"
                       : "on all threads; each moment of a thread counts once");
    text_free(&title);
    return base;
}

static void add_note(struct explaining *of, const char *title, const char *advice)
{
    explain_add(of, EXPLAIN_NOTE, title, 0, of->column, NULL, advice)->value.kind = VALUE_UNKNOWN;
}

void explain_self_cpu_percent(struct explaining *of)
{
    explain_self_cpu(of);
    add_base(of, false);
}

void explain_cpu_total_percent(struct explaining *of)
{
    if (table_row_async(of->table, of->row)) {
        add_note(of, "0 for asynchronous rows", "torch gives them no share: their time is also somebody else's");
        return;
    }
    explain_cpu_total(of);
    int64_t base = add_base(of, false);
    if (of->average->cpu_time_total > base)
        add_note(of, "above 100 %",
                 "CPU total holds the calls below, and recursion again; the base counts each moment once");
    else
        add_note(of, "shares add up to more than 100 %",
                 "the time of a call is in its own row and in the rows of all its callers");
}

void explain_self_device_percent(struct explaining *of)
{
    explain_self_device(of);
    int64_t base = add_base(of, true);
    if (of->average->self_device_time_total > base)
        add_note(of, "above 100 %", "annotations on the device are as long as all they hold, and are not in the base");
    else if (!of->on_device)
        add_note(of, "shares add up to more than 100 %", "a kernel's time is in its own row and in the row of its op");
}

/* -- Statistics ---------------------------------------------------------------------------------------------------- */

void explain_rank(struct explaining *of)
{
    struct text scratch = {0}, title = {0};
    struct value value;
    event_list found = {0};
    uint32_t below = 0;
    table_value(of->table, of->row, of->column, &value, &scratch);
    for (uint32_t i = 0; i < of->count; i++) {
        int64_t duration = of->trace->events.duration[of->calls[i]];
        below += duration < value.integer;
        if (duration == value.integer)
            array_push(&found, of->calls[i]);
    }
    text_addf(&title, "number %u of %u by duration", below + 1, of->count);
    explain_add(of, EXPLAIN_PLUS, title.bytes, value.integer, of->column, &found,
                "of the calls in order of duration, the shortest first; p % is the one at p % of their number, "
                "rounded up");
    text_free(&scratch);
    text_free(&title);
}

void explain_deviation(struct explaining *of)
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < of->count; i++)
        wrap_to(&sum, of->trace->events.duration[of->calls[i]]);
    struct explain_line *line = explain_add(of, EXPLAIN_NOTE, "mean duration", sum, of->column, NULL,
                                            "the sum of the durations / # of Calls");
    line->value.kind = VALUE_RATIO;
    line->value.over = of->count > 0 ? of->count : 1;
    explain_add(of, EXPLAIN_NOTE, "calls", of->count, count_column(), NULL, "all of the row, however long each is");
}

void explain_first(struct explaining *of)
{
    event_list first = {0};
    array_push(&first, of->average->first);
    explain_add(of, EXPLAIN_NOTE, "the row's first call", of->average->first, column_find(span_of("event")), &first,
                "what is not a sum is the first call's, as in torch");
}
