#include "loads.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "keyavg/names.h"
#include "render.h"

struct trace *support_events(const char *events)
{
    struct text json = {0};
    text_addf(&json, "{\"traceEvents\": [%s]}", events);
    struct trace *trace = support_trace(json.bytes);
    text_free(&json);
    return trace;
}

uint32_t support_event(const struct trace *trace, const char *name, unsigned n)
{
    for (uint32_t e = 0; e < trace->events.count; e++)
        if (span_is(strings_get(&trace->strings, trace->events.name[e]), name) && n-- == 0)
            return e;
    cr_assert_fail("no event `%s` with that number", name);
    return 0;
}

void support_gzip(const void *bytes, size_t length, struct text *out)
{
    z_stream gzip = {.next_in = (unsigned char *)(uintptr_t)bytes, .avail_in = (uInt)length};
    cr_assert_eq(deflateInit2(&gzip, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    size_t room = deflateBound(&gzip, length);
    gzip.next_out = (unsigned char *)text_room(out, room);
    gzip.avail_out = (uInt)room;
    cr_assert_eq(deflate(&gzip, Z_FINISH), Z_STREAM_END);
    out->length += room - gzip.avail_out;
    deflateEnd(&gzip);
}

struct feeder {
    const char *bytes;
    size_t length, piece;
    int file;
};

static void *feed(void *context)
{
    struct feeder *feeder = context;
    while (feeder->length > 0) {
        size_t piece = feeder->length < feeder->piece ? feeder->length : feeder->piece;
        ssize_t written = write(feeder->file, feeder->bytes, piece);
        if (written < 0)
            break;
        feeder->bytes += written;
        feeder->length -= (size_t)written;
    }
    close(feeder->file);
    return NULL;
}

struct trace *support_piped(const void *bytes, size_t length, size_t piece, const struct trace_options *options,
                            struct error *error)
{
    int ends[2];
    pthread_t thread;
    cr_assert_eq(pipe2(ends, O_CLOEXEC), 0);
    signal(SIGPIPE, SIG_IGN);
    cr_assert(dup2(ends[0], STDIN_FILENO) == STDIN_FILENO);
    if (ends[0] != STDIN_FILENO)
        close(ends[0]);
    struct feeder feeder = {bytes, length, piece, ends[1]};
    cr_assert_eq(pthread_create(&thread, NULL, feed, &feeder), 0);
    struct trace *trace = trace_load("-", options, error);
    close(STDIN_FILENO);
    pthread_join(thread, NULL);
    return trace;
}

static char *paths[64];
static unsigned path_count;

static void remove_files(void)
{
    while (path_count > 0)
        unlink(paths[--path_count]);
}

char *support_file(const void *bytes, size_t length)
{
    char *path = strdup("keyavg-test-XXXXXX");
    int file = mkstemp(path);
    cr_assert(file >= 0);
    cr_assert_eq(write(file, bytes, length), (ssize_t)length);
    close(file);
    if (path_count == 0)
        atexit(remove_files);
    cr_assert(path_count < sizeof paths / sizeof *paths);
    return paths[path_count++] = path;
}

/* -- Comparing --------------------------------------------------------------------------------------------------- */

struct pair {
    const struct trace *a, *b;
    struct text why;
};

static bool same_string(const struct pair *pair, uint32_t a, uint32_t b)
{
    return span_equal(strings_get(&pair->a->strings, a), strings_get(&pair->b->strings, b));
}

static void differ(struct pair *pair, const char *what, uint64_t at, int64_t a, int64_t b)
{
    if (pair->why.length == 0)
        text_addf(&pair->why, "%s %" PRIu64 ": %" PRId64 " and %" PRId64, what, at, a, b);
}

#define SAME(what, at, x, y)                                                                                           \
    do {                                                                                                               \
        if ((x) != (y))                                                                                                \
            differ(pair, what, at, (int64_t)(x), (int64_t)(y));                                                        \
    } while (0)
#define SAME_STRING(what, at, x, y)                                                                                    \
    do {                                                                                                               \
        if (!same_string(pair, x, y))                                                                                  \
            differ(pair, what, at, (int64_t)(x), (int64_t)(y));                                                        \
    } while (0)

static void compare_thread(struct pair *pair, const char *what, uint64_t at, uint32_t x, uint32_t y)
{
    const struct thread *a = &pair->a->threads.items[x], *b = &pair->b->threads.items[y];
    SAME_STRING(what, at, a->pid, b->pid);
    SAME_STRING(what, at, a->tid, b->tid);
    SAME_STRING(what, at, a->name, b->name);
    SAME(what, at, a->node_id, b->node_id);
}

static void compare_stack(struct pair *pair, uint64_t at, uint32_t x, uint32_t y)
{
    while (x != 0 && y != 0) {
        SAME_STRING("frame of event", at, pair->a->stacks.nodes[x].frame, pair->b->stacks.nodes[y].frame);
        x = pair->a->stacks.nodes[x].caller;
        y = pair->b->stacks.nodes[y].caller;
    }
    SAME("frames of event", at, x != 0, y != 0);
}

static void compare_inputs(struct pair *pair, uint64_t at, uint32_t x, uint32_t y)
{
    const struct inputs *a = &pair->a->inputs.items[x], *b = &pair->b->inputs.items[y];
    SAME_STRING("dims of event", at, a->dims, b->dims);
    SAME_STRING("torch's dims of event", at, a->torch_dims, b->torch_dims);
    SAME_STRING("types of event", at, a->types, b->types);
    SAME_STRING("concrete inputs of event", at, a->concrete, b->concrete);
    SAME_STRING("module of event", at, a->module, b->module);
    SAME_STRING("kind of synchronisation of event", at, a->sync_kind, b->sync_kind);
    SAME("what is known of the collective of event", at, a->collective, b->collective);
    if (a->sync_kind != 0)
        SAME("what is waited for by event", at, a->waits_for, b->waits_for);
}

static void compare_event(struct pair *pair, uint32_t e)
{
    const struct events *a = &pair->a->events, *b = &pair->b->events;
    SAME("start of event", e, a->start[e], b->start[e]);
    SAME("duration of event", e, a->duration[e], b->duration[e]);
    SAME_STRING("name of event", e, a->name[e], b->name[e]);
    SAME("category of event", e, a->category[e], b->category[e]);
    SAME("flags of event", e, a->flags[e], b->flags[e]);
    SAME("external id of event", e, events_external_id(a, e), events_external_id(b, e));
    SAME("number of event", e, events_number(a, e), events_number(b, e));
    SAME("offset of event", e, events_offset(a, e), events_offset(b, e));
    compare_thread(pair, "thread of event", e, a->thread[e], b->thread[e]);
    compare_stack(pair, e, a->stack[e], b->stack[e]);
    compare_inputs(pair, e, a->inputs[e], b->inputs[e]);
    enum event_kind kind = event_kind(pair->a, e);
    if (kind_on_device(kind)) {
        const struct lane *x = &pair->a->lanes.items[a->place[e]], *y = &pair->b->lanes.items[b->place[e]];
        SAME("device of event", e, x->device, y->device);
        SAME_STRING("stream of event", e, x->stream, y->stream);
    } else if (kind == KIND_MEMORY) {
        SAME("place of event", e, a->place[e], b->place[e]);
    } else {
        SAME("forward thread of event", e, pair->a->forward_threads.items[a->place[e]],
             pair->b->forward_threads.items[b->place[e]]);
    }
    SAME_STRING("key of event", e, event_key(pair->a, e), event_key(pair->b, e));
    SAME_STRING("overload of event", e, event_overload(pair->a, e), event_overload(pair->b, e));
}

static void compare_text(struct pair *pair, const char *what, const char *a, const char *b)
{
    if ((a != NULL) != (b != NULL) || (a != NULL && strcmp(a, b) != 0))
        differ(pair, what, 0, a != NULL, b != NULL);
}

static void compare_header(struct pair *pair)
{
    const struct header *a = &pair->a->header, *b = &pair->b->header;
#define FLAG(flag) SAME(#flag, 0, a->has_##flag * 2 + a->flag, b->has_##flag * 2 + b->flag)
    FLAG(record_shapes);
    FLAG(with_stack);
    FLAG(profile_memory);
    FLAG(with_flops);
    FLAG(with_modules);
    FLAG(base_time);
#undef FLAG
    SAME("array_form", 0, a->array_form, b->array_form);
    SAME("rank", 0, a->rank, b->rank);
    SAME("world_size", 0, a->world_size, b->world_size);
    SAME("window_end", 0, a->window_end, b->window_end);
    compare_text(pair, "trace_id", a->trace_id, b->trace_id);
    compare_text(pair, "host_name", a->host_name, b->host_name);
    compare_text(pair, "trace_name", a->trace_name, b->trace_name);
    compare_text(pair, "schema_version", a->schema_version, b->schema_version);
    compare_text(pair, "device_properties", a->device_properties, b->device_properties);
    compare_text(pair, "distributed_info", a->distributed_info, b->distributed_info);
}

static void compare_records(struct pair *pair)
{
    const struct trace *a = pair->a, *b = pair->b;
    SAME("memory records", 0, a->memory.count, b->memory.count);
    for (size_t i = 0; pair->why.length == 0 && i < a->memory.count; i++) {
        const struct memory_record *x = &a->memory.items[i], *y = &b->memory.items[i];
        SAME("time of record", i, x->time, y->time);
        SAME("bytes of record", i, x->bytes, y->bytes);
        SAME("kind of record", i, x->on_device * 4 + x->counts * 2 + x->out_of_memory,
             y->on_device * 4 + y->counts * 2 + y->out_of_memory);
        compare_thread(pair, "thread of record", i, x->thread, y->thread);
    }
    SAME("unknown categories", 0, a->unknown.count, b->unknown.count);
    for (size_t i = 0; pair->why.length == 0 && i < a->unknown.count; i++) {
        SAME_STRING("unknown category", i, a->unknown.items[i].name, b->unknown.items[i].name);
        SAME("count of unknown category", i, a->unknown.items[i].count, b->unknown.items[i].count);
    }
    SAME("flows", 0, a->flows.count, b->flows.count);
    for (size_t i = 0; pair->why.length == 0 && i < a->flows.count; i++) {
        const struct flow *x = &a->flows.items[i], *y = &b->flows.items[i];
        SAME("time of flow", i, x->time, y->time);
        SAME("id of flow", i, x->id * 2 + x->finish, y->id * 2 + y->finish);
        compare_thread(pair, "thread of flow", i, x->thread, y->thread);
    }
}

char *support_difference(const struct trace *a, const struct trace *b)
{
    struct pair both = {a, b, {0}}, *pair = &both;
    SAME("events", 0, a->events.count, b->events.count);
    for (uint32_t e = 0; pair->why.length == 0 && e < a->events.count; e++)
        compare_event(pair, e);
    compare_header(pair);
    compare_records(pair);
    for (uint64_t i = 0; i < NOTE_COUNT; i++) {
        const struct note_place *x = &a->notes.of[i], *y = &b->notes.of[i];
        SAME("count of note", i, x->count, y->count);
        SAME("offset of note", i, x->offset, y->offset);
        SAME("line of note", i, x->line, y->line);
        SAME("amount of note", i, x->amount, y->amount);
    }
    SAME("threads", 0, a->threads.count, b->threads.count);
    SAME("lanes", 0, a->lanes.count, b->lanes.count);
    SAME("forward threads", 0, a->forward_threads.count, b->forward_threads.count);
    SAME("backend", 0, a->backend, b->backend);
    SAME("flags", 0, a->has_device_call * 8 + a->has_python * 4 + a->has_own_stacks * 2 + a->has_overloads,
         b->has_device_call * 8 + b->has_python * 4 + b->has_own_stacks * 2 + b->has_overloads);
    SAME("base", 0, a->base, b->base);
    SAME("start", 0, a->start, b->start);
    SAME("end", 0, a->end, b->end);
    SAME("text bytes", 0, a->text_bytes, b->text_bytes);
    SAME("records seen", 0, a->records_seen, b->records_seen);
    return both.why.bytes;
}

char *support_notes(const struct trace *trace)
{
    static const char *const names[NOTE_COUNT] = {
        "truncated", "stream_cut", "lost", "damaged", "dropped_event", "quote_repaired", "illegal_escape", "raw_control",
        "invalid_utf8", "not_json_value", "negative_duration", "unfinished", "several_writers", "trailing_text",
        "without_time", "too_large", "unknown_category",
    };
    struct text out = {0};
    for (unsigned i = 0; i < NOTE_COUNT; i++) {
        const struct note_place *note = &trace->notes.of[i];
        if (note->count == 0)
            continue;
        text_addf(&out, "%s%" PRIu64 " %s at %" PRIu64, out.length > 0 ? "; " : "", note->count, names[i],
                  note->offset);
        if (note->amount != 0)
            text_addf(&out, " amount %" PRId64, note->amount);
    }
    text_add(&out, "", 0);
    return out.bytes;
}
