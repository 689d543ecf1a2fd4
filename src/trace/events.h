/* The columns of events: what is done to all of them. */
#ifndef KEYAVG_TRACE_EVENTS_H
#define KEYAVG_TRACE_EVENTS_H

#include "keyavg/trace.h"

/* Those that are in every file. */
#define EVENT_COLUMNS(X)                                                                                               \
    X(start)                                                                                                           \
    X(duration)                                                                                                        \
    X(name) X(category) X(flags) X(thread) X(inputs) X(external_id.low) X(number.low) X(place)           \
    X(offset.low)

/* Those that are there only where the file needs them: NULL stands for zeros. */
#define EVENT_OPTIONAL_COLUMNS(X) X(stack) X(external_id.high) X(number.high) X(offset.high)

/* All columns by place and size. */
struct event_column {
    size_t at, size; /* of its pointer in struct events; of one item */
};

extern const struct event_column event_columns[];
extern const unsigned event_column_count;

static inline void **event_column_of(struct events *events, unsigned column)
{
    return (void **)(void *)((char *)events + event_columns[column].at);
}

/* Makes one of the optional columns of events, all zero, when it is not there yet. */
void events_need(const struct events *events, uint32_t **column);

/* Sets a number of a wide column of events. */
void events_set(const struct events *events, struct wide *column, uint32_t event, uint64_t value);
void events_set_number(struct events *events, uint32_t event, int64_t number);
void events_set_offset(struct events *events, uint32_t event, uint64_t offset);

/* Room for `capacity` events in all. */
void events_reserve(struct events *events, uint32_t capacity);

/* The number of one more event, its columns not yet set; NO_EVENT when there are too many. */
uint32_t events_add(struct events *events);
void events_free(struct events *events);

#endif
