/* --fail-if: what must not grow. */
#include <stdio.h>
#include <stdlib.h>

#include "keyavg/compare.h"
#include "keyavg/utf8.h"

/* -- Reading ----------------------------------------------------------------------------------------------------- */

static struct span trimmed(struct span text)
{
    while (text.length > 0 && text.bytes[0] == ' ')
        text = (struct span){text.bytes + 1, text.length - 1};
    while (text.length > 0 && text.bytes[text.length - 1] == ' ')
        text.length--;
    return text;
}

static bool wrong(struct error *error, const char *text, const char *why, struct span word)
{
    struct text shown = {0}, whole = {0};
    utf8_add_fitted(&shown, word, 40, UTF8_CUT_END, false);
    utf8_add_fitted(&whole, span_of(text), 60, UTF8_CUT_END, false);
    error_set(error, ERROR_USAGE, "--fail-if '%s': %s%s%s", whole.bytes != NULL ? whole.bytes : "", why,
              shown.length > 0 ? " " : "", shown.length > 0 ? shown.bytes : "");
    text_free(&shown);
    text_free(&whole);
    return false;
}

/* Digits with a point, in all of `text`. */
static bool read_plain(struct span text, double *number)
{
    char copy[40], *end;
    if (text.length == 0 || text.length >= sizeof copy || strspn(text.bytes, "0123456789.") < text.length)
        return false;
    memcpy(copy, text.bytes, text.length);
    copy[text.length] = '\0';
    *number = strtod(copy, &end);
    return *end == '\0';
}

static bool read_limit(struct condition *condition, struct span text)
{
    int64_t whole;
    bool known = false;
    if (text.length > 1 && text.bytes[text.length - 1] == '%') {
        condition->per_cent = true;
        return read_plain(trimmed((struct span){text.bytes, text.length - 1}), &condition->limit);
    }
    if (condition->column->unit == UNIT_TIME)
        known = units_parse_time(text, 1000, &whole);
    else if (condition->column->unit == UNIT_BYTES)
        known = units_parse_bytes(text, &whole);
    else
        return read_plain(text, &condition->limit);
    condition->limit = known ? (double)whole : 0;
    return known && whole >= 0;
}

static bool can_grow(const struct column *column, bool total)
{
    if (column->of != NULL || !column_is_number(column))
        return false;
    return column_measure(column) >= 0 || (!total && column->unit == UNIT_TIME);
}

bool condition_parse(const char *text, struct condition *condition, struct error *error)
{
    struct span whole = trimmed(span_of(text));
    const char *sign = whole.length > 0 ? memchr(whole.bytes, '>', whole.length) : NULL;
    *condition = (struct condition){0};
    if (sign == NULL)
        return wrong(error, text, "it is COLUMN > N%, COLUMN > 1ms or total:COLUMN > N%", (struct span){0});
    struct span name = trimmed((struct span){whole.bytes, (size_t)(sign - whole.bytes)});
    condition->at_least = sign + 1 < whole.bytes + whole.length && sign[1] == '=';
    const char *from = sign + 1 + condition->at_least;
    struct span limit = trimmed((struct span){from, (size_t)(whole.bytes + whole.length - from)});
    condition->total = span_starts(name, "total:");
    if (condition->total)
        name = trimmed((struct span){name.bytes + 6, name.length - 6});
    condition->column = column_find(name);
    if (condition->column == NULL) {
        const struct column *near = column_nearest(name);
        char why[120] = "there is no column";
        if (near != NULL)
            snprintf(why, sizeof why, "did you mean %s? there is no column", near->name);
        return wrong(error, text, why, name);
    }
    if (!can_grow(condition->column, condition->total))
        return wrong(error, text, condition->total ? "no column that is summed over calls is" :
                     "no time, count, bytes or operations of a row is", name);
    if (!read_limit(condition, limit))
        return wrong(error, text, condition->column->unit == UNIT_TIME ? "a limit is 5% or a time such as 1ms, not"
                     : condition->column->unit == UNIT_BYTES ? "a limit is 5% or bytes such as 2KB, not"
                                                             : "a limit is 5% or a number, not", limit);
    condition->text = memory_copy_text(whole.bytes, whole.length);
    return true;
}

void condition_free(struct condition *condition)
{
    free(condition->text);
    *condition = (struct condition){0};
}

/* -- Checking ---------------------------------------------------------------------------------------------------- */

static bool exceeds(const struct condition *condition, const struct value *base, const struct value *other)
{
    struct value change = value_difference(other, base);
    double grown = value_real(&change), from = value_real(base);
    if (!condition->per_cent)
        return condition->at_least ? grown >= condition->limit && grown > 0 : grown > condition->limit;
    if (!(grown > 0))
        return false;
    if (!(from > 0))
        return true;
    return condition->at_least ? grown * 100 >= condition->limit * from : grown * 100 > condition->limit * from;
}

static void add_line(const struct condition *condition, const struct compare *compare, struct span name,
                     const struct value *base, const struct value *other, struct text *out)
{
    enum time_unit unit = compare->query.query.unit;
    struct value change = value_difference(other, base), ratio = value_quotient(&change, base);
    struct column signed_column = *condition->column;
    signed_column.is_signed = true;
    text_add_string(out, "  ");
    utf8_add_fitted(out, name, 100, UTF8_CUT_MIDDLE, false);
    text_add_string(out, "  ");
    column_add_text(condition->column, base, unit, out);
    text_add_string(out, " -> ");
    column_add_text(condition->column, other, unit, out);
    text_add_string(out, "  ");
    column_add_text(&signed_column, &change, unit, out);
    if (ratio.kind != VALUE_UNKNOWN)
        text_addf(out, " (%+.2f%%)", value_real(&ratio) * 100);
    text_add_char(out, '\n');
}

static struct value total_value(const struct compare *compare, int side, int measure)
{
    struct value value = value_integer(compare->total[side][measure]);
    return measure == MEASURE_CALLS && compare_steps(compare, side) > 1
               ? value_ratio(value.integer, compare_steps(compare, side)) : value;
}

/* A row's name with the rest of its key, as far as rows are grouped by more. */
static void add_row_name(const struct compare *compare, uint32_t row, struct text *out)
{
    struct text scratch = {0};
    struct value value;
    compare_value(compare, row, column_find(span_of("key")), &value, &scratch);
    text_add_span(out, value.text);
    static const char *const parts[] = {"overload_name", "input_shapes", "dtypes", "stack", "thread", "step", "phase",
                                        "module", "lane"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        compare_value(compare, row, column_find(span_of(parts[i])), &value, &scratch);
        if (value.kind == VALUE_TEXT && value.text.length > 0) {
            text_add_char(out, ' ');
            text_add_span(out, value.text);
        }
    }
    text_free(&scratch);
}

static void row_value(const void *context, uint32_t row, const struct column *column, struct value *out,
                      struct text *scratch)
{
    compare_value(context, row, column, out, scratch);
}

uint32_t condition_check(const struct condition *condition, const struct compare *compare, uint32_t lines,
                         struct text *out)
{
    int measure = column_measure(condition->column);
    if (condition->total) {
        struct value base = total_value(compare, COMPARE_BASE, measure);
        struct value other = total_value(compare, COMPARE_NEW, measure);
        if (!exceeds(condition, &base, &other))
            return 0;
        add_line(condition, compare, span_of("total"), &base, &other, out);
        return 1;
    }
    const struct column *base_column = facet_column(condition->column, FACET_BASE);
    const struct column *new_column = facet_column(condition->column, FACET_NEW);
    uint32_t *rows = memory_alloc(((size_t)compare->kept_count + 1) * sizeof *rows), found = 0;
    struct text scratch = {0}, name = {0};
    struct value base, other;
    for (uint32_t i = 0; i < compare->kept_count; i++) {
        uint32_t row = compare->kept[i];
        compare_value(compare, row, base_column, &base, &scratch);
        compare_value(compare, row, new_column, &other, &scratch);
        if (other.kind == VALUE_UNKNOWN)
            continue;
        if (base.kind == VALUE_UNKNOWN)
            base = value_zero(&other);
        if (exceeds(condition, &base, &other))
            rows[found++] = row;
    }
    cells_sort(row_value, compare, facet_column(condition->column, FACET_DIFF), false, true, rows, found);
    for (uint32_t i = 0; i < found && i < lines; i++) {
        compare_value(compare, rows[i], base_column, &base, &scratch);
        compare_value(compare, rows[i], new_column, &other, &scratch);
        if (base.kind == VALUE_UNKNOWN)
            base = value_zero(&other);
        text_clear(&name);
        add_row_name(compare, rows[i], &name);
        add_line(condition, compare, text_span(&name), &base, &other, out);
    }
    text_free(&scratch);
    text_free(&name);
    free(rows);
    return found;
}
