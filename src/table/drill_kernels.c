/* Kernels: what the subject's calls launched, by kernel name. */
#include <stdlib.h>

#include "drill_ops.h"
#include "keyavg/kernels.h"

/* What the file tells of a row's first launch; read when it is first asked for. */
struct launch {
    bool known;
    struct text text;
    struct kernel_args args; /* in `text` */
};

struct model {
    struct kernels *kernels;
    struct launch *launches; /* by row */
};

static const struct model *model_of(const struct drill *drill)
{
    return drill->model;
}

static const struct kernel_row *row_of_id(const struct drill *drill, uint32_t id)
{
    return &model_of(drill)->kernels->rows[id];
}

static bool all_on_device(const struct drill *drill, const uint32_t *events, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!event_on_device(drill->trace, events[i]))
            return false;
    return count > 0;
}

static void build(struct drill *drill)
{
    struct model *model = drill->model = memory_zero(1, sizeof *model);
    uint32_t count;
    uint32_t *events = drill_subject_events(drill->source, &drill->subject, &count);
    if (events == NULL)
        model->kernels = kernels_of_file(drill->tree);
    else if (all_on_device(drill, events, count))
        model->kernels = kernels_of_events(drill->tree, events, count);
    else
        model->kernels = kernels_of_calls(drill->tree, events, count);
    kernels_measure(drill->tree, model->kernels);
    model->launches = memory_zero((size_t)model->kernels->count + 1, sizeof *model->launches);
    free(events);
}

static void list(struct drill *drill)
{
    for (uint32_t i = 0; i < model_of(drill)->kernels->count; i++)
        drill_push(drill, i);
}

static void add_label(const struct drill *drill, uint32_t id, struct text *out)
{
    const struct kernel_row *row = row_of_id(drill, id);
    if (row->kind == KERNEL_NAMED)
        text_add_span(out, strings_get(&drill->trace->strings, row->name));
    else
        text_add_string(out, kernel_kind_name((enum kernel_kind)row->kind));
}

static void add_title(const struct drill *drill, struct text *out)
{
    const struct kernels *kernels = model_of(drill)->kernels;
    text_addf(out, "   %s ", table_device_name(drill->table));
    drill_add_time(drill, "total", kernels->total, out);
    drill_add_time(drill, "own", kernels->own, out);
}

/* Packed text is unpacked from its start for each row: only where that takes no time that is felt, or it was asked
 * for. */
static const struct kernel_args *launch_of(const struct drill *drill, uint32_t id)
{
    enum { SMALL = 4 << 20 };
    const struct model *model = model_of(drill);
    struct launch *launch = &model->launches[id];
    const struct kernel_row *row = row_of_id(drill, id);
    struct error error;
    bool cheap = drill->trace->packing == 0 || drill->trace->text_bytes < SMALL || drill->settings.columns != NULL;
    if (!launch->known && cheap && row->kind != KERNEL_MISSING && row->count > 0 &&
        trace_event_text(drill->trace, model->kernels->events[row->first], NULL, NULL, &launch->text, &error))
        kernel_args_read(text_span(&launch->text), &launch->args);
    launch->known = true;
    return &launch->args;
}

#define CELL(name) static void name(const struct drill *drill, uint32_t id, struct value *out, struct text *scratch)

CELL(value_key)
{
    add_label(drill, id, scratch);
    set_text(out, text_span(scratch));
}

CELL(value_count)
{
    (void)scratch;
    set_integer(out, row_of_id(drill, id)->count);
}

CELL(value_total)
{
    (void)scratch;
    if (row_of_id(drill, id)->kind != KERNEL_MISSING)
        set_integer(out, row_of_id(drill, id)->total);
}

CELL(value_own)
{
    (void)scratch;
    if (row_of_id(drill, id)->counted && row_of_id(drill, id)->kind != KERNEL_MISSING)
        set_integer(out, row_of_id(drill, id)->own);
}

CELL(value_share)
{
    (void)scratch;
    if (row_of_id(drill, id)->counted && row_of_id(drill, id)->kind != KERNEL_MISSING)
        set_ratio(out, row_of_id(drill, id)->total, model_of(drill)->kernels->total);
}

CELL(value_mean)
{
    (void)scratch;
    if (row_of_id(drill, id)->kind != KERNEL_MISSING)
        set_ratio(out, row_of_id(drill, id)->total, row_of_id(drill, id)->count);
}

CELL(value_min)
{
    (void)scratch;
    set_integer(out, row_of_id(drill, id)->min);
}

CELL(value_p90)
{
    (void)scratch;
    set_integer(out, row_of_id(drill, id)->p90);
}

CELL(value_max)
{
    (void)scratch;
    set_integer(out, row_of_id(drill, id)->max);
}

CELL(value_lane)
{
    const struct kernel_row *row = row_of_id(drill, id);
    if (row->lanes == 0 || row->kind == KERNEL_MISSING)
        return;
    const struct lane *lane = &drill->trace->lanes.items[row->lane];
    text_add_string(scratch, table_device_name(drill->table));
    if (lane->device >= 0)
        text_addf(scratch, " %d", (int)lane->device);
    if (lane->stream != 0) {
        text_add_char(scratch, '/');
        text_add_span(scratch, strings_get(&drill->trace->strings, lane->stream));
    }
    if (row->lanes > 1)
        text_addf(scratch, " +%u", row->lanes - 1);
    set_text(out, text_span(scratch));
}

CELL(value_delay_mean)
{
    (void)scratch;
    set_ratio(out, row_of_id(drill, id)->delay_total, row_of_id(drill, id)->delays);
}

CELL(value_delay_max)
{
    (void)scratch;
    if (row_of_id(drill, id)->delays > 0)
        set_integer(out, row_of_id(drill, id)->delay_max);
}

CELL(value_link)
{
    enum launch_rule rule = (enum launch_rule)row_of_id(drill, id)->rule;
    (void)scratch;
    if (rule != LAUNCH_NONE && row_of_id(drill, id)->kind == KERNEL_NAMED)
        set_text(out, span_of(launch_rule_name(rule)));
}

#define ARGUMENT(cell, member)                                                                                         \
    CELL(cell)                                                                                                         \
    {                                                                                                                  \
        const struct kernel_args *args = launch_of(drill, id);                                                         \
        (void)scratch;                                                                                                 \
        if (args->member.length > 0)                                                                                   \
            set_text(out, args->member);                                                                               \
    }

ARGUMENT(value_grid, grid)
ARGUMENT(value_block, block)
ARGUMENT(value_registers, registers)
ARGUMENT(value_shared, shared_memory)
ARGUMENT(value_occupancy, occupancy)

CELL(value_graph)
{
    const struct kernel_args *args = launch_of(drill, id);
    if (args->graph_id.length == 0 && args->annotated_stream.length == 0)
        return;
    text_add_span(scratch, args->graph_id);
    if (args->graph_node.length > 0) {
        text_add_char(scratch, '/');
        text_add_span(scratch, args->graph_node);
    }
    if (args->annotated_stream.length > 0) {
        text_add_string(scratch, " stream ");
        text_add_span(scratch, args->annotated_stream);
    }
    set_text(out, text_span(scratch));
}

static const struct drill_cell cells[] = {
    {"key", false, value_key},
    {"count", false, value_count},
    {"device_time_total", false, value_total},
    {"device_share", false, value_share},
    {"own_device_time", false, value_own},
    {"device_time", false, value_mean},
    {"p90", false, value_p90},
    {"max", false, value_max},
    {"min", true, value_min},
    {"lane", false, value_lane},
    {"delay_mean", false, value_delay_mean},
    {"delay_max", true, value_delay_max},
    {"grid", false, value_grid},
    {"block", false, value_block},
    {"link", false, value_link},
    {"registers", true, value_registers},
    {"shared_memory", true, value_shared},
    {"occupancy", true, value_occupancy},
    {"graph", true, value_graph},
};

static uint32_t *events(const struct drill *drill, uint32_t id, uint32_t *count)
{
    const struct kernel_row *row = row_of_id(drill, id);
    uint32_t *copy = memory_alloc(((size_t)row->count + 1) * sizeof *copy);
    memcpy(copy, model_of(drill)->kernels->events + row->first, row->count * sizeof *copy);
    *count = row->count;
    return copy;
}

uint32_t *drill_kernel_ops(const struct drill *drill, uint32_t row, uint32_t *count)
{
    const struct kernels *kernels = model_of(drill)->kernels;
    return kernels_ops(drill->tree, kernels, &kernels->rows[row], count);
}

static uint32_t event(const struct drill *drill, uint32_t id)
{
    const struct kernel_row *row = row_of_id(drill, id);
    return row->count > 0 ? model_of(drill)->kernels->events[row->first] : NO_EVENT;
}

static bool share(const struct drill *drill, uint32_t id, const struct column *column, double *out)
{
    const struct kernels *kernels = model_of(drill)->kernels;
    const struct kernel_row *row = row_of_id(drill, id);
    bool own = strcmp(column->name, "own_device_time") == 0;
    if (kernels->total <= 0 || !row->counted || (!own && strcmp(column->name, "device_time_total") != 0))
        return false;
    *out = (double)(own ? row->own : row->total) / (double)kernels->total;
    return true;
}

static void free_model(struct drill *drill)
{
    struct model *model = drill->model;
    for (uint32_t i = 0; i < model->kernels->count; i++)
        text_free(&model->launches[i].text);
    free(model->launches);
    kernels_free(model->kernels);
    free(model);
}

const struct drill_ops drill_kernels_ops = {
    .cells = cells,
    .cell_count = CELL_COUNT(cells),
    .build = build,
    .list = list,
    .add_label = add_label,
    .add_title = add_title,
    .events = events,
    .event = event,
    .share = share,
    .free = free_model,
};
