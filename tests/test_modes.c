/* However a file is read (threads, length of blocks, mapped, from memory, packed), the trace is the same. */
#include <criterion/criterion.h>

#include <stdio.h>
#include <string.h>

#include "keyavg/average.h"
#include "support/skip.h"
#include "support/traces.h"

struct mode {
    unsigned threads;
    size_t block;
};

/* The first reads all in one piece, as far as that goes. */
static const struct mode modes[] = {{1, 1u << 30}, {1, 5000}, {2, 3000}, {2, 100000}, {3, 777}, {4, 40000}, {4, 0}};

static bool same_string(const struct trace *a, uint32_t x, const struct trace *b, uint32_t y)
{
    return span_equal(strings_get(&a->strings, x), strings_get(&b->strings, y));
}

static bool same_stack(const struct trace *a, uint32_t x, const struct trace *b, uint32_t y)
{
    for (; x != 0 && y != 0; x = a->stacks.nodes[x].caller, y = b->stacks.nodes[y].caller)
        if (!same_string(a, a->stacks.nodes[x].frame, b, b->stacks.nodes[y].frame))
            return false;
    return x == 0 && y == 0;
}

static bool same_event(const struct tree *a, const struct tree *b, uint32_t e)
{
    const struct events *x = &a->trace->events, *y = &b->trace->events;
    const struct thread *p = &a->trace->threads.items[x->thread[e]], *q = &b->trace->threads.items[y->thread[e]];
    const struct inputs *i = &a->trace->inputs.items[x->inputs[e]], *k = &b->trace->inputs.items[y->inputs[e]];
    return x->start[e] == y->start[e] && x->duration[e] == y->duration[e] && x->category[e] == y->category[e] &&
           x->flags[e] == y->flags[e] && events_offset(x, e) == events_offset(y, e) && events_external_id(x, e) == events_external_id(y, e) &&
           events_number(x, e) == events_number(y, e) && same_string(a->trace, x->name[e], b->trace, y->name[e]) &&
           same_string(a->trace, p->pid, b->trace, q->pid) && same_string(a->trace, p->tid, b->trace, q->tid) &&
           same_string(a->trace, i->dims, b->trace, k->dims) && same_string(a->trace, i->types, b->trace, k->types) &&
           same_string(a->trace, i->concrete, b->trace, k->concrete) && a->parent[e] == b->parent[e] &&
           a->owner[e] == b->owner[e] && a->state[e] == b->state[e] && amounts_get(&a->self_cpu, e) == amounts_get(&b->self_cpu, e) &&
           amounts_get(&a->device_total, e) == amounts_get(&b->device_total, e) && same_stack(a->trace, a->stack[e], b->trace, b->stack[e]);
}

static void check_same(struct trace *a, struct trace *b, const char *path, const struct mode *mode)
{
    struct grouping grouping = {.parts = GROUP_NAME | GROUP_SHAPE | GROUP_THREAD | GROUP_DEVICE,
                                .python = PYTHON_AS_ROWS};
    cr_assert(a->events.count == b->events.count && memcmp(&a->notes, &b->notes, sizeof a->notes) == 0 &&
                  a->base == b->base && a->backend == b->backend && a->header.rank == b->header.rank &&
                  a->header.base_time == b->header.base_time && a->records_seen == b->records_seen &&
                  a->memory.count == b->memory.count && a->flows.count == b->flows.count,
              "%s: %u threads, blocks of %zu: %u events, not %u", path, mode->threads, mode->block, b->events.count,
              a->events.count);
    struct tree *x = tree_build(a, false), *y = tree_build(b, false);
    for (uint32_t e = 0; e < a->events.count; e++)
        cr_assert(same_event(x, y, e), "%s: %u threads, blocks of %zu: event %u differs", path, mode->threads,
                  mode->block, e);
    struct averages *rows = averages_build(x, &grouping, NULL), *others = averages_build(y, &grouping, NULL);
    cr_assert(rows->count == others->count &&
                  memcmp(rows->rows, others->rows, rows->count * sizeof *rows->rows) == 0 &&
                  memcmp(rows->row_of, others->row_of, a->events.count * sizeof *rows->row_of) == 0,
              "%s: %u threads, blocks of %zu: other rows", path, mode->threads, mode->block);
    averages_free(rows);
    averages_free(others);
    tree_free(x);
    tree_free(y);
}

static struct trace *load(const char *path, const struct mode *mode)
{
    struct trace_options options = {.threads = mode->threads, .block = mode->block};
    struct error error = {0};
    struct trace *trace = trace_load(path, &options, &error);
    cr_assert(trace != NULL, "%s: %s", path, error.text);
    return trace;
}

static void check_folder(const char *folder)
{
    struct support_traces traces = support_traces_below(folder, true);
    for (unsigned i = 0; i < traces.count; i++) {
        const char *path = traces.paths[i];
        if (strstr(path, "events.json.gz") != NULL || strstr(path, "name.json.gz") != NULL ||
            strstr(path, "shapes.json.gz") != NULL || strstr(path, "python.json.gz") != NULL)
            continue;
        struct trace *first = load(path, &modes[0]);
        for (unsigned m = 1; m < sizeof modes / sizeof *modes; m++) {
            struct trace *other = load(path, &modes[m]);
            check_same(first, other, support_short_path(path), &modes[m]);
            trace_free(other);
        }
        trace_free(first);
    }
    support_traces_free(&traces);
}

Test(modes, samples)
{
    check_folder(support_samples_dir());
}

Test(modes, shared_traces)
{
    char folder[4096];
    snprintf(folder, sizeof folder, "%s/traces", support_need_shared());
    check_folder(folder);
}

/* Damage makes guesses at where an event begins fail; the result must not show it. */
Test(modes, damage)
{
    static const char whole[] = " {\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"aten::add\",\"pid\":1,\"tid\":1,\"ts\":%u.%03u,\"dur\":1.5,"
                                "\"args\":{\"External id\":%u,\"Input Dims\":[[2, 3],[]]}}";
    static const char *const broken[] = {
        " {\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"a, {\\\"ph\\\":\\\"X\\\"}, {\"ph\":\"X\",\"pid\":1,\"tid\":1",
        " {\"ph\":\"X\",\"name\":\"cut", "garbage", " {\"ph\":\"X\",\"name\":\"text: , {\\\"ph\\\": 1}\",\"ts\":1,\"dur\":inf}",
        " {\"ph\":\"X\",\"args\":{\"Input Dims\":[[1,2}, ", "]", "}",
    };
    struct text text = {0};
    text_add_string(&text, "{\"schemaVersion\": 1, \"traceEvents\": [\n");
    for (unsigned i = 0; i < 3000; i++) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        text_addf(&text, whole, 100 + i, i % 1000, i + 1);
#pragma GCC diagnostic pop
        text_add_string(&text, ",\n");
        if (i % 97 == 5)
            text_addf(&text, "%s,\n", broken[i / 97 % (sizeof broken / sizeof *broken)]);
    }
    text_add_string(&text, " {}], \"distributedInfo\": {\"rank\": 3, \"world_size\": 8}}");
    struct error error = {0};
    struct trace_options options = {.threads = 1, .block = modes[0].block};
    struct trace *first = trace_load_memory_with(text.bytes, text.length, "damage", &options, &error);
    cr_assert(first != NULL && first->notes.of[NOTE_DAMAGED].count > 5, "%s", error.text);
    for (unsigned m = 1; m < sizeof modes / sizeof *modes; m++) {
        options = (struct trace_options){.threads = modes[m].threads, .block = modes[m].block};
        struct trace *other = trace_load_memory_with(text.bytes, text.length, "damage", &options, &error);
        cr_assert(other != NULL, "%s", error.text);
        check_same(first, other, "damage", &modes[m]);
        trace_free(other);
    }
    trace_free(first);
    text_free(&text);
}
