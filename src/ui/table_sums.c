/* What the rows on the screen add up to.
 *
 * Times on the device are not added over rows: an op has the time of its kernels once more, and its callers have it
 * again. What counts is which device events the rows cover, each once: those whose own row is among them, or the row of
 * the op that launched them, for totals also of its callers. Annotations on the device are no time of their own. */
#include <stdlib.h>

#include "rows.h"
#include "keyavg/remainder.h"
#include "keyavg/wrap.h"

/* The rows of a set, a byte each, by number of averages->rows. To free(). */
static uint8_t *no_rows(const struct table *table)
{
    return memory_zero((size_t)table->averages->count + 1, 1);
}

static bool in_set(const struct table *table, const uint8_t *rows, uint32_t event)
{
    uint32_t row = table->averages->row_of[tree_row_event(table->tree, event)];
    return row != NO_EVENT && rows[row];
}

/* Which CPU events are in a row of the set or below one, a byte each. To free(). */
static uint8_t *events_below(const struct table *table, const uint8_t *rows)
{
    const struct tree *tree = table->tree;
    uint8_t *below = memory_zero((size_t)tree->count + 1, 1);
    for (uint32_t e = 0; e < tree->count; e++) /* parents come before children */
        if (!event_on_device(tree->trace, e))
            below[e] = in_set(table, rows, e) || (tree->parent[e] != NO_EVENT && below[tree->parent[e]]);
    return below;
}

static int64_t device_time(const struct table *table, const uint8_t *rows, bool with_callers)
{
    const struct tree *tree = table->tree;
    uint64_t sum = 0; /* sums of a file made to overflow wrap around */
    if (!tree->has_device_time)
        return 0;
    uint8_t *below = with_callers ? events_below(table, rows) : NULL;
    for (uint32_t e = 0; e < tree->count; e++) {
        enum event_kind kind = event_kind(tree->trace, e);
        if (!kind_on_device(kind) || kind == KIND_DEVICE_ANNOTATION || tree->state[e] != STATE_ROW)
            continue;
        uint32_t owner = tree->owner[e];
        if (in_set(table, rows, e) ||
            (owner != NO_EVENT && (below != NULL ? below[owner] : in_set(table, rows, owner))))
            sum += (uint64_t)amounts_get(&tree->self_device, e);
    }
    free(below);
    return (int64_t)sum;
}

static bool is_device_time(const struct column *column)
{
    return strcmp(column->name, "self_device_time_total") == 0 || strcmp(column->name, "device_time_total") == 0;
}

static int64_t sum_of(struct table_view *view, const struct column *column, const uint8_t *rows)
{
    const struct table *table = view->view.app->table;
    struct value value;
    uint64_t sum = 0;
    if (is_device_time(column))
        return device_time(table, rows, strcmp(column->name, "device_time_total") == 0);
    for (uint32_t row = 0; row < table->averages->count; row++) {
        if (!rows[row])
            continue;
        table_value(table, row, column, &value, &view->scratch);
        sum += value.kind == VALUE_INTEGER ? (uint64_t)value.integer : 0;
    }
    return (int64_t)sum;
}

/* The column whose sum the status line tells: the one sorted by where it can be added up, or the one it is made of. */
static const struct column *sum_column(const struct table *table)
{
    const struct column *sort = table->query.sort;
    const char *name = "self_cpu_time_total";
    if (sort != NULL && sort->summable && sort->unit == UNIT_TIME)
        return sort;
    if (sort != NULL && strstr(sort->name, "device") != NULL && (sort->unit == UNIT_TIME || sort->unit == UNIT_SHARE) &&
        column_available(table, sort))
        name = strncmp(sort->name, "self_", 5) == 0 ? "self_device_time_total" : "device_time_total";
    return column_find(span_of(name));
}

void table_sums_make(struct table_view *view)
{
    struct table *table = view->view.app->table;
    struct table_sums *sums = &view->sums;
    const struct column *column = sum_column(table);
    uint8_t *shown = no_rows(table), *marked = no_rows(table);
    bool any = rows_any_marked(view);
    *sums = (struct table_sums){.known = true, .column = column};
    for (uint32_t i = 0; i < table->count; i++) {
        uint32_t row = table->order[i];
        shown[row] = 1;
        if (any && rows_marked(view, row)) {
            marked[row] = 1;
            sums->marked_rows++;
        }
        if (event_kind(table->trace, table->averages->rows[row].first) != KIND_DEVICE_ANNOTATION)
            continue;
        wrap_to(&sums->annotations, table->averages->rows[row].self_device_time_total);
        if (marked[row])
            wrap_to(&sums->marked_annotations, table->averages->rows[row].self_device_time_total);
    }
    sums->shown = sum_of(view, column, shown);
    if (sums->marked_rows > 0)
        sums->marked = sum_of(view, column, marked);
    free(shown);
    free(marked);
}

void table_sums_make_remainder(struct table_view *view)
{
    for (size_t i = view->remainder.count; i < view->columns.count; i++) {
        struct value value;
        table_remainder_value(view->view.app->table, view->columns.items[i].column, &value);
        array_push(&view->remainder, value);
    }
}
