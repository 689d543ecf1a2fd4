/*
 * The filter language, phases, steps and modules, and what of them reaches a table.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "keyavg/filter.h"
#include "keyavg/grouping.h"
#include "keyavg/module.h"
#include "keyavg/phase.h"
#include "keyavg/steps.h"
#include "keyavg/table.h"
#include "support/skip.h"

static const char events[] =
    "{\"record_shapes\": 1, \"traceEvents\": [\n"
    "{\"ph\": \"X\", \"cat\": \"user_annotation\", \"name\": \"ProfilerStep#3\", \"pid\": 1, \"tid\": 1, \"ts\": 0, \"dur\": 100},\n"
    "{\"ph\": \"X\", \"cat\": \"user_annotation\", \"name\": \"ProfilerStep#4\", \"pid\": 1, \"tid\": 1, \"ts\": 100, \"dur\": 100},\n"
    "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"aten::mm\", \"pid\": 1, \"tid\": 1, \"ts\": 10, \"dur\": 20, \"args\": "
    "{\"External id\": 1, \"Input Dims\": [[32, 64], [64, 8]]}},\n"
    "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"aten::add\", \"pid\": 1, \"tid\": 1, \"ts\": 40, \"dur\": 5, \"args\": "
    "{\"External id\": 2, \"Input Dims\": [[8]]}},\n"
    "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"aten::Mul\", \"pid\": 1, \"tid\": 1, \"ts\": 110, \"dur\": 4},\n"
    "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"aten::add\", \"pid\": 1, \"tid\": 2, \"ts\": 120, \"dur\": 7, \"args\": "
    "{\"External id\": 3, \"Fwd thread id\": 1, \"Sequence number\": 9}},\n"
    "{\"ph\": \"X\", \"cat\": \"user_annotation\", \"name\": \"Optimizer.step#SGD.step\", \"pid\": 1, \"tid\": 1, \"ts\": 150, \"dur\": 30},\n"
    "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"aten::add_\", \"pid\": 1, \"tid\": 1, \"ts\": 155, \"dur\": 3},\n"
    "{\"ph\": \"X\", \"cat\": \"cuda_runtime\", \"name\": \"cudaLaunchKernel\", \"pid\": 1, \"tid\": 1, \"ts\": 15, \"dur\": 2, \"args\": "
    "{\"External id\": 1, \"correlation\": 77}},\n"
    "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"gemm\", \"pid\": 0, \"tid\": 7, \"ts\": 130, \"dur\": 50, \"args\": "
    "{\"External id\": 1, \"correlation\": 77, \"device\": 0, \"stream\": 7}},\n"
    "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"late\", \"pid\": 1, \"tid\": 1, \"ts\": 300, \"dur\": 1}\n"
    "]}\n";

static struct table *open_table(struct query *query)
{
    struct error error = {0};
    struct trace *trace = trace_load_memory(events, sizeof events - 1, "test.json", &error);
    cr_assert_not_null(trace, "%s", error.text);
    query_init(query);
    return table_build(trace, query);
}

static void close_table(struct table *table)
{
    struct trace *trace = table->trace;
    table_free(table);
    trace_free(trace);
}

/* The names of the rows that an expression leaves, separated by spaces. */
static void names_of(struct table *table, const char *expression, struct text *names)
{
    struct error error = {0};
    struct query query = table->query;
    struct filter *filter = filter_parse(span_of(expression), &error);
    cr_assert_not_null(filter, "%s: %s", expression, error.text);
    query.filter = filter;
    table_update(table, &query);
    text_clear(names);
    text_add_string(names, "");
    for (uint32_t i = 0; i < table->count; i++) {
        if (i > 0)
            text_add_char(names, ' ');
        text_add_span(names, strings_get(&table->trace->strings, table_row_name(table, table->order[i])));
    }
    query.filter = NULL;
    table_update(table, &query);
    filter_free(filter);
}

Test(filter, each_term)
{
    static const struct {
        const char *expression, *names;
    } cases[] = {
        {"", "ProfilerStep* aten::mm cudaLaunchKernel aten::add aten::Mul gemm Optimizer.step#SGD.step aten::add_ late"},
        {"mm", "aten::mm gemm"},
        {"MM", ""},
        {"mul", "aten::Mul"},
        {"Mul", "aten::Mul"},
        {"aten !add", "aten::mm aten::Mul"},
        {"name:add", "aten::add aten::add_"},
        {"/^aten::(mm|add)$/", "aten::mm aten::add"},
        {"!/aten/ !kind:device", "ProfilerStep* cudaLaunchKernel Optimizer.step#SGD.step late"},
        {"kind:kernel", "gemm"},
        {"kind:runtime", "cudaLaunchKernel"},
        {"kind:op !aten", "late"},
        {"scope:backward", "aten::add"},
        {"scope:optimizer", "Optimizer.step#SGD.step aten::add_"},
        {"scope:user", "ProfilerStep*"},
        {"scope:forward", "aten::mm cudaLaunchKernel aten::add aten::Mul gemm late"},
        {"step:3", "ProfilerStep* aten::mm cudaLaunchKernel aten::add gemm"},
        {"step:4-9", "ProfilerStep* aten::Mul aten::add Optimizer.step#SGD.step aten::add_"},
        {"step:none", "late"},
        {"!step:3-", "late"},
        {"thread:2", "aten::add"},
        {"shape:[32,64]", "aten::mm"},
        {"shape:[8]", "aten::add"},
        {"shape:32,64", "aten::mm"},
        {"shape:[[32, 64], [64, 8]]", "aten::mm"},
        {"shape:[2,64]", ""},
        {"count>=2", "ProfilerStep* aten::add"},
        {"count=1 aten", "aten::mm aten::Mul aten::add_"},
        {"cpu_time_total>19us", "ProfilerStep* aten::mm Optimizer.step#SGD.step"},
        {"cpu_time_total>0.029ms", "ProfilerStep* Optimizer.step#SGD.step"},
        {"cpu_time_total<=5 kind:op", "aten::Mul aten::add_ late"},
        {"self_cuda_time_total>0", "aten::mm gemm"},
        {"key=aten::mm", "aten::mm"},
        {"key!=aten::mm aten", "aten::add aten::Mul aten::add_"},
        {"\"aten::mm\"", "aten::mm"},
    };
    struct query query;
    struct table *table = open_table(&query);
    struct text names = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        names_of(table, cases[i].expression, &names);
        cr_expect_str_eq(names.bytes, cases[i].names, "%s: %s", cases[i].expression, names.bytes);
    }
    text_free(&names);
    close_table(table);
}

Test(filter, a_call_keeps_its_figures)
{
    struct query query;
    struct table *table = open_table(&query);
    struct error error;
    struct filter *filter = filter_parse(span_of("aten::mm"), &error);
    query.filter = filter;
    table_update(table, &query);
    cr_assert_eq(table->count, 1);
    const struct average *row = &table->averages->rows[table->order[0]];
    cr_expect_eq(row->self_cpu_time_total, 18000, "what it called is still taken off");
    cr_expect_eq(row->device_time_total, 50000);
    cr_expect_eq(table->self_device_all, 50000);
    cr_expect_eq(table->self_device_shown, 0);
    query.filter = NULL;
    table_update(table, &query);
    filter_free(filter);
    close_table(table);
}

Test(filter, errors_say_where_and_why)
{
    static const struct {
        const char *expression, *message;
    } cases[] = {
        {"a /(/", "filter, at 4: Unmatched ( or \\("},
        {"/abc", "filter, at 1: the regular expression has no closing /"},
        {"x !", "filter, at 3: nothing stands behind the !"},
        {"kind:foo", "filter, at 6: a kind is op, annotation, python, runtime, overhead, memory, kernel, memcpy, memset, "
                     "sync, cpu or device, not 'foo'"},
        {"scope:", "filter, at 7: nothing stands behind the colon"},
        {"step:x", "filter, at 6: a step is a number, 3-5, 3- or none, not 'x'"},
        {"cont>3", "filter, at 1: did you mean count? there is no column 'cont'"},
        {"count>x", "filter, at 7: a number, not 'x'"},
        {"cpu_time_total>1parsec", "filter, at 16: a time such as 1ms, 20us or 5 (us), not '1parsec'"},
        {"key>3", "filter, at 4: text is compared with = or !=: 'key'"},
        {"/a{256}/", "filter, at 2: a repeat count above 255"},
        {"/(a{2}){3}/", "filter, at 2: a counted repeat inside of another"},
        {"/a{2}{3}/", "filter, at 2: a repeat of a repeat"},
        {"/^a+++++*+++++c/", "filter, at 2: a repeat of a repeat"},
        {"/((((a*)b)*c)*d)+/", "filter, at 2: repeats inside of each other, more than 3 deep"},
        {"/(a)\\1/", "filter, at 2: back references are not taken"},
        {"shape:[1", "filter, at 1: a bracket is not closed"},
        {"\"abc", "filter, at 1: a quote is not closed"},
        {"\xC3\xA9 /(/", "filter, at 4: Unmatched ( or \\("},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct error error = {0};
        struct filter *filter = filter_parse(span_of(cases[i].expression), &error);
        cr_expect_null(filter, "%s", cases[i].expression);
        cr_expect_str_eq(error.text, cases[i].message);
        cr_expect_eq(error.code, ERROR_USAGE);
        filter_free(filter);
    }
    char longest[300];
    struct error error = {0};
    memset(longest, 'a', sizeof longest);
    longest[0] = longest[298] = '/';
    cr_expect_null(filter_parse((struct span){longest, 299}, &error));
}

Test(filter, parts_of_names_are_no_operators)
{
    static const char *const words[] = {"vector<int>", "op<float", "a=>b", "name::x", "=", "std::less<>"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        struct error error = {0};
        struct filter *filter = filter_parse(span_of(words[i]), &error);
        cr_expect_not_null(filter, "%s: %s", words[i], error.text);
        cr_expect_not(filter_on_rows(filter), "%s", words[i]);
        filter_free(filter);
    }
}

Test(filter, steps_and_the_rest_are_told_apart)
{
    struct error error;
    struct text text = {0};
    struct filter *filter = filter_parse(span_of("conv step:3-5  !norm"), &error);
    cr_assert(filter_has_steps(filter) && filter_has_others(filter));
    filter_add_text(filter, false, &text);
    cr_expect_str_eq(text.bytes, "conv !norm");
    text_clear(&text);
    filter_add_steps(filter, &text);
    cr_expect_str_eq(text.bytes, "3-5");
    text_clear(&text);
    filter_add_text(filter, true, &text);
    cr_expect_str_eq(text.bytes, "conv step:3-5 !norm");
    text_free(&text);
    filter_free(filter);
}

Test(grouping, by_step_scope_thread_and_device)
{
    static const struct {
        const char *parts, *labels;
    } cases[] = {
        {"step", "step 3|step 4|step 3 (CUDA)|[no step]"},
        {"scope", "user|forward|backward|forward (CUDA)|optimizer"},
        {"thread", "1/1|1/2|0/7 (CUDA)"},
        {"device", "CPU|CUDA 0 stream 7"},
        {"module", "[none]|[none] (CUDA)"},
    };
    struct query query;
    struct table *table = open_table(&query);
    struct text labels = {0};
    struct error error;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cr_assert(grouping_parse(span_of(cases[i].parts), &query.grouping, &error));
        table_update(table, &query);
        text_clear(&labels);
        for (uint32_t j = 0; j < table->count; j++) {
            if (j > 0)
                text_add_char(&labels, '|');
            table_add_row_label(table, table->order[j], &labels);
        }
        cr_expect_str_eq(labels.bytes, cases[i].labels, "%s: %s", cases[i].parts, labels.bytes);
    }
    text_free(&labels);
    close_table(table);
}

Test(grouping, words)
{
    struct grouping grouping = {.parts = GROUP_NAME};
    struct error error;
    struct text text = {0};
    cr_assert(grouping_parse(span_of("stack=3, shape"), &grouping, &error));
    cr_expect_eq(grouping.parts, GROUP_STACK | GROUP_SHAPE);
    cr_expect_eq(grouping.stack_depth, 3);
    grouping_add_text(&grouping, &text);
    cr_expect_str_eq(text.bytes, "shape,stack=3");
    text_free(&text);
    cr_assert(grouping_parse(span_of("name,stack=0"), &grouping, &error));
    cr_expect_eq(grouping.parts, GROUP_NAME);
    cr_expect_not(grouping_parse(span_of("name,shpe"), &grouping, &error));
    cr_expect_str_eq(error.text, "cannot group by 'shpe'; did you mean 'shape'?");
    cr_expect_not(grouping_parse(span_of("stack=x"), &grouping, &error));
    cr_expect_not(grouping_parse(span_of("name=2"), &grouping, &error));
}

Test(table, hide_below_and_the_bases_of_shares)
{
    struct query query;
    struct table *table = open_table(&query);
    query.sort = column_find(span_of("self_cpu_time_total"));
    query.hide_below = 10;
    table_update(table, &query);
    uint32_t count = table->count, hidden = table->hidden;
    cr_expect_eq(count + hidden, table->averages->count);
    for (uint32_t i = 0; i < table->averages->count; i++) {
        double share = (double)table->averages->rows[table->order[i]].self_cpu_time_total / (double)table->self_cpu_all;
        cr_expect_eq(share * 100 >= 10, i < count);
    }
    query.scope = SCOPE_BACKWARD;
    query.percent_of = PERCENT_OF_SHOWN;
    table_update(table, &query);
    cr_expect_eq(table->count, 1);
    cr_expect_eq(table->self_cpu_shown, 7000);
    query.percent_of = PERCENT_OF_ALL;
    table_update(table, &query);
    cr_expect_eq(table->count, 0, "7 of 190 us is less than 10 %%");
    close_table(table);
}

/* Phases cover the whole: their sums are the file's, with [none]. */
Test(phase, sums_equal_the_whole)
{
    char path[4096];
    struct error error = {0};
    struct trace_options options = {0};
    snprintf(path, sizeof path, "%s/gpu_small/trace.json", support_samples_dir());
    struct trace *trace = trace_load(path, &options, &error);
    cr_assert_not_null(trace, "%s", error.text);
    struct query query;
    query_init(&query);
    struct table *table = table_build(trace, &query);
    static const char *const parts[] = {"scope", "step", "module", "thread", "device", "scope,step"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        cr_assert(grouping_parse(span_of(parts[i]), &query.grouping, &error));
        table_update(table, &query);
        cr_expect_eq(table->self_cpu_shown, table->self_cpu_all, "%s", parts[i]);
        cr_expect_eq(table->self_device_shown, table->self_device_all, "%s", parts[i]);
    }
    close_table(table);
}

/* A function that calls itself counts once. */
Test(table, recursion_counts_once_in_the_outermost_total)
{
    static const char nested[] =
        "[{\"ph\": \"X\", \"name\": \"f\", \"pid\": 1, \"tid\": 1, \"ts\": 0, \"dur\": 100},\n"
        "{\"ph\": \"X\", \"name\": \"g\", \"pid\": 1, \"tid\": 1, \"ts\": 10, \"dur\": 80},\n"
        "{\"ph\": \"X\", \"name\": \"f\", \"pid\": 1, \"tid\": 1, \"ts\": 20, \"dur\": 30},\n"
        "{\"ph\": \"X\", \"name\": \"h\", \"pid\": 1, \"tid\": 1, \"ts\": 60, \"dur\": 5},\n"
        "{\"ph\": \"X\", \"name\": \"f\", \"pid\": 1, \"tid\": 1, \"ts\": 200, \"dur\": 7}]";
    struct error error = {0};
    struct query query;
    struct trace *trace = trace_load_memory(nested, sizeof nested - 1, "nested.json", &error);
    cr_assert_not_null(trace, "%s", error.text);
    query_init(&query);
    struct table *table = table_build(trace, &query);
    cr_assert_eq(table->count, 3);
    cr_expect_eq(table->averages->rows[table->order[0]].cpu_time_total, 137000);
    cr_expect_eq(table_row_outermost(table, table->order[0]), 107000);
    cr_expect_eq(table_row_outermost(table, table->order[1]), 80000);
    close_table(table);
}

/* The rows are those of grouping the chosen events alone, in whatever way the table came to them. */
static void expect_chosen_rows(struct table *table, const char *what)
{
    uint64_t *chosen = table_chosen_events(table);
    struct averages *wanted = averages_build(table->tree, &table->query.grouping, chosen), *made = table->averages;
    cr_assert_eq(table->restricted, chosen != NULL, "%s", what);
    cr_assert_eq(made->count, wanted->count, "%s: %u rows, not %u", what, made->count, wanted->count);
    for (uint32_t r = 0; r < wanted->count; r++)
        cr_assert_arr_eq(&made->rows[r], &wanted->rows[r], sizeof *wanted->rows, "%s: row %u", what, r);
    cr_assert_arr_eq(made->row_of, wanted->row_of, table->tree->count * sizeof *wanted->row_of, "%s", what);
    averages_free(wanted);
    free(chosen);
}

/* Letter by letter and back, in place and beside, with terms that follow the rows and terms that do not. */
Test(filter, any_way_to_a_filter_gives_the_same_rows)
{
    static const char *const groupings[] = {"name", "name,shape", "step,name", "scope,thread", "name,stack=2",
                                            "device"};
    static const char *const filters[] = {"a", "ad", "add", "add count>1", "", "!add /^aten/", "kind:op a", "step:4", "a step:none",
                                          "scope:forward", "thread:2 a", "!thread:2", "shape:[8]", "nothing at all",
                                          "mm", ""};
    char path[4096];
    struct error error = {0};
    snprintf(path, sizeof path, "%s/gpu_small/trace.json", support_samples_dir());
    for (unsigned g = 0; g < sizeof groupings / sizeof *groupings; g++)
        for (unsigned way = 0; way < 8; way++) {
            struct query query;
            query_init(&query);
            cr_assert(grouping_parse(span_of(groupings[g]), &query.grouping, &error));
            query.no_device_annotations = (way & 2) != 0;
            query.scope = way & 4 ? SCOPE_FORWARD : SCOPE_ALL;
            struct trace *trace = trace_load(path, NULL, &error);
            cr_assert_not_null(trace, "%s", error.text);
            struct table *table = table_build(trace, &query);
            struct filter *last = NULL;
            for (unsigned f = 0; f < sizeof filters / sizeof *filters; f++) {
                struct filter *filter = filter_parse(span_of(filters[f]), &error);
                cr_assert_not_null(filter, "%s", error.text);
                query.filter = filter;
                if (way & 1) {
                    struct table *other = table_beside(table, &query), *late = table_beside(table, &query);
                    table_give_up(late, table);
                    table_give_up(table, other);
                    table = other;
                } else {
                    table_update(table, &query);
                }
                filter_free(last);
                last = filter;
                expect_chosen_rows(table, filters[f]);
                if (table->averages->count > 0)
                    cr_assert_neq(table_row_key_event(table, 0), NO_EVENT);
            }
            table_free(table);
            trace_free(trace);
            filter_free(last);
        }
}
