/* The ranks of one run in the explorer: their table, and the one whose trace is open. */
#ifndef KEYAVG_MANY_H
#define KEYAVG_MANY_H

#include "keyavg/app.h"
#include "keyavg/filter.h"
#include "keyavg/options.h"
#include "keyavg/rank_store.h"
#include "keyavg/ranks.h"

struct rank_work;

/* The rows of the open trace's table as groups, whose keys are those of the table over ranks. */
struct many_rows {
    bool made;
    struct strings strings;
    struct stacks stacks;
    struct groups groups;
    uint32_t *group_of; /* by row */
};

struct many {
    const struct options *options; /* borrowed: what was asked for on the command line */
    struct rank_files files;
    struct rank_store *store;
    struct ranks *ranks;
    struct filter *filter; /* of ranks->query, owned; NULL none */
    struct rank_work *work; /* another table is being made of the files; NULL none */
    bool work_waits;        /* such a one is asked for */
    bool again;             /* all files are to be read again, whatever the query */
    enum measure measure;   /* what is told of single ranks */
    uint32_t place;       /* in roll.in_order: the rank whose trace is open, or asked for */
    uint32_t before;      /* the one that was open before it was asked for */
    uint32_t next;        /* place + 1 of the one to be read after it; 0 none */
    bool any_trace;       /* else there are only summaries */
    struct many_rows rows; /* made when somebody asks */
    struct text wanted;   /* the row to be opened once the rank's trace is there (many_add_key); empty none */
    struct text drilled;  /* the row that was drilled into where one goes to another rank; empty none */
};

/* Reads the ranks that the command line names; what cannot be read is told on standard error. The options must outlive
 * the result. NULL with `error` set. */
struct many *many_read(const struct options *options, struct error *error);
void many_free(struct many *many);

/* Makes the app one of ranks, right after app_init. False where there is no trace to be read: many_show shows the
 * rest. */
bool many_start(struct app *app, struct many *many);

/* The path of the trace at a place; NULL where it is only a summary. */
const char *many_path(const struct many *many, uint32_t place);

/* Shows the ranks, right after the first trace is there; of summaries alone, at once. */
void many_show(struct app *app);

/* Opens the trace of another rank in place of the one that is open, then the row `key` (may be empty) in it. */
void many_go(struct app *app, uint32_t place, struct span key);

/* After a trace was read, or could not be. */
void many_arrived(struct app *app);
void many_failed(struct app *app);

/* Opens the row that waits for its trace, once the table is the one that was asked for. */
void many_open_wanted(struct app *app);

/* `rank 3 (2 of 8)` for the place. */
void many_add_rank(const struct many *many, uint32_t place, struct text *out);

/* -- many_rows.c: rows of the open trace and rows over all ranks are the same when the cells of their keys are, under
 * the names that all ranks have in common (groups_take) ------------------------------------------------------------ */

/* What a row over all ranks is known by: the cells of its key, each with a 0 behind it. */
void many_add_key(const struct many *many, uint32_t row, struct text *out);

/* The same of the row of the open trace that an event is in; nothing where it is in none. */
void many_add_key_of(const struct app *app, uint32_t event, struct text *out);

/* The row of the open trace's table with this key; UINT32_MAX: there is none. */
uint32_t many_find_row(const struct app *app, struct span key);

/* The row over all ranks that an event of the open trace is in; UINT32_MAX: there is none. */
uint32_t many_find(const struct app *app, uint32_t event);

/* The open trace's table is another one. */
void many_forget_rows(struct many *many);

/* -- many_query.c: the table over ranks follows app->query, whose filter and grouping are those of the traces, too ---- */

/* Asks for another table where the query is another; nothing where there are no ranks. What needs no file to be read is
 * done at once. Files are read again only while the table is in sight. */
void many_update(struct app *app);

/* Reads the files again. */
void many_reload(struct app *app);

/* Whether the table has what the query asks for. */
bool many_fits(const struct app *app);

/* Starts what waits; `wake` is called from the thread when it is done. */
void many_work_start(struct app *app, void (*wake)(void));

/* Waits so long at most, in ns. True: many_work_take can follow. */
bool many_work_wait(struct app *app, int64_t ns);

/* Shows the table that was made. */
void many_work_take(struct app *app);

/* Ends the reading and takes the query that is shown; false where nothing was under way. */
bool many_give_up(struct app *app);

/* Waits for the thread and drops what it has made. */
void many_work_end(struct many *many);

/* The line that tells of it; nothing while none is under way. */
void many_add_work_line(const struct app *app, struct text *out);

/* -- ranks_view.c ----------------------------------------------------------------------------------------------- */

struct writer;
struct sink;

void ranks_view_open(struct app *app);
bool ranks_view_on_top(const struct app *app);
bool ranks_view_in_sight(const struct app *app); /* also under a menu */
bool ranks_view_choose(struct app *app, int by); /* another rank for Enter; false when the view is not on top */
bool ranks_view_write(struct app *app, const struct writer *writer, struct sink *sink);
void ranks_view_add_row(struct app *app, struct text *out); /* the row under the cursor, cells with tabs between */
const struct column *ranks_view_sort(const struct app *app, bool *ascending);

/* -- ranks_pane.c: one row rank by rank -------------------------------------------------------------------------- */

struct ranks_pane {
    uint32_t row;     /* of many->ranks */
    uint32_t chosen;  /* the place that stands out */
    uint32_t *top;    /* the first place that is seen; moved so that the chosen one is */
};

/* How wide a measure's number is on the screen, at least as many columns as usual. */
int ranks_number_width(const struct app *app, int64_t amount);

void ranks_pane_draw(struct app *app, struct grid *grid, struct area area, const struct ranks_pane *pane);

#endif
