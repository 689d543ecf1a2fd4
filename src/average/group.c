/* Which events stand in which row. Every regroup of the explorer comes through here, so the loops over events are
 * plain, go over a block of them that stays in the cache, and do not branch on what the events are. */
#include "group.h"

#include <stdlib.h>
#include <string.h>

#include "keyavg/names.h"
#include "numbering.h"

/* Rows refined by one more part of the key. A table of all pairs of row and value is one look-up an event; where it
 * were too large, pairs are hashed. */
struct refiner {
    uint32_t *known; /* [0] for events in no row, else row + 1 by row * range + value + 1; NULL: hashed */
    size_t room;     /* rows of `known` */
    uint32_t count;
    struct numbering pairs;
};

struct grouper {
    const struct group_plan *plan;
    uint32_t *known; /* by name as the file has it and class: row + 1; [0] for events in no row */
    struct numbering rows;
    uint32_t count;
    struct refiner refiners[GROUP_REFINEMENTS];
    uint32_t values[GROUP_BLOCK];
};

struct grouper *grouper_start(const struct group_plan *plan)
{
    struct grouper *grouper = memory_zero(1, sizeof *grouper);
    grouper->plan = plan;
    if (plan->by_name) {
        grouper->known = memory_zero((size_t)plan->tree->trace->name_count * GROUP_CLASSES + 1, sizeof *grouper->known);
        numbering_init(&grouper->rows);
    }
    return grouper;
}

void grouper_free(struct grouper *grouper)
{
    free(grouper->known);
    numbering_free(&grouper->rows);
    for (unsigned i = 0; i < grouper->plan->refinement_count; i++) {
        free(grouper->refiners[i].known);
        numbering_free(&grouper->refiners[i].pairs);
    }
    free(grouper);
}

uint32_t grouper_count(const struct grouper *grouper)
{
    return grouper->count;
}

static inline bool takes_part(const struct group_plan *plan, uint32_t e, uint8_t class)
{
    const uint64_t *selected = plan->selected;
    return (plan->tree->state[e] == STATE_ROW) & (class != GROUP_LEFT_OUT) &
           (selected == NULL || (selected[e / 64] >> e % 64 & 1));
}

/* The row of an event whose name and class are new; or of one in the array form, which has a row for each node as
 * well. */
static uint32_t name_row(struct grouper *grouper, uint32_t e, uint8_t class)
{
    const struct trace *trace = grouper->plan->tree->trace;
    uint32_t node = trace->events.flags[e] & EVENT_NODE ? (uint32_t)event_node_id(trace, e) + 1 : 0;
    return numbering_add(&grouper->rows, numbering_pair(event_key(trace, e), node << 2 | (class & 3)));
}

/* By torch's own key. */
static void take_names(struct grouper *grouper, uint32_t from, uint32_t to, uint32_t *row_of)
{
    const struct group_plan *plan = grouper->plan;
    const struct events *events = &plan->tree->trace->events;
    const uint32_t *name = events->name;
    const uint8_t *category = events->category, *flags = events->flags;
    uint32_t *known = grouper->known;
    for (uint32_t e = from; e < to; e++) {
        uint8_t class = plan->class[category[e]];
        size_t at = takes_part(plan, e, class) ? (size_t)name[e] * GROUP_CLASSES + class + 1 : 0;
        uint32_t row = known[at];
        if ((at != 0) & ((row == 0) | ((flags[e] & EVENT_NODE) != 0))) {
            row = name_row(grouper, e, class) + 1;
            if (!(flags[e] & EVENT_NODE))
                known[at] = row;
        }
        row_of[e] = row - 1;
    }
    grouper->count = grouper->rows.count;
}

static void take_sides(struct grouper *grouper, uint32_t from, uint32_t to, uint32_t *row_of)
{
    const struct group_plan *plan = grouper->plan;
    for (uint32_t e = from; e < to; e++) {
        uint8_t class = plan->class[plan->tree->trace->events.category[e]];
        row_of[e] = takes_part(plan, e, class) ? class : NO_EVENT;
    }
    grouper->count = GROUP_OVERLOADED;
}

/* Room in the table of pairs for so many rows; where that is too much, its pairs are hashed from now on. */
static void make_room(struct refiner *refiner, uint32_t rows, uint32_t range)
{
    enum { LARGEST = 1 << 23, FEW = 64 };
    if (rows <= refiner->room || refiner->pairs.slots != NULL)
        return;
    size_t room = rows < FEW ? FEW : (size_t)rows + rows / 2, pairs = room * range, old = refiner->room * range;
    if (pairs <= LARGEST || (size_t)rows * range <= LARGEST) {
        uint32_t *known = memory_zero(pairs + 1, sizeof *known);
        if (refiner->known != NULL)
            memcpy(known, refiner->known, (old + 1) * sizeof *known);
        free(refiner->known);
        refiner->known = known;
        refiner->room = room;
        return;
    }
    uint32_t *first = memory_alloc(((size_t)refiner->count + 1) * sizeof *first);
    for (size_t i = 0; i < old; i++)
        if (refiner->known[i + 1] != 0)
            first[refiner->known[i + 1] - 1] = (uint32_t)i;
    numbering_init(&refiner->pairs);
    for (uint32_t i = 0; i < refiner->count; i++)
        numbering_add(&refiner->pairs, numbering_pair(first[i] / range, first[i] % range));
    free(first);
    free(refiner->known);
    refiner->known = NULL;
}

static void refine(struct refiner *refiner, uint32_t *row_of, const uint32_t *values, uint32_t range, uint32_t count)
{
    uint32_t *known = refiner->known, rows = refiner->count;
    if (known == NULL) {
        for (uint32_t i = 0; i < count; i++)
            if (row_of[i] != NO_EVENT)
                row_of[i] = numbering_add(&refiner->pairs, numbering_pair(row_of[i], values[i]));
        refiner->count = refiner->pairs.count;
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        size_t at = row_of[i] != NO_EVENT ? (size_t)row_of[i] * range + values[i] + 1 : 0;
        uint32_t row = known[at];
        if ((row == 0) & (at != 0))
            known[at] = row = ++rows;
        row_of[i] = row - 1;
    }
    refiner->count = rows;
}

void grouper_take(struct grouper *grouper, uint32_t from, uint32_t to, uint32_t *row_of)
{
    const struct group_plan *plan = grouper->plan;
    if (plan->by_name)
        take_names(grouper, from, to, row_of);
    else
        take_sides(grouper, from, to, row_of);
    /* One part after the other refines the rows; numbers stay in order of first appearance. */
    for (unsigned i = 0; i < plan->refinement_count; i++) {
        const struct group_refinement *refinement = &plan->refinements[i];
        struct refiner *refiner = &grouper->refiners[i];
        group_values(plan, refinement, from, to, grouper->values);
        make_room(refiner, grouper->count, refinement->range);
        refine(refiner, row_of + from, grouper->values, refinement->range, to - from);
        grouper->count = refiner->count;
    }
}

uint32_t group_events(struct tree *tree, const struct grouping *grouping, uint32_t *row_of)
{
    struct group_plan plan;
    group_plan_init(&plan, tree, grouping, NULL);
    struct grouper *grouper = grouper_start(&plan);
    for (uint32_t from = 0; from < tree->count; from = group_block_end(from, tree->count))
        grouper_take(grouper, from, group_block_end(from, tree->count), row_of);
    uint32_t count = grouper_count(grouper);
    grouper_free(grouper);
    group_plan_free(&plan);
    return count;
}
