/* The keys of a grouping over the whole tree: also of events that a filter leaves out and of python frames that are no
 * rows. What drilling down names callers, callees and paths by. */
#ifndef KEYAVG_KEYS_H
#define KEYAVG_KEYS_H

#include "keyavg/average.h"

struct keys {
    struct tree *tree; /* borrowed */
    struct grouping grouping;
    uint32_t count;
    uint32_t *of;         /* by event: its key; NO_EVENT for events folded into their parent and for absent ones */
    uint32_t *first;      /* by key: its first event in list order, whose name, shapes, ... the key's are */
    uint32_t *calls;      /* the events of key k, in list order: calls[call_first[k]] .. calls[call_first[k + 1]]; */
    uint32_t *call_first; /* both NULL until keys_calls */
};

/* Numbers all events of the tree under a grouping; whether frames are rows in it makes no difference. As dear as a
 * regroup, and good for every view under this grouping. Free with keys_free. */
struct keys *keys_build(struct tree *tree, const struct grouping *grouping);
void keys_free(struct keys *keys);

/* All events of a key, whatever a filter chose: borrowed, `*count` of them, in list order. */
const uint32_t *keys_calls(struct keys *keys, uint32_t key, uint32_t *count);

/* The calls of a key that a filtered table has: those in one of its rows. When it has none of them (a frame that is no
 * row, or a callee that the filter does not choose), all. To free(). */
uint32_t *keys_chosen_calls(struct keys *keys, const struct averages *averages, uint32_t key, uint32_t *count);

/* Sets of events, one bit each, to free(): of a list, and of the calls of some rows (of all when `rows` is NULL). */
uint64_t *keys_select_events(const struct tree *tree, const uint32_t *events, uint32_t count);
uint64_t *keys_select_rows(const struct averages *averages, const uint32_t *rows, uint32_t count);

#endif
