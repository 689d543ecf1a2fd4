#include "keyavg/remainder.h"

#include "keyavg/wrap.h"

/* The averages of all events in the table's grouping. */
static struct averages *file_of(struct table *table)
{
    table_need_whole(table);
    return table->restricted ? table->whole : table->averages;
}

uint32_t table_remainder_rows(struct table *table)
{
    return file_of(table)->count - table->count;
}

/* Calls that no shown row counts. */
static uint64_t calls_left(struct table *table)
{
    const struct averages *file = file_of(table);
    uint64_t calls = 0;
    for (uint32_t row = 0; row < file->count; row++)
        calls += file->rows[row].count;
    for (uint32_t i = 0; i < table->count; i++)
        calls -= table->averages->rows[table->order[i]].count;
    return calls;
}

bool table_has_remainder(struct table *table)
{
    if (!table->restricted)
        return table->count < table->averages->count;
    return table_remainder_rows(table) > 0 || calls_left(table) > 0;
}

/* Adds a cell to the sum, or takes it away. The base of shares is the same in all of a column. */
static void add_cell(const struct table *table, uint32_t row, const struct column *column, bool away, struct value *sum,
                     struct text *scratch)
{
    struct value cell;
    table_value(table, row, column, &cell, scratch);
    if (cell.kind != VALUE_INTEGER && cell.kind != VALUE_RATIO)
        return;
    sum->kind = cell.kind;
    sum->over = cell.over;
    sum->integer = away ? wrap_sub(sum->integer, cell.integer) : wrap_add(sum->integer, cell.integer);
}

void table_remainder_value(struct table *table, const struct column *column, struct value *out)
{
    struct text scratch = {0};
    *out = (struct value){.kind = VALUE_UNKNOWN, .over = 1};
    if (!column->summable || !column_available(table, column))
        return;
    /* The same table without its restrictions: what adds up is made of the averages alone. */
    struct table file = *table;
    file.averages = file_of(table);
    for (uint32_t row = 0; row < file.averages->count; row++)
        add_cell(&file, row, column, false, out, &scratch);
    for (uint32_t i = 0; i < table->count; i++)
        add_cell(table, table->order[i], column, true, out, &scratch);
    text_free(&scratch);
}

void table_add_remainder_label(struct table *table, struct text *out)
{
    uint32_t rows = table_remainder_rows(table);
    if (rows > 0)
        text_addf(out, "[%u more row%s]", rows, rows == 1 ? "" : "s");
    else
        text_add_string(out, "[calls left out]");
}
