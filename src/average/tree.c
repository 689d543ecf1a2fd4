#include "keyavg/tree.h"

#include <stdlib.h>
#include <string.h>

#include "keyavg/launches.h"
#include "keyavg/names.h"
#include "keyavg/pairs.h"
#include "keyavg/quality.h"
#include "keyavg/steps.h"
#include "keyavg/timing.h"
#include "keyavg/workers.h"
#include "keyavg/wrap.h"
#include "links.h"

int event_scope(const struct trace *trace, uint32_t event)
{
    enum event_kind kind = event_kind(trace, event);
    if (kind == KIND_ANNOTATION)
        return 7;
    if (kind != KIND_OP)
        return 0;
    const struct name_facts *facts = &trace->names[trace->events.name[event]];
    return facts->accumulate || ((trace->events.flags[event] & EVENT_HAS_FORWARD) && !facts->evaluate);
}

int event_node_id(const struct trace *trace, uint32_t event)
{
    return trace->events.flags[event] & EVENT_NODE ? trace->threads.items[trace->events.thread[event]].node_id : -1;
}

uint32_t tree_row_event(const struct tree *tree, uint32_t event)
{
    return tree->state[event] == STATE_FOLDED ? tree->parent[event] : event;
}

/* Events that take no part: names that torch drops, python frames when they are left out. */
static void set_states(struct tree *tree)
{
    const struct trace *trace = tree->trace;
    int64_t covered = INT64_MIN; /* the latest end of any CPU event so far */
    for (uint32_t e = 0; e < tree->count; e++) {
        enum event_kind kind = event_kind(trace, e);
        bool absent = (trace->events.flags[e] & EVENT_DROPPED_NAME) || (tree->without_python && kind == KIND_PYTHON);
        /* A row made of a memory record that only a python frame covers is none while there are frames. */
        if (kind == KIND_MEMORY)
            absent = trace->events.start[e] <= covered && !span_is(strings_get(&trace->strings, trace->events.name[e]),
                                                                   "[OutOfMemory]");
        else if (!absent && !kind_on_device(kind) && event_end(trace, e) > covered)
            covered = event_end(trace, e);
        tree->state[e] = absent ? STATE_ABSENT : STATE_ROW;
    }
}

static bool in_tree(const struct tree *tree, uint32_t e)
{
    return tree->state[e] == STATE_ROW && !event_on_device(tree->trace, e) &&
           !(tree->trace->events.flags[e] & EVENT_ASYNC);
}

/* On each thread a stack of enclosing events; below an event on it lies its parent, so that `parent` is the stack. */
static void find_parents(struct tree *tree)
{
    const struct trace *trace = tree->trace;
    /* Events of a remote node do not nest with others on the same thread text. */
    size_t threads = trace->threads.count * 2;
    uint32_t *top = memory_alloc((threads + 1) * sizeof *top);
    for (size_t i = 0; i < threads; i++)
        top[i] = NO_EVENT;
    for (uint32_t e = 0; e < tree->count; e++) {
        tree->parent[e] = NO_EVENT;
        if (!in_tree(tree, e))
            continue;
        size_t thread = (size_t)tree_thread(tree, e) * 2 + (event_node_id(trace, e) != -1);
        uint32_t parent = top[thread];
        int64_t start = trace->events.start[e], end = event_end(trace, e);
        int64_t overlap = 0; /* with the outermost that it crosses */
        while (parent != NO_EVENT && (start >= event_end(trace, parent) || end > event_end(trace, parent))) {
            overlap = start < event_end(trace, parent) ? event_end(trace, parent) - start : overlap;
            parent = tree->parent[parent];
        }
        if (overlap > 0)
            array_push(&tree->crossing, e);
        wrap_to(&tree->overlap, overlap);
        tree->parent[e] = parent;
        top[thread] = e;
    }
    free(top);
}

/* An only child of its parent's name stands in the parent, which takes its children and its kernels. */
static void fold(struct tree *tree)
{
    const struct trace *trace = tree->trace;
    uint32_t *children = memory_zero((size_t)tree->count + 1, sizeof *children);
    uint32_t *kernels_of = memory_alloc(((size_t)tree->count + 1) * sizeof *kernels_of);
    bool any = false;
    for (uint32_t e = 0; e < tree->count; e++) {
        kernels_of[e] = e;
        if (tree->parent[e] != NO_EVENT)
            children[tree->parent[e]]++;
    }
    for (uint32_t e = 0; e < tree->count; e++) {
        uint32_t parent = tree->parent[e];
        if (parent == NO_EVENT)
            continue;
        if (tree->state[parent] == STATE_FOLDED)
            tree->parent[e] = parent = tree->parent[parent];
        if (children[parent] == 1 && event_key(trace, parent) == event_key(trace, e)) {
            tree->state[e] = STATE_FOLDED;
            children[parent] = children[e];
            kernels_of[parent] = e;
            any = true;
        }
    }
    for (uint32_t e = 0; any && e < tree->count; e++) {
        uint32_t owner = tree->owner[e];
        if (owner == NO_EVENT || !event_on_device(trace, e))
            continue;
        uint32_t row = tree_row_event(tree, owner);
        tree->owner[e] = kernels_of[row] == owner ? row : NO_EVENT;
    }
    free(children);
    free(kernels_of);
}

static void sum_times(struct tree *tree)
{
    const struct trace *trace = tree->trace;
    bool has_device = trace->backend != BACKEND_NONE;
    if (has_device) {
        amounts_init(&tree->device_total, tree->count);
        amounts_init(&tree->self_device, tree->count);
    }
    bool attached = trace->backend == BACKEND_CUDA || trace->backend == BACKEND_XPU || trace->backend == BACKEND_PRIVATEUSE1;
    for (uint32_t e = 0; e < tree->count; e++) {
        int64_t duration = trace->events.duration[e];
        bool device = event_on_device(trace, e), async = (trace->events.flags[e] & EVENT_ASYNC) != 0;
        if (!device && !async)
            amounts_set(&tree->self_cpu, e, duration);
        if (!device || !trace->backend || tree->state[e] != STATE_ROW)
            continue;
        if (!async) {
            amounts_set(&tree->device_total, e, duration);
            amounts_set(&tree->self_device, e, duration);
            tree->has_device_time |= duration > 0;
        }
        if (!attached)
            tree->owner[e] = NO_EVENT; /* MTIA and HPU events are rows but nobody's kernels */
        else if (tree->owner[e] != NO_EVENT)
            amounts_add(&tree->self_device, tree->owner[e], duration);
    }
    for (uint32_t e = tree->count; e-- > 0;) { /* children before parents */
        if (tree->state[e] != STATE_ROW || event_on_device(trace, e))
            continue;
        uint32_t parent = tree->parent[e];
        if (has_device)
            amounts_add(&tree->device_total, e, amounts_get(&tree->self_device, e));
        if (parent != NO_EVENT) {
            if (has_device)
                amounts_add(&tree->device_total, parent, amounts_get(&tree->device_total, e));
            amounts_add(&tree->self_cpu, parent, wrap_sub(0, trace->events.duration[e]));
        }
    }
}

/* What needs no more than the states: links and parents on one side, stacks and memory on the other. */
static void build_half(void *context, unsigned number)
{
    struct tree *tree = context;
    if (number == 0) {
        links_build(tree);
        find_parents(tree);
    } else {
        frames_build(tree);
        memory_build(tree);
    }
}

struct tree *tree_build(struct trace *trace, bool without_python)
{
    timing_begin(TIMING_LINKS);
    struct tree *tree = memory_zero(1, sizeof *tree);
    size_t count = trace->events.count;
    tree->trace = trace;
    tree->without_python = without_python;
    tree->count = trace->events.count;
    tree->parent = memory_alloc((count + 1) * sizeof *tree->parent);
    tree->owner = memory_alloc((count + 1) * sizeof *tree->owner);
    tree->state = memory_alloc(count + 1);
    tree->stack = memory_alloc((count + 1) * sizeof *tree->stack);
    amounts_init(&tree->self_cpu, tree->count);
    set_states(tree);
    if (trace_workers(trace) > 1) {
        workers_run(build_half, tree, 2, 2);
    } else {
        links_build(tree);
        timing_begin(TIMING_PARENTS);
        find_parents(tree);
        timing_begin(TIMING_FRAMES);
        frames_build(tree);
        timing_begin(TIMING_MEMORY);
        memory_build(tree);
    }
    timing_begin(TIMING_FOLD);
    fold(tree);
    sum_times(tree);
    timing_begin(TIMING_BACKWARD);
    backward_build(tree);
    for (uint32_t e = 0; e < tree->count && !tree->has_stacks; e++)
        tree->has_stacks = tree->stack[e] != 0;
    return tree;
}

void tree_free(struct tree *tree)
{
    if (tree == NULL)
        return;
    free(tree->parent);
    free(tree->owner);
    free(tree->state);
    free(tree->stack);
    amounts_free(&tree->self_cpu);
    amounts_free(&tree->device_total);
    amounts_free(&tree->self_device);
    amounts_free(&tree->memory[MEMORY_CPU]);
    amounts_free(&tree->memory[MEMORY_DEVICE]);
    for (unsigned i = 0; i < 8; i++)
        free(tree->flops[i]);
    free(tree->child_first);
    free(tree->children);
    free(tree->kernel_first);
    free(tree->kernels);
    free(tree->forward_thread);
    steps_free(tree->steps);
    free(tree->phase);
    free(tree->module);
    launches_free(tree->launches);
    pairs_free(tree->pairs);
    quality_free(tree->quality);
    array_free(&tree->crossing);
    free(tree);
}

/* Lists by a number: first[of[e]] .. first[of[e] + 1] in `list`, members in ascending order. */
static void make_lists(uint32_t count, const uint32_t *of, const uint8_t *member, uint32_t **first, uint32_t **list)
{
    uint32_t *from = memory_zero((size_t)count + 2, sizeof *from), total = 0;
    for (uint32_t e = 0; e < count; e++)
        if (member[e] && of[e] != NO_EVENT) {
            from[of[e] + 2]++;
            total++;
        }
    for (uint32_t e = 0; e < count; e++)
        from[e + 2] += from[e + 1];
    *list = memory_alloc(((size_t)total + 1) * sizeof **list);
    for (uint32_t e = 0; e < count; e++)
        if (member[e] && of[e] != NO_EVENT)
            (*list)[from[of[e] + 1]++] = e;
    *first = from;
}

void tree_need_children(struct tree *tree)
{
    if (tree->children != NULL)
        return;
    uint8_t *member = memory_alloc((size_t)tree->count + 1);
    for (uint32_t e = 0; e < tree->count; e++)
        member[e] = tree->state[e] == STATE_ROW;
    make_lists(tree->count, tree->parent, member, &tree->child_first, &tree->children);
    free(member);
}

static _Thread_local const struct events *sorted_events; /* what qsort's callback cannot be given */

static int by_offset(const void *a, const void *b)
{
    uint64_t x = events_offset(sorted_events, *(const uint32_t *)a);
    uint64_t y = events_offset(sorted_events, *(const uint32_t *)b);
    return (x > y) - (x < y);
}

void tree_need_kernels(struct tree *tree)
{
    if (tree->kernels != NULL)
        return;
    const struct events *events = &tree->trace->events;
    uint8_t *member = memory_alloc((size_t)tree->count + 1);
    for (uint32_t e = 0; e < tree->count; e++)
        member[e] = event_on_device(tree->trace, e) && tree->state[e] == STATE_ROW;
    make_lists(tree->count, tree->owner, member, &tree->kernel_first, &tree->kernels);
    free(member);
    sorted_events = events;
    for (uint32_t e = 0; e < tree->count; e++) {
        uint32_t from = tree->kernel_first[e], to = tree->kernel_first[e + 1];
        bool sorted = true;
        for (uint32_t i = from + 1; i < to; i++)
            sorted &= events_offset(events, tree->kernels[i - 1]) < events_offset(events, tree->kernels[i]);
        if (!sorted)
            qsort(tree->kernels + from, to - from, sizeof *tree->kernels, by_offset);
    }
}
