/* What a grouping asks of the events: what can be said of a name, of inputs or of a stack is found once for each of
 * them, not for each event. */
#include <stdlib.h>
#include <string.h>

#include "group.h"
#include "keyavg/module.h"
#include "keyavg/names.h"
#include "keyavg/phase.h"
#include "keyavg/steps.h"
#include "numbering.h"

/* What of an event's kind is part of torch's key: device type, annotation or not. */
static uint8_t kind_part(enum event_kind kind)
{
    return (uint8_t)(kind_on_device(kind) << 1 | (kind == KIND_ANNOTATION || kind == KIND_DEVICE_ANNOTATION));
}

static void classify(struct group_plan *plan, const struct grouping *grouping)
{
    for (unsigned i = 0; i < category_count; i++) {
        enum event_kind kind = (enum event_kind)categories[i].kind;
        bool overload = i == CATEGORY_OP || i == CATEGORY_ABSENT;
        if (kind == KIND_PYTHON && grouping->python != PYTHON_AS_ROWS)
            plan->class[i] = GROUP_LEFT_OUT;
        else if (plan->by_name)
            plan->class[i] = (uint8_t)(kind_part(kind) | (overload ? GROUP_OVERLOADED : 0));
        else /* rows of the device, and its annotations, still stay apart from those of ops: they tell the same time again */
            plan->class[i] = kind_on_device(kind) ? kind_part(kind) : 0;
        plan->overloaded[i] = overload;
        plan->runtime[i] = kind == KIND_RUNTIME;
        plan->on_device[i] = kind_on_device(kind);
    }
}

/* Values to dense numbers in place, 0 to 0; returns how many there are. */
static uint32_t make_dense(uint32_t *values, uint32_t count)
{
    struct numbering numbering;
    numbering_init(&numbering);
    numbering_add(&numbering, 0);
    for (uint32_t i = 0; i < count; i++)
        values[i] = numbering_add(&numbering, values[i]);
    uint32_t dense = numbering.count;
    numbering_free(&numbering);
    return dense;
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

/* By name: its overload. */
static uint32_t *overload_part(const struct trace *trace)
{
    uint32_t *values = memory_alloc(((size_t)trace->name_count + 1) * sizeof *values);
    for (uint32_t i = 0; i < trace->name_count; i++)
        values[i] = trace->names[i].overload;
    return values;
}

static uint32_t largest(const uint32_t *column, uint32_t count)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < count; i++)
        most = column[i] > most ? column[i] : most;
    return most;
}

static void plan_part(struct group_plan *plan, const struct grouping *grouping, enum group_part part)
{
    struct tree *tree = plan->tree;
    struct trace *trace = tree->trace;
    struct group_refinement *to = &plan->refinements[plan->refinement_count++];
    uint32_t count = 0;
    *to = (struct group_refinement){.part = part};
    switch (part) {
    case GROUP_OVERLOAD:
        count = trace->name_count;
        to->values = overload_part(trace);
        break;
    case GROUP_SHAPE:
    case GROUP_DTYPE:
        to->column = trace->events.inputs;
        count = (uint32_t)trace->inputs.count;
        to->values = inputs_part(trace, grouping, part);
        break;
    case GROUP_STACK:
        to->column = tree->stack;
        count = trace->stacks.count;
        to->values = stack_part(trace, (uint32_t)grouping->stack_depth, count);
        break;
    case GROUP_THREAD:
        to->range = (uint32_t)trace->threads.count;
        break;
    case GROUP_STEP:
        to->column = tree_steps(tree)->of;
        to->range = tree_steps(tree)->count + 1;
        break;
    case GROUP_SCOPE:
        plan->phases = tree_phases(tree);
        to->range = PHASE_COUNT;
        break;
    case GROUP_MODULE:
        to->column = tree_modules(tree);
        to->range = largest(to->column, tree->count) + 1;
        break;
    case GROUP_DEVICE:
        to->range = (uint32_t)trace->lanes.count;
        break;
    case GROUP_NAME:
        break;
    }
    if (to->values != NULL)
        to->range = make_dense(to->values, count);
}

void group_plan_init(struct group_plan *plan, struct tree *tree, const struct grouping *grouping,
                     const uint64_t *selected)
{
    memset(plan, 0, sizeof *plan);
    plan->tree = tree;
    plan->selected = selected;
    plan->by_name = (grouping->parts & GROUP_NAME) != 0;
    classify(plan, grouping);
    for (unsigned part = GROUP_OVERLOAD; part <= GROUP_DEVICE; part <<= 1)
        if (grouping->parts & part)
            plan_part(plan, grouping, (enum group_part)part);
}

void group_plan_free(struct group_plan *plan)
{
    for (unsigned i = 0; i < plan->refinement_count; i++)
        free(plan->refinements[i].values);
}

/* A part of the key that has to be found for each event. */
static uint32_t find_value(const struct group_plan *plan, const struct group_refinement *refinement, uint32_t e)
{
    const struct events *events = &plan->tree->trace->events;
    uint8_t category = events->category[e];
    switch (refinement->part) {
    case GROUP_OVERLOAD:
        return plan->overloaded[category] ? refinement->values[events->name[e]] : 0;
    case GROUP_THREAD:
        return plan->runtime[category] ? tree_thread(plan->tree, e) : events->thread[e];
    case GROUP_DEVICE: /* of an op the place is its forward thread */
        return plan->on_device[category] ? events->place[e] : 0;
    case GROUP_SCOPE:
        return plan->phases[e];
    default:
        return 0;
    }
}

void group_values(const struct group_plan *plan, const struct group_refinement *refinement, uint32_t from, uint32_t to,
                  uint32_t *out)
{
    const uint32_t *column = refinement->column, *values = refinement->values;
    if (column == NULL)
        for (uint32_t e = from; e < to; e++)
            *out++ = find_value(plan, refinement, e);
    else if (values == NULL)
        memcpy(out, column + from, (size_t)(to - from) * sizeof *out);
    else
        for (uint32_t e = from; e < to; e++)
            *out++ = values[column[e]];
}
