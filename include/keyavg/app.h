/* The explorer: its state, what a key does to it, and how it is drawn. It knows no terminal: the loop in run.c and
 * `--play` drive it alike. */
#ifndef KEYAVG_APP_H
#define KEYAVG_APP_H

#include <stdatomic.h>

#include "keyavg/action.h"
#include "keyavg/array.h"
#include "keyavg/compare.h"
#include "keyavg/drill.h"
#include "keyavg/filter.h"
#include "keyavg/grid.h"
#include "keyavg/key.h"
#include "keyavg/prompt.h"
#include "keyavg/table.h"
#include "keyavg/view.h"

/* What only an outside (terminal or test) can do. All may be NULL. */
struct app_outside {
    void (*clipboard)(struct app *app, struct span text); /* to the system's clipboard */
    void (*suspend)(struct app *app);
    void (*redraw)(struct app *app);
    void (*mouse)(struct app *app, bool on);
    void (*theme)(struct app *app);  /* the theme is another */
    void (*reload)(struct app *app); /* reads the file again, then app_set_table */
    void (*stop)(struct app *app);   /* stops reading, keeps what has arrived */
    void *context;
};

/* Settings of the screen alone; what decides the rows is in struct query. */
struct looks {
    bool bars, mouse, detail, ascii;
    char *theme;
};

/* Which columns a number has in a comparison. */
enum facet_choice { FACETS_ALL, FACETS_CHANGE, FACETS_SIDES, FACETS_EFFECTS, FACET_CHOICES };

/* Two traces: what is asked for besides the query. */
struct two {
    bool on;                                     /* there are two, or two slices of one */
    const char *path;                            /* of the new trace; borrowed */
    char *own[COMPARE_SIDES];                    /* each side's own filter, owned; NULL none */
    char *shown[COMPARE_SIDES];                  /* those of the comparison that is shown */
    struct filter *filters[COMPARE_SIDES];       /* with the common terms; owned, NULL where there is no own one */
    bool main_sort, per_step, unchanged;         /* as in struct compare_query */
    enum facet_choice facets;
};

/* What a loading thread tells of one file. */
struct load_progress {
    _Atomic uint64_t loaded, total, text_bytes;
};

struct many;

struct app {
    const char *path; /* of the trace, as given; of two that of the base */
    struct trace *trace; /* NULL while loading; of two the one of `side` */
    struct table *table; /* NULL while loading; of two the one of `side` */
    struct two two;
    struct compare *compare; /* owns the tables of two; NULL while loading and with one trace */
    struct trace *traces[COMPARE_SIDES]; /* of two */
    int side;                /* that drills look at */
    struct drill_source drill_sources[COMPARE_SIDES]; /* by side: what drills over one table share */
    struct many *many;   /* the ranks of one run, of which this is one; borrowed, NULL: there are none */
    struct query query;  /* what is asked for now */
    uint32_t steps;      /* how many the trace has */
    char *verdict;       /* of its quality, owned; NULL: clean, or not known yet */
    struct filter *filter; /* the query's, owned; NULL none */
    struct text filter_before; /* while it is being typed */
    int last_stack;            /* the depth that F8 comes back to */
    uint32_t search_start;     /* the row where the search began */
    const char *config_path;   /* borrowed; where :save writes, NULL: the usual place */
    char *export_path;         /* while a user is asked about it */
    char *theme_before;        /* while others are looked at */
    ARRAY(struct filter *) old_filters; /* no longer asked for, but maybe still the table's */
    uint64_t patience;         /* an update of more work (table_update_work) is left to the loop; 0: none is */
    bool update_waits;         /* such a one is asked for */
    struct work *work;         /* one is under way in a thread: hands off table and trace (work.h); NULL none */
    ARRAY(struct key) kept_keys; /* typed meanwhile */
    struct looks looks;
    bool sort_given;     /* else the first table is sorted by device or CPU time */
    bool sort_chosen;    /* by the user, here, on the command line or in the configuration */
    struct grid grid;
    struct view *top;
    struct bindings bindings;
    struct prompt prompt;
    struct text message;
    bool message_is_error;
    int cursor_row, cursor_column; /* where the prompt's cursor is; row -1: none */
    struct key key;                /* the last one */
    bool reading; /* the file is still being read, or again */
    bool quit;
    int exit_code;
    struct app_outside outside;
    struct load_progress progress[COMPARE_SIDES]; /* one trace: the first */
    int64_t load_time; /* ns since reading started */
    struct text status; /* scratch */
    /* where F1 to F10 stand in the function bar, for clicks; row -1: not shown, start INT_MAX: that one is not */
    int bar_row, bar_starts[11];
};

/* The state before a trace is there: the loading view. The query is the first view's; unset parts get the explorer's
 * defaults when the trace arrives. Strings are borrowed. */
void app_init(struct app *app, const char *path, const struct query *query, int rows, int width, bool ascii);
void app_free(struct app *app);

/* Hands over a trace and its table, also a second time on reload; the app frees both. Cursor and marks go to the same
 * events of the new trace. */
void app_set_table(struct app *app, struct table *table);

/* The same for two traces, which the app takes over from the comparison. */
void app_set_compare(struct app *app, struct compare *compare);

/* What a loading thread compares two traces with, as app_build_table makes a table of one. */
struct compare *app_build_compare(struct trace *const traces[COMPARE_SIDES], const struct compare_query *query);

/* Makes the app compare: before anything is read. */
void app_init_two(struct app *app, const char *path, const struct compare_query *query,
                  const char *const own[COMPARE_SIDES]);

/* What is asked for of two traces. */
struct compare_query app_compare_query(const struct app *app);

/* Sets a side's own filter, empty for none; the one before stays where it is wrong. app_update puts it into effect. */
bool app_set_side_filter(struct app *app, int side, struct span expression, struct error *error);

/* Makes a side the one whose table and trace drills look at. */
void app_use_side(struct app *app, int side);

/* Says what was damaged in the file, where anything was. */
void app_tell_damage(struct app *app);

/* What the first table is sorted by when nobody says. */
const struct column *app_default_sort(const struct table *table);

/* What a loading thread builds the table with before the trace is known to be all there: a copy that shares nothing
 * the app may change meanwhile, with the explorer's own sort where the user gave none. */
struct table *app_build_table(struct trace *trace, struct query *query, bool sort_given);

/* Does what a key says. */
void app_key(struct app *app, const struct key *key);

/* Draws the whole screen into app->grid. */
void app_draw(struct app *app);

/* Puts app->query into effect: the table is updated and all views are told; later, where that takes long. */
void app_update(struct app *app);

/* Tells all views that the table is another. */
void app_tell_views(struct app *app);

/* Makes a filter, one of those the app owns, the query's, and those of the sides fit it; frees those that nobody uses
 * any more. */
void app_use_filter(struct app *app, const struct filter *filter);
void app_free_filters(struct app *app);

/* Sets the filter from an expression, empty for none; the last good one stays where it is wrong. */
bool app_set_filter(struct app *app, struct span expression, struct error *error);

/* The line shown until the next key. Arguments may come from a trace: it is cleaned when drawn. */
void app_say(struct app *app, const char *format, ...) __attribute__((format(printf, 2, 3)));
void app_complain(struct app *app, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Runs an action, as by its key. */
void app_run(struct app *app, const struct action *action, struct span argument);

/* Runs a line of the `:` prompt. */
void app_command(struct app *app, struct span line);

#endif
