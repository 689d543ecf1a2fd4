/*
 * What is left out: whatever limit, filter, scope, top level or share hides, each column's shown cells and its
 * remainder add up to what the rows of the file add up to; text prints it as its last row, the screen below its rows.
 */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "keyavg/app.h"
#include "keyavg/filter.h"
#include "keyavg/remainder.h"
#include "keyavg/wrap.h"
#include "support/explorer.h"
#include "support/render.h"
#include "support/skip.h"
#include "support/traces.h"

static const struct {
    const char *filter;
    unsigned parts;
    int64_t row_limit;
    double hide_below;
    enum scope_choice scope;
    bool top_level_only, no_annotations;
    enum percent_base percent_of;
} queries[] = {
    {NULL, 0, -1, 0, SCOPE_ALL, false, false, PERCENT_OF_ALL},
    {NULL, 0, 3, 0, SCOPE_ALL, false, false, PERCENT_OF_ALL},
    {NULL, GROUP_SHAPE, 0, 0, SCOPE_ALL, false, false, PERCENT_OF_ALL},
    {NULL, 0, -1, 2, SCOPE_ALL, false, false, PERCENT_OF_SHOWN},
    {NULL, 0, 5, 1, SCOPE_BACKWARD, false, false, PERCENT_OF_ALL},
    {"aten::", GROUP_SHAPE | GROUP_OVERLOAD, -1, 0, SCOPE_ALL, false, false, PERCENT_OF_SHOWN},
    {"step:1", 0, 7, 0, SCOPE_ALL, false, false, PERCENT_OF_ALL},
    {"self_cpu_time_total>20us", 0, -1, 0, SCOPE_ALL, false, false, PERCENT_OF_ALL},
    {"count>2 !kind:kernel", GROUP_THREAD, -1, 0, SCOPE_FORWARD, false, false, PERCENT_OF_ALL},
    {NULL, 0, -1, 0, SCOPE_ALL, true, true, PERCENT_OF_ALL},
    {"there_is_no_such_name", 0, -1, 0, SCOPE_ALL, false, false, PERCENT_OF_ALL},
};
enum { QUERIES = sizeof queries / sizeof *queries };

static struct query query_of(int i, struct filter **filter)
{
    struct error error = {0};
    struct query query;
    query_init(&query);
    *filter = queries[i].filter != NULL ? filter_parse(span_of(queries[i].filter), &error) : NULL;
    cr_assert(queries[i].filter == NULL || *filter != NULL);
    query.filter = *filter;
    query.grouping.parts |= queries[i].parts;
    query.row_limit = queries[i].row_limit;
    query.hide_below = queries[i].hide_below;
    query.scope = queries[i].scope;
    query.top_level_only = queries[i].top_level_only;
    query.no_device_annotations = queries[i].no_annotations;
    query.percent_of = queries[i].percent_of;
    query.sort = column_find(span_of("self_cpu_time_total"));
    return query;
}

static int64_t sum_of(const struct table *table, const struct column *column, int64_t *over)
{
    struct text scratch = {0};
    int64_t sum = 0;
    for (uint32_t i = 0; i < table->count; i++) {
        struct value value;
        table_value(table, table->order[i], column, &value, &scratch);
        if (value.kind == VALUE_UNKNOWN)
            continue;
        cr_expect(*over == 0 || *over == value.over, "%s: one base", column->name);
        *over = value.over;
        wrap_to(&sum, value.integer);
    }
    text_free(&scratch);
    return sum;
}

static void check(struct table *table, struct table *file, const char *name, int query)
{
    for (unsigned c = 0; c < column_count; c++) {
        struct value left;
        int64_t over = 0, file_over = 0;
        table_remainder_value(table, &columns[c], &left);
        if (!columns[c].summable || !column_available(table, &columns[c])) {
            cr_expect_eq(left.kind, VALUE_UNKNOWN, "%s", columns[c].name);
            continue;
        }
        /* Over which base shares are is the query's business, not the file's. */
        int64_t shown = sum_of(table, &columns[c], &over), all = sum_of(file, &columns[c], &file_over);
        cr_expect(left.kind == VALUE_UNKNOWN || over == 0 || left.over == over, "%s", columns[c].name);
        cr_expect(left.kind != VALUE_UNKNOWN || shown == 0, "%s", columns[c].name);
        if (left.kind != VALUE_UNKNOWN)
            cr_expect_eq(wrap_add(shown, left.integer), all,
                         "%s, query %d, %s: %" PRId64 " + %" PRId64 ", not %" PRId64, name,
                         query, columns[c].name, shown, left.integer, all);
    }
}

Test(remainder, cells_and_remainder_are_the_file, .timeout = 240)
{
    struct support_traces traces = support_traces_below(support_samples_dir(), false);
    for (unsigned t = 0; t < traces.count; t++) {
        struct trace *trace = support_trace_file(traces.paths[t]);
        for (int i = 0; i < QUERIES; i++) {
            struct filter *filter;
            struct query query = query_of(i, &filter), all;
            query_init(&all);
            all.grouping = query.grouping;
            struct table *table = table_build(trace, &query), *file = table_build(trace, &all);
            check(table, file, support_short_path(traces.paths[t]), i);
            cr_expect_eq(table_remainder_rows(table), file->count - table->count);
            cr_expect(i > 0 || !table_has_remainder(table));
            table_free(table);
            table_free(file);
            filter_free(filter);
        }
        trace_free(trace);
    }
    support_traces_free(&traces);
}

/* From one query to the next, as the explorer goes: what is known of the whole is taken along. */
Test(remainder, holds_through_updates, .timeout = 60)
{
    struct trace *trace = support_trace_file(support_sample("gpu_small/trace.json"));
    struct filter *filters[QUERIES * 2];
    struct query first = query_of(0, &filters[0]);
    struct table *table = table_build(trace, &first);
    for (int i = 1; i < QUERIES * 2; i++) {
        struct query query = query_of((i * 7) % QUERIES, &filters[i]), all;
        query_init(&all);
        all.grouping = query.grouping;
        if (i % 2 == 0) {
            table_update(table, &query);
        } else {
            struct table *other = table_beside(table, &query);
            table_give_up(table, other);
            table = other;
        }
        struct table *file = table_build(trace, &all);
        check(table, file, "gpu_small", (i * 7) % QUERIES);
        table_free(file);
    }
    table_free(table);
    for (int i = 0; i < QUERIES * 2; i++)
        filter_free(filters[i]);
    trace_free(trace);
}

/* -- Batch and screen ---------------------------------------------------------------------------------------------- */

Test(remainder, text_has_a_last_row)
{
    struct table *table = NULL;
    struct trace *trace = support_trace_file(support_sample("gpu_small/trace.json"));
    struct text out = {0};
    support_render(trace, &table, "--format text --row-limit 2 --sort-by count --columns key,count,cpu_time,phase",
                   &out);
    const char *row = strstr(out.bytes, "\n[97 more rows]");
    cr_assert_not_null(row, "%s", out.bytes);
    uint32_t calls = 0;
    for (uint32_t i = 0; i < table->averages->count; i++)
        calls += i < 2 ? 0 : table->averages->rows[table->order[i]].count;
    cr_expect_eq(strtoul(row + strlen("\n[97 more rows]"), NULL, 10), calls, "%s", row);
    cr_expect_not_null(strstr(row, "--"));
    support_render(trace, &table, "--format text --row-limit -1", &out);
    cr_expect_null(strstr(out.bytes, "more row"));
    /* A filter that leaves a part of each row. */
    support_render(trace, &table, "--format text --row-limit -1 --filter step:1", &out);
    cr_expect_not_null(strstr(out.bytes, " more row"));
    table_free(table); /* its filter is gone */
    table = NULL;
    support_render(trace, &table, "--format csv --row-limit 2", &out);
    cr_expect_null(strstr(out.bytes, "more row"));
    text_free(&out);
    table_free(table);
    trace_free(trace);
}

Test(remainder, parts_of_rows_are_called_calls)
{
    struct table *table = NULL;
    struct trace *trace = support_trace("{\"traceEvents\":["
        "{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"ProfilerStep#1\",\"pid\":1,\"tid\":1,\"ts\":0,\"dur\":5},"
        "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":1},"
        "{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"ProfilerStep#2\",\"pid\":1,\"tid\":1,\"ts\":10,"
        "\"dur\":5},"
        "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":11,\"dur\":3}]}");
    struct text out = {0};
    support_render(trace, &table, "--format text --filter step:1 --columns key,count,cpu_time_total", &out);
    cr_expect_not_null(strstr(out.bytes, "\n[calls left out]           2    8.000us\n"), "%s", out.bytes);
    text_free(&out);
    table_free(table);
    trace_free(trace);
}

Test(remainder, the_screen_has_it_below_its_rows)
{
    struct app app;
    cr_assert(support_explore(&app, support_sample("gpu_small/trace.json")));
    cr_expect_not(support_on_screen(&app, "more row"));
    support_type(&app, "L2<Enter>");
    cr_expect(support_on_screen(&app, "[77 more rows]"));
    support_type(&app, "<Esc>\\gemm<Enter>");
    cr_expect(support_on_screen(&app, "[92 more rows]"));
    support_type(&app, ":columns count,self_cpu_time_total<Enter>");
    struct value left;
    struct text cell = {0};
    table_remainder_value(app.table, column_find(span_of("self_cpu_time_total")), &left);
    cr_expect_eq(left.integer, app.table->self_cpu_all - app.table->self_cpu_shown);
    units_add_time(&cell, left.integer, TIME_AUTO);
    cr_expect(support_on_screen(&app, cell.bytes));
    text_free(&cell);
    app_free(&app);
}
