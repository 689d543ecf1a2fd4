/* Which rows of the ranks are shown, and in which order. */
#include <stdlib.h>

#include "keyavg/filter.h"
#include "keyavg/ranks.h"

static void cell_of_row(const void *context, uint32_t row, const struct column *column, struct value *out,
                     struct text *scratch)
{
    ranks_value(context, row, column, out, scratch);
}

static void sum_rows(struct ranks *ranks, uint32_t count)
{
    uint64_t cpu = 0, device = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct group *group = &ranks->groups.items[ranks->order[i]];
        cpu += (uint64_t)group->sums[MEASURE_SELF_CPU];
        device += group->key.side == SIDE_DEVICE ? (uint64_t)group->sums[MEASURE_SELF_DEVICE] : 0;
    }
    ranks->self_cpu = (int64_t)cpu;
    ranks->self_device = (int64_t)device;
    if (ranks->query.query.percent_of == PERCENT_OF_SHOWN) {
        ranks->facts.self_cpu = ranks->self_cpu;
        ranks->facts.self_device = ranks->self_device;
    }
}

/* Terms on facets see the shares of what the other terms leave. */
static uint32_t keep_rows(struct ranks *ranks)
{
    const struct filter *filter = ranks->query.query.filter;
    uint32_t count = ranks->groups.count;
    for (uint32_t i = 0; i < count; i++)
        ranks->order[i] = i;
    sum_rows(ranks, count);
    for (int facets = 0; facets < 2 && filter != NULL; facets++) {
        uint32_t passing = 0;
        for (uint32_t i = 0; i < count; i++)
            if (filter_cells(filter, cell_of_row, ranks, ranks->order[i], facets == 1))
                ranks->order[passing++] = ranks->order[i];
        count = passing;
        sum_rows(ranks, count);
    }
    return count;
}

const struct column *ranks_main_column(const struct ranks *ranks)
{
    for (uint32_t i = 0; i < ranks->groups.count; i++)
        if (ranks->groups.items[i].sums[MEASURE_SELF_DEVICE] > 0)
            return measure_column(MEASURE_SELF_DEVICE);
    return measure_column(MEASURE_SELF_CPU);
}

/* In per cent, of the sort column where it is a time, else of self CPU. */
static double share_of(const struct ranks *ranks, const struct column *sort, uint32_t row)
{
    int measure = sort != NULL ? column_measure(sort) : -1;
    if (measure < MEASURE_CPU || measure >= MEASURE_CPU + MEASURE_TIMES)
        measure = MEASURE_SELF_CPU;
    bool device = measure == MEASURE_DEVICE || measure == MEASURE_SELF_DEVICE;
    int64_t all = device ? ranks->facts.self_device : ranks->facts.self_cpu;
    return all > 0 ? (double)ranks->groups.items[row].sums[measure] / (double)all * 100 : 0;
}

/* Drops rows below the limit of --hide-below; returns how many stay. */
static uint32_t hide_small(const struct ranks *ranks, const struct column *sort, uint32_t count)
{
    uint32_t visible = 0;
    for (uint32_t i = 0; i < count; i++)
        if (share_of(ranks, sort, ranks->order[i]) >= ranks->query.query.hide_below)
            ranks->order[visible++] = ranks->order[i];
    return visible;
}

void ranks_arrange(struct ranks *ranks)
{
    const struct query *query = &ranks->query.query;
    ranks->order = memory_resize(ranks->order, (size_t)ranks->groups.count + 1, sizeof *ranks->order);
    uint32_t kept = keep_rows(ranks), count = 0;
    for (uint32_t i = 0; i < kept; i++)
        if (!query->top_level_only || ranks->groups.items[ranks->order[i]].top_level)
            ranks->order[count++] = ranks->order[i];
    const struct column *sort = ranks->query.main_sort ? ranks_main_column(ranks) : query->sort;
    if (sort != NULL)
        cells_sort(cell_of_row, ranks, sort, query->ascending, false, ranks->order, count);
    uint32_t visible = query->hide_below > 0 ? hide_small(ranks, sort, count) : count;
    ranks->hidden = count - visible;
    ranks->count = query->row_limit >= 0 && query->row_limit < visible ? (uint32_t)query->row_limit : visible;
    ranks->left_out = visible - ranks->count;
}
