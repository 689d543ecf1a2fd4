/* The collectives of a run, each put together from the ranks that took part: who arrived last, and how late. */
#ifndef KEYAVG_COLLECTIVES_H
#define KEYAVG_COLLECTIVES_H

#include "keyavg/query.h"
#include "keyavg/rank_roll.h"
#include "keyavg/sheet.h"

/* One rank's part in a collective. */
struct collective_part {
    uint32_t source, collective; /* collectives.items */
    int64_t start, duration;     /* ns; start since 1970 where the file tells, else as the file counts */
};

struct collective {
    uint32_t group, sequence, name; /* strings of roll.whole */
    uint32_t first_part, parts;     /* in collectives.parts, by source */
    int64_t arrival, arrived;       /* ns: the first rank's start, the last one's */
    int64_t first_rank, last_rank;
    int64_t shortest, longest;      /* ns */
};

struct collectives {
    struct query query;
    struct rank_roll roll;
    ARRAY(struct collective) items;
    ARRAY(struct collective_part) parts;
    bool clocks_agree;
    struct text clocks;    /* why they are taken to agree, or not */
    uint32_t *order, count, left_out;
    uint32_t alone;        /* that only one of several ranks has */
};

/* Finds the collectives in some traces: kernels of NCCL and its like where there are some, else annotations such as
 * `gloo:all_reduce`. They are one collective on several ranks by process group, sequence number and name; where no
 * sequence number was recorded, by their place among those of one name in a step. The files must outlive the
 * result; free with collectives_free. NULL with `error` set when there are none. */
struct collectives *collectives_build(const struct rank_files *files, struct rank_reading *reading,
                                      const struct query *query, struct error *error);
void collectives_free(struct collectives *collectives);

/* For the room: decides whether starts on different ranks can be compared. They can where all files count since 1970 or
 * none says from when, and next to no collective that waits for all ranks ends on one before it begins on another. */
void collectives_judge_clocks(struct collectives *collectives);

void collectives_value(const struct collectives *collectives, uint32_t number, const struct column *column,
                       struct value *out, struct text *scratch);

/* Columns for a writer; to free(). */
const struct column **collectives_columns(const struct column *const *chosen, unsigned chosen_count, unsigned *count);

/* The collectives as a sheet for a writer; it borrows the columns. */
struct sheet collectives_sheet(const struct collectives *collectives, const struct column *const *columns,
                               unsigned count);

#endif
