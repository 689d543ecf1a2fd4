/* What the files of this room know of each other. */
#ifndef KEYAVG_UI_ROOMS_H
#define KEYAVG_UI_ROOMS_H

#include "keyavg/app.h"

/* loading.c: the view while there is no trace. */
void loading_open(struct app *app);

/* two.c, state.c: parts of what app.h gives for two traces. */
void app_free_two(struct app *app);
/* What the title says of the trace; the table's tree may be another one later. */
void app_take_verdict(struct app *app);
void app_use_compare(struct app *app, struct compare *compare);
void app_take_compare_query(struct app *app, const struct compare_query *query); /* but for the filters */
/* Makes the sides' filters fit the common one and their own texts; those before are kept until nobody uses them. */
void app_fit_side_filters(struct app *app);
void app_side_filters_shown(struct app *app); /* those that are asked for are shown now */
void app_move_events(struct app *app, struct trace *const from[COMPARE_SIDES], struct trace *const to[COMPARE_SIDES]);

/* title.c: the line at the top. */
void title_draw(struct app *app, struct grid *grid, int row);
void title_add_number(struct text *out, uint64_t number); /* 48709 as 48,709 */

/* help.c */
void help_open(struct app *app);

/* menu.c: a box of entries over the view. */
struct menu {
    const char *title;
    int count;
    /* What an entry is called; appends. */
    void (*add_label)(struct app *app, int entry, struct text *out);
    /* Whether it is on; NULL: entries are not switched but chosen. */
    bool (*on)(const struct app *app, int entry);
    /* Space switches (only with `on`), Enter does the same or chooses, and closes the menu. */
    void (*pick)(struct app *app, int entry);
    /* Shows what an entry would do while the cursor is on it; -1: as it was. May be NULL. */
    void (*preview)(struct app *app, int entry);
};
void menu_open(struct app *app, const struct menu *menu, int entry);
void menu_pick(struct app *app, struct span argument);   /* Enter */
void menu_switch(struct app *app, struct span argument); /* Space */

/* loading.c */
void loading_stop(struct app *app, struct span argument);

/* settings.c: every option that can be set while the program runs. */
struct setting {
    const char *name;   /* in `:set`, in the configuration */
    const char *help;   /* one sentence */
    const char *values; /* the possible ones, separated by spaces, or NULL */
    uint8_t takes;      /* enum takes: how values are completed where `values` is NULL */
    const char *option; /* on the command line, `--sort-by`; NULL none */
    void (*get)(const struct app *app, struct text *out);
    bool (*set)(struct app *app, struct span value, struct error *error);
};
extern const struct setting settings[];
extern const unsigned setting_count;
const struct setting *setting_find(struct span name);
bool setting_is_of_two(const struct setting *setting); /* it says nothing of one trace */
bool setting_set(struct app *app, struct span name, struct span value, struct error *error);

/* command_line.c: appends the command line that prints what is seen. False: only that of the row which these calls are
 * of can be given. */
bool command_line_add(const struct app *app, struct text *out);

/* save.c: what --print-config and :save write. */
struct config_page;
void config_page_print(struct text *out);
bool config_page_save(struct app *app, const char *path, struct error *error);

/* complete.c */
void complete_command(struct app *app, struct span text, struct candidates *candidates);
void complete_file(struct app *app, struct span text, struct candidates *candidates);
void complete_filter(struct app *app, struct span text, struct candidates *candidates);

/* clipboard.c: appends what sets the terminal's clipboard (OSC 52), through tmux where it runs in one. */
void clipboard_add_sequence(struct text *out, struct span text, bool tmux);

#endif
