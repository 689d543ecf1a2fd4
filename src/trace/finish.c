/* What only the whole file tells: list order, ends of unfinished ops, rows made of records. */
#include <stdlib.h>
#include <string.h>

#include "keyavg/names.h"
#include "keyavg/workers.h"
#include "events.h"
#include "reader.h"

/* An event's place in list order: by start, longer ones first, then as they stand in the file. */
struct place {
    int64_t start;
    uint32_t event;
};

static inline bool before(const int64_t *duration, const struct place *a, const struct place *b)
{
    if (a->start != b->start)
        return a->start < b->start;
    return duration[a->event] != duration[b->event] ? duration[a->event] > duration[b->event] : a->event < b->event;
}

typedef ARRAY(uint32_t) runs;

/* Merges runs that are in order already, one a thread or a device; returns where the result lies. */
static struct place *merge_runs(struct place *from, struct place *to, uint32_t count, const int64_t *duration, runs *of)
{
    while (of->count > 1) {
        size_t kept = 0;
        for (size_t r = 0; r < of->count; r += 2) {
            uint32_t a = of->items[r], middle = r + 1 < of->count ? of->items[r + 1] : count;
            uint32_t end = r + 2 < of->count ? of->items[r + 2] : count, b = middle, out = a;
            of->items[kept++] = a;
            while (a < middle && b < end)
                to[out++] = before(duration, &from[b], &from[a]) ? from[b++] : from[a++];
            memcpy(to + out, from + a, (middle - a) * sizeof *to);
            out += middle - a;
            memcpy(to + out, from + b, (end - b) * sizeof *to);
        }
        of->count = kept;
        struct place *swap = from;
        from = to;
        to = swap;
    }
    return from;
}

/* Equal starts: longer ones first. Mostly few; many are merged, not inserted. */
static void sort_equal(struct place *places, uint32_t count, const int64_t *duration)
{
    enum { FEW = 12 };
    if (count > FEW) {
        struct place *room = memory_alloc((size_t)count * sizeof *room);
        runs each = {0};
        for (uint32_t i = 0; i < count; i++)
            if (i == 0 || before(duration, &places[i], &places[i - 1]))
                array_push(&each, i);
        struct place *sorted = merge_runs(places, room, count, duration, &each);
        if (sorted != places)
            memcpy(places, sorted, (size_t)count * sizeof *places);
        array_free(&each);
        free(room);
        return;
    }
    for (uint32_t i = 1; i < count; i++) {
        struct place place = places[i];
        uint32_t k = i;
        for (; k > 0 && before(duration, &place, &places[k - 1]); k--)
            places[k] = places[k - 1];
        places[k] = place;
    }
}

/* By the digits of the start, the lowest first; returns where the result lies. */
static struct place *sort_digits(struct place *from, struct place *to, uint32_t count, const int64_t *duration)
{
    enum { BITS = 11, DIGITS = 1 << BITS };
    int64_t low = INT64_MAX;
    uint64_t all = 0;
    for (uint32_t i = 0; i < count; i++)
        low = from[i].start < low ? from[i].start : low;
    for (uint32_t i = 0; i < count; i++)
        all |= (uint64_t)from[i].start - (uint64_t)low;
    for (unsigned shift = 0; shift < 64 && all >> shift != 0; shift += BITS) {
        uint32_t first[DIGITS] = {0}, sum = 0;
        for (uint32_t i = 0; i < count; i++)
            first[((uint64_t)from[i].start - (uint64_t)low) >> shift & (DIGITS - 1)]++;
        for (unsigned d = 0; d < DIGITS; d++) {
            uint32_t of = first[d];
            first[d] = sum;
            sum += of;
        }
        for (uint32_t i = 0; i < count; i++)
            to[first[((uint64_t)from[i].start - (uint64_t)low) >> shift & (DIGITS - 1)]++] = from[i];
        struct place *swap = from;
        from = to;
        to = swap;
    }
    for (uint32_t i = 0, k; i < count; i = k) {
        for (k = i + 1; k < count && from[k].start == from[i].start;)
            k++;
        if (k - i > 1)
            sort_equal(from + i, k - i, duration);
    }
    return from;
}

/* Files consist of runs that are in order already; a few long ones are merged. */
static void sort_places(struct place *places, uint32_t count, const int64_t *duration)
{
    enum { FEW_RUNS = 16 };
    struct place *room = memory_alloc((size_t)count * sizeof *room);
    runs of = {0};
    for (uint32_t i = 0; i < count && of.count <= FEW_RUNS; i++)
        if (i == 0 || before(duration, &places[i], &places[i - 1]))
            array_push(&of, i);
    struct place *sorted = of.count <= FEW_RUNS ? merge_runs(places, room, count, duration, &of)
                                                : sort_digits(places, room, count, duration);
    if (sorted != places)
        memcpy(places, sorted, (size_t)count * sizeof *places);
    array_free(&of);
    free(room);
}

/* A column in its new order, by way of `room`. Constant sizes, so that each copy is one move. */
static void permute(void *column, size_t size, const struct place *places, uint32_t count, void *room)
{
    if (size == 1) {
        for (uint32_t i = 0; i < count; i++)
            ((uint8_t *)room)[i] = ((const uint8_t *)column)[places[i].event];
    } else if (size == 4) {
        for (uint32_t i = 0; i < count; i++)
            ((uint32_t *)room)[i] = ((const uint32_t *)column)[places[i].event];
    } else {
        for (uint32_t i = 0; i < count; i++)
            ((uint64_t *)room)[i] = ((const uint64_t *)column)[places[i].event];
    }
    memcpy(column, room, count * size);
}

struct new_order {
    struct events *events;
    const struct place *places;
};

static void order_column(void *context, unsigned column)
{
    const struct new_order *order = context;
    void *values = *event_column_of(order->events, column);
    size_t size = event_columns[column].size;
    if (values == NULL)
        return;
    void *room = memory_alloc((size_t)order->events->count * size);
    permute(values, size, order->places, order->events->count, room);
    free(room);
}

static void sort_events(struct trace *trace)
{
    struct events *events = &trace->events;
    uint32_t count = events->count;
    bool sorted = true;
    struct place *places = memory_alloc(((size_t)count + 1) * sizeof *places);
    for (uint32_t i = 0; i < count; i++) {
        places[i] = (struct place){events->start[i], i};
        sorted &= i == 0 || !before(events->duration, &places[i], &places[i - 1]);
    }
    if (!sorted) {
        sort_places(places, count, events->duration);
        struct new_order order = {events, places};
        workers_run(order_column, &order, event_column_count, trace_workers(trace));
    }
    free(places);
}

/* By time, records of one time as they stand in the file. Most files have them in order already. */
static void sort_records(struct memory_record *records, size_t count)
{
    bool sorted = true;
    for (size_t i = 1; i < count && sorted; i++)
        sorted = records[i - 1].time <= records[i].time;
    if (sorted)
        return;
    struct memory_record *room = memory_alloc(count * sizeof *room), *from = records, *to = room;
    for (size_t width = 1; width < count; width *= 2) {
        for (size_t a = 0; a < count; a += 2 * width) {
            size_t middle = a + width < count ? a + width : count, end = a + 2 * width < count ? a + 2 * width : count;
            for (size_t i = a, j = middle, out = a; out < end; out++)
                to[out] = j == end || (i < middle && from[i].time <= from[j].time) ? from[i++] : from[j++];
        }
        struct memory_record *swap = from;
        from = to;
        to = swap;
    }
    if (from != records)
        memcpy(records, from, count * sizeof *records);
    free(room);
}

/* Where the recording ends: the window's end when the file tells it, else the latest end of a finished event. */
static int64_t recording_end(const struct trace *trace)
{
    int64_t end = INT64_MIN;
    if (trace->header.window_end != INT64_MIN)
        return trace->header.window_end;
    for (uint32_t e = 0; e < trace->events.count; e++)
        if (!(trace->events.flags[e] & EVENT_UNFINISHED) && event_end(trace, e) > end)
            end = event_end(trace, e);
    return end;
}

static void finish_times(struct trace *trace)
{
    struct events *events = &trace->events;
    int64_t end = trace->notes.of[NOTE_UNFINISHED].count != 0 ? recording_end(trace) : 0;
    trace->start = INT64_MAX;
    trace->end = INT64_MIN;
    for (uint32_t e = 0; e < events->count; e++) {
        enum event_kind kind = event_kind(trace, e);
        const struct name_facts *facts = &trace->names[events->name[e]];
        if (events->flags[e] & EVENT_UNFINISHED) {
            int64_t left;
            if (!__builtin_sub_overflow(end, events->start[e], &left) && left > 0)
                events->duration[e] = left;
        }
        /* Kineto's writer starts these 1 ns early and makes them 2 ns longer. */
        if (kind == KIND_DEVICE_ANNOTATION && trace->header.has_base_time && events->start[e] < INT64_MAX) {
            events->start[e]++;
            events->duration[e] = events->duration[e] > 2 ? events->duration[e] - 2 : 0;
        }
        if (kind == KIND_ANNOTATION && facts->collective)
            events->flags[e] |= EVENT_ASYNC;
        if (facts->dropped)
            events->flags[e] |= EVENT_DROPPED_NAME;
        if (event_overload(trace, e) != 0)
            trace->has_overloads = true;
        if (events->flags[e] & EVENT_OWN_STACK)
            trace->has_own_stacks = true;
        if (!(events->flags[e] & EVENT_CLOCKLESS)) {
            if (events->start[e] < trace->start)
                trace->start = events->start[e];
            if (event_end(trace, e) > trace->end)
                trace->end = event_end(trace, e);
        }
    }
    if (trace->start > trace->end)
        trace->start = trace->end = 0;
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* More than one process with ops, and nothing that tells of ranks: several writers shared the file. */
static void count_writers(struct trace *trace)
{
    if (trace->header.rank >= 0 || trace->header.array_form || trace->notes.of[NOTE_DAMAGED].count == 0)
        return;
    uint8_t *works = memory_zero(trace->threads.count + 1, 1);
    uint32_t *pids = memory_alloc((trace->threads.count + 1) * sizeof *pids);
    for (uint32_t e = 0; e < trace->events.count; e++)
        if (event_kind(trace, e) == KIND_OP)
            works[trace->events.thread[e]] = 1;
    size_t count = 0;
    for (size_t i = 0; i < trace->threads.count; i++)
        if (works[i])
            pids[count++] = trace->threads.items[i].pid;
    qsort(pids, count, sizeof *pids, by_number);
    uint64_t distinct = 0;
    for (size_t i = 0; i < count; i++)
        distinct += i == 0 || pids[i] != pids[i - 1];
    if (distinct > 1)
        trace->notes.of[NOTE_SEVERAL_WRITERS].count = distinct;
    free(works);
    free(pids);
}

/* Records that no CPU event covers are rows of duration 0. Python frames do not count here, because they can be left
 * out; the tree sets aside the rows that only a frame covers. `[OutOfMemory]` records are always rows. */
static void add_record_rows(struct trace *trace)
{
    struct events *events = &trace->events;
    uint32_t count = events->count, e = 0;
    int64_t covered = INT64_MIN;
    uint8_t category = category_of_records();
    for (size_t i = 0; i < trace->memory.count; i++) {
        const struct memory_record *record = &trace->memory.items[i];
        for (; e < count && events->start[e] <= record->time; e++)
            if (!kind_on_device(event_kind(trace, e)) && event_kind(trace, e) != KIND_PYTHON &&
                !(events->flags[e] & EVENT_DROPPED_NAME) && event_end(trace, e) > covered)
                covered = event_end(trace, e);
        if (record->time <= covered && !record->out_of_memory)
            continue;
        uint32_t row = events_add(events);
        if (row == NO_EVENT)
            break;
        const char *name = record->out_of_memory ? "[OutOfMemory]" : "[memory]";
        events->start[row] = record->time;
        events->duration[row] = 0;
        events->name[row] = strings_find(&trace->strings, name, strlen(name));
        events->category[row] = category;
        events->flags[row] = 0;
        events->thread[row] = record->thread;
        events->inputs[row] = 0;
        events_set(events, &events->external_id, row, 0);
        events_set_number(events, row, record->bytes);
        events->place[row] = !record->counts ? 0 : record->on_device ? 2 : 1;
        events_set_offset(events, row, UINT64_MAX);
    }
    if (events->count > count)
        sort_events(trace);
}

/* No file of this world has so much; one that was made for it must not be summed in silence. */
static void check_sums(struct trace *trace)
{
    uint64_t times = 0, bytes = 0;
    bool fits = true;
    for (uint32_t e = 0; e < trace->events.count; e++)
        fits &= !__builtin_add_overflow(times, (uint64_t)trace->events.duration[e], &times);
    for (size_t i = 0; i < trace->memory.count; i++) {
        int64_t size = trace->memory.items[i].bytes;
        fits &= !__builtin_add_overflow(bytes, size < 0 ? 0 - (uint64_t)size : (uint64_t)size, &bytes);
    }
    if (!fits || times > INT64_MAX || bytes > INT64_MAX)
        trace->notes.of[NOTE_TOO_LARGE].count = 1;
}

/* Whether shapes were recorded, also when they are all empty: then nothing else is in an item. */
static void find_shapes(struct trace *trace)
{
    for (size_t i = 1; i < trace->inputs.count && !trace->has_shapes; i++) {
        const struct inputs *inputs = &trace->inputs.items[i];
        bool other = inputs->module != 0 || inputs->sync_kind != 0 || inputs->collective != 0;
        trace->has_shapes = inputs->types != 0 || inputs->concrete != 0 || inputs->dims != 0 || !other;
    }
}

void trace_finish(struct trace *trace)
{
    if (trace->memory.count != 0) {
        strings_add(&trace->strings, "[memory]", 8);
        strings_add(&trace->strings, "[OutOfMemory]", 13);
    }
    names_build(trace);
    finish_times(trace);
    sort_events(trace);
    sort_records(trace->memory.items, trace->memory.count);
    add_record_rows(trace);
    count_writers(trace);
    check_sums(trace);
    find_shapes(trace);
}
