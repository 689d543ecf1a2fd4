/* The cells of a comparison: both sides, and what lies between them. */
#include <math.h>

#include "keyavg/compare.h"

static struct value unknown(void)
{
    return (struct value){.kind = VALUE_UNKNOWN, .over = 1};
}

/* A column of one side's row; unknown where the side has no such row. Sums are per step when that is asked for. */
static struct value side_value(const struct compare *compare, int s, uint32_t row, const struct column *column,
                               struct text *scratch)
{
    const struct compare_side *side = &compare->sides[s];
    uint32_t group = compare->rows[row].group[s];
    int measure = column_measure(column);
    struct value value = unknown();
    if (group == NO_ROW)
        return value;
    /* Text is of the groups, whose threads and streams have names that both sides share. */
    if (side->table != NULL && column->unit != UNIT_TEXT && !side->joined[group])
        table_value(side->table, side->row_of[group], column, &value, scratch);
    else
        group_value(&side->facts, &side->groups.items[group], column, &value, scratch);
    if (value.kind == VALUE_UNKNOWN && column->unit == UNIT_TEXT && side->table != NULL)
        table_value(side->table, side->row_of[group], column, &value, scratch);
    if (value.kind != VALUE_INTEGER || measure < 0)
        return value;
    if (measure == MEASURE_CALLS && compare_steps(compare, s) > 1)
        return value_ratio(value.integer, compare_steps(compare, s));
    value.integer = compare_sum(compare, s, group, (enum measure)measure);
    return value;
}

/* A number of both sides; a row that is not there counts as 0. Unknown when neither side can tell. */
static bool both_values(const struct compare *compare, uint32_t row, const struct column *column, struct value *base,
                        struct value *other, struct text *scratch)
{
    const uint32_t *group = compare->rows[row].group;
    *base = side_value(compare, COMPARE_BASE, row, column, scratch);
    *other = side_value(compare, COMPARE_NEW, row, column, scratch);
    if (base->kind == VALUE_UNKNOWN && other->kind == VALUE_UNKNOWN)
        return false;
    if (group[COMPARE_BASE] == NO_ROW)
        *base = value_zero(other);
    if (group[COMPARE_NEW] == NO_ROW)
        *other = value_zero(base);
    return base->kind != VALUE_UNKNOWN && other->kind != VALUE_UNKNOWN;
}

/* value / by to the nearest, halves to even. */
static int64_t divide_to_even(__int128 value, __int128 by)
{
    __int128 whole = value / by, rest = value % by, size = rest < 0 ? -rest : rest;
    if (2 * size > by || (2 * size == by && (whole & 1) != 0))
        whole += value < 0 ? -1 : 1;
    return (int64_t)whole;
}

static int64_t calls_of(const struct compare *compare, int s, uint32_t row)
{
    uint32_t group = compare->rows[row].group[s];
    return group != NO_ROW ? compare->sides[s].groups.items[group].sums[MEASURE_CALLS] : 0;
}

/* (n1 - n0) times the base's mean, in ns; all of the change where one side has no calls. */
static int64_t calls_effect(const struct compare *compare, uint32_t row, enum measure measure, int64_t change)
{
    const uint32_t *group = compare->rows[row].group;
    int64_t calls = calls_of(compare, COMPARE_BASE, row), others = calls_of(compare, COMPARE_NEW, row);
    int64_t steps = compare_steps(compare, COMPARE_BASE), other_steps = compare_steps(compare, COMPARE_NEW);
    if (calls == 0 || others == 0)
        return change;
    int64_t sum = compare->sides[COMPARE_BASE].groups.items[group[COMPARE_BASE]].sums[measure];
    __int128 more = (__int128)others * steps - (__int128)calls * other_steps;
    __int128 over = (__int128)steps * other_steps * calls, product;
    if (__builtin_mul_overflow(more, (__int128)sum, &product) || product > (__int128)INT64_MAX * over ||
        product < (__int128)INT64_MIN * over)
        return 0; /* sums of a file made to overflow */
    return divide_to_even(product, over);
}

/* Whether the change lies within the spread of the calls: what facet.c says of `noise`. */
static bool is_noise(const struct compare *compare, uint32_t row, enum measure measure, int64_t change)
{
    int64_t calls = calls_of(compare, COMPARE_BASE, row), others = calls_of(compare, COMPARE_NEW, row);
    __int128 a = (__int128)calls * compare_steps(compare, COMPARE_NEW);
    __int128 b = (__int128)others * compare_steps(compare, COMPARE_BASE);
    double means[COMPARE_SIDES], square = 0;
    if (change == 0 || a != b || calls < 2 || others < 2)
        return false;
    for (int s = 0; s < COMPARE_SIDES; s++) {
        const struct group *group = &compare->sides[s].groups.items[compare->rows[row].group[s]];
        double count = (double)group->sums[MEASURE_CALLS], deviation = group_deviation(group, measure);
        means[s] = (double)group->sums[measure] / count;
        square += deviation * deviation / (count - 1); /* of the sample's mean */
    }
    return fabs(means[COMPARE_NEW] - means[COMPARE_BASE]) <= 2 * sqrt(square);
}

/* The change of the total that a measure's changes are shares of. Calls stay whole: both parts have the same factor. */
static struct value share_of_change(const struct compare *compare, uint32_t row, enum measure measure, int64_t change)
{
    enum measure of = measure == MEASURE_CPU      ? MEASURE_SELF_CPU
                      : measure == MEASURE_DEVICE ? MEASURE_SELF_DEVICE
                                                  : measure;
    int64_t base = compare->total[COMPARE_BASE][of], other = compare->total[COMPARE_NEW][of];
    if (measure == MEASURE_CALLS) {
        int64_t steps = compare_steps(compare, COMPARE_BASE), other_steps = compare_steps(compare, COMPARE_NEW);
        int64_t calls = calls_of(compare, COMPARE_BASE, row), others = calls_of(compare, COMPARE_NEW, row);
        return value_ratio(others * steps - calls * other_steps, other * steps - base * other_steps);
    }
    return value_ratio(change, (int64_t)((uint64_t)other - (uint64_t)base));
}

static struct value facet_value(const struct compare *compare, uint32_t row, const struct column *column,
                                struct text *scratch)
{
    struct value base, other;
    int measure = column_measure(column);
    enum facet facet = (enum facet)column->facet;
    if (facet == FACET_BASE || facet == FACET_NEW)
        return side_value(compare, facet == FACET_BASE ? COMPARE_BASE : COMPARE_NEW, row, column->of, scratch);
    if (!both_values(compare, row, column->of, &base, &other, scratch))
        return unknown();
    if (facet == FACET_RATIO)
        return compare->rows[row].group[COMPARE_BASE] != NO_ROW ? value_quotient(&other, &base) : unknown();
    struct value change = value_difference(&other, &base);
    if (facet == FACET_DIFF)
        return change;
    if (measure < 0)
        return unknown();
    switch (facet) {
    case FACET_BY_CALLS: return value_integer(calls_effect(compare, row, (enum measure)measure, change.integer));
    case FACET_BY_CALL:
        return value_integer(change.integer - calls_effect(compare, row, (enum measure)measure, change.integer));
    case FACET_SHARE: return share_of_change(compare, row, (enum measure)measure, change.integer);
    case FACET_NOISE: return value_integer(is_noise(compare, row, (enum measure)measure, change.integer));
    default: return unknown();
    }
}

/* The time that is looked at: the sort column's, else the main one. */
static const struct column *looked_at(const struct compare *compare)
{
    const struct column *sort = compare->query.main_sort ? NULL : compare->query.query.sort;
    int measure = sort != NULL ? column_measure(sort) : -1;
    if (measure >= MEASURE_CPU && measure < MEASURE_CPU + MEASURE_TIMES)
        return sort->of != NULL ? sort->of : sort;
    return compare_main_column(compare);
}

static struct span change_word(const struct compare *compare, uint32_t row, struct text *scratch)
{
    const struct compare_row *of = &compare->rows[row];
    if (of->group[COMPARE_BASE] == NO_ROW)
        return span_of("new");
    if (of->group[COMPARE_NEW] == NO_ROW)
        return span_of("gone");
    if (of->renamed)
        return span_of("renamed");
    struct value noise = facet_value(compare, row, facet_column(looked_at(compare), FACET_NOISE), scratch);
    return span_of(noise.kind == VALUE_INTEGER && noise.integer != 0 ? "~" : "");
}

void compare_value(const struct compare *compare, uint32_t row, const struct column *column, struct value *out,
                   struct text *scratch)
{
    const uint32_t *group = compare->rows[row].group;
    *out = unknown();
    if (column->of != NULL) {
        *out = facet_value(compare, row, column, scratch);
    } else if (strcmp(column->name, "change") == 0) {
        *out = (struct value){.kind = VALUE_TEXT, .over = 1, .text = change_word(compare, row, scratch)};
    } else if (strcmp(column->name, "renamed_to") == 0) {
        *out = (struct value){.kind = VALUE_TEXT, .over = 1, .text = {"", 0}};
        if (compare->rows[row].renamed)
            *out = side_value(compare, COMPARE_NEW, row, column_find(span_of("key")), scratch);
    } else if (column_is_number(column)) {
        *out = side_value(compare, COMPARE_NEW, row, column, scratch);
    } else {
        *out = side_value(compare, group[COMPARE_BASE] != NO_ROW ? COMPARE_BASE : COMPARE_NEW, row, column, scratch);
    }
}

bool compare_side_row(const struct compare *compare, uint32_t row, int side, const struct table **table,
                      uint32_t *table_row)
{
    uint32_t group = compare->rows[row].group[side];
    if (group == NO_ROW || compare->sides[side].table == NULL)
        return false;
    *table = compare->sides[side].table;
    *table_row = compare->sides[side].row_of[group];
    return true;
}
