/*
 * Averages of traces that are large enough for several threads: the rows and sums are those of one thread, and those
 * that a plain walk over the events finds.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "keyavg/average.h"
#include "keyavg/grouping.h"
#include "keyavg/names.h"
#include "keyavg/phase.h"
#include "keyavg/steps.h"
#include "support/loads.h"

enum { EVENTS = 240000 };

/* Names come in an order that differs from one part of the trace to the next, some only in the last; with shapes,
 * threads, frames and steps; backward ops; kernels with their launches. */
static void add_text(struct text *text)
{
    text_add_string(text, "{\"with_flops\":1,\"record_shapes\":1,\"traceEvents\":[\n");
    for (unsigned i = 0; i < EVENTS; i++) {
        unsigned kind = i * 7919 % 11, from = i * 10, name = kind < 3 ? i / 30000 * 7 + i % 5 : i * 31 % 13;
        if (i % 40000 == 0)
            text_addf(text, "{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"ProfilerStep#%u\",\"pid\":1,\"tid\":1,\"ts\":%u,\"dur\":399999},\n",
                      i / 40000, from);
        if (kind < 6)
            text_addf(text, "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"aten::op%u.over%u\",\"pid\":1,\"tid\":%u,\"ts\":%u,\"dur\":%u,"
                            "\"args\":{\"External id\":%u,\"Input Dims\":[[%u,4]],\"Sequence number\":%u,\"Fwd thread id\":%u}},\n",
                      name, i % 2, i % 3, from, i % 9 + 1, i + 1, i % 17, i / 2, i % 2);
        else if (kind < 8)
            text_addf(text, "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"aten::mm\",\"pid\":1,\"tid\":%u,\"ts\":%u,\"dur\":%u,"
                            "\"args\":{\"External id\":%u,\"Input Dims\":[[%u,3],[3,5]]}},\n", i % 3, from, i % 9 + 1,
                            i + 1, i % 19);
        else if (kind == 8)
            text_addf(text, "{\"ph\":\"X\",\"cat\":\"python_function\",\"name\":\"a.py(%u): f\",\"pid\":1,\"tid\":%u,\"ts\":%u,\"dur\":9},\n",
                      i % 23, i % 3, from);
        else
            text_addf(text, "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"kernel%u\",\"pid\":0,\"tid\":%u,\"ts\":%u,\"dur\":%u,"
                            "\"args\":{\"External id\":%u,\"device\":0,\"stream\":%u,\"correlation\":%u}},\n",
                      name, i % 2 + 7, from, i % 5, i - i % 11, i % 2 + 7, i);
    }
    text_add_string(text, "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"last\",\"pid\":1,\"tid\":1,\"ts\":9999999,\"dur\":1}]}\n");
}

static struct trace *load(const struct text *text, unsigned threads)
{
    struct error error = {0};
    struct trace *trace = trace_load_memory_with(text->bytes, text->length, "made.json",
                                                 &(struct trace_options){.threads = threads}, &error);
    cr_assert_not_null(trace, "%s", error.text);
    cr_assert_gt(trace->events.count, EVENTS);
    return trace;
}

static const char *const groupings[] = {"name", "name,overload", "name,shape", "name,stack=3", "name,thread", "step,name",
                                        "scope,name", "device,name", "name,shape,stack=2,thread,step,scope",
                                        "shape", "dtype,device", "scope", "thread,step"};

static void expect_same_rows(const struct averages *a, const struct averages *b, const char *what)
{
    cr_assert_eq(a->count, b->count, "%s: %u rows, not %u", what, b->count, a->count);
    for (uint32_t r = 0; r < a->count; r++) {
        const struct average *x = &a->rows[r], *y = &b->rows[r];
        cr_assert(x->first == y->first && x->count == y->count && x->cpu_time_total == y->cpu_time_total &&
                      x->self_cpu_time_total == y->self_cpu_time_total && x->device_time_total == y->device_time_total &&
                      x->self_device_time_total == y->self_device_time_total && x->flops == y->flops,
                  "%s: row %u differs", what, r);
    }
    cr_assert_arr_eq(a->row_of, b->row_of, a->tree->count * sizeof *a->row_of, "%s: events stand in other rows", what);
}

/* Also with some events alone, so that whole blocks have no row. */
Test(average, any_number_of_threads_gives_the_same_rows)
{
    struct text text = {0};
    add_text(&text);
    struct trace *one = load(&text, 1), *many[] = {load(&text, 2), load(&text, 3), load(&text, 8)};
    struct tree *tree = tree_build(one, false), *trees[3];
    for (unsigned i = 0; i < 3; i++)
        trees[i] = tree_build(many[i], false);
    uint64_t *selected = memory_zero(tree->count / 64 + 1, sizeof *selected);
    for (uint32_t e = 0; e < tree->count; e++)
        if (e / 9000 % 3 == 1 && e % 7 != 0)
            selected[e / 64] |= UINT64_C(1) << e % 64;
    for (unsigned g = 0; g < sizeof groupings / sizeof *groupings; g++)
        for (unsigned way = 0; way < 4; way++) {
            struct error error = {0};
            struct grouping grouping = {.python = way & 1 ? PYTHON_AS_ROWS : PYTHON_IN_TREE};
            cr_assert(grouping_parse(span_of(groupings[g]), &grouping, &error), "%s", error.text);
            const uint64_t *chosen = way & 2 ? selected : NULL;
            struct averages *wanted = averages_build(tree, &grouping, chosen);
            cr_assert_gt(wanted->count, 0);
            for (unsigned i = 0; i < 3; i++) {
                struct averages *averages = averages_build(trees[i], &grouping, chosen);
                expect_same_rows(wanted, averages, groupings[g]);
                averages_free(averages);
            }
            averages_free(wanted);
        }
    free(selected);
    tree_free(tree);
    trace_free(one);
    for (unsigned i = 0; i < 3; i++) {
        tree_free(trees[i]);
        trace_free(many[i]);
    }
    text_free(&text);
}

/* What decides a row under `step,thread,name` of this trace, told plainly. */
static bool same_key(struct tree *tree, uint32_t a, uint32_t b)
{
    const struct trace *trace = tree->trace;
    const struct steps *steps = tree_steps(tree);
    return event_key(trace, a) == event_key(trace, b) && steps->of[a] == steps->of[b] &&
           tree_thread(tree, a) == tree_thread(tree, b) && event_on_device(trace, a) == event_on_device(trace, b);
}

Test(average, rows_are_those_of_a_plain_walk)
{
    struct text text = {0};
    struct error error = {0};
    struct grouping grouping = {.python = PYTHON_IN_TREE};
    add_text(&text);
    struct trace *trace = load(&text, 2);
    struct tree *tree = tree_build(trace, false);
    cr_assert(grouping_parse(span_of("step,thread,name"), &grouping, &error));
    struct averages *averages = averages_build(tree, &grouping, NULL);
    struct average *rows = memory_zero(averages->count, sizeof *rows);
    uint32_t next = 0;
    for (uint32_t e = 0; e < tree->count; e++) {
        bool counts = tree->state[e] == STATE_ROW && event_kind(trace, e) != KIND_PYTHON;
        uint32_t row = averages->row_of[e];
        cr_assert_eq(counts, row != NO_EVENT, "event %u", e);
        if (!counts)
            continue;
        cr_assert_leq(row, next, "event %u: rows are not numbered as they appear", e);
        next += row == next;
        if (rows[row].count++ == 0)
            rows[row].first = e;
        cr_assert(same_key(tree, rows[row].first, e), "event %u stands in row %u", e, row);
        rows[row].cpu_time_total += event_on_device(trace, e) ? 0 : trace->events.duration[e];
        rows[row].self_cpu_time_total += amounts_get(&tree->self_cpu, e);
        rows[row].device_time_total += amounts_get(&tree->device_total, e);
        rows[row].self_device_time_total += amounts_get(&tree->self_device, e);
        rows[row].flops += event_flops(trace, e);
    }
    cr_assert_eq(next, averages->count);
    uint64_t flops = 0;
    int64_t device = 0;
    for (uint32_t r = 0; r < next; r++) {
        for (uint32_t other = 0; other < r; other++)
            cr_assert_not(same_key(tree, rows[r].first, rows[other].first), "rows %u and %u are one", other, r);
        const struct average *row = &averages->rows[r];
        cr_expect(row->first == rows[r].first && row->count == rows[r].count &&
                      row->cpu_time_total == rows[r].cpu_time_total &&
                      row->self_cpu_time_total == rows[r].self_cpu_time_total &&
                      row->device_time_total == rows[r].device_time_total &&
                      row->self_device_time_total == rows[r].self_device_time_total && row->flops == rows[r].flops,
                  "row %u differs", r);
        flops += row->flops;
        device += row->device_time_total;
    }
    cr_expect_gt(flops, 0);
    cr_expect_gt(device, 0);
    free(rows);
    averages_free(averages);
    tree_free(tree);
    trace_free(trace);
    text_free(&text);
}
