/* Drawing the focus: callers, the row, callees, kernels, each in a pane of its own. */
#include "drill_view.h"
#include "keyavg/many.h"

struct pane {
    uint32_t first, count; /* in the drill's rows */
    int height;            /* rows on the screen, without its title */
};

/* Gives the panes what room there is: each what it needs, the row in the middle always its line. */
static void share_out(struct pane panes[FOCUS_PARTS], int room)
{
    static const int order[] = {FOCUS_CALLERS, FOCUS_CALLEES, FOCUS_KERNELS};
    int left = room;
    bool more = true;
    while (left > 0 && more) {
        more = false;
        for (size_t i = 0; i < 3 && left > 0; i++) {
            struct pane *pane = &panes[order[i]];
            if ((uint32_t)pane->height >= pane->count)
                continue;
            pane->height++;
            left--;
            more = true;
        }
    }
}

/* A pane's rows, its cursor in sight. */
static void draw_pane(struct drill_view *view, struct grid *grid, int row, enum focus_part part,
                      const struct pane *pane, int wide)
{
    uint32_t cursor = view->view.list.cursor, height = (uint32_t)pane->height;
    uint32_t *top = &view->tops[part];
    if (cursor >= pane->first && cursor < pane->first + pane->count && height > 0) {
        uint32_t at = cursor - pane->first;
        *top = *top > at ? at : at - *top >= height ? at - height + 1 : *top;
    }
    uint32_t last = pane->count > height ? pane->count - height : 0;
    *top = *top > last ? last : *top;
    view->first_rows[part] = row;
    view->heights[part] = pane->height;
    for (uint32_t i = 0; i < height && *top + i < pane->count; i++)
        drill_draw_row(view, grid, row + (int)i, pane->first + *top + i, wide);
}

static int draw_title(struct drill_view *view, struct grid *grid, int row, enum focus_part part,
                      const struct pane *pane, int wide)
{
    text_clear(&view->scratch);
    text_add_string(&view->scratch, focus_part_names[part]);
    if ((uint32_t)pane->height < pane->count)
        text_addf(&view->scratch, " (%u)", pane->count);
    struct text title = {0};
    text_add_span(&title, text_span(&view->scratch));
    drill_draw_header(view, grid, row, title.bytes, wide);
    text_free(&title);
    return row + 1;
}

/* In the trace of one of many ranks: the row rank by rank, below all else. Returns how many lines it takes. */
static int draw_ranks(struct drill_view *view, struct grid *grid, struct area area)
{
    enum { LEAST_ROWS = 12 };
    struct app *app = view->view.app;
    uint32_t event = drill_view_subject(view);
    if (app->many == NULL || event == NO_EVENT || area.rows < LEAST_ROWS)
        return 0;
    int count = (int)app->many->ranks->roll.whole->sources.count, rows = count < area.rows / 4 ? count : area.rows / 4;
    bool fits = many_fits(app);
    struct ranks_pane pane = {.row = fits ? many_find(app, event) : UINT32_MAX, .chosen = app->many->place,
                              .top = &view->ranks_top};
    rows = pane.row == UINT32_MAX ? 1 : rows;
    struct area lines = {area.row + area.rows - rows, area.column, rows, area.columns};
    text_clear(&view->scratch);
    text_add_string(&view->scratch, "ranks  ");
    column_add_title_of(measure_column(app->many->measure), facts_device_name(&app->many->ranks->facts), &view->scratch);
    grid_blank(grid, lines.row - 1, area.column, area.columns, ROLE_HEADER);
    grid_text(grid, lines.row - 1, area.column + 1, area.columns - 1, text_span(&view->scratch), UTF8_CUT_END,
              ROLE_HEADER);
    if (pane.row == UINT32_MAX)
        grid_text(grid, lines.row, area.column + 1, area.columns - 1,
                  span_of(fits ? "no row of the table over ranks is this one" : "A groups the table over ranks like this"),
                  UTF8_CUT_END, ROLE_DIM);
    else
        ranks_pane_draw(app, grid, lines, &pane);
    return rows + 1;
}

void drill_focus_draw(struct drill_view *view, struct grid *grid, struct area area)
{
    area.rows -= draw_ranks(view, grid, area);
    struct pane panes[FOCUS_PARTS] = {0};
    struct list *list = &view->view.list;
    list->count = (uint32_t)view->drill->rows.count;
    list->height = area.rows / 3;
    if (list->cursor >= list->count)
        list->cursor = list->count > 0 ? list->count - 1 : 0;
    for (int part = 0; part < FOCUS_PARTS; part++)
        drill_view_part(view, (enum focus_part)part, &panes[part].first, &panes[part].count);
    panes[FOCUS_ROW].height = 1;
    drill_columns_place(view, area.columns);
    /* On small screens the lines go first, then the titles. */
    bool kernels = panes[FOCUS_KERNELS].count > 0;
    int titles = area.rows >= 7 ? 2 + kernels : area.rows >= 5 ? 1 : 0, lines = area.rows >= 10 ? 2 : 0;
    share_out(panes, area.rows - 1 - titles - lines);
    int row = area.row;
    view->header_row = -1;
    for (int part = 0; part < FOCUS_PARTS; part++) {
        view->first_rows[part] = row;
        view->heights[part] = 0;
        if (part == FOCUS_KERNELS && !kernels)
            break;
        bool titled = part == FOCUS_CALLERS ? titles > 0 : part != FOCUS_ROW && titles > 1;
        if (titled && part == FOCUS_CALLERS)
            view->header_row = row;
        if (titled)
            row = draw_title(view, grid, row, (enum focus_part)part, &panes[part], area.columns);
        if (part == FOCUS_ROW && lines > 0)
            grid_line(grid, row++, 0, area.columns, ROLE_PANE_BORDER);
        draw_pane(view, grid, row, (enum focus_part)part, &panes[part], area.columns);
        row += panes[part].height;
        if (part == FOCUS_ROW && lines > 0)
            grid_line(grid, row++, 0, area.columns, ROLE_PANE_BORDER);
    }
}
