/* Interned strings: equal bytes are stored once and have one number. Number 0 is the empty string. */
#ifndef KEYAVG_STRINGS_H
#define KEYAVG_STRINGS_H

#include <stdint.h>

#include "keyavg/text.h"

struct string_entry {
    const char *bytes; /* terminated; may hold NULs before its end */
    uint32_t length, hash;
};

struct strings {
    struct string_entry *entries;
    uint32_t *slots; /* number + 1, 0 free; open addressing, a power of two */
    char *room;
    void *chunks;
    size_t room_left, bytes;
    uint32_t count, capacity, mask;
};

void strings_init(struct strings *strings);
void strings_free(struct strings *strings);

/* The number of these bytes, stored if they are new. length < 2^32. */
uint32_t strings_add(struct strings *strings, const char *bytes, size_t length);

/* The number of these bytes, or UINT32_MAX. */
uint32_t strings_find(const struct strings *strings, const char *bytes, size_t length);

static inline struct span strings_get(const struct strings *strings, uint32_t number)
{
    return (struct span){strings->entries[number].bytes, strings->entries[number].length};
}

/* A hash of bytes, and the mix of two numbers into one hash; both only for tables, never for an order. */
uint32_t hash_bytes(const char *bytes, size_t length);

static inline uint64_t hash_pair(uint64_t a, uint64_t b)
{
    unsigned __int128 m = (unsigned __int128)(a ^ 0x9E3779B97F4A7C15u) * (b ^ 0xD1B54A32D192ED03u);
    return (uint64_t)m ^ (uint64_t)(m >> 64);
}

#endif
