#include "numbering.h"

#include <stdlib.h>
#include <string.h>

#include "keyavg/memory.h"

static void make_slots(struct numbering *numbering)
{
    size_t count = (size_t)numbering->mask + 1;
    numbering->slots = memory_alloc(count * sizeof *numbering->slots);
    memset(numbering->slots, 0xFF, count * sizeof *numbering->slots);
}

void numbering_init(struct numbering *numbering)
{
    numbering->mask = 255;
    numbering->count = 0;
    make_slots(numbering);
}

void numbering_free(struct numbering *numbering)
{
    free(numbering->slots);
    numbering->slots = NULL;
}

static uint32_t free_slot(const struct numbering *numbering, uint64_t key)
{
    uint32_t slot = (uint32_t)hash_pair(key, 0) & numbering->mask;
    while (numbering->slots[slot].number != UINT32_MAX && numbering->slots[slot].key != key)
        slot = (slot + 1) & numbering->mask;
    return slot;
}

static void grow(struct numbering *numbering)
{
    struct numbering old = *numbering;
    numbering->mask = old.mask * 2 + 1;
    make_slots(numbering);
    for (size_t i = 0; i <= old.mask; i++)
        if (old.slots[i].number != UINT32_MAX)
            numbering->slots[free_slot(numbering, old.slots[i].key)] = old.slots[i];
    numbering_free(&old);
}

uint32_t numbering_add(struct numbering *numbering, uint64_t key)
{
    uint32_t slot = free_slot(numbering, key);
    if (numbering->slots[slot].number != UINT32_MAX)
        return numbering->slots[slot].number;
    uint32_t number = numbering->count++;
    numbering->slots[slot] = (struct numbering_slot){key, number};
    if (numbering->count > numbering->mask / 2)
        grow(numbering);
    return number;
}
