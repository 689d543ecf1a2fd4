/* An explorer over the sample, without a terminal and without files. */
#ifndef TESTS_FUZZ_EXPLORER_H
#define TESTS_FUZZ_EXPLORER_H

#include "keyavg/app.h"
#include "ui/startup.h"

/* The application with the sample in it, as `--play` makes it, from a configuration that startup->config holds
 * already. Release with explorer_close. */
void explorer_open(struct app *app, struct startup *startup, struct options *options);
void explorer_close(struct app *app, struct startup *startup);

/* Draws, and fails where a cell holds what a terminal would obey. */
void explorer_draw(struct app *app);

#endif
