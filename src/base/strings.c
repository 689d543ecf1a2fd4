#include "keyavg/strings.h"

#include <stdlib.h>
#include <string.h>

#include "keyavg/memory.h"

enum { CHUNK = 1 << 16 };

struct chunk {
    struct chunk *next;
    char bytes[];
};

static inline uint64_t load64(const char *bytes)
{
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

static inline uint32_t load32(const char *bytes)
{
    uint32_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

uint32_t hash_bytes(const char *bytes, size_t length)
{
    uint64_t h = length * 0x9E3779B97F4A7C15u;
    if (length >= 8) {
        const char *last = bytes + length - 8;
        for (; bytes < last; bytes += 8)
            h = hash_pair(h, load64(bytes));
        h = hash_pair(h, load64(last));
    } else if (length >= 4) {
        h = hash_pair(h, (uint64_t)load32(bytes) << 32 | load32(bytes + length - 4));
    } else if (length > 0) {
        uint64_t word = (uint64_t)(unsigned char)bytes[0] << 16 | (uint64_t)(unsigned char)bytes[length / 2] << 8 |
                        (unsigned char)bytes[length - 1];
        h = hash_pair(h, word);
    }
    return (uint32_t)(h ^ h >> 32);
}

void strings_init(struct strings *strings)
{
    *strings = (struct strings){0};
    strings->mask = 255;
    strings->slots = memory_zero(strings->mask + 1, sizeof *strings->slots);
    strings_add(strings, "", 0);
}

void strings_free(struct strings *strings)
{
    for (struct chunk *chunk = strings->chunks, *next; chunk != NULL; chunk = next) {
        next = chunk->next;
        free(chunk);
    }
    free(strings->entries);
    free(strings->slots);
    *strings = (struct strings){0};
}

/* The slot that holds these bytes or the free one where they would go. */
static uint32_t find_slot(const struct strings *strings, const char *bytes, size_t length, uint32_t hash)
{
    for (uint32_t slot = hash & strings->mask;; slot = (slot + 1) & strings->mask) {
        uint32_t number = strings->slots[slot];
        if (number == 0)
            return slot;
        const struct string_entry *entry = &strings->entries[number - 1];
        if (entry->hash == hash && entry->length == length && memcmp(entry->bytes, bytes, length) == 0)
            return slot;
    }
}

static void grow_slots(struct strings *strings)
{
    uint32_t mask = strings->mask * 2 + 1;
    uint32_t *slots = memory_zero((size_t)mask + 1, sizeof *slots);
    for (uint32_t i = 0; i < strings->count; i++) {
        uint32_t slot = strings->entries[i].hash & mask;
        while (slots[slot] != 0)
            slot = (slot + 1) & mask;
        slots[slot] = i + 1;
    }
    free(strings->slots);
    strings->slots = slots;
    strings->mask = mask;
}

static char *room_for(struct strings *strings, size_t length)
{
    if (strings->room_left < length) {
        size_t size = length > CHUNK / 4 ? length : CHUNK;
        struct chunk *chunk = memory_alloc(sizeof *chunk + size);
        chunk->next = strings->chunks;
        strings->chunks = chunk;
        strings->bytes += size;
        if (size == length)
            return chunk->bytes; /* a long string has a chunk of its own; the current one goes on being filled */
        strings->room = chunk->bytes;
        strings->room_left = size;
    }
    char *room = strings->room;
    strings->room += length;
    strings->room_left -= length;
    return room;
}

uint32_t strings_add(struct strings *strings, const char *bytes, size_t length)
{
    uint32_t hash = hash_bytes(bytes, length);
    uint32_t slot = find_slot(strings, bytes, length, hash);
    if (strings->slots[slot] != 0)
        return strings->slots[slot] - 1;
    if (strings->count == strings->capacity) {
        strings->capacity = strings->capacity * 2 + 64;
        strings->entries = memory_resize(strings->entries, strings->capacity, sizeof *strings->entries);
    }
    char *room = room_for(strings, length + 1);
    if (length != 0)
        memcpy(room, bytes, length);
    room[length] = '\0';
    strings->entries[strings->count] = (struct string_entry){room, (uint32_t)length, hash};
    strings->slots[slot] = ++strings->count;
    uint32_t number = strings->count - 1;
    if (strings->count > strings->mask / 2)
        grow_slots(strings);
    return number;
}

uint32_t strings_find(const struct strings *strings, const char *bytes, size_t length)
{
    uint32_t slot = find_slot(strings, bytes, length, hash_bytes(bytes, length));
    return strings->slots[slot] != 0 ? strings->slots[slot] - 1 : UINT32_MAX;
}
