#include "keyavg/module_tree.h"

#include <stdlib.h>
#include <string.h>

#include "keyavg/wrap.h"
#include "numbering.h"

static const char frame_mark[] = "nn.Module: ";

struct build {
    struct tree *tree;
    struct trace *trace;
    const struct pairs *pairs;
    bool by_class;
    struct module_tree *modules;
    uint32_t capacity;
    uint32_t *names;        /* by name of a frame: the module's, 0 none, NO_EVENT not yet known */
    uint8_t *backward;      /* by event: at or below a backward end */
    struct numbering paths; /* (node, name) to node - 1 */
};

/* The strings number of the module that a frame's name tells of; 0 none. */
static uint32_t module_name(struct build *build, uint32_t frame)
{
    struct span name = strings_get(&build->trace->strings, frame);
    if (!span_starts(name, frame_mark))
        return 0;
    name.bytes += sizeof frame_mark - 1;
    name.length -= sizeof frame_mark - 1;
    size_t length = name.length;
    while (build->by_class && length > 0 && name.bytes[length - 1] >= '0' && name.bytes[length - 1] <= '9')
        length--;
    if (build->by_class && length > 1 && length < name.length && name.bytes[length - 1] == '_')
        name.length = length - 1;
    return strings_add(&build->trace->strings, name.bytes, name.length);
}

static uint32_t add_node(struct build *build, uint32_t parent, uint32_t name, uint32_t first)
{
    struct module_tree *modules = build->modules;
    if (modules->count == build->capacity) {
        build->capacity = build->capacity * 2 + 16;
        modules->nodes = memory_resize(modules->nodes, build->capacity, sizeof *modules->nodes);
    }
    modules->nodes[modules->count] = (struct module_node){
        .parent = parent,
        .name = name,
        .first = first,
        .depth = parent != NO_EVENT ? modules->nodes[parent].depth + 1 : 0,
    };
    return modules->count++;
}

static uint32_t child_of(struct build *build, uint32_t parent, uint32_t name, uint32_t event)
{
    uint32_t node = numbering_add(&build->paths, numbering_pair(parent, name)) + 1;
    return node == build->modules->count ? add_node(build, parent, name, event) : node;
}

static void place(struct build *build, uint32_t e)
{
    const struct tree *tree = build->tree;
    uint32_t *node_of = build->modules->node_of;
    uint32_t parent = tree->parent[e], other = build->pairs->other[e];
    uint32_t node = parent != NO_EVENT ? node_of[parent] : 0;
    bool backward = parent != NO_EVENT && build->backward[parent];
    uint32_t name = 0;
    if (build->pairs->side[e] == PAIR_BACKWARD) {
        /* A forward op comes earlier in the list, unless clocks or ids are wrong. */
        if (other != NO_EVENT)
            node = other < e ? node_of[other] : 0;
        else if (!backward)
            node = 0;
        backward = true;
    } else if (event_kind(build->trace, e) == KIND_PYTHON) {
        uint32_t *known = &build->names[build->trace->events.name[e]];
        if (*known == NO_EVENT)
            *known = module_name(build, build->trace->events.name[e]);
        name = *known;
    }
    if (name != 0) {
        node = child_of(build, node, name, e);
        build->modules->nodes[node].calls += !backward;
        build->modules->nodes[node].recomputed += backward;
    }
    node_of[e] = node;
    build->backward[e] = backward;
    struct module_node *at = &build->modules->nodes[node];
    struct module_side *side = backward ? &at->backward : &at->forward;
    at->pairs += build->pairs->side[e] == PAIR_FORWARD;
    wrap_to(&side->self_cpu, amounts_get(&tree->self_cpu, e));
    wrap_to(&side->self_device, amounts_get(&tree->self_device, e));
}

static void add_side(struct module_side *to, const struct module_side *from)
{
    wrap_to(&to->cpu, from->cpu);
    wrap_to(&to->device, from->device);
}

/* Totals from own times, a node being behind its parent. */
static void sum_up(struct module_tree *modules)
{
    for (uint32_t n = modules->count; n-- > 0;) {
        struct module_node *node = &modules->nodes[n];
        wrap_to(&node->forward.cpu, node->forward.self_cpu);
        wrap_to(&node->forward.device, node->forward.self_device);
        wrap_to(&node->backward.cpu, node->backward.self_cpu);
        wrap_to(&node->backward.device, node->backward.self_device);
        if (node->parent == NO_EVENT)
            continue;
        add_side(&modules->nodes[node->parent].forward, &node->forward);
        add_side(&modules->nodes[node->parent].backward, &node->backward);
    }
}

struct weighed {
    int64_t weight;
    uint32_t parent, node;
};

static int by_weight(const void *a, const void *b)
{
    const struct weighed *x = a, *y = b;
    if (x->parent != y->parent)
        return x->parent < y->parent ? -1 : 1;
    if (x->weight != y->weight)
        return x->weight > y->weight ? -1 : 1;
    return (x->node > y->node) - (x->node < y->node);
}

static void list_children(struct module_tree *modules)
{
    uint32_t count = modules->count - 1;
    struct weighed *list = memory_alloc(((size_t)count + 1) * sizeof *list);
    for (uint32_t i = 0; i < count; i++) {
        const struct module_node *node = &modules->nodes[i + 1];
        list[i] = (struct weighed){node->forward.cpu, node->parent, i + 1};
        wrap_to(&list[i].weight, node->backward.cpu);
    }
    qsort(list, count, sizeof *list, by_weight);
    modules->children = memory_alloc(((size_t)count + 1) * sizeof *modules->children);
    for (uint32_t i = 0; i < count; i++) {
        struct module_node *parent = &modules->nodes[list[i].parent];
        if (parent->child_count++ == 0)
            parent->child_first = i;
        modules->children[i] = list[i].node;
    }
    free(list);
}

struct module_tree *module_tree_build(struct tree *tree, bool by_class)
{
    struct module_tree *modules = memory_zero(1, sizeof *modules);
    struct build build = {.tree = tree, .trace = tree->trace, .by_class = by_class, .modules = modules};
    uint32_t strings = tree->trace->strings.count;
    build.pairs = tree_pairs(tree);
    build.names = memory_alloc(((size_t)strings + 1) * sizeof *build.names);
    memset(build.names, 0xFF, ((size_t)strings + 1) * sizeof *build.names);
    build.backward = memory_zero((size_t)tree->count + 1, 1);
    modules->node_of = memory_zero((size_t)tree->count + 1, sizeof *modules->node_of);
    numbering_init(&build.paths);
    add_node(&build, NO_EVENT, 0, NO_EVENT);
    for (uint32_t e = 0; e < tree->count; e++)
        if (tree->state[e] == STATE_ROW && !event_on_device(tree->trace, e))
            place(&build, e);
    sum_up(modules);
    list_children(modules);
    numbering_free(&build.paths);
    free(build.names);
    free(build.backward);
    return modules;
}

void module_tree_free(struct module_tree *modules)
{
    if (modules == NULL)
        return;
    free(modules->nodes);
    free(modules->children);
    free(modules->node_of);
    free(modules);
}
