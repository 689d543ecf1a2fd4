/* Drilling: what opens, folds and turns views over calls. */
#include <stdlib.h>

#include "acts.h"
#include "drill_view.h"
#include "keyavg/calls.h"
#include "keyavg/keys.h"
#include "keyavg/launches.h"
#include "keyavg/names.h"
#include "keyavg/pairs.h"
#include "rows.h"

static struct drill_subject one_event(uint32_t event)
{
    struct drill_subject subject = {.about = DRILL_OF_EVENTS, .event = event, .count = 1};
    subject.events = memory_alloc(sizeof *subject.events);
    *subject.events = event;
    return subject;
}

/* The row of app->table under the table's cursor; of two traces that of the side which has it becomes app->table. */
static uint32_t table_row(struct app *app)
{
    int side;
    uint32_t row = table_view_row(table_view_of(app));
    if (row == UINT32_MAX)
        return UINT32_MAX;
    row = rows_of_table(app, row, &side);
    app_use_side(app, side);
    return row;
}

static uint32_t table_event(struct app *app)
{
    uint32_t row = table_row(app);
    return row == UINT32_MAX ? NO_EVENT : app->table->averages->rows[row].first;
}

/* The event that stands for what is under the cursor. */
uint32_t act_event_here(struct app *app)
{
    const struct drill_view *view = drill_view_of(app);
    if (view == NULL)
        return table_event(app);
    const struct drill_row *row = drill_view_row(view);
    if (row == NULL)
        return NO_EVENT;
    if (view->drill->kind == DRILL_EVENT && drill_event_link(view->drill, row->id) != NO_EVENT)
        return drill_event_link(view->drill, row->id);
    return drill_event(view->drill, row->id);
}

/* What is under the cursor, as a subject; all calls of its key where it is one and `of_key`. */
static bool subject_here(struct app *app, bool of_key, struct drill_subject *subject)
{
    const struct drill_view *view = drill_view_of(app);
    const struct drill_row *row = view != NULL ? drill_view_row(view) : NULL;
    if (view == NULL && table_event(app) != NO_EVENT) {
        *subject = (struct drill_subject){.about = DRILL_OF_KEY, .event = table_event(app)};
        return true;
    }
    if (row != NULL && drill_open_row(view->drill, row->id, of_key, subject))
        return true;
    app_complain(app, row != NULL ? "this row stands for no calls" : "there is no row");
    return false;
}

/* -- Opening ------------------------------------------------------------------------------------------------------ */

void act_open_event(struct app *app, uint32_t event)
{
    if (event == NO_EVENT)
        app_complain(app, "no event stands here");
    else
        drill_view_open(app, DRILL_EVENT, one_event(event));
}

static void open_tree_of(struct app *app, struct drill_subject subject, uint32_t event)
{
    struct drill_view *view = drill_view_open(app, DRILL_TREE, subject);
    if (event == NO_EVENT)
        return;
    drill_reveal(view->drill, event);
    drill_view_go_to_event(view, event);
}

/* Enter: a row's focus; a call's tree; a link's event. */
void act_open(struct app *app, struct span argument)
{
    (void)argument;
    struct drill_view *view = drill_view_of(app);
    const struct drill_row *row = view != NULL ? drill_view_row(view) : NULL;
    struct drill_subject subject;
    if (view != NULL && row != NULL && view->drill->kind == DRILL_EVENT) {
        if (drill_event_link(view->drill, row->id) != NO_EVENT)
            act_open_event(app, drill_event_link(view->drill, row->id));
        else
            app_complain(app, "links stand below the event's members; Enter opens them");
        return;
    }
    if (view != NULL && row != NULL && page_is_one(view->drill)) {
        page_open_next(view, row);
        return;
    }
    if (view != NULL && row != NULL && view->drill->kind == DRILL_FOCUS &&
        drill_focus_part(view->drill, row->id) == FOCUS_ROW) {
        app_complain(app, "this row is in focus; Enter on a caller or callee goes there");
        return;
    }
    if (!subject_here(app, true, &subject))
        return;
    if (view != NULL && view->drill->kind == DRILL_CALLS)
        open_tree_of(app, subject, act_event_here(app));
    else
        drill_view_open(app, DRILL_FOCUS, subject);
}

void act_calls(struct app *app, struct span argument)
{
    struct drill_subject subject;
    (void)argument;
    if (subject_here(app, false, &subject))
        drill_view_open(app, DRILL_CALLS, subject);
}

void act_tree(struct app *app, struct span argument)
{
    struct drill_subject subject = {.about = DRILL_OF_ALL};
    uint32_t event = act_event_here(app);
    (void)argument;
    if (drill_view_of(app) == NULL || subject_here(app, false, &subject))
        open_tree_of(app, subject, event);
}

void act_kernels(struct app *app, struct span argument)
{
    struct drill_subject subject = {.about = DRILL_OF_ALL};
    uint32_t event = act_event_here(app);
    bool table = drill_view_of(app) == NULL;
    if (!app->table->tree->has_device_time && trace_use_device(app->trace) == NULL) {
        app_complain(app, "no device events; activities=[ProfilerActivity.CUDA, ...] records them");
        return;
    }
    /* From a row of the device to all kernels, where it stands. */
    bool all = span_is(argument, "all") || (table && event != NO_EVENT && event_on_device(app->trace, event));
    if (!all && !subject_here(app, false, &subject))
        return;
    struct drill_view *view = drill_view_open(app, DRILL_KERNELS, subject);
    if (all && event != NO_EVENT)
        drill_view_go_to_event(view, event);
}

void act_pairs(struct app *app, struct span argument)
{
    struct drill_subject subject = {.about = DRILL_OF_ALL};
    uint32_t event = act_event_here(app);
    (void)argument;
    if (drill_view_of(app) != NULL && !subject_here(app, true, &subject))
        return;
    drill_view_go_to_event(drill_view_open(app, DRILL_PAIRS, subject), event);
}

void act_modules(struct app *app, struct span argument)
{
    uint32_t event = act_event_here(app);
    (void)argument;
    struct drill_view *view = drill_view_open(app, DRILL_MODULES, (struct drill_subject){.about = DRILL_OF_ALL});
    if (event == NO_EVENT)
        return;
    drill_reveal(view->drill, event);
    drill_view_go_to_event(view, event);
}

void act_event(struct app *app, struct span argument)
{
    (void)argument;
    act_open_event(app, act_event_here(app));
}

void act_worst(struct app *app, struct span argument)
{
    (void)argument;
    uint32_t row = table_row(app);
    if (row == UINT32_MAX)
        return;
    struct averages *averages = app->table->averages;
    averages_need_calls(averages);
    uint32_t first = averages->call_first[row];
    act_open_event(app, calls_worst(app->trace, averages->calls + first, averages->call_first[row + 1] - first));
}

/* The ops that launched what is under the cursor. */
void act_ops(struct app *app, struct span argument)
{
    (void)argument;
    struct drill_view *view = drill_view_of(app);
    const struct drill_row *row = view != NULL ? drill_view_row(view) : NULL;
    if (row == NULL)
        return;
    struct drill_subject subject = {.about = DRILL_OF_EVENTS, .event = NO_EVENT};
    subject.events = drill_kernel_ops(view->drill, row->id, &subject.count);
    if (subject.count == 0) {
        drill_subject_free(&subject);
        app_complain(app, "no op is known for these");
        return;
    }
    struct text name = {0};
    text_add_string(&name, "ops of ");
    drill_add_label(view->drill, row->id, &name);
    subject.name = memory_copy_text(name.bytes, name.length);
    text_free(&name);
    drill_view_open(app, DRILL_CALLS, subject);
}

/* -- The other end of a pair -------------------------------------------------------------------------------------- */

static void go_to_end(struct app *app, uint32_t event)
{
    struct drill_view *view = drill_view_of(app);
    struct table_view *table = table_view_of(app);
    if (view == NULL) {
        table->anchor = event;
        table->anchor_side = app->side;
        table_view_follow(table);
        return;
    }
    struct drill_subject subject = {.about = DRILL_OF_KEY, .event = event};
    switch (view->drill->kind) {
    case DRILL_EVENT: act_open_event(app, event); return;
    case DRILL_TREE:
        if (!view->settings.bottom_up) {
            drill_reveal(view->drill, event);
            uint32_t row = drill_find_event(view->drill, event);
            uint32_t count, *events = drill_events(view->drill, view->drill->rows.items[row].id, &count);
            bool there = false;
            for (uint32_t i = 0; i < count; i++)
                there = there || events[i] == event;
            free(events);
            if (there)
                drill_view_go(view, row);
            else
                open_tree_of(app, one_event(event), event);
            view = drill_view_of(app);
            view->anchor = event;
            return;
        }
        break;
    case DRILL_CALLS: drill_view_go_to_event(drill_view_open(app, DRILL_CALLS, subject), event); return;
    default: break;
    }
    drill_view_open(app, DRILL_FOCUS, subject)->anchor = event;
}

void act_pair_end(struct app *app, struct span argument)
{
    static const char *const ways[] = {
        [PAIR_OWN] = "", [PAIR_AROUND] = " (over the op around it)", [PAIR_INSIDE] = " (over an op inside it)"};
    struct drill_view *view = drill_view_of(app);
    enum pair_jump how;
    (void)argument;
    if (view == NULL)
        app_use_side(app, table_view_of(app)->anchor_side);
    /* Where the last jump led counts, as rows stand for many calls. */
    uint32_t event = view != NULL && view->anchor != NO_EVENT && view->drill->kind != DRILL_EVENT ? view->anchor
                     : view == NULL && table_view_of(app)->anchor != NO_EVENT ? table_view_of(app)->anchor
                                                                                : act_event_here(app);
    if (event == NO_EVENT) {
        app_complain(app, "no call stands here");
        return;
    }
    uint32_t other = pairs_jump(app->table->tree, event, NULL, &how);
    if (other == NO_EVENT) {
        app_complain(app, "forward and backward of this call are not linked: no sequence number goes with it");
        return;
    }
    bool backward = tree_pairs(app->table->tree)->side[other] == PAIR_BACKWARD;
    go_to_end(app, other);
    struct span name = strings_get(&app->trace->strings, event_key(app->trace, other));
    app_say(app, "%s: %.*s%s", backward ? "backward" : "forward", (int)(name.length > 200 ? 200 : name.length),
            name.bytes, ways[how]);
}

/* -- Folding ------------------------------------------------------------------------------------------------------ */

/* What stands beside it on the other side goes along. */
static void set_fold(struct drill_view *view, bool open)
{
    struct drill_view *twin = drill_sides_same_row(view);
    if (twin != NULL)
        drill_fold(twin->drill, twin->view.list.cursor, open);
    drill_fold(view->drill, view->view.list.cursor, open);
    drill_view_go(view, view->view.list.cursor);
}

void act_unfold(struct app *app, struct span argument)
{
    struct drill_view *view = drill_view_of(app);
    (void)argument;
    set_fold(view, true);
}

void act_fold(struct app *app, struct span argument)
{
    struct drill_view *view = drill_view_of(app);
    const struct drill_row *row = drill_view_row(view);
    uint32_t at = view->view.list.cursor;
    (void)argument;
    if (row == NULL)
        return;
    if (row->open) {
        set_fold(view, false);
        return;
    }
    /* What has nothing to fold goes to its parent. */
    uint32_t depth = row->depth;
    while (at > 0 && view->drill->rows.items[at].depth >= depth)
        at--;
    drill_view_go(view, at);
}

void act_unfold_all(struct app *app, struct span argument)
{
    struct drill_view *view = drill_view_of(app);
    (void)argument;
    struct drill_view *twin = drill_sides_same_row(view);
    if (twin != NULL)
        drill_unfold_below(twin->drill, twin->view.list.cursor);
    drill_unfold_below(view->drill, view->view.list.cursor);
    drill_view_go(view, view->view.list.cursor);
}

void act_hot_path(struct app *app, struct span argument)
{
    struct drill_view *view = drill_view_of(app);
    (void)argument;
    drill_view_go(view, drill_hot_path(view->drill, view->view.list.cursor));
}

void act_zoom(struct app *app, struct span argument)
{
    struct drill_view *view = drill_view_of(app);
    (void)argument;
    struct drill_view *twin = drill_sides_same_row(view);
    if (twin != NULL && drill_zoom(twin->drill, twin->view.list.cursor))
        drill_view_go(twin, 0);
    if (drill_zoom(view->drill, view->view.list.cursor))
        drill_view_go(view, 0);
}

void act_zoom_out(struct app *app, struct span argument)
{
    struct drill_view *view = drill_view_of(app);
    (void)argument;
    uint32_t anchor = view->anchor;
    if (view->twin != NULL)
        drill_zoom(view->twin->drill, UINT32_MAX);
    if (!drill_zoom(view->drill, UINT32_MAX))
        app_complain(app, "this is the whole tree");
    else
        drill_view_go_to_event(view, anchor);
}

void act_fold_python(struct app *app, struct span argument)
{
    struct drill_view *view = drill_view_of(app);
    (void)argument;
    view->settings.fold_python = !view->settings.fold_python;
    drill_view_rebuild(view);
    app_say(app, view->settings.fold_python ? "runs of python frames are one, with the time of all"
                                            : "every python frame stands for itself");
}

void act_bottom_up(struct app *app, struct span argument)
{
    struct drill_view *view = drill_view_of(app);
    (void)argument;
    view->settings.bottom_up = !view->settings.bottom_up;
    drill_view_rebuild(view);
    drill_view_go(view, 0);
    app_say(app, view->settings.bottom_up ? "bottom up: callers under what they called" : "top down");
}

void act_fold_chains(struct app *app, struct span argument)
{
    struct drill_view *view = drill_view_of(app);
    (void)argument;
    view->settings.fold_chains = !view->settings.fold_chains;
    drill_view_relist(view);
    app_say(app, view->settings.fold_chains ? "chains of only children are one row" : "every call has its row");
}

void act_by_class(struct app *app, struct span argument)
{
    struct drill_view *view = drill_view_of(app);
    (void)argument;
    view->settings.by_class = !view->settings.by_class;
    drill_view_rebuild(view);
    app_say(app, view->settings.by_class ? "modules of one class are one" : "every module stands for itself");
}

/* The next part of the focus that has rows, at its own cursor. */
void act_pane(struct app *app, struct span argument)
{
    struct drill_view *view = drill_view_of(app);
    const struct drill_row *row = drill_view_row(view);
    (void)argument;
    if (row == NULL)
        return;
    int part = (int)drill_focus_part(view->drill, row->id);
    for (int i = 1; i <= FOCUS_PARTS; i++) {
        uint32_t first, count;
        int next = (part + i) % FOCUS_PARTS;
        drill_view_part(view, (enum focus_part)next, &first, &count);
        if (count == 0)
            continue;
        uint32_t kept = view->cursors[next];
        drill_view_go(view, kept >= first && kept < first + count ? kept : first);
        return;
    }
}

/* Whether a name is a frame with a line, `model.py(24): forward`; with `own` not one of torch's files. */
static bool is_line(struct span name, bool own)
{
    const char *open = memchr(name.bytes, '(', name.length);
    if (name.length == 0 || *name.bytes == '<' || (own && span_starts(name, "torch/")) || open == NULL)
        return false;
    const char *end = name.bytes + name.length, *at = open + 1;
    while (at < end && *at >= '0' && *at <= '9')
        at++;
    return at > open + 1 && end - at > 2 && memcmp(at, "): ", 3) == 0;
}

/* Up to the caller that is a line of Python: of the program itself where there is one, else of torch. */
void act_python_line(struct app *app, struct span argument)
{
    struct drill_view *view = drill_view_of(app);
    const struct drill *drill = view->drill;
    (void)argument;
    for (int own = 1; own >= 0; own--) {
        uint32_t depth = UINT32_MAX;
        for (uint32_t i = view->view.list.cursor + 1; i-- > 0 && i < drill->rows.count;) {
            const struct drill_row *row = &drill->rows.items[i];
            uint32_t event = drill_event(drill, row->id);
            if (row->depth >= depth)
                continue;
            bool first = depth == UINT32_MAX;
            depth = row->depth;
            if (first || event == NO_EVENT || event_kind(app->trace, event) != KIND_PYTHON ||
                !is_line(strings_get(&app->trace->strings, event_key(app->trace, event)), own != 0))
                continue;
            drill_view_go(view, i);
            return;
        }
    }
    app_complain(app, "no line of Python is above; with_stack=True records them");
}
