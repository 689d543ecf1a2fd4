#include "keyavg/kernels.h"

#include <stdlib.h>
#include <string.h>

#include "keyavg/names.h"
#include "keyavg/wrap.h"
#include "numbering.h"

const char *kernel_kind_name(enum kernel_kind kind)
{
    static const char *const names[KERNEL_KINDS] = {"", "[graph launch]", "[no op]", "[launched, no device event]"};
    return names[kind];
}

/* A device event, or a call without one, on its way to its row. */
struct found {
    uint32_t event, row;
};

struct build {
    struct tree *tree;
    const struct trace *trace;
    const struct launches *launches;
    struct kernels *kernels;
    ARRAY(struct found) found;
    ARRAY(struct kernel_row) rows;
    struct numbering numbers; /* (name; kind, rule, counted or not) to rows */
};

static bool is_work(const struct tree *tree, uint32_t e)
{
    enum event_kind kind = event_kind(tree->trace, e);
    return tree->state[e] == STATE_ROW && kind_on_device(kind) && kind != KIND_DEVICE_ANNOTATION;
}

static void add_found(struct build *build, uint32_t e, enum kernel_kind kind, enum launch_rule rule, bool counted,
                      bool own)
{
    uint32_t name = kind == KERNEL_NAMED ? event_key(build->trace, e) : 0;
    uint32_t sort = (uint32_t)kind << 8 | (uint32_t)rule << 1 | counted;
    uint32_t number = numbering_add(&build->numbers, numbering_pair(name, sort));
    if (number == build->rows.count)
        array_push(&build->rows, (struct kernel_row){.kind = (uint8_t)kind, .rule = (uint8_t)rule, .counted = counted,
                                                     .name = name});
    struct kernel_row *row = &build->rows.items[number];
    row->count++;
    if (kind != KERNEL_MISSING) {
        wrap_to(&row->total, amounts_get(&build->tree->device_total, e));
        row->own_count += own;
        if (own)
            wrap_to(&row->own, amounts_get(&build->tree->device_total, e));
    }
    array_push(&build->found, (struct found){e, number});
}

/* Where an event without torch's link stands. */
static void add_unlinked(struct build *build, uint32_t e, bool counted)
{
    const struct launches *launches = build->launches;
    if (launches->is_graph[e])
        add_found(build, e, KERNEL_GRAPH, LAUNCH_NONE, counted, false);
    else if (launches->op[e] != NO_EVENT)
        add_found(build, e, KERNEL_NAMED, (enum launch_rule)launches->rule[e], counted, false);
    else
        add_found(build, e, KERNEL_NO_OP, LAUNCH_NONE, counted, false);
}

/* The k-th smallest of values that are not negative, from their highest byte down: linear, whatever the values. Spoils
 * them. */
static int64_t select_value(int64_t *values, uint32_t count, uint32_t k)
{
    for (int shift = 56; shift >= 0 && count > 64; shift -= 8) {
        uint32_t counts[256] = {0}, byte = 0, kept = 0;
        for (uint32_t i = 0; i < count; i++)
            counts[(uint64_t)values[i] >> shift & 0xFF]++;
        while (k >= counts[byte])
            k -= counts[byte++];
        for (uint32_t i = 0; i < count; i++)
            if (((uint64_t)values[i] >> shift & 0xFF) == byte)
                values[kept++] = values[i];
        count = kept;
    }
    if (count > 64)
        return values[0]; /* all are equal */
    for (uint32_t i = 1; i < count; i++) {
        int64_t value = values[i];
        uint32_t at = i;
        for (; at > 0 && values[at - 1] > value; at--)
            values[at] = values[at - 1];
        values[at] = value;
    }
    return values[k];
}

/* By nearest rank: the smallest value that at least p of 100 do not exceed. Spoils the values. */
static int64_t percentile(int64_t *values, uint32_t count, unsigned p)
{
    uint64_t rank = ((uint64_t)count * p + 99) / 100;
    return select_value(values, count, rank > 0 ? (uint32_t)(rank - 1) : 0);
}

static const struct kernel_row *sort_rows;

static int by_total(const void *a, const void *b)
{
    const struct kernel_row *x = &sort_rows[*(const uint32_t *)a], *y = &sort_rows[*(const uint32_t *)b];
    if (x->counted != y->counted)
        return x->counted ? -1 : 1;
    if (x->total != y->total)
        return x->total > y->total ? -1 : 1;
    return (x > y) - (x < y);
}

static struct kernels *finish(struct build *build)
{
    struct kernels *kernels = build->kernels;
    uint32_t count = (uint32_t)build->rows.count, at = 0;
    uint32_t *order = memory_alloc(((size_t)count + 1) * sizeof *order);
    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    sort_rows = build->rows.items;
    qsort(order, count, sizeof *order, by_total);
    for (uint32_t i = 0; i < count; i++) {
        struct kernel_row *row = &build->rows.items[order[i]];
        row->first = at;
        at += row->count;
        row->count = 0;
    }
    kernels->events = memory_alloc(((size_t)at + 1) * sizeof *kernels->events);
    for (size_t i = 0; i < build->found.count; i++) {
        struct kernel_row *row = &build->rows.items[build->found.items[i].row];
        kernels->events[row->first + row->count++] = build->found.items[i].event;
    }
    kernels->rows = memory_alloc(((size_t)count + 1) * sizeof *kernels->rows);
    for (uint32_t i = 0; i < count; i++) {
        struct kernel_row *row = &kernels->rows[i];
        *row = build->rows.items[order[i]];
        if (row->counted) {
            wrap_to(&kernels->total, row->total);
            wrap_to(&kernels->own, row->own);
        }
    }
    kernels->count = count;
    free(order);
    array_free(&build->found);
    array_free(&build->rows);
    numbering_free(&build->numbers);
    return kernels;
}

static void start(struct build *build, struct tree *tree)
{
    *build = (struct build){.tree = tree, .trace = tree->trace, .launches = tree_launches(tree)};
    build->kernels = memory_zero(1, sizeof *build->kernels);
    numbering_init(&build->numbers);
}

static bool has(const uint64_t *set, uint32_t e)
{
    return set[e / 64] >> e % 64 & 1;
}

/* The device events from one on that are members, or whose op is inside. */
static void add_work(struct build *build, const uint64_t *member, const uint64_t *inside, uint32_t first)
{
    const struct launches *launches = build->launches;
    uint32_t count = launches->device_events;
    for (uint32_t i = array_place(launches->work, count, first); i < count; i++) {
        uint32_t e = launches->work[i], owner = build->tree->owner[e], op = launches->op[e];
        bool itself = has(member, e), linked = owner != NO_EVENT && has(inside, owner);
        if (itself || linked)
            add_found(build, e, KERNEL_NAMED, (enum launch_rule)launches->rule[e], true, itself || has(member, owner));
        else if (owner == NO_EVENT && op != NO_EVENT && has(inside, op))
            add_unlinked(build, e, false);
    }
}

struct kernels *kernels_of_calls(struct tree *tree, const uint32_t *calls, uint32_t count)
{
    struct build build;
    start(&build, tree);
    size_t words = (size_t)tree->count / 64 + 1;
    uint64_t *member = memory_zero(words, sizeof *member), *inside = memory_zero(words, sizeof *inside);
    /* Nothing of it stands before the first call, or before the first device event that was launched below a call. */
    uint32_t first_call = tree->count, first_work = tree->count;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t e = tree_row_event(tree, calls[i]);
        uint32_t work = event_on_device(tree->trace, e) ? e : build.launches->first[e];
        member[e / 64] |= UINT64_C(1) << e % 64;
        first_call = e < first_call ? e : first_call;
        first_work = work < first_work ? work : first_work;
    }
    if (first_work == tree->count && build.launches->missing == 0)
        first_call = tree->count;
    /* Device events may stand before their ops, clocks being what they are: ops first. */
    for (uint32_t e = first_call; e < tree->count; e++) {
        if (event_on_device(tree->trace, e) || tree->state[e] == STATE_ABSENT)
            continue;
        uint32_t parent = tree->parent[e];
        if (!has(member, e) && (parent == NO_EVENT || !has(inside, parent)))
            continue;
        inside[e / 64] |= UINT64_C(1) << e % 64;
        if (launches_is_missing(tree->trace, build.launches, e))
            add_found(&build, e, KERNEL_MISSING, LAUNCH_NONE, true, false);
    }
    add_work(&build, member, inside, first_work);
    free(member);
    free(inside);
    return finish(&build);
}

struct kernels *kernels_of_file(struct tree *tree)
{
    struct build build;
    start(&build, tree);
    for (uint32_t e = 0; e < tree->count; e++) {
        if (is_work(tree, e)) {
            if (tree->owner[e] != NO_EVENT)
                add_found(&build, e, KERNEL_NAMED, LAUNCH_LINK, true, true);
            else
                add_unlinked(&build, e, true);
        } else if (launches_is_missing(tree->trace, build.launches, e)) {
            add_found(&build, e, KERNEL_MISSING, LAUNCH_NONE, true, false);
        }
    }
    return finish(&build);
}

struct kernels *kernels_of_events(struct tree *tree, const uint32_t *events, uint32_t count)
{
    struct build build;
    start(&build, tree);
    for (uint32_t i = 0; i < count; i++)
        if (event_on_device(tree->trace, events[i]) && tree->state[events[i]] == STATE_ROW)
            add_found(&build, events[i], KERNEL_NAMED, LAUNCH_NONE, true, true);
    return finish(&build);
}

/* What follows from a row's events. `lane_seen` is by lane, the last row that counted it, from 1. */
static void measure(const struct trace *trace, const struct launches *launches, const uint32_t *events,
                    struct kernel_row *row, uint32_t number, int64_t *room, uint32_t *lane_seen)
{
    row->min = INT64_MAX;
    for (uint32_t i = 0; i < row->count; i++) {
        int64_t duration = trace->events.duration[events[i]], delay;
        room[i] = duration;
        row->min = duration < row->min ? duration : row->min;
        row->max = duration > row->max ? duration : row->max;
        if (row->kind == KERNEL_MISSING)
            continue;
        uint32_t lane = trace->events.place[events[i]];
        if (i == 0)
            row->lane = lane;
        row->lanes += lane_seen[lane] != number + 1;
        lane_seen[lane] = number + 1;
        if (launches_delay(trace, launches, events[i], &delay)) {
            row->delays++;
            wrap_to(&row->delay_total, delay);
            row->delay_max = delay > row->delay_max ? delay : row->delay_max;
        }
    }
    row->p90 = percentile(room, row->count, 90);
}

void kernels_measure(struct tree *tree, struct kernels *kernels)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < kernels->count; i++)
        most = kernels->rows[i].count > most ? kernels->rows[i].count : most;
    int64_t *room = memory_alloc(((size_t)most + 1) * sizeof *room);
    uint32_t *lane_seen = memory_zero(tree->trace->lanes.count + 1, sizeof *lane_seen);
    for (uint32_t i = 0; i < kernels->count; i++) {
        struct kernel_row *row = &kernels->rows[i];
        measure(tree->trace, tree_launches(tree), kernels->events + row->first, row, i, room, lane_seen);
    }
    free(room);
    free(lane_seen);
}

void kernels_free(struct kernels *kernels)
{
    if (kernels == NULL)
        return;
    free(kernels->rows);
    free(kernels->events);
    free(kernels);
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

uint32_t *kernels_ops(struct tree *tree, const struct kernels *kernels, const struct kernel_row *row, uint32_t *count)
{
    const struct launches *launches = tree_launches(tree);
    uint32_t *ops = memory_alloc(((size_t)row->count + 1) * sizeof *ops), found = 0, distinct = 0;
    for (uint32_t i = 0; i < row->count; i++) {
        uint32_t event = kernels->events[row->first + i];
        uint32_t op = row->kind != KERNEL_MISSING ? launches->op[event] : tree->parent[event];
        if (op != NO_EVENT)
            ops[found++] = op;
    }
    qsort(ops, found, sizeof *ops, by_number);
    for (uint32_t i = 0; i < found; i++)
        if (distinct == 0 || ops[distinct - 1] != ops[i])
            ops[distinct++] = ops[i];
    *count = distinct;
    return ops;
}
