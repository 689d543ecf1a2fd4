/* What the kinds of drills give to drill.c, for their files. */
#ifndef KEYAVG_TABLE_DRILL_OPS_H
#define KEYAVG_TABLE_DRILL_OPS_H

#include "keyavg/drill.h"
#include "keyavg/keys.h"

/* A column of a kind. `out` is VALUE_UNKNOWN and `scratch` empty when `value` is called. */
struct drill_cell {
    const char *column; /* its name */
    bool hidden;        /* only shown when asked for */
    void (*value)(const struct drill *drill, uint32_t id, struct value *out, struct text *scratch);
};

/* All but cells, build, list, add_label and free may be NULL. */
struct drill_ops {
    const struct drill_cell *cells;
    unsigned cell_count;
    void (*build)(struct drill *drill);
    void (*list)(struct drill *drill); /* all rows, with drill_push */
    bool whole;                        /* always of the whole file: the subject is not looked at */
    bool own_order;                    /* `list` sorts, filters and limits by itself */
    void (*add_label)(const struct drill *drill, uint32_t id, struct text *out);
    void (*add_title)(const struct drill *drill, struct text *out); /* what follows the subject's name */
    uint32_t *(*events)(const struct drill *drill, uint32_t id, uint32_t *count);
    uint32_t (*event)(const struct drill *drill, uint32_t id);
    uint32_t (*key)(const struct drill *drill, uint32_t id); /* keys number that the row opens; NO_EVENT: its events */
    bool parts_of_keys;                /* a row's events are some calls of its key */
    bool (*share)(const struct drill *drill, uint32_t id, const struct column *column, double *share);
    uint32_t (*row_of)(const struct drill *drill, uint32_t event); /* id; NO_EVENT none */
    void (*free)(struct drill *drill);
};

extern const struct drill_ops drill_focus_ops, drill_calls_ops, drill_tree_ops, drill_kernels_ops, drill_pairs_ops,
    drill_modules_ops, drill_event_ops, drill_quality_ops, drill_explain_ops;

#define CELL_COUNT(cells) (sizeof(cells) / sizeof(cells)[0])

static inline void drill_push(struct drill *drill, uint32_t id)
{
    array_push(&drill->rows, (struct drill_row){.id = id});
}

static inline void set_integer(struct value *out, int64_t integer)
{
    *out = (struct value){.kind = VALUE_INTEGER, .integer = integer, .over = 1};
}

static inline void set_ratio(struct value *out, int64_t integer, int64_t over)
{
    if (over > 0)
        *out = (struct value){.kind = VALUE_RATIO, .integer = integer, .over = over};
}

static inline void set_text(struct value *out, struct span text)
{
    *out = (struct value){.kind = VALUE_TEXT, .over = 1, .text = text};
}

/* A copy of a list of events, to free(). */
uint32_t *drill_copy_events(const uint32_t *events, uint32_t count);

/* drill_filter.c: whether a row passes the drill's own filter; what is found once for that when the rows are listed. */
void drill_filter_start(struct drill *drill);
void drill_filter_free(struct drill *drill);
bool drill_passes(const struct drill *drill, uint32_t id, struct text *scratch);

/* Sorts `count` rows from `first` on by the drill's sort column: unknown ones last, equal ones as they stood. */
void drill_sort_rows(struct drill *drill, size_t first, size_t count);

/* Appends a key's name and what else of its first event is in the key. */
void drill_add_key(const struct drill *drill, uint32_t key, struct text *out);
void drill_add_event_name(const struct drill *drill, uint32_t event, struct text *out);

/* Appends ns with a label in front: `  CPU total 4.742ms`. */
void drill_add_time(const struct drill *drill, const char *label, int64_t ns, struct text *out);

/* Whether anything of a device is in the trace. */
bool drill_on_device(const struct drill *drill);

/* drill_place.c: parts of one event. */
void drill_set_thread(const struct drill *drill, uint32_t event, struct value *out, struct text *scratch);
void drill_set_step(const struct drill *drill, uint32_t event, struct value *out, struct text *scratch);
void drill_set_phase(const struct drill *drill, uint32_t event, struct value *out);
void drill_set_shapes(const struct drill *drill, uint32_t event, struct value *out);
void drill_set_lane(const struct drill *drill, uint32_t event, struct value *out, struct text *scratch);

/* drill_outline.c: rows that are nodes of a tree and can be folded. */
struct fold {
    uint32_t event; /* that stood for the node */
    bool open;
};

struct outline {
    uint64_t *open; /* by node, one bit */
    size_t words;
    ARRAY(uint32_t) roots; /* the way that zooming took; the last one is the root */
    ARRAY(struct fold) gone; /* of nodes that drills before had and this one has not */
    /* A node's children in their own order; borrowed until the next call. */
    const uint32_t *(*children)(const struct drill *drill, uint32_t node, uint32_t *count);
    /* The last node of the chain that a row stands for; NULL: a row is a node. */
    uint32_t (*last)(const struct drill *drill, uint32_t node);
    uint32_t (*parent)(const struct drill *drill, uint32_t node); /* NO_EVENT of the first */
    uint32_t nodes; /* how many there are, of a tree bottom up in the tree it was made of */
};

/* The outline of the tree or the modules, else NULL. */
struct outline *drill_outline(const struct drill *drill);
struct outline *drill_tree_outline(const struct drill *drill);
struct outline *drill_modules_outline(const struct drill *drill);

void outline_list(struct drill *drill, bool root_too);
void outline_set(struct outline *outline, uint32_t node, bool open);
bool outline_is_open(const struct outline *outline, uint32_t node);
uint32_t outline_root(const struct outline *outline);
void outline_free(struct outline *outline);

/* drill_tree.c: the next node of the hot path, NO_EVENT at its end. */
uint32_t drill_tree_hot(const struct drill *drill, uint32_t node);

#endif
