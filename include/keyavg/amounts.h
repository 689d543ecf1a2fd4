/* A column of times or bytes, one an event: most fit 32 bits, the others lie beside. */
#ifndef KEYAVG_AMOUNTS_H
#define KEYAVG_AMOUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zero: a column that is not there, whose amounts are 0. */
struct amounts {
    int32_t *small;  /* INT32_MIN: the amount is a large one */
    uint32_t *keys;  /* of the large ones, by hash; UINT32_MAX a free slot */
    int64_t *large;
    uint32_t mask, count;
};

/* `count` amounts of 0. Release with amounts_free. */
void amounts_init(struct amounts *amounts, uint32_t count);
void amounts_free(struct amounts *amounts);

static inline bool amounts_there(const struct amounts *amounts)
{
    return amounts->small != NULL;
}

int64_t amounts_large(const struct amounts *amounts, uint32_t at);
void amounts_set_large(struct amounts *amounts, uint32_t at, int64_t amount);

static inline int64_t amounts_get(const struct amounts *amounts, uint32_t at)
{
    if (amounts->small == NULL)
        return 0;
    int32_t small = amounts->small[at];
    return small != INT32_MIN ? small : amounts_large(amounts, at);
}

/* The column must be there. One thread at a time. */
static inline void amounts_set(struct amounts *amounts, uint32_t at, int64_t amount)
{
    if (amount > INT32_MIN && amount <= INT32_MAX)
        amounts->small[at] = (int32_t)amount;
    else
        amounts_set_large(amounts, at, amount);
}

/* Sums wrap around (wrap.h). Adding 0 touches no memory. */
static inline void amounts_add(struct amounts *amounts, uint32_t at, int64_t amount)
{
    if (amount != 0)
        amounts_set(amounts, at, (int64_t)((uint64_t)amounts_get(amounts, at) + (uint64_t)amount));
}

#endif
