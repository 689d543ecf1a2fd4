/* The pages that explain numbers: opening them, and going from their rows to the events that these are about. */
#include <stdlib.h>

#include "acts.h"
#include "drill_view.h"

void act_quality(struct app *app, struct span argument)
{
    (void)argument;
    drill_view_open(app, DRILL_QUALITY, (struct drill_subject){.about = DRILL_OF_ALL});
}

/* The column of the table that the cursor is on; NULL, with a complaint, where it is on none. */
static const struct column *column_here(struct app *app, struct span argument)
{
    const struct drill_view *view = drill_view_of(app);
    const struct column *column = argument.length > 0 ? column_find(argument)
                                  : view == NULL     ? table_columns_under_cursor(table_view_of(app))
                                  : view->column_cursor < view->drill->column_count
                                      ? view->drill->columns[view->column_cursor]
                                      : NULL;
    /* Of two traces a number of one of them is explained. */
    if (column != NULL && column->of != NULL)
        column = column->of;
    if (column == NULL)
        app_complain(app, "no column '%.*s'", (int)argument.length, argument.bytes);
    else if (column < columns || column >= columns + column_count) {
        app_complain(app, "the column %s is of views alone; its help is in :help and --list-columns", column->name);
        column = NULL;
    }
    return column;
}

void act_explain(struct app *app, struct span argument)
{
    const struct column *column = column_here(app, argument);
    uint32_t event = column != NULL ? act_event_here(app) : NO_EVENT;
    uint32_t row = event != NO_EVENT ? app->table->averages->row_of[tree_row_event(app->table->tree, event)] : NO_EVENT;
    bool in_drill = drill_view_of(app) != NULL;
    if (column == NULL)
        return;
    if (row == NO_EVENT) {
        app_complain(app, "what is explained are rows of the table; here is none");
        return;
    }
    struct drill_subject subject = {.about = DRILL_OF_KEY, .event = event};
    struct drill_view *view = drill_view_open(app, DRILL_EXPLAIN, subject);
    view->settings.explain = column;
    drill_view_rebuild(view);
    drill_view_go(view, 0);
    if (in_drill)
        app_say(app, "the number of the whole row of the table");
}

void page_open_next(struct drill_view *view, const struct drill_row *row)
{
    struct app *app = view->view.app;
    uint32_t count, *events = drill_events(view->drill, row->id, &count);
    if (count == 0) {
        app_complain(app, "this row is about no event");
    } else {
        view->turn = view->turn_of == row->id + 1 ? (view->turn + 1) % count : 0;
        view->turn_of = row->id + 1;
        act_open_event(app, events[view->turn]);
        if (count > 1)
            app_say(app, "event %u of %u; back and Enter goes to the next, c lists all", view->turn + 1, count);
    }
    free(events);
}
