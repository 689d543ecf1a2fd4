#include "keyavg/compare.h"

#include <stdlib.h>

#include "keyavg/filter.h"
#include "keyavg/select.h"
#include "keyavg/steps.h"

/* -- Sides ------------------------------------------------------------------------------------------------------- */

static const struct filter *side_filter(const struct compare *compare, int side)
{
    const struct filter *own = compare->query.filters[side];
    return own != NULL ? own : compare->query.query.filter;
}

/* A side's own query: it chooses calls and groups, the comparison does the rest. */
static struct query side_query(const struct compare *compare, int side)
{
    struct query query = compare->query.query;
    query.sort = NULL;
    query.row_limit = -1;
    query.top_level_only = false;
    query.hide_below = 0;
    query.filter = side_filter(compare, side);
    return query;
}

/* How many of the profiler's steps the calls of a table are in. */
static uint32_t count_steps(const struct table *table)
{
    const struct steps *steps = tree_steps(table->tree);
    uint8_t *seen = memory_zero((size_t)steps->count + 1, 1);
    uint32_t count = 0;
    for (uint32_t e = 0; e < table->tree->count && steps->count > 0; e++) {
        uint32_t step = steps->of[e];
        if (table->averages->row_of[e] == NO_EVENT || step == 0 || seen[step])
            continue;
        seen[step] = 1;
        count++;
    }
    free(seen);
    return count;
}

static void free_groups(struct compare_side *side)
{
    groups_free(&side->groups);
    free(side->row_of);
    free(side->group_of);
    free(side->passes);
    free(side->joined);
    side->row_of = NULL;
    side->group_of = NULL;
    side->joined = NULL;
    side->passes = NULL;
}

static void take_table(struct compare *compare, int number)
{
    struct compare_side *side = &compare->sides[number];
    struct query query = side_query(compare, number);
    struct source source;
    uint32_t *group_of;
    if (side->table == NULL)
        side->table = table_build(side->trace, &query);
    else
        table_update(side->table, &query);
    struct table *table = side->table;
    free_groups(side);
    groups_init(&side->groups, &query.grouping, &compare->strings, &compare->stacks);
    /* Only frames with addresses join rows; what a table knows of one row must then be made anew. */
    bool joins = (query.grouping.parts & GROUP_STACK) != 0 || query.grouping.python == PYTHON_AS_ROWS;
    groups_take(&side->groups, table->averages, (uint32_t)number, joins, &group_of);
    side->row_of = memory_alloc(((size_t)side->groups.count + 1) * sizeof *side->row_of);
    side->joined = memory_zero((size_t)side->groups.count + 1, sizeof *side->joined);
    memset(side->row_of, 0xFF, (size_t)side->groups.count * sizeof *side->row_of);
    side->passes = memory_zero((size_t)side->groups.count + 1, sizeof *side->passes);
    for (uint32_t row = table->averages->count; row-- > 0;) {
        side->joined[group_of[row]] = side->row_of[group_of[row]] != NO_ROW;
        side->row_of[group_of[row]] = row;
    }
    for (uint32_t i = 0; i < table->kept_count; i++)
        side->passes[group_of[table->kept[i]]] = true;
    side->group_of = group_of;
    source_take(&source, table->tree, side->trace->path, &compare->strings);
    bool of_all = query.percent_of == PERCENT_OF_ALL;
    side->facts = (struct cell_facts){
        .groups = &side->groups, .has = source.has, .backend = source.backend, .sources = 1,
        .self_cpu = of_all ? table->self_cpu_all : table->self_cpu_shown,
        .self_device = of_all ? table->self_device_all : table->self_device_shown,
    };
    side->path = side->trace->path;
    side->steps = compare->query.per_step ? count_steps(table) : steps_count(table->tree);
    side->rank = source.rank;
    side->world_size = source.world_size;
    side->events = source.events;
}

static void group_cell(const void *context, uint32_t row, const struct column *column, struct value *out,
                       struct text *scratch)
{
    const struct compare_side *side = context;
    group_value(&side->facts, &side->groups.items[row], column, out, scratch);
}

/* Sums over all sources of a summary, or over the groups that pass. */
static void sum_shares(struct compare_side *side, bool of_all)
{
    uint64_t cpu = 0, device = 0;
    for (size_t i = 0; i < side->summary->sources.count && of_all; i++) {
        cpu += (uint64_t)side->summary->sources.items[i].self_cpu;
        device += (uint64_t)side->summary->sources.items[i].self_device;
    }
    for (uint32_t i = 0; i < side->groups.count && !of_all; i++) {
        const struct group *group = &side->groups.items[i];
        if (!side->passes[i])
            continue;
        cpu += (uint64_t)group->sums[MEASURE_SELF_CPU];
        device += group->key.side == SIDE_DEVICE ? (uint64_t)group->sums[MEASURE_SELF_DEVICE] : 0;
    }
    side->facts.self_cpu = (int64_t)cpu;
    side->facts.self_device = (int64_t)device;
}

static bool take_summary(struct compare *compare, int number, struct error *error)
{
    struct compare_side *side = &compare->sides[number];
    struct query query = side_query(compare, number);
    const struct filter *filter = side_filter(compare, number);
    bool of_all = query.percent_of == PERCENT_OF_ALL;
    free_groups(side);
    groups_init(&side->groups, &query.grouping, &compare->strings, &compare->stacks);
    if (!select_groups(side->summary, &query, filter, &side->groups, error))
        return false;
    side->facts = (struct cell_facts){.groups = &side->groups, .sources = (uint32_t)side->summary->sources.count};
    for (size_t i = 0; i < side->summary->sources.count; i++) {
        const struct source *source = &side->summary->sources.items[i];
        side->facts.has |= source->has;
        side->facts.backend = source->backend > side->facts.backend ? source->backend : side->facts.backend;
        side->steps = source->steps > side->steps ? source->steps : side->steps;
        side->events += source->events;
    }
    side->rank = side->world_size = -1;
    side->passes = memory_zero((size_t)side->groups.count + 1, sizeof *side->passes);
    for (uint32_t i = 0; i < side->groups.count; i++)
        side->passes[i] = true;
    sum_shares(side, of_all);
    for (uint32_t i = 0; i < side->groups.count && filter != NULL; i++)
        side->passes[i] = filter_cells(filter, group_cell, side, i, false);
    sum_shares(side, of_all);
    return true;
}

/* -- Pairs ------------------------------------------------------------------------------------------------------- */

static int by_step(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* The numbers of the steps that are in a side's keys, rising. To free(). */
static int64_t *list_steps(const struct groups *groups, uint32_t *count)
{
    int64_t *steps = memory_alloc(((size_t)groups->count + 1) * sizeof *steps);
    uint32_t all = 0;
    *count = 0;
    for (uint32_t i = 0; i < groups->count; i++)
        if (groups->items[i].key.step >= 0)
            steps[all++] = groups->items[i].key.step;
    qsort(steps, all, sizeof *steps, by_step);
    for (uint32_t i = 0; i < all; i++)
        if (*count == 0 || steps[i] != steps[*count - 1])
            steps[(*count)++] = steps[i];
    return steps;
}

/* Two runs rarely record the same steps: where none is in both, they are paired by their places. */
static void pair_steps(struct compare *compare)
{
    uint32_t counts[COMPARE_SIDES], a = 0, b = 0;
    int64_t *steps[COMPARE_SIDES];
    compare->steps_by_place = false;
    if (!(compare->query.query.grouping.parts & GROUP_STEP))
        return;
    for (int s = 0; s < COMPARE_SIDES; s++)
        steps[s] = list_steps(&compare->sides[s].groups, &counts[s]);
    bool common = counts[COMPARE_BASE] == 0 || counts[COMPARE_NEW] == 0;
    while (!common && a < counts[COMPARE_BASE] && b < counts[COMPARE_NEW]) {
        int64_t x = steps[COMPARE_BASE][a], y = steps[COMPARE_NEW][b];
        common = x == y;
        a += x < y;
        b += y < x;
    }
    if (!common) {
        uint32_t count = counts[COMPARE_BASE] < counts[COMPARE_NEW] ? counts[COMPARE_BASE] : counts[COMPARE_NEW];
        groups_renumber_steps(&compare->sides[COMPARE_NEW].groups, steps[COMPARE_NEW], steps[COMPARE_BASE], count);
        compare->steps_by_place = true;
    }
    free(steps[COMPARE_BASE]);
    free(steps[COMPARE_NEW]);
}

int64_t compare_steps(const struct compare *compare, int side)
{
    return compare->query.per_step && compare->sides[side].steps > 0 ? compare->sides[side].steps : 1;
}

static int64_t divide_to_even(int64_t value, int64_t by)
{
    int64_t whole = value / by, rest = value % by, size = rest < 0 ? -rest : rest;
    if (size > by - size || (size == by - size && (whole & 1) != 0))
        whole += value < 0 ? -1 : 1;
    return whole;
}

int64_t compare_sum(const struct compare *compare, int side, uint32_t group, enum measure measure)
{
    int64_t sum = compare->sides[side].groups.items[group].sums[measure], steps = compare_steps(compare, side);
    return measure == MEASURE_CALLS || steps == 1 ? sum : divide_to_even(sum, steps);
}

static bool nothing_changed(const struct compare *compare, const struct compare_row *row)
{
    uint32_t base = row->group[COMPARE_BASE], other = row->group[COMPARE_NEW];
    if (base == NO_ROW || other == NO_ROW || row->renamed)
        return false;
    const struct group *a = &compare->sides[COMPARE_BASE].groups.items[base];
    const struct group *b = &compare->sides[COMPARE_NEW].groups.items[other];
    __int128 calls_a = (__int128)a->sums[MEASURE_CALLS] * compare_steps(compare, COMPARE_NEW);
    __int128 calls_b = (__int128)b->sums[MEASURE_CALLS] * compare_steps(compare, COMPARE_BASE);
    bool same = calls_a == calls_b;
    for (int m = MEASURE_CALLS + 1; m < MEASURES; m++)
        same &= compare_sum(compare, COMPARE_BASE, base, (enum measure)m) ==
                compare_sum(compare, COMPARE_NEW, other, (enum measure)m);
    if (!compare->query.per_step)
        same &= memcmp(a->squares, b->squares, sizeof a->squares) == 0 && a->min == b->min && a->max == b->max;
    return same;
}

static void pair_groups(struct compare *compare)
{
    struct compare_side *base = &compare->sides[COMPARE_BASE], *other = &compare->sides[COMPARE_NEW];
    uint32_t *match[COMPARE_SIDES];
    bool *renamed = memory_zero((size_t)base->groups.count + 1, sizeof *renamed);
    for (int s = 0; s < COMPARE_SIDES; s++) {
        match[s] = memory_alloc(((size_t)compare->sides[s].groups.count + 1) * sizeof *match[s]);
        for (uint32_t i = 0; i < compare->sides[s].groups.count; i++)
            match[s][i] = groups_find(&compare->sides[1 - s].groups, &compare->sides[s].groups.items[i].key);
    }
    compare_pair_renamed(compare, match, renamed);
    free(compare->rows);
    free(compare->new_rows);
    compare->new_rows = memory_alloc(((size_t)other->groups.count + 1) * sizeof *compare->new_rows);
    compare->rows = memory_zero((size_t)base->groups.count + other->groups.count + 1, sizeof *compare->rows);
    compare->row_count = 0;
    for (uint32_t i = 0; i < base->groups.count; i++) {
        struct compare_row *row = &compare->rows[compare->row_count++];
        *row = (struct compare_row){{i, match[COMPARE_BASE][i]}, renamed[i], false};
        row->same = nothing_changed(compare, row);
        if (row->group[COMPARE_NEW] != NO_ROW)
            compare->new_rows[row->group[COMPARE_NEW]] = i;
    }
    compare->base_count = compare->row_count;
    for (uint32_t i = 0; i < other->groups.count; i++)
        if (match[COMPARE_NEW][i] == NO_ROW) {
            compare->new_rows[i] = compare->row_count;
            compare->rows[compare->row_count++] = (struct compare_row){{NO_ROW, i}, false, false};
        }
    for (int s = 0; s < COMPARE_SIDES; s++)
        free(match[s]);
    free(renamed);
}

/* -- Building ---------------------------------------------------------------------------------------------------- */

static bool same_groups(const struct compare_query *a, const struct compare_query *b)
{
    const struct grouping *x = &a->query.grouping, *y = &b->query.grouping;
    return x->parts == y->parts && x->stack_depth == y->stack_depth && x->full_list_shapes == y->full_list_shapes &&
           x->python == y->python && a->query.scope == b->query.scope && a->query.percent_of == b->query.percent_of &&
           a->query.no_device_annotations == b->query.no_device_annotations && a->query.filter == b->query.filter &&
           a->filters[0] == b->filters[0] && a->filters[1] == b->filters[1] && a->per_step == b->per_step;
}

static bool make_groups(struct compare *compare, struct error *error)
{
    for (int s = 0; s < COMPARE_SIDES; s++) {
        if (compare->sides[s].trace != NULL)
            take_table(compare, s);
        else if (!take_summary(compare, s, error))
            return false;
    }
    pair_steps(compare);
    pair_groups(compare);
    return true;
}

static struct compare *new_compare(const struct compare_query *query)
{
    struct compare *compare = memory_zero(1, sizeof *compare);
    compare->query = *query;
    strings_init(&compare->strings);
    stacks_init(&compare->stacks);
    return compare;
}

struct compare *compare_build(struct trace *base, struct trace *other, const struct compare_query *query)
{
    struct compare *compare = new_compare(query);
    compare->sides[COMPARE_BASE].trace = base;
    compare->sides[COMPARE_NEW].trace = other;
    make_groups(compare, NULL);
    compare_arrange(compare);
    return compare;
}

struct compare *compare_summaries(struct summary *base, struct summary *other, const char *const paths[COMPARE_SIDES],
                                  const struct compare_query *query, struct error *error)
{
    struct compare *compare = new_compare(query);
    compare->sides[COMPARE_BASE].summary = base;
    compare->sides[COMPARE_NEW].summary = other;
    for (int s = 0; s < COMPARE_SIDES; s++)
        compare->sides[s].path = paths[s];
    if (!make_groups(compare, error)) {
        compare_free(compare);
        return NULL;
    }
    compare_arrange(compare);
    return compare;
}

bool compare_update(struct compare *compare, const struct compare_query *query, struct error *error)
{
    struct compare_query old = compare->query;
    bool same = same_groups(&old, query);
    compare->query = *query;
    if (!same && !make_groups(compare, error)) {
        compare->query = old;
        make_groups(compare, NULL);
        compare_arrange(compare);
        return false;
    }
    compare_arrange(compare);
    return true;
}

/* All but the sides' tables and summaries. */
static void free_rest(struct compare *compare)
{
    for (int s = 0; s < COMPARE_SIDES; s++)
        free_groups(&compare->sides[s]);
    strings_free(&compare->strings);
    stacks_free(&compare->stacks);
    free(compare->rows);
    free(compare->new_rows);
    free(compare->kept);
    free(compare->order);
    free(compare);
}

void compare_free(struct compare *compare)
{
    if (compare == NULL)
        return;
    for (int s = 0; s < COMPARE_SIDES; s++) {
        table_free(compare->sides[s].table);
        summary_free(compare->sides[s].summary);
    }
    free_rest(compare);
}

/* -- Two comparisons of the same traces --------------------------------------------------------------------------- */

bool compare_shows(const struct compare *compare, const struct compare_query *query)
{
    const struct query *a = &compare->query.query, *b = &query->query;
    return same_groups(&compare->query, query) && compare->query.main_sort == query->main_sort &&
           compare->query.unchanged == query->unchanged && a->sort == b->sort && a->ascending == b->ascending &&
           a->top_level_only == b->top_level_only && a->row_limit == b->row_limit &&
           !(a->hide_below < b->hide_below || a->hide_below > b->hide_below);
}

uint64_t compare_update_work(const struct compare *compare, const struct compare_query *query)
{
    struct compare other = {.query = *query};
    uint64_t work = compare->row_count;
    if (compare_shows(compare, query))
        return 0;
    for (int s = 0; s < COMPARE_SIDES && !same_groups(&compare->query, query); s++) {
        const struct table *table = compare->sides[s].table;
        struct query own = side_query(&other, s);
        uint64_t of_table = table_update_work(table, &own), least = table->tree->count / 4;
        work += of_table > least ? of_table : least;
    }
    return work;
}

struct compare *compare_beside(const struct compare *compare, const struct compare_query *query)
{
    struct compare *other = new_compare(query);
    for (int s = 0; s < COMPARE_SIDES; s++) {
        struct query own = side_query(other, s);
        other->sides[s].trace = compare->sides[s].trace;
        other->sides[s].table = table_beside(compare->sides[s].table, &own);
    }
    make_groups(other, NULL);
    compare_arrange(other);
    return other;
}

void compare_give_up(struct compare *compare, const struct compare *other)
{
    for (int s = 0; s < COMPARE_SIDES; s++)
        table_give_up(compare->sides[s].table, other->sides[s].table);
    free_rest(compare);
}
