/* The view while a trace is being read. */
#include <stdio.h>

#include "keyavg/progress.h"
#include "rooms.h"

static void draw(struct view *view, struct grid *grid, struct area area)
{
    struct app *app = view->app;
    uint64_t done = atomic_load(&app->loaded), total = atomic_load(&app->total), bytes = atomic_load(&app->text_bytes);
    struct text line = {0};
    if (!app->reading) {
        grid_text(grid, area.row + area.rows / 3, area.column + 2, area.columns - 4, span_of("nothing was read; q quits"),
                  UTF8_CUT_END, ROLE_DIM);
        return;
    }
    progress_add_line(&line, done, total, bytes, (double)app->load_time * 1e-9);
    int row = area.row + area.rows / 3, width = area.columns - 4;
    grid_text(grid, row, area.column + 2, width, text_span(&line), UTF8_CUT_END, ROLE_TEXT);
    if (total > 0 && area.rows > 2) {
        double share = (double)done / (double)total;
        grid_bar(grid, row + 1, area.column + 2, width, share, ROLE_BAR);
    }
    if (area.rows > 4)
        grid_text(grid, row + 3, area.column + 2, width,
                  span_of("Esc stops reading and shows what has arrived; q quits"), UTF8_CUT_END, ROLE_DIM);
    text_free(&line);
}

static const struct view_ops loading_ops = {
    .name = "loading",
    .context = CONTEXT_LOADING,
    .draw = draw,
};

void loading_open(struct app *app)
{
    view_push(app, &loading_ops, sizeof(struct view));
}

void loading_stop(struct app *app, struct span argument)
{
    (void)argument;
    if (app->outside.stop != NULL)
        app->outside.stop(app);
    app_say(app, "stopping");
}
