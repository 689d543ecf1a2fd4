/* Reading a trace's text: the document around the events, the events themselves, and what to do where it is broken. */
#ifndef KEYAVG_TRACE_READER_H
#define KEYAVG_TRACE_READER_H

#include "keyavg/trace.h"
#include "scan.h"

/* The members of one event that matter, as they stand in the text; TOKEN_NONE where a member is not there. */
struct fields {
    struct token ph, cat, name, pid, tid, ts, dur, id;
    struct token external_id, correlation, sequence, forward_thread;
    struct token dims, types, concrete, module, call_stack;
    struct token finished, device, stream, original_stream;
    struct token bytes, device_type, label;
    struct token sync_kind, waits_for;                       /* of cuda_sync events */
    struct token collective, dtype, in_elements, out_elements, group_size; /* of record_param_comms */
    struct token ignored; /* any other member's value */
};

enum {
    HABIT_TEXT = 64,    /* the longest text between two values that is remembered */
    HABITS = 512,
    HABIT_CHOICES = 4,  /* texts that may follow one value */
    HABIT_NONE = 0,     /* no guess, nothing learnt */
    HABIT_START = 1,    /* at an event's `{` */
    HABIT_END = UINT16_MAX,
};

/* The text between two values as it stood in an earlier event, and where the value behind it goes. */
struct habit {
    char text[HABIT_TEXT];
    uint16_t next[HABIT_CHOICES]; /* what stood behind that value; 0 none */
    uint16_t field;               /* offset in struct fields; HABIT_END: the event ends */
    uint8_t length;
    bool inside;                  /* the value is one of `args` */
};

struct habits {
    struct habit items[HABITS];
    unsigned count;
};

enum {
    READER_EVENT_LIMIT = 1 << 26, /* no event is longer than this; more is a bracket that never closes */
    DOCUMENT_LIMITS = 4,
};

/* Where in the document a reader is. All zero before the first byte. */
struct document {
    enum {
        DOCUMENT_START,  /* before the first bracket */
        DOCUMENT_HEADER, /* between members of the outermost object */
        DOCUMENT_EVENTS, /* in the list of events */
        DOCUMENT_END,    /* behind the document */
    } where;
    bool array_form, found_events, not_json;
    bool searching;        /* for the next whole event behind damage */
    bool damaged;          /* damage was noted and no whole event has come since */
    bool skipping;         /* in a value of the header too large for the window */
    bool skip_string;
    bool noted_trailing;
    unsigned before;       /* whole documents before this one */
    bool mending;          /* in broken text of the header, for the next member that is known */
    bool wasteful;         /* an event was looked for in vain */
    uint64_t tried;        /* where the last event was looked for, from the first waste on */
    uint64_t wasted[DOCUMENT_LIMITS]; /* text read in vain, by the limit that it was read under */
    uint64_t skip_depth;
};

enum { CATEGORY_MEMOS = 64 };

/* A category as it was spelt before; by length and two of its letters. */
struct category_memo {
    char bytes[37];
    uint8_t length, number, backend;
};

/* A thread was given a name; or, for NO_THREAD, an event has an unknown category of this name. */
struct thread_name {
    uint32_t thread, name;
};

#define NO_THREAD UINT32_MAX

/* All of it counts, byte by byte. */
struct inputs_key {
    uint32_t dims, types, concrete, module, sync_kind, waits_for; /* strings */
    uint32_t collective;                                          /* enum collective_member */
};

/* Keys and their numbers, from 1 on. */
struct numbering {
    uint64_t *keys;
    uint32_t *numbers; /* 0: no key */
    uint32_t mask, count;
};

struct reader {
    struct scan scan;
    struct habits *habits;
    struct trace *trace;
    struct document document;
    bool last;                /* the window holds the text's last byte */
    struct text room, room2;  /* decoded strings */
    /* What the last event had, most often what the next one has. */
    struct { uint32_t number; char bytes[64]; uint32_t pid_length, tid_length; uint8_t kinds; } thread;
    struct category_memo categories[CATEGORY_MEMOS];
    struct inputs_key *input_keys; /* by trace.inputs number */
    uint32_t *input_slots, input_mask;
    uint32_t *thread_slots, thread_mask;
    struct numbering lane_numbers, forward_numbers;
    uint32_t *own_stacks;     /* by strings number of a `Call stack` text: node + 1 */
    uint32_t own_stack_count;
    uint8_t *frame_known;     /* by strings number of a frame: 1 it counts in stacks, 2 it does not, 0 not looked at */
    uint32_t frame_known_count;
    ARRAY(struct thread_name) thread_names; /* as they came */
    unsigned backends;        /* bit per enum backend seen */
    bool any_time;
};

void reader_init(struct reader *reader, struct trace *trace);
void reader_free(struct reader *reader);

/* Reads as much as is whole between scan.at and scan.end and leaves scan.at where more text is needed. With
 * `reader->last` set, what is not whole is noted as lost. */
void reader_run(struct reader *reader);

/* Whether a block at `offset` that was read as if it began in an undamaged list of events may follow text that ended at
 * `before`; `after` is where the block ended. */
bool reader_joins(const struct document *before, const struct document *after, uint64_t offset);

/* One event at scan.at (`{`), into fields; the cursor moves behind its `}`. Learns into `habits`, which begin with
 * count 2 and all else 0. */
enum scan_status fields_read(struct scan *scan, struct habits *habits, struct fields *fields);

/* A string that is not followed as a value is: its end is looked for behind unescaped quotes. The token grows, the
 * cursor moves behind it. */
bool fields_repair(struct scan *scan, struct token *token);

/* Adds a whole event to the trace. `place` is its `{`. */
void event_add(struct reader *reader, const struct fields *fields, const char *place);

/* Takes one member of the outermost object. */
void header_take(struct trace *trace, struct span key, const struct token *value);

/* The numbers of things that events refer to, made when they are new. */
uint32_t reader_thread(struct reader *reader, uint32_t pid, uint32_t tid);
uint32_t reader_inputs(struct reader *reader, const struct inputs_key *key);
uint32_t reader_lane(struct reader *reader, struct lane lane);
uint32_t reader_forward_thread(struct reader *reader, int64_t number);

/* Gives up the header's texts. */
void header_free(struct header *header);
void header_init(struct header *header);

/* What `from` tells goes before what `into` has. */
void header_merge(struct header *into, const struct header *from);

/* Sorts into list order and derives what only the whole file tells. */
void trace_finish(struct trace *trace);

#endif
