/* The yardstick of regrouping: a plain loop that reads four columns of 64-bit numbers once. */
#ifndef BENCH_COLUMNS_H
#define BENCH_COLUMNS_H

#include <stddef.h>
#include <stdint.h>

enum { COLUMNS = 4 };

struct columns {
    int64_t *items[COLUMNS];
    size_t count;
};

void columns_init(struct columns *columns, size_t count);
int64_t columns_read(const struct columns *columns);
void columns_free(struct columns *columns);

#endif
