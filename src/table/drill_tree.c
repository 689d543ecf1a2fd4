/* Tree: the call tree, top down or bottom up. */
#include <stdlib.h>

#include "drill_ops.h"
#include "keyavg/calltree.h"

/* Rows are nodes. */
struct model {
    struct calltree *down, *up;
    struct outline outline;
};

static const struct model *model_of(const struct drill *drill)
{
    return drill->model;
}

static struct calltree *shown_tree(const struct drill *drill)
{
    const struct model *model = model_of(drill);
    return model->up != NULL ? model->up : model->down;
}

static const struct calltree_node *node_of(const struct drill *drill, uint32_t id)
{
    return &shown_tree(drill)->nodes[id];
}

struct outline *drill_tree_outline(const struct drill *drill)
{
    struct model *model = drill->model;
    return &model->outline;
}

static const uint32_t *children(const struct drill *drill, uint32_t node, uint32_t *count)
{
    return calltree_children(shown_tree(drill), node, count);
}

static uint32_t chain_last(const struct drill *drill, uint32_t node)
{
    return drill->settings.fold_chains && node != 0 ? calltree_chain(shown_tree(drill), node).last : node;
}

static uint32_t parent(const struct drill *drill, uint32_t node)
{
    return node_of(drill, node)->parent;
}

uint32_t drill_tree_hot(const struct drill *drill, uint32_t node)
{
    return calltree_hot(shown_tree(drill), node);
}

static void build(struct drill *drill)
{
    struct model *model = drill->model = memory_zero(1, sizeof *model);
    uint32_t count;
    uint32_t *events = drill_subject_events(drill->source, &drill->subject, &count);
    uint64_t *chosen = events != NULL ? keys_select_events(drill->tree, events, count) : NULL;
    model->down = calltree_build(drill->keys, chosen, drill->settings.fold_python);
    if (drill->settings.bottom_up)
        model->up = calltree_turn(model->down);
    model->outline.children = children;
    model->outline.last = chain_last;
    model->outline.parent = parent;
    model->outline.nodes = model->down->count;
    /* The way to what was chosen is open. */
    for (uint32_t i = 1; events != NULL && model->up == NULL && i < model->down->count; i++)
        if (model->down->nodes[i].calls == 0)
            outline_set(&model->outline, i, true);
    free(events);
    free(chosen);
}

static void list(struct drill *drill)
{
    outline_list(drill, model_of(drill)->outline.roots.count > 0);
}

static void add_node(const struct drill *drill, const struct calltree_node *node, struct text *out)
{
    if (node->kind == CALLTREE_KEY)
        drill_add_key(drill, node->key, out);
    else
        text_add_string(out, calltree_kind_name((enum calltree_kind)node->kind));
}

static void add_label(const struct drill *drill, uint32_t id, struct text *out)
{
    uint32_t last = chain_last(drill, id), node = id;
    add_node(drill, node_of(drill, node), out);
    while (node != last) {
        uint32_t count;
        node = *calltree_children(shown_tree(drill), node, &count);
        text_add_string(out, " > ");
        add_node(drill, node_of(drill, node), out);
    }
}

static void add_title(const struct drill *drill, struct text *out)
{
    const struct calltree_node *root = &model_of(drill)->down->nodes[0];
    text_add_string(out, model_of(drill)->up != NULL ? "   bottom up " : "   top down ");
    drill_add_time(drill, "CPU", root->total, out);
    if (root->device_total != 0) {
        text_addf(out, "  %s ", table_device_name(drill->table));
        units_add_time(out, root->device_total, drill->table->query.unit);
    }
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
    set_integer(out, node_of(drill, id)->calls);
}

CELL(value_total)
{
    (void)scratch;
    set_integer(out, node_of(drill, id)->total);
}

CELL(value_self)
{
    (void)scratch;
    bool chain = drill->settings.fold_chains && id != 0;
    set_integer(out, chain ? calltree_chain(shown_tree(drill), id).self : node_of(drill, id)->self);
}

CELL(value_device)
{
    (void)scratch;
    set_integer(out, node_of(drill, id)->device_total);
}

CELL(value_self_device)
{
    (void)scratch;
    bool chain = drill->settings.fold_chains && id != 0;
    set_integer(out, chain ? calltree_chain(shown_tree(drill), id).self_device : node_of(drill, id)->self_device);
}

CELL(value_cpu_share)
{
    (void)scratch;
    set_ratio(out, node_of(drill, id)->total, model_of(drill)->down->nodes[0].total);
}

CELL(value_device_share)
{
    (void)scratch;
    set_ratio(out, node_of(drill, id)->device_total, model_of(drill)->down->nodes[0].device_total);
}

CELL(value_depth)
{
    (void)scratch;
    set_integer(out, (int64_t)node_of(drill, id)->depth - 1);
}

/* One name of a path: without what would end it. */
static void add_step(const struct drill *drill, uint32_t id, struct text *scratch, struct text *out)
{
    text_clear(scratch);
    add_node(drill, node_of(drill, id), scratch);
    for (size_t i = 0; i < scratch->length; i++) {
        char c = scratch->bytes[i];
        text_add_char(out, c == ';' ? ':' : c == '\n' || c == '\r' || c == '\t' ? ' ' : c);
    }
}

CELL(value_path)
{
    const struct calltree *tree = shown_tree(drill);
    ARRAY(uint32_t) nodes = {0};
    struct text name = {0};
    for (uint32_t node = id; node != 0 && node != NO_EVENT; node = tree->nodes[node].parent)
        array_push(&nodes, node);
    for (size_t i = nodes.count; i-- > 0;) {
        add_step(drill, nodes.items[i], &name, scratch);
        text_add_string(scratch, i > 0 ? ";" : "");
    }
    set_text(out, text_span(scratch));
    text_free(&name);
    array_free(&nodes);
}

static const struct drill_cell cells[] = {
    {"key", false, value_key},
    {"cpu_time_total", false, value_total},
    {"cpu_share", false, value_cpu_share},
    {"self_cpu_time_total", false, value_self},
    {"device_time_total", false, value_device},
    {"device_share", true, value_device_share},
    {"self_device_time_total", false, value_self_device},
    {"count", false, value_count},
    {"depth", true, value_depth},
    {"path", true, value_path},
};

static uint32_t key(const struct drill *drill, uint32_t id)
{
    return node_of(drill, id)->key;
}

/* The device events without an op stand in the nodes below. */
static uint32_t *events_without_op(const struct calltree *down, uint32_t id, uint32_t *count)
{
    uint32_t events = down->keys->tree->count;
    uint32_t *found = memory_alloc(((size_t)events + 1) * sizeof *found);
    *count = 0;
    for (uint32_t e = 0; e < events; e++)
        if (down->node_of[e] != NO_EVENT && down->nodes[down->node_of[e]].parent == id)
            found[(*count)++] = e;
    return found;
}

static uint32_t *events(const struct drill *drill, uint32_t id, uint32_t *count)
{
    if (model_of(drill)->up == NULL && node_of(drill, id)->kind == CALLTREE_NO_OP)
        return events_without_op(model_of(drill)->down, id, count);
    if (model_of(drill)->up == NULL)
        return calltree_events(model_of(drill)->down, id, count);
    uint32_t of = node_of(drill, id)->key;
    return of != NO_EVENT ? keys_chosen_calls(drill->keys, drill->table->averages, of, count) : memory_alloc(0);
}

static uint32_t event(const struct drill *drill, uint32_t id)
{
    return node_of(drill, id)->first;
}

static bool share(const struct drill *drill, uint32_t id, const struct column *column, double *out)
{
    const struct calltree_node *root = &model_of(drill)->down->nodes[0], *node = node_of(drill, id);
    bool device = strstr(column->name, "device") != NULL, self = span_starts(span_of(column->name), "self_");
    int64_t base = device ? root->device_total : root->total;
    int64_t value = device ? (self ? node->self_device : node->device_total) : (self ? node->self : node->total);
    if (column->unit != UNIT_TIME || base <= 0)
        return false;
    *out = (double)value / (double)base;
    return true;
}

static uint32_t row_of(const struct drill *drill, uint32_t of)
{
    const struct calltree *down = model_of(drill)->down;
    return model_of(drill)->up == NULL && of < drill->trace->events.count ? down->node_of[of] : NO_EVENT;
}

static void free_model(struct drill *drill)
{
    struct model *model = drill->model;
    if (model->up != NULL)
        calltree_free(model->up);
    calltree_free(model->down);
    outline_free(&model->outline);
    free(model);
}

const struct drill_ops drill_tree_ops = {
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
    .parts_of_keys = true,
    .share = share,
    .row_of = row_of,
    .free = free_model,
};
