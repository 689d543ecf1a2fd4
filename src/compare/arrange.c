/* Which rows of a comparison are shown, and in which order. */
#include <stdlib.h>

#include "keyavg/compare.h"
#include "keyavg/filter.h"

/* -- Rows that stay ---------------------------------------------------------------------------------------------- */

static void sum_rows(struct compare *compare, const uint32_t *rows, uint32_t count)
{
    memset(compare->total, 0, sizeof compare->total);
    for (uint32_t i = 0; i < count; i++) {
        for (int s = 0; s < COMPARE_SIDES; s++) {
            uint32_t number = compare->rows[rows[i]].group[s];
            if (number == NO_ROW)
                continue;
            bool on_device = compare->sides[s].groups.items[number].key.side == SIDE_DEVICE;
            for (int m = 0; m < MEASURES; m++) {
                if ((m == MEASURE_DEVICE || m == MEASURE_SELF_DEVICE) && !on_device)
                    continue;
                uint64_t sum = (uint64_t)compare_sum(compare, s, number, (enum measure)m);
                compare->total[s][m] = (int64_t)((uint64_t)compare->total[s][m] + sum);
            }
        }
    }
}

static bool passes_sides(const struct compare *compare, uint32_t number)
{
    bool passes = false;
    for (int s = 0; s < COMPARE_SIDES; s++) {
        uint32_t group = compare->rows[number].group[s];
        passes |= group != NO_ROW && compare->sides[s].passes[group];
    }
    return passes;
}

static void row_value(const void *context, uint32_t row, const struct column *column, struct value *out,
                      struct text *scratch)
{
    compare_value(context, row, column, out, scratch);
}

/* Terms on facets see the totals of what the other terms leave. */
static void keep_rows(struct compare *compare)
{
    const struct filter *filter = compare->query.query.filter;
    uint32_t *rows = compare->kept, count = 0, passing = 0;
    for (uint32_t i = 0; i < compare->row_count; i++)
        if (passes_sides(compare, i))
            rows[count++] = i;
    sum_rows(compare, rows, count);
    for (uint32_t i = 0; i < count; i++)
        if (filter == NULL || filter_cells(filter, row_value, compare, rows[i], true))
            rows[passing++] = rows[i];
    if (passing < count)
        sum_rows(compare, rows, passing);
    compare->kept_count = compare->unchanged = compare->appeared = compare->gone = compare->renamed = 0;
    for (uint32_t i = 0; i < passing; i++) {
        const struct compare_row *row = &compare->rows[rows[i]];
        compare->unchanged += row->same;
        compare->renamed += row->renamed;
        compare->appeared += row->group[COMPARE_BASE] == NO_ROW;
        compare->gone += row->group[COMPARE_NEW] == NO_ROW;
        if (!row->same || compare->query.unchanged)
            compare->kept[compare->kept_count++] = rows[i];
    }
}

const struct column *compare_main_column(const struct compare *compare)
{
    bool device = false;
    for (int s = 0; s < COMPARE_SIDES; s++)
        for (uint32_t i = 0; i < compare->sides[s].groups.count && !device; i++)
            device = compare->sides[s].groups.items[i].sums[MEASURE_SELF_DEVICE] > 0;
    return measure_column(device ? MEASURE_SELF_DEVICE : MEASURE_SELF_CPU);
}

/* -- Their order ------------------------------------------------------------------------------------------------- */

static bool is_top_level(const struct compare *compare, uint32_t number)
{
    const struct compare_row *row = &compare->rows[number];
    int s = row->group[COMPARE_BASE] != NO_ROW ? COMPARE_BASE : COMPARE_NEW;
    return compare->sides[s].groups.items[row->group[s]].top_level;
}

/* The larger of both sides' shares, in per cent, of the sort column where it is a time, else of self CPU. */
static double largest_share(const struct compare *compare, uint32_t number)
{
    const struct column *sort = compare->query.main_sort ? compare_main_column(compare) : compare->query.query.sort;
    int measure = sort != NULL ? column_measure(sort) : -1;
    bool device = measure == MEASURE_DEVICE || measure == MEASURE_SELF_DEVICE;
    double share = 0;
    if (measure < MEASURE_CPU || measure >= MEASURE_CPU + MEASURE_TIMES)
        measure = MEASURE_SELF_CPU;
    for (int s = 0; s < COMPARE_SIDES; s++) {
        const struct compare_side *side = &compare->sides[s];
        uint32_t group = compare->rows[number].group[s];
        int64_t base = device ? side->facts.self_device : side->facts.self_cpu;
        if (group == NO_ROW || base <= 0)
            continue;
        double own = (double)side->groups.items[group].sums[measure] / (double)base * 100;
        share = own > share ? own : share;
    }
    return share;
}

/* Puts the rows that are at or above the limit first, in their order; returns how many they are. */
static uint32_t put_hidden_last(const struct compare *compare, uint32_t *rows, uint32_t count)
{
    uint32_t *hidden = memory_alloc(((size_t)count + 1) * sizeof *hidden), hidden_count = 0, visible = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (largest_share(compare, rows[i]) >= compare->query.query.hide_below)
            rows[visible++] = rows[i];
        else
            hidden[hidden_count++] = rows[i];
    }
    for (uint32_t i = 0; i < hidden_count; i++)
        rows[visible + i] = hidden[i];
    free(hidden);
    return visible;
}

/* How much has changed in a row: the main column, then the other self time, then whether the row itself is another. */
struct change_size {
    uint64_t main, other;
    uint32_t place, row;
    bool marked;
};

static uint64_t size_of_change(const struct compare *compare, const struct compare_row *row, enum measure measure)
{
    int64_t sums[COMPARE_SIDES] = {0};
    for (int s = 0; s < COMPARE_SIDES; s++)
        if (row->group[s] != NO_ROW)
            sums[s] = compare_sum(compare, s, row->group[s], measure);
    int64_t change = (int64_t)((uint64_t)sums[COMPARE_NEW] - (uint64_t)sums[COMPARE_BASE]);
    return change < 0 ? 0 - (uint64_t)change : (uint64_t)change;
}

static int by_size(const void *a, const void *b)
{
    const struct change_size *x = a, *y = b;
    if (x->main != y->main)
        return x->main > y->main ? -1 : 1;
    if (x->other != y->other)
        return x->other > y->other ? -1 : 1;
    if (x->marked != y->marked)
        return x->marked ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

static void sort_by_size(const struct compare *compare, uint32_t *rows, uint32_t count)
{
    enum measure main = (enum measure)column_measure(compare_main_column(compare));
    enum measure other = main == MEASURE_SELF_CPU ? MEASURE_SELF_DEVICE : MEASURE_SELF_CPU;
    struct change_size *sizes = memory_alloc(((size_t)count + 1) * sizeof *sizes);
    for (uint32_t i = 0; i < count; i++) {
        const struct compare_row *row = &compare->rows[rows[i]];
        bool marked = row->renamed || row->group[COMPARE_BASE] == NO_ROW || row->group[COMPARE_NEW] == NO_ROW;
        sizes[i] = (struct change_size){size_of_change(compare, row, main), size_of_change(compare, row, other), i,
                                        rows[i], marked};
    }
    qsort(sizes, count, sizeof *sizes, by_size);
    for (uint32_t i = 0; i < count; i++)
        rows[i] = sizes[compare->query.query.ascending ? count - 1 - i : i].row;
    free(sizes);
}

static void order_rows(struct compare *compare)
{
    const struct query *query = &compare->query.query;
    uint32_t count = 0;
    for (uint32_t i = 0; i < compare->kept_count; i++)
        if (!query->top_level_only || is_top_level(compare, compare->kept[i]))
            compare->order[count++] = compare->kept[i];
    const struct column *change = query->sort != NULL ? facet_column(query->sort, FACET_DIFF) : NULL;
    if (compare->query.main_sort)
        sort_by_size(compare, compare->order, count);
    else if (query->sort != NULL)
        cells_sort(row_value, compare, change != NULL ? change : query->sort, query->ascending, change != NULL,
                   compare->order, count);
    uint32_t visible = query->hide_below > 0 ? put_hidden_last(compare, compare->order, count) : count;
    compare->hidden = count - visible;
    compare->count = query->row_limit >= 0 && query->row_limit < visible ? (uint32_t)query->row_limit : visible;
    compare->left_out = visible - compare->count;
}

void compare_arrange(struct compare *compare)
{
    size_t room = (size_t)compare->row_count + 1;
    compare->kept = memory_resize(compare->kept, room, sizeof *compare->kept);
    compare->order = memory_resize(compare->order, room, sizeof *compare->order);
    keep_rows(compare);
    order_rows(compare);
}
