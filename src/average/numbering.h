/* Numbers to dense numbers, in order of first appearance. */
#ifndef KEYAVG_AVERAGE_NUMBERING_H
#define KEYAVG_AVERAGE_NUMBERING_H

#include <stdint.h>

#include "keyavg/strings.h"

struct numbering_slot {
    uint64_t key;
    uint32_t number; /* UINT32_MAX: free */
};

struct numbering {
    struct numbering_slot *slots;
    uint32_t mask, count;
};

void numbering_init(struct numbering *numbering);
void numbering_free(struct numbering *numbering);

/* The number of a key, given to it now when it is new: then it is the count before. */
uint32_t numbering_add(struct numbering *numbering, uint64_t key);

/* The number of a key, UINT32_MAX when it has none. */
static inline uint32_t numbering_find(const struct numbering *numbering, uint64_t key)
{
    uint32_t slot = (uint32_t)hash_pair(key, 0) & numbering->mask;
    while (numbering->slots[slot].number != UINT32_MAX && numbering->slots[slot].key != key)
        slot = (slot + 1) & numbering->mask;
    return numbering->slots[slot].number;
}

static inline uint64_t numbering_pair(uint32_t a, uint32_t b)
{
    return (uint64_t)a << 32 | b;
}

#endif
