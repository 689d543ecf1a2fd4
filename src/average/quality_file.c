/* The quality page: what was recorded, and what became of the file while it was read. */
#include <inttypes.h>

#include "keyavg/arguments.h"
#include "keyavg/steps.h"
#include "quality.h"

/* -- What the profiler was told to record ------------------------------------------------------------------------- */

static void add_flag(struct quality *quality, const char *name, const char *title, bool there, const char *what,
                     const char *argument)
{
    struct text advice = {0};
    if (!there)
        text_addf(&advice, "%s records ", argument);
    text_add_string(&advice, what);
    struct quality_fact *fact = quality_add(quality, QUALITY_RECORDED, name, title, advice.bytes);
    fact->unit = QUALITY_FLAG;
    fact->amount = there;
    fact->state = there ? QUALITY_OK : QUALITY_MISSING;
    text_free(&advice);
}

static bool any_of_kind(const struct trace *trace, enum event_kind kind)
{
    for (uint32_t e = 0; e < trace->events.count; e++)
        if (event_kind(trace, e) == kind)
            return true;
    return false;
}

static bool any_on_device(const struct trace *trace)
{
    for (uint32_t e = 0; e < trace->events.count; e++)
        if (kind_on_device(event_kind(trace, e)))
            return true;
    return false;
}

void quality_recorded(struct quality *quality, struct tree *tree)
{
    const struct trace *trace = tree->trace;
    const struct header *header = &trace->header;
    add_flag(quality, "cpu_ops", "CPU ops", any_of_kind(trace, KIND_OP), "calls on the CPU", ARGUMENT_CPU);
    add_flag(quality, "device_events", "device events", any_on_device(trace), "kernels, copies and fills",
             ARGUMENT_DEVICE);
    add_flag(quality, "record_shapes", "input shapes", header->record_shapes || trace->has_shapes,
             "shapes, types and small values of inputs", ARGUMENT_SHAPES);
    add_flag(quality, "with_stack", "Python stacks", header->with_stack || tree->has_stacks || trace->has_python,
             "the lines of Python around each call", ARGUMENT_STACKS);
    add_flag(quality, "profile_memory", "memory", trace_has_memory(trace), "what was allocated and freed",
             ARGUMENT_MEMORY);
    add_flag(quality, "with_flops", "FLOPs", header->with_flops, "torch's estimate of operations", ARGUMENT_FLOPS);
    add_flag(quality, "with_modules", "modules", header->with_modules, "the hierarchy of TorchScript modules",
             ARGUMENT_MODULES);
    add_flag(quality, "overload_names", "overload names", trace->has_overloads, "aten::add.Tensor, not aten::add alone",
             ARGUMENT_OVERLOADS);
    if (trace->backend == BACKEND_CUDA)
        add_flag(quality, "sync_events", "device syncs", any_of_kind(trace, KIND_SYNC),
                 "what streams and the CPU wait for", ARGUMENT_SYNC);
    add_flag(quality, "steps", "profiler steps", steps_count(tree) > 0, "which step of training a call belongs to",
             ARGUMENT_STEPS);
    add_flag(quality, "ranks", "rank", header->rank >= 0, "which rank of how many wrote the file", ARGUMENT_RANKS);
}

/* -- The file ------------------------------------------------------------------------------------------------------ */

static struct quality_fact *add_number(struct quality *quality, const char *name, const char *title, const char *advice,
                                       uint64_t count, enum quality_state state)
{
    struct quality_fact *fact = quality_add(quality, QUALITY_READ, name, title, advice);
    fact->amount = (int64_t)count;
    fact->state = (uint8_t)state;
    return fact;
}

static const struct {
    const char *name, *title;
    uint8_t state;
    bool at_event; /* the place is in an event, or at its `{` */
} note_words[NOTE_COUNT] = {
    [NOTE_TRUNCATED] = {"truncated", "file ends early", QUALITY_FAULT, false},
    [NOTE_STREAM_CUT] = {"stream_cut", "compressed data cut or damaged", QUALITY_FAULT, false},
    [NOTE_LOST] = {"lost", "file changed while read", QUALITY_FAULT, false},
    [NOTE_DAMAGED] = {"damaged", "damaged regions", QUALITY_FAULT, false},
    [NOTE_DROPPED_EVENT] = {"dropped_event", "events without a time", QUALITY_FAULT, false},
    [NOTE_QUOTE_REPAIRED] = {"quote_repaired", "unescaped quotes", QUALITY_FAULT, true},
    [NOTE_ILLEGAL_ESCAPE] = {"illegal_escape", "illegal escapes", QUALITY_FAULT, true},
    [NOTE_RAW_CONTROL] = {"raw_control", "raw control bytes", QUALITY_FAULT, true},
    [NOTE_INVALID_UTF8] = {"invalid_utf8", "invalid UTF-8", QUALITY_FAULT, true},
    [NOTE_NOT_JSON_VALUE] = {"not_json_value", "values that are not JSON", QUALITY_FAULT, true},
    [NOTE_NEGATIVE_DURATION] = {"negative_duration", "negative durations", QUALITY_FAULT, true},
    [NOTE_UNFINISHED] = {"no_end", "ops without an end", QUALITY_FAULT, true},
    [NOTE_SEVERAL_WRITERS] = {"several_writers", "processes in one file", QUALITY_FAULT, false},
    [NOTE_TRAILING_TEXT] = {"trailing_text", "text behind the end", QUALITY_FAULT, false},
    [NOTE_WITHOUT_TIME] = {"without_time", "device events without a time", QUALITY_FAULT, true},
    [NOTE_TOO_LARGE] = {"too_large", "sums over 64 bits", QUALITY_FAULT, false},
    [NOTE_UNKNOWN_CATEGORY] = {"unknown_category", "events of unknown categories", QUALITY_NOTE, false},
};

/* The event in whose text a place lies: the one with the nearest `{` before it. */
static void point_at_event(const struct trace *trace, struct quality_fact *fact)
{
    uint64_t nearest = 0;
    uint32_t found = NO_EVENT;
    for (uint32_t e = 0; e < trace->events.count; e++) {
        uint64_t offset = events_offset(&trace->events, e);
        if (offset <= fact->offset && (found == NO_EVENT || offset > nearest)) {
            found = e;
            nearest = offset;
        }
    }
    if (found == NO_EVENT)
        return;
    fact->events = memory_alloc(sizeof *fact->events);
    fact->events[0] = found;
    fact->event_count = 1;
}

/* Which categories they are of. */
static void add_unknown(const struct trace *trace, struct text *out)
{
    for (size_t i = 0; i < trace->unknown.count; i++) {
        const struct unknown_category *unknown = &trace->unknown.items[i];
        text_add_string(out, i == 0 ? ": " : ", ");
        if (unknown->name != 0)
            text_add_span(out, strings_get(&trace->strings, unknown->name));
        else
            text_add_string(out, "others");
        text_addf(out, " %" PRIu64, unknown->count);
    }
}

static void add_note(struct quality *quality, const struct trace *trace, enum note note)
{
    const struct note_place *place = &trace->notes.of[note];
    struct text advice = {0};
    if (place->count == 0 || note_words[note].title == NULL)
        return;
    notes_add_one(&trace->notes, note, &advice);
    if (note == NOTE_UNKNOWN_CATEGORY)
        add_unknown(trace, &advice);
    struct quality_fact *fact = add_number(quality, note_words[note].name, note_words[note].title, advice.bytes,
                                           place->count,
                                           (enum quality_state)note_words[note].state);
    text_free(&advice);
    if (notes_has_place(note)) {
        fact->offset = place->offset;
        fact->line = place->line;
    }
    if (note_words[note].at_event)
        point_at_event(trace, fact);
}

void quality_read(struct quality *quality, struct tree *tree)
{
    const struct trace *trace = tree->trace;
    const struct note_place *notes = trace->notes.of;
    uint64_t skipped =
        notes[NOTE_DAMAGED].count + notes[NOTE_DROPPED_EVENT].count + (uint64_t)notes[NOTE_TRUNCATED].amount;
    uint64_t repaired =
        notes[NOTE_QUOTE_REPAIRED].count + notes[NOTE_ILLEGAL_ESCAPE].count + notes[NOTE_RAW_CONTROL].count +
                        notes[NOTE_INVALID_UTF8].count + notes[NOTE_NOT_JSON_VALUE].count +
                        notes[NOTE_NEGATIVE_DURATION].count + notes[NOTE_UNFINISHED].count;
    add_number(quality, "records", "events read", "all of the file, also arrows, memory records and metadata",
               trace->records_seen, QUALITY_PLAIN);
    add_number(quality, "calls", "calls and device events", "those that rows are made of", trace->events.count,
               QUALITY_PLAIN);
    add_number(quality, "memory_records", "memory records", "allocations and frees", trace->memory.count,
               QUALITY_PLAIN);
    add_number(quality, "skipped", "skipped", "damaged regions, and events without a time or an end in the file",
               skipped,
               skipped > 0 ? QUALITY_NOTE : QUALITY_OK);
    add_number(quality, "repaired", "repaired", "strings, values and ends that were put right while reading", repaired,
               repaired > 0 ? QUALITY_NOTE : QUALITY_OK);
    if (trace->partial)
        add_number(quality, "partial", "reading was stopped",
                   "by Esc: what follows in the file is not here; R reads it again",
                   1, QUALITY_FAULT);
    for (int note = 0; note < NOTE_COUNT; note++)
        add_note(quality, trace, (enum note)note);
    if (notes[NOTE_UNKNOWN_CATEGORY].count == 0)
        add_number(quality, "unknown_category", "events of unknown categories", "all categories are known", 0,
                   QUALITY_OK);
}
