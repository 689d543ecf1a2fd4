/*
 * Explaining cells: for every cell of every sample, in every column that adds up, the lines sum up to the cell and
 * their events are real; what is left out is counted; batch and screen tell the same.
 */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../src/ui/drill_view.h"
#include "keyavg/explain.h"
#include "keyavg/filter.h"
#include "keyavg/wrap.h"
#include "support/explorer.h"
#include "support/loads.h"
#include "support/render.h"
#include "support/skip.h"
#include "support/traces.h"

static int64_t number_of(const struct value *value)
{
    return value->kind == VALUE_INTEGER || value->kind == VALUE_RATIO ? value->integer : 0;
}

/* What the lines say of a cell against the cell. */
static void check_sum(const struct table *table, uint32_t row, const struct column *column,
                      const struct explanation *explanation)
{
    struct text scratch = {0};
    struct value cell;
    int64_t sum = 0, over = 1;
    bool terms = false;
    table_value(table, row, column, &cell, &scratch);
    for (size_t i = 0; i < explanation->lines.count; i++) {
        const struct explain_line *line = &explanation->lines.items[i];
        terms |= line->sign == EXPLAIN_PLUS;
        if (line->sign == EXPLAIN_PLUS)
            wrap_to(&sum, number_of(&line->value));
        else if (line->sign == EXPLAIN_MINUS)
            sum = wrap_sub(sum, number_of(&line->value));
        else if (line->sign == EXPLAIN_OVER)
            over = number_of(&line->value);
    }
    if (column->unit == UNIT_SHARE && cell.kind == VALUE_RATIO && !terms)
        cr_expect_eq(cell.integer, 0); /* asynchronous rows */
    else if (cell.kind == VALUE_RATIO)
        cr_expect_eq((__int128)sum * cell.over, (__int128)cell.integer * over, "%s of row %u", column->name, row);
    else if (terms && cell.kind == VALUE_INTEGER)
        cr_expect_eq(sum, cell.integer, "%s of row %u: %" PRId64 " against %" PRId64, column->name, row, sum,
                     cell.integer);
    else
        cr_expect(!column->summable || cell.kind == VALUE_UNKNOWN || (cell.integer == 0 && column->unit == UNIT_TIME),
                  "%s",
                  column->name);
    text_free(&scratch);
}

static void check_lines(const struct table *table, const struct explanation *explanation)
{
    cr_assert_geq(explanation->lines.count, 1);
    for (size_t i = 0; i < explanation->lines.count; i++) {
        const struct explain_line *line = &explanation->lines.items[i];
        cr_expect((line->sign == EXPLAIN_IS) == (i == 0));
        cr_expect_gt(strlen(line->title), 0);
        cr_expect_gt(strlen(line->advice), 0, "%s", line->title);
        for (uint32_t e = 0; e < line->event_count; e++)
            cr_expect(line->events[e] < table->tree->count && (e == 0 || line->events[e - 1] < line->events[e]), "%s",
                      line->title);
    }
}

static void check_table(struct table *table, uint32_t step)
{
    for (unsigned c = 0; c < column_count; c++) {
        for (uint32_t i = 0; i < table->averages->count; i += step) {
            struct explanation explanation;
            explain_cell(table, i, &columns[c], &explanation);
            check_lines(table, &explanation);
            if (column_available(table, &columns[c]))
                check_sum(table, i, &columns[c], &explanation);
            explanation_free(&explanation);
        }
    }
}

Test(explain, lines_sum_up_to_every_cell_of_every_sample, .timeout = 240)
{
    struct support_traces traces = support_traces_below(support_samples_dir(), false);
    for (unsigned i = 0; i < traces.count; i++) {
        struct trace *trace = support_trace_file(traces.paths[i]);
        struct query query;
        query_init(&query);
        query.grouping.parts |= i % 2 == 0 ? GROUP_SHAPE : 0u;
        struct table *table = table_build(trace, &query);
        check_table(table, 1 + table->averages->count / 60);
        table_free(table);
        trace_free(trace);
    }
    support_traces_free(&traces);
}

/* Also where a filter leaves some calls of a row, and with shares of what is shown. */
Test(explain, a_filter_tells_what_it_left_out, .timeout = 60)
{
    struct error error = {0};
    struct trace *trace = support_trace_file(support_sample("gpu_small/trace.json"));
    struct filter *filter = filter_parse(span_of("step:1"), &error);
    cr_assert_not_null(filter);
    struct query query;
    query_init(&query);
    query.filter = filter;
    query.percent_of = PERCENT_OF_SHOWN;
    struct table *table = table_build(trace, &query);
    check_table(table, 1);
    uint32_t count = 0;
    for (uint32_t row = 0; row < table->averages->count; row++) {
        struct explanation explanation;
        explain_cell(table, row, column_find(span_of("count")), &explanation);
        uint32_t whole = 0;
        for (size_t i = 0; i < explanation.lines.count; i++)
            if (strcmp(explanation.lines.items[i].title, "calls not chosen") == 0)
                whole = explanation.lines.items[i].event_count;
        table_row_key_event(table, row);
        uint32_t all = table->whole->rows[table->whole->row_of[table->averages->rows[row].first]].count;
        cr_expect_eq(table->averages->rows[row].count + whole, all);
        count += whole > 0;
        explanation_free(&explanation);
    }
    cr_expect_gt(count, 10);
    table_free(table);
    filter_free(filter);
    trace_free(trace);
}

#define OP(name, start, duration, more)                                                                                \
    "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"" name "\",\"pid\":1,\"tid\":1,\"ts\":" #start ",\"dur\":" #duration \
    ",\"args\":{" more "}}"

/* A line by its title, which has to be there. */
static struct explain_line find(const struct explanation *explanation, const char *title)
{
    for (size_t i = 0; i < explanation->lines.count; i++)
        if (strcmp(explanation->lines.items[i].title, title) == 0)
            return explanation->lines.items[i];
    cr_assert_fail("no line '%s'", title);
    return (struct explain_line){0};
}

/* Of each reason why something is not in a cell one that was made for it. */
Test(explain, what_is_not_in_it_and_why)
{
    struct trace *trace = support_events(OP("a", 0, 100, "") "," OP("b", 10, 50, "") "," OP("b", 10, 40, "") ","
                                         OP("a", 62, 8, "") "," OP("a", 70, 20, "\"finished\":false"));
    struct query query;
    query_init(&query);
    struct table *table = table_build(trace, &query);
    struct explanation explanation;
    explain_cell(table, 0, column_find(span_of("cpu_time_total")), &explanation);
    cr_expect_eq(find(&explanation, "durations of the calls").value.integer, 128000);
    cr_expect_eq(find(&explanation, "calls inside of calls of this row").value.integer, 8000);
    explanation_free(&explanation);
    explain_cell(table, 0, column_find(span_of("self_cpu_time_total")), &explanation);
    cr_expect_eq(explanation.lines.items[0].value.integer, 50000);
    cr_expect_eq(find(&explanation, "calls directly below").value.integer, 58000);
    cr_expect_str_eq(find(&explanation, "calls directly below").advice, "2 calls: b 50.000us, a 8.000us");
    cr_expect_eq(find(&explanation, "asynchronous calls").value.integer, 20000);
    explanation_free(&explanation);
    explain_cell(table, 1, column_find(span_of("count")), &explanation);
    cr_expect_eq(find(&explanation, "calls folded into their parent").event_count, 1);
    cr_expect_eq(find(&explanation, "calls folded into their parent").sign, EXPLAIN_LEFT_OUT);
    explanation_free(&explanation);
    explain_cell(table, 0, column_find(span_of("device_time_total")), &explanation);
    cr_expect_not_null(strstr(explanation.lines.items[0].advice, "recorded with ProfilerActivity"));
    explanation_free(&explanation);
    table_free(table);
    trace_free(trace);
}

/* Every column of torch's that is a number and every one of ours says how it is made. */
Test(explain, columns_that_add_up_have_a_formula)
{
    for (unsigned i = 0; i < column_count; i++)
        cr_expect(columns[i].formula != NULL || (!columns[i].summable && !columns[i].spread), "%s", columns[i].name);
}

/* -- Batch and screen ---------------------------------------------------------------------------------------------- */

static struct support_bytes run(int wanted, const char *const words[])
{
    struct support_bytes out, errors;
    const char *argv[20] = {support_keyavg()};
    int status, count = 1;
    setenv("LC_ALL", "C.UTF-8", 1);
    for (; words[count - 1] != NULL && count < 18; count++)
        argv[count] = words[count - 1];
    argv[count] = support_sample("gpu_small/trace.json");
    cr_assert(support_run(argv, &out, &errors, &status));
    cr_expect_eq(status, wanted, "%s", errors.bytes);
    support_run_free(wanted == 0 ? &errors : &out);
    return wanted == 0 ? out : errors;
}

#define RUN(wanted, ...) run(wanted, (const char *const[]){__VA_ARGS__, NULL})

Test(explain, batch_prints_the_formula_with_the_rows_numbers)
{
    struct support_bytes text = RUN(0, "--explain", "aten::mm", "self_cpu_time_total");
    cr_expect_not_null(strstr(text.bytes, "Self CPU of aten::mm      315.314us"), "%s", text.bytes);
    cr_expect_not_null(strstr(text.bytes, "+ durations of the calls  490.502us      10"), "%s", text.bytes);
    cr_expect_not_null(strstr(text.bytes, "- calls directly below    175.188us"), "%s", text.bytes);
    support_run_free(&text);
    text = RUN(0, "--explain=#2", "count", "--sort-by", "count", "--format", "csv", "--columns",
               "term,amount,unit,events");
    cr_expect_str_eq(text.bytes, "term,amount,unit,events\r\nis,10,number,\r\nplus,10,number,10\r\n", "%s", text.bytes);
    support_run_free(&text);
}

Test(explain, wrong_words_are_told)
{
    static const char *const cases[][6] = {
        {"--explain needs two words", "--batch", "--explain", "aten::mm"},
        {"did you mean 'count'?", "--explain", "aten::mm", "cuont"},
        {"no row 'aten::mmm'", "--explain", "aten::mmm", "count"},
        {"is not one row; NAME#K", "-S", "--explain", "aten::mm", "count"},
        {"'found' is of other views", "--explain", "aten::mm", "found"},
        {"do not go with --explain", "--explain", "aten::mm", "count", "--view=tree"},
        {"--format torch does not go with", "--explain", "aten::mm", "count", "--format=torch"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        /* In the first the file's name is taken for the column. */
        struct support_bytes errors = run(2, &cases[i][1]);
        if (i > 0)
            cr_expect_not_null(strstr(errors.bytes, cases[i][0]), "%s: %s", cases[i][0], errors.bytes);
        support_run_free(&errors);
    }
    struct support_bytes out, errors;
    int status;
    const char *argv[] = {support_keyavg(), support_sample("gpu_small/trace.json"), "--explain", "aten::mm", NULL};
    cr_assert(support_run(argv, &out, &errors, &status));
    cr_expect_eq(status, 2);
    cr_expect_not_null(strstr(errors.bytes, cases[0][0]), "%s", errors.bytes);
    support_run_free(&out);
    support_run_free(&errors);
}

/* The page of `!` has the lines that batch prints, follows another filter, and leads to events. */
Test(explain, the_page_explains_the_cell_under_the_cursor)
{
    struct app app;
    cr_assert(support_explore(&app, support_sample("gpu_small/trace.json")));
    support_type(&app, ":sort self_cpu_time_total<Enter>/aten::mm<Enter>!");
    struct drill_view *view = drill_view_of(&app);
    cr_assert_not_null(view);
    cr_assert_eq(view->drill->kind, DRILL_EXPLAIN);
    cr_expect(support_on_screen(&app, "of aten::mm"));
    support_type(&app, ":explain self_cpu_time_total<Enter>");
    cr_expect(app.message_is_error, "a page is not explained again");
    support_type(&app, "<Backspace>:explain self_cpu_time_total<Enter>jj");
    view = drill_view_of(&app);
    cr_expect(support_on_screen(&app, "- calls directly below"));
    cr_expect(support_on_screen(&app, "cudaLaunchKernel 175.188us"));
    uint32_t count, *events = drill_events(view->drill, drill_view_row(view)->id, &count);
    cr_assert_eq(count, 10);
    support_type(&app, "<Enter><Backspace><Enter>");
    cr_expect_eq(drill_event(drill_view_of(&app)->drill, 0), events[1]);
    free(events);
    support_type(&app, "<Backspace>c");
    cr_expect_eq(drill_view_of(&app)->drill->rows.count, 10);
    support_type(&app, "<Backspace><Backspace><Enter>!");
    cr_expect_eq(drill_view_of(&app)->drill->kind, DRILL_EXPLAIN);
    cr_expect(support_on_screen(&app, "whole row of the table"));
    app_free(&app);
}
