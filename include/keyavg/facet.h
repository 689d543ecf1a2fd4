/* Facets: the columns that a number has when there is more than one of it, in two traces or in many ranks. They are
 * called `COLUMN.FACET` (`self_cpu_time_total.diff`) and are columns as others are, for --columns, --sort-by and
 * filters; a table of one trace knows nothing in them. What they show is in compare.h and ranks.h. */
#ifndef KEYAVG_FACET_H
#define KEYAVG_FACET_H

#include "keyavg/column.h"

enum facet {
    FACET_NONE,
    FACET_BASE, /* of two traces */
    FACET_NEW,
    FACET_DIFF,
    FACET_RATIO,
    FACET_BY_CALLS,
    FACET_BY_CALL,
    FACET_SHARE,
    FACET_NOISE,
    FACET_SUM, /* of ranks */
    FACET_MEAN,
    FACET_MIN,
    FACET_MAX,
    FACET_SPREAD,
    FACET_WORST,
    FACET_LINE,
    FACET_COUNT
};

struct facet_entry {
    const char *name;  /* `diff` */
    const char *title; /* `change`: behind the column's title */
    const char *help;  /* one sentence */
    uint8_t of;        /* which columns have it: enum facet_of */
    uint8_t need;      /* enum column_need */
};

enum facet_of {
    FACET_OF_NUMBERS,  /* all that are numbers */
    FACET_OF_SUMS,     /* what is summed over calls: counts, times, bytes, operations */
    FACET_OF_TIMES,    /* times that are summed over calls */
};

extern const struct facet_entry facet_entries[FACET_COUNT]; /* [FACET_NONE] is empty */

/* Columns that only comparisons, ranks or collectives have. */
extern const struct column facet_extras[];
extern const unsigned facet_extra_count;

/* A column's facet; NULL when it has no such. */
const struct column *facet_column(const struct column *of, enum facet facet);

/* Appends a column's title; of facets of one column that follow one another only the first has the column's own. */
void facet_add_title(const struct column *column, const struct column *before, const char *device, struct text *out);

/* `NAME.FACET`, or one of the extra columns; NULL when there is none. */
const struct column *facet_find(struct span name);

#endif
