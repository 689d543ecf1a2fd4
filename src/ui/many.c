#include "keyavg/many.h"

#include <stdio.h>
#include <stdlib.h>

#include "acts.h"
#include "drill_view.h"
#include "keyavg/progress.h"

/* -- Reading ----------------------------------------------------------------------------------------------------- */

static void tell(void *context, const char *line)
{
    progress_end(context);
    fprintf(stderr, "keyavg: %s\n", line);
}

static bool is_summary(const struct many *many, const char *path)
{
    for (size_t i = 0; i < many->files.list.count; i++)
        if (many->files.list.items[i].path == path)
            return many->files.list.items[i].summary;
    return false;
}

const char *many_path(const struct many *many, uint32_t place)
{
    const struct rank_roll *roll = &many->ranks->roll;
    const char *path = roll->paths.items[roll->in_order[place]];
    return is_summary(many, path) ? NULL : path;
}

struct many *many_read(const struct options *options, struct error *error)
{
    struct progress progress;
    struct many *many = memory_zero(1, sizeof *many);
    many->options = options;
    many->store = rank_store_new(options->memory / 4);
    struct rank_reading reading = {.memory = options->memory, .threads = options->threads, .tell = tell,
                                   .context = &progress, .progress = progress_tell, .progress_context = &progress,
                                   .store = many->store};
    struct ranks_query query = {.query = options->query, .main_sort = !options->sort_given,
                                .lines = (1u << MEASURE_MEMORY) - 1};
    query.query.row_limit = -1;
    progress_start(&progress);
    if (rank_files_find(&many->files, options->paths, options->path_count, NULL, &reading, error))
        many->ranks = ranks_build(&many->files, &reading, &query, error);
    progress_end(&progress);
    if (many->ranks == NULL) {
        many_free(many);
        return NULL;
    }
    rank_roll_tell(&many->ranks->roll, tell, &progress);
    for (uint32_t i = (uint32_t)many->ranks->roll.whole->sources.count; i-- > 0;) {
        if (many_path(many, i) == NULL)
            continue;
        many->any_trace = true;
        many->place = many->before = i;
    }
    return many;
}

void many_free(struct many *many)
{
    if (many == NULL)
        return;
    many_work_end(many);
    ranks_free(many->ranks);
    filter_free(many->filter);
    rank_store_free(many->store);
    rank_files_free(&many->files);
    text_free(&many->wanted);
    text_free(&many->drilled);
    many_forget_rows(many);
    free(many);
}

/* -- Starting ---------------------------------------------------------------------------------------------------- */

void many_add_rank(const struct many *many, uint32_t place, struct text *out)
{
    const struct rank_roll *roll = &many->ranks->roll;
    text_addf(out, "rank %lld (%lu of %zu)", (long long)rank_roll_source(roll, place)->rank, (unsigned long)place + 1,
              roll->whole->sources.count);
}

bool many_start(struct app *app, struct many *many)
{
    const struct column *sort = app->query.sort;
    const char *path = many_path(many, many->place);
    app->many = many;
    app->path = path != NULL ? path : many->files.list.items[0].path;
    /* One trace has no facets. */
    if (sort != NULL && sort->need == NEED_RANKS)
        app->query.sort = sort->of;
    return many->any_trace;
}

void many_show(struct app *app)
{
    if (!app->many->any_trace)
        while (app->top != NULL)
            view_pop(app);
    ranks_view_open(app);
    /* A configuration may group and choose otherwise than the command line, with which the files were read. */
    many_update(app);
}

/* -- Going from rank to rank ------------------------------------------------------------------------------------- */

void many_open_wanted(struct app *app)
{
    struct many *many = app->many;
    if (many->wanted.length == 0 || app->table == NULL || app->reading || app->work != NULL || app->update_waits)
        return;
    uint32_t row = many_find_row(app, text_span(&many->wanted));
    if (row == UINT32_MAX) {
        struct text rank = {0};
        many_add_rank(many, many->place, &rank);
        app_complain(app, "the row is not in the trace of %s", rank.bytes);
        text_free(&rank);
    } else {
        struct drill_subject subject = {.about = DRILL_OF_KEY, .event = app->table->averages->rows[row].first};
        drill_view_open(app, DRILL_FOCUS, subject);
    }
    text_clear(&many->wanted);
}

/* The one that was asked for while this one was read. */
static void go_on(struct app *app)
{
    struct many *many = app->many;
    struct text wanted = many->wanted;
    uint32_t next = many->next;
    many->next = 0;
    if (next == 0) {
        /* Drills move by name; threads and streams have other names in each trace. */
        if (many->wanted.length == 0 && many->drilled.length > 0 && drill_view_of(app) == NULL)
            text_add_span(&many->wanted, text_span(&many->drilled));
        text_clear(&many->drilled);
        many_open_wanted(app);
        return;
    }
    many->wanted = (struct text){0};
    many_go(app, next - 1, text_span(&wanted));
    text_free(&wanted);
}

void many_arrived(struct app *app)
{
    struct text line = {0};
    app->many->before = app->many->place;
    many_add_rank(app->many, app->many->place, &line);
    app_say(app, "%s", line.bytes);
    text_free(&line);
    go_on(app);
}

void many_failed(struct app *app)
{
    struct many *many = app->many;
    many->place = many->before;
    app->path = many_path(many, many->place);
    if (many->next == 0)
        text_clear(&many->wanted);
    go_on(app);
}

void many_go(struct app *app, uint32_t place, struct span key)
{
    struct many *many = app->many;
    const char *path = many_path(many, place);
    if (path == NULL) {
        app_complain(app, "a summary has no calls to look at; give the rank's trace");
        return;
    }
    if (app->outside.reload == NULL) {
        app_complain(app, "no other trace can be read here");
        return;
    }
    text_clear(&many->wanted);
    text_add_span(&many->wanted, key);
    if (app->reading) {
        many->next = place == many->place ? 0 : place + 1;
        return;
    }
    if (place == many->place && app->table != NULL) {
        many_open_wanted(app);
        return;
    }
    many->place = place;
    app->path = path;
    app->outside.reload(app);
}

/* Summaries between traces are passed over. */
static void step(struct app *app, int by)
{
    struct many *many = app->many;
    int64_t place = many->next != 0 ? many->next - 1 : many->place;
    int64_t count = (int64_t)many->ranks->roll.whole->sources.count;
    if (ranks_view_choose(app, by))
        return;
    do
        place += by;
    while (place >= 0 && place < count && many_path(many, (uint32_t)place) == NULL);
    if (place < 0 || place >= count) {
        app_complain(app, by < 0 ? "this is the first rank" : "this is the last rank");
        return;
    }
    const struct drill_view *drill = drill_view_of(app);
    uint32_t event = drill != NULL ? drill_view_subject(drill) : NO_EVENT;
    if (event != NO_EVENT && !app->reading) {
        text_clear(&many->drilled);
        many_add_key_of(app, event, &many->drilled);
    }
    many_go(app, (uint32_t)place, (struct span){"", 0});
}

void act_previous_rank(struct app *app, struct span argument)
{
    (void)argument;
    step(app, -1);
}

void act_next_rank(struct app *app, struct span argument)
{
    (void)argument;
    step(app, 1);
}
