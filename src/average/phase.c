#include "keyavg/phase.h"

#include "keyavg/names.h"

static const char *const names[PHASE_COUNT] = {"[none]", "forward", "backward", "optimizer", "data loading", "user",
                                         "recompute", "gradient sync"};

const char *phase_name(enum phase phase)
{
    return names[phase];
}

enum phase phase_find(struct span name)
{
    if (span_is(name, "none"))
        return PHASE_NONE;
    if (span_is(name, "data"))
        return PHASE_DATA;
    if (span_is(name, "sync"))
        return PHASE_SYNC;
    for (int i = 0; i < PHASE_COUNT; i++)
        if (span_is(name, names[i]))
            return (enum phase)i;
    return PHASE_COUNT;
}

/* What a name alone decides, PHASE_NONE nothing. */
static enum phase phase_of_name(struct span name)
{
    if (span_starts(name, "Optimizer.step#") || span_starts(name, "Optimizer.zero_grad#"))
        return PHASE_OPTIMIZER;
    if (span_starts(name, "enumerate(DataLoader)#") || span_starts(name, "enumerate(DataPipe)#"))
        return PHASE_DATA;
    if (span_starts(name, "autograd::engine::evaluate_function"))
        return PHASE_BACKWARD;
    return PHASE_NONE;
}

/* What a name decides inside of backward. */
static enum phase phase_in_backward(const struct trace *trace, uint32_t name)
{
    struct span text = strings_get(&trace->strings, name);
    if (span_starts(text, "torch/utils/checkpoint.py("))
        return PHASE_RECOMPUTE;
    if (trace->names[name].collective || span_starts(text, "c10d::") || span_starts(text, "record_param_comms"))
        return PHASE_SYNC;
    return PHASE_NONE;
}

static enum phase phase_of_kind(enum event_kind kind)
{
    switch (kind) {
    case KIND_ANNOTATION: return PHASE_USER;
    case KIND_OP:
    case KIND_RUNTIME: return PHASE_FORWARD;
    default: return PHASE_NONE;
    }
}

const uint8_t *tree_phases(struct tree *tree)
{
    if (tree->phase != NULL)
        return tree->phase;
    const struct trace *trace = tree->trace;
    uint8_t *by_name = memory_alloc((size_t)trace->strings.count + 1);
    uint8_t *inside = memory_alloc((size_t)trace->strings.count + 1);
    memset(by_name, 0xFF, (size_t)trace->strings.count + 1);
    /* What the event or one above it decides; a parent stands before its children. */
    uint8_t *found = memory_zero((size_t)tree->count + 1, 1);
    uint8_t *phase = memory_zero((size_t)tree->count + 1, 1);
    for (uint32_t e = 0; e < tree->count; e++) {
        if (event_on_device(trace, e))
            continue;
        uint32_t name = trace->events.name[e];
        if (by_name[name] == 0xFF) {
            by_name[name] = (uint8_t)phase_of_name(strings_get(&trace->strings, name));
            inside[name] = (uint8_t)phase_in_backward(trace, name);
        }
        found[e] = by_name[name];
        if (found[e] == PHASE_NONE && trace->events.flags[e] & EVENT_HAS_FORWARD)
            found[e] = PHASE_BACKWARD;
        if (found[e] == PHASE_NONE && tree->parent[e] != NO_EVENT)
            found[e] = found[tree->parent[e]];
        if (inside[name] != PHASE_NONE && (found[e] == PHASE_BACKWARD || found[e] == PHASE_RECOMPUTE))
            found[e] = inside[name];
        phase[e] = found[e] != PHASE_NONE ? found[e] : (uint8_t)phase_of_kind(event_kind(trace, e));
    }
    for (uint32_t e = 0; e < tree->count; e++)
        if (event_on_device(trace, e) && tree->owner[e] != NO_EVENT)
            phase[e] = phase[tree->owner[e]];
    free(by_name);
    free(inside);
    free(found);
    return tree->phase = phase;
}
