/* The filter on a drill's own rows: words on their labels, columns on their cells, and what is asked of calls on the
 * calls that a row stands for, of which one must pass. */
#include <stdlib.h>

#include "drill_ops.h"
#include "keyavg/filter.h"

static bool has(const uint64_t *set, uint32_t number)
{
    return set[number / 64] >> number % 64 & 1;
}

static void clear(struct drill *drill)
{
    free(drill->passing_events);
    free(drill->passing_nodes);
    drill->passing_events = drill->passing_nodes = NULL;
}

/* The nodes in which events stand that pass. */
static uint64_t *nodes_of(const struct drill *drill, const struct outline *outline)
{
    uint64_t *nodes = memory_zero((size_t)outline->nodes / 64 + 1, sizeof *nodes);
    for (uint32_t e = 0; e < drill->tree->count; e++) {
        uint32_t node = has(drill->passing_events, e) ? drill->ops->row_of(drill, e) : NO_EVENT;
        if (node != NO_EVENT)
            nodes[node / 64] |= UINT64_C(1) << node % 64;
    }
    return nodes;
}

void drill_filter_start(struct drill *drill)
{
    const struct filter *filter = drill->settings.filter;
    const struct outline *outline = drill_outline(drill);
    clear(drill);
    if (filter == NULL || !filter_on_kinds(filter))
        return;
    size_t words = (size_t)drill->tree->count / 64 + 1;
    drill->passing_events = memory_alloc(words * sizeof *drill->passing_events);
    memset(drill->passing_events, 0xFF, words * sizeof *drill->passing_events);
    filter_select_kinds(filter, drill->tree, drill->passing_events);
    if (outline != NULL && !drill->settings.bottom_up)
        drill->passing_nodes = nodes_of(drill, outline);
}

void drill_filter_free(struct drill *drill)
{
    clear(drill);
}

static bool calls_pass(const struct drill *drill, uint32_t id)
{
    if (drill->passing_events == NULL)
        return true;
    if (drill->passing_nodes != NULL)
        return has(drill->passing_nodes, id);
    uint32_t count;
    uint32_t *events = drill_events(drill, id, &count);
    bool passes = false;
    for (uint32_t i = 0; i < count && !passes; i++)
        passes = has(drill->passing_events, events[i]);
    free(events);
    return passes;
}

static void cell(const void *context, uint32_t row, const struct column *column, struct value *out,
                 struct text *scratch)
{
    drill_value(context, row, column, out, scratch);
}

bool drill_passes(const struct drill *drill, uint32_t id, struct text *scratch)
{
    const struct filter *filter = drill->settings.filter;
    if (filter == NULL)
        return true;
    text_clear(scratch);
    drill_add_label(drill, id, scratch);
    return filter_name(filter, text_span(scratch)) && filter_cells(filter, cell, drill, id, false) &&
           calls_pass(drill, id);
}

const struct column *drill_filter_lacks(const struct drill *drill, const struct filter *filter)
{
    const struct column *column;
    for (unsigned i = 0; (column = filter_column(filter, i)) != NULL; i++)
        if (!drill_has_column(drill, column))
            return column;
    return NULL;
}
