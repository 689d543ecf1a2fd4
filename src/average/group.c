#include "group.h"

#include <stdlib.h>
#include <string.h>

#include "keyavg/module.h"
#include "keyavg/names.h"
#include "keyavg/phase.h"
#include "keyavg/steps.h"

/* Pairs of numbers to dense numbers, in order of first appearance. */
struct pairs {
    uint64_t *keys;
    uint32_t *numbers;
    uint32_t mask, count;
};

static void pairs_init(struct pairs *pairs)
{
    pairs->mask = 1023;
    pairs->count = 0;
    pairs->keys = memory_alloc(((size_t)pairs->mask + 1) * sizeof *pairs->keys);
    pairs->numbers = memory_alloc(((size_t)pairs->mask + 1) * sizeof *pairs->numbers);
    memset(pairs->numbers, 0xFF, ((size_t)pairs->mask + 1) * sizeof *pairs->numbers);
}

static void pairs_free(struct pairs *pairs)
{
    free(pairs->keys);
    free(pairs->numbers);
}

static uint32_t pairs_slot(const struct pairs *pairs, uint64_t key)
{
    uint32_t slot = (uint32_t)hash_pair(key, 0) & pairs->mask;
    while (pairs->numbers[slot] != NO_EVENT && pairs->keys[slot] != key)
        slot = (slot + 1) & pairs->mask;
    return slot;
}

static uint32_t pairs_add(struct pairs *pairs, uint32_t a, uint32_t b)
{
    uint64_t key = (uint64_t)a << 32 | b;
    uint32_t slot = pairs_slot(pairs, key);
    if (pairs->numbers[slot] != NO_EVENT)
        return pairs->numbers[slot];
    uint32_t number = pairs->count++;
    pairs->keys[slot] = key;
    pairs->numbers[slot] = number;
    if (pairs->count > pairs->mask / 2) {
        struct pairs old = *pairs;
        pairs->mask = old.mask * 2 + 1;
        pairs->keys = memory_alloc(((size_t)pairs->mask + 1) * sizeof *pairs->keys);
        pairs->numbers = memory_alloc(((size_t)pairs->mask + 1) * sizeof *pairs->numbers);
        memset(pairs->numbers, 0xFF, ((size_t)pairs->mask + 1) * sizeof *pairs->numbers);
        for (size_t i = 0; i <= old.mask; i++)
            if (old.numbers[i] != NO_EVENT) {
                slot = pairs_slot(pairs, old.keys[i]);
                pairs->keys[slot] = old.keys[i];
                pairs->numbers[slot] = old.numbers[i];
            }
        pairs_free(&old);
    }
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
static uint32_t cut_stack(struct trace *trace, uint32_t node, uint32_t depth, uint32_t *memo)
{
    if (trace->stacks.nodes[node].depth <= depth)
        return node;
    if (memo[node] != NO_EVENT)
        return memo[node];
    uint32_t *frames = memory_alloc(depth * sizeof *frames), at = node, cut = 0;
    for (uint32_t i = 0; i < depth; i++) {
        frames[i] = trace->stacks.nodes[at].frame;
        at = trace->stacks.nodes[at].caller;
    }
    for (uint32_t i = depth; i-- > 0;)
        cut = stacks_add(&trace->stacks, cut, frames[i]);
    free(frames);
    return memo[node] = cut;
}

struct grouper {
    struct tree *tree;
    struct trace *trace;
    const struct grouping *grouping;
    uint32_t *cut; /* by stack node */
};

/* A number for what one part of the key is for an event; equal numbers mean equal parts. */
static uint32_t part_of(struct grouper *grouper, enum group_part part, uint32_t e)
{
    struct trace *trace = grouper->trace;
    const struct events *events = &trace->events;
    const struct inputs *inputs = &trace->inputs.items[events->inputs[e]];
    switch (part) {
    case GROUP_NAME:
        return event_key(trace, e);
    case GROUP_OVERLOAD:
        return event_overload(trace, e);
    case GROUP_SHAPE:
        return grouper->grouping->full_list_shapes ? inputs->dims : inputs->torch_dims;
    case GROUP_DTYPE:
        return inputs->types;
    case GROUP_STACK:
        return cut_stack(trace, grouper->tree->stack[e], (uint32_t)grouper->grouping->stack_depth, grouper->cut);
    case GROUP_THREAD:
        return tree_thread(grouper->tree, e);
    case GROUP_DEVICE:
        return event_on_device(trace, e) ? events->place[e] : 0; /* of an op that is its forward thread */
    case GROUP_STEP:
        return tree_steps(grouper->tree)->of[e];
    case GROUP_SCOPE:
        return tree_phases(grouper->tree)[e];
    case GROUP_MODULE:
        return tree_modules(grouper->tree)[e];
    }
    return 0;
}

static bool takes_part(const struct tree *tree, const struct grouping *grouping, const uint64_t *selected, uint32_t e)
{
    if (tree->state[e] != STATE_ROW || (selected != NULL && !(selected[e / 64] >> e % 64 & 1)))
        return false;
    return grouping->python == PYTHON_AS_ROWS || event_kind(tree->trace, e) != KIND_PYTHON;
}

uint32_t group_events(struct tree *tree, const struct grouping *grouping, const uint64_t *selected, uint32_t *row_of)
{
    struct grouper grouper = {.tree = tree, .trace = tree->trace, .grouping = grouping};
    unsigned parts = grouping->parts;
    if (parts & GROUP_STACK) {
        grouper.cut = memory_alloc(tree->trace->stacks.count * sizeof *grouper.cut);
        memset(grouper.cut, 0xFF, tree->trace->stacks.count * sizeof *grouper.cut);
    }
    bool by_name = (parts & GROUP_NAME) != 0;
    for (uint32_t e = 0; e < tree->count; e++)
        row_of[e] = !takes_part(tree, grouping, selected, e) ? NO_EVENT
                    : by_name                                ? 0
                                                             : side_of(event_kind(tree->trace, e));
    /* One part after the other refines the groups; numbers stay in order of first appearance. */
    uint32_t count = 0;
    for (unsigned part = GROUP_NAME; part <= GROUP_DEVICE; part <<= 1) {
        if (!(parts & part))
            continue;
        struct pairs pairs;
        pairs_init(&pairs);
        for (uint32_t e = 0; e < tree->count; e++)
            if (row_of[e] != NO_EVENT)
                row_of[e] = pairs_add(&pairs, row_of[e], part_of(&grouper, (enum group_part)part, e));
        if (part == GROUP_NAME) {
            struct pairs kinds;
            pairs_init(&kinds);
            for (uint32_t e = 0; e < tree->count; e++)
                if (row_of[e] != NO_EVENT) {
                    uint32_t node = (uint32_t)event_node_id(tree->trace, e) + 1;
                    row_of[e] = pairs_add(&kinds, row_of[e], node << 2 | kind_part(event_kind(tree->trace, e)));
                }
            pairs_free(&pairs);
            pairs = kinds;
        }
        count = pairs.count;
        pairs_free(&pairs);
    }
    free(grouper.cut);
    return count;
}
