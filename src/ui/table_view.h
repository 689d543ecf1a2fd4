/* The table view: its state, for the files that draw it and act on it. */
#ifndef KEYAVG_UI_TABLE_VIEW_H
#define KEYAVG_UI_TABLE_VIEW_H

#include "marks.h"
#include "rooms.h"

enum column_choice { COLUMN_AUTO, COLUMN_SHOWN, COLUMN_HIDDEN };

struct table_column {
    const struct column *column;
    uint8_t choice; /* enum column_choice */
    uint8_t width;  /* 0: the column's own */
};

/* A column that is shown: an entry's own, or of two traces one of its facets. */
struct seen_column {
    uint32_t entry; /* number of `columns` */
    const struct column *column;
};

/* A column as it stands on the screen. */
struct placed_column {
    uint32_t seen; /* number among `seen` */
    int at, width;
};

enum { PLACED_MAX = 64 };

/* What the rows on the screen add up to, for the status line. */
struct table_sums {
    bool known;
    const struct column *column;
    int64_t shown, marked;
    int64_t annotations, marked_annotations; /* device time of rows that are annotations, which are in no sum */
    uint32_t marked_rows;
};

struct table_view {
    struct view view;
    ARRAY(struct table_column) columns; /* all but Name, in the order of the screen */
    ARRAY(struct seen_column) seen;     /* those that are shown now */
    uint32_t column_cursor, first_column; /* numbers of `seen` */
    uint32_t anchor;                      /* the event the cursor is on; NO_EVENT: none */
    int anchor_side;                      /* whose trace it is of; with one trace the first */
    bool detail;
    int detail_top;
    struct marks marks[COMPARE_SIDES];  /* by the trace that their events are of; with one trace the first */
    struct table_sums sums;             /* as long as rows and marks stay the same */
    ARRAY(struct value) remainder;      /* of the row below the last, by number of `columns`; empty until asked for */
    struct text search;
    /* As drawn last. */
    uint32_t frozen; /* the first of `seen`, which stay beside Name: parts of the key */
    struct placed_column placed[PLACED_MAX];
    int placed_count;
    int header_row, first_row, name_width, wide;
    bool more_left, more_right;
    struct text scratch, cell;
};

extern const struct view_ops table_view_ops;

/* The table view at the bottom of the stack, NULL while loading. */
struct table_view *table_view_of(const struct app *app);

/* Opens it in place of the loading view. */
void table_view_open(struct app *app);

/* The row under the cursor (rows.h); UINT32_MAX in an empty table. */
uint32_t table_view_row(const struct table_view *view);

/* Puts the cursor on the anchor's row. */
void table_view_follow(struct table_view *view);

/* The cursor was moved by the user: the anchor is its row's first event. */
void table_view_moved(struct view *view);

/* table_sums.c */
void table_sums_make(struct table_view *view);
void table_sums_make_remainder(struct table_view *view);

/* act_look.c: where a word stands in a text, SIZE_MAX nowhere; capitals in it mean themselves. */
size_t search_find(struct span text, struct span word);

/* table_draw.c */
void table_view_draw(struct view *view, struct grid *grid, struct area area);

/* changes.c: what a table of two traces has in other places. */
void changes_add_status(struct table_view *view, struct text *out);
char changes_mark(const struct app *app, uint32_t row);       /* new, gone, renamed, noise; 0 none */
enum role changes_name_role(const struct app *app, uint32_t row, enum role usual);
/* The role of a cell that tells a change; false for others. */
bool changes_cell_role(const struct app *app, uint32_t row, const struct column *column, const struct value *value,
                       enum role *role);
void changes_tell_notes(struct app *app); /* what the reader must know of how the rows were paired */
extern const char *const facet_choice_names[FACET_CHOICES];
extern const char *const facet_choice_words[FACET_CHOICES]; /* what they show */
extern const uint32_t facet_choice_bits[FACET_CHOICES]; /* one bit an enum facet */

/* table_detail.c */
/* How many bytes of a clean text fit into a line of so many columns, up to a good place to break it. */
size_t line_fitting(struct span text, int room);
void table_detail_draw(struct table_view *view, struct grid *grid, struct area area);

/* crumbs.c: what makes the table show less or other than all; each can be taken away. */
enum crumb {
    CRUMB_GROUPING, /* also with a part: CRUMB_GROUPING + number of the part's bit */
    CRUMB_SCOPE = CRUMB_GROUPING + 16,
    CRUMB_FILTER,
    CRUMB_BASE, /* the filters of the sides of two traces */
    CRUMB_NEW,
    CRUMB_STEPS,
    CRUMB_TOP_LEVEL,
    CRUMB_HIDE_BELOW,
    CRUMB_PERCENT,
    CRUMB_PYTHON,
    CRUMB_ANNOTATIONS,
    CRUMB_ROW_LIMIT,
    CRUMB_PER_STEP,
    CRUMB_UNCHANGED,
    CRUMB_COUNT
};
void crumbs_draw(struct app *app, struct grid *grid, int row);
void crumbs_click(struct app *app, int column);
bool crumbs_remove_last(struct app *app);

/* table_columns.c */
void table_columns_init(struct table_view *view);
void table_columns_refresh(struct table_view *view); /* which are seen now */
bool table_columns_is_key(const struct table_column *entry); /* shown because it is a part of the key */
const struct column *table_columns_under_cursor(const struct table_view *view);
int table_columns_width(const struct app *app, const struct table_column *column);
void table_columns_add_title(const struct table_view *view, uint32_t seen, struct text *out);
void table_columns_cursor_to(struct table_view *view, const struct column *column); /* where it is seen */
/* Shows the columns of a list with commas in its order. Gently: those that are usual stay hidden where they have
 * nothing to say. */
bool table_columns_set(struct app *app, struct span list, bool gently, struct error *error);
void table_columns_add_list(const struct app *app, struct text *out);
void columns_view_open(struct app *app);
extern const char *const table_columns_defaults[]; /* names, ends with NULL */

/* columns_view.c */
void columns_switch(struct app *app, struct span argument);
void columns_earlier(struct app *app, struct span argument);
void columns_later(struct app *app, struct span argument);
void columns_wider(struct app *app, struct span argument);
void columns_narrower(struct app *app, struct span argument);
void columns_reset(struct app *app, struct span argument);

#endif
