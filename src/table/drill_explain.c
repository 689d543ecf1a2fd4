/* Explain: where one cell of the table comes from, one line of its sum a row. */
#include <stdlib.h>

#include "drill_ops.h"
#include "keyavg/explain.h"

struct model {
    struct explanation explanation;
};

static const struct explain_line *line_of(const struct drill *drill, uint32_t id)
{
    return &((const struct model *)drill->model)->explanation.lines.items[id];
}

/* The row of the subject: of a key, or of the one event that it is. */
static uint32_t row_of(const struct drill *drill)
{
    const struct drill_subject *subject = &drill->subject;
    uint32_t event = subject->about == DRILL_OF_KEY ? subject->event
                     : subject->about == DRILL_OF_EVENTS && subject->count > 0 ? subject->events[0]
                                                                              : NO_EVENT;
    return event != NO_EVENT ? drill->table->averages->row_of[tree_row_event(drill->tree, event)] : NO_EVENT;
}

static void build(struct drill *drill)
{
    struct model *model = drill->model = memory_zero(1, sizeof *model);
    uint32_t row = row_of(drill);
    if (row != NO_EVENT && drill->settings.explain != NULL)
        explain_cell(drill->table, row, drill->settings.explain, &model->explanation);
}

static void list(struct drill *drill)
{
    const struct model *model = drill->model;
    for (uint32_t i = 0; i < model->explanation.lines.count; i++)
        drill_push(drill, i);
}

static void add_label(const struct drill *drill, uint32_t id, struct text *out)
{
    static const char *const before[EXPLAIN_SIGNS] = {"", "+ ", "- ", "/ ", "  not in it: ", "  "};
    text_addf(out, "%s%s", before[line_of(drill, id)->sign], line_of(drill, id)->title);
}

static void add_title(const struct drill *drill, struct text *out)
{
    struct text title = {0};
    if (drill->settings.explain == NULL)
        return;
    column_add_title(drill->settings.explain, drill->table, &title);
    text_addf(out, "   %s", title.bytes);
    text_free(&title);
}

/* -- Cells --------------------------------------------------------------------------------------------------------- */

#define CELL(name) static void name(const struct drill *drill, uint32_t id, struct value *out, struct text *scratch)

CELL(value_key)
{
    add_label(drill, id, scratch);
    set_text(out, text_span(scratch));
}

CELL(value_found)
{
    const struct explain_line *line = line_of(drill, id);
    column_add_text(line->column, &line->value, drill->table->query.unit, scratch);
    set_text(out, text_span(scratch));
}

CELL(value_events)
{
    (void)scratch;
    if (line_of(drill, id)->event_count > 0)
        set_integer(out, line_of(drill, id)->event_count);
}

CELL(value_advice)
{
    (void)scratch;
    set_text(out, span_of(line_of(drill, id)->advice));
}

CELL(value_term)
{
    (void)scratch;
    set_text(out, span_of(explain_sign_names[line_of(drill, id)->sign]));
}

/* ns, bytes, numbers; shares in per cent. */
CELL(value_amount)
{
    const struct explain_line *line = line_of(drill, id);
    (void)scratch;
    if (line->value.kind == VALUE_TEXT)
        return;
    *out = line->value;
    if (line->column->unit == UNIT_SHARE && out->kind == VALUE_RATIO) {
        if (__builtin_mul_overflow(out->integer, 100, &out->integer))
            *out = (struct value){
                .kind = VALUE_RATIO, .integer = line->value.integer, .over = line->value.over / 100 + 1};
    } else if (out->kind == VALUE_REAL) {
        set_integer(out, (int64_t)(out->real < 9e18 ? out->real : 9e18));
    }
}

CELL(value_unit)
{
    const struct column *column = line_of(drill, id)->column;
    (void)scratch;
    set_text(out, span_of(column->unit == UNIT_TIME    ? "ns"
                          : column->unit == UNIT_SHARE ? "percent"
                                                       : column_unit_name(column)));
}

CELL(value_event)
{
    (void)scratch;
    if (line_of(drill, id)->event_count > 0)
        set_integer(out, line_of(drill, id)->events[0]);
}

static const struct drill_cell cells[] = {
    {"key", false, value_key},     {"found", false, value_found},   {"events", false, value_events},
    {"advice", false, value_advice}, {"term", true, value_term},    {"amount", true, value_amount},
    {"unit", true, value_unit},    {"event", true, value_event},
};

/* -- What rows lead to --------------------------------------------------------------------------------------------- */

static uint32_t event(const struct drill *drill, uint32_t id)
{
    return line_of(drill, id)->event_count > 0 ? line_of(drill, id)->events[0] : NO_EVENT;
}

static uint32_t *events(const struct drill *drill, uint32_t id, uint32_t *count)
{
    const struct explain_line *line = line_of(drill, id);
    *count = line->event_count;
    return drill_copy_events(line->events, line->event_count);
}

static void free_model(struct drill *drill)
{
    struct model *model = drill->model;
    explanation_free(&model->explanation);
    free(model);
}

const struct drill_ops drill_explain_ops = {
    .cells = cells,
    .cell_count = CELL_COUNT(cells),
    .build = build,
    .list = list,
    .add_label = add_label,
    .add_title = add_title,
    .events = events,
    .event = event,
    .free = free_model,
};
