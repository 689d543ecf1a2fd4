#include "keyavg/module.h"

#include <stdlib.h>

#include "keyavg/names.h"

static const char frame_mark[] = "nn.Module: ";

/* The innermost module frame of each stack; a caller's node stands before the nodes it called. */
static uint32_t *modules_of_stacks(struct trace *trace)
{
    struct stacks *stacks = &trace->stacks;
    uint32_t *module = memory_zero((size_t)stacks->count + 1, sizeof *module);
    for (uint32_t node = 1; node < stacks->count; node++) {
        struct span frame = strings_get(&trace->strings, stacks->nodes[node].frame);
        if (span_starts(frame, frame_mark)) {
            size_t skipped = sizeof frame_mark - 1;
            module[node] = strings_add(&trace->strings, frame.bytes + skipped, frame.length - skipped);
        } else {
            module[node] = module[stacks->nodes[node].caller];
        }
    }
    return module;
}

/* `TOP(Net).fc(Linear)`: `fc(Linear)`; `TOP()::f.`: `TOP()::f`. */
static uint32_t last_part(struct trace *trace, uint32_t hierarchy)
{
    struct span text = strings_get(&trace->strings, hierarchy);
    while (text.length > 0 && text.bytes[text.length - 1] == '.')
        text.length--;
    size_t from = text.length;
    int depth = 0;
    while (from > 0) {
        char c = text.bytes[from - 1];
        if (c == '.' && depth == 0)
            break;
        depth += c == ')' ? 1 : c == '(' ? -1 : 0;
        from--;
    }
    return strings_add(&trace->strings, text.bytes + from, text.length - from);
}

struct forward {
    int64_t number;
    uint32_t thread, event;
};

static int by_sequence(const void *a, const void *b)
{
    const struct forward *x = a, *y = b;
    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    return (x->event > y->event) - (x->event < y->event);
}

/* Where only the hierarchy is recorded, backward events look for their forward event by sequence number and thread. */
static void fill_backward(struct tree *tree, uint32_t *module)
{
    const struct trace *trace = tree->trace;
    const struct events *events = &trace->events;
    ARRAY(struct forward) forwards = {0};
    for (uint32_t e = 0; e < tree->count; e++)
        if (module[e] != 0 && event_kind(trace, e) == KIND_OP && events_number(events, e) >= 0 &&
            !(events->flags[e] & EVENT_HAS_FORWARD))
            array_push(&forwards, (struct forward){events_number(events, e), tree_thread(tree, e), e});
    if (forwards.count > 0)
        qsort(forwards.items, forwards.count, sizeof *forwards.items, by_sequence);
    uint8_t *backward = memory_zero((size_t)tree->count + 1, 1);
    for (uint32_t e = 0; e < tree->count && forwards.count > 0; e++) {
        if (event_on_device(trace, e))
            continue;
        uint32_t parent = tree->parent[e];
        bool own = (events->flags[e] & EVENT_HAS_FORWARD) != 0;
        backward[e] = own || (parent != NO_EVENT && backward[parent]);
        if (module[e] != 0 || !backward[e])
            continue;
        if (!own) {
            module[e] = parent != NO_EVENT ? module[parent] : 0;
            continue;
        }
        struct forward wanted = {events_number(events, e), tree->forward_thread[events->place[e]], 0};
        size_t low = 0, high = forwards.count;
        while (low < high) {
            size_t middle = (low + high) / 2;
            if (by_sequence(&forwards.items[middle], &wanted) < 0)
                low = middle + 1;
            else
                high = middle;
        }
        if (low < forwards.count && forwards.items[low].number == wanted.number &&
            forwards.items[low].thread == wanted.thread)
            module[e] = module[forwards.items[low].event];
    }
    free(backward);
    array_free(&forwards);
}

const uint32_t *tree_modules(struct tree *tree)
{
    if (tree->module != NULL)
        return tree->module;
    struct trace *trace = tree->trace;
    uint32_t *module = memory_zero((size_t)tree->count + 1, sizeof *module);
    uint32_t *of_stack = modules_of_stacks(trace);
    uint32_t *of_inputs = memory_zero(trace->inputs.count + 1, sizeof *of_inputs);
    bool any_hierarchy = false;
    for (size_t i = 0; i < trace->inputs.count; i++) {
        if (trace->inputs.items[i].module == 0)
            continue;
        of_inputs[i] = last_part(trace, trace->inputs.items[i].module);
        any_hierarchy = true;
    }
    for (uint32_t e = 0; e < tree->count; e++) {
        if (event_on_device(trace, e))
            continue;
        module[e] = of_stack[tree->stack[e]];
        if (module[e] == 0)
            module[e] = of_inputs[trace->events.inputs[e]];
    }
    if (any_hierarchy)
        fill_backward(tree, module);
    for (uint32_t e = 0; e < tree->count; e++)
        if (event_on_device(trace, e) && tree->owner[e] != NO_EVENT)
            module[e] = module[tree->owner[e]];
    free(of_stack);
    free(of_inputs);
    return tree->module = module;
}
