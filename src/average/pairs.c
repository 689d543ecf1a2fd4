#include "keyavg/pairs.h"

#include <stdlib.h>
#include <string.h>

#include "keyavg/launches.h"
#include "keyavg/names.h"
#include "numbering.h"

/* An op starts together with few others; a file made to be odd is not looked through for each arrow. */
enum { CANDIDATES_MAX = 64 };

struct build {
    struct tree *tree;
    const struct trace *trace;
    struct pairs *pairs;
    uint32_t *evaluate; /* by CPU event: the nearest evaluate_function call at or above it */
};

static bool is_op(const struct tree *tree, uint32_t e)
{
    return tree->state[e] != STATE_ABSENT && event_kind(tree->trace, e) == KIND_OP;
}

static bool has_forward(const struct trace *trace, uint32_t e)
{
    return (trace->events.flags[e] & EVENT_HAS_FORWARD) != 0;
}

static void find_evaluate(struct build *build)
{
    const struct tree *tree = build->tree;
    build->evaluate = memory_alloc(((size_t)tree->count + 1) * sizeof *build->evaluate);
    for (uint32_t e = 0; e < tree->count; e++) {
        uint32_t parent = event_on_device(build->trace, e) ? NO_EVENT : tree->parent[e];
        bool is = is_op(tree, e) && build->trace->names[build->trace->events.name[e]].evaluate;
        build->evaluate[e] = is ? tree_row_event(tree, e) : parent != NO_EVENT ? build->evaluate[parent] : NO_EVENT;
        build->pairs->side[e] = is && tree->state[e] == STATE_ROW ? PAIR_BACKWARD : PAIR_NO_END;
    }
}

/* The end of a backward op: the evaluate_function call around it, unless that is one of another sequence number. */
static uint32_t backward_end(const struct build *build, uint32_t e)
{
    uint32_t evaluate = build->evaluate[e];
    if (evaluate == NO_EVENT)
        return tree_row_event(build->tree, e);
    int64_t own = event_sequence(build->trace, e), its = event_sequence(build->trace, evaluate);
    return own < 0 || its < 0 || own == its ? evaluate : tree_row_event(build->tree, e);
}

/* False when one of the two is paired already. */
static bool join(struct build *build, uint32_t forward, uint32_t backward)
{
    uint32_t *other = build->pairs->other;
    if (forward == backward || other[forward] != NO_EVENT || other[backward] != NO_EVENT)
        return false;
    other[forward] = backward;
    other[backward] = forward;
    build->pairs->side[forward] = PAIR_FORWARD;
    build->pairs->side[backward] = PAIR_BACKWARD;
    build->pairs->count++;
    return true;
}

/* -- By arrows --------------------------------------------------------------------------------------------------- */

struct arrow {
    int64_t id, time;
    uint32_t thread;
    uint8_t finish;
};

static int by_id(const void *a, const void *b)
{
    const struct arrow *x = a, *y = b;
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    if (x->finish != y->finish)
        return x->finish < y->finish ? -1 : 1;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return (x->thread > y->thread) - (x->thread < y->thread);
}

/* The ops of each thread in list order. */
struct thread_ops {
    size_t *first; /* by thread, one more than there are */
    uint32_t *ops;
};

static void list_ops(const struct build *build, struct thread_ops *list)
{
    const struct events *events = &build->trace->events;
    size_t threads = build->trace->threads.count;
    list->first = memory_zero(threads + 2, sizeof *list->first);
    for (uint32_t e = 0; e < build->tree->count; e++)
        if (is_op(build->tree, e))
            list->first[events->thread[e] + 2]++;
    for (size_t t = 2; t < threads + 2; t++)
        list->first[t] += list->first[t - 1];
    list->ops = memory_alloc((list->first[threads + 1] + 1) * sizeof *list->ops);
    for (uint32_t e = 0; e < build->tree->count; e++)
        if (is_op(build->tree, e))
            list->ops[list->first[events->thread[e] + 1]++] = e;
}

/* The ops on a thread that start at a time: the innermost is the last of them. */
static uint32_t ops_at(const struct build *build, const struct thread_ops *list, const struct arrow *arrow,
                       const uint32_t **ops)
{
    const int64_t *start = build->trace->events.start;
    size_t first = list->first[arrow->thread], low = first, high = list->first[arrow->thread + 1];
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (start[list->ops[middle]] <= arrow->time)
            low = middle + 1;
        else
            high = middle;
    }
    uint32_t count = 0;
    while (low - count > first && count < CANDIDATES_MAX && start[list->ops[low - count - 1]] == arrow->time)
        count++;
    *ops = list->ops + (low - count);
    return count;
}

/* Of the ops at both ends the innermost two whose sequence numbers agree, else the innermost. */
static void choose_ends(const struct build *build, const uint32_t *ends[2], const uint32_t counts[2],
                        uint32_t chosen[2])
{
    chosen[0] = ends[0][counts[0] - 1];
    chosen[1] = ends[1][counts[1] - 1];
    for (uint32_t i = counts[0]; i-- > 0;)
        for (uint32_t j = counts[1]; j-- > 0;) {
            int64_t number = event_sequence(build->trace, ends[0][i]);
            if (number >= 0 && number == event_sequence(build->trace, ends[1][j])) {
                chosen[0] = ends[0][i];
                chosen[1] = ends[1][j];
                return;
            }
        }
}

static void join_arrows(struct build *build)
{
    const struct trace *trace = build->trace;
    size_t count = trace->flows.count;
    struct arrow *arrows = memory_alloc((count + 1) * sizeof *arrows);
    struct thread_ops list;
    for (size_t i = 0; i < count; i++) {
        const struct flow *flow = &trace->flows.items[i];
        arrows[i] = (struct arrow){flow->id, flow->time, flow->thread, flow->finish};
    }
    qsort(arrows, count, sizeof *arrows, by_id);
    list_ops(build, &list);
    for (size_t from = 0, to; from < count; from = to) {
        size_t finish = from;
        for (to = from; to < count && arrows[to].id == arrows[from].id; to++)
            finish += !arrows[to].finish;
        /* An id that was used again: the n-th start goes with the n-th end. */
        for (size_t i = 0; from + i < finish && finish + i < to; i++) {
            const uint32_t *ends[2];
            uint32_t chosen[2], counts[2] = {ops_at(build, &list, &arrows[from + i], &ends[0]),
                                             ops_at(build, &list, &arrows[finish + i], &ends[1])};
            build->pairs->flows++;
            bool joined = false;
            if (counts[0] != 0 && counts[1] != 0) {
                choose_ends(build, ends, counts, chosen);
                joined = join(build, tree_row_event(build->tree, chosen[0]), backward_end(build, chosen[1]));
            }
            build->pairs->lost += !joined;
        }
    }
    build->pairs->by_flows = build->pairs->count != 0;
    free(arrows);
    free(list.first);
    free(list.ops);
}

/* -- By sequence number ------------------------------------------------------------------------------------------ */

/* The sequence numbers of each thread, and for each the ends that torch would link. */
struct sequence {
    uint32_t forward, backward; /* events, NO_EVENT none */
    bool paired;                /* some op of the number is an end already */
};

struct sequences {
    struct numbering values, places; /* sequence number to dense number; (that, thread) to a place in `items` */
    ARRAY(struct sequence) items;
};

static struct sequence *sequence_of(struct sequences *sequences, int64_t value, uint32_t thread)
{
    uint32_t number = numbering_add(&sequences->values, (uint64_t)value);
    uint32_t place = numbering_add(&sequences->places, numbering_pair(number, thread));
    if (place == sequences->items.count)
        array_push(&sequences->items, (struct sequence){NO_EVENT, NO_EVENT, false});
    return &sequences->items.items[place];
}

static void find_sequences(const struct build *build, struct sequences *sequences)
{
    const struct tree *tree = build->tree;
    const struct trace *trace = build->trace;
    *sequences = (struct sequences){0};
    numbering_init(&sequences->values);
    numbering_init(&sequences->places);
    for (uint32_t e = 0; e < tree->count; e++) {
        int64_t value = event_sequence(trace, e);
        if (value < 0 || !is_op(tree, e))
            continue;
        if (!has_forward(trace, e)) {
            if (event_scope(trace, e) == 1 || trace->names[trace->events.name[e]].evaluate)
                continue;
            /* In list order what comes later starts later, or is further inside. */
            struct sequence *sequence = sequence_of(sequences, value, tree_thread(tree, e));
            sequence->forward = e;
            sequence->paired |= build->pairs->other[tree_row_event(tree, e)] != NO_EVENT;
            continue;
        }
        uint32_t thread = tree->forward_thread[trace->events.place[e]];
        if (thread == UINT32_MAX)
            continue;
        struct sequence *sequence = sequence_of(sequences, value, thread);
        if (sequence->backward == NO_EVENT || event_end(trace, e) < event_end(trace, sequence->backward))
            sequence->backward = e;
    }
}

static int by_event(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Pairs what arrows have not, when there are none, and lists the forward ops that have no backward. */
static void join_sequences(struct build *build)
{
    struct pairs *pairs = build->pairs;
    struct sequences sequences;
    find_sequences(build, &sequences);
    pairs->open = memory_alloc((sequences.items.count + 1) * sizeof *pairs->open);
    for (size_t i = 0; i < sequences.items.count; i++) {
        struct sequence *sequence = &sequences.items.items[i];
        if (sequence->forward == NO_EVENT || sequence->paired)
            continue;
        uint32_t forward = tree_row_event(build->tree, sequence->forward);
        bool joined = !pairs->by_flows && sequence->backward != NO_EVENT &&
                      join(build, forward, backward_end(build, sequence->backward));
        if (!joined)
            pairs->open[pairs->open_count++] = forward;
    }
    qsort(pairs->open, pairs->open_count, sizeof *pairs->open, by_event);
    numbering_free(&sequences.values);
    numbering_free(&sequences.places);
    array_free(&sequences.items);
}

const struct pairs *tree_pairs(struct tree *tree)
{
    if (tree->pairs != NULL)
        return tree->pairs;
    struct pairs *pairs = memory_zero(1, sizeof *pairs);
    struct build build = {.tree = tree, .trace = tree->trace, .pairs = pairs};
    pairs->other = memory_alloc(((size_t)tree->count + 1) * sizeof *pairs->other);
    memset(pairs->other, 0xFF, ((size_t)tree->count + 1) * sizeof *pairs->other);
    pairs->side = memory_zero((size_t)tree->count + 1, 1);
    find_evaluate(&build);
    if (tree->trace->flows.count != 0)
        join_arrows(&build);
    join_sequences(&build);
    /* Backward ops that have no evaluate_function call around them, as some files leave it out, are ends as well. */
    for (uint32_t e = 0; e < tree->count; e++)
        if (is_op(tree, e) && has_forward(tree->trace, e) && pairs->side[backward_end(&build, e)] == PAIR_NO_END)
            pairs->side[backward_end(&build, e)] = PAIR_BACKWARD;
    free(build.evaluate);
    return tree->pairs = pairs;
}

void pairs_free(struct pairs *pairs)
{
    if (pairs == NULL)
        return;
    free(pairs->other);
    free(pairs->side);
    free(pairs->open);
    free(pairs);
}

/* -- Going to the other end -------------------------------------------------------------------------------------- */

/* The first end below an event, in list order. */
static uint32_t end_below(const struct tree *tree, const struct pairs *pairs, uint32_t event)
{
    const struct trace *trace = tree->trace;
    uint32_t from = event + 1, found = NO_EVENT, to = from;
    int64_t end = event_end(trace, event);
    while (to < tree->count && trace->events.start[to] < end)
        to++;
    uint64_t *below = memory_zero((size_t)(to - event) / 64 + 1, sizeof *below);
    below[0] = 1;
    for (uint32_t e = from; e < to && found == NO_EVENT; e++) {
        uint32_t parent = tree->parent[e];
        if (tree->state[e] != STATE_ROW || parent == NO_EVENT || parent < event)
            continue;
        if (!(below[(parent - event) / 64] >> (parent - event) % 64 & 1))
            continue;
        below[(e - event) / 64] |= UINT64_C(1) << (e - event) % 64;
        if (pairs->other[e] != NO_EVENT)
            found = e;
    }
    free(below);
    return found;
}

uint32_t pairs_jump(struct tree *tree, uint32_t event, uint32_t *from, enum pair_jump *how)
{
    const struct pairs *pairs = tree_pairs(tree);
    uint32_t row = tree_row_event(tree, event), start = row;
    *how = PAIR_NONE;
    if (from != NULL)
        *from = NO_EVENT;
    if (event_on_device(tree->trace, start)) {
        start = tree_launches(tree)->op[start];
        if (start == NO_EVENT)
            return NO_EVENT;
    }
    uint32_t end = start;
    while (end != NO_EVENT && pairs->other[end] == NO_EVENT)
        end = tree->parent[end];
    *how = end == row ? PAIR_OWN : PAIR_AROUND;
    if (end == NO_EVENT) {
        end = end_below(tree, pairs, start);
        *how = end != NO_EVENT ? PAIR_INSIDE : PAIR_NONE;
    }
    if (from != NULL)
        *from = end;
    return end != NO_EVENT ? pairs->other[end] : NO_EVENT;
}
