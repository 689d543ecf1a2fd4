/* Another table over ranks: made by a thread beside the one that is shown, which stays as it is meanwhile. */
#include <stdatomic.h>
#include <stdlib.h>

#include "job.h"
#include "keyavg/many.h"

struct rank_work {
    struct job job;
    const struct many *many; /* files, store and options, which nobody changes meanwhile */
    struct ranks_query query;
    struct filter *filter;  /* the query's, owned */
    struct ranks *result;
    struct error error;
    struct text told;       /* the first line of what was left out */
    _Atomic bool stop;
    bool given_up;          /* by the user: what is shown stays */
    _Atomic uint64_t read, total;
};

/* -- Queries ------------------------------------------------------------------------------------------------------ */

/* What is asked of the ranks: what is asked of one trace, but for what the view keeps of its own. */
static struct ranks_query query_of(const struct app *app)
{
    struct ranks_query query = app->many->ranks->query;
    const struct column *sort = query.query.sort;
    bool ascending = query.query.ascending;
    query.query = app->query;
    query.query.sort = sort;
    query.query.ascending = ascending;
    query.query.row_limit = -1;
    return query;
}

static bool on_events(const struct filter *filter)
{
    return filter != NULL && filter_on_events(filter);
}

/* Whether both have the same groups: else files must be asked again. */
static bool same_groups(const struct query *a, const struct query *b)
{
    return a->grouping.parts == b->grouping.parts && a->grouping.python == b->grouping.python &&
           (!(a->grouping.parts & GROUP_STACK) || a->grouping.stack_depth == b->grouping.stack_depth) &&
           a->grouping.full_list_shapes == b->grouping.full_list_shapes && a->scope == b->scope &&
           a->no_device_annotations == b->no_device_annotations &&
           ((!on_events(a->filter) && !on_events(b->filter)) || filter_same(a->filter, b->filter));
}

/* Whether both show the same rows, whatever their order. */
static bool same_rows(const struct query *a, const struct query *b)
{
    return same_groups(a, b) && filter_same(a->filter, b->filter) && a->top_level_only == b->top_level_only &&
           !(a->hide_below < b->hide_below) && !(a->hide_below > b->hide_below) && a->percent_of == b->percent_of;
}

bool many_fits(const struct app *app)
{
    struct ranks_query wanted = query_of(app);
    return same_groups(&app->many->ranks->query.query, &wanted.query);
}

/* -- What is shown becomes another -------------------------------------------------------------------------------- */

/* The filter is the table's own from here on. */
static void use_filter(struct many *many, struct filter *filter)
{
    filter_free(many->filter);
    many->filter = filter;
    many->ranks->query.query.filter = filter;
}

static void arrange(struct app *app, const struct query *wanted)
{
    struct many *many = app->many;
    struct query *query = &many->ranks->query.query;
    struct filter *filter = filter_copy(wanted->filter);
    *query = *wanted;
    use_filter(many, filter);
    ranks_arrange(many->ranks);
    app_tell_views(app);
}

/* A file that can no longer be read has no place any more. */
static void find_places(struct app *app)
{
    struct many *many = app->many;
    uint32_t count = (uint32_t)many->ranks->roll.whole->sources.count;
    for (uint32_t i = 0; i < count; i++) {
        const char *path = many_path(many, i);
        if (path != NULL && app->path != NULL && strcmp(path, app->path) == 0)
            many->place = many->before = i;
    }
    many->place = many->place < count ? many->place : 0;
    many->before = many->before < count ? many->before : 0;
    many->next = 0;
}

static void take_query(struct app *app)
{
    const struct query *shown = &app->many->ranks->query.query;
    struct text filter = {0};
    struct error error = {0};
    app->query.grouping = shown->grouping;
    app->query.scope = shown->scope;
    app->query.top_level_only = shown->top_level_only;
    app->query.hide_below = shown->hide_below;
    app->query.percent_of = shown->percent_of;
    app->query.no_device_annotations = shown->no_device_annotations;
    if (shown->filter != NULL)
        filter_add_text(shown->filter, true, &filter);
    app_set_filter(app, text_span(&filter), &error);
    text_free(&filter);
}

/* -- The thread --------------------------------------------------------------------------------------------------- */

static void tell(void *context, const char *line)
{
    struct rank_work *work = context;
    if (work->told.length == 0)
        text_add_string(&work->told, line);
}

static bool progress(void *context, uint64_t done, uint64_t total, uint64_t text)
{
    struct rank_work *work = context;
    (void)text;
    atomic_store(&work->read, done);
    atomic_store(&work->total, total);
    return true;
}

static void make(void *context)
{
    struct rank_work *work = context;
    const struct many *many = work->many;
    struct rank_reading reading = {.memory = many->options->memory, .threads = many->options->threads, .tell = tell,
                                   .context = work, .progress = progress, .progress_context = work,
                                   .store = many->store, .stop = &work->stop};
    work->result = ranks_build(&many->files, &reading, &work->query, &work->error);
}

static struct rank_work *new_work(const struct app *app)
{
    struct rank_work *work = memory_zero(1, sizeof *work);
    work->many = app->many;
    work->query = query_of(app);
    work->filter = filter_copy(work->query.query.filter);
    work->query.query.filter = work->filter;
    return work;
}

static void free_work(struct rank_work *work)
{
    filter_free(work->filter);
    ranks_free(work->result);
    text_free(&work->told);
    free(work);
}

void many_work_start(struct app *app, void (*wake)(void))
{
    struct many *many = app->many;
    if (many->work != NULL || !many->work_waits)
        return;
    many->work = new_work(app);
    many->work_waits = false;
    many->again = false;
    job_start(&many->work->job, make, many->work, wake, app->patience > 0);
}

bool many_work_wait(struct app *app, int64_t ns)
{
    return job_wait(&app->many->work->job, ns);
}

static struct rank_work *join(struct many *many)
{
    struct rank_work *work = many->work;
    job_end(&work->job);
    many->work = NULL;
    return work;
}

void many_work_take(struct app *app)
{
    struct many *many = app->many;
    struct rank_work *work = join(many);
    /* What was asked for meanwhile makes the answer one to another question. */
    bool wanted = !work->given_up && !atomic_load(&work->stop);
    if (wanted && work->result != NULL) {
        ranks_free(many->ranks);
        many->ranks = work->result;
        work->result = NULL;
        use_filter(many, work->filter);
        work->filter = NULL;
        find_places(app);
        if (work->told.length > 0)
            app_complain(app, "%s", work->told.bytes);
        app_tell_views(app);
    } else if (wanted) {
        app_complain(app, "%s", work->error.text);
        take_query(app);
    }
    free_work(work);
    many_update(app);
}

void many_work_end(struct many *many)
{
    if (many->work == NULL)
        return;
    atomic_store(&many->work->stop, true);
    free_work(join(many));
}

bool many_give_up(struct app *app)
{
    struct many *many = app->many;
    bool any = many->work != NULL || many->work_waits;
    if (!any)
        return false;
    many->work_waits = false;
    many->again = false;
    if (many->work != NULL) {
        many->work->given_up = true;
        atomic_store(&many->work->stop, true);
    }
    take_query(app);
    return true;
}

/* -- Asking ------------------------------------------------------------------------------------------------------- */

void many_update(struct app *app)
{
    struct many *many = app->many;
    if (many == NULL)
        return;
    struct ranks_query wanted = query_of(app);
    const struct query *shown = &many->ranks->query.query;
    if (many->work != NULL) {
        /* One that is given up ends soon; then this is asked again. */
        if (!same_groups(&many->work->query.query, &wanted.query))
            atomic_store(&many->work->stop, true);
        return;
    }
    many->work_waits = false;
    if (!many->again && same_groups(shown, &wanted.query)) {
        many->ranks->query.query.unit = wanted.query.unit;
        if (!same_rows(shown, &wanted.query))
            arrange(app, &wanted.query);
        return;
    }
    if (!ranks_view_in_sight(app) && !ranks_from_store(&many->files, &wanted, many->store))
        return;
    many->work_waits = true;
    if (app->patience == 0) {
        many_work_start(app, NULL);
        many_work_take(app);
    }
}

void many_reload(struct app *app)
{
    app->many->again = true;
    many_update(app);
}

void many_add_work_line(const struct app *app, struct text *out)
{
    const struct rank_work *work = app->many != NULL ? app->many->work : NULL;
    if (work == NULL)
        return;
    uint64_t total = atomic_load(&work->total);
    text_addf(out, work->given_up ? "stopping: still at %zu files" : "reading %zu files again",
              app->many->files.list.count);
    if (total > 0)
        text_addf(out, "  %.0f %%", 100.0 * (double)atomic_load(&work->read) / (double)total);
    text_addf(out, "  %.1f s%s", (double)(job_now() - work->job.start) * 1e-9, work->given_up ? "" : "  Esc stops");
}
