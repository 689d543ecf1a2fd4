/* The help view: the keys of the view it was called from, from the action table. */
#include <stdlib.h>

#include "rooms.h"

struct help_line {
    const struct action *action; /* NULL: a heading or a blank line */
    const char *heading;
    bool plain; /* it is a sentence */
};

/* What the keys do not tell of the table. */
static const char *const notes[] = {
    "The row below the last, [n more rows], is what the columns of the rows",
    "that are not shown add up to.",
    "Sums in the status line are of the rows shown, and of those marked. There",
    "device time counts each event on the device once: where its own row is",
    "among them, or that of the op that launched it, for totals also of the",
    "op's callers. Annotations on the device are told apart.",
};

/* The same of two traces. */
static const char *const notes_of_two[] = {
    "+ before a name: the row is new; - it is gone; > it is renamed; ~ the change",
    "lies within the spread of the calls. d tells more of a row.",
    "At first rows stand by the size of their change. Sorted by a change (] on its",
    "column) what has grown most comes first, by any other name its size counts.",
    "The status line sums base and new, and the changes of the marked rows.",
};

struct help_view {
    struct view view;
    unsigned context;
    ARRAY(struct help_line) lines;
};

/* What the rows of a view count, where that is a question. */
static const struct {
    unsigned context;
    const char *line;
} rows_notes[] = {
    {CONTEXT_FOCUS, "Callers add up to the row's CPU total, and so do callees with [self]."},
    {CONTEXT_FOCUS, "Recursion: a call inside a call of its row counts as one of its own, with its"},
    {CONTEXT_FOCUS, "whole time, as in CPU total; the row then is its own caller and callee."},
    {CONTEXT_FOCUS, "A filter chooses the row's calls; all their callers and callees are shown."},
    {CONTEXT_TREE, "Over all nodes of one name the times add up to its row. Device events are no"},
    {CONTEXT_TREE, "nodes; those without an op, by torch's link, stand under [no op]."},
    {CONTEXT_KERNELS, "A row's kernels are those of all its calls and what they called, each once;"},
    {CONTEXT_KERNELS, "Own are those of the calls themselves. Sums are of torch's link alone: rows"},
    {CONTEXT_KERNELS, "that `correlation` or `around` (the op around the launch) gives are to go to."},
    {CONTEXT_PAIRS, "Arrows make the pairs, where the file has them; else the sequence number and"},
    {CONTEXT_PAIRS, "the forward thread, as torch has it. Times are of pairs; what has no other"},
    {CONTEXT_PAIRS, "end is counted, and timed, in columns of its own."},
    {CONTEXT_MODULES, "Backward is that of the forward ops in a module; what recomputes a forward"},
    {CONTEXT_MODULES, "inside of backward counts as backward."},
    {CONTEXT_QUALITY, "Always of the whole file. State: missing was not recorded; a note is to be"},
    {CONTEXT_QUALITY, "known; by a fault numbers are wrong or lost, and the trace is not clean."},
    {CONTEXT_QUALITY, "Enter goes to the events of a row in turn, c lists them."},
    {CONTEXT_EXPLAIN, "Lines with + less those with - are the number above, over the line with /."},
    {CONTEXT_EXPLAIN, "Others are not in it, or are to be known. Enter goes to the events in turn."},
};

static void add_rows_notes(struct help_view *view)
{
    bool any = false;
    for (size_t i = 0; i < sizeof rows_notes / sizeof *rows_notes; i++) {
        if (!(rows_notes[i].context & view->context))
            continue;
        if (!any) {
            array_push(&view->lines, (struct help_line){.heading = ""});
            array_push(&view->lines, (struct help_line){.heading = "The rows"});
        }
        any = true;
        array_push(&view->lines, (struct help_line){.heading = rows_notes[i].line, .plain = true});
    }
}

static void add_notes(struct help_view *view, const char *heading, const char *const *lines, size_t count)
{
    array_push(&view->lines, (struct help_line){.heading = ""});
    array_push(&view->lines, (struct help_line){.heading = heading});
    for (size_t i = 0; i < count; i++)
        array_push(&view->lines, (struct help_line){.heading = lines[i], .plain = true});
}

static void fill(struct help_view *view)
{
    array_push(&view->lines, (struct help_line){.heading = "Keys in this view; j k PgUp PgDn move, q goes back"});
    for (int group = 0; group < ACTION_GROUPS; group++) {
        bool any = false;
        for (unsigned i = 0; i < action_count; i++) {
            if (actions[i].group != group || !(actions[i].contexts & view->context))
                continue;
            if (!any) {
                array_push(&view->lines, (struct help_line){.heading = ""});
                array_push(&view->lines, (struct help_line){.heading = action_group_names[group]});
            }
            any = true;
            array_push(&view->lines, (struct help_line){.action = &actions[i]});
        }
    }
    add_rows_notes(view);
    if (view->context & CONTEXT_CHANGES)
        add_notes(view, "Marks and sums", notes_of_two, sizeof notes_of_two / sizeof *notes_of_two);
    else if (view->context & CONTEXT_TABLE)
        add_notes(view, "Sums", notes, sizeof notes / sizeof *notes);
}

static void draw(struct view *base, struct grid *grid, struct area area)
{
    struct help_view *view = (struct help_view *)(void *)base;
    struct list *list = &base->list;
    list->count = (uint32_t)view->lines.count;
    list->height = area.rows;
    list_fit(list);
    struct text keys = {0};
    int keys_width = area.columns >= 60 ? 18 : 12, name_width = area.columns >= 60 ? 17 : 0;
    for (int i = 0; i < area.rows && list->top + (uint32_t)i < list->count; i++) {
        const struct help_line *line = &view->lines.items[list->top + (uint32_t)i];
        int row = area.row + i, at = area.column + 1;
        if (line->action == NULL) {
            grid_text(grid, row, at, area.columns - 1, span_of(line->heading), UTF8_CUT_END,
                      line->plain ? ROLE_HELP_TEXT : ROLE_HELP_TITLE);
        } else {
            text_clear(&keys);
            bindings_add_keys(&base->app->bindings, line->action, &keys);
            grid_text(grid, row, at + 1, keys_width - 1, text_span(&keys), UTF8_CUT_END, ROLE_HELP_KEY);
            at += keys_width + 1;
            grid_text(grid, row, at, name_width, span_of(line->action->name), UTF8_CUT_END, ROLE_DIM);
            at += name_width;
            grid_text(grid, row, at, area.columns - at, span_of(line->action->help), UTF8_CUT_END, ROLE_HELP_TEXT);
        }
        if (list->top + (uint32_t)i == list->cursor)
            grid_role(grid, row, area.column, area.columns, ROLE_CURSOR);
    }
    text_free(&keys);
}

/* The whole sentence of the line under the cursor, as it may be cut in the list. */
static void status(struct view *base, struct text *out)
{
    struct help_view *view = (struct help_view *)(void *)base;
    const struct help_line *line = &view->lines.items[base->list.cursor];
    if (line->action != NULL)
        text_addf(out, "%s: %s", line->action->name, line->action->help);
    else
        text_addf(out, "line %u of %u", base->list.cursor + 1, base->list.count);
}

static void click(struct view *base, int row, int column)
{
    (void)column;
    uint32_t line = base->list.top + (uint32_t)(row - 1);
    if (row >= 1 && line < base->list.count)
        base->list.cursor = line;
}

static void free_view(struct view *base)
{
    struct help_view *view = (struct help_view *)(void *)base;
    array_free(&view->lines);
}

static const struct view_ops help_ops = {
    .name = "help",
    .context = CONTEXT_HELP,
    .draw = draw,
    .status = status,
    .click = click,
    .free = free_view,
};

void help_open(struct app *app)
{
    unsigned context = view_context(app->top);
    struct help_view *view = view_push(app, &help_ops, sizeof *view);
    view->context = context;
    fill(view);
    view->view.list.count = (uint32_t)view->lines.count;
}
