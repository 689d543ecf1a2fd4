/* Updates that take long: a thread makes the new table beside the one that is shown. While it does, nobody else looks
 * at table and trace: the screen keeps what was drawn, keys that need the table wait, Esc gives up. */
#include "keyavg/work.h"

#include <stdlib.h>

#include "acts.h"
#include "job.h"
#include "keyavg/drill.h"
#include "keyavg/many.h"

/* Keys typed ahead beyond this many are dropped. */
enum { KEYS_KEPT = 200 };

struct work {
    struct job job;
    const struct table *shown;
    const struct compare *compared; /* NULL with one trace */
    struct compare_query query;
    struct table *result;
    struct compare *changes;
    bool given_up;
};

static void make_table(void *context)
{
    struct work *work = context;
    if (work->compared != NULL) {
        work->changes = compare_beside(work->compared, &work->query);
        for (int s = 0; s < COMPARE_SIDES; s++)
            drill_prepare(work->changes->sides[s].table);
    } else {
        work->result = table_beside(work->shown, &work->query.query);
        drill_prepare(work->result);
    }
}

void work_start(struct app *app, void (*wake)(void))
{
    struct work *work = memory_zero(1, sizeof *work);
    work->shown = app->table;
    work->compared = app->compare;
    work->query = app_compare_query(app);
    app->update_waits = false;
    app->work = work;
    job_start(&work->job, make_table, work, wake, true);
}

bool work_wait(struct app *app, int64_t ns)
{
    return job_wait(&app->work->job, ns);
}

/* What a thread has made; one of the two. */
struct made {
    struct table *table;
    struct compare *compare;
};

/* Ends the thread's part; what it has made is the caller's. */
static struct made end(struct app *app, bool *given_up)
{
    struct work *work = app->work;
    job_end(&work->job);
    struct made result = {work->result, work->changes};
    *given_up = work->given_up;
    free(work);
    app->work = NULL;
    return result;
}

/* What is shown and what was made, one is dropped. */
static void choose_table(struct app *app, struct table *result, bool old)
{
    if (old) {
        table_give_up(result, app->table);
    } else {
        table_give_up(app->table, result);
        app->table = result;
    }
}

static void choose_compare(struct app *app, struct compare *result, bool old)
{
    if (old) {
        compare_give_up(result, app->compare);
    } else {
        compare_give_up(app->compare, result);
        app_use_compare(app, result);
    }
}

void work_take(struct app *app)
{
    bool given_up;
    struct made result = end(app, &given_up);
    struct compare_query query = app_compare_query(app);
    /* What was asked for meanwhile may be what is on the screen. */
    bool shown = app->compare != NULL ? compare_shows(app->compare, &query) : table_shows(app->table, &app->query);
    bool old = given_up || (app->update_waits && shown);
    if (app->compare != NULL)
        choose_compare(app, result.compare, old);
    else
        choose_table(app, result.table, old);
    app_tell_views(app);
    if (app->update_waits)
        app_update(app);
    app_free_filters(app);
    if (app->many != NULL)
        many_open_wanted(app);
    size_t taken = 0;
    while (taken < app->kept_keys.count && !app->update_waits && !app->quit)
        app_key(app, &app->kept_keys.items[taken++]);
    app->kept_keys.count -= taken;
    for (size_t i = 0; i < app->kept_keys.count; i++)
        app->kept_keys.items[i] = app->kept_keys.items[i + taken];
}

void work_give_up(struct app *app)
{
    if (app->compare != NULL)
        app_take_compare_query(app, &app->compare->query);
    else
        app->query = app->table->query;
    app_use_filter(app, app->query.filter);
    app_fit_side_filters(app);
    app->update_waits = false;
    app->kept_keys.count = 0;
    if (app->work != NULL)
        app->work->given_up = true;
}

void work_end(struct app *app)
{
    bool given_up;
    if (app->work == NULL)
        return;
    work_wait(app, -1);
    struct made result = end(app, &given_up);
    if (app->compare != NULL)
        choose_compare(app, result.compare, true);
    else
        choose_table(app, result.table, true);
}

/* Actions that need nothing of the table. */
static bool may_run(const struct app *app, const struct action *action)
{
    return (action->traits & ACTION_MEANWHILE) != 0 || action->run == act_quit || action->run == act_redraw ||
           action->run == act_suspend || (action->run == act_back && app->top->below == NULL);
}

bool work_takes_key(struct app *app, const struct key *key)
{
    if (app->work == NULL && !app->update_waits)
        return false;
    if (app->prompt.kind != NULL) {
        if (app->prompt.kind->meanwhile)
            return false;
    } else {
        const struct action *action = bindings_find(&app->bindings, key->code, view_context(app->top));
        if (action != NULL && action->run == act_escape) {
            work_give_up(app);
            app_say(app, "stopped; the table is as it was");
            return true;
        }
        if (action != NULL && app->kept_keys.count == 0 && may_run(app, action))
            return false;
    }
    if (app->kept_keys.count < KEYS_KEPT)
        array_push(&app->kept_keys, *key);
    return true;
}

void work_add_line(const struct app *app, struct text *out)
{
    const struct work *work = app->work;
    text_add_string(out, work->given_up ? "stopping: still at " : "working on ");
    uint64_t events = app->trace->events.count;
    for (int s = 0; s < COMPARE_SIDES && app->compare != NULL; s++)
        events += s != app->side ? app->traces[s]->events.count : 0;
    title_add_number(out, events);
    text_addf(out, " events  %.1f s", (double)(job_now() - work->job.start) * 1e-9);
    if (!work->given_up)
        text_add_string(out, "  Esc stops");
    if (app->kept_keys.count > 0)
        text_addf(out, "  %zu key%s wait%s", app->kept_keys.count, app->kept_keys.count == 1 ? "" : "s",
                  app->kept_keys.count == 1 ? "s" : "");
}
