/* Writing large files fast: a buffer in front of a file descriptor. */
#ifndef BENCH_POUR_H
#define BENCH_POUR_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { POUR_ROOM = 1 << 20, POUR_NUMBER = 24 };

struct pour {
    int file;
    size_t length;
    uint64_t total; /* bytes taken so far */
    char bytes[POUR_ROOM];
};

/* A file to be made, or standard output for NULL. To be closed; any failure ends the program with a message. */
struct pour *pour_open(const char *path);
void pour_close(struct pour *pour);

/* Makes room for one number. */
void pour_empty(struct pour *pour);
void pour_add_long(struct pour *pour, const char *bytes, size_t length);

static inline void pour_add(struct pour *pour, const char *bytes, size_t length)
{
    if (length > POUR_ROOM - pour->length) {
        pour_add_long(pour, bytes, length);
        return;
    }
    memcpy(pour->bytes + pour->length, bytes, length);
    pour->length += length;
}

static inline void pour_text(struct pour *pour, const char *text)
{
    pour_add(pour, text, strlen(text));
}

static inline void pour_number(struct pour *pour, int64_t number)
{
    char digits[POUR_NUMBER], *at = digits + sizeof digits;
    uint64_t rest = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    do
        *--at = (char)('0' + rest % 10);
    while ((rest /= 10) != 0);
    if (number < 0)
        *--at = '-';
    pour_add(pour, at, (size_t)(digits + sizeof digits - at));
}

/* Nanoseconds as microseconds with three decimals. */
static inline void pour_time(struct pour *pour, int64_t ns)
{
    char fraction[4] = {'.', (char)('0' + ns / 100 % 10), (char)('0' + ns / 10 % 10), (char)('0' + ns % 10)};
    pour_number(pour, ns / 1000);
    pour_add(pour, fraction, sizeof fraction);
}

#endif
