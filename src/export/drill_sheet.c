/* Drills for the writers: each is a sheet; the page of an event is text. */
#include <stdlib.h>

#include "keyavg/drill.h"
#include "keyavg/memory.h"
#include "keyavg/utf8.h"
#include "keyavg/writer.h"

enum { SIDES = 2 };

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

static bool is_among(const struct column *column, const struct column *const *list, unsigned count)
{
    unsigned i = 0;
    while (i < count && list[i] != column)
        i++;
    return i < count;
}

/* All columns for what programs read; the page's own for people. */
static bool has_column(const struct drill *drill, const struct column *column, bool all)
{
    if (drill == NULL)
        return false;
    return all ? drill_has_column(drill, column) && strcmp(column->name, "path") != 0
               : is_among(column, drill->columns, drill->column_count);
}

const struct column **drill_sides_columns(const struct drill *const drills[2], bool all, unsigned *count)
{
    const struct drill *some = drills[0] != NULL ? drills[0] : drills[1];
    unsigned most = drill_columns_most(some), asked = some->settings.columns != NULL ? some->column_count : 0;
    const struct column **chosen = memory_alloc((asked + most + 1) * sizeof *chosen);
    *count = 0;
    for (unsigned i = 0; i < asked; i++)
        chosen[(*count)++] = some->columns[i];
    for (unsigned i = 0; i < most && some->settings.columns == NULL; i++) {
        const struct column *column = some->known[i];
        if (has_column(drills[0], column, all) || has_column(drills[1], column, all))
            chosen[(*count)++] = column;
    }
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

/* The sheet of a drill; its columns are to be given. */
static struct sheet make_sheet(const struct context *context)
{
    const struct drill *drill = context->drill;
    return (struct sheet){
        .context = context,
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
}

static bool is_for_people(const struct writer *writer)
{
    return writer->write == text_write || writer->write == markdown_write;
}

static bool is_page(const struct drill *drill, const struct writer *writer)
{
    return drill->kind == DRILL_EVENT && writer->write == text_write && drill->settings.columns == NULL;
}

static sheet_writer *sheet_writer_of(const struct writer *writer)
{
    return writer->write == folded_write ? folded_write_sheet : writer->write_sheet;
}

bool drill_write(const struct drill *drill, const struct writer *writer, const struct writer_options *options,
                 struct sink *sink)
{
    if (is_page(drill, writer))
        return write_page(drill, options, sink);
    struct context context = {drill, column_find(span_of("key")), writer->write == text_write};
    struct sheet sheet = make_sheet(&context);
    const struct drill *const alone[SIDES] = {drill, NULL};
    const struct column **chosen = drill_sides_columns(alone, !is_for_people(writer), &sheet.column_count);
    sheet.columns = chosen;
    bool taken = sheet_writer_of(writer)(&sheet, options, sink);
    free(chosen);
    return taken;
}

/* -- Two traces ---------------------------------------------------------------------------------------------------- */

static const char *const side_names[SIDES] = {"base", "new"};

struct joined {
    struct context contexts[SIDES]; /* without a drill: the side has nothing of it */
    uint32_t counts[SIDES];
    const struct column *side, *path;
};

/* Folded stacks have no columns: the side is the root of its tree. */
static void add_root(const char *side, struct value *path, struct text *scratch)
{
    struct text whole = {0};
    text_addf(&whole, "%s;", side);
    text_add_span(&whole, path->text);
    text_clear(scratch);
    text_add_span(scratch, text_span(&whole));
    text_free(&whole);
    path->text = text_span(scratch);
}

static void joined_value(const void *context, uint32_t row, const struct column *column, struct value *out,
                         struct text *scratch)
{
    const struct joined *joined = context;
    int s = row >= joined->counts[0];
    if (column == joined->side)
        *out = (struct value){.kind = VALUE_TEXT, .over = 1, .text = span_of(side_names[s])};
    else
        value(&joined->contexts[s], s > 0 ? row - joined->counts[0] : row, column, out, scratch);
    if (column == joined->path && out->kind == VALUE_TEXT && out->text.length > 0)
        add_root(side_names[s], out, scratch);
}

static void joined_add_foot(const void *context, struct text *out)
{
    const struct joined *joined = context;
    for (int s = 0; s < SIDES; s++) {
        text_addf(out, "%s  ", side_names[s]);
        if (joined->contexts[s].drill != NULL)
            add_foot(&joined->contexts[s], out);
        else
            text_add_string(out, "nothing of this is there\n");
    }
}

static void joined_add_facts(const void *context, struct text *out)
{
    const struct joined *joined = context;
    for (int s = 0; s < SIDES; s++) {
        text_addf(out, "%s\"%s\": ", s > 0 ? ",\n" : "", side_names[s]);
        if (joined->contexts[s].drill == NULL) {
            text_add_string(out, "null");
            continue;
        }
        text_add_char(out, '{');
        add_facts(&joined->contexts[s], out);
        text_add_char(out, '}');
    }
}

static bool write_pages(const struct drill *const drills[SIDES], const struct writer_options *options,
                        struct sink *sink)
{
    bool taken = true;
    for (int s = 0; s < SIDES && taken; s++) {
        struct text heading = {0};
        text_addf(&heading, "%s%s\n", side_names[s], drills[s] == NULL ? ": nothing of this is there" : "");
        taken = writer_flush(sink, &heading, true) && (drills[s] == NULL || write_page(drills[s], options, sink));
        text_free(&heading);
    }
    return taken;
}

bool drill_write_sides(const struct drill *const drills[2], const struct writer *writer,
                       const struct writer_options *options, struct sink *sink)
{
    const struct drill *some = drills[0] != NULL ? drills[0] : drills[1];
    bool folded = writer->write == folded_write;
    struct joined joined = {.side = drill_column_find(span_of("side")),
                            .path = folded ? drill_column_find(span_of("path")) : NULL};
    if (is_page(some, writer))
        return write_pages(drills, options, sink);
    for (int s = 0; s < SIDES; s++) {
        joined.contexts[s] = (struct context){drills[s], column_find(span_of("key")), writer->write == text_write};
        joined.counts[s] = drills[s] != NULL ? (uint32_t)drills[s]->rows.count : 0;
    }
    /* The device that headings name is of a side that has one. */
    bool second = drills[0] == NULL || (drills[1] != NULL && trace_use_device(drills[0]->trace) == NULL);
    struct sheet sheet = make_sheet(&joined.contexts[second]);
    unsigned count;
    const struct column **own = drill_sides_columns(drills, !is_for_people(writer), &count);
    const struct column **chosen = memory_alloc((count + 1) * sizeof *chosen);
    unsigned before = !is_among(joined.side, own, count); /* else it was asked for, at its place */
    chosen[0] = joined.side;
    memcpy(chosen + before, own, count * sizeof *chosen);
    sheet.context = &joined;
    sheet.count = joined.counts[0] + joined.counts[1];
    sheet.columns = chosen;
    sheet.column_count = count + before;
    sheet.value = joined_value;
    sheet.add_foot = joined_add_foot;
    sheet.add_facts = joined_add_facts;
    bool taken = sheet_writer_of(writer)(&sheet, options, sink);
    free(own);
    free(chosen);
    return taken;
}

bool writer_takes_drill(const struct writer *writer, int kind)
{
    return writer->write_sheet != NULL || (writer->write == folded_write && kind == DRILL_TREE);
}
