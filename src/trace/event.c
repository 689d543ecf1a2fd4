/* From the members of one event to the columns of the trace. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "keyavg/names.h"
#include "events.h"
#include "reader.h"

static uint32_t intern(struct reader *reader, const struct token *token)
{
    if (token->kind == TOKEN_NONE)
        return 0;
    struct span text = token->kind == TOKEN_STRING ? scan_text(token, &reader->room)
                                                   : (struct span){token->bytes, token->length};
    return strings_add(&reader->trace->strings, text.bytes, text.length);
}

/* The number behind `node_id:` in the text of an array form's tid, -1 when there is none. */
static int32_t node_id_of(struct span tid)
{
    const char *at = memmem(tid.bytes, tid.length, "node_id:", 8), *end = tid.bytes + tid.length;
    if (at == NULL)
        return -1;
    for (at += 8; at < end && (*at == ' ' || *at == '\t'); at++) {
    }
    bool minus = at < end && *at == '-';
    int64_t value = 0;
    for (at += minus; at < end && *at >= '0' && *at <= '9' && value < INT32_MAX / 10; at++)
        value = value * 10 + (*at - '0');
    return (int32_t)(minus ? -value : value);
}

uint32_t reader_thread(struct reader *reader, uint32_t pid, uint32_t tid)
{
    struct trace *trace = reader->trace;
    if (trace->threads.count * 2 >= reader->thread_mask) {
        reader->thread_mask = reader->thread_mask != 0 ? reader->thread_mask * 2 + 1 : 63;
        free(reader->thread_slots);
        reader->thread_slots = memory_zero((size_t)reader->thread_mask + 1, sizeof *reader->thread_slots);
        for (uint32_t i = 0; i < trace->threads.count; i++) {
            const struct thread *thread = &trace->threads.items[i];
            uint32_t slot = (uint32_t)hash_pair(thread->pid, thread->tid) & reader->thread_mask;
            while (reader->thread_slots[slot] != 0)
                slot = (slot + 1) & reader->thread_mask;
            reader->thread_slots[slot] = i + 1;
        }
    }
    for (uint32_t slot = (uint32_t)hash_pair(pid, tid) & reader->thread_mask;; slot = (slot + 1) & reader->thread_mask) {
        uint32_t number = reader->thread_slots[slot];
        if (number == 0) {
            struct span text = strings_get(&trace->strings, tid);
            array_push(&trace->threads, (struct thread){pid, tid, 0, node_id_of(text)});
            reader->thread_slots[slot] = (uint32_t)trace->threads.count;
            return (uint32_t)trace->threads.count - 1;
        }
        if (trace->threads.items[number - 1].pid == pid && trace->threads.items[number - 1].tid == tid)
            return number - 1;
    }
}

/* A thread is the pair of pid and tid, compared as written: text and number alike. */
static uint32_t thread_of(struct reader *reader, const struct fields *fields)
{
    size_t pid = fields->pid.length, tid = fields->tid.length;
    bool short_text = pid + tid <= sizeof reader->thread.bytes;
    uint8_t kinds = (uint8_t)(fields->pid.kind << 4 | fields->tid.kind);
    if (short_text && kinds != 0 && pid == reader->thread.pid_length && tid == reader->thread.tid_length &&
        kinds == reader->thread.kinds && (pid == 0 || memcmp(reader->thread.bytes, fields->pid.bytes, pid) == 0) &&
        (tid == 0 || memcmp(reader->thread.bytes + pid, fields->tid.bytes, tid) == 0))
        return reader->thread.number;
    uint32_t pid_number = intern(reader, &fields->pid);
    uint32_t number = reader_thread(reader, pid_number, intern(reader, &fields->tid));
    reader->thread.kinds = 0;
    if (short_text && pid + tid != 0) {
        if (pid != 0)
            memcpy(reader->thread.bytes, fields->pid.bytes, pid);
        if (tid != 0)
            memcpy(reader->thread.bytes + pid, fields->tid.bytes, tid);
        reader->thread.pid_length = (uint32_t)pid;
        reader->thread.tid_length = (uint32_t)tid;
        reader->thread.kinds = kinds;
        reader->thread.number = number;
    }
    return number;
}

static uint8_t category_of(struct reader *reader, const struct token *cat)
{
    if (cat->kind == TOKEN_NONE)
        return CATEGORY_ABSENT;
    struct category_memo *memo = &reader->categories[0];
    if (cat->length != 0 && cat->length <= sizeof memo->bytes) {
        memo += (cat->length * 4 + (unsigned char)cat->bytes[0] + (unsigned char)cat->bytes[cat->length / 2]) % CATEGORY_MEMOS;
        if (memo->length == cat->length && memcmp(memo->bytes, cat->bytes, cat->length) == 0) {
            reader->backends |= 1u << memo->backend;
            return memo->number;
        }
    }
    struct span text = scan_text(cat, &reader->room);
    uint8_t number = category_find(text);
    enum backend backend = category_backend(text);
    reader->backends |= 1u << backend;
    if (cat->length != 0 && cat->length <= sizeof memo->bytes) {
        memcpy(memo->bytes, cat->bytes, cat->length);
        memo->length = (uint8_t)cat->length;
        memo->number = number;
        memo->backend = (uint8_t)backend;
    }
    return number;
}

/* A list of shapes as Python prints it; with `torch`, a list of tensors stands as `[]`. Also from a quoted list. */
static uint32_t shapes_of(struct reader *reader, struct span raw, bool torch)
{
    struct text *out = &reader->room2;
    unsigned depth = 0;
    bool skip = false; /* inside a tensor list that torch drops */
    text_clear(out);
    for (size_t i = 0; i < raw.length; i++) {
        char c = raw.bytes[i];
        if (c == ' ' || c == '\n' || c == '\r' || c == '\t')
            continue;
        if (c == '[') {
            depth++;
            if (depth == 3 && torch)
                skip = true;
        } else if (c == ']') {
            depth -= depth > 0;
            if (depth == 1)
                skip = false;
        } else if (c == ',') {
            if (!skip)
                text_add(out, ", ", 2);
            continue;
        }
        if (!skip)
            text_add_char(out, c);
    }
    if (out->length == 2) /* `[]`: the same key as nothing recorded */
        return 0;
    return strings_add(&reader->trace->strings, text_span(out).bytes, out->length);
}

static uint32_t inputs_slot(const struct reader *reader, const struct inputs_key *key)
{
    uint64_t hash = hash_pair(hash_pair(key->dims, key->types), hash_pair(key->concrete, key->module));
    if (key->sync_kind != 0 || key->collective != 0)
        hash = hash_pair(hash, hash_pair(key->waits_for, key->collective));
    return (uint32_t)hash & reader->input_mask;
}

static void grow_input_slots(struct reader *reader)
{
    reader->input_mask = reader->input_mask != 0 ? reader->input_mask * 2 + 1 : 255;
    free(reader->input_slots);
    reader->input_slots = memory_zero((size_t)reader->input_mask + 1, sizeof *reader->input_slots);
    for (uint32_t i = 1; i < reader->trace->inputs.count; i++) {
        uint32_t slot = inputs_slot(reader, &reader->input_keys[i]);
        while (reader->input_slots[slot] != 0)
            slot = (slot + 1) & reader->input_mask;
        reader->input_slots[slot] = i;
    }
}

static int64_t integer_or(const struct token *token, int64_t otherwise)
{
    int64_t value;
    return scan_integer(token, &value) ? value : otherwise;
}

uint32_t reader_inputs(struct reader *reader, const struct inputs_key *key)
{
    struct trace *trace = reader->trace;
    if (trace->inputs.count * 2 >= reader->input_mask)
        grow_input_slots(reader);
    uint32_t slot = inputs_slot(reader, key);
    for (; reader->input_slots[slot] != 0; slot = (slot + 1) & reader->input_mask)
        if (memcmp(&reader->input_keys[reader->input_slots[slot]], key, sizeof *key) == 0)
            return reader->input_slots[slot];
    size_t capacity = trace->inputs.capacity;
    uint32_t dims = shapes_of(reader, strings_get(&trace->strings, key->dims), false);
    uint32_t torch_dims = shapes_of(reader, strings_get(&trace->strings, key->dims), true);
    struct span waits_for = strings_get(&trace->strings, key->waits_for);
    struct token awaited = {waits_for.bytes, (uint32_t)waits_for.length, 0, TOKEN_NUMBER};
    array_push(&trace->inputs, (struct inputs){dims, torch_dims, key->types, key->concrete, key->module, key->sync_kind,
                                               key->collective,
                                               key->waits_for != 0 ? integer_or(&awaited, INT64_MIN) : INT64_MIN});
    if (trace->inputs.capacity != capacity || reader->input_keys == NULL)
        reader->input_keys = memory_resize(reader->input_keys, trace->inputs.capacity, sizeof *reader->input_keys);
    uint32_t number = (uint32_t)trace->inputs.count - 1;
    reader->input_keys[number] = *key;
    reader->input_slots[slot] = number;
    return number;
}

static unsigned collective_of(const struct fields *fields)
{
    return (fields->collective.kind != TOKEN_NONE ? COLLECTIVE_NAME : 0u) |
           (fields->dtype.kind != TOKEN_NONE ? COLLECTIVE_DTYPE : 0u) |
           (fields->in_elements.kind != TOKEN_NONE ? COLLECTIVE_IN : 0u) |
           (fields->out_elements.kind != TOKEN_NONE ? COLLECTIVE_OUT : 0u) |
           (fields->group_size.kind != TOKEN_NONE ? COLLECTIVE_GROUP : 0u);
}

static uint32_t inputs_of(struct reader *reader, const struct fields *fields)
{
    struct inputs_key key = {.collective = collective_of(fields)};
    if (fields->dims.kind == TOKEN_NONE && fields->types.kind == TOKEN_NONE && fields->concrete.kind == TOKEN_NONE &&
        fields->module.kind == TOKEN_NONE && fields->sync_kind.kind == TOKEN_NONE && key.collective == 0)
        return 0;
    key.dims = intern(reader, &fields->dims);
    key.types = intern(reader, &fields->types);
    key.concrete = intern(reader, &fields->concrete);
    key.module = intern(reader, &fields->module);
    key.sync_kind = intern(reader, &fields->sync_kind);
    if (key.sync_kind != 0)
        key.waits_for = intern(reader, &fields->waits_for);
    return reader_inputs(reader, &key);
}

/* Whether torch keeps a frame in stacks: looked at once for each frame's text. */
static bool frame_counts(struct reader *reader, uint32_t number)
{
    if (number >= reader->frame_known_count) {
        uint32_t count = reader->trace->strings.capacity;
        reader->frame_known = memory_resize(reader->frame_known, count, 1);
        memset(reader->frame_known + reader->frame_known_count, 0, count - reader->frame_known_count);
        reader->frame_known_count = count;
    }
    uint8_t *known = &reader->frame_known[number];
    if (*known == 0)
        *known = stacks_frame_counts(strings_get(&reader->trace->strings, number)) ? 1 : 2;
    return *known == 1;
}

/* The stack of a `Call stack` text: frames separated by `;`, innermost first. */
static uint32_t own_stack(struct reader *reader, const struct token *token)
{
    struct trace *trace = reader->trace;
    uint32_t raw = intern(reader, token);
    if (raw >= reader->own_stack_count) {
        uint32_t count = trace->strings.capacity;
        reader->own_stacks = memory_resize(reader->own_stacks, count, sizeof *reader->own_stacks);
        memset(reader->own_stacks + reader->own_stack_count, 0,
               (count - reader->own_stack_count) * sizeof *reader->own_stacks);
        reader->own_stack_count = count;
    }
    if (reader->own_stacks[raw] != 0)
        return reader->own_stacks[raw] - 1;
    struct span text = strings_get(&trace->strings, raw);
    uint32_t node = 0;
    const char *end = text.bytes + text.length;
    while (end > text.bytes) { /* from the outermost frame, the last one */
        const char *from = memrchr(text.bytes, ';', (size_t)(end - text.bytes));
        from = from != NULL ? from + 1 : text.bytes;
        struct span frame = {from, (size_t)(end - from)};
        if (frame.length != 0) {
            uint32_t number = strings_add(&trace->strings, frame.bytes, frame.length);
            if (frame_counts(reader, number))
                node = stacks_add(&trace->stacks, node, number);
        }
        end = from > text.bytes ? from - 1 : from;
    }
    reader->own_stacks[raw] = node + 1;
    return node;
}

/* Where the number of a key is kept; 0 there: a new key, whose number is to be set. */
static uint32_t *number_of(struct numbering *numbering, uint64_t key)
{
    if (numbering->count * (uint64_t)2 >= numbering->mask) {
        struct numbering old = *numbering;
        numbering->mask = old.mask != 0 ? old.mask * 2 + 1 : 63;
        numbering->count = 0;
        numbering->keys = memory_alloc(((size_t)numbering->mask + 1) * sizeof *numbering->keys);
        numbering->numbers = memory_zero((size_t)numbering->mask + 1, sizeof *numbering->numbers);
        for (size_t i = 0; old.mask != 0 && i <= old.mask; i++)
            if (old.numbers[i] != 0)
                *number_of(numbering, old.keys[i]) = old.numbers[i];
        free(old.keys);
        free(old.numbers);
    }
    uint32_t slot = (uint32_t)hash_pair(key, 0) & numbering->mask;
    while (numbering->numbers[slot] != 0 && numbering->keys[slot] != key)
        slot = (slot + 1) & numbering->mask;
    numbering->count += numbering->numbers[slot] == 0;
    numbering->keys[slot] = key;
    return &numbering->numbers[slot];
}

uint32_t reader_lane(struct reader *reader, struct lane lane)
{
    struct trace *trace = reader->trace;
    if (lane.device == trace->lanes.items[0].device && lane.stream == trace->lanes.items[0].stream)
        return 0;
    uint32_t *number = number_of(&reader->lane_numbers, (uint64_t)(uint32_t)lane.device << 32 | lane.stream);
    if (*number == 0) {
        *number = (uint32_t)trace->lanes.count;
        array_push(&trace->lanes, lane);
    }
    return *number;
}

static uint32_t lane_of(struct reader *reader, const struct fields *fields)
{
    int64_t device = -1;
    const struct token *stream = fields->original_stream.kind != TOKEN_NONE ? &fields->original_stream : &fields->stream;
    if (!scan_integer(&fields->device, &device) || device < 0 || device > INT32_MAX)
        device = -1;
    return reader_lane(reader, (struct lane){(int32_t)device, intern(reader, stream)});
}

uint32_t reader_forward_thread(struct reader *reader, int64_t thread)
{
    struct trace *trace = reader->trace;
    uint32_t *number = number_of(&reader->forward_numbers, (uint64_t)thread);
    if (*number == 0) {
        *number = (uint32_t)trace->forward_threads.count;
        array_push(&trace->forward_threads, thread);
    }
    return *number;
}

static void add_row(struct reader *reader, const struct fields *fields, uint8_t category, int64_t start,
                    const char *place)
{
    struct trace *trace = reader->trace;
    struct events *events = &trace->events;
    struct scan *scan = &reader->scan;
    enum event_kind kind = (enum event_kind)categories[category].kind;
    int64_t duration = 0;
    bool overflow = false;
    if (fields->dur.kind != TOKEN_NONE && !scan_time(&fields->dur, &duration, &overflow)) {
        scan_note(scan, NOTE_DROPPED_EVENT, place);
        return;
    }
    uint8_t flags = 0;
    int64_t end;
    if (duration < 0) {
        duration = 0;
        scan_note(scan, NOTE_NEGATIVE_DURATION, place);
    } else if (overflow || duration >= (int64_t)1 << 62 || __builtin_add_overflow(start, duration, &end)) {
        duration = 0; /* closed at the end of the recording when that is known */
        flags |= EVENT_UNFINISHED;
        scan_note(scan, NOTE_UNFINISHED, place);
    }
    uint32_t e = events_add(events);
    if (e == NO_EVENT)
        return;
    events->start[e] = start;
    events->duration[e] = duration;
    events->name[e] = intern(reader, &fields->name);
    events->category[e] = category;
    events->thread[e] = thread_of(reader, fields);
    events_set_offset(events, e, scan->offset + (uint64_t)(place - scan->begin));
    events->inputs[e] = inputs_of(reader, fields);
    if (fields->call_stack.kind == TOKEN_STRING) {
        flags |= EVENT_OWN_STACK;
        uint32_t node = own_stack(reader, &fields->call_stack);
        if (node != 0) {
            events_need(events, &events->stack);
            events->stack[e] = node;
        }
    }
    events_set(events, &events->external_id, e, (uint64_t)integer_or(&fields->external_id, 0));
    events->place[e] = 0;
    if (fields->finished.kind == TOKEN_FALSE)
        flags |= EVENT_ASYNC;
    if (kind_on_device(kind) || kind == KIND_RUNTIME) {
        events_set_number(events, e, integer_or(&fields->correlation, 0));
        trace->has_device_call = true;
        if (kind_on_device(kind))
            events->place[e] = lane_of(reader, fields);
        if (kind_on_device(kind) && start == 0) {
            flags |= EVENT_CLOCKLESS;
            scan_note(scan, NOTE_WITHOUT_TIME, place);
        }
    } else {
        events_set_number(events, e, integer_or(&fields->sequence, -1));
        int64_t forward = integer_or(&fields->forward_thread, 0);
        if (forward > 0) {
            flags |= EVENT_HAS_FORWARD;
            events->place[e] = reader_forward_thread(reader, forward);
        }
        if (category == CATEGORY_ABSENT)
            flags |= EVENT_NODE;
        if (kind == KIND_PYTHON)
            trace->has_python = true;
    }
    events->flags[e] = flags;
}

static void add_record(struct reader *reader, const struct fields *fields, int64_t time, bool out_of_memory)
{
    int64_t kind = integer_or(&fields->device_type, 0);
    bool on_cpu = kind == 0 || kind == 3 || kind == 5;              /* CPU, MKLDNN, IDEEP in c10 */
    bool on_device = kind == 1 || kind == 6 || kind == 12 || kind == 20; /* CUDA, HIP, XPU, PrivateUse1 */
    struct memory_record record = {time, integer_or(&fields->bytes, 0), thread_of(reader, fields),
                                   on_device, on_cpu || on_device, out_of_memory};
    array_push(&reader->trace->memory, record);
}

/* Metadata: the names of threads. */
static void add_metadata(struct reader *reader, const struct fields *fields)
{
    struct span name = scan_text(&fields->name, &reader->room);
    if (span_is(name, "thread_name") && fields->label.kind == TOKEN_STRING) {
        uint32_t thread = thread_of(reader, fields);
        array_push(&reader->thread_names, (struct thread_name){thread, intern(reader, &fields->label)});
    }
}

static bool decoded_is(struct reader *reader, const struct token *token, const char *text)
{
    return span_is(scan_text(token, &reader->room), text);
}

static inline bool token_is(struct reader *reader, const struct token *token, const char *text, size_t length)
{
    if (token->kind != TOKEN_STRING)
        return false;
    if (token->flags & STRING_ESCAPES)
        return decoded_is(reader, token, text);
    return token->length == length && memcmp(token->bytes, text, length) == 0;
}

#define TOKEN_IS(token, text) token_is(reader, token, text, sizeof(text) - 1)

/* Records of memory are told by their name alone. */
static bool is_record(struct reader *reader, const struct token *name)
{
    return TOKEN_IS(name, "[memory]") || TOKEN_IS(name, "[OutOfMemory]");
}

/* The recording's own span, which makes no row by intent. */
static bool is_span(struct reader *reader, const struct token *cat)
{
    struct span text = scan_text(cat, &reader->room);
    return text.length == 5 && strncasecmp(text.bytes, "trace", 5) == 0;
}

/* The event's kind, a letter; NUL where it has none. */
static char phase_of(struct reader *reader, const struct token *ph)
{
    if (ph->kind != TOKEN_STRING)
        return '\0';
    struct span text = scan_text(ph, &reader->room);
    return text.length == 1 ? *text.bytes : '\0';
}

void event_add(struct reader *reader, const struct fields *fields, const char *place)
{
    struct trace *trace = reader->trace;
    trace->records_seen++;
    char phase = phase_of(reader, &fields->ph);
    int64_t time = 0;
    bool overflow = false, timed = scan_time(&fields->ts, &time, &overflow) && !overflow;
    if (phase == 'X') {
        if (!timed) {
            scan_note(&reader->scan, NOTE_DROPPED_EVENT, place);
            return;
        }
        if (!reader->any_time || time < trace->base)
            trace->base = time;
        reader->any_time = true;
        if (is_record(reader, &fields->name)) {
            category_of(reader, &fields->cat);
            add_record(reader, fields, time, !TOKEN_IS(&fields->name, "[memory]"));
            return;
        }
        uint8_t category = category_of(reader, &fields->cat);
        if (category != CATEGORY_UNKNOWN)
            add_row(reader, fields, category, time, place);
        else if (!is_span(reader, &fields->cat)) {
            scan_note(&reader->scan, NOTE_UNKNOWN_CATEGORY, place);
            array_push(&reader->thread_names, (struct thread_name){NO_THREAD, intern(reader, &fields->cat)});
        }
    } else if (phase == 'i' || phase == 'I') {
        if (!timed)
            return;
        if (is_record(reader, &fields->name))
            add_record(reader, fields, time, !TOKEN_IS(&fields->name, "[memory]"));
        else if (TOKEN_IS(&fields->name, "Record Window End"))
            trace->header.window_end = time;
    } else if (phase == 'M') {
        add_metadata(reader, fields);
    } else if ((phase == 's' || phase == 'f') && timed && TOKEN_IS(&fields->cat, "fwdbwd")) {
        array_push(&trace->flows, (struct flow){time, integer_or(&fields->id, 0), thread_of(reader, fields),
                                                phase == 'f'});
    }
}
