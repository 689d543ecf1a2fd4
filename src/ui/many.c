#include "many.h"

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
    struct rank_reading reading = {.memory = options->memory, .threads = options->threads, .tell = tell,
                                   .context = &progress, .progress = progress_tell, .progress_context = &progress};
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
    ranks_free(many->ranks);
    rank_files_free(&many->files);
    free(many->wanted);
    free(many);
}

/* -- Going from rank to rank ------------------------------------------------------------------------------------- */

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
}

/* The row that was asked for, in its callers and callees. */
static void open_wanted(struct app *app)
{
    struct error error = {0};
    struct drill_settings wanted_settings;
    char *wanted = app->many->wanted;
    app->many->wanted = NULL;
    drill_settings_init(&wanted_settings);
    if (wanted != NULL && !drill_view_open_named(app, DRILL_FOCUS, wanted, &wanted_settings, &error))
        app_complain(app, "%s", error.text);
    free(wanted);
}

void many_arrived(struct app *app)
{
    struct text line = {0};
    app->many->before = app->many->place;
    many_add_rank(app->many, app->many->place, &line);
    app_say(app, "%s", line.bytes);
    text_free(&line);
    open_wanted(app);
}

void many_failed(struct app *app)
{
    struct many *many = app->many;
    many->place = many->before;
    app->path = many_path(many, many->place);
    free(many->wanted);
    many->wanted = NULL;
}

void many_go(struct app *app, uint32_t place, struct span name)
{
    struct many *many = app->many;
    const char *path = many_path(many, place);
    if (path == NULL) {
        app_complain(app, "a summary has no calls to look at; give the rank's trace");
        return;
    }
    if (app->reading || app->outside.reload == NULL) {
        app_complain(app, "another rank is being read");
        return;
    }
    free(many->wanted);
    many->wanted = name.length > 0 ? memory_copy_text(name.bytes, name.length) : NULL;
    if (place == many->place && app->table != NULL) {
        open_wanted(app);
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
    int64_t place = many->place, count = (int64_t)many->ranks->roll.whole->sources.count;
    if (ranks_view_choose(app, by))
        return;
    do
        place += by;
    while (place >= 0 && place < count && many_path(many, (uint32_t)place) == NULL);
    if (place < 0 || place >= count)
        app_complain(app, by < 0 ? "this is the first rank" : "this is the last rank");
    else
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
