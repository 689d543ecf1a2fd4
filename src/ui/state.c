/* How the explorer comes to a table, and to another one. */
#include <stdlib.h>

#include "keyavg/quality.h"
#include "keyavg/steps.h"
#include "drill_view.h"

void app_tell_damage(struct app *app)
{
    struct text line = {0};
    for (int s = 0; s < (app->compare != NULL ? COMPARE_SIDES : 1); s++) {
        const struct trace *trace = app->compare != NULL ? app->traces[s] : app->trace;
        if (trace == NULL || !notes_any(&trace->notes) || line.length > 0)
            continue;
        if (app->compare != NULL)
            text_add_string(&line, s == COMPARE_BASE ? "base: " : "new: ");
        notes_describe(&trace->notes, &line);
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
    table_need_whole(table);
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

static void move_marks(struct marks *marks, const struct trace *from, const struct trace *to)
{
    for (size_t i = 0; i < marks->groupings.count; i++) {
        struct marked_grouping *marked = &marks->groupings.items[i];
        size_t kept = 0;
        for (size_t j = 0; j < marked->events.count; j++) {
            uint32_t event = app_same_event(from, marked->events.items[j], to);
            if (event != NO_EVENT)
                marked->events.items[kept++] = event;
        }
        marked->events.count = kept;
    }
}

void app_take_verdict(struct app *app)
{
    struct text verdict = {0};
    for (int s = 0; s < (app->compare != NULL ? COMPARE_SIDES : 1) && verdict.length == 0; s++) {
        const struct tree *tree = app->compare != NULL ? app->compare->sides[s].table->tree : app->table->tree;
        const struct quality *quality = tree->quality;
        if (quality == NULL || quality->faults == 0)
            continue;
        if (app->compare != NULL)
            text_add_string(&verdict, s == COMPARE_BASE ? "base: " : "new: ");
        text_add_string(&verdict, quality->verdict);
    }
    free(app->verdict);
    app->verdict = verdict.length > 0 ? memory_copy_text(verdict.bytes, verdict.length) : NULL;
    text_free(&verdict);
}

void app_move_events(struct app *app, struct trace *const from[COMPARE_SIDES], struct trace *const to[COMPARE_SIDES])
{
    struct table_view *view = table_view_of(app);
    view->anchor = app_same_event(from[view->anchor_side], view->anchor, to[view->anchor_side]);
    for (int s = 0; s < COMPARE_SIDES; s++)
        move_marks(&view->marks[s], from[s], to[s]);
}

void app_set_table(struct app *app, struct table *table)
{
    struct table *old = app->table;
    struct trace *old_trace = app->trace;
    app->steps = steps_count(table->tree);
    if (old == NULL) {
        while (app->top != NULL)
            view_pop(app);
        app->table = table;
        app->trace = table->trace;
        app_take_verdict(app);
        table_view_open(app);
        return;
    }
    struct table_view *view = table_view_of(app);
    app_move_events(app, (struct trace *[]){old_trace, old_trace}, (struct trace *[]){table->trace, table->trace});
    /* While the table grows a cursor that was never moved stays at the top. */
    if (old_trace->partial && view->view.list.cursor == 0)
        view->anchor = NO_EVENT;
    app->table = table;
    app->trace = table->trace;
    app_take_verdict(app);
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

/* A filter out of the old ones; NULL when it is not there. */
static struct filter *take_old(struct app *app, const struct filter *filter)
{
    for (size_t i = 0; i < app->old_filters.count && filter != NULL; i++) {
        struct filter *found = app->old_filters.items[i];
        if (found != filter)
            continue;
        app->old_filters.items[i] = app->old_filters.items[--app->old_filters.count];
        return found;
    }
    return NULL;
}

void app_use_filter(struct app *app, const struct filter *filter)
{
    if (filter == app->filter)
        return;
    struct filter *before = app->filter;
    app->filter = take_old(app, filter);
    if (before != NULL)
        array_push(&app->old_filters, before);
    app->query.filter = app->filter;
    app_fit_side_filters(app);
}

void app_fit_side_filters(struct app *app)
{
    struct error error = {0};
    for (int s = 0; s < COMPARE_SIDES; s++) {
        const char *own = app->two.own[s], *of_shown = app->two.shown[s];
        struct filter *before = app->two.filters[s], *fits = NULL;
        const struct filter *shown = NULL;
        bool same = own != NULL && of_shown != NULL && strcmp(own, of_shown) == 0;
        if (app->compare != NULL && app->compare->query.query.filter == app->filter && same)
            shown = app->compare->query.filters[s];
        if (before != NULL && before == shown)
            continue;
        fits = take_old(app, shown);
        if (fits == NULL && own != NULL)
            fits = compare_side_filter(app->filter, span_of(own), &error);
        app->two.filters[s] = fits;
        if (before != NULL)
            array_push(&app->old_filters, before);
    }
}

/* The table compares its own with the next one; a thread may be at another. */
static bool is_used(const struct app *app, const struct filter *filter)
{
    const struct compare_query *compared = app->compare != NULL ? &app->compare->query : NULL;
    return app->work != NULL || (app->table != NULL && filter == app->table->query.filter) ||
           (compared != NULL && (filter == compared->query.filter || filter == compared->filters[COMPARE_BASE] ||
                                 filter == compared->filters[COMPARE_NEW]));
}

void app_free_filters(struct app *app)
{
    size_t kept = 0;
    for (size_t i = 0; i < app->old_filters.count; i++) {
        struct filter *filter = app->old_filters.items[i];
        if (is_used(app, filter))
            app->old_filters.items[kept++] = filter;
        else
            filter_free(filter);
    }
    app->old_filters.count = kept;
}
