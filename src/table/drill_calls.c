/* Calls: every call of the subject, in order of time. */
#include <stdlib.h>

#include "drill_ops.h"
#include "keyavg/calls.h"
#include "keyavg/launches.h"

/* Rows are places in `calls`. */
struct model {
    uint32_t *calls;
    uint32_t count;
    struct spread spread; /* of their durations */
    int64_t *strip;       /* as asked for last */
    unsigned strip_cells, strip_filled;
};

static const struct model *model_of(const struct drill *drill)
{
    return drill->model;
}

static uint32_t call_of(const struct drill *drill, uint32_t id)
{
    return model_of(drill)->calls[id];
}

static void build(struct drill *drill)
{
    struct model *model = drill->model = memory_zero(1, sizeof *model);
    model->calls = drill_subject_events(drill->source, &drill->subject, &model->count);
    if (model->calls == NULL) {
        model->calls = memory_alloc(((size_t)drill->tree->count + 1) * sizeof *model->calls);
        for (uint32_t e = 0; e < drill->tree->count; e++)
            if (drill->table->averages->row_of[e] != NO_EVENT)
                model->calls[model->count++] = e;
    }
    model->spread = calls_spread(drill->trace, model->calls, model->count);
}

uint32_t drill_calls_count(const struct drill *drill)
{
    return model_of(drill)->count;
}

unsigned drill_calls_strip(const struct drill *drill, unsigned cells, const int64_t **places)
{
    struct model *model = drill->model;
    if (model->strip_cells != cells) {
        model->strip = memory_resize(model->strip, (size_t)cells + 1, sizeof *model->strip);
        model->strip_filled = calls_strip(drill->trace, model->calls, model->count, model->strip, cells);
        model->strip_cells = cells;
    }
    *places = model->strip;
    return model->strip_filled;
}

static void list(struct drill *drill)
{
    for (uint32_t i = 0; i < model_of(drill)->count; i++)
        drill_push(drill, i);
}

static void add_label(const struct drill *drill, uint32_t id, struct text *out)
{
    drill_add_event_name(drill, call_of(drill, id), out);
}

static void add_title(const struct drill *drill, struct text *out)
{
    const struct model *model = model_of(drill);
    text_addf(out, "   %u call%s ", model->count, model->count == 1 ? "" : "s");
    drill_add_time(drill, "min", model->spread.min, out);
    drill_add_time(drill, "p50", model->spread.p50, out);
    drill_add_time(drill, "p90", model->spread.p90, out);
    drill_add_time(drill, "max", model->spread.max, out);
}

#define CELL(name) static void name(const struct drill *drill, uint32_t id, struct value *out, struct text *scratch)

CELL(value_call)
{
    (void)drill, (void)scratch;
    set_integer(out, (int64_t)id + 1);
}

CELL(value_key)
{
    add_label(drill, id, scratch);
    set_text(out, text_span(scratch));
}

CELL(value_event)
{
    (void)scratch;
    set_integer(out, call_of(drill, id));
}

CELL(value_start)
{
    (void)scratch;
    if (!(drill->trace->events.flags[call_of(drill, id)] & EVENT_CLOCKLESS))
        set_integer(out, drill->trace->events.start[call_of(drill, id)] - drill->trace->base);
}

CELL(value_duration)
{
    (void)scratch;
    set_integer(out, drill->trace->events.duration[call_of(drill, id)]);
}

CELL(value_self)
{
    (void)scratch;
    if (!event_on_device(drill->trace, call_of(drill, id)))
        set_integer(out, amounts_get(&drill->tree->self_cpu, call_of(drill, id)));
}

CELL(value_device)
{
    (void)scratch;
    set_integer(out, amounts_get(&drill->tree->device_total, call_of(drill, id)));
}

CELL(value_delay)
{
    int64_t delay;
    (void)scratch;
    if (launches_delay(drill->trace, tree_launches(drill->tree), call_of(drill, id), &delay))
        set_integer(out, delay);
}

CELL(value_thread)
{
    drill_set_thread(drill, call_of(drill, id), out, scratch);
}

CELL(value_step)
{
    drill_set_step(drill, call_of(drill, id), out, scratch);
}

CELL(value_phase)
{
    (void)scratch;
    drill_set_phase(drill, call_of(drill, id), out);
}

CELL(value_shapes)
{
    (void)scratch;
    drill_set_shapes(drill, call_of(drill, id), out);
}

CELL(value_caller)
{
    uint32_t event = call_of(drill, id);
    uint32_t caller = event_on_device(drill->trace, event) ? tree_launches(drill->tree)->op[event]
                                                           : drill->tree->parent[event];
    if (caller == NO_EVENT)
        return;
    drill_add_event_name(drill, caller, scratch);
    set_text(out, text_span(scratch));
}

static const struct drill_cell cells[] = {
    {"call", false, value_call},
    {"key", true, value_key},
    {"start", false, value_start},
    {"duration", false, value_duration},
    {"self_cpu_time_total", false, value_self},
    {"device_time_total", false, value_device},
    {"launch_delay", false, value_delay},
    {"thread", false, value_thread},
    {"step", false, value_step},
    {"phase", false, value_phase},
    {"caller", false, value_caller},
    {"input_shapes", false, value_shapes},
    {"event", true, value_event},
};

static uint32_t event(const struct drill *drill, uint32_t id)
{
    return call_of(drill, id);
}

static uint32_t *events(const struct drill *drill, uint32_t id, uint32_t *count)
{
    uint32_t *one = memory_alloc(sizeof *one);
    *one = call_of(drill, id);
    *count = 1;
    return one;
}

static uint32_t row_of(const struct drill *drill, uint32_t of)
{
    const struct model *model = model_of(drill);
    uint32_t place = array_place(model->calls, model->count, of);
    return place < model->count && model->calls[place] == of ? place : NO_EVENT;
}

static bool share(const struct drill *drill, uint32_t id, const struct column *column, double *out)
{
    if (strcmp(column->name, "duration") != 0 || model_of(drill)->spread.max <= 0)
        return false;
    *out = (double)drill->trace->events.duration[call_of(drill, id)] / (double)model_of(drill)->spread.max;
    return true;
}

static void free_model(struct drill *drill)
{
    struct model *model = drill->model;
    free(model->calls);
    free(model->strip);
    free(model);
}

const struct drill_ops drill_calls_ops = {
    .cells = cells,
    .cell_count = CELL_COUNT(cells),
    .build = build,
    .list = list,
    .add_label = add_label,
    .add_title = add_title,
    .events = events,
    .event = event,
    .share = share,
    .row_of = row_of,
    .free = free_model,
};
