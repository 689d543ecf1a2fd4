#include "keyavg/focus.h"

#include <stdlib.h>
#include <string.h>

#include "keyavg/launches.h"
#include "keyavg/wrap.h"
#include "numbering.h"

const char *focus_kind_name(enum focus_kind kind)
{
    static const char *const names[FOCUS_KINDS] = {"", "[self]", "[async]", "[top level]", "[graph launch]", "[no op]"};
    return names[kind];
}

/* One side of the row: rows by key, and by kind behind all keys. */
struct side {
    ARRAY(struct focus_row) rows;
    uint32_t *slots;
};

struct build {
    const struct keys *keys;
    const struct tree *tree;
    const struct trace *trace;
    struct focus *focus;
    struct side callers, callees;
    uint64_t *member;
    uint32_t *run; /* by python frame: the outermost of the frames that it is folded with; NULL: nothing is folded */
};

static void side_init(struct side *side, uint32_t keys)
{
    *side = (struct side){0};
    side->slots = memory_alloc(((size_t)keys + FOCUS_KINDS) * sizeof *side->slots);
    memset(side->slots, 0xFF, ((size_t)keys + FOCUS_KINDS) * sizeof *side->slots);
}

static struct focus_row *side_row(const struct build *build, struct side *side, enum focus_kind kind, uint32_t event)
{
    uint32_t key = kind == FOCUS_KEY ? build->keys->of[event] : build->keys->count + (uint32_t)kind;
    if (side->slots[key] == NO_EVENT) {
        side->slots[key] = (uint32_t)side->rows.count;
        array_push(&side->rows, (struct focus_row){.key = kind == FOCUS_KEY ? key : NO_EVENT, .first = event,
                                                   .kind = (uint8_t)kind});
    }
    struct focus_row *row = &side->rows.items[side->slots[key]];
    if (event < row->first)
        row->first = event;
    return row;
}

static bool is_member(const struct build *build, uint32_t event)
{
    return build->member[event / 64] >> event % 64 & 1;
}

static bool is_frame(const struct build *build, uint32_t event)
{
    return event_kind(build->trace, event) == KIND_PYTHON;
}

/* The set as bits, and the lowest event of it. */
static uint32_t mark_members(struct build *build, const uint32_t *events, uint32_t count)
{
    uint32_t lowest = build->tree->count;
    build->member = memory_zero((size_t)build->tree->count / 64 + 1, sizeof *build->member);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t e = tree_row_event(build->tree, events[i]);
        if (build->tree->state[e] != STATE_ROW)
            continue;
        build->member[e / 64] |= UINT64_C(1) << e % 64;
        if (e < lowest)
            lowest = e;
    }
    return lowest;
}

/* The first event of the set from one on, NO_EVENT none. */
static uint32_t next_member(const struct build *build, uint32_t event)
{
    size_t word = event / 64, words = (size_t)build->tree->count / 64 + 1;
    uint64_t bits = build->member[word] & UINT64_MAX << event % 64;
    while (bits == 0 && ++word < words)
        bits = build->member[word];
    return bits != 0 ? (uint32_t)(word * 64 + (unsigned)__builtin_ctzll(bits)) : NO_EVENT;
}

/* A device event of the set: its caller is the op that launched it. */
static void add_device_call(struct build *build, uint32_t e)
{
    const struct launches *launches = tree_launches(build->keys->tree);
    int64_t duration = amounts_get(&build->tree->device_total, e);
    uint32_t op = launches->op[e];
    enum focus_kind kind = op != NO_EVENT ? FOCUS_KEY : launches->is_graph[e] ? FOCUS_GRAPH_LAUNCH : FOCUS_NO_OP;
    struct focus_row *caller = side_row(build, &build->callers, kind, op);
    caller->calls++;
    wrap_to(&caller->device, duration);
    if (launches->rule[e] > caller->rule)
        caller->rule = launches->rule[e];
}

/* What a call of the set has by itself. */
static void add_own(struct build *build, uint32_t e)
{
    const struct tree *tree = build->tree;
    bool on_device = event_on_device(build->trace, e);
    bool async = !on_device && (build->trace->events.flags[e] & EVENT_ASYNC) != 0;
    struct focus *focus = build->focus;
    int64_t duration = on_device ? 0 : build->trace->events.duration[e];
    focus->calls++;
    wrap_to(&focus->cpu_total, duration);
    wrap_to(&focus->self_cpu, amounts_get(&tree->self_cpu, e));
    wrap_to(&focus->device_total, amounts_get(&tree->device_total, e));
    wrap_to(&focus->self_device, amounts_get(&tree->self_device, e));
    struct focus_row *self = side_row(build, &build->callees, async ? FOCUS_ASYNC : FOCUS_SELF, NO_EVENT);
    self->calls++;
    wrap_to(&self->cpu, async ? duration : amounts_get(&tree->self_cpu, e));
    wrap_to(&self->device, amounts_get(&tree->self_device, e));
}

/* Adds a CPU call to the side where the set is: below its caller, above its callees. `caller` may be NO_EVENT. */
static void add_link(struct build *build, uint32_t e, uint32_t caller)
{
    int64_t duration = build->trace->events.duration[e], device = amounts_get(&build->tree->device_total, e);
    struct focus_row *rows[2];
    unsigned count = 0;
    if (is_member(build, e))
        rows[count++] = side_row(build, &build->callers, caller != NO_EVENT ? FOCUS_KEY : FOCUS_TOP_LEVEL, caller);
    if (caller != NO_EVENT && is_member(build, caller))
        rows[count++] = side_row(build, &build->callees, FOCUS_KEY, e);
    while (count-- > 0) {
        rows[count]->calls++;
        wrap_to(&rows[count]->cpu, duration);
        wrap_to(&rows[count]->device, device);
    }
}

/* A frame inside a run: no item, but below a frame of the set its own time is the set's. */
static void add_folded(struct build *build, uint32_t e, uint32_t run)
{
    if (!is_member(build, run))
        return;
    struct focus_row *self = side_row(build, &build->callees, FOCUS_SELF, NO_EVENT);
    wrap_to(&self->cpu, amounts_get(&build->tree->self_cpu, e));
    wrap_to(&self->device, amounts_get(&build->tree->self_device, e));
    wrap_to(&build->focus->folded_cpu, amounts_get(&build->tree->self_cpu, e));
}

static void visit(struct build *build, uint32_t e)
{
    uint32_t caller = build->tree->parent[e];
    if (build->run != NULL) {
        bool under_frame = caller != NO_EVENT && is_frame(build, caller);
        if (under_frame)
            caller = build->run[caller];
        if (is_frame(build, e)) {
            bool inside = under_frame && !is_member(build, e);
            build->run[e] = inside ? caller : e;
            if (inside) {
                add_folded(build, e, caller);
                return;
            }
        }
    }
    add_link(build, e, caller);
}

static int by_weight(const void *a, const void *b)
{
    const struct focus_row *x = a, *y = b;
    if (x->cpu != y->cpu)
        return x->cpu > y->cpu ? -1 : 1;
    if (x->device != y->device)
        return x->device > y->device ? -1 : 1;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    return (x->kind > y->kind) - (x->kind < y->kind);
}

static struct focus_row *side_finish(struct side *side, uint32_t *count)
{
    if (side->rows.count > 0)
        qsort(side->rows.items, side->rows.count, sizeof *side->rows.items, by_weight);
    *count = (uint32_t)side->rows.count;
    free(side->slots);
    return side->rows.items;
}

struct focus *focus_build(const struct keys *keys, const uint32_t *events, uint32_t count, bool fold_python)
{
    const struct tree *tree = keys->tree;
    struct focus *focus = memory_zero(1, sizeof *focus);
    struct build build = {.keys = keys, .tree = tree, .trace = tree->trace, .focus = focus};
    side_init(&build.callers, keys->count);
    side_init(&build.callees, keys->count);
    uint32_t lowest = mark_members(&build, events, count);
    if (fold_python && tree->trace->has_python && !tree->without_python) {
        build.run = memory_alloc(((size_t)tree->count + 1) * sizeof *build.run);
        lowest = 0; /* runs may begin before the first call */
    }
    int64_t until = INT64_MIN; /* the latest end of the calls so far: nothing that starts later is below them */
    for (uint32_t e = lowest; e < tree->count; e++) {
        if (build.run == NULL && tree->trace->events.start[e] >= until)
            e = next_member(&build, e);
        if (e == NO_EVENT)
            break;
        if (tree->state[e] != STATE_ROW)
            continue;
        bool on_device = event_on_device(tree->trace, e);
        if (is_member(&build, e)) {
            add_own(&build, e);
            if (on_device)
                add_device_call(&build, e);
            else if (event_end(tree->trace, e) > until)
                until = event_end(tree->trace, e);
        }
        if (!on_device)
            visit(&build, e);
    }
    focus->callers = side_finish(&build.callers, &focus->caller_count);
    focus->callees = side_finish(&build.callees, &focus->callee_count);
    free(build.member);
    free(build.run);
    return focus;
}

void focus_free(struct focus *focus)
{
    if (focus == NULL)
        return;
    free(focus->callers);
    free(focus->callees);
    free(focus);
}
