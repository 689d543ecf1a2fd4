/* Two traces side by side: the rows of both, paired by key, and what has become of each. */
#ifndef KEYAVG_COMPARE_H
#define KEYAVG_COMPARE_H

#include "keyavg/cells.h"
#include "keyavg/facet.h"
#include "keyavg/sheet.h"
#include "keyavg/table.h"

enum { COMPARE_BASE, COMPARE_NEW, COMPARE_SIDES };

#define NO_ROW UINT32_MAX

/* What is to be shown of two traces. */
struct compare_query {
    struct query query;                          /* for both; its sort column may be a facet */
    const struct filter *filters[COMPARE_SIDES]; /* borrowed; the whole filter of one side; NULL: query.filter */
    bool main_sort; /* sorted by the size of the change, whatever query.sort says: that of the main column, then that of
                     * the other self time, then rows that are new, gone or renamed before others */
    bool per_step;  /* sums are divided by the profiler's steps of their side */
    bool unchanged; /* rows in which nothing has changed are shown too */
};

struct compare_side {
    struct trace *trace;     /* borrowed; NULL: of a summary */
    struct table *table;     /* its rows, for what the groups do not hold and for drilling; NULL: of a summary */
    struct summary *summary; /* owned; NULL: of a trace */
    struct groups groups;
    struct cell_facts facts;
    const char *path;        /* borrowed */
    uint32_t *row_of;        /* by group: row of the table, the first where several rows are one group */
    uint32_t *group_of;      /* by row of the table: its group; NULL: of a summary */
    bool *joined;            /* by group: it is several rows */
    bool *passes;            /* by group: the row filter lets it through */
    uint32_t steps;          /* of the profiler that its calls are in; 0 none */
    int64_t rank, world_size; /* -1 not known */
    uint64_t events;
};

/* One row: a group of each side, or of one. */
struct compare_row {
    uint32_t group[COMPARE_SIDES]; /* NO_ROW: not on this side */
    bool renamed;                  /* a kernel that has another name in the new trace */
    bool same;                     /* nothing has changed */
};

struct compare {
    struct compare_query query;
    struct compare_side sides[COMPARE_SIDES];
    struct strings strings; /* of both sides' groups */
    struct stacks stacks;
    struct compare_row *rows;
    uint32_t row_count, base_count; /* rows of base first, then those that only new has */
    uint32_t *new_rows;      /* by group of the new side: its row; a group of base is the row of the same number */
    uint32_t *kept, kept_count;     /* rows that filters leave and that have changed, in order of first appearance */
    uint32_t *order, count;         /* those that are shown, sorted; left out ones follow, then hidden ones */
    uint32_t left_out, hidden;      /* rows cut by the row limit, by hide_below */
    uint32_t unchanged, appeared, gone, renamed; /* rows of those that filters leave */
    /* Sums over the rows that filters leave, also the unchanged ones. Device times: of the device's rows that are no
     * annotations. Per step like all sums, but for the calls. */
    int64_t total[COMPARE_SIDES][MEASURES];
    bool steps_by_place;            /* the sides have no step's number in common: the first is paired with the first */
};

/* Pairs two traces, which must outlive the comparison and may be one and the same; free with compare_free. */
struct compare *compare_build(struct trace *base, struct trace *other, const struct compare_query *query);

/* The same of two summaries, which it takes over. NULL with `error` set when they cannot answer the query. */
struct compare *compare_summaries(struct summary *base, struct summary *other, const char *const paths[COMPARE_SIDES],
                                  const struct compare_query *query, struct error *error);

/* Shows another query. False with `error` set when summaries cannot answer it; nothing has changed then. */
bool compare_update(struct compare *compare, const struct compare_query *query, struct error *error);
void compare_free(struct compare *compare);

/* Whether a comparison shows this query already; about how many events and rows compare_update would go through
 * (table_update_work). Of traces. */
bool compare_shows(const struct compare *compare, const struct compare_query *query);
uint64_t compare_update_work(const struct compare *compare, const struct compare_query *query);

/* A comparison of another query over the same traces, made beside the first, as table_beside makes a table. One of the
 * two is then given up. */
struct compare *compare_beside(const struct compare *compare, const struct compare_query *query);
void compare_give_up(struct compare *compare, const struct compare *other);

/* Reads both files, the second in a thread of its own; with one path (the same twice) once, for both sides. `options`
 * is for each side. False with `error` set and nothing left to free. */
bool compare_load(const char *const paths[COMPARE_SIDES], const struct trace_options options[COMPARE_SIDES],
                  bool at_once, struct trace *traces[COMPARE_SIDES], struct error *error);

/* Frees what compare_load gave. */
void compare_free_traces(struct trace *const traces[COMPARE_SIDES]);

/* The filter of one side: the terms of the common one, NULL none, before its own. NULL with `error` set. */
struct filter *compare_side_filter(const struct filter *common, struct span own, struct error *error);

/* What the reader must know of how the rows were made. Appends it; false when it does not hold. */
enum compare_note { NOTE_RANKS, NOTE_NO_STEPS, NOTE_STEPS_BY_PLACE, COMPARE_NOTES };
bool compare_add_note(const struct compare *compare, enum compare_note note, struct text *out);

/* The row in which a row of one side's table is. */
uint32_t compare_find_row(const struct compare *compare, int side, uint32_t table_row);

/* For the room: chooses and orders the rows that are shown. */
void compare_arrange(struct compare *compare);

/* For the room: pairs kernels whose names differ only in arguments, numbers and addresses. `match` is by group of each
 * side the group of the other one or NO_ROW; `renamed` by group of the base. */
void compare_pair_renamed(struct compare *compare, uint32_t *const match[COMPARE_SIDES], bool *renamed);

/* For the room: a sum of one side per step when that is asked for, times rounded to the ns; calls stay as they are. */
int64_t compare_sum(const struct compare *compare, int side, uint32_t group, enum measure measure);

/* For the room: what calls are to be divided by; 1 when not per step. */
int64_t compare_steps(const struct compare *compare, int side);

/* A row's cell: text columns are the base's (the new one's in new rows); facets as facet.h says; other numbers are the
 * new side's. */
void compare_value(const struct compare *compare, uint32_t row, const struct column *column, struct value *out,
                   struct text *scratch);

/* The table and row of one side, to drill into; false when the side has no such row or is a summary's. */
bool compare_side_row(const struct compare *compare, uint32_t row, int side, const struct table **table,
                      uint32_t *table_row);

/* The column by whose change rows are sorted when nothing else is asked for: device time where there is some. */
const struct column *compare_main_column(const struct compare *compare);

/* Columns for a writer: the chosen ones, each number as its facets; else those of the main or the sort column and the
 * calls, or with `all` every number's. To free(). */
const struct column **compare_columns(const struct compare *compare, const struct column *const *chosen,
                                      unsigned chosen_count, bool all, unsigned *count);

/* The rows as a sheet for a writer; it borrows the columns. */
struct sheet compare_sheet(const struct compare *compare, const struct column *const *columns, unsigned count);

/* -- Conditions for --fail-if -------------------------------------------------------------------------------------- */

struct condition {
    const struct column *column; /* one that is summed over calls, or an average */
    bool total;                  /* of the sum over rows */
    bool per_cent;               /* `limit` is per cent of base */
    bool at_least;               /* `>=` */
    double limit;                /* per cent, or by the column's unit */
    char *text;                  /* as written, owned */
};

/* `[total:]COLUMN > N%`, `> N[unit]`, also with `>=`. False with a usage error. Release with condition_free. */
bool condition_parse(const char *text, struct condition *condition, struct error *error);
void condition_free(struct condition *condition);

/* How many rows (1 for a total) have grown by more than the condition allows; a line for each of the first `lines` is
 * appended. A row that is new, or was 0, has grown by more than any percentage. */
uint32_t condition_check(const struct condition *condition, const struct compare *compare, uint32_t lines,
                         struct text *out);

#endif
