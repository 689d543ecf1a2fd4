/* Sorting rows that are in no table of one trace. */
#include <math.h>
#include <stdlib.h>

#include "keyavg/cells.h"
#include "keyavg/memory.h"

struct item {
    struct value value;
    uint32_t row, place;
    size_t offset; /* of text that was made, in sorting.made; SIZE_MAX: the text lies elsewhere */
};

struct sorting {
    const struct column *column;
    bool ascending;
    struct text made;
};

static int by_cell(const void *a, const void *b, void *context)
{
    const struct item *x = a, *y = b;
    const struct sorting *sorting = context;
    int order = 0;
    if (x->value.kind == VALUE_UNKNOWN || y->value.kind == VALUE_UNKNOWN) {
        order = (x->value.kind == VALUE_UNKNOWN) - (y->value.kind == VALUE_UNKNOWN);
    } else {
        /* Two kinds of number in one column are compared as doubles. */
        if (x->value.kind == y->value.kind)
            order = value_compare(sorting->column, &x->value, &y->value);
        else
            order = (value_real(&x->value) > value_real(&y->value)) - (value_real(&x->value) < value_real(&y->value));
        order = sorting->ascending ? order : -order;
    }
    return order != 0 ? order : (x->place > y->place) - (x->place < y->place);
}

static void drop_sign(struct value *value)
{
    value->real = fabs(value->real);
    if (value->integer < 0)
        value->integer = value->integer == INT64_MIN ? INT64_MAX : -value->integer;
}

void cells_sort(row_cell *cell, const void *context, const struct column *column, bool ascending, bool by_size,
                uint32_t *rows, uint32_t count)
{
    struct sorting sorting = {.column = column, .ascending = ascending};
    struct item *items = memory_alloc(((size_t)count + 1) * sizeof *items);
    struct text scratch = {0};
    for (uint32_t i = 0; i < count; i++) {
        struct item *item = &items[i];
        *item = (struct item){.row = rows[i], .place = i, .offset = SIZE_MAX};
        cell(context, rows[i], column, &item->value, &scratch);
        if (by_size)
            drop_sign(&item->value);
        if (item->value.kind == VALUE_TEXT && item->value.text.length > 0 && item->value.text.bytes == scratch.bytes) {
            item->offset = sorting.made.length;
            text_add_span(&sorting.made, item->value.text);
        }
    }
    for (uint32_t i = 0; i < count; i++)
        if (items[i].offset != SIZE_MAX)
            items[i].value.text.bytes = sorting.made.bytes + items[i].offset;
    qsort_r(items, count, sizeof *items, by_cell, &sorting);
    for (uint32_t i = 0; i < count; i++)
        rows[i] = items[i].row;
    text_free(&scratch);
    text_free(&sorting.made);
    free(items);
}
