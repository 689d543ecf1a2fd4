/* --stats: what a run took, on standard error. */
#ifndef KEYAVG_STATS_H
#define KEYAVG_STATS_H

#include "keyavg/text.h"
#include "keyavg/trace.h"

/* Begins to watch time and memory. Memory is looked at a thousand times a second by a thread of its own. */
void stats_start(void);

/* Stops watching. */
void stats_stop(void);

/* Appends the table of phases, and what a run's figures are per byte and per event. */
void stats_add_text(const struct trace *trace, struct text *out);

#endif
