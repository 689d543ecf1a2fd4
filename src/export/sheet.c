/* A table of one trace as a sheet. */
#include <stdlib.h>

#include "keyavg/memory.h"
#include "keyavg/remainder.h"
#include "keyavg/writer.h"

struct context {
    struct table *table;
};

/* Text has a last row for what the others leave out of the file. */
static void remainder_value(struct table *table, const struct column *column, struct value *out, struct text *scratch)
{
    text_clear(scratch);
    table_remainder_value(table, column, out);
    if (strcmp(column->name, "key") == 0)
        table_add_remainder_label(table, scratch);
    if (column->unit == UNIT_TEXT)
        *out = (struct value){.kind = VALUE_TEXT, .over = 1, .text = text_span(scratch)};
}

static void value(const void *context, uint32_t row, const struct column *column, struct value *out,
                  struct text *scratch)
{
    const struct context *sheet = context;
    if (row < sheet->table->count)
        table_value(sheet->table, sheet->table->order[row], column, out, scratch);
    else
        remainder_value(sheet->table, column, out, scratch);
}

static uint32_t stack(const void *context, uint32_t row, struct span *lines, uint32_t room)
{
    const struct table *table = ((const struct context *)context)->table;
    return row < table->count ? table_row_stack(table, table->order[row], lines, room) : 0;
}

static void add_sum(const struct table *table, const char *device, int64_t ns, struct text *out)
{
    text_addf(out, "Self %s time total: ", device);
    units_add_time(out, ns, table->query.unit);
    text_add_char(out, '\n');
}

static void add_foot(const void *context, struct text *out)
{
    const struct table *table = ((const struct context *)context)->table;
    bool device = false;
    for (uint32_t i = 0; i < table->kept_count && !device; i++)
        device = table->averages->rows[table->kept[i]].self_device_time_total > 0;
    add_sum(table, "CPU", table->self_cpu_shown, out);
    if (device)
        add_sum(table, table_device_name(table), table->self_device_shown, out);
    if (table->left_out > 0)
        text_addf(out, "%lu more row%s left out (--row-limit -1 shows all)\n", (unsigned long)table->left_out,
                  table->left_out == 1 ? "" : "s");
    if (table->hidden > 0)
        text_addf(out, "%lu row%s hidden by --hide-below %g\n", (unsigned long)table->hidden,
                  table->hidden == 1 ? "" : "s", table->query.hide_below);
}

bool writer_table(struct table *table, const struct writer_options *options, bool all, sheet_writer *write,
                  struct sink *sink)
{
    struct context context = {table};
    bool remainder = write == text_write_sheet && table_has_remainder(table);
    struct sheet sheet = {
        .context = &context,
        .count = table->count + remainder,
        .chosen = options->columns != NULL,
        .sort = table->query.sort,
        .unit = table->query.unit,
        .device = table_device_name(table),
        .value = value,
        .stack = stack,
        .add_foot = add_foot,
    };
    const struct column **chosen = writer_columns(table, options, all, &sheet.column_count);
    sheet.columns = chosen;
    bool taken = write(&sheet, options, sink);
    free(chosen);
    return taken;
}
