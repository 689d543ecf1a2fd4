/* Marked rows: kept by row key and per grouping, whatever filter, order or scope shows of them. */
#ifndef KEYAVG_UI_MARKS_H
#define KEYAVG_UI_MARKS_H

#include "keyavg/array.h"
#include "keyavg/table.h"

/* A row's key within a grouping is known by the first event of the row over all events. */
struct marked_grouping {
    struct grouping grouping;
    ARRAY(uint32_t) events;
};

struct marks {
    ARRAY(struct marked_grouping) groupings;
};

void marks_free(struct marks *marks);

/* `row` is a number of table->averages->rows. */
bool marks_has(const struct marks *marks, struct table *table, uint32_t row);
void marks_switch(struct marks *marks, struct table *table, uint32_t row);
void marks_set(struct marks *marks, struct table *table, uint32_t row);

/* Marks of the table's grouping: how many, and all away. */
size_t marks_count(const struct marks *marks, const struct table *table);
void marks_clear(struct marks *marks, const struct table *table);

#endif
