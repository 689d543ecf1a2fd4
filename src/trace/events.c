/* The columns of events. */
#include "events.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

const struct event_column event_columns[] = {
#define PLACE(column) {offsetof(struct events, column), sizeof *((struct events *)0)->column},
    EVENT_COLUMNS(PLACE) PLACE(stack)
#undef PLACE
};

const unsigned event_column_count = sizeof event_columns / sizeof *event_columns;

void events_reserve(struct events *events, uint32_t capacity)
{
    events->capacity = capacity;
#define GROW(column) events->column = memory_resize(events->column, capacity, sizeof *events->column);
    EVENT_COLUMNS(GROW)
#undef GROW
    if (events->stack != NULL) {
        events->stack = memory_resize(events->stack, capacity, sizeof *events->stack);
        memset(events->stack + events->count, 0, (size_t)(capacity - events->count) * sizeof *events->stack);
    }
}

void events_need_stack(struct events *events)
{
    if (events->stack == NULL)
        events->stack = memory_zero((size_t)events->capacity + 1, sizeof *events->stack);
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
    free(events->stack);
    *events = (struct events){0};
}
