/* The view while a trace is being read. */
#include <stdio.h>

#include "keyavg/progress.h"
#include "rooms.h"

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL && slash[1] != '\0' ? slash + 1 : path;
}

/* One file's line and bar; of two files with its name. */
static int draw_file(const struct app *app, int side, struct grid *grid, struct area area, int row)
{
    const struct load_progress *progress = &app->progress[side];
    uint64_t done = atomic_load(&progress->loaded), total = atomic_load(&progress->total);
    int width = area.columns - 4;
    struct text line = {0};
    if (app->two.on) {
        text_add_string(&line, file_name(side == COMPARE_BASE ? app->path : app->two.path));
        text_add_string(&line, "  ");
    }
    progress_add_line(&line, done, total, atomic_load(&progress->text_bytes), (double)app->load_time * 1e-9);
    grid_text(grid, row++, area.column + 2, width, text_span(&line), UTF8_CUT_END, ROLE_TEXT);
    if (total > 0 && area.rows > 2)
        grid_bar(grid, row++, area.column + 2, width, (double)done / (double)total, ROLE_BAR);
    text_free(&line);
    return row;
}

static void draw(struct view *view, struct grid *grid, struct area area)
{
    struct app *app = view->app;
    int row = area.row + area.rows / 3, width = area.columns - 4;
    if (!app->reading) {
        grid_text(grid, row, area.column + 2, width, span_of("nothing was read; q quits"), UTF8_CUT_END, ROLE_DIM);
        return;
    }
    bool both = app->two.on && app->two.path != app->path;
    for (int s = 0; s < (both ? COMPARE_SIDES : 1); s++)
        row = draw_file(app, s, grid, area, row);
    if (area.rows > 4)
        grid_text(grid, row + 1, area.column + 2, width,
                  span_of("Esc stops reading and shows what has arrived; q quits"), UTF8_CUT_END, ROLE_DIM);
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
