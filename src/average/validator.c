/* The six rules of torch's own trace validator, counted as it counts them (semantics.md 10). */
#include <stdlib.h>

#include "keyavg/memory.h"
#include "keyavg/names.h"
#include "numbering.h"
#include "quality.h"

/* Numbers of strings that the rules ask for; UINT32_MAX where the trace has no such string. */
struct words {
    uint32_t launch, comms, stream_sync, stream_wait, event_sync, record[4];
    uint8_t runtime, kernel; /* categories */
};

static uint32_t word(const struct trace *trace, const char *text)
{
    return strings_find(&trace->strings, text, strlen(text));
}

static struct words words_of(const struct trace *trace)
{
    return (struct words){
        .launch = word(trace, "cudaLaunchKernel"),
        .comms = word(trace, "record_param_comms"),
        .stream_sync = word(trace, "Stream Sync"),
        .stream_wait = word(trace, "Stream Wait Event"),
        .event_sync = word(trace, "Event Sync"),
        .record = {word(trace, "cudaEventRecord"), word(trace, "cudaEventRecord_ptsz"),
                   word(trace, "cudaEventRecordWithFlags"), word(trace, "cudaEventRecordWithFlags_ptsz")},
        .runtime = category_find(span_of("cuda_runtime")),
        .kernel = category_find(span_of("kernel")),
    };
}

static const struct inputs *inputs_of(const struct trace *trace, uint32_t event)
{
    return &trace->inputs.items[trace->events.inputs[event]];
}

/* -- 1: a kernel starts no earlier than its launch ----------------------------------------------------------------- */

static event_list find_early_kernels(const struct trace *trace, const struct words *words)
{
    const struct events *events = &trace->events;
    struct numbering ids;
    ARRAY(uint32_t) launches = {0}, kernels = {0}; /* by id: the first in list order, so the earliest */
    event_list early = {0};
    numbering_init(&ids);
    for (uint32_t e = 0; e < events->count; e++) {
        bool launch = events->category[e] == words->runtime && events->name[e] == words->launch;
        if (events_external_id(events, e) == 0 || (!launch && events->category[e] != words->kernel))
            continue;
        uint32_t id = numbering_add(&ids, (uint64_t)events_external_id(events, e));
        if (id == launches.count) {
            array_push(&launches, NO_EVENT);
            array_push(&kernels, NO_EVENT);
        }
        uint32_t *first = launch ? &launches.items[id] : &kernels.items[id];
        *first = *first == NO_EVENT ? e : *first;
    }
    for (size_t id = 0; id < launches.count; id++)
        if (launches.items[id] != NO_EVENT && kernels.items[id] != NO_EVENT &&
            events->start[kernels.items[id]] < events->start[launches.items[id]])
            array_push(&early, kernels.items[id]);
    array_free(&launches);
    array_free(&kernels);
    numbering_free(&ids);
    return early;
}

/* -- 2 and 4: what a stream waits for ------------------------------------------------------------------------------ */

static event_list find_unnamed_waits(const struct trace *trace, const struct words *words)
{
    event_list found = {0};
    for (uint32_t e = 0; e < trace->events.count; e++) {
        const struct inputs *inputs = inputs_of(trace, e);
        bool waits = inputs->sync_kind == words->stream_wait || inputs->sync_kind == words->event_sync;
        if (inputs->sync_kind != 0 && waits && inputs->waits_for < 0)
            array_push(&found, e);
    }
    return found;
}

static bool is_record(const struct trace *trace, const struct words *words, uint32_t e)
{
    uint32_t name = trace->events.name[e];
    return event_kind(trace, e) == KIND_RUNTIME && (name == words->record[0] || name == words->record[1] ||
                                                    name == words->record[2] || name == words->record[3]);
}

/* Waits for a record that is not in the file, or is later. */
static event_list find_future_waits(const struct trace *trace, const struct words *words)
{
    const struct events *events = &trace->events;
    struct numbering ids;
    ARRAY(int64_t) starts = {0}; /* by id: of the earliest record */
    event_list found = {0};
    numbering_init(&ids);
    for (uint32_t e = 0; e < events->count; e++) {
        if (!is_record(trace, words, e))
            continue;
        int64_t keys[2] = {events_external_id(events, e), events_number(events, e)};
        for (int k = 0; k < 2; k++)
            if (keys[k] != 0 && numbering_add(&ids, (uint64_t)keys[k]) == starts.count)
                array_push(&starts, events->start[e]);
    }
    for (uint32_t e = 0; e < events->count; e++) {
        const struct inputs *inputs = inputs_of(trace, e);
        if (inputs->sync_kind == 0 || inputs->sync_kind != words->stream_wait || inputs->waits_for < 0)
            continue;
        uint32_t record = numbering_find(&ids, (uint64_t)inputs->waits_for);
        if (record == UINT32_MAX || starts.items[record] > events->start[e])
            array_push(&found, e);
    }
    array_free(&starts);
    numbering_free(&ids);
    return found;
}

/* -- 3: a synchronised stream is still ----------------------------------------------------------------------------- */

/* The kernels of one stream so far: when the last of them ends, and the same of those that started before the
 * latest. */
struct stream {
    int64_t latest, end, end_before;
    bool any;
};

static event_list find_running_syncs(const struct trace *trace, const struct words *words)
{
    const struct events *events = &trace->events;
    struct stream *streams = memory_zero(trace->lanes.count + 1, sizeof *streams);
    event_list found = {0};
    for (uint32_t e = 0; e < events->count; e++) {
        bool sync = event_kind(trace, e) == KIND_SYNC && words->stream_sync != UINT32_MAX &&
                    inputs_of(trace, e)->sync_kind == words->stream_sync;
        if (!sync && events->category[e] != words->kernel)
            continue;
        struct stream *stream = &streams[events->place[e]];
        if (!stream->any || events->start[e] > stream->latest) {
            stream->end_before = stream->any ? stream->end : INT64_MIN;
            stream->latest = events->start[e];
        }
        if (sync && stream->end_before > events->start[e])
            array_push(&found, e);
        int64_t end = sync ? INT64_MIN : event_end(trace, e);
        stream->end = stream->any && stream->end > end ? stream->end : end;
        stream->any = true;
    }
    free(streams);
    return found;
}

/* -- 5: collectives tell what they move ---------------------------------------------------------------------------- */

static event_list find_bare_collectives(const struct trace *trace, const struct words *words)
{
    event_list found = {0};
    for (uint32_t e = 0; e < trace->events.count; e++)
        if (trace->events.name[e] == words->comms && inputs_of(trace, e)->collective != COLLECTIVE_ALL)
            array_push(&found, e);
    return found;
}

/* -- 6: a sequence number is one op's ------------------------------------------------------------------------------ */

static event_list find_shared_numbers(const struct trace *trace)
{
    const struct events *events = &trace->events;
    struct numbering ids;
    ARRAY(uint32_t) names = {0}; /* by sequence number: of its first event; UINT32_MAX: the number has counted */
    event_list found = {0};
    numbering_init(&ids);
    for (uint32_t e = 0; e < events->count; e++) {
        if (!trace->names[events->name[e]].evaluate || event_sequence(trace, e) < 0)
            continue;
        uint32_t id = numbering_add(&ids, (uint64_t)event_sequence(trace, e));
        if (id == names.count) {
            array_push(&names, events->name[e]);
        } else if (names.items[id] != UINT32_MAX && names.items[id] != events->name[e]) {
            names.items[id] = UINT32_MAX;
            array_push(&found, e);
        }
    }
    array_free(&names);
    numbering_free(&ids);
    return found;
}

/* -- The part of the page ------------------------------------------------------------------------------------------ */

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void add_rule(struct quality *quality, const char *name, const char *title, const char *advice, event_list found)
{
    if (found.count > 0)
        qsort(found.items, found.count, sizeof *found.items, by_number);
    quality_count(quality_add(quality, QUALITY_RULES, name, title, advice), QUALITY_FAULT, &found);
}

void quality_rules(struct quality *quality, struct tree *tree)
{
    const struct trace *trace = tree->trace;
    struct words words = words_of(trace);
    add_rule(quality, "gpu_kernel_causality", "kernels before their launch",
             "the first kernel of an External id starts before its cudaLaunchKernel: clocks of CPU and device differ",
             find_early_kernels(trace, &words));
    add_rule(quality, "stream_wait_corr_id_populated", "waits for no event",
             "a Stream Wait Event or Event Sync without wait_on_cuda_event_record_corr_id: what it waits for is lost",
             find_unnamed_waits(trace, &words));
    add_rule(quality, "stream_sync_overlap", "syncs of running streams",
             "a Stream Sync starts while a kernel of its stream runs", find_running_syncs(trace, &words));
    add_rule(quality, "stream_wait_corr_id_in_past", "waits for later events",
             "a Stream Wait Event names no cudaEventRecord of the file, or one that is later",
             find_future_waits(trace, &words));
    add_rule(quality, "nccl_metadata", "collectives without metadata",
             "record_param_comms without name, dtype, elements or group size: bytes and bandwidth are not known",
             find_bare_collectives(trace, &words));
    add_rule(quality, "backward_seq_id_uniqueness", "shared sequence numbers",
             "different backward ops have one sequence number: forward and backward may be paired wrongly",
             find_shared_numbers(trace));
}
