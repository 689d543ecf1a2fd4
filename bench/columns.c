#include "columns.h"

#include <stdlib.h>

#include "keyavg/memory.h"

void columns_init(struct columns *columns, size_t count)
{
    columns->count = count;
    for (int c = 0; c < COLUMNS; c++) {
        columns->items[c] = memory_alloc(count * sizeof *columns->items[c]);
        for (size_t i = 0; i < count; i++)
            columns->items[c][i] = (int64_t)i * (c + 1);
    }
}

int64_t columns_read(const struct columns *columns)
{
    const int64_t *a = columns->items[0], *b = columns->items[1], *c = columns->items[2], *d = columns->items[3];
    int64_t sum = 0;
    for (size_t i = 0; i < columns->count; i++)
        sum += a[i] + b[i] + c[i] + d[i];
    return sum;
}

void columns_free(struct columns *columns)
{
    for (int c = 0; c < COLUMNS; c++)
        free(columns->items[c]);
}
