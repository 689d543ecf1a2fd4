/*
 * An explorer in a test, without a terminal.
 */
#ifndef SUPPORT_EXPLORER_H
#define SUPPORT_EXPLORER_H

#include "keyavg/app.h"

/* The path of a sample, `gpu_small/trace.json`. The text is static. */
const char *support_sample(const char *name);

/* Opens a trace in an explorer of 24 x 80, drawn; false when it is none. The app borrows the path; end with
 * app_free. */
bool support_explore(struct app *app, const char *path);

/* Types keys as --play has them, and draws after each. The test fails when they are none. */
void support_type(struct app *app, const char *keys);

/* Makes what waits, as the loop does, as often as there is something to do; draws, and returns how often that was. */
int support_work(struct app *app);

/* Types keys; what waits is done after each. */
void support_type_patiently(struct app *app, const char *keys);

/*
 * Types texts of keys into two explorers of the same, into the second one patiently. The test fails where their screens
 * differ after one.
 */
void support_type_beside(struct app *one, struct app *other, const char *const *keys, size_t count);

/* The screen with the roles of its cells, in place of what the text held. */
void support_add_screen(const struct app *app, struct text *out);

/* Whether a text stands on the screen. */
bool support_on_screen(const struct app *app, const char *text);

#endif
