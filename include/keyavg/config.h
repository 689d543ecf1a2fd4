/* The configuration file: reading it, printing the default one, saving. */
#ifndef KEYAVG_CONFIG_H
#define KEYAVG_CONFIG_H

#include <stdbool.h>

#include "keyavg/error.h"
#include "keyavg/keymap.h"
#include "keyavg/messages.h"
#include "keyavg/text.h"
#include "keyavg/theme.h"

/* -- Reading --------------------------------------------------------------------------------------------------------
 *
 * A program that starts: config_load, theme_load, then options, columns and keys are given to the tables that know
 * these words, which report unknown ones with config_unknown and config_error. The messages are shown, and all that
 * was good holds. */

/* `name: value` below `options:`; a name is the long option's without dashes. A list is one value with commas. */
struct config_option {
    struct word name, value;
};

/* The columns of one view, below `columns:`. */
struct config_columns {
    struct word view;
    struct words names;
};

enum config_switch { CONFIG_UNSET, CONFIG_OFF, CONFIG_ON };

struct config {
    char *path;  /* of the file, also of one that is not there yet; NULL when no folder is known */
    bool exists; /* the file is there and was read */
    struct {
        struct config_option *items;
        size_t count, capacity;
    } options;
    struct {
        struct config_columns *items;
        size_t count, capacity;
    } columns;
    struct keymap keys;
    struct word theme; /* text NULL when not given */
    bool color_given;
    enum color_choice color;
    enum config_switch mouse, ascii;
    struct messages messages; /* what is wrong, from here and from those who give the words their meaning */
};

/* Reads the file at config_add_path, or at `path` when that is not NULL. No file is no error, except where
 * KEYAVG_CONFIG or `path` names it. Never fails: what is wrong is in config->messages, the rest
 * holds. Release with config_free. */
void config_load(struct config *config, const char *path);

/* The same from bytes, for a file called `path`. */
void config_parse(struct config *config, const char *path, struct span bytes);

void config_free(struct config *config);

/* Adds a message with the place of a word. */
void config_error(struct config *config, const struct word *word, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Adds `unknown KIND 'word'` with the nearest good one, which may be NULL. */
void config_unknown(struct config *config, const struct word *word, const char *kind, const char *nearest);

/* Where things are. They append a path and return false when neither HOME nor the XDG variable names a folder. */
bool config_add_folder(struct text *out);       /* $XDG_CONFIG_HOME/keyavg, else ~/.config/keyavg */
bool config_add_state_folder(struct text *out); /* $XDG_STATE_HOME/keyavg, else ~/.local/state/keyavg */
bool config_add_path(struct text *out);         /* $KEYAVG_CONFIG, else config.yaml in the first */
bool config_make_folders(const char *path);     /* those that a file of this path lies in; false with errno set */

/* -- Writing --------------------------------------------------------------------------------------------------------
 *
 * What stands in a configuration is told by those who know it, so that nothing stands twice. */

/* One line: an option, or an action with its keys. */
struct config_line {
    const char *section; /* actions: the view's name, or NULL for outside of any view; lines of one follow each other */
    const char *name;
    const char *value; /* an action's keys with spaces between them; NULL: has none, the line is a comment */
    const char *help;  /* a comment above it; may be NULL */
    bool changed;      /* differs from the default */
};

/* One view's columns. */
struct config_list {
    const char *view;
    const char *const *names;
    size_t count;
    bool changed;
};

struct config_page {
    const char *theme; /* NULL: none is chosen */
    enum color_choice color;
    bool mouse, ascii;
    bool theme_changed, color_changed, mouse_changed, ascii_changed;
    const struct config_line *options;
    size_t option_count;
    const struct config_list *columns;
    size_t column_count;
    const struct config_line *known_columns; /* name and help of every column there is, told in comments */
    size_t known_column_count;
    const struct config_line *actions;
    size_t action_count;
};

/* Appends the whole configuration with comments. With `only_changed`, lines with default values are comments, so that a
 * saved file pins nothing that nobody has chosen. */
void config_add_page(struct text *out, const struct config_page *page, bool only_changed);

/* Appends what --print-config prints: the page with all its lines in force, and the roles of themes in comments. */
void config_print_default(struct text *out, const struct config_page *page);

/* Writes the page (only_changed) to `path`, in one step: a new file beside it takes its name. A symbolic link stays one
 * and its target is replaced, the mode is kept, missing folders are made. The page is written anew: the comments of the
 * old file are not in it, but what was replaced stays beside it with `~` at its name's end. Fails with a message, and
 * without having changed anything, where the file is not writable. */
bool config_save(const char *path, const struct config_page *page, struct error *error);

#endif
