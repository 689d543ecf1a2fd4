/* What was damaged, repaired or odd in a file: counted and located while reading. */
#ifndef KEYAVG_NOTES_H
#define KEYAVG_NOTES_H

#include <stdbool.h>
#include <stdint.h>

#include "keyavg/text.h"

enum note {
    NOTE_TRUNCATED,        /* the file ends early; an incomplete event was dropped or not */
    NOTE_STREAM_CUT,       /* the compressed stream ends early or is damaged */
    NOTE_LOST,             /* the file became shorter while it was read, or could not be read to its end */
    NOTE_DAMAGED,          /* regions skipped to the next event */
    NOTE_DROPPED_EVENT,    /* events without a usable time */
    NOTE_QUOTE_REPAIRED,   /* events with an unescaped quote in a string */
    NOTE_ILLEGAL_ESCAPE,   /* strings */
    NOTE_RAW_CONTROL,      /* strings */
    NOTE_INVALID_UTF8,     /* strings */
    NOTE_NOT_JSON_VALUE,   /* bare words such as inf or nan */
    NOTE_NEGATIVE_DURATION,
    NOTE_UNFINISHED,       /* ops without an end, closed at the end of the recording */
    NOTE_SEVERAL_WRITERS,  /* host processes in one file without rank information */
    NOTE_TRAILING_TEXT,    /* text after the document's end */
    NOTE_WITHOUT_TIME,     /* device events with ts 0 */
    NOTE_TOO_LARGE,        /* durations or bytes that do not fit 64 bits in all: sums of them are wrong */
    NOTE_UNKNOWN_CATEGORY, /* X events of a category that makes no rows */
    NOTE_COUNT
};

struct note_place {
    uint64_t count;
    uint64_t offset, line; /* of the first, in the inflated text; line from 1, 0 when not known */
    int64_t amount;        /* a sum that belongs to the note (ns of overlap, ...) */
};

struct notes {
    struct note_place of[NOTE_COUNT];
};

/* Appends one line (no newline) that tells of all damage, empty when there was none:
 * `3 strings with illegal escapes (first at byte 120, line 4); ...`. */
void notes_describe(const struct notes *notes, struct text *out);

/* Whether a note's offset and line tell where the first one is. */
bool notes_has_place(enum note note);

/* Appends one note that has happened, in words. */
void notes_add_one(const struct notes *notes, enum note note, struct text *out);

/* True when something was lost or repaired (what notes_describe tells of). */
bool notes_any(const struct notes *notes);

#endif
