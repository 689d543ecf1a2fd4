/* Growing arrays: `struct { T *items; size_t count, capacity; }`. */
#ifndef KEYAVG_ARRAY_H
#define KEYAVG_ARRAY_H

#include <stdint.h>
#include <stdlib.h>

#include "keyavg/memory.h"

#define ARRAY(type)                                                                                                    \
    struct {                                                                                                           \
        type *items;                                                                                                   \
        size_t count, capacity;                                                                                        \
    }

/* Room for `extra` more items. */
#define array_reserve(array, extra)                                                                                    \
    do {                                                                                                               \
        if ((array)->count + (extra) > (array)->capacity) {                                                            \
            (array)->capacity = ((array)->count + (extra)) * 3 / 2 + 8;                                                \
            (array)->items = memory_resize((array)->items, (array)->capacity, sizeof *(array)->items);                 \
        }                                                                                                              \
    } while (0)

#define array_push(array, ...)                                                                                         \
    do {                                                                                                               \
        array_reserve(array, 1);                                                                                       \
        (array)->items[(array)->count++] = (__VA_ARGS__);                                                              \
    } while (0)

/* Of numbers in ascending order: the place of the first that is not below one, `count` when there is none. */
static inline uint32_t array_place(const uint32_t *numbers, uint32_t count, uint32_t number)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (numbers[middle] < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

#define array_free(array)                                                                                              \
    do {                                                                                                               \
        free((array)->items);                                                                                          \
        (array)->items = NULL;                                                                                         \
        (array)->count = (array)->capacity = 0;                                                                        \
    } while (0)

#endif
