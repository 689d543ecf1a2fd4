/* Text: a span that somebody else owns, and a growing buffer. */
#ifndef KEYAVG_TEXT_H
#define KEYAVG_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Bytes owned by somebody else; not terminated, may hold any byte. */
struct span {
    const char *bytes;
    size_t length;
};

static inline struct span span_of(const char *text)
{
    return (struct span){text, strlen(text)};
}

static inline bool span_equal(struct span a, struct span b)
{
    return a.length == b.length && memcmp(a.bytes, b.bytes, a.length) == 0;
}

static inline bool span_is(struct span a, const char *text)
{
    return span_equal(a, span_of(text));
}

static inline bool span_starts(struct span a, const char *prefix)
{
    size_t n = strlen(prefix);
    return a.length >= n && memcmp(a.bytes, prefix, n) == 0;
}

/* Growing bytes. `bytes` is NULL while empty, else terminated by a NUL that `length` does not count.
 * `{0}` is an empty text; text_free returns it to that. */
struct text {
    char *bytes;
    size_t length, capacity;
};

void text_free(struct text *text);
void text_clear(struct text *text);                  /* length 0, keeps the room */
char *text_room(struct text *text, size_t extra);    /* where `extra` bytes may be written; length unchanged */
void text_add(struct text *text, const char *bytes, size_t length);
void text_add_span(struct text *text, struct span span);
void text_add_string(struct text *text, const char *string);
void text_add_char(struct text *text, char c);
void text_add_repeat(struct text *text, char c, size_t times);
void text_addf(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
struct span text_span(const struct text *text);

#endif
