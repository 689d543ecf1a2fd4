/* One row of the table over ranks, rank by rank: below that table, and below the focus in one rank's trace. */
#include "keyavg/many.h"

enum { NAME_WIDTH = 12, NUMBER_WIDTH = 10 };

struct pane {
    struct app *app;
    const struct ranks *ranks;
    uint32_t row;
    int64_t most; /* of one rank */
    int width;    /* of a number */
    struct text cell, scratch;
};

int ranks_number_width(const struct app *app, int64_t amount)
{
    struct value value = value_integer(amount);
    struct text text = {0};
    column_add_text(measure_column(app->many->measure), &value, app->query.unit, &text);
    int width = (int)text.length > NUMBER_WIDTH ? (int)text.length : NUMBER_WIDTH;
    text_free(&text);
    return width;
}

static void draw_value(struct pane *pane, struct grid *grid, int line, int at, int width, enum measure measure,
                       int64_t amount, const char *behind, enum role role)
{
    struct value value = value_integer(amount);
    text_clear(&pane->cell);
    column_add_text(measure_column(measure), &value, pane->app->query.unit, &pane->cell);
    text_add_string(&pane->cell, behind);
    grid_right(grid, line, at, width, text_span(&pane->cell), role);
}

/* One rank: what it has of the row, beside what most have. */
static void draw_rank(struct pane *pane, struct grid *grid, int line, struct area area, uint32_t place, bool chosen)
{
    const struct ranks *ranks = pane->ranks;
    enum measure measure = pane->app->many->measure;
    size_t at = pane->row * ranks->roll.whole->sources.count + ranks->roll.in_order[place];
    enum role role = chosen ? ROLE_MENU_SELECTED : ROLE_TEXT;
    int after = area.column + NAME_WIDTH + 2 + pane->width;
    grid_blank(grid, line, area.column, area.columns, role);
    text_clear(&pane->cell);
    text_addf(&pane->cell, "rank %lld", (long long)rank_roll_source(&ranks->roll, place)->rank);
    grid_text(grid, line, area.column + 1, NAME_WIDTH, text_span(&pane->cell), UTF8_CUT_END, role);
    if (!ranks->has[at]) {
        grid_text(grid, line, area.column + NAME_WIDTH + 2, area.columns - NAME_WIDTH - 2, span_of("does not have it"),
                  UTF8_CUT_END, chosen ? role : ROLE_DIM);
        return;
    }
    int64_t own = ranks->by_source[measure][at], calls = ranks->by_source[MEASURE_CALLS][at];
    draw_value(pane, grid, line, after - pane->width, pane->width, measure, own, "", role);
    draw_value(pane, grid, line, after + 1, NUMBER_WIDTH + 4, MEASURE_CALLS, calls, calls == 1 ? " call" : " calls",
               role);
    int bar = after + NUMBER_WIDTH + 7, room = area.columns - (bar - area.column) - 1;
    if (room > 2 && pane->most > 0 && own > 0)
        grid_bar(grid, line, bar, room, (double)own / (double)pane->most, chosen ? role : ROLE_BAR);
}

void ranks_pane_draw(struct app *app, struct grid *grid, struct area area, const struct ranks_pane *asked)
{
    struct pane pane = {.app = app, .ranks = app->many->ranks, .row = asked->row};
    uint32_t count = (uint32_t)pane.ranks->roll.whole->sources.count, lines = area.rows > 0 ? (uint32_t)area.rows : 0;
    if (lines == 0)
        return;
    if (pane.ranks->by_source[app->many->measure] == NULL) {
        grid_text(grid, area.row, area.column + 1, area.columns - 1,
                  span_of("a summary of several ranks does not keep what single ranks have"), UTF8_CUT_END, ROLE_DIM);
        return;
    }
    struct value most;
    ranks_value(pane.ranks, asked->row, facet_column(measure_column(app->many->measure), FACET_MAX), &most,
                &pane.scratch);
    pane.most = most.kind == VALUE_INTEGER ? most.integer : 0;
    pane.width = ranks_number_width(app, pane.most);
    if (asked->chosen < *asked->top)
        *asked->top = asked->chosen;
    if (asked->chosen >= *asked->top + lines)
        *asked->top = asked->chosen - lines + 1;
    for (uint32_t i = 0; i < lines && *asked->top + i < count; i++)
        draw_rank(&pane, grid, area.row + (int)i, area, *asked->top + i, *asked->top + i == asked->chosen);
    text_free(&pane.cell);
    text_free(&pane.scratch);
}
