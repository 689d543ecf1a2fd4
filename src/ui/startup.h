/* What configuration and command line make of a new explorer. */
#ifndef KEYAVG_UI_STARTUP_H
#define KEYAVG_UI_STARTUP_H

#include "keyavg/config.h"
#include "keyavg/options.h"
#include "rooms.h"

/* What the user asked for: the command line over the configuration. */
struct startup {
    struct config config;
    const struct options *options;
    bool ascii;
    enum color_choice color;
    char *theme; /* by name */
};

/* Reads the configuration, without one for `plain` (play: screens depend on the command line alone). */
void startup_init(struct startup *startup, const struct options *options, bool plain);
void startup_free(struct startup *startup);

/* Makes the app compare two traces, right after app_init. */
void startup_two(struct startup *startup, struct app *app);

/* Settings that the first table depends on, before it is built. */
void startup_prepare(struct startup *startup, struct app *app);

/* Keys, columns and looks, once there is a table. */
void startup_finish(struct startup *startup, struct app *app);

#endif
