/* What is needed to read a trace's text again. */
#ifndef KEYAVG_TRACE_AGAIN_H
#define KEYAVG_TRACE_AGAIN_H

#include "source.h"

struct again;

/* Remembers where a source that has been read came from, and takes its private copy. NULL for a source over memory. */
struct again *again_keep(struct source *source);
void again_free(struct again *again);

#endif
