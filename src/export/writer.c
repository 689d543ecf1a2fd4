#include "keyavg/writer.h"

#include "keyavg/memory.h"

const struct writer writers[] = {
    {"torch", "the exact text of torch's table()", "txt", false, false, torch_write},
    {"text", "the same made readable: names cut in the middle, fitted to the terminal", "text", false, true, text_write},
    {"csv", "raw numbers, full names (RFC 4180)", "csv", true, true, csv_write},
    {"tsv", "the same separated by tabs", "tsv", true, true, tsv_write},
    {"json", "facts about the trace and every attribute of every row", "json", true, true, json_write},
    {"markdown", "a table for a page", "md markdown", true, true, markdown_write},
    {"stacks", "torch's export_stacks(): a line for each call, for flame graphs", "stacks folded", true, false,
     stacks_write},
};
const unsigned writer_count = sizeof writers / sizeof writers[0];

const struct writer *writer_find(struct span name)
{
    for (unsigned i = 0; i < writer_count; i++)
        if (span_is(name, writers[i].name))
            return &writers[i];
    return NULL;
}

const struct writer *writer_for_file(const char *path)
{
    const char *slash = strrchr(path, '/'), *base = slash != NULL ? slash + 1 : path;
    const char *dot = strrchr(base, '.');
    if (dot == NULL || dot == base)
        return NULL;
    for (unsigned i = 0; i < writer_count; i++) {
        for (const char *at = writers[i].suffixes; *at != '\0';) {
            size_t length = strcspn(at, " ");
            if (span_equal(span_of(dot + 1), (struct span){at, length}))
                return &writers[i];
            at += length;
            at += strspn(at, " ");
        }
    }
    return NULL;
}

/* torch shows a column when any row has something in it; the times and sizes of the CPU always. */
static bool says_something(const struct table *table, const struct column *column)
{
    if (!column_available(table, column))
        return false;
    if (column->need == NEED_NOTHING || column->need == NEED_MEMORY)
        return true;
    if (column->need == NEED_FLOPS && !table->trace->header.with_flops)
        return false;
    const struct column *telling = column;
    if (column->need == NEED_DEVICE)
        telling = column_find(span_of("self_device_time_total"));
    else if (column->need == NEED_DEVICE_MEMORY)
        telling = column_find(span_of("self_device_memory_usage"));
    struct text scratch = {0};
    bool something = false;
    for (uint32_t i = 0; i < table->kept_count && !something; i++) {
        struct value value;
        table_value(table, table->kept[i], telling, &value, &scratch);
        something = value.kind == VALUE_TEXT ? value.text.length > 0 && !span_is(value.text, "[]")
                    : column->need == NEED_NODES ? value.integer != -1
                                                 : value.integer > 0;
    }
    text_free(&scratch);
    return something;
}

const struct column **writer_columns(const struct table *table, const struct writer_options *options, bool all,
                                     unsigned *count)
{
    static const char *const usual[] = {
        "key", "overload_name", "self_cpu_percent", "self_cpu_time_total", "cpu_total_percent", "cpu_time_total",
        "cpu_time", "self_device_time_total", "self_device_percent", "device_time_total", "device_time",
        "cpu_memory_usage", "self_cpu_memory_usage", "device_memory_usage", "self_device_memory_usage", "count",
        "node_id", "flops", "input_shapes", "stack",
    };
    const struct column **chosen = memory_alloc((column_count + 1) * sizeof *chosen);
    *count = 0;
    if (options->columns != NULL) {
        chosen = memory_resize(chosen, options->column_count + 1, sizeof *chosen);
        for (; *count < options->column_count; (*count)++)
            chosen[*count] = options->columns[*count];
    } else if (all) {
        for (unsigned i = 0; i < column_count; i++)
            if (columns[i].attribute)
                chosen[(*count)++] = &columns[i];
    } else {
        for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++) {
            const struct column *column = column_find(span_of(usual[i]));
            if (says_something(table, column))
                chosen[(*count)++] = column;
        }
        const struct column *sort = table->query.sort;
        bool shown = sort == NULL || !column_available(table, sort);
        for (unsigned i = 0; i < *count; i++)
            shown |= chosen[i] == sort;
        if (!shown)
            chosen[(*count)++] = sort;
    }
    return chosen;
}

void writer_options_init(struct writer_options *options)
{
    *options = (struct writer_options){
        .name_width = 55,
        .source_width = 75,
        .shapes_width = 80,
        .metric = column_find(span_of("self_cpu_time_total")),
    };
}

bool writer_flush(struct sink *sink, struct text *text, bool all)
{
    enum { GOOD_SIZE = 1 << 16 };
    if (text->length == 0 || (!all && text->length < GOOD_SIZE))
        return true;
    bool taken = sink->write(sink->context, text->bytes, text->length);
    text_clear(text);
    return taken;
}
