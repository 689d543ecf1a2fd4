/* A comparison for the writers: which columns, the lines below, the facts of json. */
#include <stdlib.h>

#include "keyavg/compare.h"

/* -- Columns ----------------------------------------------------------------------------------------------------- */

struct list {
    const struct column **items;
    unsigned count, capacity;
};

static void add_column(struct list *list, const struct column *column)
{
    if (column == NULL)
        return;
    for (unsigned i = 0; i < list->count; i++)
        if (list->items[i] == column)
            return;
    if (list->count == list->capacity) {
        list->capacity = list->capacity * 2 + 32;
        list->items = memory_resize(list->items, list->capacity, sizeof *list->items);
    }
    list->items[list->count++] = column;
}

static void add_facets(struct list *list, const struct column *of, enum facet first, enum facet last)
{
    for (int f = (int)first; f <= (int)last; f++)
        add_column(list, facet_column(of, (enum facet)f));
}

/* Whether any row has something in a column: what no row of either side can tell is left out. */
static bool any_row(const struct compare *compare, const struct column *column)
{
    struct text scratch = {0};
    bool found = false;
    for (uint32_t i = 0; i < compare->kept_count && !found; i++) {
        struct value value;
        compare_value(compare, compare->kept[i], column, &value, &scratch);
        found = value.kind == VALUE_TEXT ? value.text.length > 0 : value.kind != VALUE_UNKNOWN;
    }
    text_free(&scratch);
    return found;
}

/* Parts of the key beside the name, as far as rows are grouped by them. */
static void add_parts(const struct compare *compare, struct list *list)
{
    for (unsigned i = 0; i < column_count; i++) {
        const struct column *column = &columns[i];
        bool part = !column->attribute || strcmp(column->name, "overload_name") == 0 ||
                    strcmp(column->name, "input_shapes") == 0 || strcmp(column->name, "stack") == 0;
        if (column->unit == UNIT_TEXT && part && any_row(compare, column))
            add_column(list, column);
    }
}

/* What besides keeps two rows of one name apart, for programs that read the rows. */
static void add_sides(const struct compare *compare, struct list *list)
{
    static const char *const names[] = {"device_type", "is_user_annotation", "node_id", "scope"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (any_row(compare, column_find(span_of(names[i]))))
            add_column(list, column_find(span_of(names[i])));
}

static void add_usual(const struct compare *compare, struct list *list)
{
    const struct column *sort = compare->query.main_sort ? NULL : compare->query.query.sort;
    const struct column *main = sort != NULL && sort->of != NULL ? sort->of : sort;
    if (main == NULL || facet_column(main, FACET_DIFF) == NULL)
        main = compare_main_column(compare);
    const struct column *calls = measure_column(MEASURE_CALLS);
    if (main != calls) {
        add_column(list, facet_column(calls, FACET_BASE));
        add_column(list, facet_column(calls, FACET_NEW));
    }
    add_facets(list, main, FACET_BASE, FACET_SHARE);
    if (main == calls)
        add_facets(list, compare_main_column(compare), FACET_BASE, FACET_SHARE);
}

static void add_all(const struct compare *compare, struct list *list)
{
    for (unsigned i = 0; i < column_count; i++) {
        const struct column *column = &columns[i];
        const struct column *base = facet_column(column, FACET_BASE), *other = facet_column(column, FACET_NEW);
        if (base == NULL || (compare->kept_count > 0 && !any_row(compare, base) && !any_row(compare, other)))
            continue;
        add_facets(list, column, FACET_BASE, FACET_NOISE);
    }
}

const struct column **compare_columns(const struct compare *compare, const struct column *const *chosen,
                                      unsigned chosen_count, bool all, unsigned *count)
{
    struct list list = {0};
    add_column(&list, chosen == NULL ? column_find(span_of("key")) : NULL);
    for (unsigned i = 0; chosen != NULL && i < chosen_count; i++) {
        if (facet_column(chosen[i], FACET_BASE) != NULL)
            add_facets(&list, chosen[i], FACET_BASE, FACET_RATIO);
        else
            add_column(&list, chosen[i]);
    }
    if (chosen == NULL) {
        add_parts(compare, &list);
        if (all)
            add_sides(compare, &list);
        const struct column *change = column_find(span_of("change")), *renamed = column_find(span_of("renamed_to"));
        if (all || any_row(compare, change))
            add_column(&list, change);
        if (all)
            add_all(compare, &list);
        else
            add_usual(compare, &list);
        if (all || compare->renamed > 0)
            add_column(&list, renamed);
    }
    *count = list.count;
    return list.items;
}

/* -- The sheet --------------------------------------------------------------------------------------------------- */

static void value(const void *context, uint32_t row, const struct column *column, struct value *out,
                  struct text *scratch)
{
    const struct compare *compare = context;
    compare_value(compare, compare->order[row], column, out, scratch);
}

static uint32_t stack(const void *context, uint32_t row, struct span *lines, uint32_t room)
{
    const struct compare *compare = context;
    const struct compare_row *of = &compare->rows[compare->order[row]];
    int s = of->group[COMPARE_BASE] != NO_ROW ? COMPARE_BASE : COMPARE_NEW;
    const struct groups *groups = &compare->sides[s].groups;
    return group_stack(groups, &groups->items[of->group[s]].key, lines, room);
}

static const char *device_name(const struct compare *compare)
{
    const struct cell_facts *base = &compare->sides[COMPARE_BASE].facts;
    return facts_device_name(base->has & SOURCE_DEVICE ? base : &compare->sides[COMPARE_NEW].facts);
}

static struct value total_of(const struct compare *compare, int side, enum measure measure)
{
    struct value total = value_integer(compare->total[side][measure]);
    return measure == MEASURE_CALLS ? value_ratio(total.integer, compare_steps(compare, side)) : total;
}

static void add_total(const struct compare *compare, const char *device, enum measure measure, struct text *out)
{
    const struct column *of = measure_column(measure), *change_column = facet_column(of, FACET_DIFF);
    enum time_unit unit = compare->query.query.unit;
    struct value base = total_of(compare, COMPARE_BASE, measure), other = total_of(compare, COMPARE_NEW, measure);
    struct value change = value_difference(&other, &base), ratio = value_quotient(&other, &base);
    text_addf(out, "Self %s time total%s: ", device, compare->query.per_step ? " per step" : "");
    column_add_text(of, &base, unit, out);
    text_add_string(out, " -> ");
    column_add_text(of, &other, unit, out);
    text_add_string(out, "  ");
    column_add_text(change_column, &change, unit, out);
    text_add_string(out, "  ");
    column_add_text(facet_column(of, FACET_RATIO), &ratio, unit, out);
    text_add_char(out, '\n');
}

static void add_number_of(struct text *out, uint32_t number, const char *what)
{
    if (number == 0)
        return;
    text_addf(out, "%s%lu %s", out->bytes[out->length - 1] == '\n' ? "" : ", ", (unsigned long)number, what);
}

static void add_foot(const void *context, struct text *out)
{
    const struct compare *compare = context;
    add_total(compare, "CPU", MEASURE_SELF_CPU, out);
    if (compare->total[COMPARE_BASE][MEASURE_SELF_DEVICE] != 0 || compare->total[COMPARE_NEW][MEASURE_SELF_DEVICE] != 0)
        add_total(compare, device_name(compare), MEASURE_SELF_DEVICE, out);
    size_t before = out->length;
    add_number_of(out, compare->appeared, "new");
    add_number_of(out, compare->gone, "gone");
    add_number_of(out, compare->renamed, "renamed");
    if (compare->unchanged > 0 && !compare->query.unchanged)
        add_number_of(out, compare->unchanged, compare->unchanged == 1 ? "row unchanged (--unchanged shows it)"
                                                                       : "rows unchanged (--unchanged shows them)");
    if (out->length > before)
        text_add_char(out, '\n');
    if (compare->left_out > 0)
        text_addf(out, "%lu more row%s left out (--row-limit -1 shows all)\n", (unsigned long)compare->left_out,
                  compare->left_out == 1 ? "" : "s");
    if (compare->hidden > 0)
        text_addf(out, "%lu row%s hidden by --hide-below %g\n", (unsigned long)compare->hidden,
                  compare->hidden == 1 ? "" : "s", compare->query.query.hide_below);
}

/* -- Facts for json ---------------------------------------------------------------------------------------------- */

static void add_side(const struct compare *compare, int s, struct text *out)
{
    const struct compare_side *side = &compare->sides[s];
    const char *slash = strrchr(side->path, '/');
    text_add_string(out, "{\"file\":");
    json_add_string(out, span_of(slash != NULL ? slash + 1 : side->path));
    if (side->rank >= 0)
        text_addf(out, ",\"rank\":%lld", (long long)side->rank);
    text_addf(out, ",\"steps\":%lu,\"events\":%llu}", (unsigned long)side->steps, (unsigned long long)side->events);
}

static void add_totals(const struct compare *compare, struct text *out)
{
    text_add_string(out, "\"total\":{");
    for (int m = 0; m < MEASURES; m++) {
        const struct column *of = measure_column((enum measure)m);
        struct value base = total_of(compare, COMPARE_BASE, (enum measure)m);
        struct value other = total_of(compare, COMPARE_NEW, (enum measure)m);
        struct value change = value_difference(&other, &base);
        text_addf(out, "%s\"%s\":{\"base\":", m > 0 ? "," : "", of->name);
        column_add_raw(of, &base, out);
        text_add_string(out, ",\"new\":");
        column_add_raw(of, &other, out);
        text_add_string(out, ",\"diff\":");
        column_add_raw(of, &change, out);
        text_add_char(out, '}');
    }
    text_add_char(out, '}');
}

static void add_facts(const void *context, struct text *out)
{
    const struct compare *compare = context;
    text_add_string(out, "\"compare\": {\"base\":");
    add_side(compare, COMPARE_BASE, out);
    text_add_string(out, ",\"new\":");
    add_side(compare, COMPARE_NEW, out);
    text_addf(out, ",\"per_step\":%s,\"steps_by_place\":%s,\"rows_new\":%lu,\"rows_gone\":%lu,\"rows_renamed\":%lu,"
              "\"rows_unchanged\":%lu,", compare->query.per_step ? "true" : "false",
              compare->steps_by_place ? "true" : "false", (unsigned long)compare->appeared,
              (unsigned long)compare->gone, (unsigned long)compare->renamed, (unsigned long)compare->unchanged);
    add_totals(compare, out);
    text_add_char(out, '}');
}

struct sheet compare_sheet(const struct compare *compare, const struct column *const *columns_given, unsigned count)
{
    return (struct sheet){
        .context = compare,
        .count = compare->count,
        .columns = columns_given,
        .column_count = count,
        .sort = compare->query.main_sort ? NULL : compare->query.query.sort,
        .unit = compare->query.query.unit,
        .device = device_name(compare),
        .value = value,
        .stack = stack,
        .add_foot = add_foot,
        .add_facts = add_facts,
    };
}
