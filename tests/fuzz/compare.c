/* Two traces from one text must be one trace. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "keyavg/names.h"

void fuzz_fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("fuzz: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    abort();
}

struct pair {
    const struct trace *a, *b;
    const char *how;
};

static void same_number(const struct pair *pair, const char *what, size_t at, long long a, long long b)
{
    if (a != b)
        fuzz_fail("%s: %s %zu: %lld, but %lld", pair->how, what, at, a, b);
}

static void same_string(const struct pair *pair, const char *what, size_t at, uint32_t a, uint32_t b)
{
    struct span x = strings_get(&pair->a->strings, a), y = strings_get(&pair->b->strings, b);
    if (!span_equal(x, y))
        fuzz_fail("%s: %s %zu: '%.*s', but '%.*s'", pair->how, what, at, (int)x.length, x.bytes, (int)y.length, y.bytes);
}

static void same_text(const struct pair *pair, const char *what, const char *a, const char *b)
{
    if ((a == NULL) != (b == NULL) || (a != NULL && strcmp(a, b) != 0))
        fuzz_fail("%s: %s: '%s', but '%s'", pair->how, what, a != NULL ? a : "(none)", b != NULL ? b : "(none)");
}

static void same_thread(const struct pair *pair, const char *what, size_t at, uint32_t a, uint32_t b)
{
    const struct thread *x = &pair->a->threads.items[a], *y = &pair->b->threads.items[b];
    same_string(pair, what, at, x->pid, y->pid);
    same_string(pair, what, at, x->tid, y->tid);
    same_string(pair, what, at, x->name, y->name);
    same_number(pair, what, at, x->node_id, y->node_id);
}

static void same_stack(const struct pair *pair, size_t at, uint32_t a, uint32_t b)
{
    while (a != 0 && b != 0) {
        const struct stack_node *x = &pair->a->stacks.nodes[a], *y = &pair->b->stacks.nodes[b];
        same_string(pair, "frame of event", at, x->frame, y->frame);
        a = x->caller;
        b = y->caller;
    }
    same_number(pair, "length of the stack of event", at, a != 0, b != 0);
}

static void same_inputs(const struct pair *pair, size_t at, uint32_t a, uint32_t b)
{
    const struct inputs *x = &pair->a->inputs.items[a], *y = &pair->b->inputs.items[b];
    same_string(pair, "dims of event", at, x->dims, y->dims);
    same_string(pair, "torch's dims of event", at, x->torch_dims, y->torch_dims);
    same_string(pair, "types of event", at, x->types, y->types);
    same_string(pair, "concrete inputs of event", at, x->concrete, y->concrete);
    same_string(pair, "module of event", at, x->module, y->module);
    same_string(pair, "kind of synchronisation of event", at, x->sync_kind, y->sync_kind);
    same_number(pair, "what is known of the collective of event", at, x->collective, y->collective);
    if (x->sync_kind != 0)
        same_number(pair, "what is waited for by event", at, x->waits_for, y->waits_for);
}

static void same_place(const struct pair *pair, size_t at, enum event_kind kind, uint32_t a, uint32_t b)
{
    if (kind == KIND_MEMORY) {
        same_number(pair, "place of event", at, a, b);
    } else if (kind_on_device(kind)) {
        const struct lane *x = &pair->a->lanes.items[a], *y = &pair->b->lanes.items[b];
        same_number(pair, "device of event", at, x->device, y->device);
        same_string(pair, "stream of event", at, x->stream, y->stream);
    } else {
        same_number(pair, "forward thread of event", at, pair->a->forward_threads.items[a],
                    pair->b->forward_threads.items[b]);
    }
}

static void same_events(const struct pair *pair)
{
    const struct events *a = &pair->a->events, *b = &pair->b->events;
    same_number(pair, "events", 0, a->count, b->count);
    for (uint32_t e = 0; e < a->count; e++) {
        same_number(pair, "start of event", e, a->start[e], b->start[e]);
        same_number(pair, "duration of event", e, a->duration[e], b->duration[e]);
        same_string(pair, "name of event", e, a->name[e], b->name[e]);
        same_number(pair, "category of event", e, a->category[e], b->category[e]);
        same_number(pair, "flags of event", e, a->flags[e], b->flags[e]);
        same_thread(pair, "thread of event", e, a->thread[e], b->thread[e]);
        same_inputs(pair, e, a->inputs[e], b->inputs[e]);
        same_stack(pair, e, a->stack != NULL ? a->stack[e] : 0, b->stack != NULL ? b->stack[e] : 0);
        same_number(pair, "external id of event", e, events_external_id(a, e), events_external_id(b, e));
        same_number(pair, "number of event", e, events_number(a, e), events_number(b, e));
        same_place(pair, e, event_kind(pair->a, e), a->place[e], b->place[e]);
        same_number(pair, "offset of event", e, (long long)events_offset(a, e), (long long)events_offset(b, e));
        same_string(pair, "key of event", e, event_key(pair->a, e), event_key(pair->b, e));
    }
}

static void same_records(const struct pair *pair)
{
    same_number(pair, "memory records", 0, (long long)pair->a->memory.count, (long long)pair->b->memory.count);
    for (size_t i = 0; i < pair->a->memory.count; i++) {
        const struct memory_record *x = &pair->a->memory.items[i], *y = &pair->b->memory.items[i];
        same_number(pair, "time of record", i, x->time, y->time);
        same_number(pair, "bytes of record", i, x->bytes, y->bytes);
        same_thread(pair, "thread of record", i, x->thread, y->thread);
        same_number(pair, "kind of record", i, x->on_device << 2 | x->counts << 1 | x->out_of_memory,
                    y->on_device << 2 | y->counts << 1 | y->out_of_memory);
    }
    same_number(pair, "unknown categories", 0, (long long)pair->a->unknown.count, (long long)pair->b->unknown.count);
    for (size_t i = 0; i < pair->a->unknown.count; i++) {
        same_string(pair, "unknown category", i, pair->a->unknown.items[i].name, pair->b->unknown.items[i].name);
        same_number(pair, "count of unknown category", i, (long long)pair->a->unknown.items[i].count,
                    (long long)pair->b->unknown.items[i].count);
    }
    same_number(pair, "arrows", 0, (long long)pair->a->flows.count, (long long)pair->b->flows.count);
    for (size_t i = 0; i < pair->a->flows.count; i++) {
        const struct flow *x = &pair->a->flows.items[i], *y = &pair->b->flows.items[i];
        same_number(pair, "time of arrow", i, x->time, y->time);
        same_number(pair, "id of arrow", i, x->id, y->id);
        same_thread(pair, "thread of arrow", i, x->thread, y->thread);
        same_number(pair, "end of arrow", i, x->finish, y->finish);
    }
}

static void same_header(const struct pair *pair)
{
    const struct header *a = &pair->a->header, *b = &pair->b->header;
#define SAME(field) same_number(pair, "header's " #field, 0, a->field, b->field)
    SAME(has_record_shapes);
    SAME(record_shapes);
    SAME(has_with_stack);
    SAME(with_stack);
    SAME(has_profile_memory);
    SAME(profile_memory);
    SAME(has_with_flops);
    SAME(with_flops);
    SAME(has_with_modules);
    SAME(with_modules);
    SAME(array_form);
    SAME(has_base_time);
    SAME(base_time);
    SAME(rank);
    SAME(world_size);
    SAME(window_end);
#undef SAME
    same_text(pair, "trace_id", a->trace_id, b->trace_id);
    same_text(pair, "host_name", a->host_name, b->host_name);
    same_text(pair, "trace_name", a->trace_name, b->trace_name);
    same_text(pair, "device_properties", a->device_properties, b->device_properties);
    same_text(pair, "distributed_info", a->distributed_info, b->distributed_info);
    same_text(pair, "schema_version", a->schema_version, b->schema_version);
}

static void same_notes(const struct pair *pair)
{
    for (unsigned i = 0; i < NOTE_COUNT; i++) {
        const struct note_place *x = &pair->a->notes.of[i], *y = &pair->b->notes.of[i];
        same_number(pair, "count of note", i, (long long)x->count, (long long)y->count);
        same_number(pair, "offset of note", i, (long long)x->offset, (long long)y->offset);
        same_number(pair, "line of note", i, (long long)x->line, (long long)y->line);
        same_number(pair, "amount of note", i, x->amount, y->amount);
    }
}

void fuzz_compare(const struct trace *a, const struct trace *b, const char *how)
{
    const struct pair pair = {a, b, how};
    same_events(&pair);
    same_records(&pair);
    same_header(&pair);
    same_notes(&pair);
    same_number(&pair, "text", 0, (long long)a->text_bytes, (long long)b->text_bytes);
    same_number(&pair, "records", 0, (long long)a->records_seen, (long long)b->records_seen);
    same_number(&pair, "base", 0, a->base, b->base);
    same_number(&pair, "start", 0, a->start, b->start);
    same_number(&pair, "end", 0, a->end, b->end);
    same_number(&pair, "backend", 0, a->backend, b->backend);
    same_number(&pair, "has_device_call", 0, a->has_device_call, b->has_device_call);
    same_number(&pair, "has_python", 0, a->has_python, b->has_python);
    same_number(&pair, "has_own_stacks", 0, a->has_own_stacks, b->has_own_stacks);
    same_number(&pair, "has_overloads", 0, a->has_overloads, b->has_overloads);
}
