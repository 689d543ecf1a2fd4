/* Ranks for the writers: which columns, the lines below, the facts of json. */
#include <stdlib.h>

#include "keyavg/ranks.h"

/* -- Columns ----------------------------------------------------------------------------------------------------- */

struct chosen {
    const struct ranks *ranks;
    const struct column **items;
    unsigned count;
};

/* Each column once; there is room for all columns and facets. */
static void choose(struct chosen *chosen, const struct column *column)
{
    bool there = column == NULL;
    for (unsigned i = 0; i < chosen->count && !there; i++)
        there = chosen->items[i] == column;
    if (!there)
        chosen->items[chosen->count++] = column;
}

static void choose_named(struct chosen *chosen, const char *name)
{
    choose(chosen, column_find(span_of(name)));
}

/* The facets of a sum; one of a row alone has nothing to set against others. */
static void choose_facets(struct chosen *chosen, const struct column *of, enum facet last)
{
    for (int f = FACET_SUM; f <= (int)last; f++)
        if (f != FACET_LINE || (column_measure(of) >= 0 && chosen->ranks->by_source[column_measure(of)] != NULL))
            choose(chosen, facet_column(of, (enum facet)f));
}

static bool says_something(const struct ranks *ranks, const struct column *column)
{
    struct text scratch = {0};
    bool found = false;
    for (uint32_t i = 0; i < ranks->groups.count && !found; i++) {
        struct value value;
        ranks_value(ranks, i, column, &value, &scratch);
        found = value.kind != VALUE_UNKNOWN && (value.kind != VALUE_TEXT || value.text.length > 0);
    }
    text_free(&scratch);
    return found;
}

/* What rows are told apart by, beside the name. */
static void choose_parts(struct chosen *chosen, bool all)
{
    static const char *const sides[] = {"device_type", "is_user_annotation", "scope"};
    static const char *const parts[] = {"overload_name", "input_shapes", "stack"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (says_something(chosen->ranks, column_find(span_of(parts[i]))))
            choose_named(chosen, parts[i]);
    for (unsigned i = 0; i < column_count; i++)
        if (!columns[i].attribute && columns[i].unit == UNIT_TEXT && says_something(chosen->ranks, &columns[i]))
            choose(chosen, &columns[i]);
    for (size_t i = 0; i < sizeof sides / sizeof *sides && all; i++)
        choose_named(chosen, sides[i]);
}

static bool is_plain_number(const struct column *column)
{
    return column_is_number(column) && column->unit != UNIT_NUMBER && column->unit != UNIT_FLAG;
}

/* Every column that can say something; sums as their facets unless rows are of one rank. */
static void choose_all(struct chosen *chosen)
{
    bool by_rank = chosen->ranks->query.by_rank, histograms = chosen->ranks->query.histograms;
    for (unsigned i = 0; i < column_count; i++) {
        const struct column *column = &columns[i];
        if (!is_plain_number(column) || (column->spread && !histograms) || !says_something(chosen->ranks, column))
            continue;
        if (!by_rank && facet_column(column, FACET_SUM) != NULL)
            choose_facets(chosen, column, FACET_WORST);
        else
            choose(chosen, column);
    }
}

static const struct column *leading_column(const struct ranks *ranks)
{
    const struct column *sort = ranks->query.main_sort ? NULL : ranks->query.query.sort;
    const struct column *of = sort != NULL && sort->of != NULL ? sort->of : sort;
    return of != NULL && facet_column(of, FACET_SUM) != NULL ? of : ranks_main_column(ranks);
}

/* How many of the rows that are shown have other numbers of calls on other ranks. */
static uint32_t count_differing(const struct ranks *ranks)
{
    const struct column *differ = column_find(span_of("calls_differ"));
    struct text scratch = {0};
    uint32_t count = 0;
    for (uint32_t i = 0; i < ranks->count && !ranks->query.by_rank; i++) {
        struct value value;
        ranks_value(ranks, ranks->order[i], differ, &value, &scratch);
        count += value.kind == VALUE_INTEGER && value.integer != 0;
    }
    text_free(&scratch);
    return count;
}

static void choose_usual(struct chosen *chosen)
{
    const struct ranks *ranks = chosen->ranks;
    const struct column *sort = ranks->query.main_sort ? NULL : ranks->query.query.sort;
    const struct column *main = leading_column(ranks), *calls = measure_column(MEASURE_CALLS);
    if (ranks->query.by_rank) {
        choose(chosen, measure_column(MEASURE_SELF_CPU));
        choose(chosen, measure_column(MEASURE_CPU));
        if (ranks->facts.has & SOURCE_DEVICE) {
            choose(chosen, measure_column(MEASURE_SELF_DEVICE));
            choose(chosen, measure_column(MEASURE_DEVICE));
        }
        choose(chosen, calls);
    } else {
        /* What finds the odd one first: a narrow terminal has no room for the last ones. */
        static const enum facet first[] = {FACET_SUM, FACET_SPREAD, FACET_WORST};
        if (count_differing(ranks) > 0)
            choose_named(chosen, "calls_differ");
        for (size_t i = 0; i < sizeof first / sizeof *first; i++)
            choose(chosen, facet_column(main, first[i]));
        if (ranks->by_source[column_measure(main)] != NULL)
            choose(chosen, facet_column(main, FACET_LINE));
        choose_facets(chosen, main, FACET_LINE);
        choose(chosen, facet_column(calls, FACET_SUM));
        choose_named(chosen, "ranks");
    }
    if (sort != NULL && column_is_number(sort))
        choose(chosen,
               sort->of == NULL && facet_column(sort, FACET_SUM) != NULL && !ranks->query.by_rank ? NULL : sort);
}

const struct column **ranks_columns(const struct ranks *ranks, const struct column *const *given, unsigned given_count,
                                    bool all, unsigned *count)
{
    struct chosen chosen = {.ranks = ranks};
    size_t room = (size_t)column_count * FACET_COUNT + facet_extra_count + given_count * (size_t)FACET_COUNT;
    chosen.items = memory_alloc(room * sizeof *chosen.items);
    for (unsigned i = 0; given != NULL && i < given_count; i++) {
        if (!ranks->query.by_rank && facet_column(given[i], FACET_SUM) != NULL)
            choose_facets(&chosen, given[i], FACET_LINE);
        else
            choose(&chosen, given[i]);
    }
    if (given == NULL) {
        choose_named(&chosen, "key");
        if (ranks->query.by_rank)
            choose_named(&chosen, "node_id");
        choose_parts(&chosen, all);
        if (all && !ranks->query.by_rank) {
            choose_named(&chosen, "ranks");
            choose_named(&chosen, "calls_differ");
        }
        if (all)
            choose_all(&chosen);
        else
            choose_usual(&chosen);
    }
    *count = chosen.count;
    return chosen.items;
}

/* -- The sheet --------------------------------------------------------------------------------------------------- */

static void value(const void *context, uint32_t row, const struct column *column, struct value *out,
                  struct text *scratch)
{
    const struct ranks *ranks = context;
    ranks_value(ranks, ranks->order[row], column, out, scratch);
}

static uint32_t stack(const void *context, uint32_t row, struct span *lines, uint32_t room)
{
    const struct ranks *ranks = context;
    return group_stack(&ranks->groups, &ranks->groups.items[ranks->order[row]].key, lines, room);
}

static void add_sum(const struct ranks *ranks, const char *device, int64_t ns, struct text *out)
{
    text_addf(out, "Self %s time total of %lu rank%s: ", device, (unsigned long)ranks->facts.sources,
              ranks->facts.sources == 1 ? "" : "s");
    units_add_time(out, ns, ranks->query.query.unit);
    text_add_char(out, '\n');
}

static void add_foot(const void *context, struct text *out)
{
    const struct ranks *ranks = context;
    uint32_t differ = count_differing(ranks);
    add_sum(ranks, "CPU", ranks->self_cpu, out);
    if (ranks->self_device != 0)
        add_sum(ranks, facts_device_name(&ranks->facts), ranks->self_device, out);
    if (differ > 0)
        text_addf(out, "%lu row%s not the same number of calls on every rank\n", (unsigned long)differ,
                  differ == 1 ? " has" : "s have");
    if (ranks->left_out > 0)
        text_addf(out, "%lu more row%s left out (--row-limit -1 shows all)\n", (unsigned long)ranks->left_out,
                  ranks->left_out == 1 ? "" : "s");
    if (ranks->hidden > 0)
        text_addf(out, "%lu row%s hidden by --hide-below %g\n", (unsigned long)ranks->hidden,
                  ranks->hidden == 1 ? "" : "s", ranks->query.query.hide_below);
}

/* The calls by ranges of durations, as [smallest us, largest us, calls]. */
static void add_histogram(const void *context, uint32_t row, struct text *out)
{
    const struct ranks *ranks = context;
    const struct histogram *histogram = &ranks->groups.items[ranks->order[row]].histogram;
    if (histogram->count == 0)
        return;
    text_add_string(out, ",\"histogram\":[");
    for (uint32_t i = 0; i < histogram->count; i++) {
        text_add_string(out, i > 0 ? ",[" : "[");
        units_add_us(out, histogram_low(histogram->bars[i].range));
        text_add_char(out, ',');
        units_add_us(out, histogram_high(histogram->bars[i].range));
        text_addf(out, ",%llu]", (unsigned long long)histogram->bars[i].count);
    }
    text_add_char(out, ']');
}

static void add_facts(const void *context, struct text *out)
{
    const struct ranks *ranks = context;
    text_addf(out, "\"summary\": {\"version\":%d,\"percentile_error\":0.01},\n", SUMMARY_VERSION);
    rank_roll_add_facts(&ranks->roll, true, out);
}

struct sheet ranks_sheet(const struct ranks *ranks, const struct column *const *columns_given, unsigned count)
{
    return (struct sheet){
        .context = ranks,
        .count = ranks->count,
        .columns = columns_given,
        .column_count = count,
        .sort = ranks->query.main_sort ? NULL : ranks->query.query.sort,
        .unit = ranks->query.query.unit,
        .device = facts_device_name(&ranks->facts),
        .value = value,
        .stack = stack,
        .add_foot = add_foot,
        .add_facts = add_facts,
        .add_members = add_histogram,
    };
}
