/* How the explorer comes to a table, and to another one. */
#include <stdlib.h>

#include "keyavg/quality.h"
#include "keyavg/steps.h"
#include "drill_view.h"

void app_tell_damage(struct app *app)
{
    struct text line = {0};
    if (app->trace != NULL && notes_any(&app->trace->notes)) {
        notes_describe(&app->trace->notes, &line);
        app_complain(app, "%s", line.bytes);
    }
    text_free(&line);
}

const struct column *app_default_sort(const struct table *table)
{
    return column_find(span_of(table->tree->has_device_time ? "self_device_time_total" : "self_cpu_time_total"));
}

struct table *app_build_table(struct trace *trace, struct query *query, bool sort_given)
{
    struct table *table = table_build(trace, query);
    if (!sort_given) {
        query->sort = app_default_sort(table);
        query->ascending = false;
        table_update(table, query);
    }
    if (!trace->partial)
        tree_quality(table->tree);
    return table;
}

uint32_t app_same_event(const struct trace *from, uint32_t event, const struct trace *to)
{
    if (event == NO_EVENT || event >= from->events.count)
        return NO_EVENT;
    int64_t start = from->events.start[event];
    uint32_t low = 0, high = to->events.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (to->events.start[middle] < start)
            low = middle + 1;
        else
            high = middle;
    }
    struct span name = strings_get(&from->strings, from->events.name[event]);
    struct span tid = strings_get(&from->strings, from->threads.items[from->events.thread[event]].tid);
    for (; low < to->events.count && to->events.start[low] == start; low++)
        if (to->events.duration[low] == from->events.duration[event] &&
            span_equal(name, strings_get(&to->strings, to->events.name[low])) &&
            span_equal(tid, strings_get(&to->strings, to->threads.items[to->events.thread[low]].tid)))
            return low;
    return NO_EVENT;
}

static void move_events(struct table_view *view, const struct trace *from, const struct trace *to)
{
    view->anchor = app_same_event(from, view->anchor, to);
    for (size_t i = 0; i < view->marks.groupings.count; i++) {
        struct marked_grouping *marked = &view->marks.groupings.items[i];
        size_t kept = 0;
        for (size_t j = 0; j < marked->events.count; j++) {
            uint32_t event = app_same_event(from, marked->events.items[j], to);
            if (event != NO_EVENT)
                marked->events.items[kept++] = event;
        }
        marked->events.count = kept;
    }
}

/* What the title says of the trace; the table's tree may be another one later. */
static void take_verdict(struct app *app, const struct tree *tree)
{
    const struct quality *quality = tree->quality;
    free(app->verdict);
    app->verdict = quality != NULL && quality->faults > 0
                       ? memory_copy_text(quality->verdict, strlen(quality->verdict)) : NULL;
}

void app_set_table(struct app *app, struct table *table)
{
    struct table *old = app->table;
    struct trace *old_trace = app->trace;
    app->steps = steps_count(table->tree);
    take_verdict(app, table->tree);
    if (old == NULL) {
        while (app->top != NULL)
            view_pop(app);
        app->table = table;
        app->trace = table->trace;
        table_view_open(app);
        return;
    }
    struct table_view *view = table_view_of(app);
    move_events(view, old_trace, table->trace);
    /* While the table grows a cursor that was never moved stays at the top. */
    if (old_trace->partial && view->view.list.cursor == 0)
        view->anchor = NO_EVENT;
    app->table = table;
    app->trace = table->trace;
    drill_views_move(app);
    table_free(old);
    trace_free(old_trace);
    app_update(app);
    if (app->update_waits)
        app_tell_views(app);
}

bool app_set_filter(struct app *app, struct span expression, struct error *error)
{
    struct filter *filter = filter_parse(expression, error);
    if (filter == NULL)
        return false;
    bool empty = !filter_on_events(filter) && !filter_on_rows(filter);
    if (empty)
        filter_free(filter);
    else
        array_push(&app->old_filters, filter);
    app_use_filter(app, empty ? NULL : filter);
    app_update(app);
    app_free_filters(app);
    return true;
}

void app_use_filter(struct app *app, const struct filter *filter)
{
    if (filter == app->filter)
        return;
    struct filter *before = app->filter;
    app->filter = NULL;
    for (size_t i = 0; i < app->old_filters.count; i++) {
        if (app->old_filters.items[i] != filter)
            continue;
        app->filter = app->old_filters.items[i];
        app->old_filters.items[i] = app->old_filters.items[--app->old_filters.count];
        break;
    }
    if (before != NULL)
        array_push(&app->old_filters, before);
    app->query.filter = app->filter;
}

void app_free_filters(struct app *app)
{
    /* The table compares its own with the next one; a thread may be at another. */
    const struct filter *used = app->table != NULL ? app->table->query.filter : NULL;
    size_t kept = 0;
    for (size_t i = 0; i < app->old_filters.count; i++) {
        struct filter *filter = app->old_filters.items[i];
        if (app->work != NULL || filter == used)
            app->old_filters.items[kept++] = filter;
        else
            filter_free(filter);
    }
    app->old_filters.count = kept;
}
