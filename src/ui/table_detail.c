/* The detail pane: all there is to know of the row under the cursor. */
#include <stdlib.h>

#include "keyavg/calls.h"
#include "keyavg/facet.h"
#include "keyavg/module.h"
#include "keyavg/names.h"
#include "keyavg/phase.h"
#include "keyavg/steps.h"
#include "rows.h"

/* One line; a value without a label goes over the whole width. */
struct detail_line {
    char *label;
    char *value;
    enum role role;
};

struct detail {
    ARRAY(struct detail_line) lines;
    struct table_view *view;
    struct table *table; /* of the trace that is told of */
    uint32_t row;        /* of the table */
    int width;
};

static char *copy(struct span text)
{
    return memory_copy_text(text.length > 0 ? text.bytes : "", text.length);
}

static void add(struct detail *detail, const char *label, struct span value, enum role role)
{
    array_push(&detail->lines, (struct detail_line){copy(span_of(label)), copy(value), role});
}

/* How much of a text fits a line: to where the last two blanks are, else to the last one, else to the edge. */
size_t line_fitting(struct span text, int room)
{
    size_t taken = 0, blank = 0, blanks = 0;
    int used = 0;
    while (taken < text.length) {
        uint32_t point;
        size_t step = utf8_decode(text.bytes + taken, text.length - taken, &point);
        used += utf8_point_width(point);
        if (used > room)
            return blanks > taken / 3 ? blanks : blank > taken / 2 ? blank : taken;
        taken += step;
        if (point != ' ')
            continue;
        blanks = blank == taken - 1 ? taken : blanks;
        blank = taken;
    }
    return taken;
}

/* A long text over several lines. */
static void add_wrapped(struct detail *detail, const char *label, struct span value, enum role role, int indent)
{
    struct text clean = {0};
    utf8_add_clean(&clean, value, detail->view->view.app->looks.ascii);
    struct span rest = text_span(&clean);
    int room = detail->width - indent > 8 ? detail->width - indent : 8;
    do {
        size_t taken = line_fitting(rest, room);
        add(detail, label, (struct span){rest.bytes, taken}, role);
        label = indent > 0 ? " " : "";
        rest = (struct span){rest.bytes + taken, rest.length - taken};
    } while (rest.length > 0);
    text_free(&clean);
}

enum { LABEL = 12 };

/* The stack that the row's first call had, all of it where it is part of the key, else its innermost frames. */
static void add_stack(struct detail *detail)
{
    const struct table *table = detail->table;
    const struct stack_node *nodes = table->trace->stacks.nodes;
    uint32_t node = table->tree->stack[table->averages->rows[detail->row].first];
    bool in_key = (table->query.grouping.parts & GROUP_STACK) != 0;
    int depth = in_key ? table->query.grouping.stack_depth : 3, shown = 0;
    const char *label = in_key ? "stack" : "first stack";
    for (; node != 0 && shown < depth; node = nodes[node].caller, shown++) {
        add(detail, label, strings_get(&table->trace->strings, nodes[node].frame), ROLE_TEXT);
        label = " ";
    }
    if (node == 0 || in_key)
        return;
    struct text more = {0};
    text_addf(&more, "and %u more", nodes[node].depth);
    add(detail, label, text_span(&more), ROLE_DIM);
    text_free(&more);
}

/* Whether a list of strings in JSON has one that is not empty. */
static bool says_something(struct span list)
{
    for (size_t i = 0; i < list.length; i++)
        if (strchr("[]\", ", list.bytes[i]) == NULL)
            return true;
    return false;
}

static void add_inputs(struct detail *detail)
{
    const struct trace *trace = detail->table->trace;
    uint32_t first = detail->table->averages->rows[detail->row].first;
    const struct inputs *inputs = &trace->inputs.items[trace->events.inputs[first]];
    bool in_key = (detail->table->query.grouping.parts & GROUP_SHAPE) != 0;
    if (inputs->dims != 0)
        add_wrapped(detail, in_key ? "shapes" : "first shapes", strings_get(&trace->strings, inputs->dims),
                    ROLE_TEXT, LABEL + 1);
    if (inputs->types != 0)
        add_wrapped(detail, "types", strings_get(&trace->strings, inputs->types), ROLE_TEXT, LABEL + 1);
    if (inputs->concrete != 0 && says_something(strings_get(&trace->strings, inputs->concrete)))
        add_wrapped(detail, "inputs", strings_get(&trace->strings, inputs->concrete), ROLE_DIM, LABEL + 1);
}

static void add_statistics(struct detail *detail)
{
    struct app *app = detail->view->view.app;
    const struct spread *spread = table_row_spread(detail->table, detail->row);
    enum time_unit unit = app->query.unit;
    struct text line = {0};
    const struct {
        const char *name;
        int64_t value;
    } parts[] = {{"min ", spread->min}, {"  p50 ", spread->p50}, {"  p90 ", spread->p90}, {"  p99 ", spread->p99},
                 {"  max ", spread->max}};
    for (int i = 0; i < 5; i++) {
        text_add_string(&line, parts[i].name);
        units_add_time(&line, parts[i].value, unit);
    }
    text_add_string(&line, app->looks.ascii ? "  dev " : "  \u03C3 ");
    units_add_time(&line, (int64_t)(spread->deviation + 0.5), unit);
    add_wrapped(detail, "calls", text_span(&line), ROLE_NUMBER, LABEL + 1);
    text_free(&line);
}

/* Heights as eighth blocks, the largest a whole one; nothing for 0. */
static void add_blocks(const struct app *app, const double *heights, unsigned count, struct text *out)
{
    static const char letters[] = "._-=+*%#";
    double most = 0;
    for (unsigned i = 0; i < count; i++)
        most = heights[i] > most ? heights[i] : most;
    for (unsigned i = 0; i < count; i++) {
        int eighths = most > 0 && heights[i] > 0 ? (int)(heights[i] / most * 8 + 0.5) : 0;
        char bytes[4];
        eighths = heights[i] > 0 && eighths < 1 ? 1 : eighths;
        if (eighths == 0)
            text_add_char(out, ' ');
        else if (app->looks.ascii)
            text_add_char(out, letters[eighths - 1]);
        else
            text_add(out, bytes, utf8_encode(0x2580u + (uint32_t)eighths, bytes));
    }
}

/* How the durations are spread, how they change over the recording and by step; first and longest call. */
static void add_shapes_of_time(struct detail *detail)
{
    enum { MOST = 48 };
    struct app *app = detail->view->view.app;
    const struct trace *trace = detail->table->trace;
    struct averages *averages = detail->table->averages;
    averages_need_calls(averages);
    const uint32_t *calls = averages->calls + averages->call_first[detail->row];
    uint32_t count = averages->call_first[detail->row + 1] - averages->call_first[detail->row], classes[MOST];
    unsigned cells = detail->width - LABEL - 1 < MOST ? (unsigned)(detail->width > LABEL + 9 ? detail->width - LABEL - 1 : 8)
                                                      : MOST;
    double heights[MOST];
    int64_t places[MOST] = {0};
    struct text line = {0};
    struct call_histogram histogram = calls_histogram(trace, calls, count, classes, 16);
    for (unsigned i = 0; i < 16; i++)
        heights[i] = classes[i];
    add_blocks(app, heights, 16, &line);
    add(detail, "histogram", text_span(&line), ROLE_BAR);
    text_clear(&line);
    units_add_time(&line, histogram.low, app->query.unit);
    text_add_string(&line, " to ");
    units_add_time(&line, histogram.high, app->query.unit);
    text_add_string(&line, ", log");
    add(detail, " ", text_span(&line), ROLE_NUMBER);
    text_clear(&line);
    unsigned filled = calls_strip(trace, calls, count, places, cells);
    for (unsigned i = 0; i < filled; i++)
        heights[i] = (double)places[i];
    add_blocks(app, heights, filled, &line);
    add(detail, "by call", text_span(&line), ROLE_BAR);
    uint32_t steps = steps_count(detail->table->tree);
    if (steps > 1) {
        struct step_sum *sums = calls_by_step(detail->table->tree, calls, count);
        text_clear(&line);
        unsigned shown = steps < cells ? steps : cells;
        for (unsigned i = 0; i < shown; i++)
            heights[i] = 0;
        uint32_t in_steps = 0;
        for (uint32_t s = 0; s < steps; s++) {
            heights[(uint64_t)s * shown / steps] += (double)sums[s + 1].cpu;
            in_steps += sums[s + 1].calls;
        }
        add_blocks(app, heights, shown, &line);
        text_addf(&line, "  %u steps", steps);
        if (in_steps > 0)
            add(detail, "by step", text_span(&line), ROLE_BAR);
        free(sums);
    }
    uint32_t worst = calls_worst(trace, calls, count);
    text_clear(&line);
    text_add_string(&line, "first ");
    units_add_time(&line, trace->events.duration[calls[0]], app->query.unit);
    text_add_string(&line, " (e opens it)  worst ");
    units_add_time(&line, trace->events.duration[worst], app->query.unit);
    text_add_string(&line, " (E)");
    add_wrapped(detail, "one call", text_span(&line), ROLE_NUMBER, LABEL + 1);
    text_free(&line);
}

/* Where the first call belongs. */
static void add_place(struct detail *detail)
{
    struct tree *tree = detail->table->tree;
    const struct average *average = &detail->table->averages->rows[detail->row];
    struct text line = {0};
    text_addf(&line, "%u call%s  %s", average->count, average->count == 1 ? "" : "s",
              phase_name((enum phase)tree_phases(tree)[average->first]));
    const struct steps *steps = tree_steps(tree);
    if (steps->of[average->first] != 0)
        text_addf(&line, "  first in step %lld", (long long)steps->numbers[steps->of[average->first] - 1]);
    uint32_t module = tree_modules(tree)[average->first];
    if (module != 0) {
        text_add_string(&line, "  module ");
        text_add_span(&line, strings_get(&tree->trace->strings, module));
    }
    add_wrapped(detail, "", text_span(&line), ROLE_TEXT, 0);
    text_free(&line);
}

/* Attributes that torch takes from the first call of a row, or leaves empty where they are no part of its key: what
 * they are for that call. */
static bool add_of_first_call(const struct table *table, uint32_t row, const struct column *column, struct text *out)
{
    const struct trace *trace = table->trace;
    uint32_t first = table->averages->rows[row].first;
    const struct inputs *inputs = &trace->inputs.items[trace->events.inputs[first]];
    uint32_t node = table->tree->stack[first];
    if (strcmp(column->name, "input_shapes") == 0 && inputs->torch_dims != 0) {
        text_add_span(out, strings_get(&trace->strings, inputs->torch_dims));
    } else if (strcmp(column->name, "overload_name") == 0 && event_overload(trace, first) != 0) {
        text_add_span(out, strings_get(&trace->strings, event_overload(trace, first)));
    } else if (strcmp(column->name, "stack") == 0 && node != 0) {
        text_add_span(out, strings_get(&trace->strings, trace->stacks.nodes[node].frame));
        if (trace->stacks.nodes[node].depth > 1)
            text_addf(out, " +%u", trace->stacks.nodes[node].depth - 1);
    } else {
        return false;
    }
    text_add_string(out, " (first call's)");
    return true;
}

/* All attributes, several in a line where there is room. */
static void add_attributes(struct detail *detail)
{
    enum { CELL = 38, TITLE = 19 };
    struct app *app = detail->view->view.app;
    struct text line = {0}, cell = {0};
    int per_line = detail->width / CELL > 0 ? detail->width / CELL : 1, at = 0;
    add(detail, "", span_of("FunctionEventAvg"), ROLE_PANE_TITLE);
    for (unsigned i = 0; i < column_count; i++) {
        const struct column *column = &columns[i];
        if (!column->attribute && strcmp(column->name, "outermost_cpu_time_total") != 0)
            continue;
        struct value value;
        table_value(detail->table, detail->row, column, &value, &detail->view->scratch);
        text_clear(&cell);
        text_addf(&cell, "%-*s ", TITLE + 5, column->name);
        bool nothing = value.kind == VALUE_TEXT && value.text.length == 0;
        if (!nothing || !add_of_first_call(detail->table, detail->row, column, &cell))
            column_add_text(column, &value, app->query.unit, &cell);
        bool of_first = strcmp(column->name, "cpu_children") == 0 || strcmp(column->name, "cpu_parent") == 0;
        if (of_first && !nothing && detail->table->averages->rows[detail->row].count > 1)
            text_add_string(&cell, " (first call's)");
        bool wide = utf8_width(text_span(&cell)) >= CELL;
        if ((wide || at == per_line) && line.length > 0) {
            add(detail, "", text_span(&line), ROLE_TEXT);
            text_clear(&line);
            at = 0;
        }
        if (wide) {
            add_wrapped(detail, "", text_span(&cell), ROLE_TEXT, 0);
            continue;
        }
        text_add_span(&line, text_span(&cell));
        text_add_repeat(&line, ' ', CELL - utf8_width(text_span(&cell)));
        at++;
    }
    if (line.length > 0)
        add(detail, "", text_span(&line), ROLE_TEXT);
    text_free(&line);
    text_free(&cell);
}

/* -- Two traces ---------------------------------------------------------------------------------------------------- */

/* How many columns that tell a change there is room for. */
enum { CHANGE_CELL = 12 };

static unsigned changes_that_fit(const struct detail *detail)
{
    enum { MOST = FACET_BY_CALL - FACET_BASE + 1 };
    int room = (detail->width - LABEL - 1) / CHANGE_CELL;
    return room < 1 ? 1 : room > MOST ? MOST : (unsigned)room;
}

static void add_cell(struct text *line, struct span cell)
{
    text_add_repeat(line, ' ', cell.length < CHANGE_CELL ? CHANGE_CELL - cell.length : 1);
    text_add_span(line, cell);
}

static void add_change_titles(struct detail *detail)
{
    struct text line = {0};
    for (unsigned i = 0; i < changes_that_fit(detail); i++)
        add_cell(&line, span_of(facet_entries[FACET_BASE + i].title));
    add(detail, " ", text_span(&line), ROLE_PANE_LABEL);
    text_free(&line);
}

/* A number of both sides: base, new, change, ratio, what the change is made of, as far as there is room. */
static void add_change(struct detail *detail, uint32_t row, const struct column *column)
{
    const struct app *app = detail->view->view.app;
    struct text line = {0}, cell = {0};
    for (unsigned i = 0; i < changes_that_fit(detail); i++) {
        const struct column *facet = facet_column(column, (enum facet)(FACET_BASE + i));
        struct value value;
        text_clear(&cell);
        if (facet == NULL)
            continue;
        compare_value(app->compare, row, facet, &value, &detail->view->scratch);
        column_add_text(facet, &value, app->query.unit, &cell);
        add_cell(&line, text_span(&cell));
    }
    text_clear(&cell);
    column_add_title_of(column, table_device_name(rows_device_table(app)), &cell);
    array_push(&detail->lines,
               (struct detail_line){copy(text_span(&cell)), copy(text_span(&line)), ROLE_NUMBER});
    text_free(&line);
    text_free(&cell);
}

static void add_changes(struct detail *detail, uint32_t row)
{
    const struct app *app = detail->view->view.app;
    struct value value;
    struct text line = {0};
    compare_value(app->compare, row, column_find(span_of("renamed_to")), &value, &detail->view->scratch);
    if (value.text.length > 0)
        add_wrapped(detail, "renamed to", value.text, ROLE_PANE_TITLE, LABEL + 1);
    compare_value(app->compare, row, column_find(span_of("change")), &value, &detail->view->scratch);
    text_add_string(&line, span_is(value.text, "new")    ? "the base does not have it"
                           : span_is(value.text, "gone") ? "the new trace does not have it"
                           : span_is(value.text, "~")    ? "the change lies within the spread of the calls"
                                                         : "");
    if (line.length > 0)
        add_wrapped(detail, "", text_span(&line), ROLE_TEXT, 0);
    add_change_titles(detail);
    for (unsigned i = 0; i < column_count; i++)
        if (column_measure(&columns[i]) >= 0 && rows_have_column(app, &columns[i]))
            add_change(detail, row, &columns[i]);
    for (int s = 0; s < COMPARE_SIDES; s++) {
        uint32_t group = app->compare->rows[row].group[s];
        if (group == NO_ROW)
            continue;
        detail->table = app->compare->sides[s].table;
        detail->row = app->compare->sides[s].row_of[group];
        add(detail, "", span_of(s == COMPARE_BASE ? "base" : "new"), ROLE_PANE_TITLE);
        add_place(detail);
        add_inputs(detail);
        add_stack(detail);
        add_statistics(detail);
        add_shapes_of_time(detail);
    }
    text_free(&line);
}

/* -- Drawing ------------------------------------------------------------------------------------------------------- */

static void fill(struct detail *detail, uint32_t row)
{
    struct app *app = detail->view->view.app;
    struct text name = {0};
    rows_add_label(app, row, &name);
    add_wrapped(detail, "", text_span(&name), ROLE_PANE_TITLE, 0);
    text_free(&name);
    if (app->compare != NULL) {
        add_changes(detail, row);
        return;
    }
    detail->table = app->table;
    detail->row = row;
    add_place(detail);
    add_inputs(detail);
    add_stack(detail);
    add_statistics(detail);
    add_shapes_of_time(detail);
    add_attributes(detail);
}

void table_detail_draw(struct table_view *view, struct grid *grid, struct area area)
{
    struct detail detail = {.view = view, .width = area.columns};
    uint32_t row = table_view_row(view);
    if (row == UINT32_MAX || area.rows <= 0)
        return;
    fill(&detail, row);
    int count = (int)detail.lines.count;
    if (view->detail_top > count - area.rows)
        view->detail_top = count > area.rows ? count - area.rows : 0;
    for (int i = 0; i < area.rows && view->detail_top + i < count; i++) {
        const struct detail_line *line = &detail.lines.items[view->detail_top + i];
        int at = area.column, room = area.columns;
        if (*line->label != 0) {
            grid_text(grid, area.row + i, at, LABEL, span_of(line->label), UTF8_CUT_END, ROLE_PANE_LABEL);
            at += LABEL + 1;
            room -= LABEL + 1;
        }
        grid_text(grid, area.row + i, at, room, span_of(line->value), UTF8_CUT_MIDDLE, line->role);
    }
    if (view->detail_top + area.rows < count)
        grid_point(grid, area.row + area.rows - 1, area.column + area.columns - 1, 0x25BE, 'v', ROLE_DIM);
    for (int i = 0; i < count; i++) {
        free(detail.lines.items[i].label);
        free(detail.lines.items[i].value);
    }
    array_free(&detail.lines);
}
