/* Drills: rows about some calls of a trace, as the views of the explorer and --view show them. One code path makes
 * both.
 *
 * What a drill is about is its subject: all calls that the table's filter chose, those of one key, or any set of
 * events. Each row of a drill stands for a set of events again, so that every row opens the next drill. */
#ifndef KEYAVG_DRILL_H
#define KEYAVG_DRILL_H

#include "keyavg/array.h"
#include "keyavg/column.h"
#include "keyavg/error.h"
#include "keyavg/table.h"

struct drill;
struct keys;

enum drill_kind {
    DRILL_TABLE, /* the table itself, which is no drill */
    DRILL_FOCUS,
    DRILL_CALLS,
    DRILL_TREE,
    DRILL_KERNELS,
    DRILL_PAIRS,
    DRILL_MODULES,
    DRILL_EVENT,
    DRILL_QUALITY,
    DRILL_EXPLAIN, /* one cell of the table; not among the words of --view */
    DRILL_KINDS
};

struct drill_kind_entry {
    const char *name; /* --view NAME */
    const char *help; /* one sentence */
};
extern const struct drill_kind_entry drill_kinds[DRILL_KINDS];

/* By name, DRILL_KINDS when there is none. */
enum drill_kind drill_kind_find(struct span name);

/* Columns that only drills have; column_find knows them as well. */
extern const struct column drill_columns[];
extern const unsigned drill_column_count;
const struct column *drill_column_find(struct span name);

/* The kinds of drills that a column is in, one bit each; appends them as ` Views: table, calls.`, nothing for none. */
unsigned drill_column_kinds(const struct column *column);
void drill_column_add_views(const struct column *column, struct text *out);

/* -- Source and subject ------------------------------------------------------------------------------------------ */

/* What drills over one table share. `{.table = t}` is an empty one; the table must outlive it. */
struct drill_source {
    struct table *table;
    struct keys *keys; /* NULL until needed; of the table's tree and grouping */
};

/* The keys of the table's grouping, made anew when it has changed. Drills made before must be updated then. */
struct keys *drill_source_keys(struct drill_source *source);
void drill_source_clear(struct drill_source *source);

/* Makes what the tree keeps for drills (launches.h, pairs.h), so that none waits for it: for the thread that made the
 * table, before anybody else sees it. */
void drill_prepare(struct table *table);

enum drill_about {
    DRILL_OF_ALL,    /* the calls that filter and scope chose; all where nothing chooses */
    DRILL_OF_KEY,    /* the calls of one key, as far as they are chosen (keys_chosen_calls) */
    DRILL_OF_EVENTS, /* these, whatever is chosen */
};

struct drill_subject {
    enum drill_about about;
    uint32_t event;   /* DRILL_OF_KEY: an event of the key */
    uint32_t *events; /* DRILL_OF_EVENTS: owned, in list order */
    uint32_t count;
    char *name;       /* DRILL_OF_EVENTS: owned; what they are, NULL: the first one's name */
};

void drill_subject_free(struct drill_subject *subject);
struct drill_subject drill_subject_copy(const struct drill_subject *subject);

/* The rows of the table with this name, `NAME#k` the k-th of them by first appearance, `#k` the k-th row as shown; a
 * name that is in no row may be any in the tree, such as a python frame. With `@k` behind it, the k-th of these calls.
 * False with `error` set. */
bool drill_subject_find(struct drill_source *source, struct span name, struct drill_subject *subject,
                        struct error *error);

/* Appends what `--focus` must be for this drill, nothing where it is of all. False where no name says which calls they
 * are: then it is the name of the row of the first. */
bool drill_add_focus(const struct drill *drill, struct text *out);

/* The events of a subject, to free(); NULL for all of the tree. */
uint32_t *drill_subject_events(struct drill_source *source, const struct drill_subject *subject, uint32_t *count);

/* The event of one trace that is the same in another, NO_EVENT none. */
typedef uint32_t drill_same_event(const struct trace *from, uint32_t event, const struct trace *to);

/* What a drill over another trace is about, by event, a key else by its name. False: nothing of it is there. */
bool drill_subject_move(const struct drill *from, struct drill_source *to, drill_same_event *same,
                        struct drill_subject *subject);

/* -- Drills ------------------------------------------------------------------------------------------------------ */

struct drill_settings {
    const struct column *sort;    /* NULL: the kind's own order */
    bool ascending;
    bool fold_python;             /* runs of python frames are one */
    bool bottom_up;               /* tree: callers under what they called */
    bool fold_chains;             /* tree: only children stand in their parent's row */
    bool by_class;                /* modules: those of one class are one */
    bool unfolded;                /* tree, modules: everything is open */
    bool members_alone;           /* event: no lines of brackets, as members have their whole way in a table */
    int64_t row_limit;            /* negative: all; focus: of each part */
    const struct filter *filter;  /* on rows (drill_filter_lacks); borrowed, NULL none */
    const struct column *const *columns; /* borrowed; NULL: the kind's own */
    unsigned column_count;
    const struct column *explain; /* explain: of which column of the table; NULL: of none yet */
};

struct drill_ops;

/* One row that is shown. */
struct drill_row {
    uint32_t id;    /* what it is, for the functions below; the same as long as the drill is not built anew */
    uint32_t depth; /* tree, modules, event: indentation */
    bool open;      /* tree, modules: its children are shown */
    bool parent;    /* tree, modules: it has children */
};

struct drill {
    const struct drill_ops *ops;
    enum drill_kind kind;
    struct drill_source *source; /* borrowed */
    struct drill_subject subject;
    struct drill_settings settings;
    struct keys *keys;
    struct table *table;
    struct tree *tree;
    struct trace *trace;
    ARRAY(struct drill_row) rows; /* in the order in which they are shown */
    uint32_t left_out;            /* rows over the limit */
    uint32_t filtered;            /* rows that the filter took away */
    const struct column **columns; /* those that are shown */
    unsigned column_count;
    const struct column **known;  /* all that the kind has, by number of ops->cells */
    void *model;                  /* the kind's own */
    /* One bit each: those that pass what the filter asks of calls; NULL: all. */
    uint64_t *passing_events, *passing_nodes;
};

/* Makes a drill; it takes the subject over. Free with drill_free. */
struct drill *drill_build(struct drill_source *source, enum drill_kind kind, struct drill_subject subject,
                          const struct drill_settings *settings);
void drill_free(struct drill *drill);

/* Lists the rows anew after a change of sort, limit, filter, columns or folds; what else is set needs a new drill. */
void drill_list(struct drill *drill);

void drill_settings_init(struct drill_settings *settings);

/* A cell; VALUE_UNKNOWN for what is not known or not of this kind. `scratch` is cleared and holds text that was
 * made. */
void drill_value(const struct drill *drill, uint32_t row, const struct column *column, struct value *out,
                 struct text *scratch);

/* How many columns the kind has: drill->known. */
unsigned drill_columns_most(const struct drill *drill);

/* Whether the kind has a column, and whether the trace has something to say in it. */
bool drill_has_column(const struct drill *drill, const struct column *column);

/* The first column that a filter of rows asks for and the drill has not; NULL none. */
const struct column *drill_filter_lacks(const struct drill *drill, const struct filter *filter);

/* What stands under Name, without indentation; appends. */
void drill_add_label(const struct drill *drill, uint32_t row, struct text *out);

/* What the drill is about, in one line: `aten::mm   60 calls   CPU total 4.7ms`; appends. */
void drill_add_title(const struct drill *drill, struct text *out);
void drill_add_subject(const struct drill *drill, struct text *out); /* its first part, */
void drill_add_facts(const struct drill *drill, struct text *out);   /* and the rest */

/* The events that a row stands for, in list order, to free(); none for rows such as [self]. */
uint32_t *drill_events(const struct drill *drill, uint32_t row, uint32_t *count);

/* The event that stands for a row, NO_EVENT none. */
uint32_t drill_event(const struct drill *drill, uint32_t row);

/* The subject that a row opens: all calls of its key where it is one and `of_key`, else its events. False for rows that
 * stand for nothing. */
bool drill_open_row(const struct drill *drill, uint32_t row, bool of_key, struct drill_subject *subject);

/* The row of an event, or of what is nearest to it; the row's number in `rows`, 0 when there is none. */
uint32_t drill_find_event(const struct drill *drill, uint32_t event);

/* A row that is to be found again in a drill of the same subject that was made anew: over other calls, under another
 * grouping, of another trace. Begins as {0}. */
struct drill_bookmark {
    uint32_t event; /* that stands for the row, NO_EVENT none */
    uint32_t depth;
    char *name;     /* owned; the row's label, and what else is said of it beside others of that label */
};

void drill_bookmark_set(struct drill_bookmark *bookmark, const struct drill *drill, const struct drill_row *row);
void drill_bookmark_free(struct drill_bookmark *bookmark);

/* The id of the bookmark's row, by event where rows are events or nodes, else by name; NO_EVENT: it is not there. */
uint32_t drill_bookmark_find(const struct drill_bookmark *bookmark, const struct drill *drill);

/* The share of the whole of its column that a cell is; false where that means nothing. */
bool drill_share(const struct drill *drill, uint32_t row, const struct column *column, double *share);

/* -- Parts of some kinds ----------------------------------------------------------------------------------------- */

/* Tree and modules: opens or closes a row, or all below it. */
void drill_fold(struct drill *drill, uint32_t row, bool open);
void drill_unfold_below(struct drill *drill, uint32_t row);

/* Takes over what another drill of the same subject has open, and its zoom; `same` as for drill_subject_move. Of the
 * other drill's table and tree nothing is looked at. */
void drill_keep_folds(struct drill *drill, const struct drill *from, drill_same_event *same);

/* Opens the way to an event's row. */
void drill_reveal(struct drill *drill, uint32_t event);

/* Tree: opens the hot path from a row on; returns the number in `rows` of its last node. */
uint32_t drill_hot_path(struct drill *drill, uint32_t row);

/* Tree: makes a row's node the root, or with `row` UINT32_MAX the one before. False when there is none. */
bool drill_zoom(struct drill *drill, uint32_t row);

/* Focus: the parts of its list, in this order. */
enum focus_part { FOCUS_CALLERS, FOCUS_ROW, FOCUS_CALLEES, FOCUS_KERNELS, FOCUS_PARTS };
enum focus_part drill_focus_part(const struct drill *drill, uint32_t row);
extern const char *const focus_part_names[FOCUS_PARTS]; /* `callers`, ... */

/* Calls: how many there are, whatever the rows; and calls_strip of all of them, borrowed. */
uint32_t drill_calls_count(const struct drill *drill);
unsigned drill_calls_strip(const struct drill *drill, unsigned cells, const int64_t **places);

/* Kernels: the ops that launched a row's events, to free(); their number. */
uint32_t *drill_kernel_ops(const struct drill *drill, uint32_t row, uint32_t *count);

/* Event: what a line of the page leads to, NO_EVENT none. */
uint32_t drill_event_link(const struct drill *drill, uint32_t row);

/* Appends the text of the event's page: one line a row. */
void drill_add_page(const struct drill *drill, struct text *out);

#endif
