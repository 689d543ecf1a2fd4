/* Traces that are hard on one part of a reader. Their layout is that of torch's writers. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "grow.h"

static const int64_t start_time = INT64_C(5112617566291614); /* ns */

static void write_head(struct pour *out)
{
    pour_text(out, "{\n  \"schemaVersion\": 1,\n  \"deviceProperties\": [],\n  \"with_stack\": 1,\n  \"record_shapes\": 1,\n"
                   "  \"displayTimeUnit\": \"ms\",\n  \"baseTimeNanoseconds\": 1790857026000000000,\n  \"traceEvents\": [\n");
}

static void write_tail(struct pour *out)
{
    pour_text(out, "\n  {\n    \"ph\": \"M\", \"name\": \"process_name\", \"pid\": 4711, \"tid\": 0,\n"
                   "    \"args\": {\n      \"name\": \"python\"\n    }\n  }\n  ],\"traceName\": \"trace.json\" }\n");
}

/* The members of an event up to its arguments. */
static void open_event(struct pour *out, const char *category, const char *name, int64_t start, int64_t duration)
{
    pour_text(out, "  {\n    \"ph\": \"X\",\n    \"cat\": \"");
    pour_text(out, category);
    pour_text(out, "\",\n    \"name\": \"");
    pour_text(out, name);
    pour_text(out, "\",\n    \"pid\": 4711,\n    \"tid\": 4711,\n    \"ts\": ");
    pour_time(out, start);
    pour_text(out, ",\n    \"dur\": ");
    pour_time(out, duration);
    pour_text(out, "\n    ,\n    \"args\": {\n      ");
}

static void number_argument(struct pour *out, const char *key, uint64_t number, const char *behind)
{
    pour_add(out, "\"", 1);
    pour_text(out, key);
    pour_add(out, "\": ", 3);
    pour_number(out, (int64_t)number);
    pour_text(out, behind);
}

static void close_event(struct pour *out, uint64_t number)
{
    number_argument(out, "Ev Idx", number, "\n    }\n  },\n");
}

static const char inputs[] =
    "\"Record function id\": 0, \"Concrete Inputs\": [\"\", \"\", \"1\"], \"Input type\": [\"float\", \"float\", \"Scalar\"], "
    "\"Input Strides\": [[64, 1], [64, 1], []], \"Input Dims\": [[32, 64], [32, 64], []], ";

static void write_op(struct pour *out, const char *name, int64_t start, int64_t duration, uint64_t number)
{
    open_event(out, "cpu_op", name, start, duration);
    number_argument(out, "External id", number + 1, ",");
    pour_add(out, inputs, sizeof inputs - 1);
    close_event(out, number);
}

static void write_one(struct pour *out, uint64_t events, uint64_t level)
{
    (void)level;
    for (uint64_t i = 0; i < events; i++)
        write_op(out, "aten::add", start_time + (int64_t)i * 5000, 3000 + (int64_t)(i % 1000), i);
}

/* Neighbours have other names, and each name comes again after all the others. */
static void write_names(struct pour *out, uint64_t events, uint64_t level)
{
    char name[160];
    for (uint64_t i = 0; i < events; i++) {
        snprintf(name, sizeof name, "void at::native::kernel_%llu<float, %llu>(at::TensorIterator const&, long)",
                 (unsigned long long)(i * 7919 % level), (unsigned long long)(i * 7919 % level % 97));
        write_op(out, name, start_time + (int64_t)i * 5000, 3000, i);
    }
}

/* Nests of `level` events, one within the other, one nest behind the other. */
static void write_nests(struct pour *out, uint64_t events, uint64_t level, const char *category, bool ops)
{
    char name[80];
    int64_t from = start_time;
    for (uint64_t i = 0; i < events; i++) {
        uint64_t depth = i % level;
        if (depth == 0 && i != 0)
            from += (int64_t)level * 4000;
        int64_t start = from + (int64_t)depth * 1000, duration = (int64_t)(level - depth) * 2000;
        if (ops && depth % 8 == 7) {
            write_op(out, "aten::add", start, duration, i);
            continue;
        }
        snprintf(name, sizeof name, ops ? "model/layer_%llu.py(%llu): forward" : "level %llu",
                 (unsigned long long)(depth % 10), (unsigned long long)depth % 1000);
        open_event(out, category, name, start, duration);
        if (ops) {
            number_argument(out, "Python parent id", i, ", ");
            number_argument(out, "Python id", i + 1, ", ");
        } else {
            number_argument(out, "External id", i + 1, ",");
            pour_text(out, "\"Record function id\": 0, ");
        }
        close_event(out, i);
    }
}

static void write_deep(struct pour *out, uint64_t events, uint64_t level)
{
    write_nests(out, events, level, "user_annotation", false);
}

static void write_frames(struct pour *out, uint64_t events, uint64_t level)
{
    write_nests(out, events, level, "python_function", true);
}

/* One event a line, as torch's exporter in Python writes them; every fourth one holds the next three. */
static void write_thread(struct pour *out, uint64_t events, uint64_t level)
{
    char name[32];
    for (uint64_t i = 0; i < events; i++) {
        uint64_t inner = i % 4;
        int64_t start = start_time + (int64_t)(i - inner) * 2000 + (int64_t)inner * 1500;
        snprintf(name, sizeof name, "aten::op_%u", (unsigned)(i * 31 % level));
        pour_text(out, "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"");
        pour_text(out, name);
        pour_text(out, "\",\"pid\":4711,\"tid\":4711,\"ts\":");
        pour_time(out, start);
        pour_text(out, ",\"dur\":");
        pour_time(out, inner == 0 ? 7500 : 1250);
        pour_text(out, ",\"args\":{");
        number_argument(out, "External id", i + 1, ",");
        number_argument(out, "Ev Idx", i, "}},\n");
    }
}

/* Each event has a `Call stack` of about `level` bytes; their outer frames are the same, the innermost one is not. */
static void write_stacks(struct pour *out, uint64_t events, uint64_t level)
{
    char frame[96];
    char *outer = malloc((size_t)level + sizeof frame);
    if (outer == NULL)
        exit(1);
    size_t length = 0;
    for (unsigned i = 0; length < level; i++)
        length += (size_t)snprintf(outer + length, sizeof frame, "site-packages/torch/nn/modules/module_%u.py(%u): _call_impl;",
                                   i % 5000, 100 + i % 1700);
    for (uint64_t i = 0; i < events; i++) {
        open_event(out, "cpu_op", "aten::linear", start_time + (int64_t)i * 5000, 3000);
        number_argument(out, "External id", i + 1, ",");
        pour_text(out, "\"Call stack\": \"");
        snprintf(frame, sizeof frame, "train.py(%llu): step;", (unsigned long long)i);
        pour_text(out, frame);
        pour_add(out, outer, length);
        pour_text(out, "\", ");
        close_event(out, i);
    }
    free(outer);
}

/* Ops in nests of `level`, each with an allocation and a release: memory belongs to every op around it. */
static void write_records(struct pour *out, uint64_t events, uint64_t level)
{
    int64_t from = start_time;
    for (uint64_t i = 0; i < events; i++) {
        uint64_t depth = i % level;
        if (depth == 0 && i != 0)
            from += (int64_t)level * 4000;
        int64_t start = from + (int64_t)depth * 1000;
        write_op(out, depth % 2 == 0 ? "aten::empty" : "aten::add", start, (int64_t)(level - depth) * 2000, i);
        pour_text(out, "  {\n    \"ph\": \"i\",\n    \"cat\": \"cpu_instant_event\",\n    \"s\": \"t\",\n    \"name\": \"[memory]\",\n"
                       "    \"pid\": 4711,\n    \"tid\": 4711,\n    \"ts\": ");
        pour_time(out, start + 500);
        pour_text(out, "\n    ,\n    \"args\": {\n      \"Total Reserved\": 0, \"Bytes\": ");
        pour_number(out, i % 2 == 0 ? 4096 : -4096);
        pour_text(out, ", \"Device Id\": -1, \"Device Type\": 0, ");
        close_event(out, i);
    }
}

const struct shape shapes[] = {
    {"one-name", "all events have one name", 300000, 1, write_one},
    {"names", "N names in turn", 300000, 50000, write_names},
    {"deep", "annotations nested N deep", 300000, 100000, write_deep},
    {"frames", "Python frames and ops nested N deep", 300000, 100000, write_frames},
    {"records", "memory records in ops nested N deep", 200000, 1000, write_records},
    {"thread", "one thread, one event a line, N names", 10000000, 200, write_thread},
    {"stacks", "call stacks of N bytes", 100, 1000000, write_stacks},
};
const unsigned shape_count = sizeof shapes / sizeof shapes[0];

void shape_write(const struct shape *shape, struct pour *out, uint64_t events, uint64_t level)
{
    write_head(out);
    shape->write(out, events, level);
    write_tail(out);
}
