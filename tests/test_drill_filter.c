/*
 * The filter on a view's own rows: words, columns, and what is asked of the calls that a row stands for.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "keyavg/drill.h"
#include "keyavg/filter.h"
#include "support/explorer.h"
#include "support/render.h"

#define OP(name, tid, ts, dur, args) EVENT("cpu_op", name, tid, ts, dur, args)
#define EVENT(cat, name, tid, ts, dur, args)                                                                           \
    "{\"ph\":\"X\",\"cat\":\"" cat "\",\"name\":\"" name "\",\"pid\":1,\"tid\":" #tid ",\"ts\":" #ts ",\"dur\":" #dur  \
    ",\"args\":{" args "}},"

/* Two steps; `a` calls `b` in both and `c` in the second, on another thread `b` alone. */
static const char json[] =
    "{\"traceEvents\":[" OP("ProfilerStep#1", 1, 0, 100, "") OP("a", 1, 10, 50, "") OP("b", 1, 20, 10, "")
        OP("ProfilerStep#2", 1, 100, 100, "") OP("a", 1, 110, 60, "") OP("b", 1, 120, 30, "") OP("c", 1, 155, 5, "")
            EVENT("python_function", "main.py(3): run", 2, 0, 300, "") OP("b", 2, 120, 1, "\"Input Dims\":[[2,3],[]]")
                EVENT("cuda_runtime", "cudaLaunchKernel", 1, 122, 2, "\"correlation\":7") "{}]}";

struct subject {
    struct trace *trace;
    struct table *table;
    struct drill_source source;
};

static void open_subject(struct subject *subject)
{
    struct query query;
    query_init(&query);
    subject->trace = support_trace(json);
    subject->table = table_build(subject->trace, &query);
    subject->source = (struct drill_source){.table = subject->table};
}

static void close_subject(struct subject *subject)
{
    drill_source_clear(&subject->source);
    table_free(subject->table);
    trace_free(subject->trace);
}

/* The labels of the rows that pass, with commas. */
static void expect_rows(enum drill_kind kind, const char *focus, bool bottom_up, const char *expression,
                        const char *rows)
{
    struct subject subject;
    struct drill_settings settings;
    struct drill_subject about = {.about = DRILL_OF_ALL};
    struct error error = {0};
    struct text have = {0};
    struct filter *filter = filter_parse(span_of(expression), &error);
    cr_assert_not_null(filter, "%s", error.text);
    open_subject(&subject);
    drill_settings_init(&settings);
    settings.bottom_up = bottom_up;
    settings.filter = filter;
    if (focus != NULL)
        cr_assert(drill_subject_find(&subject.source, span_of(focus), &about, &error), "%s", error.text);
    struct drill *drill = drill_build(&subject.source, kind, about, &settings);
    cr_expect_null(drill_filter_lacks(drill, filter));
    text_add(&have, "", 0);
    for (size_t i = 0; i < drill->rows.count; i++) {
        text_add_string(&have, i > 0 ? "," : "");
        drill_add_label(drill, drill->rows.items[i].id, &have);
    }
    cr_expect_str_eq(have.bytes, rows, "%s of %s: %s", expression, drill_kinds[kind].name, have.bytes);
    drill_free(drill);
    filter_free(filter);
    text_free(&have);
    close_subject(&subject);
}

Test(drill_filter, words_and_columns)
{
    expect_rows(DRILL_FOCUS, "a", false, "", "ProfilerStep*,a,[self],b,c,[launched, no device event]");
    expect_rows(DRILL_FOCUS, "a", false, "c", "a,c,[launched, no device event]");
    expect_rows(DRILL_FOCUS, "a", false, "count>1 /./", "ProfilerStep*,a,[self],b");
    expect_rows(DRILL_FOCUS, "a", false, "part=callee cpu_share<50%", "a,b,c");
    expect_rows(DRILL_CALLS, "b", false, "duration>5us", "b,b");
    expect_rows(DRILL_CALLS, "b", false, "!duration>5us", "b");
    expect_rows(DRILL_CALLS, "b", false, "caller=a duration<20", "b");
    expect_rows(DRILL_TREE, NULL, false, "count>1 !main", "ProfilerStep*,a,b");
}

/* A row passes by any of its calls; what stands for no call passes no such term. */
Test(drill_filter, what_is_asked_of_calls)
{
    expect_rows(DRILL_FOCUS, "a", false, "step:2", "ProfilerStep*,a,b,c,[launched, no device event]");
    expect_rows(DRILL_FOCUS, "a", false, "step:1", "ProfilerStep*,a,b");
    expect_rows(DRILL_FOCUS, "b", false, "kind:python", "main.py(3): run,b");
    expect_rows(DRILL_CALLS, "b", false, "step:2", "b,b");
    expect_rows(DRILL_CALLS, "b", false, "thread:2", "b");
    expect_rows(DRILL_CALLS, "b", false, "shape:[2,3]", "b");
    expect_rows(DRILL_CALLS, "b", false, "!thread:2 step:1", "b");
    expect_rows(DRILL_TREE, NULL, false, "thread:2 kind:op", "main.py(3): run,b");
    expect_rows(DRILL_TREE, NULL, false, "step:2 c", "ProfilerStep*,a,b,cudaLaunchKernel,c");
    expect_rows(DRILL_TREE, NULL, true, "kind:runtime", "cudaLaunchKernel");
}

Test(drill_filter, a_column_of_another_view_is_told)
{
    struct app app;
    cr_assert(support_explore(&app, support_sample("gpu_small/trace.json")));
    support_type(&app, "/aten::addmm<Enter>c\\count>1");
    cr_expect(support_on_screen(&app, "this view has no column 'count'"));
    support_type(&app, "<Backspace 7>duration>40us");
    cr_expect_not(support_on_screen(&app, "no column"));
    support_type(&app, "<Enter>");
    cr_expect(support_on_screen(&app, "row 1 of 1"));
    cr_expect(support_on_screen(&app, "1 filtered"));
    support_type(&app, "\\<C-u><Enter>");
    cr_expect(support_on_screen(&app, "row 1 of 2"));
    support_type(&app, "e\\member=ts<Enter>");
    cr_expect(support_on_screen(&app, "\"ts\": "));
    cr_expect(support_on_screen(&app, "row 1 of 1"));
    app_free(&app);
}
