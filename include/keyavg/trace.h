/* A trace in memory: columns of immutable events in list order, and what they refer to by number.
 *
 * Times are int64 nanoseconds as the file counts them. Event numbers are positions in list order: by start, then by
 * -end, then as they stand in the file (semantics: "The tree"). Nothing here changes after trace_load. */
#ifndef KEYAVG_TRACE_H
#define KEYAVG_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "keyavg/array.h"
#include "keyavg/category.h"
#include "keyavg/error.h"
#include "keyavg/notes.h"
#include "keyavg/stacks.h"
#include "keyavg/strings.h"

#define NO_EVENT UINT32_MAX

enum event_flag {
    EVENT_ASYNC = 1,        /* has no parent, no children, self CPU 0 */
    EVENT_DROPPED_NAME = 2, /* a name torch drops: no row, not in the tree; still opens and closes in stacks */
    EVENT_UNFINISHED = 4,   /* its end was not in the file; closed at the end of the recording */
    EVENT_HAS_FORWARD = 8,  /* `Fwd thread id` > 0 */
    EVENT_NODE = 16,        /* array form: the node id is in the thread's text */
    EVENT_OWN_STACK = 32,   /* `Call stack` was in the file (also an empty one) */
    EVENT_CLOCKLESS = 64,   /* a device event with ts 0: no place in time */
};

/* A column of numbers that mostly fit 32 bits. */
struct wide {
    uint32_t *low, *high; /* `high` is NULL while all of them fit */
};

struct events {
    uint32_t count, capacity;
    int64_t *start, *duration; /* ns; duration >= 0 */
    uint32_t *name;            /* strings: as the file has it */
    uint8_t *category;         /* category.h */
    uint8_t *flags;            /* enum event_flag */
    uint32_t *thread;          /* trace.threads */
    uint32_t *inputs;          /* trace.inputs; 0: none recorded */
    /* trace.stacks: innermost frame's node of its own `Call stack`; see EVENT_OWN_STACK. NULL: none */
    uint32_t *stack;
    struct wide external_id;   /* `External id`; 0: none */
    /* more by one: CPU events: `Sequence number`, -1 none; runtime and device: `correlation`, 0 none; KIND_MEMORY:
     * bytes */
    struct wide number;
    /* CPU events: trace.forward_threads (0 none); device events: trace.lanes; KIND_MEMORY: 1 CPU, 2 device */
    uint32_t *place;
    /* more by one: where the event's `{` lies in the inflated text; UINT64_MAX for rows made of records */
    struct wide offset;
};

/* What record_param_comms says of its collective; one bit each. */
enum collective_member {
    COLLECTIVE_NAME = 1,
    COLLECTIVE_DTYPE = 2,
    COLLECTIVE_IN = 4,   /* `In msg nelems` */
    COLLECTIVE_OUT = 8,  /* `Out msg nelems` */
    COLLECTIVE_GROUP = 16,
    COLLECTIVE_ALL = 31,
};

static inline uint64_t wide_get(struct wide column, uint32_t event)
{
    return column.low[event] | (column.high != NULL ? (uint64_t)column.high[event] << 32 : 0);
}

/* The numbers of these columns as they are described there. */
static inline int64_t events_external_id(const struct events *events, uint32_t event)
{
    return (int64_t)wide_get(events->external_id, event);
}

static inline int64_t events_number(const struct events *events, uint32_t event)
{
    return (int64_t)(wide_get(events->number, event) - 1);
}

static inline uint64_t events_offset(const struct events *events, uint32_t event)
{
    return wide_get(events->offset, event) - 1;
}

/* What an event was called with. Two events share a number when all of it is equal. */
struct inputs {
    /* strings: a list of shapes as Python prints it, every tensor of a list; 0: none, also `[]` */
    uint32_t dims;
    uint32_t torch_dims;  /* the same with a tensor list as `[]`, torch's key */
    uint32_t types;       /* strings: `Input type` as compact JSON; 0 none */
    uint32_t concrete;    /* strings: `Concrete Inputs` as in the file; 0 none */
    uint32_t module;      /* strings: `Module Hierarchy`; 0 none */
    uint32_t sync_kind;   /* strings: `cuda_sync_kind`; 0 none */
    uint32_t collective;  /* enum collective_member: what is there */
    int64_t waits_for;    /* `wait_on_cuda_event_record_corr_id` of what has a sync_kind; INT64_MIN none */
};

struct thread {
    uint32_t pid, tid; /* strings: as written */
    uint32_t name;     /* strings: from the metadata events; 0 none */
    int32_t node_id;   /* array form; -1 none */
};

/* A device's stream. */
struct lane {
    int32_t device;  /* -1 not recorded */
    uint32_t stream; /* strings, as written; 0 not recorded */
};

struct memory_record {
    int64_t time;     /* ns */
    int64_t bytes;    /* negative when freed */
    uint32_t thread;
    uint8_t on_device, counts; /* counts 0: a kind of memory that counts nowhere */
    uint8_t out_of_memory;
};

/* An arrow between a forward op and its backward op (category fwdbwd). */
struct flow {
    int64_t time;
    int64_t id;
    uint32_t thread;
    uint8_t finish; /* 0: the forward end, 1: the backward end */
};

/* Events of one category that makes no rows. */
struct unknown_category {
    uint32_t name;  /* strings; 0: of all further ones */
    uint64_t count;
};

enum { UNKNOWN_CATEGORIES = 64 }; /* that are told apart */

struct header {
    bool has_record_shapes, record_shapes, has_with_stack, with_stack, has_profile_memory, profile_memory;
    bool has_with_flops, with_flops, has_with_modules, with_modules;
    bool array_form;               /* the bare array of EventList.export_chrome_trace */
    bool has_base_time;            /* baseTimeNanoseconds was there */
    int64_t base_time;             /* ns since 1970 */
    int64_t rank, world_size;      /* distributedInfo; -1 not known */
    int64_t window_end;            /* `Record Window End`, ns; INT64_MIN none */
    char *trace_id, *host_name, *trace_name;    /* owned, NULL none */
    char *device_properties, *distributed_info; /* JSON text as in the file, owned, NULL none */
    char *schema_version;                       /* text, owned, NULL none */
};

struct trace {
    char *path;
    struct strings strings;
    struct events events;
    ARRAY(struct inputs) inputs;     /* [0]: nothing recorded */
    struct stacks stacks;
    ARRAY(struct thread) threads;
    ARRAY(struct lane) lanes;        /* [0]: no device event */
    ARRAY(int64_t) forward_threads;  /* [0]: none */
    ARRAY(struct memory_record) memory; /* by time */
    ARRAY(struct flow) flows;
    ARRAY(struct unknown_category) unknown; /* in the order of the file */
    struct name_facts *names;        /* by strings number of an event's name; see names.h */
    uint32_t name_count;
    struct header header;
    struct notes notes;
    enum backend backend;
    bool has_device_call;            /* any device event, runtime or driver call */
    bool has_python, has_own_stacks, has_overloads;
    bool has_shapes;                 /* any event has shapes, types or values of its inputs, or an empty list of them */
    bool partial;                    /* stopped before the end by the user */
    int64_t base;                    /* ns: the smallest ts of any X event; 0 when there is none */
    int64_t start, end;              /* ns: of the events that have a place in time */
    uint64_t text_bytes, file_bytes; /* read */
    uint64_t records_seen;           /* events of every kind in the file */
    struct again *again;             /* how to read the text again; NULL: it was in memory */
    unsigned threads_allowed;        /* for work on the whole trace; 0 as 1 */
    uint8_t packing;                 /* how the file is packed: 0 plain, 1 gzip, 2 zstd */
};

/* Progress of a load, told from the loading thread; false stops reading and keeps what has arrived. `total` is the
 * file's size, 0 when not known; `done` counts bytes of the file, `text` those of the inflated text. */
typedef bool trace_progress(void *context, uint64_t done, uint64_t total, uint64_t text);

/* What has arrived so far, as a trace of its own that the callee frees; `partial` is set. Told from the loading thread,
 * which waits for the answer. */
typedef void trace_arrived(void *context, struct trace *so_far);

struct trace_options {
    unsigned threads;          /* that read the text; 0: one a processor */
    size_t block;              /* bytes of text that one of them takes at a time; 0: a good number */
    bool keep_text;            /* input that cannot be read again: keep a private copy for trace_event_text */
    uint64_t text_limit;       /* bytes of that copy, which is packed, at most; 0: 4 GiB */
    trace_progress *progress;  /* may be NULL */
    trace_arrived *arrived;    /* may be NULL */
    void *context;
    /* once it can be read from, a pipe is no longer waited for: what has arrived is kept; 0 none */
    int stop_file;
};

/* Reads a trace from a file, or from standard input for `-`. Plain, gzip and zstd text are told by content. Returns a
 * trace to free with trace_free, or NULL with `error` set: ERROR_IO, or ERROR_NOT_TRACE with what was found instead. */
struct trace *trace_load(const char *path, const struct trace_options *options, struct error *error);

/* Reads a trace from memory, which must stay unchanged until this returns. */
struct trace *trace_load_memory(const char *bytes, size_t length, const char *path, struct error *error);
struct trace *trace_load_memory_with(const char *bytes, size_t length, const char *path,
                                     const struct trace_options *options, struct error *error);

void trace_free(struct trace *trace);

static inline int64_t event_end(const struct trace *trace, uint32_t event)
{
    return trace->events.start[event] + trace->events.duration[event];
}

static inline enum event_kind event_kind(const struct trace *trace, uint32_t event)
{
    return (enum event_kind)categories[trace->events.category[event]].kind;
}

/* `Sequence number`, -1 none. */
static inline int64_t event_sequence(const struct trace *trace, uint32_t event)
{
    enum event_kind kind = event_kind(trace, event);
    return kind_on_device(kind) || kind == KIND_RUNTIME || kind == KIND_MEMORY
               ? -1
               : events_number(&trace->events, event);
}

/* `correlation` of a device event or runtime call, 0 none. */
static inline int64_t event_correlation(const struct trace *trace, uint32_t event)
{
    enum event_kind kind = event_kind(trace, event);
    return kind_on_device(kind) || kind == KIND_RUNTIME ? events_number(&trace->events, event) : 0;
}

/* How many threads are worth their start for work on all events. */
static inline unsigned trace_workers(const struct trace *trace)
{
    return trace->events.count < 100000 ? 1 : trace->threads_allowed;
}

/* Whether the memory columns exist: the header's profile_memory, or any [memory] record in old files without flags. */
bool trace_has_memory(const struct trace *trace);

/* torch's `use_device` in lower case (`cuda`), or NULL. */
const char *trace_use_device(const struct trace *trace);

/* Appends the raw text of one event to `out`, as the file has it, from its `{` to its `}`. Reads the file again: plain
 * text at once, packed text by unpacking all that comes before it, which takes its time and is told to `progress` (may
 * be NULL). Of a pipe only a copy can be read, which is made when trace_options.keep_text asks for it.
 * False with `error` set: ERROR_IO when the event has no text (it was made of a memory record), the file has changed,
 * or the copy is not there or ends before the event; ERROR_NONE and `stopped` when `progress` returned false.
 * One call at a time. */
bool trace_event_text(const struct trace *trace, uint32_t event, trace_progress *progress, void *context,
                      struct text *out, struct error *error);

/* The same for several events, in one go through the text: each is told to `visit` as the text comes, not in the order
 * of `events`; what has no text is passed over. False with `error` set as above. */
typedef void trace_text_visit(void *context, uint32_t event, struct span text);
bool trace_event_texts(const struct trace *trace, const uint32_t *events, uint32_t count, trace_text_visit *visit,
                       void *context, struct error *error);

/* Adds a line with the version of each library that unpacks files. */
void trace_add_libraries(struct text *out);

#endif
