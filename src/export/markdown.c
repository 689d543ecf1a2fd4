/* A table for a page, in GitHub's Markdown: attribute names above, raw numbers at the right. */
#include "keyavg/utf8.h"
#include "keyavg/writer.h"

static bool is_word(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c & '\x80') != 0;
}

/* Text that shows as it is. `_` and `&` mean something only before or between certain characters. */
static void add_escaped(struct text *out, struct span text)
{
    for (size_t i = 0; i < text.length; i++) {
        char c = text.bytes[i], before = i > 0 ? text.bytes[i - 1] : ' ', after = i + 1 < text.length ? text.bytes[i + 1] : ' ';
        bool means = c == '_' ? !is_word(before) : c == '&' ? is_word(after) || after == '#'
                                                            : c != '\0' && strchr("\\|`*<~", c) != NULL;
        if (means)
            text_add_char(out, '\\');
        text_add_char(out, c);
    }
}

bool markdown_write_sheet(const struct sheet *sheet, const struct writer_options *options, struct sink *sink)
{
    struct text out = {0}, scratch = {0}, cell = {0};
    (void)options;
    for (unsigned i = 0; i < sheet->column_count; i++)
        text_addf(&out, "| %s ", sheet->columns[i]->name);
    text_add_string(&out, "|\n");
    for (unsigned i = 0; i < sheet->column_count; i++)
        text_add_string(&out, column_is_number(sheet->columns[i]) ? "| ---: " : "| --- ");
    text_add_string(&out, "|\n");
    bool taken = true;
    for (uint32_t i = 0; i < sheet->count && taken; i++) {
        for (unsigned k = 0; k < sheet->column_count; k++) {
            struct value value;
            sheet->value(sheet->context, i, sheet->columns[k], &value, &scratch);
            text_clear(&cell);
            if (value.kind == VALUE_TEXT)
                utf8_add_clean(&cell, value.text, false);
            else
                column_add_raw(sheet->columns[k], &value, &cell);
            text_add_string(&out, "| ");
            add_escaped(&out, text_span(&cell));
            text_add_char(&out, ' ');
        }
        text_add_string(&out, "|\n");
        taken = writer_flush(sink, &out, false);
    }
    taken = taken && writer_flush(sink, &out, true);
    text_free(&out);
    text_free(&scratch);
    text_free(&cell);
    return taken;
}

bool markdown_write(struct table *table, const struct writer_options *options, struct sink *sink)
{
    return writer_table(table, options, false, markdown_write_sheet, sink);
}
