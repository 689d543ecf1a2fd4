/* Pairs of forward and backward, by the key of the forward op. */
#include <stdlib.h>
#include <string.h>

#include "keyavg/pairs.h"
#include "keyavg/wrap.h"
#include "numbering.h"

struct build {
    const struct keys *keys;
    const struct tree *tree;
    const struct pairs *pairs;
    const uint64_t *chosen;
    uint32_t *slots; /* by key */
    ARRAY(struct pair_row) rows;
};

static bool is_chosen(const struct build *build, uint32_t e)
{
    return build->chosen == NULL || (build->chosen[e / 64] >> e % 64 & 1);
}

static struct pair_row *row_of(struct build *build, uint32_t e)
{
    uint32_t key = build->keys->of[e];
    if (build->slots[key] == NO_EVENT) {
        build->slots[key] = (uint32_t)build->rows.count;
        array_push(&build->rows, (struct pair_row){.key = key, .first = e});
    }
    return &build->rows.items[build->slots[key]];
}

static void add_times(const struct build *build, uint32_t e, int64_t *cpu, int64_t *device)
{
    wrap_to(cpu, build->tree->trace->events.duration[e]);
    wrap_to(device, amounts_get(&build->tree->device_total, e));
}

static void add_event(struct build *build, uint32_t e)
{
    uint32_t other = build->pairs->other[e];
    if (build->pairs->side[e] == PAIR_FORWARD && other != NO_EVENT &&
        (is_chosen(build, e) || is_chosen(build, other))) {
        struct pair_row *row = row_of(build, e);
        row->pairs++;
        add_times(build, e, &row->forward_cpu, &row->forward_device);
        add_times(build, other, &row->backward_cpu, &row->backward_device);
    } else if (build->pairs->side[e] == PAIR_BACKWARD && other == NO_EVENT && is_chosen(build, e)) {
        struct pair_row *row = row_of(build, e);
        row->backward_only++;
        add_times(build, e, &row->backward_only_cpu, &row->backward_only_device);
    }
}

static int64_t sum_of(int64_t a, int64_t b)
{
    wrap_to(&a, b);
    return a;
}

static int by_weight(const void *a, const void *b)
{
    const struct pair_row *x = a, *y = b;
    int64_t u = sum_of(x->backward_cpu, x->backward_only_cpu), v = sum_of(y->backward_cpu, y->backward_only_cpu);
    if (u != v)
        return u > v ? -1 : 1;
    u = sum_of(x->forward_cpu, x->forward_only_cpu);
    v = sum_of(y->forward_cpu, y->forward_only_cpu);
    if (u != v)
        return u > v ? -1 : 1;
    return (x->first > y->first) - (x->first < y->first);
}

struct pair_rows *pairs_group(const struct keys *keys, const uint64_t *chosen)
{
    struct tree *tree = keys->tree;
    struct build build = {.keys = keys, .tree = tree, .pairs = tree_pairs(tree), .chosen = chosen};
    build.slots = memory_alloc(((size_t)keys->count + 1) * sizeof *build.slots);
    memset(build.slots, 0xFF, ((size_t)keys->count + 1) * sizeof *build.slots);
    for (uint32_t e = 0; e < tree->count; e++)
        if (build.pairs->side[e] != PAIR_NO_END)
            add_event(&build, e);
    for (uint32_t i = 0; i < build.pairs->open_count; i++) {
        uint32_t e = build.pairs->open[i];
        if (!is_chosen(&build, e))
            continue;
        struct pair_row *row = row_of(&build, e);
        row->forward_only++;
        if (e < row->first)
            row->first = e;
        add_times(&build, e, &row->forward_only_cpu, &row->forward_only_device);
    }
    struct pair_rows *rows = memory_zero(1, sizeof *rows);
    if (build.rows.count != 0)
        qsort(build.rows.items, build.rows.count, sizeof *build.rows.items, by_weight);
    rows->rows = build.rows.items;
    rows->count = (uint32_t)build.rows.count;
    free(build.slots);
    return rows;
}

void pair_rows_free(struct pair_rows *rows)
{
    if (rows == NULL)
        return;
    free(rows->rows);
    free(rows);
}
