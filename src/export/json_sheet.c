/* A sheet as one object: facts, and {"rows": [{...}, ...]}. The facets of a column are an object of its name. */
#include <stdlib.h>

#include "keyavg/facet.h"
#include "keyavg/memory.h"
#include "keyavg/utf8.h"
#include "keyavg/writer.h"

/* -- Values as text ---------------------------------------------------------------------------------------------- */

static void add_escape(struct text *out, unsigned char c)
{
    static const char letters[] = {['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\f'] = 'f', ['\r'] = 'r'};
    if (c < sizeof letters && letters[c] != '\0')
        text_addf(out, "\\%c", letters[c]);
    else
        text_addf(out, "\\u%04x", c);
}

void json_add_point(struct text *out, uint32_t point)
{
    char bytes[4];
    if (!utf8_is_replaced(point))
        text_add(out, bytes, utf8_encode(point, bytes));
    else if (point > 0xFFFF)
        text_addf(out, "\\u%04x\\u%04x", (unsigned)(0xD7C0 + (point >> 10)), (unsigned)(0xDC00 + (point & 0x3FF)));
    else
        text_addf(out, "\\u%04x", (unsigned)point);
}

void json_add_string(struct text *out, struct span string)
{
    text_add_char(out, '"');
    for (size_t at = 0; at < string.length;) {
        unsigned char c = (unsigned char)string.bytes[at];
        if (c == '"' || c == '\\') {
            text_add_char(out, '\\');
            text_add_char(out, (char)c);
            at++;
        } else if (c < 0x20 || c == 0x7F) {
            add_escape(out, c);
            at++;
        } else if (c < 0x80) {
            text_add_char(out, (char)c);
            at++;
        } else {
            uint32_t point;
            at += utf8_decode(string.bytes + at, string.length - at, &point);
            json_add_point(out, point);
        }
    }
    text_add_char(out, '"');
}

/* Lists of numbers look the same in Python and in JSON. What a damaged file has there instead stays a text. */
void json_add_shapes(struct text *out, struct span shapes)
{
    bool lists = true;
    for (size_t i = 0; i < shapes.length; i++)
        lists &= shapes.bytes[i] != '\0' && strchr("[]0123456789-, ", shapes.bytes[i]) != NULL;
    if (shapes.length == 0)
        text_add_string(out, "[]");
    else if (lists)
        text_add_span(out, shapes);
    else
        json_add_string(out, shapes);
}

/* -- Rows -------------------------------------------------------------------------------------------------------- */

struct lines {
    struct span *items;
    uint32_t room;
};

static void add_stack(const struct sheet *sheet, uint32_t row, struct lines *lines, struct text *out)
{
    uint32_t count = sheet->stack(sheet->context, row, lines->items, lines->room);
    if (count > lines->room) {
        lines->room = count;
        lines->items = memory_resize(lines->items, count, sizeof *lines->items);
        sheet->stack(sheet->context, row, lines->items, count);
    }
    text_add_char(out, '[');
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0)
            text_add_char(out, ',');
        json_add_string(out, lines->items[i]);
    }
    text_add_char(out, ']');
}

static void add_value(const struct sheet *sheet, uint32_t row, const struct column *column, struct lines *lines,
                      struct text *out, struct text *scratch)
{
    struct value value;
    if (strcmp(column->name, "stack") == 0) {
        add_stack(sheet, row, lines, out);
        return;
    }
    sheet->value(sheet->context, row, column, &value, scratch);
    if (strcmp(column->name, "input_shapes") == 0)
        json_add_shapes(out, value.text);
    else if (value.kind == VALUE_TEXT)
        json_add_string(out, value.text);
    else if (value.kind == VALUE_UNKNOWN)
        text_add_string(out, "null");
    else
        column_add_raw(column, &value, out);
}

/* All facets of one column that are to be shown, where the first of them stands. */
static void add_facets(const struct sheet *sheet, uint32_t row, unsigned at, struct lines *lines, struct text *out,
                       struct text *scratch)
{
    const struct column *of = sheet->columns[at]->of;
    for (unsigned i = 0; i < at; i++)
        if (sheet->columns[i]->of == of)
            return;
    text_addf(out, "%s\"%s\":{", at > 0 ? "," : "", of->name);
    bool first = true;
    for (unsigned i = at; i < sheet->column_count; i++) {
        const struct column *column = sheet->columns[i];
        if (column->of != of)
            continue;
        text_addf(out, "%s\"%s\":", first ? "" : ",", facet_entries[column->facet].name);
        add_value(sheet, row, column, lines, out, scratch);
        first = false;
    }
    text_add_char(out, '}');
}

static void add_row(const struct sheet *sheet, uint32_t row, struct lines *lines, struct text *out,
                    struct text *scratch)
{
    text_add_char(out, '{');
    for (unsigned i = 0; i < sheet->column_count; i++) {
        const struct column *column = sheet->columns[i];
        if (column->of != NULL) {
            add_facets(sheet, row, i, lines, out, scratch);
            continue;
        }
        text_addf(out, "%s\"%s\":", i > 0 ? "," : "", column->name);
        add_value(sheet, row, column, lines, out, scratch);
    }
    if (sheet->add_members != NULL && !sheet->chosen)
        sheet->add_members(sheet->context, row, out);
    text_add_char(out, '}');
}

bool json_write_sheet(const struct sheet *sheet, const struct writer_options *options, struct sink *sink)
{
    struct text out = {0}, scratch = {0};
    struct lines lines = {0};
    (void)options;
    text_add_char(&out, '{');
    sheet->add_facts(sheet->context, &out);
    text_add_string(&out, ",\n\"rows\": [");
    bool taken = true;
    for (uint32_t i = 0; i < sheet->count && taken; i++) {
        text_add_string(&out, i > 0 ? ",\n" : "\n");
        add_row(sheet, i, &lines, &out, &scratch);
        taken = writer_flush(sink, &out, false);
    }
    text_add_string(&out, sheet->count > 0 ? "\n]}\n" : "]}\n");
    taken = taken && writer_flush(sink, &out, true);
    free(lines.items);
    text_free(&out);
    text_free(&scratch);
    return taken;
}
