/* Forward ops and the backward ops that go with them.
 *
 * A pair's ends are a forward op and the `autograd::engine::evaluate_function: ...` call of its backward (the
 * backward op itself where it has none around it). Each event is in at most one pair, so that going to the other end
 * twice returns.
 *
 * Where the file has arrows (`fwdbwd` flows) these make the pairs: ids are of their category alone, an end belongs
 * to the op on its thread that starts at exactly its time; with several, the one whose sequence number agrees with
 * the other end, else the innermost. A file without usable arrows is paired as torch makes them: a backward op (`Fwd
 * thread id` > 0) belongs to the op with the same sequence number on its forward thread that starts last; of several
 * backward ops the one that ends first is taken. (Stacks of backward events come from the first forward op instead:
 * both are torch's rules.) */
#ifndef KEYAVG_PAIRS_H
#define KEYAVG_PAIRS_H

#include "keyavg/keys.h"

enum pair_side { PAIR_NO_END, PAIR_FORWARD, PAIR_BACKWARD };

/* Found once and kept by the tree. */
struct pairs {
    uint32_t *other;    /* by event: the other end, NO_EVENT for an event that is no end */
    uint8_t *side;      /* by event: enum pair_side; PAIR_BACKWARD also for backward without a forward op */
    uint32_t count;     /* pairs */
    uint32_t flows;     /* arrows with both ends in the file */
    uint32_t lost;      /* of them, those that made no pair: no op starts there, or one of the ops is paired already */
    bool by_flows;      /* made from arrows */
    uint32_t *open;     /* forward ops without backward: of each sequence number of a thread that has no pair the op
                           that would be its end; in list order */
    uint32_t open_count;
};

const struct pairs *tree_pairs(struct tree *tree);
void pairs_free(struct pairs *pairs);

/* How a jump went. */
enum pair_jump {
    PAIR_NONE,   /* nowhere */
    PAIR_OWN,    /* the event is an end */
    PAIR_AROUND, /* over the nearest end around it */
    PAIR_INSIDE, /* over the first end below it */
};

/* Where `x` goes from an event: the other end of its pair, else of the nearest event around it that is an end, else
 * of the first end below it, in list order. A device event starts from its op (launches.h). `*from` (may be NULL) is
 * the end that was used; jumping back from the result gives it. NO_EVENT when there is none. */
uint32_t pairs_jump(struct tree *tree, uint32_t event, uint32_t *from, enum pair_jump *how);

/* One group of pairs, by the key of the forward op; a backward end without a forward op is in the group of its own key.
 * Times are ns; totals of ops, so that the time of an end inside another counts in both, as in the table. */
struct pair_row {
    uint32_t key;    /* keys number */
    uint32_t first;  /* the first of its forward ops, or of its backward ends without one, in list order */
    uint32_t pairs;
    uint32_t forward_only, backward_only;
    int64_t forward_cpu, forward_device, backward_cpu, backward_device; /* of the pairs */
    int64_t forward_only_cpu, forward_only_device, backward_only_cpu, backward_only_device;
};

struct pair_rows {
    struct pair_row *rows; /* most backward CPU time first (paired and not), then most forward, then list order */
    uint32_t count;
};

/* The groups of all pairs, or of those with an end in `chosen` (one bit an event). Free with pair_rows_free. */
struct pair_rows *pairs_group(const struct keys *keys, const uint64_t *chosen);
void pair_rows_free(struct pair_rows *rows);

#endif
