/* The ranks of one run in the explorer: their table, and the one whose trace is open. */
#ifndef KEYAVG_UI_MANY_H
#define KEYAVG_UI_MANY_H

#include "keyavg/options.h"
#include "keyavg/ranks.h"
#include "rooms.h"

struct many {
    struct rank_files files;
    struct ranks *ranks;
    uint32_t place;       /* in roll.in_order: the rank whose trace is open, or asked for */
    uint32_t before;      /* the one that was open before it was asked for */
    bool any_trace;       /* else there are only summaries */
    char *wanted;         /* the row to be opened once the rank's trace is there, by name; owned, NULL none */
};

/* Reads the ranks that the command line names; what cannot be read is told on standard error. NULL with `error` set. */
struct many *many_read(const struct options *options, struct error *error);
void many_free(struct many *many);

/* Makes the app one of ranks, right after app_init. False where there is no trace to be read: many_show shows the
 * rest. */
bool many_start(struct app *app, struct many *many);

/* The path of the trace at a place; NULL where it is only a summary. */
const char *many_path(const struct many *many, uint32_t place);

/* Shows the ranks, right after the first trace is there; of summaries alone, at once. */
void many_show(struct app *app);

/* Opens the trace of another rank in place of the one that is open, then the row `name` (may be empty) in it. */
void many_go(struct app *app, uint32_t place, struct span name);

/* After a trace was read, or could not be. */
void many_arrived(struct app *app);
void many_failed(struct app *app);

/* `rank 3 (2 of 8)` for the place. */
void many_add_rank(const struct many *many, uint32_t place, struct text *out);

/* ranks_view.c */
void ranks_view_open(struct app *app);
bool ranks_view_choose(struct app *app, int by); /* another rank for Enter; false when the view is not on top */

#endif
