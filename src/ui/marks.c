/* Marked rows. */
#include "marks.h"

#include <stdlib.h>

void marks_free(struct marks *marks)
{
    for (size_t i = 0; i < marks->groupings.count; i++)
        array_free(&marks->groupings.items[i].events);
    array_free(&marks->groupings);
}

static struct marked_grouping *find(const struct marks *marks, const struct grouping *grouping)
{
    for (size_t i = 0; i < marks->groupings.count; i++) {
        const struct grouping *other = &marks->groupings.items[i].grouping;
        bool same_depth = (grouping->parts & GROUP_STACK) == 0 || other->stack_depth == grouping->stack_depth;
        if (other->parts == grouping->parts && same_depth && other->full_list_shapes == grouping->full_list_shapes)
            return &marks->groupings.items[i];
    }
    return NULL;
}

static size_t place_of(const struct marked_grouping *marked, uint32_t event)
{
    for (size_t i = 0; i < marked->events.count; i++)
        if (marked->events.items[i] == event)
            return i;
    return SIZE_MAX;
}

bool marks_has(const struct marks *marks, struct table *table, uint32_t row)
{
    const struct marked_grouping *marked = find(marks, &table->query.grouping);
    if (marked == NULL || marked->events.count == 0)
        return false;
    return place_of(marked, table_row_key_event(table, row)) != SIZE_MAX;
}

static void change(struct marks *marks, struct table *table, uint32_t row, bool off)
{
    struct marked_grouping *marked = find(marks, &table->query.grouping);
    if (marked == NULL) {
        array_push(&marks->groupings, (struct marked_grouping){.grouping = table->query.grouping});
        marked = &marks->groupings.items[marks->groupings.count - 1];
    }
    uint32_t event = table_row_key_event(table, row);
    size_t place = place_of(marked, event);
    if (place >= marked->events.count)
        array_push(&marked->events, event);
    else if (off)
        marked->events.items[place] = marked->events.items[--marked->events.count];
}

void marks_switch(struct marks *marks, struct table *table, uint32_t row)
{
    change(marks, table, row, true);
}

void marks_set(struct marks *marks, struct table *table, uint32_t row)
{
    change(marks, table, row, false);
}

size_t marks_count(const struct marks *marks, const struct table *table)
{
    const struct marked_grouping *marked = find(marks, &table->query.grouping);
    return marked == NULL ? 0 : marked->events.count;
}

void marks_clear(struct marks *marks, const struct table *table)
{
    struct marked_grouping *marked = find(marks, &table->query.grouping);
    if (marked != NULL)
        marked->events.count = 0;
}
