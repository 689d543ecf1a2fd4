/* What is to be shown of a trace: every setting that changes the table, for the command line, the explorer and
 * export. */
#ifndef KEYAVG_QUERY_H
#define KEYAVG_QUERY_H

#include "keyavg/average.h"
#include "keyavg/column.h"

struct filter;

enum percent_base { PERCENT_OF_ALL, PERCENT_OF_SHOWN };

/* Calls of which phase take part (phase.h). */
enum scope_choice {
    SCOPE_ALL,
    SCOPE_FORWARD,
    SCOPE_BACKWARD,
    SCOPE_USER,
    SCOPE_RECOMPUTE,
    SCOPE_SYNC,
    SCOPE_OPTIMIZER,
    SCOPE_DATA,
    SCOPE_NONE,
    SCOPE_CHOICES
};

/* Their names, and all of them as a message has them. */
extern const char *const scope_names[SCOPE_CHOICES];
#define SCOPE_WORDS "all, forward, backward, user, recompute, sync, optimizer, data or none"

/* The phase (phase.h) of a choice other than SCOPE_ALL. */
int scope_phase(enum scope_choice scope);

struct query {
    struct grouping grouping;
    const struct column *sort; /* NULL: order of first appearance */
    bool ascending;
    bool top_level_only;       /* only rows whose first event has no parent */
    int64_t row_limit;         /* negative: all */
    enum time_unit unit;
    enum percent_base percent_of;
    enum scope_choice scope;
    const struct filter *filter;  /* borrowed; NULL none */
    double hide_below;            /* per cent of the sort column's share; 0: nothing is hidden */
    bool no_device_annotations;   /* gpu_user_annotation makes no rows */
};

/* torch's defaults: by name, unsorted, all rows. */
void query_init(struct query *query);

#endif
