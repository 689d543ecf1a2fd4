/* Another table over ranks: made by a thread beside the one that is shown, which stays as it is meanwhile. */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "keyavg/many.h"

enum { SECOND = 1000000000 };

struct rank_work {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t ended;
    bool done;              /* under the lock */
    const struct many *many; /* files, store and options, which nobody changes meanwhile */
    struct ranks_query query;
    struct filter *filter;  /* the query's, owned */
    struct ranks *result;
    struct error error;
    struct text told;       /* the first line of what was left out */
    _Atomic bool stop;
    bool given_up;          /* by the user: what is shown stays */
    _Atomic uint64_t read, total;
    int64_t start;
    void (*wake)(void);
};

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * SECOND + time.tv_nsec;
}

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

static bool same_filter(const struct filter *a, const struct filter *b)
{
    struct text one = {0}, other = {0};
    if (a == NULL || b == NULL)
        return a == b;
    filter_add_text(a, true, &one);
    filter_add_text(b, true, &other);
    bool same = span_equal(text_span(&one), text_span(&other));
    text_free(&one);
    text_free(&other);
    return same;
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
           ((!on_events(a->filter) && !on_events(b->filter)) || same_filter(a->filter, b->filter));
}

/* Whether both show the same rows, whatever their order. */
static bool same_rows(const struct query *a, const struct query *b)
{
    return same_groups(a, b) && same_filter(a->filter, b->filter) && a->top_level_only == b->top_level_only &&
           !(a->hide_below < b->hide_below) && !(a->hide_below > b->hide_below) && a->percent_of == b->percent_of;
}

static struct filter *copy_filter(const struct filter *filter)
{
    struct text text = {0};
    if (filter == NULL)
        return NULL;
    filter_add_text(filter, true, &text);
    struct filter *copy = filter_parse(text_span(&text), NULL);
    text_free(&text);
    return copy;
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
    struct filter *filter = copy_filter(wanted->filter);
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

static void make(struct rank_work *work)
{
    const struct many *many = work->many;
    struct rank_reading reading = {.memory = many->options->memory, .threads = many->options->threads, .tell = tell,
                                   .context = work, .progress = progress, .progress_context = work,
                                   .store = many->store, .stop = &work->stop};
    work->result = ranks_build(&many->files, &reading, &work->query, &work->error);
}

static void *run(void *context)
{
    struct rank_work *work = context;
    make(work);
    pthread_mutex_lock(&work->lock);
    work->done = true;
    pthread_cond_signal(&work->ended);
    /* Once unlocked the other side may free all this. */
    void (*wake)(void) = work->wake;
    pthread_mutex_unlock(&work->lock);
    if (wake != NULL)
        wake();
    return NULL;
}

static struct rank_work *new_work(const struct app *app, void (*wake)(void))
{
    struct rank_work *work = memory_zero(1, sizeof *work);
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_mutex_init(&work->lock, NULL);
    pthread_cond_init(&work->ended, &attributes);
    pthread_condattr_destroy(&attributes);
    work->many = app->many;
    work->query = query_of(app);
    work->filter = copy_filter(work->query.query.filter);
    work->query.query.filter = work->filter;
    work->start = now();
    work->wake = wake;
    return work;
}

static void free_work(struct rank_work *work)
{
    pthread_mutex_destroy(&work->lock);
    pthread_cond_destroy(&work->ended);
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
    struct rank_work *work = many->work = new_work(app, wake);
    many->work_waits = false;
    many->again = false;
    /* Without a thread it is done here and now. */
    if (app->patience == 0 || pthread_create(&work->thread, NULL, run, work) != 0) {
        work->thread = pthread_self();
        work->wake = NULL;
        run(work);
    }
}

bool many_work_wait(struct app *app, int64_t ns)
{
    struct rank_work *work = app->many->work;
    int64_t end = now() + ns;
    struct timespec until = {.tv_sec = (time_t)(end / SECOND), .tv_nsec = (long)(end % SECOND)};
    int result = 0;
    pthread_mutex_lock(&work->lock);
    while (!work->done && result != ETIMEDOUT)
        result = pthread_cond_timedwait(&work->ended, &work->lock, &until);
    bool done = work->done;
    pthread_mutex_unlock(&work->lock);
    return done;
}

static struct rank_work *join(struct many *many)
{
    struct rank_work *work = many->work;
    if (!pthread_equal(work->thread, pthread_self()))
        pthread_join(work->thread, NULL);
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
    text_addf(out, "  %.1f s%s", (double)(now() - work->start) * 1e-9, work->given_up ? "" : "  Esc stops");
}
