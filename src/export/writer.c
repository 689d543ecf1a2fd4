#include "keyavg/writer.h"

#include "keyavg/memory.h"

const struct writer writers[] = {
    {"torch", "the exact text of torch's table()", "txt", false, false, torch_write, NULL},
    {"text", "the same made readable: names cut in the middle, fitted to the terminal", "text", false, true, text_write,
     text_write_sheet},
    {"csv", "raw numbers, full names (RFC 4180)", "csv", true, true, csv_write, csv_write_sheet},
    {"tsv", "the same separated by tabs", "tsv", true, true, tsv_write, tsv_write_sheet},
    {"json", "facts about the trace and every attribute of every row", "json", true, true, json_write,
     json_write_sheet},
    {"markdown", "a table for a page", "md markdown", true, true, markdown_write, markdown_write_sheet},
    {"stacks", "torch's export_stacks(): a line for each call, for flame graphs", "stacks", true, false,
     stacks_write, NULL},
    {"folded", "the call tree in ns: a line for each path, for flame graphs", "folded", true, false, folded_write,
     NULL},
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

/* Whether any row that counts has something in a column: a text, a number above 0, a node. */
static bool any_row(const struct table *table, const struct column *column)
{
    struct text scratch = {0};
    bool something = false;
    for (uint32_t i = 0; i < table->kept_count && !something; i++) {
        struct value value;
        table_value(table, table->kept[i], column, &value, &scratch);
        something = value.kind == VALUE_TEXT ? value.text.length > 0 && !span_is(value.text, "[]")
                    : column->need == NEED_NODES ? value.integer != -1
                                                 : value.integer > 0;
    }
    text_free(&scratch);
    return something;
}

/* As in torch's table: the times and sizes of the CPU always, the rest when any row has something in it. */
static bool says_something(const struct table *table, const struct column *column)
{
    if (!column_available(table, column) || (column->need == NEED_FLOPS && !table->trace->header.with_flops))
        return false;
    if (column->unit == UNIT_TEXT)
        return strcmp(column->name, "key") == 0 || any_row(table, column);
    if (column->need == NEED_NOTHING || column->need == NEED_MEMORY)
        return true;
    if (column->need == NEED_DEVICE)
        return any_row(table, column_find(span_of("self_device_time_total")));
    if (column->need == NEED_DEVICE_MEMORY)
        return any_row(table, column_find(span_of("self_device_memory_usage")));
    return any_row(table, column);
}

/* Without the parts of its key two rows may look the same. */
bool writer_is_key_part(const struct table *table, const struct column *column)
{
    return !column->attribute && column->unit == UNIT_TEXT && any_row(table, column);
}

static const struct column **copy_columns(const struct writer_options *options, unsigned *count)
{
    const struct column **chosen = memory_alloc((options->column_count + 1) * sizeof *chosen);
    for (*count = 0; *count < options->column_count; (*count)++)
        chosen[*count] = options->columns[*count];
    return chosen;
}

/* torch's columns without those of text, the parts of the key, the column sorted by, then torch's text. */
static unsigned usual_columns(const struct table *table, const struct column **chosen)
{
    static const char *const usual[] = {
        "key", "overload_name", "self_cpu_percent", "self_cpu_time_total", "cpu_total_percent", "cpu_time_total",
        "cpu_time", "self_device_time_total", "self_device_percent", "device_time_total", "device_time",
        "cpu_memory_usage", "self_cpu_memory_usage", "device_memory_usage", "self_device_memory_usage", "count",
        "node_id", "flops", NULL, "input_shapes", "stack",
    };
    const struct column *sort = table->query.sort;
    bool sort_shown = sort == NULL || !column_available(table, sort);
    unsigned count = 0;
    for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++)
        sort_shown |= sort != NULL && usual[i] != NULL && strcmp(sort->name, usual[i]) == 0;
    for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++) {
        const struct column *column = usual[i] != NULL ? column_find(span_of(usual[i])) : NULL;
        if (column != NULL && says_something(table, column))
            chosen[count++] = column;
        for (unsigned k = 0; k < column_count && column == NULL; k++)
            if (writer_is_key_part(table, &columns[k]) || (!sort_shown && &columns[k] == sort))
                chosen[count++] = &columns[k];
    }
    return count;
}

const struct column **writer_columns(const struct table *table, const struct writer_options *options, bool all,
                                     unsigned *count)
{
    if (options->columns != NULL)
        return copy_columns(options, count);
    const struct column **chosen = memory_alloc((column_count + 1) * sizeof *chosen);
    *count = 0;
    if (!all)
        *count = usual_columns(table, chosen);
    for (unsigned i = 0; i < column_count && all; i++)
        if (columns[i].attribute || writer_is_key_part(table, &columns[i]))
            chosen[(*count)++] = &columns[i];
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
