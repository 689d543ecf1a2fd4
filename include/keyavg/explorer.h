/* The two ways to run the explorer: in a terminal, and played without one. */
#ifndef KEYAVG_EXPLORER_H
#define KEYAVG_EXPLORER_H

#include "keyavg/options.h"

/* Runs in the terminal until the user leaves. Returns the exit code. */
int explorer_run(const struct options *options);

/* Loads the trace, plays options->play, prints the last screen. Returns the exit code. */
int explorer_play(const struct options *options);

/* Prints the default configuration. */
int explorer_print_config(void);

#endif
