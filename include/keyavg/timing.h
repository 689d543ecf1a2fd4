/* Where the time of a run goes: one phase follows the other, told apart by one call where the next begins. Off (one
 * test of a flag) unless asked for; called by one thread, never within a loop over events. */
#ifndef KEYAVG_TIMING_H
#define KEYAVG_TIMING_H

#include <stdatomic.h>
#include <stdbool.h>

enum timing_phase {
    TIMING_START,    /* what belongs to no other */
    TIMING_READ,     /* bytes, scanning, events */
    TIMING_MERGE,    /* what several threads have read, put together */
    TIMING_FINISH,   /* list order, what only the whole file tells */
    TIMING_LINKS,    /* kernels and runtime calls to their ops */
    TIMING_PARENTS,  /* who called whom */
    TIMING_FRAMES,   /* stacks */
    TIMING_FOLD,     /* only children of the same name; self and device times */
    TIMING_MEMORY,   /* bytes to ops */
    TIMING_BACKWARD, /* stacks of backward ops */
    TIMING_AVERAGES, /* groups, their sums, the order of rows */
    TIMING_OUTPUT,   /* the text */
    TIMING_COUNT
};

struct timing {
    double wall, cpu; /* seconds; cpu of all threads */
};

extern bool timing_wanted;
extern atomic_int timing_phase; /* the current one, enum timing_phase; for another thread to look at */

/* What phases have taken so far; the current one up to its begin. */
extern struct timing timings[TIMING_COUNT];

void timing_switch(enum timing_phase phase);

/* The phase that begins here; the one before ends. */
static inline void timing_begin(enum timing_phase phase)
{
    if (timing_wanted)
        timing_switch(phase);
}

#endif
