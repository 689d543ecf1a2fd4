/* Of two traces a drill stands beside the same drill of the other one: one of them is on the stack of views and has the
 * cursor, the other, its twin, goes along. */
#include <stdio.h>
#include <stdlib.h>

#include "acts.h"
#include "drill_view.h"
#include "keyavg/names.h"

/* -- What is the same on the other side ---------------------------------------------------------------------------- */

/* A call of the other side's row that has as many before it; the last one where there are fewer; NO_EVENT: no such
 * row. */
static uint32_t same_call(const struct app *app, int side, uint32_t event)
{
    const struct compare_side *from = &app->compare->sides[side], *to = &app->compare->sides[1 - side];
    uint32_t row = from->table->averages->row_of[tree_row_event(from->table->tree, event)];
    if (row == NO_EVENT)
        return NO_EVENT;
    const struct compare_row *of = &app->compare->rows[compare_find_row(app->compare, side, row)];
    if (of->group[1 - side] == NO_ROW)
        return NO_EVENT;
    struct averages *averages = from->table->averages, *others = to->table->averages;
    uint32_t other = to->row_of[of->group[1 - side]];
    averages_need_calls(averages);
    averages_need_calls(others);
    uint32_t count = averages->call_first[row + 1] - averages->call_first[row];
    uint32_t other_count = others->call_first[other + 1] - others->call_first[other];
    uint32_t place = array_place(averages->calls + averages->call_first[row], count, event);
    place = place < other_count ? place : other_count - 1;
    return others->calls[others->call_first[other] + place];
}

/* What is in no row of the table, such as a python frame, is found by its name. */
static uint32_t same_name(struct app *app, int side, uint32_t event)
{
    const struct trace *trace = app->compare->sides[side].trace;
    struct drill_subject found;
    struct error error;
    if (!drill_subject_find(drill_source_of(app, 1 - side), strings_get(&trace->strings, event_key(trace, event)),
                            &found, &error))
        return NO_EVENT;
    uint32_t other = found.about == DRILL_OF_KEY ? found.event : found.count > 0 ? found.events[0] : NO_EVENT;
    drill_subject_free(&found);
    return other;
}

static uint32_t same_event(struct app *app, int side, uint32_t event)
{
    if (event == NO_EVENT)
        return NO_EVENT;
    const struct table *table = app->compare->sides[side].table;
    bool in_row = table->averages->row_of[tree_row_event(table->tree, event)] != NO_EVENT;
    return in_row ? same_call(app, side, event) : same_name(app, side, event);
}

/* The twin's row that is the same as one of the view, its number in `rows`; false where there is none. */
static bool find_row(const struct drill_view *view, uint32_t *place)
{
    struct app *app = view->view.app;
    const struct drill *drill = view->drill, *other = view->twin->drill;
    const struct drill_row *row = drill_view_row(view);
    if (row == NULL || other->rows.count == 0)
        return false;
    if (drill->kind == DRILL_EVENT) {
        *place = view->view.list.cursor;
        return *place < other->rows.count;
    }
    if (drill->kind == DRILL_TREE || drill->kind == DRILL_MODULES || drill->kind == DRILL_CALLS) {
        uint32_t event = same_event(app, view->side, drill_event(drill, row->id));
        *place = event != NO_EVENT ? drill_find_event(other, event) : 0;
        return event != NO_EVENT;
    }
    struct drill_bookmark mark = {.event = NO_EVENT, .depth = view->place.depth, .name = view->place.name};
    uint32_t id = drill_bookmark_find(&mark, other);
    for (size_t i = 0; i < other->rows.count && id != NO_EVENT; i++) {
        if (other->rows.items[i].id == id) {
            *place = (uint32_t)i;
            return true;
        }
    }
    return false;
}

/* Whether events are those of the row under the view's cursor. */
static bool is_of_row(const struct drill_view *view, const struct drill_subject *subject)
{
    const struct drill_row *row = view != NULL ? drill_view_row(view) : NULL;
    struct text label = {0};
    if (row == NULL || subject->name == NULL)
        return row != NULL;
    drill_add_label(view->drill, row->id, &label);
    bool same = span_is(text_span(&label), subject->name);
    text_free(&label);
    return same;
}

bool drill_sides_subject(struct app *app, const struct drill_subject *subject, struct drill_subject *other)
{
    const struct drill_view *above = drill_view_of(app);
    uint32_t place, event;
    switch (subject->about) {
    case DRILL_OF_ALL: *other = (struct drill_subject){.about = DRILL_OF_ALL}; return true;
    case DRILL_OF_KEY:
        event = same_event(app, app->side, subject->event);
        *other = (struct drill_subject){.about = DRILL_OF_KEY, .event = event};
        return event != NO_EVENT;
    default: break;
    }
    if (subject->count == 1) {
        event = same_event(app, app->side, subject->events[0]);
        *other = (struct drill_subject){.about = DRILL_OF_EVENTS, .event = event, .count = 1};
        if (event == NO_EVENT)
            return false;
        other->events = memory_alloc(sizeof *other->events);
        *other->events = event;
        other->name = subject->name != NULL ? memory_copy_text(subject->name, strlen(subject->name)) : NULL;
        return true;
    }
    return above != NULL && above->twin != NULL && is_of_row(above, subject) && find_row(above, &place) &&
           drill_open_row(above->twin->drill, above->twin->drill->rows.items[place].id, false, other);
}

/* -- Going along --------------------------------------------------------------------------------------------------- */

void drill_sides_follow(struct drill_view *view)
{
    uint32_t place;
    if (view->twin != NULL && find_row(view, &place))
        drill_view_go(view->twin, place);
}

void drill_sides_share(struct drill_view *view)
{
    view->twin->settings = view->settings;
    view->twin->column_cursor = view->column_cursor;
    view->twin->first_column = view->first_column;
}

void drill_sides_go_to_event(struct drill_view *view, uint32_t event)
{
    uint32_t other = view->twin != NULL ? same_event(view->view.app, view->side, event) : NO_EVENT;
    if (other == NO_EVENT)
        return;
    drill_reveal(view->twin->drill, other);
    drill_view_go(view->twin, drill_find_event(view->twin->drill, other));
}

struct drill_view *drill_sides_same_row(struct drill_view *view)
{
    uint32_t place;
    struct text own = {0}, other = {0};
    bool same = view->twin != NULL && find_row(view, &place);
    /* The lines of an event's page say the same thing with another value. */
    if (same && view->drill->kind != DRILL_EVENT) {
        drill_add_label(view->drill, drill_view_row(view)->id, &own);
        drill_add_label(view->twin->drill, view->twin->drill->rows.items[place].id, &other);
        same = span_equal(text_span(&own), text_span(&other));
    }
    if (same)
        drill_view_go(view->twin, place);
    text_free(&own);
    text_free(&other);
    return same ? view->twin : NULL;
}

/* -- Drawing ------------------------------------------------------------------------------------------------------- */

static void draw_missing(const struct drill_view *view, struct grid *grid, struct area area)
{
    char line[80];
    snprintf(line, sizeof line, "%s: nothing of this is there", view->side == COMPARE_BASE ? "new" : "base");
    grid_text(grid, area.row, area.column + 1, area.columns - 1, span_of(line), UTF8_CUT_END, ROLE_DIM);
}

void drill_sides_draw(struct view *base, struct grid *grid, struct area area)
{
    enum { LEAST = 6 }; /* rows of one side */
    struct drill_view *view = (struct drill_view *)(void *)base, *twin = view->twin;
    bool alone = base->app->compare == NULL || area.rows < 2 * LEAST, first = view->side == COMPARE_BASE;
    int half = alone ? area.rows : twin != NULL ? area.rows / 2 : first ? area.rows - 2 : 2;
    struct area above = {area.row, area.column, half, area.columns};
    /* As tall as the other one, so that both lose the same parts where there is little room. */
    int rest = twin != NULL && !alone ? half : area.rows - half;
    struct area below = {area.row + area.rows - rest, area.column, rest, area.columns};
    view->drawn = alone || first ? above : below;
    view->passive = false;
    drill_view_draw(base, grid, view->drawn);
    if (alone) {
        if (twin != NULL)
            twin->drawn = (struct area){0};
        return;
    }
    if (twin == NULL) {
        draw_missing(view, grid, first ? below : above);
        return;
    }
    twin->drawn = first ? below : above;
    twin->passive = true;
    twin->column_cursor = view->column_cursor;
    drill_view_draw(&twin->view, grid, twin->drawn);
}

bool drill_sides_click(struct drill_view *view, int row, int column)
{
    const struct area *area = view->twin != NULL ? &view->twin->drawn : NULL;
    struct app *app = view->view.app;
    if (area == NULL || row < area->row || row >= area->row + area->rows)
        return false;
    act_other_side(app, (struct span){"", 0});
    app->top->ops->click(app->top, row, column);
    return true;
}

/* -- The action ---------------------------------------------------------------------------------------------------- */

void act_other_side(struct app *app, struct span argument)
{
    struct drill_view *view = drill_view_of(app), *twin = view->twin;
    (void)argument;
    if (twin == NULL) {
        app_complain(app, "nothing of this is in the %s", view->side == COMPARE_BASE ? "new trace" : "base");
        return;
    }
    twin->view.below = view->view.below;
    app->top = &twin->view;
    twin->twin = view;
    view->twin = NULL;
    view->view.below = NULL;
    /* What the settings borrow is owned by the view with the cursor. */
    twin->filter = view->filter;
    twin->chosen = view->chosen;
    view->filter = NULL;
    view->chosen = NULL;
    text_clear(&twin->search);
    text_add_span(&twin->search, text_span(&view->search));
    app_use_side(app, twin->side);
    drill_view_moved(&twin->view);
    app_say(app, "%s", twin->side == COMPARE_BASE ? "base" : "new");
}
