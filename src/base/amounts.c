#include "keyavg/amounts.h"

#include <stdlib.h>
#include <string.h>

#include "keyavg/memory.h"
#include "keyavg/strings.h"

void amounts_init(struct amounts *amounts, uint32_t count)
{
    *amounts = (struct amounts){.small = memory_zero((size_t)count + 1, sizeof *amounts->small)};
}

void amounts_free(struct amounts *amounts)
{
    free(amounts->small);
    free(amounts->keys);
    free(amounts->large);
    *amounts = (struct amounts){0};
}

static uint32_t slot_of(const struct amounts *amounts, uint32_t at)
{
    uint32_t slot = (uint32_t)hash_pair(at, 0) & amounts->mask;
    while (amounts->keys[slot] != UINT32_MAX && amounts->keys[slot] != at)
        slot = (slot + 1) & amounts->mask;
    return slot;
}

static void grow(struct amounts *amounts)
{
    struct amounts old = *amounts;
    amounts->mask = old.keys != NULL ? old.mask * 2 + 1 : 15;
    amounts->keys = memory_alloc(((size_t)amounts->mask + 1) * sizeof *amounts->keys);
    amounts->large = memory_alloc(((size_t)amounts->mask + 1) * sizeof *amounts->large);
    memset(amounts->keys, 0xFF, ((size_t)amounts->mask + 1) * sizeof *amounts->keys);
    for (size_t i = 0; old.keys != NULL && i <= old.mask; i++)
        if (old.keys[i] != UINT32_MAX) {
            uint32_t slot = slot_of(amounts, old.keys[i]);
            amounts->keys[slot] = old.keys[i];
            amounts->large[slot] = old.large[i];
        }
    free(old.keys);
    free(old.large);
}

int64_t amounts_large(const struct amounts *amounts, uint32_t at)
{
    return amounts->large[slot_of(amounts, at)];
}

/* An amount that becomes small again leaves its slot behind, which is taken when it grows again. */
void amounts_set_large(struct amounts *amounts, uint32_t at, int64_t amount)
{
    if (amounts->keys == NULL || amounts->count >= amounts->mask / 2)
        grow(amounts);
    uint32_t slot = slot_of(amounts, at);
    amounts->count += amounts->keys[slot] == UINT32_MAX;
    amounts->keys[slot] = at;
    amounts->large[slot] = amount;
    amounts->small[at] = INT32_MIN;
}
