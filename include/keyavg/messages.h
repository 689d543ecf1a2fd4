/* What is wrong in configuration files: lines that each name file, line and column. */
#ifndef KEYAVG_MESSAGES_H
#define KEYAVG_MESSAGES_H

#include <stddef.h>
#include <stdint.h>

#include "keyavg/text.h"

/* A place in a file, both from 1; the column counts characters. Line 0: the file as a whole. */
struct place {
    uint32_t line, column;
};

/* `FILE:LINE:COLUMN: what is wrong`, safe to print; at most MESSAGES_MAX are kept. */
struct messages {
    char **items;
    size_t count, capacity;
    size_t dropped; /* how many more there were */
};

enum { MESSAGES_MAX = 20 };

void messages_free(struct messages *messages);

/* Adds one line. Control characters in the whole of it are replaced. `path` may be NULL: then there is no place. */
void messages_add(struct messages *messages, const char *path, struct place place, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Adds `unknown KIND 'word'`, with `; did you mean 'nearest'?` when that is not NULL. A long word is cut. */
void messages_add_unknown(struct messages *messages, const char *path, struct place place, const char *kind,
                          struct span word, const char *nearest);

#endif
