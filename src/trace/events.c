/* The columns of events. */
#include "events.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

const struct event_column event_columns[] = {
#define PLACE(column) {offsetof(struct events, column), sizeof *((struct events *)0)->column},
    EVENT_COLUMNS(PLACE) EVENT_OPTIONAL_COLUMNS(PLACE)
#undef PLACE
};

const unsigned event_column_count = sizeof event_columns / sizeof *event_columns;

static void grow_optional(const struct events *events, uint32_t **column)
{
    if (*column == NULL)
        return;
    *column = memory_resize(*column, (size_t)events->capacity + 1, sizeof **column);
    memset(*column + events->count, 0, ((size_t)events->capacity + 1 - events->count) * sizeof **column);
}

void events_reserve(struct events *events, uint32_t capacity)
{
    events->capacity = capacity;
#define GROW(column) events->column = memory_resize(events->column, capacity, sizeof *events->column);
    EVENT_COLUMNS(GROW)
#undef GROW
#define GROW_OPTIONAL(column) grow_optional(events, &events->column);
    EVENT_OPTIONAL_COLUMNS(GROW_OPTIONAL)
#undef GROW_OPTIONAL
}

void events_need(const struct events *events, uint32_t **column)
{
    if (*column == NULL)
        *column = memory_zero((size_t)events->capacity + 1, sizeof **column);
}

void events_set(const struct events *events, struct wide *column, uint32_t event, uint64_t value)
{
    column->low[event] = (uint32_t)value;
    if (value >> 32 != 0)
        events_need(events, &column->high);
    if (column->high != NULL)
        column->high[event] = (uint32_t)(value >> 32);
}

void events_set_number(struct events *events, uint32_t event, int64_t number)
{
    events_set(events, &events->number, event, (uint64_t)number + 1);
}

void events_set_offset(struct events *events, uint32_t event, uint64_t offset)
{
    events_set(events, &events->offset, event, offset + 1);
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
    EVENT_COLUMNS(FREE) EVENT_OPTIONAL_COLUMNS(FREE)
#undef FREE
    *events = (struct events){0};
}
