/* The columns of events. */
#include "events.h"

#include <stdlib.h>

void events_reserve(struct events *events, uint32_t capacity)
{
    events->capacity = capacity;
#define GROW(column) events->column = memory_resize(events->column, capacity, sizeof *events->column);
    EVENT_COLUMNS(GROW)
#undef GROW
}

uint32_t events_add(struct events *events)
{
    if (events->count == events->capacity) {
        if (events->count >= UINT32_MAX - 1)
            return NO_EVENT;
        events_reserve(events, events->capacity < UINT32_MAX / 3 * 2 - 1024 ? events->capacity / 2 * 3 + 1024 : UINT32_MAX - 1);
    }
    return events->count++;
}

void events_free(struct events *events)
{
#define FREE(column) free(events->column);
    EVENT_COLUMNS(FREE)
#undef FREE
    *events = (struct events){0};
}
