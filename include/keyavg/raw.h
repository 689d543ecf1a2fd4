/* The members of one event's text, as the file has them: nothing is converted, every byte is where it was. */
#ifndef KEYAVG_RAW_H
#define KEYAVG_RAW_H

#include <stdbool.h>

#include "keyavg/text.h"

enum raw_kind {
    RAW_STRING,
    RAW_NUMBER,
    RAW_TRUE,
    RAW_FALSE,
    RAW_NULL,
    RAW_WORD,   /* a bare word that JSON does not know: inf, nan, N/A, 01 */
    RAW_OBJECT, /* `{`; its members follow, then RAW_CLOSE */
    RAW_ARRAY,  /* `[`; its items follow, then RAW_CLOSE */
    RAW_CLOSE,  /* `}` or `]` */
    RAW_DEEP,   /* an object or array below RAW_DEPTH, whole */
};

/* Members nested deeper than this are given as one piece of text. */
enum { RAW_DEPTH = 64 };

struct raw_member {
    enum raw_kind kind;
    unsigned depth;   /* 0: the text's outermost value, 1: its members, ...; a RAW_CLOSE has that of its bracket */
    struct span key;  /* between its quotes, escapes as they stand; `bytes` is NULL where there is no key */
    struct span text; /* the token: a number, a string with its quotes, one bracket, or RAW_DEEP's whole text */
};

/* Told of each member in order; false stops the visit. */
typedef bool raw_visit(void *context, const struct raw_member *member);

/* Visits one JSON value (an event, or a whole document) and all that is nested in it, without recursion. What the
 * reader of traces takes is taken here too: raw control bytes, illegal escapes, unknown bare words, a comma too many,
 * comments, and one string with unescaped quotes. False where the text is not that or where `visit` returned false;
 * what came before has been told then. `*end` (may be NULL) is set to the bytes visited. */
bool raw_members(struct span text, raw_visit *visit, void *context, size_t *end);

/* The bytes that a RAW_STRING's text or a key stands for: escapes decoded where all of them are legal, lone surrogates
 * as U+FFFD; else as they stand. Borrowed from `raw` or from `room`. */
struct span raw_decode(struct span raw, struct text *room);

#endif
