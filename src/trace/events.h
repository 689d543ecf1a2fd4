/* The columns of events: what is done to all of them. */
#ifndef KEYAVG_TRACE_EVENTS_H
#define KEYAVG_TRACE_EVENTS_H

#include "keyavg/trace.h"

/* All but `stack`, which is there only in files that hold stacks. */
#define EVENT_COLUMNS(X)                                                                                               \
    X(start)                                                                                                           \
    X(duration)                                                                                                        \
    X(name) X(category) X(flags) X(thread) X(inputs) X(external_id) X(number) X(place) X(offset)

/* The columns by place and size, `stack` last. */
struct event_column {
    size_t at, size; /* of its pointer in struct events; of one item */
};

extern const struct event_column event_columns[];
extern const unsigned event_column_count;

static inline void **event_column_of(struct events *events, unsigned column)
{
    return (void **)(void *)((char *)events + event_columns[column].at);
}

/* Makes the column `stack`, all empty, when it is not there yet. */
void events_need_stack(struct events *events);

/* Room for `capacity` events in all. */
void events_reserve(struct events *events, uint32_t capacity);

/* The number of one more event, its columns not yet set; NO_EVENT when there are too many. */
uint32_t events_add(struct events *events);
void events_free(struct events *events);

#endif
