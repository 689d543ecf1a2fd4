/* Two traces in the explorer: what is asked for, and how it comes to a comparison. */
#include <stdlib.h>

#include "drill_view.h"
#include "keyavg/quality.h"
#include "keyavg/steps.h"
#include "keyavg/work.h"

static char *copy_of(const char *text)
{
    return text != NULL ? memory_copy_text(text, strlen(text)) : NULL;
}

void app_init_two(struct app *app, const char *path, const struct compare_query *query,
                  const char *const own[COMPARE_SIDES])
{
    app->two = (struct two){.on = true, .path = path, .main_sort = query->main_sort, .per_step = query->per_step,
                            .unchanged = query->unchanged};
    for (int s = 0; s < COMPARE_SIDES; s++)
        app->two.own[s] = copy_of(own[s]);
    app_fit_side_filters(app);
}

bool app_set_side_filter(struct app *app, int side, struct span expression, struct error *error)
{
    struct filter *filter = filter_parse(expression, error);
    if (filter == NULL)
        return false;
    bool empty = !filter_on_events(filter) && !filter_on_rows(filter);
    filter_free(filter);
    free(app->two.own[side]);
    app->two.own[side] = empty ? NULL : memory_copy_text(expression.bytes, expression.length);
    app_fit_side_filters(app);
    return true;
}

/* What is asked for is shown now, or what is shown is asked for again. */
static void copy_texts(char *to[COMPARE_SIDES], char *const from[COMPARE_SIDES])
{
    for (int s = 0; s < COMPARE_SIDES; s++) {
        free(to[s]);
        to[s] = copy_of(from[s]);
    }
}

void app_side_filters_shown(struct app *app)
{
    copy_texts(app->two.shown, app->two.own);
}

struct compare_query app_compare_query(const struct app *app)
{
    return (struct compare_query){.query = app->query,
                                  .filters = {app->two.filters[COMPARE_BASE], app->two.filters[COMPARE_NEW]},
                                  .main_sort = app->two.main_sort,
                                  .per_step = app->two.per_step,
                                  .unchanged = app->two.unchanged};
}

void app_take_compare_query(struct app *app, const struct compare_query *query)
{
    app->query = query->query;
    app->two.main_sort = query->main_sort;
    app->two.per_step = query->per_step;
    app->two.unchanged = query->unchanged;
    copy_texts(app->two.own, app->two.shown);
}

struct compare *app_build_compare(struct trace *const traces[COMPARE_SIDES], const struct compare_query *query)
{
    struct compare *compare = compare_build(traces[COMPARE_BASE], traces[COMPARE_NEW], query);
    for (int s = 0; s < COMPARE_SIDES; s++)
        if (!traces[s]->partial)
            tree_quality(compare->sides[s].table->tree);
    return compare;
}

void app_use_side(struct app *app, int side)
{
    if (app->compare == NULL)
        return;
    app->side = side;
    app->table = app->compare->sides[side].table;
    app->trace = app->compare->sides[side].trace;
}

void app_use_compare(struct app *app, struct compare *compare)
{
    uint32_t steps = 0;
    app->compare = compare;
    app_side_filters_shown(app);
    app_use_side(app, app->side);
    for (int s = 0; s < COMPARE_SIDES; s++) {
        uint32_t own = steps_count(compare->sides[s].table->tree);
        steps = own > steps ? own : steps;
    }
    app->steps = steps;
}

void app_set_compare(struct app *app, struct compare *compare)
{
    struct compare *old = app->compare;
    struct trace *old_traces[COMPARE_SIDES] = {app->traces[COMPARE_BASE], app->traces[COMPARE_NEW]};
    for (int s = 0; s < COMPARE_SIDES; s++)
        app->traces[s] = compare->sides[s].trace;
    if (old == NULL) {
        while (app->top != NULL)
            view_pop(app);
        app->side = COMPARE_NEW;
        app_use_compare(app, compare);
        app_take_verdict(app);
        table_view_open(app);
        return;
    }
    drill_views_close(app);
    app_move_events(app, old_traces, app->traces);
    app_use_compare(app, compare);
    app_take_verdict(app);
    compare_free(old);
    compare_free_traces(old_traces);
    app_update(app);
    if (app->update_waits)
        app_tell_views(app);
}

void app_free_two(struct app *app)
{
    for (int s = 0; s < COMPARE_SIDES; s++) {
        filter_free(app->two.filters[s]);
        free(app->two.own[s]);
        free(app->two.shown[s]);
    }
    if (app->compare == NULL)
        return;
    compare_free(app->compare);
    compare_free_traces(app->traces);
    app->compare = NULL;
    app->table = NULL;
    app->trace = NULL;
}
