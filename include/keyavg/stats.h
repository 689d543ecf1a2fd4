/* --stats: what a run took, on standard error. */
#ifndef KEYAVG_STATS_H
#define KEYAVG_STATS_H

#include "keyavg/text.h"
#include "keyavg/trace.h"

/* Begins to watch time and memory. Memory is looked at a thousand times a second by a thread of its own. `phases`: one
 * thread tells where its phases begin (timing.h); not where files are read side by side. */
void stats_start(bool phases);

/* Stops watching. */
void stats_stop(void);

/* Appends the table of phases, and what a run's figures are per byte and per event, over all of one or two traces. */
void stats_add_text(struct trace *const *traces, unsigned count, struct text *out);

/* What is known of many files that are read side by side. */
struct stats_files {
    uint64_t count, bytes, events;
};

/* Appends what all of the run took, and its figures per byte and per event. */
void stats_add_files(const struct stats_files *files, struct text *out);

#endif
