/* The table over all ranks, and below it the row under the cursor rank by rank. */
#include "ranks_view.h"

#include "acts.h"
#include "keyavg/grouping.h"
#include "table_view.h"

enum { RANK_WIDTH = 6, LEAST_NAME = 12, LEAST_LINE = 7, PART_WIDTH = 20, GAP = 1 };

const enum facet ranks_facets[RANKS_FACETS] = {FACET_SUM, FACET_SPREAD, FACET_WORST, FACET_LINE, FACET_MEAN, FACET_MIN,
                                               FACET_MAX};

static const struct view_ops ranks_view_ops;

struct ranks_view *ranks_view_of(const struct app *app)
{
    return (struct ranks_view *)(void *)app->top;
}

static struct ranks *ranks_of(const struct ranks_view *view)
{
    return view->view.app->many->ranks;
}

uint32_t ranks_view_row(const struct ranks_view *view)
{
    const struct ranks *ranks = ranks_of(view);
    return view->view.list.cursor < ranks->count ? ranks->order[view->view.list.cursor] : UINT32_MAX;
}

const struct column *ranks_view_facet(const struct ranks_view *view, enum facet facet)
{
    return facet_column(measure_column(view->view.app->many->measure), facet);
}

const struct column *ranks_view_label(const struct ranks_view *view)
{
    return column_find(span_of(grouping_first(&ranks_of(view)->query.query.grouping)->column));
}

struct span ranks_view_cell(struct ranks_view *view, uint32_t row, const struct column *column)
{
    struct value value;
    ranks_value(ranks_of(view), row, column, &value, &view->scratch);
    text_clear(&view->cell);
    column_add_text(column, &value, view->view.app->query.unit, &view->cell);
    return text_span(&view->cell);
}

/* -- Rows -------------------------------------------------------------------------------------------------------- */

/* The rank that stands out in the row is the one that is looked at first. */
static void choose_worst(struct ranks_view *view)
{
    const struct rank_roll *roll = &ranks_of(view)->roll;
    uint32_t row = ranks_view_row(view);
    struct value worst;
    if (row == UINT32_MAX)
        return;
    ranks_value(ranks_of(view), row, ranks_view_facet(view, FACET_WORST), &worst, &view->scratch);
    for (uint32_t i = 0; i < roll->whole->sources.count && worst.kind == VALUE_INTEGER; i++) {
        if (rank_roll_source(roll, i)->rank != worst.integer)
            continue;
        view->chosen = i;
        return;
    }
}

void ranks_view_moved(struct view *base)
{
    struct ranks_view *view = (struct ranks_view *)(void *)base;
    uint32_t row = ranks_view_row(view);
    text_clear(&view->anchor);
    if (row != UINT32_MAX)
        text_add_span(&view->anchor, ranks_view_cell(view, row, ranks_view_label(view)));
    choose_worst(view);
}

void ranks_view_arrange(struct ranks_view *view)
{
    struct ranks *ranks = ranks_of(view);
    uint32_t row = ranks_view_row(view);
    ranks->query.query.sort = ranks_view_facet(view, view->sort);
    ranks->query.query.ascending = view->ascending;
    ranks->query.main_sort = false;
    ranks_arrange(ranks);
    view->view.list.count = ranks->count;
    for (uint32_t i = 0; i < ranks->count; i++)
        if (ranks->order[i] == row)
            view->view.list.cursor = i;
    list_fit(&view->view.list);
    ranks_view_moved(&view->view);
}

/* The table is another one: the cursor goes to the first row of the same name. */
static void changed(struct view *base)
{
    struct ranks_view *view = (struct ranks_view *)(void *)base;
    struct ranks *ranks = ranks_of(view);
    struct list *list = &base->list;
    struct text anchor = {0};
    text_add_span(&anchor, text_span(&view->anchor));
    ranks_view_arrange(view);
    bool found = list->cursor < list->count && span_equal(text_span(&anchor), text_span(&view->anchor));
    for (uint32_t i = 0; i < ranks->count && !found; i++) {
        if (!span_equal(ranks_view_cell(view, ranks->order[i], ranks_view_label(view)), text_span(&anchor)))
            continue;
        list->cursor = i;
        found = true;
    }
    text_free(&anchor);
    list_fit(list);
    ranks_view_moved(base);
    uint32_t ranks_there = (uint32_t)ranks->roll.whole->sources.count;
    view->chosen = view->chosen < ranks_there ? view->chosen : 0;
}

/* -- Drawing ----------------------------------------------------------------------------------------------------- */

/* As wide as the largest sum, which no other number of the row is above. */
static int number_width(const struct ranks_view *view)
{
    const struct ranks *ranks = ranks_of(view);
    int64_t most = 0;
    for (uint32_t i = 0; i < ranks->count; i++) {
        int64_t sum = ranks->groups.items[ranks->order[i]].sums[view->view.app->many->measure];
        most = sum > most ? sum : most;
    }
    return ranks_number_width(view->view.app, most);
}

/* The sum bears the measure's name, and a mark where it is sorted by. */
static int sum_width(const struct ranks_view *view)
{
    struct text title = {0};
    column_add_title_of(measure_column(view->view.app->many->measure), facts_device_name(&ranks_of(view)->facts),
                        &title);
    int width = (int)title.length + 1;
    text_free(&title);
    return width > view->number_width ? width : view->number_width;
}

static int width_of(const struct ranks_view *view, enum facet facet)
{
    size_t ranks = ranks_of(view)->roll.whole->sources.count;
    if (facet == FACET_LINE)
        return ranks_of(view)->by_source[view->view.app->many->measure] == NULL ? 0
               : ranks < LEAST_LINE                                             ? LEAST_LINE
               : ranks < 32                                                     ? (int)ranks
                                                                                : 32;
    return facet == FACET_WORST ? RANK_WIDTH : facet == FACET_SUM ? sum_width(view) : view->number_width;
}

/* The columns of the key behind the first one; returns how many there are. */
static int key_parts(const struct ranks_view *view, const struct column *parts[GROUPING_PARTS])
{
    const struct grouping *grouping = &ranks_of(view)->query.query.grouping;
    const struct grouping_part *first = grouping_first(grouping);
    int count = 0;
    for (int i = 0; i < GROUPING_PARTS; i++)
        if (grouping->parts & grouping_parts[i].part && &grouping_parts[i] != first)
            parts[count++] = column_find(span_of(grouping_parts[i].column));
    return count;
}

/* What stands where: the key's first column takes what the others leave. */
struct places {
    const struct column *parts[GROUPING_PARTS];
    int part_count, facet_count, name;
};

static struct places place(struct ranks_view *view, int width)
{
    struct places places = {0};
    view->number_width = number_width(view);
    int left = width - LEAST_NAME - 2, used = 0;
    places.part_count = key_parts(view, places.parts);
    while (places.part_count > 0 && places.part_count * (PART_WIDTH + GAP) > left - view->number_width - GAP)
        places.part_count--;
    left -= places.part_count * (PART_WIDTH + GAP);
    while (places.facet_count < RANKS_FACETS) {
        int facet = width_of(view, ranks_facets[places.facet_count]);
        int wanted = facet > 0 ? facet + GAP : 0;
        if (used + wanted > left)
            break;
        used += wanted;
        places.facet_count++;
    }
    places.name = LEAST_NAME + left - used;
    return places;
}

static void add_facet_title(struct ranks_view *view, int i)
{
    bool ascii = view->view.app->looks.ascii;
    text_clear(&view->cell);
    if (i == 0)
        column_add_title_of(measure_column(view->view.app->many->measure), facts_device_name(&ranks_of(view)->facts),
                            &view->cell);
    else
        text_add_string(&view->cell,
                        ranks_facets[i] == FACET_WORST ? "worst" : facet_entries[ranks_facets[i]].title);
    if (view->sort == ranks_facets[i])
        text_add_string(&view->cell, ascii ? (view->ascending ? "^" : "v") : (view->ascending ? "\u25B2" : "\u25BC"));
}

static void draw_titles(struct ranks_view *view, struct grid *grid, int row, struct area area,
                        const struct places *places)
{
    int at = area.column + places->name + 2;
    grid_blank(grid, row, area.column, area.columns, ROLE_HEADER);
    text_clear(&view->cell);
    column_add_title_of(ranks_view_label(view), NULL, &view->cell);
    grid_text(grid, row, area.column + 1, places->name, text_span(&view->cell), UTF8_CUT_END, ROLE_HEADER);
    for (int i = 0; i < places->part_count; i++, at += PART_WIDTH + GAP) {
        text_clear(&view->cell);
        column_add_title_of(places->parts[i], NULL, &view->cell);
        grid_text(grid, row, at, PART_WIDTH, text_span(&view->cell), UTF8_CUT_END, ROLE_HEADER);
    }
    view->key_ends = at;
    view->drawn = places->facet_count;
    for (int i = 0; i < places->facet_count; i++) {
        int width = width_of(view, ranks_facets[i]);
        add_facet_title(view, i);
        if (width > 0)
            grid_right(grid, row, at, width, text_span(&view->cell),
                       view->sort == ranks_facets[i] ? ROLE_HEADER_SORTED : ROLE_HEADER);
        at += width > 0 ? width + GAP : 0;
        view->ends[i] = at;
    }
}

static void draw_row(struct ranks_view *view, struct grid *grid, int line, struct area area, uint32_t row,
                     const struct places *places, bool cursor)
{
    struct value differ;
    enum role role = cursor ? ROLE_CURSOR : ROLE_TEXT;
    int at = area.column + places->name + 2;
    grid_blank(grid, line, area.column, area.columns, role);
    ranks_value(ranks_of(view), row, column_find(span_of("calls_differ")), &differ, &view->scratch);
    if (differ.kind == VALUE_INTEGER && differ.integer != 0)
        grid_string(grid, line, area.column, "!", cursor ? role : ROLE_STATUS_ERROR);
    grid_text(grid, line, area.column + 1, places->name, ranks_view_cell(view, row, ranks_view_label(view)),
              UTF8_CUT_MIDDLE, role);
    for (int i = 0; i < places->part_count; i++, at += PART_WIDTH + GAP)
        grid_text(grid, line, at, PART_WIDTH, ranks_view_cell(view, row, places->parts[i]), UTF8_CUT_MIDDLE, role);
    for (int i = 0; i < places->facet_count; i++) {
        int width = width_of(view, ranks_facets[i]);
        if (width > 0)
            grid_right(grid, line, at, width, ranks_view_cell(view, row, ranks_view_facet(view, ranks_facets[i])),
                       role);
        at += width > 0 ? width + GAP : 0;
    }
}

static void draw(struct view *base, struct grid *grid, struct area area)
{
    struct ranks_view *view = (struct ranks_view *)(void *)base;
    struct list *list = &base->list;
    struct places places = place(view, area.columns);
    uint32_t row = ranks_view_row(view);
    int ranks = (int)ranks_of(view)->roll.whole->sources.count;
    if (area.rows >= 3) {
        crumbs_draw(base->app, grid, area.row++);
        area.rows--;
    }
    int pane = area.rows < 8 || row == UINT32_MAX ? 0 : ranks + 1 < area.rows / 3 ? ranks + 1 : area.rows / 3;
    view->header_row = area.row;
    view->first_row = area.row + 1;
    draw_titles(view, grid, area.row, area, &places);
    list->height = area.rows - 1 - pane;
    list->count = ranks_of(view)->count;
    list_fit(list);
    for (int i = 0; i < list->height && list->top + (uint32_t)i < list->count; i++) {
        uint32_t at = list->top + (uint32_t)i;
        draw_row(view, grid, view->first_row + i, area, ranks_of(view)->order[at], &places, at == list->cursor);
    }
    if (pane > 1) {
        struct ranks_pane below = {.row = row, .chosen = view->chosen, .top = &view->pane_top};
        struct area lines = {area.row + area.rows - pane + 1, area.column, pane - 1, area.columns};
        grid_line(grid, lines.row - 1, area.column, area.columns, ROLE_PANE_BORDER);
        ranks_pane_draw(base->app, grid, lines, &below);
    }
}

static void status(struct view *base, struct text *out)
{
    const struct ranks_view *view = (const struct ranks_view *)(const void *)base;
    const struct ranks *ranks = ranks_of(view);
    const struct query *query = &ranks->query.query;
    if (ranks->count == 0) {
        text_add_string(out, "no rows");
        if (ranks->hidden > 0)
            text_addf(out, ": %u hidden", ranks->hidden);
        else if (query->filter != NULL || query->scope != SCOPE_ALL)
            text_add_string(out, " pass the filter; Esc takes back");
        return;
    }
    text_addf(out, "row %lu of %lu", (unsigned long)base->list.cursor + 1, (unsigned long)ranks->count);
    if (ranks->hidden > 0)
        text_addf(out, "  %u hidden", ranks->hidden);
    text_addf(out, "   %zu ranks", ranks->roll.whole->sources.count);
    if (many_path(base->app->many, view->chosen) == NULL)
        return;
    text_add_string(out, "   Enter opens ");
    many_add_rank(base->app->many, view->chosen, out);
}

/* -- Mouse ------------------------------------------------------------------------------------------------------- */

static void click_title(struct ranks_view *view, int column)
{
    for (int i = 0; i < view->drawn && column >= view->key_ends; i++) {
        if (column >= view->ends[i] - GAP || ranks_facets[i] == FACET_LINE)
            continue;
        view->ascending = view->sort == ranks_facets[i] && !view->ascending;
        view->sort = ranks_facets[i];
        ranks_view_arrange(view);
        return;
    }
}

static void click(struct view *base, int row, int column)
{
    struct ranks_view *view = (struct ranks_view *)(void *)base;
    uint32_t at = base->list.top + (uint32_t)(row - view->first_row);
    if (row == view->header_row - 1) {
        crumbs_click(base->app, column);
        return;
    }
    if (row == view->header_row) {
        click_title(view, column);
        return;
    }
    if (row < view->first_row || row - view->first_row >= base->list.height || at >= base->list.count)
        return;
    if (at == base->list.cursor) {
        act_open_rank(base->app, (struct span){"", 0});
        return;
    }
    base->list.cursor = at;
    ranks_view_moved(base);
}

static void escape(struct view *base)
{
    if (!many_give_up(base->app) && !crumbs_remove_last(base->app) && base->below != NULL)
        view_pop(base->app);
}

/* -- Opening it -------------------------------------------------------------------------------------------------- */

static void release(struct view *base)
{
    struct ranks_view *view = (struct ranks_view *)(void *)base;
    text_free(&view->anchor);
    text_free(&view->search);
    text_free(&view->cell);
    text_free(&view->scratch);
}

static const struct view_ops ranks_view_ops = {
    .name = "ranks",
    .context = CONTEXT_RANKS,
    .ground = true,
    .draw = draw,
    .status = status,
    .moved = ranks_view_moved,
    .click = click,
    .escape = escape,
    .changed = changed,
    .free = release,
};

void ranks_view_open(struct app *app)
{
    struct ranks_view *view = view_push(app, &ranks_view_ops, sizeof *view);
    struct many *many = app->many;
    const struct ranks_query *query = &many->ranks->query;
    const struct column *sort = query->main_sort ? NULL : query->query.sort;
    const struct column *of = sort != NULL && sort->of != NULL ? sort->of : sort;
    bool is_measure = of != NULL && column_measure(of) >= 0 && query->lines >> column_measure(of) & 1;
    many->measure = (enum measure)column_measure(is_measure ? of : ranks_main_column(many->ranks));
    view->sort = is_measure && sort->facet >= FACET_SUM ? (enum facet)sort->facet : FACET_SUM;
    view->ascending = is_measure && query->query.ascending;
    view->view.list.cursor = UINT32_MAX;
    ranks_view_arrange(view);
    view->view.list.cursor = 0;
    ranks_view_moved(&view->view);
}

bool ranks_view_on_top(const struct app *app)
{
    return app->top != NULL && app->top->ops == &ranks_view_ops;
}

bool ranks_view_in_sight(const struct app *app)
{
    const struct view *view = app->top;
    while (view != NULL && view->ops->overlay)
        view = view->below;
    return view != NULL && view->ops == &ranks_view_ops;
}

const struct column *ranks_view_sort(const struct app *app, bool *ascending)
{
    const struct ranks_view *view = ranks_view_of(app);
    *ascending = view->ascending;
    return ranks_view_facet(view, view->sort);
}
