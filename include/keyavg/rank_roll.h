/* The roll of a run's ranks: which are there, from which files, in which order; which are missing or there twice. */
#ifndef KEYAVG_RANK_ROLL_H
#define KEYAVG_RANK_ROLL_H

#include "keyavg/rank_files.h"

struct rank_roll {
    struct summary *whole;      /* its sources, and their strings and stacks, which others may share; without tables */
    ARRAY(const char *) paths;  /* by source: its file, borrowed */
    uint32_t *in_order;         /* sources by rank; after rank_roll_end */
    uint32_t unnumbered;        /* sources whose rank nothing told; they got the numbers behind the others */
};

void rank_roll_init(struct rank_roll *roll);
void rank_roll_free(struct rank_roll *roll);

/* Adds a file's sources; sets the number of the first. False with `error` set for a recording that is there already: a
 * trace and its summary, or one file twice. */
bool rank_roll_add(struct rank_roll *roll, const struct summary *summary, const char *path, uint32_t *first,
                   struct error *error);

/* When all are there: numbers those that tell no rank, and puts all in order. */
void rank_roll_end(struct rank_roll *roll);

/* The source at a place of the order. */
const struct source *rank_roll_source(const struct rank_roll *roll, size_t place);

/* How many ranks are missing: of the largest number of ranks that a source tells, else below the highest rank. */
uint32_t rank_roll_missing(const struct rank_roll *roll);

/* Which ranks are missing or there more than once, and what else must be known of them: a line each to `tell`. */
void rank_roll_tell(const struct rank_roll *roll, rank_tell *tell, void *context);

/* Appends, for json, `"ranks": [...], "missing": [...]`; with the sums of self times where sources have them. */
void rank_roll_add_facts(const struct rank_roll *roll, bool sums, struct text *out);

#endif
