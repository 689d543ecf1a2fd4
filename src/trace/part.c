#include "part.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "events.h"
#include "keyavg/workers.h"

void part_init(struct part *part)
{
    part->trace = memory_zero(1, sizeof *part->trace);
    strings_init(&part->trace->strings);
    stacks_init(&part->trace->stacks);
    reader_init(&part->reader, part->trace);
    pthread_mutex_init(&part->lock, NULL);
}

void part_free(struct part *part)
{
    reader_free(&part->reader);
    trace_free(part->trace);
    part->trace = NULL;
    pthread_mutex_destroy(&part->lock);
}

void part_read(struct part *part, const struct block *block, const struct document *document, struct piece *piece)
{
    struct reader *reader = &part->reader;
    struct trace *trace = part->trace;
    struct scan *scan = &reader->scan;
    pthread_mutex_lock(&part->lock);
    memset(&trace->notes, 0, sizeof trace->notes);
    header_init(&trace->header);
    trace->records_seen = 0;
    trace->has_device_call = trace->has_python = reader->any_time = false;
    reader->backends = 0;
    *piece = (struct piece){.part = part, .events_from = trace->events.count, .memory_from = trace->memory.count,
                            .flows_from = trace->flows.count, .names_from = reader->thread_names.count};
    scan->begin = scan->at = block->begin;
    scan->end = block->end;
    scan->offset = block->offset;
    scan->lines = 0;
    reader->document = *document;
    reader->last = block->last;
    reader_run(reader);
    piece->document = reader->document;
    piece->tail = (size_t)(scan->end - scan->at);
    piece->lines = block->owned != NULL ? scan_count_lines(block->begin, scan->at) : 0;
    piece->events_to = trace->events.count;
    piece->memory_to = trace->memory.count;
    piece->flows_to = trace->flows.count;
    piece->names_to = reader->thread_names.count;
    piece->notes = trace->notes;
    piece->header = trace->header;
    header_init(&trace->header);
    piece->base = trace->base;
    piece->any_time = reader->any_time;
    piece->records = trace->records_seen;
    piece->has_device_call = trace->has_device_call;
    piece->has_python = trace->has_python;
    piece->backends = reader->backends;
    pthread_mutex_unlock(&part->lock);
}

/* A part's numbers as the first part's; NULL arrays for the first part itself. */
struct maps {
    uint32_t *strings, *inputs, *threads, *lanes, *forward_threads, *stacks;
};

#define NEW_MAP(of) memory_alloc(((size_t)(of) + 1) * sizeof(uint32_t))

static struct maps map_part(struct reader *into, const struct part *part)
{
    const struct trace *from = part->trace;
    struct maps maps;
    maps.strings = NEW_MAP(from->strings.count);
    for (uint32_t i = 0; i < from->strings.count; i++) {
        struct span text = strings_get(&from->strings, i);
        maps.strings[i] = strings_add(&into->trace->strings, text.bytes, text.length);
    }
    maps.inputs = NEW_MAP(from->inputs.count);
    maps.inputs[0] = 0;
    for (uint32_t i = 1; i < from->inputs.count; i++) {
        struct inputs_key key = part->reader.input_keys[i];
        key = (struct inputs_key){maps.strings[key.dims],     maps.strings[key.types],     maps.strings[key.concrete],
                                  maps.strings[key.module],   maps.strings[key.sync_kind], maps.strings[key.waits_for],
                                  key.collective};
        maps.inputs[i] = reader_inputs(into, &key);
    }
    maps.threads = NEW_MAP(from->threads.count);
    for (uint32_t i = 0; i < from->threads.count; i++) {
        const struct thread *thread = &from->threads.items[i];
        maps.threads[i] = reader_thread(into, maps.strings[thread->pid], maps.strings[thread->tid]);
    }
    maps.lanes = NEW_MAP(from->lanes.count);
    for (uint32_t i = 0; i < from->lanes.count; i++) {
        struct lane lane = from->lanes.items[i];
        lane.stream = maps.strings[lane.stream];
        maps.lanes[i] = reader_lane(into, lane);
    }
    maps.forward_threads = NEW_MAP(from->forward_threads.count);
    maps.forward_threads[0] = 0;
    for (uint32_t i = 1; i < from->forward_threads.count; i++)
        maps.forward_threads[i] = reader_forward_thread(into, from->forward_threads.items[i]);
    maps.stacks = NEW_MAP(from->stacks.count);
    maps.stacks[0] = 0;
    for (uint32_t i = 1; i < from->stacks.count; i++) { /* callers come before the called */
        const struct stack_node *node = &from->stacks.nodes[i];
        maps.stacks[i] = stacks_add(&into->trace->stacks, maps.stacks[node->caller], maps.strings[node->frame]);
    }
    return maps;
}

static void maps_free(struct maps *maps)
{
    free(maps->strings);
    free(maps->inputs);
    free(maps->threads);
    free(maps->lanes);
    free(maps->forward_threads);
    free(maps->stacks);
}

static void map_column(uint32_t *column, uint32_t from, uint32_t to, const uint32_t *map)
{
    for (uint32_t e = from; e < to; e++)
        column[e] = map[column[e]];
}

/* Turns the numbers of events from .. to, which came from one part, into the first part's. */
static void map_events(struct events *events, uint32_t from, uint32_t to, const struct maps *maps)
{
    if (maps->strings == NULL)
        return;
    map_column(events->name, from, to, maps->strings);
    map_column(events->thread, from, to, maps->threads);
    map_column(events->inputs, from, to, maps->inputs);
    if (events->stack != NULL)
        map_column(events->stack, from, to, maps->stacks);
    for (uint32_t e = from; e < to; e++) {
        const uint32_t *map = kind_on_device((enum event_kind)categories[events->category[e]].kind) ? maps->lanes
                                                                                                  : maps->forward_threads;
        events->place[e] = map[events->place[e]];
    }
}

/* Where a piece's columns go. */
struct joined {
    struct events events;
    struct memory_record *memory;
    struct flow *flows;
    struct thread_name *names;
    uint32_t *first;        /* by piece: its first event */
    size_t *first_memory, *first_flow, *first_name;
    size_t memory_count, flow_count, name_count;
};

static void copy_column(const struct piece *piece, uint32_t first, void *into, size_t size, size_t at)
{
    const char *column = *(char **)(void *)((char *)&piece->part->trace->events + at);
    size_t count = piece->events_to - piece->events_from;
    if (count != 0 && column != NULL) /* an optional one that is not there is all zeros */
        memcpy((char *)into + (size_t)first * size, column + piece->events_from * size, count * size);
}

#define AT(column) offsetof(struct events, column)

static void copy_records(struct joined *joined, const pieces *all, const struct part *part, const struct maps *maps)
{
    for (size_t i = 0; i < all->count; i++) {
        const struct piece *piece = &all->items[i];
        if (piece->part != part)
            continue;
        struct memory_record *records = joined->memory + joined->first_memory[i];
        struct flow *flows = joined->flows + joined->first_flow[i];
        for (size_t k = piece->memory_from; k < piece->memory_to; k++) {
            *records = part->trace->memory.items[k];
            if (maps->threads != NULL)
                records->thread = maps->threads[records->thread];
            records++;
        }
        for (size_t k = piece->flows_from; k < piece->flows_to; k++) {
            *flows = part->trace->flows.items[k];
            if (maps->threads != NULL)
                flows->thread = maps->threads[flows->thread];
            flows++;
        }
        struct thread_name *names = joined->names + joined->first_name[i];
        for (size_t k = piece->names_from; k < piece->names_to; k++) {
            *names = part->reader.thread_names.items[k];
            if (maps->threads != NULL)
                *names = (struct thread_name){names->thread != NO_THREAD ? maps->threads[names->thread] : NO_THREAD,
                                              maps->strings[names->name]};
            names++;
        }
    }
}

static void count_unknown(struct trace *trace, uint32_t name)
{
    size_t at = 0;
    while (at < trace->unknown.count && trace->unknown.items[at].name != name)
        at++;
    if (at == trace->unknown.count && at > UNKNOWN_CATEGORIES)
        at = UNKNOWN_CATEGORIES;
    if (at == trace->unknown.count)
        array_push(&trace->unknown, (struct unknown_category){at < UNKNOWN_CATEGORIES ? name : 0, 0});
    trace->unknown.items[at].count++;
}

/* A thread has the name that it was given last, wherever in the text that stands. */
static void take_names(struct trace *trace, const struct thread_name *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (names[i].thread == NO_THREAD)
            count_unknown(trace, names[i].name);
        else
            trace->threads.items[names[i].thread].name = names[i].name;
}

/* Room for the pieces, and where each of them goes. More events than can be numbered are left out. */
static void joined_init(struct joined *joined, pieces *all)
{
    *joined = (struct joined){0};
    joined->first = memory_alloc((all->count + 1) * sizeof *joined->first);
    joined->first_memory = memory_alloc((all->count + 1) * sizeof *joined->first_memory);
    joined->first_flow = memory_alloc((all->count + 1) * sizeof *joined->first_flow);
    joined->first_name = memory_alloc((all->count + 1) * sizeof *joined->first_name);
    uint64_t total = 0;
    for (size_t i = 0; i < all->count; i++) {
        struct piece *piece = &all->items[i];
        uint64_t room = UINT32_MAX - 1 - total;
        if (piece->events_to - piece->events_from > room)
            piece->events_to = piece->events_from + (uint32_t)room;
        joined->first[i] = (uint32_t)total;
        joined->first_memory[i] = joined->memory_count;
        joined->first_flow[i] = joined->flow_count;
        joined->first_name[i] = joined->name_count;
        total += piece->events_to - piece->events_from;
        joined->memory_count += piece->memory_to - piece->memory_from;
        joined->flow_count += piece->flows_to - piece->flows_from;
        joined->name_count += piece->names_to - piece->names_from;
    }
    joined->events.count = joined->events.capacity = (uint32_t)total;
    joined->memory = memory_alloc((joined->memory_count + 1) * sizeof *joined->memory);
    joined->flows = memory_alloc((joined->flow_count + 1) * sizeof *joined->flows);
    joined->names = memory_alloc((joined->name_count + 1) * sizeof *joined->names);
}

static void joined_take(struct joined *joined, struct trace *trace)
{
    trace->events = joined->events;
    array_free(&trace->memory);
    trace->memory.items = joined->memory;
    trace->memory.count = trace->memory.capacity = joined->memory_count;
    array_free(&trace->flows);
    trace->flows.items = joined->flows;
    trace->flows.count = trace->flows.capacity = joined->flow_count;
    take_names(trace, joined->names, joined->name_count);
    free(joined->names);
    free(joined->first);
    free(joined->first_memory);
    free(joined->first_flow);
    free(joined->first_name);
}

static void add_notes(struct notes *into, const struct notes *from, uint64_t lines)
{
    for (unsigned i = 0; i < NOTE_COUNT; i++) {
        const struct note_place *of = &from->of[i];
        if (of->count != 0 && into->of[i].count == 0) {
            into->of[i].offset = of->offset;
            into->of[i].line = of->line + lines;
        }
        into->of[i].count += of->count;
        into->of[i].amount += of->amount;
    }
}

static void sum_up(struct trace *trace, const pieces *all)
{
    bool any_time = false;
    uint64_t lines = 0;
    unsigned backends = 0;
    memset(&trace->notes, 0, sizeof trace->notes);
    trace->records_seen = 0;
    trace->base = 0;
    trace->has_device_call = trace->has_python = false;
    for (size_t i = 0; i < all->count; i++) {
        const struct piece *piece = &all->items[i];
        add_notes(&trace->notes, &piece->notes, lines);
        lines += piece->lines;
        header_merge(&trace->header, &piece->header);
        if (piece->any_time && (!any_time || piece->base < trace->base))
            trace->base = piece->base;
        any_time |= piece->any_time;
        trace->records_seen += piece->records;
        trace->has_device_call |= piece->has_device_call;
        trace->has_python |= piece->has_python;
        backends |= piece->backends;
    }
    trace->backend = BACKEND_NONE;
    for (unsigned i = BACKEND_NONE + 1; i < BACKEND_COUNT; i++)
        if (backends & 1u << i)
            trace->backend = (enum backend)i;
    if (trace->backend == BACKEND_NONE && trace->has_device_call)
        trace->backend = BACKEND_CUDA;
}

/* Whether all pieces are the first part's, whole and in order: then there is nothing to move. */
static bool is_whole(const struct part *first, const pieces *all)
{
    uint32_t events = 0;
    size_t memory = 0, flows = 0, names = 0;
    for (size_t i = 0; i < all->count; i++) {
        const struct piece *piece = &all->items[i];
        if (piece->part != first || piece->events_from != events || piece->memory_from != memory ||
            piece->flows_from != flows || piece->names_from != names)
            return false;
        events = piece->events_to;
        memory = piece->memory_to;
        flows = piece->flows_to;
        names = piece->names_to;
    }
    return events == first->trace->events.count && memory == first->trace->memory.count &&
           flows == first->trace->flows.count && names == first->reader.thread_names.count;
}

struct joining {
    struct part *parts;
    unsigned count;
    const pieces *all;
    struct joined *joined;
    const struct maps *maps;
};

/* One column of all pieces, one behind the other; the parts' own is given up, so that few columns are there twice. */
static void join_column(void *context, unsigned column)
{
    const struct joining *joining = context;
    struct joined *joined = joining->joined;
    size_t size = event_columns[column].size;
    bool any = false;
    for (unsigned i = 0; i < joining->count; i++)
        any |= *event_column_of(&joining->parts[i].trace->events, column) != NULL;
    if (!any)
        return;
    /* where a part has no such column, it is zeros */
    void *whole = memory_zero((size_t)joined->events.count + 1, size);
    for (size_t i = 0; i < joining->all->count; i++)
        copy_column(&joining->all->items[i], joined->first[i], whole, size, event_columns[column].at);
    *event_column_of(&joined->events, column) = whole;
    for (unsigned i = 0; i < joining->count; i++) {
        void **own = event_column_of(&joining->parts[i].trace->events, column);
        free(*own);
        *own = NULL;
    }
}

static void map_piece(void *context, unsigned number)
{
    const struct joining *joining = context;
    const struct piece *piece = &joining->all->items[number];
    uint32_t first = joining->joined->first[number];
    map_events(&joining->joined->events, first, first + piece->events_to - piece->events_from,
               &joining->maps[piece->part - joining->parts]);
}

struct trace *parts_merge(struct part *parts, unsigned count, pieces *all, unsigned threads)
{
    struct trace *trace = parts[0].trace;
    struct joined joined;
    sum_up(trace, all);
    if (is_whole(&parts[0], all)) {
        take_names(trace, parts[0].reader.thread_names.items, parts[0].reader.thread_names.count);
        return trace;
    }
    struct maps *maps = memory_zero(count, sizeof *maps);
    for (unsigned i = 1; i < count; i++)
        maps[i] = map_part(&parts[0].reader, &parts[i]);
    joined_init(&joined, all);
    for (unsigned i = 0; i < count; i++)
        copy_records(&joined, all, &parts[i], &maps[i]);
    struct joining joining = {parts, count, all, &joined, maps};
    workers_run(join_column, &joining, event_column_count, threads);
    workers_run(map_piece, &joining, (unsigned)all->count, threads);
    joined_take(&joined, trace);
    for (unsigned i = 1; i < count; i++)
        maps_free(&maps[i]);
    free(maps);
    return trace;
}

struct trace *parts_copy(struct part *parts, unsigned count, pieces *all)
{
    struct part into;
    struct joined joined;
    part_init(&into);
    joined_init(&joined, all);
    events_reserve(&joined.events, joined.events.count + 1);
    for (unsigned k = 0; k < count; k++) {
        pthread_mutex_lock(&parts[k].lock);
        struct maps maps = map_part(&into.reader, &parts[k]);
        copy_records(&joined, all, &parts[k], &maps);
        for (size_t i = 0; i < all->count; i++) {
            const struct piece *piece = &all->items[i];
            if (piece->part != &parts[k])
                continue;
#define COPY(column) copy_column(piece, joined.first[i], joined.events.column, sizeof *joined.events.column, AT(column));
            EVENT_COLUMNS(COPY)
#define COPY_OPTIONAL(column)                                                                                               \
    if (parts[k].trace->events.column != NULL) {                                                                           \
        events_need(&joined.events, &joined.events.column);                                                                \
        COPY(column)                                                                                                       \
    }
            EVENT_OPTIONAL_COLUMNS(COPY_OPTIONAL)
#undef COPY_OPTIONAL
#undef COPY
            map_events(&joined.events, joined.first[i], joined.first[i] + piece->events_to - piece->events_from, &maps);
        }
        pthread_mutex_unlock(&parts[k].lock);
        maps_free(&maps);
    }
    joined_take(&joined, into.trace);
    sum_up(into.trace, all);
    struct trace *trace = into.trace;
    into.trace = NULL;
    part_free(&into);
    return trace;
}
