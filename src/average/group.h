/* Which events stand in which row. */
#ifndef KEYAVG_AVERAGE_GROUP_H
#define KEYAVG_AVERAGE_GROUP_H

#include "keyavg/average.h"

enum {
    GROUP_BLOCK = 4096,     /* events that are grouped at a time, at most */
    GROUP_REFINEMENTS = 9,  /* parts of a key besides the name */
    GROUP_OVERLOADED = 4,   /* in a class: an overload in the name counts */
    GROUP_CLASSES = 8,
    GROUP_LEFT_OUT = 255,   /* a class that makes no rows */
};

/* A part of the key. An event's value is values[column[e]], or column[e] where there are no `values`; where there is no
 * column it is found for each event. */
struct group_refinement {
    enum group_part part;
    const uint32_t *column; /* borrowed */
    uint32_t *values;       /* owned */
    uint32_t range;         /* all values are below */
};

/* What a grouping asks of the events, the same for all threads. */
struct group_plan {
    struct tree *tree;
    const uint64_t *selected; /* one bit an event; NULL: all */
    bool by_name;
    /* By category. The class: what of an event's kind is part of the key; and whether it is of those kinds. */
    uint8_t class[256], overloaded[256], runtime[256], on_device[256];
    const uint8_t *phases;
    struct group_refinement refinements[GROUP_REFINEMENTS];
    unsigned refinement_count;
};

/* Borrows the tree and `selected`; adds to the trace's stacks. */
void group_plan_init(struct group_plan *plan, struct tree *tree, const struct grouping *grouping,
                     const uint64_t *selected);
void group_plan_free(struct group_plan *plan);

/* The values of events from .. to - 1, at most GROUP_BLOCK. */
void group_values(const struct group_plan *plan, const struct group_refinement *refinement, uint32_t from, uint32_t to,
                  uint32_t *out);

/* Numbers groups in order of first appearance among the events that it is given. */
struct grouper;
struct grouper *grouper_start(const struct group_plan *plan);
void grouper_free(struct grouper *grouper);

/* Sets row_of[e] for events from .. to - 1, at most GROUP_BLOCK: the group, NO_EVENT for events in no row. */
void grouper_take(struct grouper *grouper, uint32_t from, uint32_t to, uint32_t *row_of);
uint32_t grouper_count(const struct grouper *grouper);

static inline uint32_t group_block_end(uint32_t from, uint32_t end)
{
    return end - from < GROUP_BLOCK ? end : from + GROUP_BLOCK;
}

/* All events at once, by one thread; returns how many groups there are. */
uint32_t group_events(struct tree *tree, const struct grouping *grouping, uint32_t *row_of);

#endif
