/* Errors as values: what went wrong, where, and what to do about it. */
#ifndef KEYAVG_ERROR_H
#define KEYAVG_ERROR_H

#include <stdbool.h>

/* The program's exit codes; an error carries the one it leads to. */
enum error_code {
    ERROR_NONE = 0,
    ERROR_IO = 1,        /* input or output failed, out of memory */
    ERROR_USAGE = 2,     /* a wrong word on the command line, in a filter, in the configuration */
    ERROR_NOT_TRACE = 3, /* the input was read but is not a trace */
};

struct error {
    enum error_code code;
    char text[480]; /* one line of UTF-8 without the `keyavg:` prefix; always terminated */
};

/* Fills `error` (may be NULL) with a code and a formatted line; returns false, so that a failing function can end with
 * `return error_set(...)`. Arguments may come from anywhere: what a terminal would obey is replaced. */
bool error_set(struct error *error, enum error_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
