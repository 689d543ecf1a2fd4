/* The collectives that one trace has. */
#ifndef KEYAVG_RANKS_CALLS_OF_RANK_H
#define KEYAVG_RANKS_CALLS_OF_RANK_H

#include "keyavg/array.h"
#include "keyavg/tree.h"

struct rank_call {
    struct text group, members; /* name of the process group; the ranks in it; empty: not recorded */
    struct text sequence, name;
    int64_t start, duration;    /* ns, as the file counts */
};

struct rank_calls {
    ARRAY(struct rank_call) list; /* by start */
};

/* Finds them and reads what their arguments say. False with `error` set when the file cannot be read again. */
bool rank_calls_find(struct tree *tree, struct rank_calls *calls, struct error *error);
void rank_calls_free(struct rank_calls *calls);

/* Appends what the parts of one collective share on all ranks, each word ended by a NUL. */
void rank_call_add_key(const struct rank_call *call, struct text *out);

#endif
