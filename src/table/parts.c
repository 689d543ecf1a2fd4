#include "parts.h"

#include "keyavg/grouping.h"
#include "keyavg/module.h"
#include "keyavg/phase.h"
#include "keyavg/steps.h"

#define PART(name, bit)                                                                                                \
    static void add_##name(const struct table *table, uint32_t event, struct text *out);                              \
    void part_##name(const struct table *table, uint32_t row, struct value *out, struct text *scratch)                 \
    {                                                                                                                  \
        if (table->query.grouping.parts & (bit)) {                                                                     \
            add_##name(table, table->averages->rows[row].first, scratch);                                              \
            *out = (struct value){.kind = VALUE_TEXT, .over = 1, .text = text_span(scratch)};                          \
        }                                                                                                              \
    }                                                                                                                  \
    static void add_##name(const struct table *table, uint32_t event, struct text *out)

/* A text that may be absent. */
static void add_string(const struct trace *trace, uint32_t string, struct text *out)
{
    if (string != 0)
        text_add_span(out, strings_get(&trace->strings, string));
    else
        text_add_string(out, "[none]");
}

PART(dtypes, GROUP_DTYPE)
{
    add_string(table->trace, table->trace->inputs.items[table->trace->events.inputs[event]].types, out);
}

PART(thread, GROUP_THREAD)
{
    const struct trace *trace = table->trace;
    const struct thread *thread = &trace->threads.items[tree_thread(table->tree, event)];
    text_add_span(out, strings_get(&trace->strings, thread->pid));
    text_add_char(out, '/');
    text_add_span(out, strings_get(&trace->strings, thread->tid));
    if (thread->name != 0) {
        text_add_char(out, ' ');
        text_add_span(out, strings_get(&trace->strings, thread->name));
    }
}

PART(step, GROUP_STEP)
{
    const struct steps *steps = tree_steps(table->tree);
    if (steps->of[event] == 0)
        text_add_string(out, "[no step]");
    else
        text_addf(out, "step %lld", (long long)steps->numbers[steps->of[event] - 1]);
}

PART(phase, GROUP_SCOPE)
{
    text_add_string(out, phase_name((enum phase)tree_phases(table->tree)[event]));
}

PART(module, GROUP_MODULE)
{
    add_string(table->trace, tree_modules(table->tree)[event], out);
}

PART(lane, GROUP_DEVICE)
{
    const struct trace *trace = table->trace;
    if (!event_on_device(trace, event)) {
        text_add_string(out, "CPU");
        return;
    }
    const struct lane *lane = &trace->lanes.items[trace->events.place[event]];
    text_add_string(out, table_device_name(table));
    if (lane->device >= 0)
        text_addf(out, " %d", (int)lane->device);
    if (lane->stream != 0) {
        text_add_string(out, " stream ");
        text_add_span(out, strings_get(&trace->strings, lane->stream));
    }
}

void table_add_row_label(const struct table *table, uint32_t row, struct text *out)
{
    const struct grouping_part *part = grouping_first(&table->query.grouping);
    const struct column *column = column_find(span_of(part->column));
    struct value value;
    struct text scratch = {0};
    table_value(table, row, column, &value, &scratch);
    if (value.kind == VALUE_TEXT && value.text.length > 0)
        text_add_span(out, value.text);
    else
        text_add_string(out, "[none]");
    text_free(&scratch);
    if (part->part == GROUP_NAME)
        return;
    /* Rows of ops, of the device and of its annotations stay apart. */
    if (!table_row_on_device(table, row))
        return;
    if (table_row_annotation(table, row))
        text_addf(out, " (%s annotations)", table_device_name(table));
    else if (part->part != GROUP_DEVICE)
        text_addf(out, " (%s)", table_device_name(table));
}

int part_compare(struct span a, struct span b)
{
    size_t i = 0, j = 0;
    while (i < a.length && j < b.length) {
        bool digit_a = a.bytes[i] >= '0' && a.bytes[i] <= '9', digit_b = b.bytes[j] >= '0' && b.bytes[j] <= '9';
        if (!digit_a || !digit_b) {
            if (a.bytes[i] != b.bytes[j])
                return (unsigned char)a.bytes[i] < (unsigned char)b.bytes[j] ? -1 : 1;
            i++;
            j++;
            continue;
        }
        size_t x = i, y = j;
        while (i < a.length && a.bytes[i] >= '0' && a.bytes[i] <= '9')
            i++;
        while (j < b.length && b.bytes[j] >= '0' && b.bytes[j] <= '9')
            j++;
        if (i - x != j - y)
            return i - x < j - y ? -1 : 1;
        int order = memcmp(a.bytes + x, b.bytes + y, i - x);
        if (order != 0)
            return order < 0 ? -1 : 1;
    }
    return i < a.length ? 1 : j < b.length ? -1 : 0;
}
