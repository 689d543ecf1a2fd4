#include "keyavg/table.h"

#include <stdlib.h>

#include "keyavg/memory.h"

/* What sorting one row needs: its value made once. Text that was made for the value is kept by offset meanwhile. */
struct sort_key {
    struct value value;
    uint32_t row;
};

/* Whether b must stand before a, which stands before it now. */
static bool out_of_order(const struct column *column, bool ascending, const struct value *a, const struct value *b)
{
    if (a->kind == VALUE_UNKNOWN || b->kind == VALUE_UNKNOWN)
        return a->kind == VALUE_UNKNOWN && b->kind != VALUE_UNKNOWN;
    int order = value_compare(column, a, b);
    return ascending ? order > 0 : order < 0;
}

/* A stable merge sort, from the bottom up, of `numbers` into keys; the result is where the return value says. */
static uint32_t *merge(const struct sort_key *keys, uint32_t *numbers, uint32_t *other, uint32_t count,
                       const struct column *column, bool ascending)
{
    for (size_t width = 1; width < count; width *= 2) {
        for (size_t start = 0; start < count; start += 2 * width) {
            size_t middle = start + width < count ? start + width : count;
            size_t end = middle + width < count ? middle + width : count;
            size_t a = start, b = middle, to = start;
            while (a < middle && b < end) {
                bool second = out_of_order(column, ascending, &keys[numbers[a]].value, &keys[numbers[b]].value);
                other[to++] = second ? numbers[b++] : numbers[a++];
            }
            while (a < middle)
                other[to++] = numbers[a++];
            while (b < end)
                other[to++] = numbers[b++];
        }
        uint32_t *swap = numbers;
        numbers = other;
        other = swap;
    }
    return numbers;
}

static void sort_keys(const struct sort_key *keys, const struct column *column, bool ascending, uint32_t *rows,
                      uint32_t count)
{
    uint32_t *room = memory_alloc(2 * (size_t)count * sizeof *room);
    for (uint32_t i = 0; i < count; i++)
        room[i] = i;
    const uint32_t *sorted = merge(keys, room, room + count, count, column, ascending);
    for (uint32_t i = 0; i < count; i++)
        rows[i] = keys[sorted[i]].row;
    free(room);
}

void table_sort(const struct table *table, const struct column *column, bool ascending, uint32_t *rows,
                uint32_t count)
{
    if (count < 2 || !column_available(table, column))
        return;
    struct sort_key *keys = memory_alloc(count * sizeof *keys);
    size_t *offsets = memory_alloc(count * sizeof *offsets);
    struct text made = {0}, scratch = {0};
    for (uint32_t i = 0; i < count; i++) {
        struct value *value = &keys[i].value;
        keys[i].row = rows[i];
        offsets[i] = SIZE_MAX;
        table_value(table, rows[i], column, value, &scratch);
        if (value->kind == VALUE_TEXT && value->text.length > 0 && value->text.bytes == scratch.bytes) {
            offsets[i] = made.length;
            text_add_span(&made, value->text);
        }
    }
    for (uint32_t i = 0; i < count; i++)
        if (offsets[i] != SIZE_MAX)
            keys[i].value.text.bytes = made.bytes + offsets[i];
    sort_keys(keys, column, ascending, rows, count);
    text_free(&made);
    text_free(&scratch);
    free(offsets);
    free(keys);
}

void table_sort_reals(const double *reals, bool ascending, uint32_t *rows, uint32_t count)
{
    if (count < 2)
        return;
    struct sort_key *keys = memory_alloc(count * sizeof *keys);
    for (uint32_t i = 0; i < count; i++)
        keys[i] = (struct sort_key){{.kind = VALUE_REAL, .real = reals[rows[i]]}, rows[i]};
    sort_keys(keys, NULL, ascending, rows, count);
    free(keys);
}
