/* Focus: callers, the row, callees, and the kernels under them. */
#include <stdlib.h>

#include "drill_ops.h"
#include "keyavg/focus.h"
#include "keyavg/kernels.h"

/* Rows are numbered part by part. */
struct model {
    uint32_t *calls;
    uint32_t call_count;
    struct focus *focus;
    struct kernels *kernels;
    uint32_t first[FOCUS_PARTS + 1];
};

const char *const focus_part_names[FOCUS_PARTS] = {"callers", "row", "callees", "kernels"};

static const struct model *model_of(const struct drill *drill)
{
    return drill->model;
}

static void build(struct drill *drill)
{
    struct model *model = drill->model = memory_zero(1, sizeof *model);
    model->calls = drill_subject_events(drill->source, &drill->subject, &model->call_count);
    if (model->calls == NULL) {
        model->call_count = drill->tree->count;
        model->calls = memory_alloc(((size_t)model->call_count + 1) * sizeof *model->calls);
        for (uint32_t e = 0; e < model->call_count; e++)
            model->calls[e] = e;
    }
    model->focus = focus_build(drill->keys, model->calls, model->call_count, drill->settings.fold_python);
    if (drill_on_device(drill))
        model->kernels = kernels_of_calls(drill->tree, model->calls, model->call_count);
    const uint32_t counts[FOCUS_PARTS] = {model->focus->caller_count, 1, model->focus->callee_count,
                                          model->kernels != NULL ? model->kernels->count : 0};
    for (int part = 0; part < FOCUS_PARTS; part++)
        model->first[part + 1] = model->first[part] + counts[part];
}

static enum focus_part part_of(const struct model *model, uint32_t id)
{
    int part = 0;
    while (part + 1 < FOCUS_PARTS && id >= model->first[part + 1])
        part++;
    return (enum focus_part)part;
}

enum focus_part drill_focus_part(const struct drill *drill, uint32_t row)
{
    return part_of(model_of(drill), row);
}

/* A caller or callee, NULL for the rest. */
static const struct focus_row *side_of(const struct drill *drill, uint32_t id)
{
    const struct model *model = model_of(drill);
    switch (part_of(model, id)) {
    case FOCUS_CALLERS: return &model->focus->callers[id - model->first[FOCUS_CALLERS]];
    case FOCUS_CALLEES: return &model->focus->callees[id - model->first[FOCUS_CALLEES]];
    default: return NULL;
    }
}

static const struct kernel_row *kernel_of(const struct drill *drill, uint32_t id)
{
    const struct model *model = model_of(drill);
    return part_of(model, id) == FOCUS_KERNELS ? &model->kernels->rows[id - model->first[FOCUS_KERNELS]] : NULL;
}

static void list(struct drill *drill)
{
    const struct model *model = model_of(drill);
    struct text scratch = {0};
    int64_t limit = drill->settings.row_limit;
    for (int part = 0; part < FOCUS_PARTS; part++) {
        size_t first = drill->rows.count;
        for (uint32_t id = model->first[part]; id < model->first[part + 1]; id++) {
            if (part == FOCUS_ROW || drill_passes(drill, id, &scratch))
                drill_push(drill, id);
            else
                drill->filtered++;
        }
        size_t count = drill->rows.count - first;
        drill_sort_rows(drill, first, count);
        if (limit >= 0 && part != FOCUS_ROW && count > (size_t)limit) {
            drill->left_out += (uint32_t)(count - (size_t)limit);
            drill->rows.count = first + (size_t)limit;
        }
    }
    text_free(&scratch);
}

static void add_label(const struct drill *drill, uint32_t id, struct text *out)
{
    const struct focus_row *side = side_of(drill, id);
    const struct kernel_row *kernel = kernel_of(drill, id);
    const struct drill_subject *subject = &drill->subject;
    if (side != NULL && side->kind == FOCUS_KEY)
        drill_add_key(drill, side->key, out);
    else if (side != NULL)
        text_add_string(out, focus_kind_name((enum focus_kind)side->kind));
    else if (kernel != NULL && kernel->kind == KERNEL_NAMED)
        text_add_span(out, strings_get(&drill->trace->strings, kernel->name));
    else if (kernel != NULL)
        text_add_string(out, kernel_kind_name((enum kernel_kind)kernel->kind));
    else if (subject->about == DRILL_OF_KEY)
        drill_add_key(drill, drill->keys->of[tree_row_event(drill->tree, subject->event)], out);
    else
        text_add_string(out, subject->name != NULL ? subject->name : "all calls");
}

static void add_title(const struct drill *drill, struct text *out)
{
    const struct focus *focus = model_of(drill)->focus;
    text_addf(out, "   %u call%s ", focus->calls, focus->calls == 1 ? "" : "s");
    drill_add_time(drill, "CPU total", focus->cpu_total, out);
    drill_add_time(drill, "self", focus->self_cpu, out);
    if (focus->device_total != 0) {
        text_addf(out, "  %s total ", table_device_name(drill->table));
        units_add_time(out, focus->device_total, drill->table->query.unit);
    }
}

/* -- Cells ------------------------------------------------------------------------------------------------------- */

static void value_key(const struct drill *drill, uint32_t id, struct value *out, struct text *scratch)
{
    add_label(drill, id, scratch);
    set_text(out, text_span(scratch));
}

static void value_part(const struct drill *drill, uint32_t id, struct value *out, struct text *scratch)
{
    static const char *const words[FOCUS_PARTS] = {"caller", "row", "callee", "kernel"};
    (void)scratch;
    set_text(out, span_of(words[drill_focus_part(drill, id)]));
}

static void value_count(const struct drill *drill, uint32_t id, struct value *out, struct text *scratch)
{
    const struct focus_row *side = side_of(drill, id);
    const struct kernel_row *kernel = kernel_of(drill, id);
    (void)scratch;
    set_integer(out, side != NULL ? side->calls : kernel != NULL ? kernel->count : model_of(drill)->focus->calls);
}

static void value_cpu(const struct drill *drill, uint32_t id, struct value *out, struct text *scratch)
{
    const struct focus_row *side = side_of(drill, id);
    (void)scratch;
    if (kernel_of(drill, id) == NULL)
        set_integer(out, side != NULL ? side->cpu : model_of(drill)->focus->cpu_total);
}

static void value_self_cpu(const struct drill *drill, uint32_t id, struct value *out, struct text *scratch)
{
    (void)scratch;
    if (drill_focus_part(drill, id) == FOCUS_ROW)
        set_integer(out, model_of(drill)->focus->self_cpu);
}

static int64_t device_of(const struct drill *drill, uint32_t id)
{
    const struct focus_row *side = side_of(drill, id);
    const struct kernel_row *kernel = kernel_of(drill, id);
    return side != NULL ? side->device : kernel != NULL ? kernel->total : model_of(drill)->focus->device_total;
}

static void value_device(const struct drill *drill, uint32_t id, struct value *out, struct text *scratch)
{
    (void)scratch;
    set_integer(out, device_of(drill, id));
}

static void value_self_device(const struct drill *drill, uint32_t id, struct value *out, struct text *scratch)
{
    const struct kernel_row *kernel = kernel_of(drill, id);
    (void)scratch;
    if (kernel != NULL)
        set_integer(out, kernel->own);
    else if (drill_focus_part(drill, id) == FOCUS_ROW)
        set_integer(out, model_of(drill)->focus->self_device);
}

static void value_cpu_share(const struct drill *drill, uint32_t id, struct value *out, struct text *scratch)
{
    struct value cpu = {.kind = VALUE_UNKNOWN};
    const struct focus *focus = model_of(drill)->focus;
    if (drill_focus_part(drill, id) == FOCUS_ROW)
        return;
    value_cpu(drill, id, &cpu, scratch);
    if (cpu.kind == VALUE_INTEGER)
        set_ratio(out, cpu.integer, focus->cpu_total);
}

static void value_device_share(const struct drill *drill, uint32_t id, struct value *out, struct text *scratch)
{
    (void)scratch;
    const struct kernel_row *kernel = kernel_of(drill, id);
    if (drill_focus_part(drill, id) != FOCUS_ROW && (kernel == NULL || kernel->counted))
        set_ratio(out, device_of(drill, id), model_of(drill)->focus->device_total);
}

static void value_link(const struct drill *drill, uint32_t id, struct value *out, struct text *scratch)
{
    const struct focus_row *side = side_of(drill, id);
    const struct kernel_row *kernel = kernel_of(drill, id);
    enum launch_rule rule = (enum launch_rule)(side != NULL ? side->rule : kernel != NULL ? kernel->rule : LAUNCH_NONE);
    (void)scratch;
    if (rule != LAUNCH_NONE)
        set_text(out, span_of(launch_rule_name(rule)));
}

static const struct drill_cell cells[] = {
    {"part", false, value_part},
    {"key", false, value_key},
    {"count", false, value_count},
    {"cpu_time_total", false, value_cpu},
    {"cpu_share", false, value_cpu_share},
    {"device_time_total", false, value_device},
    {"device_share", false, value_device_share},
    {"self_cpu_time_total", false, value_self_cpu},
    {"self_device_time_total", false, value_self_device},
    {"link", true, value_link},
};

/* -- Rows -------------------------------------------------------------------------------------------------------- */

static uint32_t *copy_events(const uint32_t *events, uint32_t count)
{
    uint32_t *copy = memory_alloc(((size_t)count + 1) * sizeof *copy);
    if (count > 0)
        memcpy(copy, events, count * sizeof *copy);
    return copy;
}

static uint32_t *events(const struct drill *drill, uint32_t id, uint32_t *count)
{
    const struct model *model = model_of(drill);
    const struct focus_row *side = side_of(drill, id);
    const struct kernel_row *kernel = kernel_of(drill, id);
    if (side != NULL && side->kind == FOCUS_KEY)
        return keys_chosen_calls(drill->keys, drill->table->averages, side->key, count);
    if (side != NULL)
        return memory_alloc(0);
    if (kernel != NULL) {
        *count = kernel->count;
        return copy_events(model->kernels->events + kernel->first, kernel->count);
    }
    *count = model->call_count;
    return copy_events(model->calls, model->call_count);
}

static uint32_t key(const struct drill *drill, uint32_t id)
{
    const struct focus_row *side = side_of(drill, id);
    const struct drill_subject *subject = &drill->subject;
    if (side != NULL && side->kind == FOCUS_KEY)
        return side->key;
    return drill_focus_part(drill, id) == FOCUS_ROW && subject->about == DRILL_OF_KEY
               ? drill->keys->of[tree_row_event(drill->tree, subject->event)]
               : NO_EVENT;
}

static uint32_t event(const struct drill *drill, uint32_t id)
{
    const struct model *model = model_of(drill);
    const struct focus_row *side = side_of(drill, id);
    const struct kernel_row *kernel = kernel_of(drill, id);
    if (side != NULL)
        return side->first;
    if (kernel != NULL)
        return kernel->count > 0 ? model->kernels->events[kernel->first] : NO_EVENT;
    return model->call_count > 0 ? model->calls[0] : NO_EVENT;
}

static bool share(const struct drill *drill, uint32_t id, const struct column *column, double *out)
{
    const struct focus *focus = model_of(drill)->focus;
    struct value value = {.kind = VALUE_UNKNOWN};
    bool device = strstr(column->name, "device") != NULL;
    int64_t base = device ? focus->device_total : focus->cpu_total;
    struct text scratch = {0};
    if (column->unit != UNIT_TIME || base <= 0)
        return false;
    drill_value(drill, id, column, &value, &scratch);
    text_free(&scratch);
    *out = value.kind == VALUE_INTEGER ? (double)value.integer / (double)base : 0;
    return value.kind == VALUE_INTEGER;
}

static void free_model(struct drill *drill)
{
    struct model *model = drill->model;
    free(model->calls);
    focus_free(model->focus);
    if (model->kernels != NULL)
        kernels_free(model->kernels);
    free(model);
}

const struct drill_ops drill_focus_ops = {
    .cells = cells,
    .cell_count = CELL_COUNT(cells),
    .build = build,
    .list = list,
    .own_order = true,
    .add_label = add_label,
    .add_title = add_title,
    .events = events,
    .event = event,
    .key = key,
    .share = share,
    .free = free_model,
};
