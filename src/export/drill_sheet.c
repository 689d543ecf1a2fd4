/* Drills for the writers: each is a sheet; the page of an event is text. */
#include <stdlib.h>

#include "keyavg/drill.h"
#include "keyavg/memory.h"
#include "keyavg/utf8.h"
#include "keyavg/writer.h"

struct context {
    const struct drill *drill;
    const struct column *key;
    bool indented; /* names of trees */
};

static void value(const void *context, uint32_t row, const struct column *column, struct value *out,
                  struct text *scratch)
{
    const struct context *sheet = context;
    const struct drill_row *shown = &sheet->drill->rows.items[row];
    drill_value(sheet->drill, shown->id, column, out, scratch);
    if (column != sheet->key || !sheet->indented || shown->depth == 0)
        return;
    struct text name = {0};
    text_add_repeat(&name, ' ', 2 * (size_t)shown->depth);
    text_add_span(&name, out->text);
    text_clear(scratch);
    text_add_span(scratch, text_span(&name));
    text_free(&name);
    *out = (struct value){.kind = VALUE_TEXT, .over = 1, .text = text_span(scratch)};
}

static uint32_t no_stack(const void *context, uint32_t row, struct span *lines, uint32_t room)
{
    (void)context, (void)row, (void)lines, (void)room;
    return 0;
}

static void add_foot(const void *context, struct text *out)
{
    const struct drill *drill = ((const struct context *)context)->drill;
    struct text title = {0};
    drill_add_title(drill, &title);
    utf8_add_clean(out, text_span(&title), false);
    text_add_char(out, '\n');
    if (drill->left_out > 0)
        text_addf(out, "%lu more row%s left out (--row-limit -1 shows all)\n", (unsigned long)drill->left_out,
                  drill->left_out == 1 ? "" : "s");
    text_free(&title);
}

static void add_facts(const void *context, struct text *out)
{
    const struct drill *drill = ((const struct context *)context)->drill;
    struct text title = {0};
    drill_add_title(drill, &title);
    text_add_string(out, "\"trace\": ");
    json_add_facts(out, drill->table);
    text_addf(out, ",\n\"view\": \"%s\",\n\"of\": ", drill_kinds[drill->kind].name);
    json_add_string(out, text_span(&title));
    text_free(&title);
}

/* All columns for what programs read; the page's own for people. */
static const struct column **choose(const struct drill *drill, bool all, unsigned *count)
{
    const struct column **chosen = memory_alloc((drill->column_count + drill_columns_most(drill) + 1) * sizeof *chosen);
    *count = 0;
    if (!all || drill->settings.columns != NULL) {
        for (; *count < drill->column_count; (*count)++)
            chosen[*count] = drill->columns[*count];
        return chosen;
    }
    for (unsigned i = 0; i < drill_columns_most(drill); i++)
        if (drill_has_column(drill, drill->known[i]) && strcmp(drill->known[i]->name, "path") != 0)
            chosen[(*count)++] = drill->known[i];
    return chosen;
}

static bool write_page(const struct drill *drill, const struct writer_options *options, struct sink *sink)
{
    struct text page = {0}, clean = {0};
    drill_add_page(drill, &page);
    for (size_t at = 0; at < page.length;) {
        const char *end = memchr(page.bytes + at, '\n', page.length - at);
        size_t length = end != NULL ? (size_t)(end - page.bytes) - at : page.length - at;
        utf8_add_clean(&clean, (struct span){page.bytes + at, length}, options->ascii);
        text_add_char(&clean, '\n');
        at += length + (end != NULL);
    }
    bool taken = writer_flush(sink, &clean, true);
    text_free(&page);
    text_free(&clean);
    return taken;
}

bool drill_write(const struct drill *drill, const struct writer *writer, const struct writer_options *options,
                 struct sink *sink)
{
    bool people = writer->write == text_write || writer->write == markdown_write;
    if (drill->kind == DRILL_EVENT && writer->write == text_write && drill->settings.columns == NULL)
        return write_page(drill, options, sink);
    struct context context = {drill, column_find(span_of("key")), writer->write == text_write};
    struct sheet sheet = {
        .context = &context,
        .count = (uint32_t)drill->rows.count,
        .chosen = drill->settings.columns != NULL,
        .sort = drill->settings.sort,
        .unit = drill->table->query.unit,
        .device = table_device_name(drill->table),
        .value = value,
        .stack = no_stack,
        .add_foot = add_foot,
        .add_facts = add_facts,
    };
    const struct column **chosen = choose(drill, !people, &sheet.column_count);
    sheet.columns = chosen;
    sheet_writer *write = writer->write == folded_write ? folded_write_sheet : writer->write_sheet;
    bool taken = write(&sheet, options, sink);
    free(chosen);
    return taken;
}

bool writer_takes_drill(const struct writer *writer, int kind)
{
    return writer->write_sheet != NULL || (writer->write == folded_write && kind == DRILL_TREE);
}
