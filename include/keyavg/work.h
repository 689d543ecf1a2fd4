/* Updates that take long, in a thread of their own. app->update_waits asks for one; the loop starts it. */
#ifndef KEYAVG_WORK_H
#define KEYAVG_WORK_H

#include "keyavg/app.h"

/* Starts what waits; `wake` is called from the thread when the table is there, NULL nothing. */
void work_start(struct app *app, void (*wake)(void));

/* Waits so long at most, below 0 without end. True: work_take can follow. */
bool work_wait(struct app *app, int64_t ns);

/* Shows the table that was made, unless it was given up, and takes the keys typed meanwhile. */
void work_take(struct app *app);

/* Back to the query that is shown; the thread ends its work for nothing. */
void work_give_up(struct app *app);

/* Waits for the thread and drops what it has made. */
void work_end(struct app *app);

/* Whether a key is dealt with here: kept for later, or Esc. */
bool work_takes_key(struct app *app, const struct key *key);

/* The line that tells of it. */
void work_add_line(const struct app *app, struct text *out);

#endif
