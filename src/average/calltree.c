/* Call trees top down. */
#include "keyavg/calltree.h"

#include <stdlib.h>
#include <string.h>

#include "calltree.h"
#include "keyavg/wrap.h"
#include "numbering.h"

const char *calltree_kind_name(enum calltree_kind kind)
{
    static const char *const names[] = {"", "[all]", "[no op]", "[top level]"};
    return names[kind];
}

uint32_t calltree_add_node(struct calltree *calltree, uint32_t parent, enum calltree_kind kind, uint32_t key,
                           uint32_t first)
{
    if (calltree->count == calltree->capacity) {
        calltree->capacity = calltree->capacity * 2 + 64;
        calltree->nodes = memory_resize(calltree->nodes, calltree->capacity, sizeof *calltree->nodes);
    }
    calltree->nodes[calltree->count] = (struct calltree_node){
        .parent = parent,
        .key = kind == CALLTREE_KEY ? key : NO_EVENT,
        .first = first,
        .depth = parent != NO_EVENT ? calltree->nodes[parent].depth + 1 : 0,
        .kind = (uint8_t)kind,
    };
    return calltree->count++;
}

/* -- Which events take part -------------------------------------------------------------------------------------- */

/* What a set of calls makes of the tree; all NULL for the whole tree. */
struct scope {
    const uint64_t *chosen;
    uint64_t *inside, *on_way; /* in or below the set; above it */
    int64_t *cpu, *device;     /* of events on the way: the time of the calls they lead to */
    int64_t *own_device;       /* of events on the way: device events of the set that are theirs */
};

static bool has(const uint64_t *set, uint32_t e)
{
    return set == NULL || (set[e / 64] >> e % 64 & 1);
}

static void put(uint64_t *set, uint32_t e)
{
    set[e / 64] |= UINT64_C(1) << e % 64;
}

static bool is_node(const struct tree *tree, uint32_t e)
{
    return tree->state[e] == STATE_ROW && !event_on_device(tree->trace, e);
}

/* Device events that count in the file's device time. */
static bool is_work(const struct tree *tree, uint32_t e)
{
    enum event_kind kind = event_kind(tree->trace, e);
    return tree->state[e] == STATE_ROW && kind_on_device(kind) && kind != KIND_DEVICE_ANNOTATION;
}

static void scope_init(struct scope *scope, const struct tree *tree, const uint64_t *chosen)
{
    *scope = (struct scope){.chosen = chosen};
    if (chosen == NULL)
        return;
    size_t words = (size_t)tree->count / 64 + 1;
    scope->inside = memory_zero(words, sizeof *scope->inside);
    scope->on_way = memory_zero(words, sizeof *scope->on_way);
    scope->cpu = memory_zero((size_t)tree->count + 1, sizeof *scope->cpu);
    scope->device = memory_zero((size_t)tree->count + 1, sizeof *scope->device);
    scope->own_device = memory_zero((size_t)tree->count + 1, sizeof *scope->own_device);
    for (uint32_t e = 0; e < tree->count; e++) {
        uint32_t parent = tree->parent[e];
        if (is_node(tree, e) && (has(chosen, e) || (parent != NO_EVENT && has(scope->inside, parent))))
            put(scope->inside, e);
    }
    for (uint32_t e = 0; e < tree->count; e++) {
        uint32_t owner = tree->owner[e];
        if (is_work(tree, e) && has(chosen, e) && owner != NO_EVENT && !has(scope->inside, owner)) {
            put(scope->on_way, owner);
            wrap_to(&scope->device[owner], amounts_get(&tree->device_total, e));
            wrap_to(&scope->own_device[owner], amounts_get(&tree->device_total, e));
        }
    }
    for (uint32_t e = tree->count; e-- > 0;) { /* children before parents */
        uint32_t parent = tree->parent[e];
        if (!is_node(tree, e) || parent == NO_EVENT || has(scope->inside, parent))
            continue;
        bool inside = has(scope->inside, e);
        if (!inside && !has(scope->on_way, e))
            continue;
        put(scope->on_way, parent);
        wrap_to(&scope->cpu[parent], inside ? tree->trace->events.duration[e] : scope->cpu[e]);
        wrap_to(&scope->device[parent], inside ? amounts_get(&tree->device_total, e) : scope->device[e]);
    }
}

static void scope_free(struct scope *scope)
{
    free(scope->inside);
    free(scope->on_way);
    free(scope->cpu);
    free(scope->device);
    free(scope->own_device);
}

/* -- Building ---------------------------------------------------------------------------------------------------- */

struct build {
    struct calltree *calltree;
    const struct keys *keys;
    const struct tree *tree;
    struct scope scope;
    struct numbering paths; /* (node, key) to node - 1 */
    uint32_t *latest;       /* by node: the child met last, which the next event mostly asks for again */
    uint32_t latest_capacity;
};

static uint32_t child_of(struct build *build, uint32_t parent, enum calltree_kind kind, uint32_t key, uint32_t event)
{
    struct calltree *calltree = build->calltree;
    uint32_t latest = build->latest[parent];
    if (latest != NO_EVENT && kind == CALLTREE_KEY && calltree->nodes[latest].key == key)
        return latest;
    uint32_t node = numbering_add(&build->paths, numbering_pair(parent, key)) + 1;
    if (node == calltree->count) {
        calltree_add_node(calltree, parent, kind, key, event);
        if (calltree->capacity != build->latest_capacity) {
            build->latest_capacity = calltree->capacity;
            build->latest = memory_resize(build->latest, build->latest_capacity, sizeof *build->latest);
        }
        build->latest[node] = NO_EVENT;
    }
    build->latest[parent] = node;
    return node;
}

static void add_call(struct build *build, uint32_t e, bool fold_python)
{
    const struct tree *tree = build->tree;
    const struct trace *trace = tree->trace;
    const struct scope *scope = &build->scope;
    uint32_t parent = tree->parent[e];
    bool inside = has(scope->inside, e);
    uint32_t above = parent != NO_EVENT ? build->calltree->node_of[parent] : 0;
    bool folded = fold_python && parent != NO_EVENT && event_kind(trace, e) == KIND_PYTHON &&
                  event_kind(trace, parent) == KIND_PYTHON;
    uint32_t number = folded ? above : child_of(build, above, CALLTREE_KEY, build->keys->of[e], e);
    struct calltree_node *node = &build->calltree->nodes[number];
    build->calltree->node_of[e] = number;
    node->chosen += scope->chosen != NULL && has(scope->chosen, e);
    if (inside) {
        wrap_to(&node->self, amounts_get(&tree->self_cpu, e));
        wrap_to(&node->self_device, amounts_get(&tree->self_device, e));
    } else {
        wrap_to(&node->self_device, scope->own_device[e]);
    }
    if (folded) {
        node->frames++;
        return;
    }
    node->calls += inside;
    int64_t cpu = inside ? trace->events.duration[e] : scope->cpu[e];
    int64_t device = inside ? amounts_get(&tree->device_total, e) : scope->device[e];
    wrap_to(&node->total, cpu);
    wrap_to(&node->device_total, device);
    if (parent == NO_EVENT) {
        wrap_to(&build->calltree->nodes[0].total, cpu);
        wrap_to(&build->calltree->nodes[0].device_total, device);
    }
}

static void add_unlinked(struct build *build, uint32_t e)
{
    struct calltree *calltree = build->calltree;
    uint32_t above = child_of(build, 0, CALLTREE_NO_OP, build->keys->count, NO_EVENT);
    uint32_t number = child_of(build, above, CALLTREE_KEY, build->keys->of[e], e);
    int64_t duration = amounts_get(&build->tree->device_total, e);
    struct calltree_node *node = &calltree->nodes[number];
    calltree->node_of[e] = number;
    node->calls++;
    node->chosen += build->scope.chosen != NULL;
    wrap_to(&node->self_device, duration);
    wrap_to(&node->device_total, duration);
    calltree->nodes[above].calls++;
    wrap_to(&calltree->nodes[above].device_total, duration);
    wrap_to(&calltree->nodes[0].device_total, duration);
}

/* Children of each node in one piece, in the order in which they were met. */
static void list_children(struct calltree *calltree)
{
    uint32_t at = 0;
    calltree->children = memory_alloc(((size_t)calltree->count + 1) * sizeof *calltree->children);
    for (uint32_t n = 1; n < calltree->count; n++)
        calltree->nodes[calltree->nodes[n].parent].child_count++;
    for (uint32_t n = 0; n < calltree->count; n++) {
        calltree->nodes[n].child_first = at;
        at += calltree->nodes[n].child_count;
        calltree->nodes[n].child_count = 0;
    }
    for (uint32_t n = 1; n < calltree->count; n++) {
        struct calltree_node *parent = &calltree->nodes[calltree->nodes[n].parent];
        calltree->children[parent->child_first + parent->child_count++] = n;
    }
}

struct calltree *calltree_build(const struct keys *keys, const uint64_t *chosen, bool fold_python)
{
    const struct tree *tree = keys->tree;
    struct calltree *calltree = memory_zero(1, sizeof *calltree);
    struct build build = {.calltree = calltree, .keys = keys, .tree = tree};
    calltree->keys = keys;
    calltree->node_of = memory_alloc(((size_t)tree->count + 1) * sizeof *calltree->node_of);
    scope_init(&build.scope, tree, chosen);
    numbering_init(&build.paths);
    calltree_add_node(calltree, NO_EVENT, CALLTREE_ALL, 0, NO_EVENT);
    build.latest_capacity = calltree->capacity;
    build.latest = memory_alloc((size_t)build.latest_capacity * sizeof *build.latest);
    build.latest[0] = NO_EVENT;
    for (uint32_t e = 0; e < tree->count; e++) {
        calltree->node_of[e] = NO_EVENT;
        if (is_node(tree, e)) {
            if (chosen == NULL || has(build.scope.inside, e) || has(build.scope.on_way, e))
                add_call(&build, e, fold_python);
        } else if (is_work(tree, e) && tree->owner[e] == NO_EVENT && has(chosen, e)) {
            add_unlinked(&build, e);
        }
    }
    numbering_free(&build.paths);
    scope_free(&build.scope);
    free(build.latest);
    list_children(calltree);
    calltree_sort(calltree, WEIGHT_TOTAL);
    return calltree;
}

uint32_t *calltree_events(const struct calltree *calltree, uint32_t node, uint32_t *count)
{
    uint32_t events = calltree->keys->tree->count;
    ARRAY(uint32_t) list = {0};
    array_reserve(&list, 1);
    for (uint32_t e = 0; e < events; e++)
        if (calltree->node_of[e] == node)
            array_push(&list, e);
    *count = (uint32_t)list.count;
    return list.items;
}
