/* Many ranks as one table: the rows of all, what each sums to over them, and which rank stands out. */
#ifndef KEYAVG_RANKS_H
#define KEYAVG_RANKS_H

#include "keyavg/cells.h"
#include "keyavg/facet.h"
#include "keyavg/query.h"
#include "keyavg/rank_roll.h"
#include "keyavg/sheet.h"

struct ranks_query {
    struct query query;   /* its sort column may be a facet */
    bool main_sort;       /* sorted by the sum of the main column, whatever query.sort says */
    bool by_rank;         /* a row for each rank, whose number is node_id */
    bool histograms;      /* durations of calls are counted, for percentiles */
    unsigned lines;       /* one bit an enum measure: values of single ranks are kept for FACET_LINE */
    bool ascii;           /* lines of digits */
};

/* What single ranks have of the rows of one file. */
struct rank_part {
    uint32_t source;
    uint32_t count;
    uint32_t *rows;
    int64_t *sums;   /* for each bit of query.lines, in their order, `count` numbers */
};

struct ranks {
    struct ranks_query query;
    struct rank_roll roll;
    struct groups groups;        /* the rows */
    struct cell_facts facts;
    ARRAY(struct rank_part) parts;
    bool merged;                 /* a file is of several ranks, of which no values are known */
    int64_t *by_source[MEASURES]; /* rows times sources, for query.lines; else NULL */
    uint8_t *has;                /* the same: whether the rank has the row */
    uint32_t *order, count;      /* rows that are shown, sorted */
    uint32_t left_out, hidden;   /* rows cut by the row limit, by hide_below */
    int64_t self_cpu, self_device; /* ns: sums over rows that the filter leaves; no annotations of the device */
};

/* Reads the ranks of some files, each reduced to its groups before the next one needs its memory. The files must
 * outlive the result; free with ranks_free. NULL with `error` set when not one could be read, or when the query
 * cannot be answered from summaries; ERROR_NONE and `stopped` when reading->stop was set. */
struct ranks *ranks_build(const struct rank_files *files, struct rank_reading *reading, const struct ranks_query *query,
                          struct error *error);
void ranks_free(struct ranks *ranks);

/* For the room: chooses and sorts the rows. */
void ranks_arrange(struct ranks *ranks);

/* A row's cell: facets as facet.h says, other columns of the row over all ranks. */
void ranks_value(const struct ranks *ranks, uint32_t row, const struct column *column, struct value *out,
                 struct text *scratch);

/* The column by which rows are sorted when nothing else is asked for: self time of the device where there is some. */
const struct column *ranks_main_column(const struct ranks *ranks);

/* Columns for a writer: the chosen ones, each sum as its facets; else those of the main or the sort column, or with
 * `all` every number's. To free(). */
const struct column **ranks_columns(const struct ranks *ranks, const struct column *const *chosen,
                                    unsigned chosen_count, bool all, unsigned *count);

/* The rows as a sheet for a writer; it borrows the columns. */
struct sheet ranks_sheet(const struct ranks *ranks, const struct column *const *columns, unsigned count);

#endif
