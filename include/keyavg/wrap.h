/* Sums of times and bytes. A file made for it can have values that do not fit 64 bits in all: their sums wrap around,
 * as unsigned numbers do, and a note says so (NOTE_TOO_LARGE). */
#ifndef KEYAVG_WRAP_H
#define KEYAVG_WRAP_H

#include <stdint.h>

static inline int64_t wrap_add(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

static inline int64_t wrap_sub(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a - (uint64_t)b);
}

/* Adds to a sum. */
static inline void wrap_to(int64_t *sum, int64_t value)
{
    *sum = wrap_add(*sum, value);
}

#endif
