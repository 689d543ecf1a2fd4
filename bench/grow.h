/* Large traces: a real one repeated (repeat.c), or made for one difficulty (shape.c). */
#ifndef BENCH_GROW_H
#define BENCH_GROW_H

#include <stdbool.h>

#include "pour.h"

/* How much is wanted; the first that is not 0 counts. */
struct grow_amount {
    uint64_t times, bytes, events; /* events: those with a duration */
};

/* Writes the trace in `text` that often, one after the other in time: times, External ids, correlations, flow ids,
 * sequence numbers, Python ids, `Ev Idx`, record function ids and step numbers go on where the repetition before ended.
 * Stretches that are in order of time stay whole: all CPU events of all repetitions stand before the first device event
 * if they do so in the trace. The text keeps its layout. False with a message on standard error when it is no trace. */
bool repeat_write(const char *text, size_t length, struct grow_amount amount, struct pour *out);

/* A kind of trace that is hard on some part of the reader. */
struct shape {
    const char *name, *help;
    uint64_t events;   /* unless told */
    uint64_t level;    /* unless told: what `help` calls N */
    void (*write)(struct pour *out, uint64_t events, uint64_t level);
};

extern const struct shape shapes[];
extern const unsigned shape_count;

void shape_write(const struct shape *shape, struct pour *out, uint64_t events, uint64_t level);

#endif
