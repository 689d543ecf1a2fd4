/* A line on standard error that says how far a load is; shown once it takes over half a second, erased afterwards. */
#ifndef KEYAVG_PROGRESS_H
#define KEYAVG_PROGRESS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "keyavg/text.h"

struct progress {
    double start, last; /* seconds of a clock */
    bool wanted;        /* standard error is a terminal */
    size_t shown;       /* columns on the screen that are to be erased */
};

void progress_start(struct progress *progress);

/* A trace_progress (trace.h) with a struct progress as its context. */
bool progress_tell(void *progress, uint64_t done, uint64_t total, uint64_t text);
void progress_end(struct progress *progress);

/* Whether the line is there: a signal handler then goes to the next one before it ends the program. */
extern volatile sig_atomic_t progress_on_screen;

/* The line itself, for `seconds` of reading: `reading [#####     ]  45%  1.20 GB of 2.70 GB  812 MB/s  2 s left`. */
void progress_add_line(struct text *out, uint64_t done, uint64_t total, uint64_t text, double seconds);

#endif
