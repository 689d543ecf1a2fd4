/* Scanning JSON text without a tree: strings, numbers, times and skipping, each by one function on a cursor.
 * Lenient where torch's writers are: raw control bytes, illegal escapes and bare words are taken and noted. */
#ifndef KEYAVG_TRACE_SCAN_H
#define KEYAVG_TRACE_SCAN_H

#include <stdbool.h>
#include <stdint.h>

#include "keyavg/notes.h"
#include "keyavg/text.h"

enum scan_status {
    SCAN_OK,
    SCAN_END,    /* the window ends inside; more text is needed */
    SCAN_BROKEN, /* not JSON here; `at` is the place */
};

/* What a string holds beside plain printable ASCII. */
enum scan_string_flag {
    STRING_ESCAPES = 1,
    STRING_CONTROLS = 2, /* raw bytes below 0x20 */
    STRING_HIGH = 4,     /* bytes from 0x80 */
};

/* A token as it stands in the text: a string without its quotes, or a number or bare word. */
struct token {
    const char *bytes;
    uint32_t length;
    uint8_t flags;  /* enum scan_string_flag */
    uint8_t kind;   /* enum token_kind */
};

enum token_kind {
    TOKEN_NONE,    /* the member was not there */
    TOKEN_STRING,
    TOKEN_NUMBER,
    TOKEN_TRUE,
    TOKEN_FALSE,
    TOKEN_NULL,
    TOKEN_WORD,    /* inf, nan, N/A, ...: unknown */
    TOKEN_ARRAY,   /* `bytes` from `[` to after `]` */
    TOKEN_OBJECT,
};

struct scan {
    const char *at, *end;
    const char *begin;     /* the window's first byte */
    const char *looked;    /* how far beyond `at` something was looked for in vain */
    uint64_t offset;       /* of `begin` in the inflated text */
    struct notes *notes;
    uint64_t lines;        /* line feeds before `begin` */
    struct note_pending {  /* notes of the event being read; kept only when it is whole */
        uint32_t count[NOTE_COUNT];
        const char *first[NOTE_COUNT];
        bool any;
    } pending;
};

/* Longer white space and, leniently, comments: the rare part of scan_space. */
enum scan_status scan_space_more(struct scan *scan);

/* Moves to the next byte that is not white space. As in cJSON every byte up to 0x20 is that. */
static inline enum scan_status scan_space(struct scan *scan)
{
    const char *at = scan->at;
    if (scan->end - at >= 2) {
        at += (unsigned char)*at <= ' '; /* none or one blank are the common cases */
        if ((unsigned char)*at > ' ' && *at != '/') {
            scan->at = at;
            return SCAN_OK;
        }
    }
    return scan_space_more(scan);
}

/* Reads any value at `at` (white space before it is skipped) into a token and moves behind it. Nested values are
 * checked for balance and strings, not kept apart. */
enum scan_status scan_value(struct scan *scan, struct token *token);

/* Reads a string at `at`, which is the opening quote. */
enum scan_status scan_string(struct scan *scan, struct token *token);

/* Notes something about the event being read. */
void scan_note(struct scan *scan, enum note note, const char *place);

/* Counts the pending notes (`keep`) or forgets them. */
void scan_settle(struct scan *scan, bool keep);

/* Line feeds in a stretch of text. */
uint64_t scan_count_lines(const char *from, const char *to);

/* Counts something at once. */
void scan_note_now(struct scan *scan, enum note note, const char *place);

/* The text of a string token: borrowed from the window where it is plain, else decoded into `room`. */
struct span scan_text(const struct token *token, struct text *room);

/* Microseconds as decimal text to ns, rounded half to even. False when it is not a number; saturates at the ends of
 * int64 with `overflow` set. A quoted number counts. */
bool scan_time(const struct token *token, int64_t *ns, bool *overflow);

/* An integer (also quoted, also with a fraction, which is cut). False when there is none or it does not fit. */
bool scan_integer(const struct token *token, int64_t *value);

#endif
