/* The views that drill: state, cursor, status line, mouse. */
#include "drill_view.h"

#include <stdlib.h>

#include "acts.h"
#include "keyavg/filter.h"
#include "keyavg/keys.h"
#include "keyavg/writer.h"
#include "keyavg/wrap.h"

struct drill_source *drill_source_of(struct app *app, int side)
{
    app->drill_sources[side].table = app->compare != NULL ? app->compare->sides[side].table : app->table;
    return &app->drill_sources[side];
}

static void clear_sources(struct app *app)
{
    for (int s = 0; s < COMPARE_SIDES; s++)
        drill_source_clear(&app->drill_sources[s]);
}

static const struct view_ops drill_ops[DRILL_KINDS];

static bool is_drill(const struct view *view)
{
    return view->ops >= drill_ops && view->ops < drill_ops + DRILL_KINDS;
}

struct drill_view *drill_view_of(const struct app *app)
{
    struct view *view = app->top;
    while (view != NULL && view->ops != &table_view_ops && view->ops->context != CONTEXT_RANKS && !is_drill(view))
        view = view->below;
    return view != NULL && is_drill(view) ? (struct drill_view *)(void *)view : NULL;
}

const struct drill_row *drill_view_row(const struct drill_view *view)
{
    return view->view.list.cursor < view->drill->rows.count ? &view->drill->rows.items[view->view.list.cursor] : NULL;
}

void drill_view_moved(struct view *base)
{
    struct drill_view *view = (struct drill_view *)(void *)base;
    const struct drill_row *row = drill_view_row(view);
    view->anchor = row != NULL ? drill_event(view->drill, row->id) : NO_EVENT;
    if (row != NULL)
        drill_bookmark_set(&view->place, view->drill, row);
    if (row != NULL && view->drill->kind == DRILL_FOCUS)
        view->cursors[drill_focus_part(view->drill, row->id)] = base->list.cursor;
    drill_sides_follow(view);
}

void drill_view_go(struct drill_view *view, uint32_t row)
{
    view->view.list.count = (uint32_t)view->drill->rows.count;
    view->view.list.cursor = row;
    list_fit(&view->view.list);
    drill_view_moved(&view->view);
}

void drill_view_go_to_event(struct drill_view *view, uint32_t event)
{
    drill_view_go(view, drill_find_event(view->drill, event));
    drill_sides_go_to_event(view, event);
}

void drill_view_part(const struct drill_view *view, enum focus_part part, uint32_t *first, uint32_t *count)
{
    const struct drill *drill = view->drill;
    *first = *count = 0;
    for (uint32_t i = 0; i < drill->rows.count; i++) {
        enum focus_part of = drill_focus_part(drill, drill->rows.items[i].id);
        *first += of < part;
        *count += of == part;
    }
}

/* -- Making ------------------------------------------------------------------------------------------------------ */

static void go_to_start(struct drill_view *view)
{
    uint32_t first = 0, count;
    if (view->drill->kind == DRILL_FOCUS)
        drill_view_part(view, FOCUS_ROW, &first, &count);
    drill_view_go(view, first);
    /* The column cursor begins on the first one that is not the name. */
    for (unsigned i = view->drill->column_count; i-- > 0;)
        if (strcmp(view->drill->columns[i]->name, "key") != 0 && strcmp(view->drill->columns[i]->name, "part") != 0)
            view->column_cursor = i;
    for (int part = 0; part < FOCUS_PARTS && view->drill->kind == DRILL_FOCUS; part++)
        drill_view_part(view, (enum focus_part)part, &view->cursors[part], &count);
}

static void fill(struct drill_view *view, int side, enum drill_kind kind, struct drill_subject subject,
                 const struct drill_settings *first)
{
    view->settings = *first;
    view->drill = drill_build(drill_source_of(view->view.app, side), kind, subject, first);
    view->side = side;
    go_to_start(view);
}

struct drill_view *drill_view_open(struct app *app, enum drill_kind kind, struct drill_subject subject)
{
    struct drill_view *above = drill_view_of(app), *twin = NULL;
    struct drill_settings first;
    struct drill_subject other;
    drill_settings_init(&first);
    if (above != NULL)
        first.fold_python = above->settings.fold_python;
    if (app->compare != NULL && drill_sides_subject(app, &subject, &other)) {
        twin = memory_zero(1, sizeof *twin);
        twin->view.ops = &drill_ops[kind];
        twin->view.app = app;
        fill(twin, 1 - app->side, kind, other, &first);
    }
    struct drill_view *view = view_push(app, &drill_ops[kind], sizeof *view);
    fill(view, app->side, kind, subject, &first);
    view->twin = twin;
    drill_sides_follow(view);
    return view;
}

bool drill_view_open_named(struct app *app, enum drill_kind kind, const char *focus,
                           const struct drill_settings *wanted, struct error *error)
{
    struct drill_subject subject = {.about = DRILL_OF_ALL};
    bool found = focus == NULL;
    /* What only the other one of two traces has is looked at there. */
    for (int i = 0; i < COMPARE_SIDES && !found; i++) {
        int side = i == 0 ? app->side : 1 - app->side;
        found = drill_subject_find(drill_source_of(app, side), span_of(focus), &subject, error);
        if (found)
            app_use_side(app, side);
        if (app->compare == NULL)
            break;
    }
    if (!found) {
        if (drill_view_of(app) == NULL)
            clear_sources(app); /* what looking for the name has made, no view takes along */
        return false;
    }
    struct drill_view *view = drill_view_open(app, kind, subject);
    view->settings = *wanted;
    if (wanted->columns != NULL) {
        view->chosen = memory_alloc((wanted->column_count + 1) * sizeof *view->chosen);
        memcpy(view->chosen, wanted->columns, wanted->column_count * sizeof *view->chosen);
        view->settings.columns = view->chosen;
    }
    if (wanted->filter != NULL) {
        struct text text = {0};
        filter_add_text(wanted->filter, true, &text);
        view->filter = filter_parse(text_span(&text), error);
        view->settings.filter = view->filter;
        text_free(&text);
    }
    drill_view_rebuild(view);
    go_to_start(view);
    return true;
}

/* The number of a row that is shown, into `place`; false, and nothing done, where it is not. */
static bool row_of_id(const struct drill_view *view, uint32_t id, uint32_t *place)
{
    for (size_t i = 0; id != NO_EVENT && i < view->drill->rows.count; i++) {
        if (view->drill->rows.items[i].id != id)
            continue;
        *place = (uint32_t)i;
        return true;
    }
    return false;
}

/* Puts a drill in the place of the one before, the cursor and marks on the same rows. */
static void replace(struct drill_view *view, struct drill_source *made_from, struct drill_subject subject)
{
    struct drill *old = view->drill;
    struct drill_settings whole = view->settings;
    uint32_t place = view->view.list.cursor, anchor = view->anchor;
    /* Rows that are marked may be none that the filter lets pass. */
    whole.filter = NULL;
    whole.row_limit = -1;
    view->drill = drill_build(made_from, old->kind, subject, &whole);
    drill_keep_folds(view->drill, old, app_same_event);
    drill_free(old);
    for (size_t i = 0; i < view->marks.count; i++)
        view->marks.items[i].id = drill_bookmark_find(&view->marks.items[i].row, view->drill);
    uint32_t id = drill_bookmark_find(&view->place, view->drill);
    if (view->settings.filter != NULL || view->settings.row_limit >= 0) {
        view->drill->settings = view->settings;
        drill_list(view->drill);
    }
    bool found = row_of_id(view, id, &place);
    if (!found && view->drill->kind == DRILL_FOCUS) {
        uint32_t count;
        drill_view_part(view, FOCUS_ROW, &place, &count);
    }
    view->sums.known = false;
    drill_view_go(view, place);
    if (found && anchor != NO_EVENT)
        view->anchor = anchor;
}

void drill_view_rebuild(struct drill_view *view)
{
    struct drill_source *source = drill_source_of(view->view.app, view->side);
    if (view->twin != NULL) {
        drill_sides_share(view);
        drill_view_rebuild(view->twin);
    }
    replace(view, source, drill_subject_copy(&view->drill->subject));
}

void drill_view_relist(struct drill_view *view)
{
    const struct drill_row *row = drill_view_row(view);
    uint32_t id = row != NULL ? row->id : NO_EVENT;
    view->drill->settings = view->settings;
    view->sums.known = false;
    if (view->twin != NULL) {
        drill_sides_share(view);
        drill_view_relist(view->twin);
    }
    drill_list(view->drill);
    uint32_t place = view->view.list.cursor;
    row_of_id(view, id, &place);
    if (view->column_cursor >= view->drill->column_count)
        view->column_cursor = view->drill->column_count > 0 ? view->drill->column_count - 1 : 0;
    drill_view_go(view, place);
}

static void changed(struct view *base)
{
    drill_view_rebuild((struct drill_view *)(void *)base);
}

void drill_views_close(struct app *app)
{
    /* A prompt over one has nothing to say any more. */
    if (drill_view_of(app) != NULL)
        app->prompt.kind = NULL;
    while (app->top != NULL && drill_view_of(app) != NULL)
        view_pop(app);
    clear_sources(app);
}

bool drill_view_is_marked(const struct drill_view *view, uint32_t id)
{
    for (size_t i = 0; i < view->marks.count; i++)
        if (view->marks.items[i].id == id)
            return true;
    return false;
}

void drill_view_unmark(struct drill_view *view)
{
    for (size_t i = 0; i < view->marks.count; i++)
        drill_bookmark_free(&view->marks.items[i].row);
    view->marks.count = 0;
    view->sums.known = false;
}

/* -- Another trace ----------------------------------------------------------------------------------------------- */

struct move {
    struct drill_view *view;
    struct drill_subject subject;
    bool moves;
};

uint32_t drill_view_subject(const struct drill_view *view)
{
    const struct drill_subject *subject = &view->drill->subject;
    if (subject->about == DRILL_OF_KEY)
        return subject->event;
    return subject->about == DRILL_OF_EVENTS && subject->count > 0 ? subject->events[0] : NO_EVENT;
}

/* Takes the views away from the top down to one of them. */
static void close_down_to(struct app *app, const struct view *last)
{
    /* A prompt over one has nothing to say any more. */
    app->prompt.kind = NULL;
    app_complain(app, "these calls are not in the file any more");
    for (bool closed = false; !closed;) {
        closed = app->top == last;
        view_pop(app);
    }
}

static void move_view(struct move *move, const struct trace *from, const struct trace *to)
{
    struct drill_view *view = move->view;
    view->anchor = app_same_event(from, view->anchor, to);
    view->place.event = app_same_event(from, view->place.event, to);
    for (size_t i = 0; i < view->marks.count; i++)
        view->marks.items[i].row.event = app_same_event(from, view->marks.items[i].row.event, to);
    replace(view, &view->view.app->drill_sources[view->side], move->subject);
}

void drill_views_move(struct app *app)
{
    struct drill_source *source = &app->drill_sources[app->side], before = *source;
    ARRAY(struct move) moves = {0};
    *source = (struct drill_source){.table = app->table};
    for (struct view *view = app->top; view != NULL; view = view->below) {
        struct move move = {.view = (struct drill_view *)(void *)view};
        if (!is_drill(view))
            continue;
        move.moves = drill_subject_move(move.view->drill, source, app_same_event, &move.subject);
        array_push(&moves, move);
    }
    size_t first = 0; /* of those that stay */
    for (size_t i = 0; i < moves.count; i++)
        first = moves.items[i].moves ? first : i + 1;
    if (first > 0)
        close_down_to(app, &moves.items[first - 1].view->view);
    for (size_t i = 0; i < first; i++)
        drill_subject_free(&moves.items[i].subject);
    for (size_t i = first; i < moves.count; i++)
        move_view(&moves.items[i], moves.items[i].view->drill->trace, app->trace);
    array_free(&moves);
    drill_source_clear(&before);
}

/* -- The status line --------------------------------------------------------------------------------------------- */

/* What the status line sums: the column sorted by where it adds up, else the first that does. */
static const struct column *sum_column(const struct drill *drill)
{
    const struct column *sort = drill->settings.sort;
    if (sort != NULL && sort->summable && sort->unit == UNIT_TIME)
        return sort;
    for (unsigned i = 0; i < drill->column_count; i++)
        if (drill->columns[i]->summable && drill->columns[i]->unit == UNIT_TIME)
            return drill->columns[i];
    return NULL;
}

static void add_cell(struct drill_view *view, uint32_t id, const struct column *column, int64_t *sum)
{
    struct value value;
    drill_value(view->drill, id, column, &value, &view->scratch);
    wrap_to(sum, value.kind == VALUE_INTEGER ? value.integer : 0);
}

static const struct drill_sums *make_sums(struct drill_view *view, const struct column *column)
{
    if (view->sums.known && view->sums.column == column)
        return &view->sums;
    view->sums = (struct drill_sums){.known = true, .column = column};
    for (size_t i = 0; i < view->drill->rows.count; i++)
        add_cell(view, view->drill->rows.items[i].id, column, &view->sums.all);
    for (size_t i = 0; i < view->marks.count; i++)
        if (view->marks.items[i].id != NO_EVENT)
            add_cell(view, view->marks.items[i].id, column, &view->sums.marked);
    return &view->sums;
}

static void add_sum(struct drill_view *view, const struct column *column, bool marked, struct text *out)
{
    const struct drill_sums *sums = make_sums(view, column);
    struct value sum = {.kind = VALUE_INTEGER, .integer = marked ? sums->marked : sums->all, .over = 1};
    column_add_title(column, view->view.app->table, out);
    text_add_char(out, ' ');
    column_add_text(column, &sum, view->view.app->query.unit, out);
}

static void status(struct view *base, struct text *out)
{
    struct drill_view *view = (struct drill_view *)(void *)base;
    const struct drill *drill = view->drill;
    const struct column *column = sum_column(drill);
    if (drill->rows.count == 0) {
        text_add_string(out, drill->filtered > 0 ? "no row passes the filter" : "nothing here");
        return;
    }
    if (view->rest.length > 0) {
        text_add_span(out, text_span(&view->rest));
        return;
    }
    text_addf(out, "row %u of %zu", base->list.cursor + 1, drill->rows.count);
    /* Rows of trees and parts of a focus hold each other's time. */
    bool adds = drill->kind == DRILL_CALLS || drill->kind == DRILL_KERNELS || drill->kind == DRILL_PAIRS;
    if (adds && column != NULL) {
        text_add_string(out, "   ");
        add_sum(view, column, false, out);
    }
    size_t marked = 0;
    for (size_t i = 0; i < view->marks.count; i++)
        marked += view->marks.items[i].id != NO_EVENT;
    if (marked > 0 && column != NULL) {
        text_addf(out, "   %zu marked ", marked);
        add_sum(view, column, true, out);
    }
    if (drill->filtered > 0)
        text_addf(out, "   %u filtered", drill->filtered);
    const struct drill_row *row = drill_view_row(view);
    if (row != NULL && drill->kind != DRILL_CALLS) {
        text_add_string(out, "   ");
        drill_add_label(drill, row->id, out);
    }
}

/* -- Mouse ------------------------------------------------------------------------------------------------------- */

static void click_header(struct drill_view *view, int column)
{
    for (int i = 0; i < view->placed_count; i++) {
        if (column < view->placed[i].at || column >= view->placed[i].at + view->placed[i].width)
            continue;
        view->column_cursor = view->placed[i].seen;
        act_any_sort(view->view.app, span_of(view->drill->columns[view->placed[i].seen]->name));
        return;
    }
    if (view->name_width > 0 && column < view->name_at + view->name_width)
        act_any_sort(view->view.app, span_of("key"));
}

static void click(struct view *base, int row, int column)
{
    struct drill_view *view = (struct drill_view *)(void *)base;
    if (drill_sides_click(view, row, column))
        return;
    if (row == view->header_row) {
        click_header(view, column);
        return;
    }
    bool focus = view->drill->kind == DRILL_FOCUS;
    for (int part = 0; part < (focus ? FOCUS_PARTS : 1); part++) {
        if (row < view->first_rows[part] || row >= view->first_rows[part] + view->heights[part])
            continue;
        uint32_t first = 0, count = (uint32_t)view->drill->rows.count, top = base->list.top;
        if (focus) {
            drill_view_part(view, (enum focus_part)part, &first, &count);
            top = first + view->tops[part];
        }
        uint32_t clicked = top + (uint32_t)(row - view->first_rows[part]);
        if (clicked >= first + count)
            return;
        if (clicked == base->list.cursor)
            act_open(base->app, (struct span){"", 0});
        else
            drill_view_go(view, clicked);
        return;
    }
}

static void free_own(struct drill_view *view)
{
    drill_free(view->drill);
    filter_free(view->filter);
    free(view->chosen);
    drill_bookmark_free(&view->place);
    drill_view_unmark(view);
    array_free(&view->marks);
    text_free(&view->search);
    text_free(&view->rest);
    text_free(&view->scratch);
    text_free(&view->cell);
}

static void free_view(struct view *base)
{
    struct drill_view *view = (struct drill_view *)(void *)base;
    free_own(view);
    if (view->twin != NULL)
        free_own(view->twin);
    free(view->twin);
    /* The last one takes what they shared along; the others look at their side again. */
    if (base->below == NULL || !is_drill(base->below))
        clear_sources(base->app);
    else
        app_use_side(base->app, ((struct drill_view *)(void *)base->below)->side);
}

#define DRILL_VIEW(kind, words, bit)                                                                                   \
    [kind] = {.name = words,                                                                                           \
              .context = bit,                                                                                          \
              .draw = drill_sides_draw,                                                                                \
              .status = status,                                                                                        \
              .moved = drill_view_moved,                                                                               \
              .click = click,                                                                                          \
              .changed = changed,                                                                                      \
              .free = free_view}

static const struct view_ops drill_ops[DRILL_KINDS] = {
    DRILL_VIEW(DRILL_FOCUS, "focus", CONTEXT_FOCUS),       DRILL_VIEW(DRILL_CALLS, "calls", CONTEXT_CALLS),
    DRILL_VIEW(DRILL_TREE, "tree", CONTEXT_TREE),          DRILL_VIEW(DRILL_KERNELS, "kernels", CONTEXT_KERNELS),
    DRILL_VIEW(DRILL_PAIRS, "pairs", CONTEXT_PAIRS),       DRILL_VIEW(DRILL_MODULES, "modules", CONTEXT_MODULES),
    DRILL_VIEW(DRILL_EVENT, "event", CONTEXT_EVENT),       DRILL_VIEW(DRILL_QUALITY, "quality", CONTEXT_QUALITY),
    DRILL_VIEW(DRILL_EXPLAIN, "explain", CONTEXT_EXPLAIN),
};

/* -- Taking along ------------------------------------------------------------------------------------------------ */

static void list_with(struct drill *drill, const struct drill_settings *wanted)
{
    drill->settings = *wanted;
    drill_list(drill);
}

bool drill_view_write(struct drill_view *view, const struct writer *writer, struct sink *sink)
{
    struct writer_options options;
    struct drill *drill = view->drill, *drills[COMPARE_SIDES] = {NULL};
    struct drill_settings written = drill->settings, kept[COMPARE_SIDES] = {written, written};
    if (!writer_takes_drill(writer, (int)drill->kind))
        writer = writer_find(span_of("text"));
    bool folded = writer->write == folded_write, page = drill->kind == DRILL_EVENT && writer->write == text_write;
    writer_options_init(&options);
    options.ascii = view->view.app->looks.ascii;
    drills[view->side] = drill;
    drills[1 - view->side] = view->twin != NULL ? view->twin->drill : NULL;
    const struct column **shown = drill_sides_columns((const struct drill *const *)drills, false,
                                                      &written.column_count);
    written.columns = page ? NULL : shown;
    /* Folded stacks are of the whole tree, whatever is open. */
    written.unfolded = folded;
    written.members_alone = !page;
    for (int s = 0; s < COMPARE_SIDES; s++) {
        if (drills[s] == NULL)
            continue;
        kept[s] = drills[s]->settings;
        list_with(drills[s], &written);
    }
    bool done = view->view.app->compare != NULL
                    ? drill_write_sides((const struct drill *const *)drills, writer, &options, sink)
                    : drill_write(drill, writer, &options, sink);
    for (int s = 0; s < COMPARE_SIDES; s++)
        if (drills[s] != NULL)
            list_with(drills[s], &kept[s]);
    free(shown);
    return done;
}

static void add_cells(struct drill_view *view, const struct column *const *list, unsigned count, struct text *out)
{
    const struct drill_row *row = drill_view_row(view);
    struct text cell = {0};
    for (unsigned i = 0; i < count && row != NULL; i++) {
        struct value value;
        drill_value(view->drill, row->id, list[i], &value, &view->scratch);
        text_clear(&cell);
        column_add_text(list[i], &value, view->view.app->query.unit, &cell);
        text_add_string(out, i > 0 ? "\t" : "");
        utf8_add_clean(out, text_span(&cell), view->view.app->looks.ascii);
    }
    text_free(&cell);
}

void drill_view_add_row(struct drill_view *view, struct text *out)
{
    struct drill_view *sides[COMPARE_SIDES] = {NULL};
    const struct drill *drills[COMPARE_SIDES] = {NULL};
    unsigned count;
    if (drill_view_row(view) == NULL)
        return;
    sides[view->side] = view;
    sides[1 - view->side] = drill_sides_same_row(view);
    for (int s = 0; s < COMPARE_SIDES; s++)
        drills[s] = sides[s] != NULL ? sides[s]->drill : NULL;
    const struct column **list = drill_sides_columns(drills, false, &count);
    for (int s = 0; s < COMPARE_SIDES; s++) {
        if (sides[s] == NULL)
            continue;
        if (view->view.app->compare != NULL)
            text_addf(out, "%s%s\t", out->length > 0 ? "\n" : "", s == COMPARE_BASE ? "base" : "new");
        add_cells(sides[s], list, count, out);
    }
    free(list);
}
