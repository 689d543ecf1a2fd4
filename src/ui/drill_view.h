/* The views that drill: one for all kinds, over a drill (keyavg/drill.h). */
#ifndef KEYAVG_UI_DRILL_VIEW_H
#define KEYAVG_UI_DRILL_VIEW_H

#include "keyavg/drill.h"
#include "keyavg/writer.h"
#include "table_view.h"

/* What rows add up to, as long as rows, marks and column stay the same. */
struct drill_sums {
    bool known;
    const struct column *column;
    int64_t all, marked;
};

struct drill_mark {
    uint32_t id; /* of its row, NO_EVENT: it has none now */
    struct drill_bookmark row;
};

struct drill_view {
    struct view view;
    struct drill *drill;
    int side;              /* of two traces, the one that it is of */
    struct drill_view *twin; /* the same of the other trace (drill_sides.c), owned and not on the stack; NULL none */
    struct drill_settings settings;
    struct filter *filter; /* settings.filter, owned */
    const struct column **chosen; /* settings.columns, owned; NULL: the kind's own */
    uint32_t anchor;       /* an event of the row under the cursor, NO_EVENT none */
    struct drill_bookmark place; /* of the row under the cursor */
    ARRAY(struct drill_mark) marks;
    struct drill_sums sums;
    struct text search;
    uint32_t turn_of, turn; /* pages: id + 1 of the row whose events Enter goes to in turn, and which was the last */
    uint32_t column_cursor, first_column; /* numbers of drill->columns */
    uint32_t tops[FOCUS_PARTS], cursors[FOCUS_PARTS]; /* focus: the panes; cursors by row */
    uint32_t ranks_top;    /* focus in one of many ranks: the pane of all of them */
    /* As drawn last. */
    struct placed_column placed[PLACED_MAX]; /* `seen` is a number of drill->columns */
    int placed_count, name_width, name_at;
    bool more_left, more_right;
    struct text rest; /* pages: of the sentence below the rows, what has no room there; the status line has it */
    struct area drawn;
    bool passive; /* a twin: the cursor is the other one's */
    int header_row;
    int first_rows[FOCUS_PARTS], heights[FOCUS_PARTS]; /* on the screen; other views: the first */
    struct text scratch, cell;
};

/* The top view that shows rows, where it is a drill; NULL when it is the table. */
struct drill_view *drill_view_of(const struct app *app);

/* Opens a drill above the view; takes the subject over. */
struct drill_view *drill_view_open(struct app *app, enum drill_kind kind, struct drill_subject subject);

/* Opens what the command line asks for with --view and --focus. */
bool drill_view_open_named(struct app *app, enum drill_kind kind, const char *focus,
                           const struct drill_settings *wanted, struct error *error);

/* An event of what it is about, NO_EVENT for all of the trace. */
uint32_t drill_view_subject(const struct drill_view *view);

/* The row under the cursor, NULL in an empty view. */
const struct drill_row *drill_view_row(const struct drill_view *view);

/* Makes the drill anew from its subject, the cursor on the same event. */
void drill_view_rebuild(struct drill_view *view);

/* The rows were listed anew: the cursor stays on its row. */
void drill_view_relist(struct drill_view *view);
void drill_view_go(struct drill_view *view, uint32_t row);
void drill_view_go_to_event(struct drill_view *view, uint32_t event);
void drill_view_moved(struct view *view);
bool drill_view_is_marked(const struct drill_view *view, uint32_t id);
void drill_view_unmark(struct drill_view *view); /* all */

/* Moves all drills to the app's table, which is of another trace than before; the one before is there still. Those of
 * calls that are not in it are closed, with what is above them. */
void drill_views_move(struct app *app);

/* Closes them all. */
void drill_views_close(struct app *app);

/* state.c: the event of another trace that is the same: same start, duration, name and thread; NO_EVENT none. */
uint32_t app_same_event(const struct trace *from, uint32_t event, const struct trace *to);

/* The first and the number of rows of a part of the focus. */
void drill_view_part(const struct drill_view *view, enum focus_part part, uint32_t *first, uint32_t *count);

/* Writes what is shown, of two traces both sides (drill_write_sides). */
bool drill_view_write(struct drill_view *view, const struct writer *writer, struct sink *sink);

/* Appends the cells of the row under the cursor; of two traces a line for each side that has it, its name first. */
void drill_view_add_row(struct drill_view *view, struct text *out);

/* What drills over one side's table share. */
struct drill_source *drill_source_of(struct app *app, int side);

/* drill_sides.c: two traces. What of the other one is the same as a subject of app->side that is opened from the top
 * view; false where there is nothing of it. */
bool drill_sides_subject(struct app *app, const struct drill_subject *subject, struct drill_subject *other);
void drill_sides_follow(struct drill_view *view); /* the twin's cursor goes to the row that is the same */
void drill_sides_share(struct drill_view *view);  /* the twin gets the settings, which own nothing */
/* The twin goes to what is the same call there. */
void drill_sides_go_to_event(struct drill_view *view, uint32_t event);
/* The twin, its cursor on the same row; NULL: it has none. */
struct drill_view *drill_sides_same_row(struct drill_view *view);
void drill_sides_draw(struct view *view, struct grid *grid, struct area area);
bool drill_sides_click(struct drill_view *view, int row, int column); /* false: it is not the twin's place */

/* drill_draw.c */
void drill_view_draw(struct view *view, struct grid *grid, struct area area);

/* Which columns stand where: into view->placed. */
void drill_columns_place(struct drill_view *view, int wide);
void drill_draw_header(struct drill_view *view, struct grid *grid, int row, const char *name, int wide);
void drill_draw_row(struct drill_view *view, struct grid *grid, int screen_row, uint32_t index, int wide);

/* page_draw.c: the pages that explain numbers, --view quality and --explain. */
bool page_is_one(const struct drill *drill);
int page_pane_rows(const struct drill *drill, int rows); /* how many of so many rows the pane below takes */
void page_draw_pane(struct drill_view *view, struct grid *grid, struct area area); /* and sets view->rest */
enum role page_state_role(struct span state);

/* act_quality.c: opens the next event of a page's row. */
void page_open_next(struct drill_view *view, const struct drill_row *row);

/* act_drill.c */
void act_open_event(struct app *app, uint32_t event);
uint32_t act_event_here(struct app *app); /* that stands for what is under the cursor, NO_EVENT none */

/* drill_focus_draw.c */
void drill_focus_draw(struct drill_view *view, struct grid *grid, struct area area);

#endif
