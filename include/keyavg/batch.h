/* One run without the explorer: trace in, text out. */
#ifndef KEYAVG_BATCH_H
#define KEYAVG_BATCH_H

#include "keyavg/options.h"

/* Loads the trace, writes what the options ask for, tells of damage and errors on standard error. Returns the exit
 * code. */
int batch_run(const struct options *options);

#endif
