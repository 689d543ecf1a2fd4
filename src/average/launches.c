#include "keyavg/launches.h"

#include <stdlib.h>
#include <string.h>

#include "numbering.h"

static bool contains(struct span text, const char *word)
{
    return text.length != 0 && memmem(text.bytes, text.length, word, strlen(word)) != NULL;
}

bool launch_name(struct span name)
{
    if (span_starts(name, "urEnqueue"))
        return contains(name, "Launch") || contains(name, "USM") || contains(name, "Mem");
    if (span_starts(name, "zeCommandListAppend"))
        return contains(name, "Launch") || contains(name, "MemoryCopy") || contains(name, "MemoryFill");
    if (!span_starts(name, "cu") && !span_starts(name, "hip"))
        return false;
    if (contains(name, "Launch")) /* what runs a function of the host leaves nothing on the device */
        return !contains(name, "HostFunc");
    return (contains(name, "Memcpy") || contains(name, "Memset")) &&
           (contains(name, "Async") || contains(name, "WithStream"));
}

const char *launch_rule_name(enum launch_rule rule)
{
    static const char *const names[LAUNCH_RULES] = {"", "link", "correlation", "around"};
    return names[rule];
}

/* What a call's name says, found once for each name. */
enum { NAME_NEW, NAME_OTHER, NAME_LAUNCH, NAME_GRAPH };

static uint8_t name_kind(const struct trace *trace, uint8_t *kinds, uint32_t event)
{
    uint8_t *kind = &kinds[trace->events.name[event]];
    if (*kind == NAME_NEW) {
        struct span name = strings_get(&trace->strings, trace->events.name[event]);
        *kind = !launch_name(name) ? NAME_OTHER : contains(name, "GraphLaunch") ? NAME_GRAPH : NAME_LAUNCH;
    }
    return *kind;
}

static uint32_t *make_column(uint32_t count)
{
    uint32_t *column = memory_alloc(((size_t)count + 1) * sizeof *column);
    memset(column, 0xFF, ((size_t)count + 1) * sizeof *column);
    return column;
}

static bool is_work(const struct tree *tree, uint32_t e)
{
    enum event_kind kind = event_kind(tree->trace, e);
    return kind_on_device(kind) && kind != KIND_DEVICE_ANNOTATION && tree->state[e] == STATE_ROW;
}

/* Runtime calls by correlation. Numbers that lie close together, as they mostly do, are places; others are hashed. */
struct call_index {
    int64_t low, high;
    uint32_t count;  /* calls with a number */
    uint32_t *calls; /* NO_EVENT: none */
    bool hashed;
    struct numbering numbers;
};

static void index_init(struct call_index *index)
{
    uint64_t width = (uint64_t)index->high - (uint64_t)index->low;
    index->hashed = width / 16 >= index->count;
    index->calls = make_column(index->hashed ? index->count : (uint32_t)width);
    numbering_init(&index->numbers);
}

static void index_free(struct call_index *index)
{
    free(index->calls);
    numbering_free(&index->numbers);
}

static uint32_t *index_place(struct call_index *index, int64_t number)
{
    return &index->calls[index->hashed ? numbering_add(&index->numbers, (uint64_t)number)
                                       : (uint32_t)(number - index->low)];
}

static uint32_t index_find(const struct call_index *index, int64_t number)
{
    if (number < index->low || number > index->high || index->count == 0)
        return NO_EVENT;
    uint32_t place = index->hashed ? numbering_find(&index->numbers, (uint64_t)number)
                                   : (uint32_t)(number - index->low);
    return place != UINT32_MAX ? index->calls[place] : NO_EVENT;
}

static bool is_call(const struct tree *tree, uint32_t e)
{
    return event_kind(tree->trace, e) == KIND_RUNTIME && tree->state[e] != STATE_ABSENT;
}

/* The calls by their numbers. Of several with one number one that launches is taken. */
static void index_calls(const struct tree *tree, struct launches *launches, uint8_t *kinds, struct call_index *index)
{
    const struct events *events = &tree->trace->events;
    *index = (struct call_index){0};
    for (uint32_t e = 0; e < tree->count; e++) {
        if (!is_call(tree, e))
            continue;
        launches->is_launch[e] = name_kind(tree->trace, kinds, e) >= NAME_LAUNCH;
        if (events_number(events, e) == 0)
            continue;
        launches->launch_calls += launches->is_launch[e];
        index->low = index->count == 0 || events_number(events, e) < index->low ? events_number(events, e) : index->low;
        index->high = index->count == 0 || events_number(events, e) > index->high ? events_number(events, e)
                                                                                  : index->high;
        index->count++;
    }
    index_init(index);
    for (uint32_t e = 0; e < tree->count; e++) {
        if (!is_call(tree, e) || events_number(events, e) == 0)
            continue;
        uint32_t *call = index_place(index, events_number(events, e));
        if (*call == NO_EVENT || (launches->is_launch[e] && !launches->is_launch[*call]))
            *call = e;
    }
}

/* Device events to runtime calls by correlation. */
static void join_calls(const struct tree *tree, struct launches *launches)
{
    const struct events *events = &tree->trace->events;
    uint8_t *kinds = memory_zero((size_t)tree->trace->strings.count + 1, 1);
    struct call_index index;
    index_calls(tree, launches, kinds, &index);
    for (uint32_t e = 0; e < tree->count; e++) {
        uint32_t call = is_work(tree, e) && events_number(events, e) != 0 ? index_find(&index, events_number(events, e))
                                                                          : NO_EVENT;
        if (call == NO_EVENT)
            continue;
        launches->call[e] = call;
        launches->is_graph[e] = name_kind(tree->trace, kinds, call) == NAME_GRAPH;
        /* A call's own `next` is free to hold the end of its chain while that grows. */
        if (launches->call[call] == NO_EVENT)
            launches->call[call] = e;
        else
            launches->next[launches->next[call]] = e;
        launches->next[call] = e;
        launches->early += launches_is_early(tree->trace, launches, e);
    }
    for (uint32_t e = 0; e < tree->count; e++)
        if (is_call(tree, e))
            launches->next[e] = NO_EVENT;
    free(kinds);
    index_free(&index);
}

/* Which op launched each device event, by the first rule that tells. */
static void find_ops(const struct tree *tree, struct launches *launches)
{
    const struct trace *trace = tree->trace;
    launches->work = memory_alloc(((size_t)tree->count + 1) * sizeof *launches->work);
    /* The innermost op at or above each CPU event; parents stand before their children. */
    uint32_t *around = make_column(tree->count);
    for (uint32_t e = 0; e < tree->count; e++) {
        if (tree->state[e] == STATE_ABSENT || event_on_device(trace, e))
            continue;
        if (event_kind(trace, e) == KIND_OP && tree->state[e] == STATE_ROW && !(trace->events.flags[e] & EVENT_ASYNC))
            around[e] = e;
        else if (tree->parent[e] != NO_EVENT)
            around[e] = around[tree->parent[e]];
    }
    for (uint32_t e = 0; e < tree->count; e++) {
        if (!is_work(tree, e))
            continue;
        launches->work[launches->device_events++] = e;
        uint32_t call = launches->call[e];
        if (tree->owner[e] != NO_EVENT) {
            launches->op[e] = tree->owner[e];
            launches->rule[e] = LAUNCH_LINK;
            continue;
        }
        launches->unlinked++;
        if (call != NO_EVENT && tree->owner[call] != NO_EVENT) {
            launches->op[e] = tree_row_event(tree, tree->owner[call]);
            launches->rule[e] = LAUNCH_CALL;
        } else if (call != NO_EVENT && around[call] != NO_EVENT) {
            launches->op[e] = around[call];
            launches->rule[e] = LAUNCH_AROUND;
        }
    }
    launches->work = memory_resize(launches->work, (size_t)launches->device_events + 1, sizeof *launches->work);
    free(around);
}

/* The first device event below each CPU event. */
static void find_first(const struct tree *tree, struct launches *launches)
{
    for (uint32_t e = tree->count; e-- > 0;)
        if (launches->op[e] != NO_EVENT)
            launches->first[launches->op[e]] = e;
    for (uint32_t e = tree->count; e-- > 0;) {
        uint32_t parent = tree->parent[e];
        if (tree->state[e] == STATE_ROW && parent != NO_EVENT && launches->first[e] < launches->first[parent])
            launches->first[parent] = launches->first[e];
    }
}

bool launches_is_early(const struct trace *trace, const struct launches *launches, uint32_t event)
{
    uint32_t call = launches->call[event];
    return call != NO_EVENT && launches->is_launch[call] && !(trace->events.flags[event] & EVENT_CLOCKLESS) &&
           trace->events.start[event] < trace->events.start[call];
}

bool launches_is_missing(const struct trace *trace, const struct launches *launches, uint32_t event)
{
    return launches->is_launch[event] && events_number(&trace->events, event) != 0 && launches->call[event] == NO_EVENT;
}

const struct launches *tree_launches(struct tree *tree)
{
    if (tree->launches != NULL)
        return tree->launches;
    struct launches *launches = memory_zero(1, sizeof *launches);
    launches->op = make_column(tree->count);
    launches->call = make_column(tree->count);
    launches->next = make_column(tree->count);
    launches->first = make_column(tree->count);
    launches->rule = memory_zero((size_t)tree->count + 1, 1);
    launches->is_graph = memory_zero((size_t)tree->count + 1, 1);
    launches->is_launch = memory_zero((size_t)tree->count + 1, 1);
    if (tree->trace->has_device_call) {
        join_calls(tree, launches);
        find_ops(tree, launches);
        find_first(tree, launches);
        for (uint32_t e = 0; e < tree->count; e++)
            launches->missing += launches_is_missing(tree->trace, launches, e);
    }
    return tree->launches = launches;
}

void launches_free(struct launches *launches)
{
    if (launches == NULL)
        return;
    free(launches->op);
    free(launches->work);
    free(launches->call);
    free(launches->next);
    free(launches->first);
    free(launches->rule);
    free(launches->is_graph);
    free(launches->is_launch);
    free(launches);
}

bool launches_delay(const struct trace *trace, const struct launches *launches, uint32_t event, int64_t *delay)
{
    uint32_t device = event;
    if (event_kind(trace, event) == KIND_RUNTIME)
        device = launches->call[event];
    else if (!event_on_device(trace, event))
        device = launches->first[event];
    uint32_t call = device != NO_EVENT ? launches->call[device] : NO_EVENT;
    if (call == NO_EVENT || !launches->is_launch[call] || trace->events.flags[device] & EVENT_CLOCKLESS)
        return false;
    /* Of a graph only the first event waits for the launch. */
    if (launches->is_graph[device] && launches->call[call] != device)
        return false;
    return !__builtin_sub_overflow(trace->events.start[device], event_end(trace, call), delay) && *delay >= 0;
}
