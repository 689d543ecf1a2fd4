/* The pages that explain numbers: opening them, and going from their rows to the events that these are about. */
#include "acts.h"
#include "drill_view.h"

void act_quality(struct app *app, struct span argument)
{
    (void)argument;
    drill_view_open(app, DRILL_QUALITY, (struct drill_subject){.about = DRILL_OF_ALL});
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
