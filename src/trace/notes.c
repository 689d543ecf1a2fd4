#include "keyavg/notes.h"

#include <inttypes.h>
#include <string.h>

/* What each note says; %s is put in for `s` where the count is not 1. NULL: told elsewhere, not damage. */
static const struct {
    const char *one, *many;
    bool place;
} words[NOTE_COUNT] = {
    [NOTE_STREAM_CUT] = {"the compressed data is cut off or damaged", NULL, false},
    [NOTE_LOST] = {"the file became shorter, or could not be read to its end, while it was read", NULL, false},
    [NOTE_DAMAGED] = {"1 damaged region skipped", "%" PRIu64 " damaged regions skipped", true},
    [NOTE_DROPPED_EVENT] = {"1 event without a usable time skipped", "%" PRIu64 " events without a usable time skipped",
                            true},
    [NOTE_QUOTE_REPAIRED] = {"1 event with an unescaped quote repaired",
                             "%" PRIu64 " events with an unescaped quote repaired", true},
    [NOTE_ILLEGAL_ESCAPE] = {"1 string with illegal escapes read as it stands",
                             "%" PRIu64 " strings with illegal escapes read as they stand", true},
    [NOTE_RAW_CONTROL] = {"1 string with raw control bytes", "%" PRIu64 " strings with raw control bytes", true},
    [NOTE_INVALID_UTF8] = {"1 string with invalid UTF-8", "%" PRIu64 " strings with invalid UTF-8", true},
    [NOTE_NOT_JSON_VALUE] = {"1 value that is not JSON read as unknown",
                             "%" PRIu64 " values that are not JSON read as unknown", true},
    [NOTE_NEGATIVE_DURATION] = {"1 negative duration set to 0", "%" PRIu64 " negative durations set to 0", true},
    [NOTE_UNFINISHED] = {"1 op without an end closed at the end of the recording",
                         "%" PRIu64 " ops without an end closed at the end of the recording", true},
    [NOTE_SEVERAL_WRITERS] = {"", "events of %" PRIu64 " processes and no rank: probably written by several processes",
                              false},
    [NOTE_TRAILING_TEXT] = {"text behind the end of the document", "text behind the end of the document", true},
    [NOTE_WITHOUT_TIME] = {"1 device event without a time stamp", "%" PRIu64 " device events without a time stamp",
                           true},
    [NOTE_TOO_LARGE] = {"durations or bytes that do not fit 64 bits in all: sums of them are wrong", NULL, false},
    [NOTE_UNKNOWN_CATEGORY] = {"1 event of an unknown category left out",
                               "%" PRIu64 " events of unknown categories left out", true},
};

/* Notes that tell of the recording, not of damage to the file: they do not make a file one that was repaired. */
static bool is_damage(enum note note)
{
    return note != NOTE_UNKNOWN_CATEGORY;
}

static void separate(struct text *out, size_t from)
{
    if (out->length > from)
        text_add_string(out, "; ");
}

bool notes_has_place(enum note note)
{
    return words[note].place || note == NOTE_TRUNCATED;
}

void notes_add_one(const struct notes *notes, enum note note, struct text *out)
{
    const struct note_place *of = &notes->of[note];
    if (note == NOTE_TRUNCATED) {
        text_addf(out, "the file ends early at byte %" PRIu64, of->offset);
        if (of->amount != 0)
            text_addf(out, ", %" PRId64 " incomplete event%s dropped", of->amount, of->amount == 1 ? "" : "s");
        return;
    }
    if (of->count == 1 || words[note].many == NULL) {
        text_add_string(out, words[note].one);
    } else {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        text_addf(out, words[note].many, of->count);
#pragma GCC diagnostic pop
    }
    if (words[note].place) {
        text_addf(out, " (%sat byte %" PRIu64, of->count == 1 ? "" : "first ", of->offset);
        if (of->line != 0)
            text_addf(out, ", line %" PRIu64, of->line);
        text_add_char(out, ')');
    }
}

bool notes_any(const struct notes *notes)
{
    for (unsigned i = 0; i < NOTE_COUNT; i++)
        if (notes->of[i].count != 0 && is_damage((enum note)i))
            return true;
    return false;
}

void notes_describe(const struct notes *notes, struct text *out)
{
    size_t from = out->length;
    for (unsigned i = 0; i < NOTE_COUNT; i++)
        if (notes->of[i].count != 0 && is_damage((enum note)i)) {
            separate(out, from);
            notes_add_one(notes, (enum note)i, out);
        }
}
