/* The table over all ranks, and below it the row under the cursor rank by rank. */
#include <stdlib.h>

#include "acts.h"
#include "many.h"
#include "table_view.h"

enum { NUMBER_WIDTH = 10, RANK_WIDTH = 6, LEAST_NAME = 12, LEAST_LINE = 7, GAP = 1 };

/* What the columns show, in their order behind Name, as far as there is room. */
static const enum facet facets[] = {FACET_SUM, FACET_SPREAD, FACET_WORST, FACET_LINE, FACET_MEAN, FACET_MIN, FACET_MAX};
enum { FACETS = sizeof facets / sizeof *facets };

struct ranks_view {
    struct view view;
    enum measure measure;
    enum facet sort;
    bool ascending;
    uint32_t *order;
    uint32_t chosen;   /* place of the rank that Enter opens */
    uint32_t pane_top;
    struct text search;
    struct text cell, scratch;
};

static struct ranks_view *view_of(const struct app *app)
{
    return (struct ranks_view *)app->top;
}

static struct ranks *ranks_of(const struct ranks_view *view)
{
    return view->view.app->many->ranks;
}

static uint32_t row_of(const struct ranks_view *view)
{
    return view->view.list.cursor < view->view.list.count ? view->order[view->view.list.cursor] : UINT32_MAX;
}

static const struct column *facet_of(const struct ranks_view *view, enum facet facet)
{
    return facet_column(measure_column(view->measure), facet);
}

static struct span cell(struct ranks_view *view, uint32_t row, const struct column *column)
{
    struct value value;
    ranks_value(ranks_of(view), row, column, &value, &view->scratch);
    text_clear(&view->cell);
    column_add_text(column, &value, view->view.app->query.unit, &view->cell);
    return text_span(&view->cell);
}

/* -- Rows -------------------------------------------------------------------------------------------------------- */

static void cell_of_row(const void *context, uint32_t row, const struct column *column, struct value *out,
                        struct text *scratch)
{
    ranks_value(context, row, column, out, scratch);
}

/* The rank that stands out in the row is the one that is looked at first. */
static void choose_worst(struct ranks_view *view)
{
    const struct rank_roll *roll = &ranks_of(view)->roll;
    struct value worst;
    if (row_of(view) == UINT32_MAX)
        return;
    ranks_value(ranks_of(view), row_of(view), facet_of(view, FACET_WORST), &worst, &view->scratch);
    for (uint32_t i = 0; i < roll->whole->sources.count && worst.kind == VALUE_INTEGER; i++) {
        if (rank_roll_source(roll, i)->rank != worst.integer)
            continue;
        view->chosen = i;
        return;
    }
}

static void sort_rows(struct ranks_view *view)
{
    struct ranks *ranks = ranks_of(view);
    uint32_t row = row_of(view);
    memcpy(view->order, ranks->order, ranks->count * sizeof *view->order);
    cells_sort(cell_of_row, ranks, facet_of(view, view->sort), view->ascending, false, view->order, ranks->count);
    for (uint32_t i = 0; i < ranks->count; i++)
        if (view->order[i] == row)
            view->view.list.cursor = i;
    list_fit(&view->view.list);
    choose_worst(view);
}

/* -- Drawing ----------------------------------------------------------------------------------------------------- */

static int width_of(const struct ranks_view *view, enum facet facet)
{
    size_t ranks = ranks_of(view)->roll.whole->sources.count;
    if (facet == FACET_LINE)
        return ranks_of(view)->by_source[view->measure] == NULL ? 0
               : ranks < LEAST_LINE                             ? LEAST_LINE
               : ranks < 32                                     ? (int)ranks
                                                                : 32;
    return facet == FACET_WORST ? RANK_WIDTH : NUMBER_WIDTH;
}

/* How many of the facets have room beside a name that can be told. */
static int count_fitting(const struct ranks_view *view, int width)
{
    int left = width - LEAST_NAME - 2, count = 0;
    while (count < FACETS) {
        int wanted = width_of(view, facets[count]) + GAP;
        if (wanted > left)
            break;
        left -= wanted;
        count++;
    }
    return count;
}

static void draw_titles(struct ranks_view *view, struct grid *grid, struct area area, int name, int fitting)
{
    int at = area.column + name + 2;
    grid_blank(grid, area.row, area.column, area.columns, ROLE_HEADER);
    grid_text(grid, area.row, area.column + 1, name, span_of("Name"), UTF8_CUT_END, ROLE_HEADER);
    for (int i = 0; i < fitting; i++) {
        int width = width_of(view, facets[i]);
        text_clear(&view->cell);
        if (i == 0)
            column_add_title_of(measure_column(view->measure), facts_device_name(&ranks_of(view)->facts), &view->cell);
        else
            text_add_string(&view->cell, facets[i] == FACET_WORST ? "worst" : facet_entries[facets[i]].title);
        if (view->sort == facets[i])
            text_add_string(&view->cell, view->view.app->looks.ascii ? (view->ascending ? "^" : "v")
                                                                      : (view->ascending ? "\u25B2" : "\u25BC"));
        if (width > 0)
            grid_right(grid, area.row, at, width, text_span(&view->cell),
                       view->sort == facets[i] ? ROLE_HEADER_SORTED : ROLE_HEADER);
        at += width > 0 ? width + GAP : 0;
    }
}

static void draw_row(struct ranks_view *view, struct grid *grid, int line, struct area area, uint32_t row, int name,
                     int fitting, bool cursor)
{
    struct value differ;
    enum role role = cursor ? ROLE_CURSOR : ROLE_TEXT;
    int at = area.column + name + 2;
    grid_blank(grid, line, area.column, area.columns, role);
    ranks_value(ranks_of(view), row, column_find(span_of("calls_differ")), &differ, &view->scratch);
    if (differ.kind == VALUE_INTEGER && differ.integer != 0)
        grid_string(grid, line, area.column, "!", cursor ? role : ROLE_STATUS_ERROR);
    grid_text(grid, line, area.column + 1, name, cell(view, row, column_find(span_of("key"))), UTF8_CUT_MIDDLE, role);
    for (int i = 0; i < fitting; i++) {
        int width = width_of(view, facets[i]);
        if (width > 0)
            grid_right(grid, line, at, width, cell(view, row, facet_of(view, facets[i])), role);
        at += width > 0 ? width + GAP : 0;
    }
}

/* One rank: what it has of the row, beside what most have. */
static void draw_rank(struct ranks_view *view, struct grid *grid, int line, struct area area, uint32_t place,
                      uint32_t row)
{
    const struct ranks *ranks = ranks_of(view);
    size_t sources = ranks->roll.whole->sources.count, at = row * sources + ranks->roll.in_order[place];
    bool chosen = place == view->chosen;
    enum role role = chosen ? ROLE_MENU_SELECTED : ROLE_TEXT;
    struct value most, own = value_integer(ranks->by_source[view->measure][at]);
    struct value calls = value_integer(ranks->by_source[MEASURE_CALLS][at]);
    ranks_value(ranks, row, facet_of(view, FACET_MAX), &most, &view->scratch);
    grid_blank(grid, line, area.column, area.columns, role);
    text_clear(&view->cell);
    text_addf(&view->cell, "rank %lld", (long long)rank_roll_source(&ranks->roll, place)->rank);
    grid_text(grid, line, area.column + 1, LEAST_NAME, text_span(&view->cell), UTF8_CUT_END, role);
    if (!ranks->has[at]) {
        grid_text(grid, line, area.column + LEAST_NAME + 2, area.columns - LEAST_NAME - 2, span_of("does not have it"),
                  UTF8_CUT_END, chosen ? role : ROLE_DIM);
        return;
    }
    text_clear(&view->cell);
    column_add_text(measure_column(view->measure), &own, view->view.app->query.unit, &view->cell);
    grid_right(grid, line, area.column + LEAST_NAME + 2, NUMBER_WIDTH, text_span(&view->cell), role);
    text_clear(&view->cell);
    column_add_text(measure_column(MEASURE_CALLS), &calls, view->view.app->query.unit, &view->cell);
    text_add_string(&view->cell, calls.integer == 1 ? " call" : " calls");
    grid_right(grid, line, area.column + LEAST_NAME + NUMBER_WIDTH + 3, NUMBER_WIDTH + 4, text_span(&view->cell), role);
    int bar = area.column + LEAST_NAME + 2 * NUMBER_WIDTH + 9, room = area.columns - (bar - area.column) - 1;
    if (room > 2 && most.kind == VALUE_INTEGER && most.integer > 0 && own.integer > 0)
        grid_bar(grid, line, bar, room, (double)own.integer / (double)most.integer, chosen ? role : ROLE_BAR);
}

static void draw_pane(struct ranks_view *view, struct grid *grid, struct area area)
{
    const struct ranks *ranks = ranks_of(view);
    uint32_t row = row_of(view), count = (uint32_t)ranks->roll.whole->sources.count;
    uint32_t lines = (uint32_t)area.rows - 1;
    grid_line(grid, area.row, area.column, area.columns, ROLE_PANE_BORDER);
    if (row == UINT32_MAX)
        return;
    if (ranks->by_source[view->measure] == NULL) {
        grid_text(grid, area.row + 1, area.column + 1, area.columns - 1,
                  span_of("a summary of several ranks does not keep what single ranks have"), UTF8_CUT_END, ROLE_DIM);
        return;
    }
    if (view->chosen < view->pane_top)
        view->pane_top = view->chosen;
    if (view->chosen >= view->pane_top + lines)
        view->pane_top = view->chosen - lines + 1;
    for (uint32_t i = 0; i < lines && view->pane_top + i < count; i++)
        draw_rank(view, grid, area.row + 1 + (int)i, area, view->pane_top + i, row);
}

static void draw(struct view *base, struct grid *grid, struct area area)
{
    struct ranks_view *view = (struct ranks_view *)base;
    struct list *list = &base->list;
    int ranks = (int)ranks_of(view)->roll.whole->sources.count;
    int pane = area.rows < 8 ? 0 : ranks + 1 < area.rows / 3 ? ranks + 1 : area.rows / 3;
    int fitting = count_fitting(view, area.columns), used = 0;
    for (int i = 0; i < fitting; i++)
        used += width_of(view, facets[i]) > 0 ? width_of(view, facets[i]) + GAP : 0;
    int name = area.columns - 2 - used;
    draw_titles(view, grid, area, name, fitting);
    list->height = area.rows - 1 - pane;
    list_fit(list);
    for (int i = 0; i < list->height && list->top + (uint32_t)i < list->count; i++) {
        uint32_t place = list->top + (uint32_t)i;
        draw_row(view, grid, area.row + 1 + i, area, view->order[place], name, fitting, place == list->cursor);
    }
    if (pane > 1)
        draw_pane(view, grid, (struct area){area.row + area.rows - pane, area.column, pane, area.columns});
}

static void status(struct view *base, struct text *out)
{
    const struct ranks_view *view = (const struct ranks_view *)base;
    const struct ranks *ranks = ranks_of(view);
    if (base->list.count == 0) {
        text_add_string(out, "no rows");
        return;
    }
    text_addf(out, "row %lu of %lu   %zu ranks", (unsigned long)base->list.cursor + 1, (unsigned long)base->list.count,
              ranks->roll.whole->sources.count);
    if (many_path(base->app->many, view->chosen) == NULL)
        return;
    text_add_string(out, "   Enter opens ");
    many_add_rank(base->app->many, view->chosen, out);
}

static void moved(struct view *base)
{
    choose_worst((struct ranks_view *)base);
}

static void click(struct view *base, int row, int column)
{
    uint32_t place = base->list.top + (uint32_t)(row - 2);
    (void)column;
    /* The title line is row 0, that of the columns row 1. */
    if (row < 2 || row - 2 >= base->list.height || place >= base->list.count)
        return;
    if (place == base->list.cursor)
        act_open_rank(base->app, (struct span){"", 0});
    else
        base->list.cursor = place;
    if (base->app->top == base)
        choose_worst((struct ranks_view *)base);
}

static void release(struct view *base)
{
    struct ranks_view *view = (struct ranks_view *)base;
    free(view->order);
    text_free(&view->search);
    text_free(&view->cell);
    text_free(&view->scratch);
}

static const struct view_ops ranks_view_ops = {
    .name = "ranks",
    .context = CONTEXT_RANKS,
    .draw = draw,
    .status = status,
    .moved = moved,
    .click = click,
    .free = release,
};

void ranks_view_open(struct app *app)
{
    struct ranks_view *view = view_push(app, &ranks_view_ops, sizeof *view);
    struct ranks *ranks = app->many->ranks;
    const struct column *sort = ranks->query.main_sort ? NULL : ranks->query.query.sort;
    const struct column *of = sort != NULL && sort->of != NULL ? sort->of : sort;
    bool is_measure = of != NULL && column_measure(of) >= 0 && ranks->query.lines >> column_measure(of) & 1;
    view->measure = (enum measure)column_measure(is_measure ? of : ranks_main_column(ranks));
    view->sort = is_measure && sort->facet >= FACET_SUM ? (enum facet)sort->facet : FACET_SUM;
    view->ascending = is_measure && ranks->query.query.ascending;
    view->order = memory_alloc(((size_t)ranks->count + 1) * sizeof *view->order);
    view->view.list.count = ranks->count;
    sort_rows(view);
    view->view.list.cursor = 0;
    choose_worst(view);
}

/* -- Actions ----------------------------------------------------------------------------------------------------- */

void act_ranks(struct app *app, struct span argument)
{
    (void)argument;
    struct view *view = app->top;
    while (view != NULL && view->ops != &ranks_view_ops)
        view = view->below;
    while (view != NULL && app->top != view)
        view_pop(app);
    if (view == NULL)
        ranks_view_open(app);
}

void act_open_rank(struct app *app, struct span argument)
{
    struct ranks_view *view = view_of(app);
    struct text name = {0};
    (void)argument;
    if (row_of(view) == UINT32_MAX)
        return;
    text_add_span(&name, cell(view, row_of(view), column_find(span_of("key"))));
    many_go(app, view->chosen, text_span(&name));
    text_free(&name);
}

bool ranks_view_choose(struct app *app, int by)
{
    struct ranks_view *view = view_of(app);
    if (app->top->ops != &ranks_view_ops)
        return false;
    int64_t place = (int64_t)view->chosen + by;
    if (place >= 0 && place < (int64_t)ranks_of(view)->roll.whole->sources.count)
        view->chosen = (uint32_t)place;
    return true;
}

/* The facets that can be sorted by: the line is none. */
static void shift_sort(struct app *app, int by)
{
    struct ranks_view *view = view_of(app);
    int at = 0;
    while (at < FACETS && facets[at] != view->sort)
        at++;
    do
        at = (at + by + FACETS) % FACETS;
    while (facets[at] == FACET_LINE);
    view->sort = facets[at];
    sort_rows(view);
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
    (void)argument;
    view_of(app)->ascending = !view_of(app)->ascending;
    sort_rows(view_of(app));
}

void act_ranks_measure(struct app *app, struct span argument)
{
    struct ranks_view *view = view_of(app);
    bool device = (ranks_of(view)->facts.has & SOURCE_DEVICE) != 0;
    (void)argument;
    do
        view->measure = (enum measure)((view->measure + 1) % MEASURE_MEMORY);
    while (!device && (view->measure == MEASURE_DEVICE || view->measure == MEASURE_SELF_DEVICE));
    sort_rows(view);
}

/* -- Searching --------------------------------------------------------------------------------------------------- */

/* To the first row from `from` on whose name holds the word, round the end once. */
static bool search_from(struct ranks_view *view, uint32_t from, int by)
{
    uint32_t count = view->view.list.count, at = count > 0 ? from % count : 0;
    for (uint32_t i = 0; i < count && view->search.length > 0; i++, at = (at + count + (uint32_t)by) % count) {
        struct span name = cell(view, view->order[at], column_find(span_of("key")));
        if (search_find(name, text_span(&view->search)) == SIZE_MAX)
            continue;
        view->view.list.cursor = at;
        list_fit(&view->view.list);
        choose_worst(view);
        return true;
    }
    return false;
}

static void search_changed(struct app *app, struct span text)
{
    struct ranks_view *view = view_of(app);
    text_clear(&view->search);
    text_add_span(&view->search, text);
    if (text.length > 0 && !search_from(view, app->search_start, 1))
        app_complain(app, "'%s' is in no name", view->search.bytes);
}

static void search_done(struct app *app, struct span text, bool accepted)
{
    struct ranks_view *view = view_of(app);
    search_changed(app, accepted ? text : (struct span){"", 0});
    if (accepted)
        return;
    view->view.list.cursor = app->search_start;
    choose_worst(view);
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
    struct ranks_view *view = view_of(app);
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
