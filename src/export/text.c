/* torch's table made readable: fitted to the terminal, names cut in the middle, `--` for what was not recorded. */
#include <stdlib.h>

#include "keyavg/facet.h"
#include "keyavg/memory.h"
#include "keyavg/utf8.h"
#include "keyavg/writer.h"

enum { GAP = 2, NAME_LEAST = 20, STACK_LEAST = 30, TEXT_LEAST = 16 };

struct field {
    const struct column *column;
    struct text title, second; /* the title, or its two lines */
    size_t width, cells;       /* columns; the widest cell */
    bool dropped;
};

struct page {
    const struct sheet *sheet;
    const struct writer_options *options;
    struct field *fields;
    unsigned count;
    size_t width; /* of the whole table */
    struct text out, cell, scratch;
    struct span *lines; /* of one stack */
    uint32_t line_room;
};

/* What stays when there is no room for all, in this order. */
static const char *const important[] = {
    "key", "self_device_time_total", "self_cpu_time_total", "count", "stack", "input_shapes", "overload_name",
    "device_time_total", "cpu_time_total", "self_device_percent", "self_cpu_percent", "self_device_memory_usage",
    "self_cpu_memory_usage", "device_memory_usage", "cpu_memory_usage", "cpu_time", "device_time",
    "cpu_total_percent", "flops", "node_id",
};

static bool is_stack(const struct column *column)
{
    return strcmp(column->name, "stack") == 0;
}

static uint32_t row_lines(struct page *page, uint32_t row)
{
    const struct sheet *sheet = page->sheet;
    uint32_t count = sheet->stack(sheet->context, row, page->lines, page->line_room);
    if (count > page->line_room) {
        page->line_room = count;
        page->lines = memory_resize(page->lines, count, sizeof *page->lines);
        sheet->stack(sheet->context, row, page->lines, count);
    }
    return count;
}

/* -- Widths ------------------------------------------------------------------------------------------------------ */

static size_t text_limit(const struct page *page, const struct column *column)
{
    const struct writer_options *options = page->options;
    if (strcmp(column->name, "advice") == 0) /* sentences are not cut */
        return SIZE_MAX;
    return is_stack(column)                               ? options->source_width
           : strcmp(column->name, "input_shapes") == 0 ? options->shapes_width
                                                          : options->name_width;
}

static void measure_cell(struct page *page, struct field *field, uint32_t row)
{
    struct value value;
    size_t width = 0;
    page->sheet->value(page->sheet->context, row, field->column, &value, &page->scratch);
    if (value.kind == VALUE_TEXT && is_stack(field->column)) {
        uint32_t lines = row_lines(page, row);
        for (uint32_t i = 0; i < lines; i++) {
            size_t line = utf8_width(page->lines[i]);
            width = line > width ? line : width;
        }
    } else if (value.kind == VALUE_TEXT) {
        width = utf8_width(value.text);
    } else {
        text_clear(&page->cell);
        column_add_text(field->column, &value, page->sheet->unit, &page->cell);
        width = page->cell.length;
    }
    if (field->column->unit == UNIT_TEXT && width > text_limit(page, field->column))
        width = text_limit(page, field->column);
    if (width > field->cells)
        field->cells = width;
}

/* Puts the end of a title on a line of its own, from the space on that makes both short. */
static void break_title(struct field *field)
{
    const char *title = field->title.bytes;
    size_t length = field->title.length, best = length, at = length;
    for (size_t i = 1; i + 1 < length; i++) {
        size_t longer = i > length - i - 1 ? i : length - i - 1;
        if (title[i] == ' ' && longer < best) {
            best = longer;
            at = i;
        }
    }
    if (at == length)
        return;
    text_add(&field->second, title + at + 1, length - at - 1);
    field->title.length = at;
}

static size_t title_width(const struct field *field)
{
    size_t first = utf8_width(text_span(&field->title)), second = utf8_width(text_span(&field->second));
    return first > second ? first : second;
}

static size_t natural_width(const struct field *field)
{
    size_t title = title_width(field);
    return field->cells > title ? field->cells : title;
}

static size_t least_width(const struct field *field)
{
    size_t width = natural_width(field);
    if (field->column->unit != UNIT_TEXT)
        return width;
    size_t least = strcmp(field->column->name, "key") == 0 ? NAME_LEAST
                   : is_stack(field->column)               ? STACK_LEAST
                                                           : TEXT_LEAST;
    return width < least ? width : least;
}

static size_t total_width(const struct page *page, size_t (*width)(const struct field *))
{
    size_t total = 0;
    for (unsigned i = 0; i < page->count; i++)
        if (!page->fields[i].dropped)
            total += width(&page->fields[i]) + GAP;
    return total > GAP ? total - GAP : 0;
}

/* The least important column that is still there, NULL when only the first is. Higher numbers are less important. */
static struct field *least_important(const struct page *page)
{
    struct field *found = NULL;
    size_t lowest = 0;
    for (unsigned i = 1; i < page->count; i++) {
        struct field *field = &page->fields[i];
        size_t rank = 0;
        while (rank < sizeof important / sizeof important[0] && strcmp(field->column->name, important[rank]) != 0)
            rank++;
        if (field->column == page->sheet->sort)
            rank = 1;
        if (!field->dropped && (found == NULL || rank >= lowest)) {
            found = field;
            lowest = rank;
        }
    }
    return found;
}

static void set_widths(struct page *page)
{
    size_t screen = page->options->screen_columns;
    if (screen != 0 && total_width(page, natural_width) > screen)
        for (unsigned i = 0; i < page->count; i++)
            break_title(&page->fields[i]);
    struct field *field;
    /* Columns that were asked for by name stay, whatever the width. */
    while (screen != 0 && !page->sheet->chosen && total_width(page, least_width) > screen &&
           (field = least_important(page)) != NULL)
        field->dropped = true;
    size_t used = total_width(page, screen != 0 ? least_width : natural_width);
    size_t spare = screen > used ? screen - used : 0;
    for (unsigned i = 0; i < page->count; i++) {
        field = &page->fields[i];
        size_t natural = natural_width(field), more = 0;
        field->width = screen != 0 ? least_width(field) : natural;
        if (field->dropped)
            continue;
        more = natural - field->width < spare ? natural - field->width : spare;
        field->width += more;
        spare -= more;
        page->width += field->width + GAP;
    }
    page->width -= page->width > GAP ? GAP : 0;
}

/* -- Lines ------------------------------------------------------------------------------------------------------- */

static void end_line(struct page *page)
{
    while (page->out.length > 0 && page->out.bytes[page->out.length - 1] == ' ')
        page->out.length--;
    text_add_char(&page->out, '\n');
}

static void add_rule(struct page *page)
{
    for (size_t i = 0; i < page->width; i++)
        text_add_string(&page->out, page->options->ascii ? "-" : "\xE2\x94\x80");
    text_add_char(&page->out, '\n');
}

static void add_field(struct page *page, const struct field *field, struct span text, enum utf8_cut cut)
{
    text_clear(&page->scratch);
    size_t used = utf8_add_fitted(&page->scratch, text, field->width, cut, page->options->ascii);
    size_t padding = field->width - used;
    if (column_is_number(field->column))
        text_add_repeat(&page->out, ' ', padding);
    text_add_span(&page->out, text_span(&page->scratch));
    if (!column_is_number(field->column))
        text_add_repeat(&page->out, ' ', padding);
    text_add_repeat(&page->out, ' ', GAP);
}

static void add_titles(struct page *page)
{
    bool two = false;
    for (unsigned i = 0; i < page->count; i++)
        two |= !page->fields[i].dropped && page->fields[i].second.length > 0;
    for (int line = 0; line < 1 + two; line++) {
        for (unsigned i = 0; i < page->count; i++) {
            const struct field *field = &page->fields[i];
            /* A title of one line stands on the lower one. */
            bool low = field->second.length == 0;
            struct span title = !two || (low && line == 1) || (!low && line == 0) ? text_span(&field->title)
                                : low                                             ? (struct span){"", 0}
                                                                                  : text_span(&field->second);
            if (!field->dropped)
                add_field(page, field, title, UTF8_CUT_END);
        }
        end_line(page);
    }
}

static void add_row(struct page *page, uint32_t row)
{
    uint32_t lines = 0;
    size_t before_stack = 0, at = 0;
    const struct field *stack = NULL;
    for (unsigned i = 0; i < page->count; i++) {
        const struct field *field = &page->fields[i];
        struct value value;
        if (field->dropped)
            continue;
        page->sheet->value(page->sheet->context, row, field->column, &value, &page->scratch);
        text_clear(&page->cell);
        enum utf8_cut cut = UTF8_CUT_MIDDLE;
        if (value.kind == VALUE_TEXT && is_stack(field->column)) {
            stack = field;
            before_stack = at;
            lines = row_lines(page, row);
            cut = UTF8_CUT_START;
            if (lines > 0)
                text_add_span(&page->cell, page->lines[0]);
        } else {
            column_add_text(field->column, &value, page->sheet->unit, &page->cell);
        }
        add_field(page, field, text_span(&page->cell), cut);
        at += field->width + GAP;
    }
    end_line(page);
    for (uint32_t i = 1; i < lines; i++) {
        text_add_repeat(&page->out, ' ', before_stack);
        add_field(page, stack, page->lines[i], UTF8_CUT_START);
        end_line(page);
    }
}

static void add_foot(struct page *page)
{
    bool dropped = false;
    add_rule(page);
    if (page->sheet->add_foot != NULL)
        page->sheet->add_foot(page->sheet->context, &page->out);
    for (unsigned i = 0; i < page->count; i++) {
        if (!page->fields[i].dropped)
            continue;
        text_add_string(&page->out, dropped ? ", " : "no room for: ");
        text_add_string(&page->out, page->fields[i].column->name);
        dropped = true;
    }
    if (dropped)
        text_add_string(&page->out, " (a wider terminal or --columns shows them)\n");
}

static void prepare(struct page *page)
{
    const struct sheet *sheet = page->sheet;
    page->fields = memory_zero(page->count, sizeof *page->fields);
    for (unsigned i = 0; i < page->count; i++) {
        struct field *field = &page->fields[i];
        field->column = sheet->columns[i];
        facet_add_title(field->column, i > 0 ? sheet->columns[i - 1] : NULL, sheet->device, &field->title);
        for (uint32_t k = 0; k < sheet->count; k++)
            measure_cell(page, field, k);
    }
    set_widths(page);
}

static void release(struct page *page)
{
    for (unsigned i = 0; i < page->count; i++) {
        text_free(&page->fields[i].title);
        text_free(&page->fields[i].second);
    }
    free(page->fields);
    free(page->lines);
    text_free(&page->out);
    text_free(&page->cell);
    text_free(&page->scratch);
}

bool text_write_sheet(const struct sheet *sheet, const struct writer_options *options, struct sink *sink)
{
    struct page page = {.sheet = sheet, .options = options, .count = sheet->column_count};
    prepare(&page);
    if (options->header != NULL) {
        utf8_add_clean(&page.out, span_of(options->header), options->ascii);
        text_add_char(&page.out, '\n');
    }
    add_titles(&page);
    add_rule(&page);
    bool taken = true;
    for (uint32_t i = 0; i < sheet->count && taken; i++) {
        add_row(&page, i);
        taken = writer_flush(sink, &page.out, false);
    }
    add_foot(&page);
    taken = taken && writer_flush(sink, &page.out, true);
    release(&page);
    return taken;
}

bool text_write(struct table *table, const struct writer_options *options, struct sink *sink)
{
    return writer_table(table, options, false, text_write_sheet, sink);
}
