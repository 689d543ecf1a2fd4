/* Modules: the model as a tree, with forward and the backward that goes with it. */
#include <stdlib.h>

#include "drill_ops.h"
#include "keyavg/module_tree.h"

/* Rows are nodes. */
struct model {
    struct module_tree *modules;
    struct outline outline;
};

static const struct model *model_of(const struct drill *drill)
{
    return drill->model;
}

static const struct module_node *node_of(const struct drill *drill, uint32_t id)
{
    return &model_of(drill)->modules->nodes[id];
}

struct outline *drill_modules_outline(const struct drill *drill)
{
    struct model *model = drill->model;
    return &model->outline;
}

static const uint32_t *children(const struct drill *drill, uint32_t node, uint32_t *count)
{
    const struct module_tree *modules = model_of(drill)->modules;
    *count = modules->nodes[node].child_count;
    return modules->children + modules->nodes[node].child_first;
}

static uint32_t parent(const struct drill *drill, uint32_t node)
{
    return node_of(drill, node)->parent;
}

static void build(struct drill *drill)
{
    enum { FEW = 200 };
    struct model *model = drill->model = memory_zero(1, sizeof *model);
    model->modules = module_tree_build(drill->tree, drill->settings.by_class);
    model->outline.children = children;
    model->outline.parent = parent;
    model->outline.nodes = model->modules->count;
    /* A small model is shown whole. */
    for (uint32_t i = 0; model->modules->count <= FEW && i < model->modules->count; i++)
        outline_set(&model->outline, i, true);
}

static void list(struct drill *drill)
{
    outline_list(drill, true);
}

static void add_label(const struct drill *drill, uint32_t id, struct text *out)
{
    if (id == 0)
        text_add_string(out, "[no module]");
    else
        text_add_span(out, strings_get(&drill->trace->strings, node_of(drill, id)->name));
}

static void add_title(const struct drill *drill, struct text *out)
{
    uint32_t count = model_of(drill)->modules->count - 1;
    if (count == 0)
        text_add_string(out, "   no modules were recorded: with_stack=True records them");
    else
        text_addf(out, "   %u module%s", count, count == 1 ? "" : "s");
}

#define CELL(name) static void name(const struct drill *drill, uint32_t id, struct value *out, struct text *scratch)
#define FIELD(cell, member)                                                                                            \
    CELL(cell)                                                                                                         \
    {                                                                                                                  \
        (void)scratch;                                                                                                 \
        set_integer(out, node_of(drill, id)->member);                                                                  \
    }

CELL(value_key)
{
    add_label(drill, id, scratch);
    set_text(out, text_span(scratch));
}

CELL(value_depth)
{
    (void)scratch;
    set_integer(out, node_of(drill, id)->depth);
}

FIELD(value_calls, calls)
FIELD(value_recomputed, recomputed)
FIELD(value_pairs, pairs)
FIELD(value_forward, forward.cpu)
FIELD(value_forward_self, forward.self_cpu)
FIELD(value_forward_device, forward.device)
FIELD(value_backward, backward.cpu)
FIELD(value_backward_self, backward.self_cpu)
FIELD(value_backward_device, backward.device)

CELL(value_ratio)
{
    const struct module_node *node = node_of(drill, id);
    (void)scratch;
    if (node->forward.device > 0)
        set_ratio(out, node->backward.device, node->forward.device);
    else
        set_ratio(out, node->backward.cpu, node->forward.cpu);
}

static const struct drill_cell cells[] = {
    {"key", false, value_key},
    {"count", false, value_calls},
    {"forward_cpu", false, value_forward},
    {"forward_self_cpu", false, value_forward_self},
    {"forward_device", false, value_forward_device},
    {"backward_cpu", false, value_backward},
    {"backward_device", false, value_backward_device},
    {"backward_ratio", false, value_ratio},
    {"backward_self_cpu", true, value_backward_self},
    {"recomputed", true, value_recomputed},
    {"pairs", true, value_pairs},
    {"depth", true, value_depth},
};

/* The frames of the modules in a node, not those inside them. */
static uint32_t *events(const struct drill *drill, uint32_t id, uint32_t *count)
{
    const struct module_tree *modules = model_of(drill)->modules;
    uint32_t *found = memory_alloc(((size_t)drill->tree->count + 1) * sizeof *found);
    *count = 0;
    for (uint32_t e = 0; id != 0 && e < drill->tree->count; e++) {
        if (event_kind(drill->trace, e) != KIND_PYTHON || modules->node_of[e] != id)
            continue;
        struct span name = strings_get(&drill->trace->strings, drill->trace->events.name[e]);
        if (span_starts(name, "nn.Module: "))
            found[(*count)++] = e;
    }
    return found;
}

static uint32_t event(const struct drill *drill, uint32_t id)
{
    return node_of(drill, id)->first;
}

static bool share(const struct drill *drill, uint32_t id, const struct column *column, double *out)
{
    const struct module_node *node = node_of(drill, id), *root = node_of(drill, 0);
    bool device = strstr(column->name, "device") != NULL, forward = span_starts(span_of(column->name), "forward");
    const struct module_side *side = forward ? &node->forward : &node->backward;
    int64_t base = device ? root->forward.device + root->backward.device : root->forward.cpu + root->backward.cpu;
    if (column->unit != UNIT_TIME || base <= 0)
        return false;
    int64_t part = device ? side->device : strstr(column->name, "self") != NULL ? side->self_cpu : side->cpu;
    *out = (double)part / (double)base;
    return true;
}

static uint32_t row_of(const struct drill *drill, uint32_t of)
{
    return of < drill->trace->events.count ? model_of(drill)->modules->node_of[of] : NO_EVENT;
}

static void free_model(struct drill *drill)
{
    struct model *model = drill->model;
    module_tree_free(model->modules);
    outline_free(&model->outline);
    free(model);
}

const struct drill_ops drill_modules_ops = {
    .cells = cells,
    .cell_count = CELL_COUNT(cells),
    .build = build,
    .list = list,
    .whole = true,
    .own_order = true,
    .add_label = add_label,
    .add_title = add_title,
    .events = events,
    .event = event,
    .share = share,
    .row_of = row_of,
    .free = free_model,
};
