/*
 * The columns and the order of rows.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "support/render.h"

/* The names of the shown rows, separated by spaces. To free(). */
static char *names(const struct table *table)
{
    struct text out = {0};
    for (uint32_t i = 0; i < table->count; i++) {
        if (i > 0)
            text_add_char(&out, ' ');
        text_add_span(&out, strings_get(&table->trace->strings, table_row_name(table, table->order[i])));
    }
    text_add(&out, "", 0);
    return out.bytes;
}

static void shows(struct table *table, const struct query *query, const char *want)
{
    table_update(table, query);
    char *have = names(table);
    cr_expect_str_eq(have, want);
    free(have);
}

static const struct column *column(const char *name)
{
    const struct column *found = column_find(span_of(name));
    cr_assert_not_null(found, "%s", name);
    return found;
}

/* d, b, a and c in order of appearance; b and c take 20 us each. */
static const char four[] =
    "{\"traceEvents\": ["
    "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"d\", \"pid\": 1, \"tid\": 1, \"ts\": 0, \"dur\": 30},"
    "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"b\", \"pid\": 1, \"tid\": 1, \"ts\": 40, \"dur\": 20},"
    "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"a\", \"pid\": 1, \"tid\": 1, \"ts\": 70, \"dur\": 10},"
    "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"c\", \"pid\": 1, \"tid\": 1, \"ts\": 90, \"dur\": 20}]}";

Test(table, sorting_is_stable_both_ways)
{
    struct trace *trace = support_trace(four);
    struct query query;
    query_init(&query);
    struct table *table = table_build(trace, &query);
    shows(table, &query, "d b a c");
    query.sort = column("cpu_time_total");
    shows(table, &query, "d b c a");
    query.ascending = true;
    shows(table, &query, "a b c d");
    query.sort = column("key");
    shows(table, &query, "a b c d");
    query.ascending = false;
    shows(table, &query, "d c b a");
    query.sort = column("count");
    shows(table, &query, "d b a c");
    query.sort = NULL;
    query.row_limit = 2;
    shows(table, &query, "d b");
    cr_expect_eq(table->left_out, 2);
    query.row_limit = 0;
    shows(table, &query, "");
    table_free(table);
    trace_free(trace);
}

/* Nothing of these was recorded, so no order by them exists. */
Test(table, unknown_columns_do_not_sort)
{
    static const char *const unknown[] = {"self_device_time_total", "cpu_memory_usage", "device_memory_usage",
                                          "input_shapes", "stack", "flops", "overload_name", "node_id"};
    struct trace *trace = support_trace(four);
    struct query query;
    query_init(&query);
    struct table *table = table_build(trace, &query);
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
        query.sort = column(unknown[i]);
        cr_expect_not(column_available(table, query.sort), "%s", unknown[i]);
        cr_expect_not_null(column_remedy(query.sort), "%s", unknown[i]);
        query.ascending = false;
        shows(table, &query, "d b a c");
        query.ascending = true;
        shows(table, &query, "d b a c");
    }
    table_free(table);
    trace_free(trace);
}

/* A share of nothing: the only row is async, so the sum of self CPU is 0. */
Test(table, share_of_nothing_is_unknown)
{
    struct trace *trace = support_trace(
        "{\"traceEvents\": [{\"ph\": \"X\", \"cat\": \"user_annotation\", \"name\": \"nccl:all_reduce\", \"pid\": 1, "
        "\"tid\": 1, \"ts\": 1, \"dur\": 5}]}");
    struct query query;
    query_init(&query);
    struct table *table = table_build(trace, &query);
    struct value value;
    struct text scratch = {0};
    table_value(table, 0, column("self_cpu_percent"), &value, &scratch);
    cr_expect_eq(value.kind, VALUE_UNKNOWN);
    table_value(table, 0, column("cpu_time_total"), &value, &scratch);
    cr_expect(value.kind == VALUE_INTEGER && value.integer == 5000);
    text_free(&scratch);
    table_free(table);
    trace_free(trace);
}

Test(table, unknown_values_come_last)
{
    struct column fake = *column("count");
    struct value known = {.kind = VALUE_INTEGER, .integer = -5, .over = 1};
    cr_expect_lt(value_compare(&fake, &known, &(struct value){.kind = VALUE_INTEGER, .integer = 5, .over = 1}), 0);
    double keys[] = {3.0, 1.0, 2.0, 1.0};
    uint32_t rows[] = {0, 1, 2, 3};
    table_sort_reals(keys, true, rows, 4);
    cr_expect(rows[0] == 1 && rows[1] == 3 && rows[2] == 2 && rows[3] == 0);
    table_sort_reals(keys, false, rows, 4);
    cr_expect(rows[0] == 0 && rows[1] == 2 && rows[2] == 1 && rows[3] == 3);
}

/* 5,000 rows with ten keys: within a key they stay in order, both ways. */
Test(table, sorting_many_is_stable)
{
    enum { MANY = 5000 };
    static double keys[MANY];
    static uint32_t rows[MANY];
    for (int descending = 0; descending < 2; descending++) {
        for (uint32_t i = 0; i < MANY; i++) {
            keys[i] = (double)(i * 7919u % 10u) - 5.0;
            rows[i] = i;
        }
        keys[17] = -0.0;
        keys[18] = 0.0;
        table_sort_reals(keys, descending == 0, rows, MANY);
        for (uint32_t i = 1; i < MANY; i++) {
            double a = keys[rows[i - 1]], b = keys[rows[i]];
            cr_assert(descending ? a >= b : a <= b);
            cr_assert(a != b || rows[i - 1] < rows[i], "%u %u", rows[i - 1], rows[i]);
        }
    }
}

/* Names that share long beginnings, begin with one another, or hold bytes above ASCII. */
Test(table, many_names_are_ordered_by_their_bytes)
{
    enum { MANY = 6000 };
    static const char *const begins[] = {"", "a", "aten::a_long_beginning_that_many_names_share_", "\xc3\xa9",
                                         "z\\u0001"};
    struct text text = {0};
    text_add_string(&text, "{\"traceEvents\": [");
    for (unsigned i = 0; i < MANY; i++) {
        text_addf(&text, "%s{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"%s", i > 0 ? ",\n" : "", begins[i % 5]);
        for (unsigned k = 0; k < i % 23; k++)
            text_add_char(&text, 'x');
        text_addf(&text, "%u\", \"pid\": 1, \"tid\": %u, \"ts\": %u, \"dur\": 5}", i * 7919u % (i % 3 + 900), i, i);
    }
    text_add_string(&text, "]}");
    struct trace *trace = support_trace(text.bytes);
    struct query query;
    struct value a, b;
    struct text scratch_a = {0}, scratch_b = {0};
    query_init(&query);
    query.grouping.parts = GROUP_NAME | GROUP_THREAD; /* equal names too */
    struct table *table = table_build(trace, &query);
    cr_assert_eq(table->count, MANY);
    for (int ascending = 0; ascending < 2; ascending++) {
        static bool seen[MANY];
        memset(seen, 0, sizeof seen);
        for (uint32_t i = 0; i < MANY; i++)
            table->order[i] = i;
        table_sort(table, column("key"), ascending != 0, table->order, MANY);
        for (uint32_t i = 0; i < MANY; i++) {
            cr_assert_not(seen[table->order[i]]);
            seen[table->order[i]] = true;
            if (i == 0)
                continue;
            table_value(table, table->order[i - 1], column("key"), &a, &scratch_a);
            table_value(table, table->order[i], column("key"), &b, &scratch_b);
            int order = value_compare(column("key"), &a, &b);
            cr_assert(ascending ? order <= 0 : order >= 0, "at %u", i);
            cr_assert(order != 0 || table->order[i - 1] < table->order[i], "equal names at %u", i);
        }
    }
    text_free(&scratch_a);
    text_free(&scratch_b);
    table_free(table);
    trace_free(trace);
    text_free(&text);
}

/* Ratios are compared as such, not as doubles: these two are the same double. */
Test(table, ratios_are_exact)
{
    struct value a = {.kind = VALUE_RATIO, .integer = 9007199254740993, .over = 1};
    struct value b = {.kind = VALUE_RATIO, .integer = 9007199254740992, .over = 1};
    cr_expect_eq(value_real(&a), value_real(&b));
    cr_expect_gt(value_compare(column("cpu_time"), &a, &b), 0);
    cr_expect_lt(value_compare(column("cpu_time"), &b, &a), 0);
    a.over = b.over = 3;
    cr_expect_eq(value_compare(column("cpu_time"), &a, &a), 0);
}

Test(table, shapes_are_ordered_by_their_numbers)
{
    static const char *const ordered[] = {"[]", "[[]]", "[[], []]", "[[2]]", "[[2], [3]]", "[[2, 1]]", "[[10]]",
                                          "[[10, 5]]", "[[10, 12]]"};
    const struct column *shapes = column("input_shapes");
    for (int i = 0; i < 9; i++)
        for (int k = 0; k < 9; k++) {
            int order = shapes->compare(span_of(ordered[i]), span_of(ordered[k]));
            cr_expect_eq((order > 0) - (order < 0), (i > k) - (i < k), "%s %s", ordered[i], ordered[k]);
        }
}

Test(table, lists_are_ordered_by_their_items)
{
    const struct column *stack = column("stack");
    cr_expect_lt(stack->compare(span_of("a;b"), span_of("a b")), 0);
    cr_expect_lt(stack->compare(span_of("a"), span_of("a;b")), 0);
    cr_expect_gt(stack->compare(span_of("b"), span_of("a;b")), 0);
    cr_expect_eq(stack->compare(span_of("a;b"), span_of("a;b")), 0);
}

/* -- Cells ------------------------------------------------------------------------------------------------------- */

static void cell(const char *name, struct value value, enum time_unit unit, const char *text, const char *raw)
{
    struct text out = {0};
    column_add_text(column(name), &value, unit, &out);
    text_add(&out, "", 0);
    cr_expect_str_eq(out.bytes, text);
    text_clear(&out);
    column_add_raw(column(name), &value, &out);
    text_add(&out, "", 0);
    cr_expect_str_eq(out.bytes, raw);
    text_free(&out);
}

#define INTEGER(number) ((struct value){.kind = VALUE_INTEGER, .integer = (number), .over = 1})
#define RATIO(a, b) ((struct value){.kind = VALUE_RATIO, .integer = (a), .over = (b)})

Test(table, cells)
{
    cell("cpu_time_total", INTEGER(999999999), TIME_AUTO, "1000.000ms", "999999.999");
    cell("cpu_time_total", INTEGER(1000000000), TIME_AUTO, "1.000s", "1000000.000");
    cell("cpu_time_total", INTEGER(-1500), TIME_AUTO, "-1.500us", "-1.500");
    cell("cpu_time_total", INTEGER(1500), TIME_MS, "0.002ms", "1.500");
    cell("cpu_time_total", (struct value){.kind = VALUE_UNKNOWN}, TIME_AUTO, "--", "");
    cell("std", (struct value){.kind = VALUE_REAL, .real = 1234.5678}, TIME_AUTO, "1.235us", "1.235");
    cell("cpu_memory_usage", INTEGER(-2048), TIME_AUTO, "-2.00 KB", "-2048");
    cell("count", INTEGER(123456), TIME_AUTO, "123456", "123456");
    cell("flops", INTEGER(0), TIME_AUTO, "--", "0");
    cell("is_async", INTEGER(1), TIME_AUTO, "yes", "true");
    cell("self_cpu_percent", RATIO(1, 3), TIME_AUTO, "33.33%", "33.3333");
    cell("self_cpu_percent", RATIO(5, 2), TIME_AUTO, "250.00%", "250.0000");
    cell("key", (struct value){.kind = VALUE_TEXT, .text = span_of("x")}, TIME_AUTO, "x", "x");
}

/* An average is rounded once: by way of whole ns the last one would be 1.000ms. */
Test(table, averages_are_rounded_once)
{
    cell("cpu_time", RATIO(1, 2), TIME_AUTO, "0.000us", "0.000");
    cell("cpu_time", RATIO(3, 2), TIME_AUTO, "0.002us", "0.002");
    cell("cpu_time", RATIO(-3, 2), TIME_AUTO, "-0.002us", "-0.002");
    cell("cpu_time", RATIO(2000001, 2), TIME_AUTO, "1.000ms", "1000.000");
    cell("cpu_time", RATIO(2001001, 2), TIME_AUTO, "1.001ms", "1000.500");
    cell("cpu_time", RATIO(INT64_MAX, 1), TIME_US, "9223372036854775.807us", "9223372036854775.807");
}

/* -- The table of columns ---------------------------------------------------------------------------------------- */

Test(table, columns_are_described)
{
    for (unsigned i = 0; i < column_count; i++) {
        const struct column *one = &columns[i];
        cr_expect(one->help[strlen(one->help) - 1] == '.', "%s: help is a sentence", one->name);
        cr_expect(one->width > 0 && one->value != NULL && one->title[0] != '\0', "%s", one->name);
        cr_expect(!one->attribute || i == 0 || columns[i - 1].attribute, "%s: attributes come first", one->name);
        for (unsigned k = 0; k < i; k++) {
            cr_expect_str_neq(one->name, columns[k].name);
            cr_expect_str_neq(one->title, columns[k].title);
            cr_expect_str_neq(one->help, columns[k].help);
        }
    }
}

/* All of FunctionEventAvg, in torch's order. */
Test(table, columns_hold_all_attributes)
{
    static const char *const attributes[] = {
        "key", "count", "node_id", "is_async", "is_remote", "use_device", "cpu_time_total", "device_time_total",
        "self_cpu_time_total", "self_device_time_total", "input_shapes", "overload_name", "stack", "scope",
        "cpu_memory_usage", "device_memory_usage", "self_cpu_memory_usage", "self_device_memory_usage", "cpu_children",
        "cpu_parent", "device_type", "is_legacy", "flops", "is_user_annotation", "cpu_time", "device_time",
    };
    for (size_t i = 0; i < sizeof attributes / sizeof attributes[0]; i++) {
        cr_assert_str_eq(columns[i].name, attributes[i]);
        cr_expect(columns[i].attribute);
    }
}
