/* Expressions of the filter language: whatever is taken can be written out, read again and applied. */
#include <stdlib.h>

#include "fuzz.h"
#include "keyavg/filter.h"
#include "keyavg/table.h"

static struct trace *trace;

static struct table *whole_table(void)
{
    static struct table *table;
    struct error error = {0};
    struct query query;
    if (table != NULL)
        return table;
    trace = trace_load_memory(fuzz_sample, fuzz_sample_length, "sample.json", &error);
    if (trace == NULL)
        fuzz_fail("the sample: %s", error.text);
    query_init(&query);
    query.grouping.parts |= GROUP_SHAPE | GROUP_STACK | GROUP_THREAD;
    query.grouping.stack_depth = 5;
    query.grouping.python = PYTHON_AS_ROWS;
    return table = table_build(trace, &query);
}

/* Which events and rows pass, as bits. */
static void apply(const struct filter *filter, const struct table *table, uint64_t *events, uint64_t *rows)
{
    *events = ~UINT64_C(0);
    *rows = 0;
    if (trace->events.count > 64 || table->averages->count > 64)
        fuzz_fail("the sample has grown");
    filter_select(filter, table->tree, events);
    for (uint32_t r = 0; r < table->averages->count; r++)
        *rows |= (uint64_t)filter_row(filter, table, r) << r;
}

int fuzz_filter(const uint8_t *bytes, size_t length)
{
    struct table *table = whole_table();
    struct error error = {0};
    struct text written = {0};
    uint64_t events, rows, events_again, rows_again;
    struct filter *filter = filter_parse((struct span){(const char *)bytes, length}, &error);
    if (filter == NULL) {
        if (error.code != ERROR_USAGE || error.text[0] == '\0')
            fuzz_fail("refused without a word");
        return 0;
    }
    apply(filter, table, &events, &rows);
    filter_add_text(filter, true, &written);
    struct filter *again = filter_parse(text_span(&written), &error);
    if (again == NULL)
        fuzz_fail("'%s' is not taken any more: %s", written.bytes, error.text);
    apply(again, table, &events_again, &rows_again);
    if (events != events_again || rows != rows_again)
        fuzz_fail("'%s' lets others pass than '%.*s'", written.bytes, (int)length, (const char *)bytes);
    text_clear(&written);
    if (filter_has_steps(filter)) {
        filter_add_steps(filter, &written);
        filter_add_step_terms(filter, &written);
    }
    text_free(&written);
    filter_free(again);
    filter_free(filter);
    return 0;
}
