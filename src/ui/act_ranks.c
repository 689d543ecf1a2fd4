/* What keys do in the table over ranks. */
#include <stdlib.h>

#include "acts.h"
#include "keyavg/writer.h"
#include "ranks_view.h"
#include "table_view.h"

static struct ranks *ranks_of(const struct ranks_view *view)
{
    return view->view.app->many->ranks;
}

void act_ranks(struct app *app, struct span argument)
{
    (void)argument;
    for (struct view *view = app->top; view != NULL; view = view->below)
        if (view->ops->context == CONTEXT_RANKS)
            while (app->top != view)
                view_pop(app);
    if (!ranks_view_on_top(app))
        ranks_view_open(app);
    /* What was grouped and chosen in a trace holds here, too. */
    many_update(app);
}

void act_open_rank(struct app *app, struct span argument)
{
    struct ranks_view *view = ranks_view_of(app);
    struct text key = {0};
    (void)argument;
    if (ranks_view_row(view) == UINT32_MAX)
        return;
    /* Its key would be one of the grouping before. */
    if (!many_fits(app)) {
        app_complain(app, "the table is being made anew; open a row of that one");
        return;
    }
    many_add_key(app->many, ranks_view_row(view), &key);
    many_go(app, view->chosen, text_span(&key));
    text_free(&key);
}

bool ranks_view_choose(struct app *app, int by)
{
    if (!ranks_view_on_top(app))
        return false;
    struct ranks_view *view = ranks_view_of(app);
    int64_t place = (int64_t)view->chosen + by;
    if (place >= 0 && place < (int64_t)ranks_of(view)->roll.whole->sources.count)
        view->chosen = (uint32_t)place;
    return true;
}

/* -- Sorting ----------------------------------------------------------------------------------------------------- */

/* The facets that can be sorted by: the line is none. */
static void shift_sort(struct app *app, int by)
{
    struct ranks_view *view = ranks_view_of(app);
    int at = 0;
    while (at < RANKS_FACETS && ranks_facets[at] != view->sort)
        at++;
    do
        at = (at + by + RANKS_FACETS) % RANKS_FACETS;
    while (ranks_facets[at] == FACET_LINE);
    view->sort = ranks_facets[at];
    ranks_view_arrange(view);
}

void act_ranks_sort_left(struct app *app, struct span argument)
{
    (void)argument;
    shift_sort(app, -1);
}

void act_ranks_sort_right(struct app *app, struct span argument)
{
    (void)argument;
    shift_sort(app, 1);
}

void act_ranks_reverse(struct app *app, struct span argument)
{
    struct ranks_view *view = ranks_view_of(app);
    (void)argument;
    view->ascending = !view->ascending;
    ranks_view_arrange(view);
}

void act_ranks_measure(struct app *app, struct span argument)
{
    struct many *many = app->many;
    bool device = (many->ranks->facts.has & SOURCE_DEVICE) != 0;
    (void)argument;
    do
        many->measure = (enum measure)((many->measure + 1) % MEASURE_MEMORY);
    while (!device && (many->measure == MEASURE_DEVICE || many->measure == MEASURE_SELF_DEVICE));
    ranks_view_arrange(ranks_view_of(app));
}

/* -- Taking along ------------------------------------------------------------------------------------------------ */

bool ranks_view_write(struct app *app, const struct writer *writer, struct sink *sink)
{
    const struct ranks *ranks = app->many->ranks;
    struct writer_options options;
    unsigned count;
    const struct column **list = ranks_columns(ranks, NULL, 0, false, &count);
    writer_options_init(&options);
    options.ascii = app->looks.ascii;
    struct sheet sheet = ranks_sheet(ranks, list, count);
    bool done = writer->write_sheet(&sheet, &options, sink);
    free(list);
    return done;
}

void ranks_view_add_row(struct app *app, struct text *out)
{
    struct ranks_view *view = ranks_view_of(app);
    uint32_t row = ranks_view_row(view);
    unsigned count;
    const struct column **list = ranks_columns(ranks_of(view), NULL, 0, false, &count);
    for (unsigned i = 0; i < count && row != UINT32_MAX; i++) {
        if (i > 0)
            text_add_char(out, '\t');
        utf8_add_clean(out, ranks_view_cell(view, row, list[i]), app->looks.ascii);
    }
    free(list);
}

/* -- Searching --------------------------------------------------------------------------------------------------- */

/* To the first row from `from` on whose name holds the word, round the end once. */
static bool search_from(struct ranks_view *view, uint32_t from, int by)
{
    uint32_t count = view->view.list.count, at = count > 0 ? from % count : 0;
    for (uint32_t i = 0; i < count && view->search.length > 0; i++, at = (at + count + (uint32_t)by) % count) {
        struct span name = ranks_view_cell(view, ranks_of(view)->order[at], ranks_view_label(view));
        if (search_find(name, text_span(&view->search)) == SIZE_MAX)
            continue;
        view->view.list.cursor = at;
        list_fit(&view->view.list);
        ranks_view_moved(&view->view);
        return true;
    }
    return false;
}

static void search_changed(struct app *app, struct span text)
{
    struct ranks_view *view = ranks_view_of(app);
    text_clear(&view->search);
    text_add_span(&view->search, text);
    if (text.length > 0 && !search_from(view, app->search_start, 1))
        app_complain(app, "'%s' is in no name", view->search.bytes);
}

static void search_done(struct app *app, struct span text, bool accepted)
{
    struct ranks_view *view = ranks_view_of(app);
    search_changed(app, accepted ? text : (struct span){"", 0});
    if (accepted)
        return;
    view->view.list.cursor = app->search_start;
    ranks_view_moved(&view->view);
}

static const struct prompt_kind search_prompt = {
    .label = "/", .changed = search_changed, .done = search_done, .history = HISTORY_SEARCH};

void act_ranks_search(struct app *app, struct span argument)
{
    app->search_start = app->top->list.cursor;
    if (argument.length > 0)
        search_done(app, argument, true);
    else
        prompt_open(app, &search_prompt, (struct span){"", 0});
}

static void search_again(struct app *app, int by)
{
    struct ranks_view *view = ranks_view_of(app);
    uint32_t count = view->view.list.count;
    if (view->search.length == 0)
        app_complain(app, "nothing was searched for yet");
    else if (count == 0 || !search_from(view, (view->view.list.cursor + count + (uint32_t)by) % count, by))
        app_complain(app, "'%s' is in no name", view->search.bytes);
}

void act_ranks_search_next(struct app *app, struct span argument)
{
    (void)argument;
    search_again(app, 1);
}

void act_ranks_search_previous(struct app *app, struct span argument)
{
    (void)argument;
    search_again(app, -1);
}
