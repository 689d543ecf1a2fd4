/* csv (RFC 4180) and tsv: a header of attribute names, raw numbers, full names. */
#include "keyavg/utf8.h"
#include "keyavg/writer.h"

static bool has_special(struct span text)
{
    for (size_t i = 0; i < text.length; i++)
        if (text.bytes[i] == ',' || text.bytes[i] == '"' || text.bytes[i] == '\n' || text.bytes[i] == '\r')
            return true;
    return text.length > 0 && (text.bytes[0] == ' ' || text.bytes[text.length - 1] == ' ');
}

/* A field is quoted where it holds what separates, or a blank at its ends, which some readers drop. */
static void add_csv_field(struct text *out, struct span field)
{
    if (!has_special(field)) {
        text_add_span(out, field);
        return;
    }
    text_add_char(out, '"');
    for (size_t i = 0; i < field.length; i++) {
        if (field.bytes[i] == '"')
            text_add_char(out, '"');
        text_add_char(out, field.bytes[i]);
    }
    text_add_char(out, '"');
}

/* What a spreadsheet would take for a formula. */
static bool is_formula(struct span text)
{
    return text.length > 0 && text.bytes[0] != '\0' && strchr("=+-@", text.bytes[0]) != NULL;
}

struct delimited {
    const struct writer_options *options;
    bool tabs;
    struct text out, field, scratch;
};

static void add_cell(struct delimited *delimited, const struct sheet *sheet, uint32_t row, const struct column *column)
{
    struct value value;
    text_clear(&delimited->field);
    sheet->value(sheet->context, row, column, &value, &delimited->scratch);
    if (value.kind == VALUE_TEXT) {
        if (!delimited->tabs && !delimited->options->exact && is_formula(value.text))
            text_add_char(&delimited->field, '\'');
        utf8_add_clean(&delimited->field, value.text, false);
    } else {
        column_add_raw(column, &value, &delimited->field);
    }
    /* Cleaned text holds neither tabs nor line feeds. */
    if (delimited->tabs)
        text_add_span(&delimited->out, text_span(&delimited->field));
    else
        add_csv_field(&delimited->out, text_span(&delimited->field));
}

static bool write_rows(const struct sheet *sheet, const struct writer_options *options, bool tabs, struct sink *sink)
{
    struct delimited delimited = {.options = options, .tabs = tabs};
    const char separator = tabs ? '\t' : ',', *end = tabs ? "\n" : "\r\n";
    for (unsigned i = 0; i < sheet->column_count; i++) {
        if (i > 0)
            text_add_char(&delimited.out, separator);
        text_add_string(&delimited.out, sheet->columns[i]->name);
    }
    text_add_string(&delimited.out, end);
    bool taken = true;
    for (uint32_t i = 0; i < sheet->count && taken; i++) {
        for (unsigned k = 0; k < sheet->column_count; k++) {
            if (k > 0)
                text_add_char(&delimited.out, separator);
            add_cell(&delimited, sheet, i, sheet->columns[k]);
        }
        text_add_string(&delimited.out, end);
        taken = writer_flush(sink, &delimited.out, false);
    }
    taken = taken && writer_flush(sink, &delimited.out, true);
    text_free(&delimited.out);
    text_free(&delimited.field);
    text_free(&delimited.scratch);
    return taken;
}

bool csv_write_sheet(const struct sheet *sheet, const struct writer_options *options, struct sink *sink)
{
    return write_rows(sheet, options, false, sink);
}

bool tsv_write_sheet(const struct sheet *sheet, const struct writer_options *options, struct sink *sink)
{
    return write_rows(sheet, options, true, sink);
}

bool csv_write(struct table *table, const struct writer_options *options, struct sink *sink)
{
    return writer_table(table, options, true, csv_write_sheet, sink);
}

bool tsv_write(struct table *table, const struct writer_options *options, struct sink *sink)
{
    return writer_table(table, options, true, tsv_write_sheet, sink);
}
