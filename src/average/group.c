/* Which events stand in which row. Every regroup of the explorer comes through here, so the loops over events are plain:
 * what can be said of a name, of inputs or of a stack is found once for each of them, not for each event. */
#include "group.h"

#include <stdlib.h>
#include <string.h>

#include "keyavg/module.h"
#include "keyavg/names.h"
#include "keyavg/phase.h"
#include "keyavg/steps.h"

/* Pairs of numbers to dense numbers, in order of first appearance. */
struct pair {
    uint64_t key;
    uint32_t number;
};

struct pairs {
    struct pair *slots;
    uint32_t mask, count;
};

static void pairs_init(struct pairs *pairs, uint32_t mask)
{
    pairs->mask = mask;
    pairs->count = 0;
    pairs->slots = memory_alloc(((size_t)mask + 1) * sizeof *pairs->slots);
    for (size_t i = 0; i <= mask; i++)
        pairs->slots[i].number = NO_EVENT;
}

static inline struct pair *pairs_slot(const struct pairs *pairs, uint64_t key)
{
    uint32_t slot = (uint32_t)hash_pair(key, 0) & pairs->mask;
    while (pairs->slots[slot].number != NO_EVENT && pairs->slots[slot].key != key)
        slot = (slot + 1) & pairs->mask;
    return &pairs->slots[slot];
}

static void pairs_grow(struct pairs *pairs)
{
    struct pairs old = *pairs;
    pairs_init(pairs, old.mask * 2 + 1);
    pairs->count = old.count;
    for (size_t i = 0; i <= old.mask; i++)
        if (old.slots[i].number != NO_EVENT)
            *pairs_slot(pairs, old.slots[i].key) = old.slots[i];
    free(old.slots);
}

static inline uint32_t pairs_add(struct pairs *pairs, uint32_t a, uint32_t b)
{
    uint64_t key = (uint64_t)a << 32 | b;
    struct pair *slot = pairs_slot(pairs, key);
    if (slot->number != NO_EVENT)
        return slot->number;
    uint32_t number = pairs->count++;
    *slot = (struct pair){key, number};
    if (pairs->count > pairs->mask / 2)
        pairs_grow(pairs);
    return number;
}

/* What of an event's kind is part of torch's key: device type, annotation or not. */
static uint32_t kind_part(enum event_kind kind)
{
    return (uint32_t)kind_on_device(kind) << 1 | (kind == KIND_ANNOTATION || kind == KIND_DEVICE_ANNOTATION);
}

/* Without the name rows of the device, and its annotations, still stay apart from those of ops: they tell the same time
 * again. */
static uint32_t side_of(enum event_kind kind)
{
    return kind_on_device(kind) ? kind_part(kind) : 0;
}

/* The stack that is the `depth` innermost frames of a node, as a node of its own. */
static uint32_t cut_stack(struct trace *trace, uint32_t node, uint32_t depth, uint32_t *frames)
{
    if (trace->stacks.nodes[node].depth <= depth)
        return node;
    uint32_t at = node, cut = 0;
    for (uint32_t i = 0; i < depth; i++) {
        frames[i] = trace->stacks.nodes[at].frame;
        at = trace->stacks.nodes[at].caller;
    }
    for (uint32_t i = depth; i-- > 0;)
        cut = stacks_add(&trace->stacks, cut, frames[i]);
    return cut;
}

/* Categories are few: what each of them means for a key. */
struct kinds {
    uint8_t left_out[256]; /* makes no rows under this grouping */
    uint8_t class[256];    /* kind_part, and 4 where an overload in the name counts */
    uint8_t side[256];
};

static void kinds_init(struct kinds *kinds, const struct grouping *grouping)
{
    memset(kinds, 0, sizeof *kinds);
    for (unsigned i = 0; i < category_count; i++) {
        enum event_kind kind = (enum event_kind)categories[i].kind;
        kinds->left_out[i] = kind == KIND_PYTHON && grouping->python != PYTHON_AS_ROWS;
        kinds->class[i] = (uint8_t)(kind_part(kind) | (i == CATEGORY_OP || i == CATEGORY_ABSENT ? 4 : 0));
        kinds->side[i] = (uint8_t)side_of(kind);
    }
}

static inline bool takes_part(const struct tree *tree, const struct kinds *kinds, const uint64_t *selected, uint32_t e)
{
    return tree->state[e] == STATE_ROW && !kinds->left_out[tree->trace->events.category[e]] &&
           (selected == NULL || (selected[e / 64] >> e % 64 & 1));
}

/* By torch's own key. One look-up an event: by name as the file has it and class, to the row. */
static uint32_t group_by_name(const struct tree *tree, const struct kinds *kinds, const uint64_t *selected,
                              uint32_t *row_of)
{
    const struct trace *trace = tree->trace;
    const struct events *events = &trace->events;
    uint32_t *known = memory_zero((size_t)trace->name_count * 8, sizeof *known); /* row + 1 */
    struct pairs pairs;
    pairs_init(&pairs, 1023);
    for (uint32_t e = 0; e < tree->count; e++) {
        if (!takes_part(tree, kinds, selected, e)) {
            row_of[e] = NO_EVENT;
            continue;
        }
        uint32_t class = kinds->class[events->category[e]], *row = &known[(size_t)events->name[e] * 8 + class];
        if (events->flags[e] & EVENT_NODE) { /* the array form: a row for each node as well */
            uint32_t node = (uint32_t)event_node_id(trace, e) + 1;
            row_of[e] = pairs_add(&pairs, event_key(trace, e), node << 2 | (class & 3));
        } else {
            if (*row == 0)
                *row = pairs_add(&pairs, event_key(trace, e), class & 3) + 1;
            row_of[e] = *row - 1;
        }
    }
    uint32_t count = pairs.count;
    free(pairs.slots);
    free(known);
    return count;
}

/* Values to dense numbers from 0: `values` in place; returns how many there are. */
static uint32_t make_dense(uint32_t *values, uint32_t count)
{
    struct pairs pairs;
    pairs_init(&pairs, 1023);
    for (uint32_t i = 0; i < count; i++)
        values[i] = pairs_add(&pairs, values[i], 0);
    uint32_t dense = pairs.count;
    free(pairs.slots);
    return dense;
}

/* Refines rows by one more part of the key, which is values[column[e]], or column[e] itself where `values` is NULL; there
 * are `range` values. A table of all pairs is one look-up an event; where it were too large, pairs are hashed. */
static uint32_t refine(uint32_t *row_of, uint32_t events, uint32_t rows, const uint32_t *column, const uint32_t *values,
                       uint32_t range)
{
    enum { LARGEST = 1 << 23 };
    if ((uint64_t)rows * range <= LARGEST) {
        uint32_t *known = memory_zero((size_t)rows * range + 1, sizeof *known), count = 0; /* row + 1 */
        for (uint32_t e = 0; e < events; e++) {
            if (row_of[e] == NO_EVENT)
                continue;
            uint32_t value = values != NULL ? values[column[e]] : column[e];
            uint32_t *row = &known[(size_t)row_of[e] * range + value];
            if (*row == 0)
                *row = ++count;
            row_of[e] = *row - 1;
        }
        free(known);
        return count;
    }
    struct pairs pairs;
    pairs_init(&pairs, 4095);
    for (uint32_t e = 0; e < events; e++)
        if (row_of[e] != NO_EVENT)
            row_of[e] = pairs_add(&pairs, row_of[e], values != NULL ? values[column[e]] : column[e]);
    uint32_t count = pairs.count;
    free(pairs.slots);
    return count;
}

/* The part of the key that inputs decide, by their number. */
static uint32_t *inputs_part(const struct trace *trace, const struct grouping *grouping, enum group_part part)
{
    uint32_t *values = memory_alloc((trace->inputs.count + 1) * sizeof *values);
    for (size_t i = 0; i < trace->inputs.count; i++) {
        const struct inputs *inputs = &trace->inputs.items[i];
        values[i] = part == GROUP_DTYPE              ? inputs->types
                    : grouping->full_list_shapes     ? inputs->dims
                                                     : inputs->torch_dims;
    }
    return values;
}

/* By stack node: the node of its innermost frames. */
static uint32_t *stack_part(struct trace *trace, uint32_t depth, uint32_t count)
{
    uint32_t *values = memory_alloc(((size_t)count + 1) * sizeof *values);
    uint32_t *frames = memory_alloc(((size_t)depth + 1) * sizeof *frames);
    for (uint32_t i = 0; i < count; i++)
        values[i] = cut_stack(trace, i, depth, frames);
    free(frames);
    return values;
}

/* A part of the key that has to be found for each event. */
static uint32_t *event_part(struct tree *tree, enum group_part part)
{
    const struct trace *trace = tree->trace;
    uint32_t *values = memory_alloc(((size_t)tree->count + 1) * sizeof *values);
    const uint8_t *phases = part == GROUP_SCOPE ? tree_phases(tree) : NULL;
    for (uint32_t e = 0; e < tree->count; e++)
        switch (part) {
        case GROUP_OVERLOAD:
            values[e] = event_overload(trace, e);
            break;
        case GROUP_THREAD:
            values[e] = tree_thread(tree, e);
            break;
        case GROUP_DEVICE: /* of an op the place is its forward thread */
            values[e] = event_on_device(trace, e) ? trace->events.place[e] : 0;
            break;
        case GROUP_SCOPE:
            values[e] = phases[e];
            break;
        default:
            values[e] = 0;
        }
    return values;
}

static uint32_t refine_by(struct tree *tree, const struct grouping *grouping, enum group_part part, uint32_t *row_of,
                          uint32_t rows)
{
    struct trace *trace = tree->trace;
    const uint32_t *column = NULL;
    uint32_t *values = NULL, *made = NULL, count = 0, range = 0;
    switch (part) {
    case GROUP_SHAPE:
    case GROUP_DTYPE:
        column = trace->events.inputs;
        count = (uint32_t)trace->inputs.count;
        values = inputs_part(trace, grouping, part);
        break;
    case GROUP_STACK:
        column = tree->stack;
        count = trace->stacks.count;
        values = stack_part(trace, (uint32_t)grouping->stack_depth, count);
        break;
    case GROUP_STEP:
        column = tree_steps(tree)->of;
        break;
    case GROUP_MODULE:
        column = tree_modules(tree);
        break;
    default:
        column = made = event_part(tree, part);
    }
    if (values != NULL)
        range = make_dense(values, count);
    else
        for (uint32_t e = 0; e < tree->count; e++)
            if (row_of[e] != NO_EVENT && column[e] >= range)
                range = column[e] + 1;
    uint32_t refined = refine(row_of, tree->count, rows, column, values, range);
    free(values);
    free(made);
    return refined;
}

uint32_t group_events(struct tree *tree, const struct grouping *grouping, const uint64_t *selected, uint32_t *row_of)
{
    struct kinds kinds;
    uint32_t rows;
    kinds_init(&kinds, grouping);
    if (grouping->parts & GROUP_NAME) {
        rows = group_by_name(tree, &kinds, selected, row_of);
    } else {
        rows = 4;
        for (uint32_t e = 0; e < tree->count; e++)
            row_of[e] = takes_part(tree, &kinds, selected, e) ? kinds.side[tree->trace->events.category[e]] : NO_EVENT;
    }
    /* One part after the other refines the rows; numbers stay in order of first appearance. */
    for (unsigned part = GROUP_OVERLOAD; part <= GROUP_DEVICE; part <<= 1)
        if (grouping->parts & part)
            rows = refine_by(tree, grouping, (enum group_part)part, row_of, rows);
    return rows;
}
