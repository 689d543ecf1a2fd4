/* Call trees bottom up: made of the nodes of a top-down tree, so that no event is looked at again, and no further than
 * somebody looks: every node's callers to the top would be as many as the square of the depth. */
#include <stdlib.h>
#include <string.h>

#include "calltree.h"
#include "keyavg/wrap.h"
#include "numbering.h"

static void add_part(struct calltree_part *to, const struct calltree_part *part)
{
    to->calls += part->calls;
    wrap_to(&to->total, part->total);
    wrap_to(&to->self, part->self);
    wrap_to(&to->device_total, part->device_total);
    wrap_to(&to->self_device, part->self_device);
}

/* A part on its way to the child that it belongs to. */
struct moved {
    struct calltree_part part;
    uint32_t child; /* place among the new children */
};

struct unfolding {
    struct calltree *calltree;
    ARRAY(struct moved) moved;
    ARRAY(uint32_t) children; /* nodes */
};

/* Adds a part at a node of the top-down tree; parts at the same node become one. */
static void move_part(struct unfolding *unfolding, uint32_t node, const struct calltree_part *part, uint32_t at)
{
    struct calltree *calltree = unfolding->calltree;
    uint32_t *slot = &calltree->slot_of_node[at];
    if (*slot < unfolding->moved.count) {
        add_part(&unfolding->moved.items[*slot].part, part);
        return;
    }
    const struct calltree_node *where = &calltree->down->nodes[at];
    bool top = where->kind == CALLTREE_ALL;
    uint32_t key = where->kind == CALLTREE_KEY ? where->key : calltree->keys->count + (uint32_t)where->kind;
    if (calltree->slot_of_key[key] == NO_EVENT) {
        enum calltree_kind kind = top ? CALLTREE_TOP_LEVEL : (enum calltree_kind)where->kind;
        calltree->slot_of_key[key] = (uint32_t)unfolding->children.count;
        array_push(&unfolding->children, calltree_add_node(calltree, node, kind, where->key, where->first));
    }
    *slot = (uint32_t)unfolding->moved.count;
    struct moved moved = {*part, calltree->slot_of_key[key]};
    moved.part.at = at;
    array_push(&unfolding->moved, moved);
}

static void grow_columns(struct calltree *calltree)
{
    calltree->part_first = memory_resize(calltree->part_first, calltree->capacity, sizeof *calltree->part_first);
    calltree->part_count = memory_resize(calltree->part_count, calltree->capacity, sizeof *calltree->part_count);
}

/* Gives the moved parts to their children, in one piece each, and sums them. */
static void settle(struct unfolding *unfolding)
{
    struct calltree *calltree = unfolding->calltree;
    grow_columns(calltree);
    for (size_t i = 0; i < unfolding->children.count; i++) {
        calltree->part_count[unfolding->children.items[i]] = 0;
        calltree->nodes[unfolding->children.items[i]].child_first = CALLTREE_FOLDED;
    }
    for (size_t i = 0; i < unfolding->moved.count; i++)
        calltree->part_count[unfolding->children.items[unfolding->moved.items[i].child]]++;
    uint32_t first = (uint32_t)calltree->parts.count;
    for (size_t i = 0; i < unfolding->children.count; i++) {
        uint32_t child = unfolding->children.items[i];
        calltree->part_first[child] = first;
        first += calltree->part_count[child];
        calltree->part_count[child] = 0;
    }
    array_reserve(&calltree->parts, unfolding->moved.count);
    for (size_t i = 0; i < unfolding->moved.count; i++) {
        const struct calltree_part *part = &unfolding->moved.items[i].part;
        uint32_t child = unfolding->children.items[unfolding->moved.items[i].child];
        struct calltree_node *node = &calltree->nodes[child];
        calltree->parts.items[calltree->part_first[child] + calltree->part_count[child]++] = *part;
        struct calltree_part sum = {0, node->calls, node->total, node->self, node->device_total, node->self_device};
        add_part(&sum, part);
        node->calls = sum.calls;
        node->total = sum.total;
        node->self = sum.self;
        node->device_total = sum.device_total;
        node->self_device = sum.self_device;
        if (calltree->down->nodes[part->at].first < node->first)
            node->first = calltree->down->nodes[part->at].first;
    }
    calltree->parts.count += unfolding->moved.count;
}

static void finish(struct unfolding *unfolding, uint32_t node)
{
    struct calltree *calltree = unfolding->calltree;
    uint32_t count = (uint32_t)unfolding->children.count;
    settle(unfolding);
    for (size_t i = 0; i < unfolding->moved.count; i++) {
        const struct calltree_node *where = &calltree->down->nodes[unfolding->moved.items[i].part.at];
        uint32_t key = where->kind == CALLTREE_KEY ? where->key : calltree->keys->count + (uint32_t)where->kind;
        calltree->slot_of_node[unfolding->moved.items[i].part.at] = NO_EVENT;
        calltree->slot_of_key[key] = NO_EVENT;
    }
    /* Alone, [top level] says no more than the node does. */
    if (count == 1 && calltree->nodes[unfolding->children.items[0]].kind == CALLTREE_TOP_LEVEL) {
        calltree->parts.count -= unfolding->moved.count;
        calltree->count--;
        count = 0;
    }
    if (calltree->child_total + count > calltree->child_capacity) {
        calltree->child_capacity = (calltree->child_total + count) * 2;
        calltree->children = memory_resize(calltree->children, calltree->child_capacity, sizeof *calltree->children);
    }
    calltree->nodes[node].child_first = calltree->child_total;
    calltree->nodes[node].child_count = count;
    if (count != 0)
        memcpy(calltree->children + calltree->child_total, unfolding->children.items, count * sizeof(uint32_t));
    calltree->child_total += count;
    calltree_sort_children(calltree, node);
    array_free(&unfolding->moved);
    array_free(&unfolding->children);
}

void calltree_unfold(struct calltree *calltree, uint32_t node)
{
    struct unfolding unfolding = {.calltree = calltree};
    uint32_t first = calltree->part_first[node], count = calltree->part_count[node];
    bool top = calltree->nodes[node].kind == CALLTREE_TOP_LEVEL;
    for (uint32_t i = 0; i < count && !top; i++) {
        struct calltree_part part = calltree->parts.items[first + i];
        move_part(&unfolding, node, &part, calltree->down->nodes[part.at].parent);
    }
    finish(&unfolding, node);
}

struct calltree *calltree_turn(const struct calltree *down)
{
    struct calltree *calltree = memory_zero(1, sizeof *calltree);
    size_t keys = (size_t)down->keys->count + CALLTREE_TOP_LEVEL + 1;
    calltree->keys = down->keys;
    calltree->down = down;
    calltree->weight = WEIGHT_SELF;
    calltree->slot_of_node = memory_alloc((size_t)down->count * sizeof *calltree->slot_of_node);
    memset(calltree->slot_of_node, 0xFF, (size_t)down->count * sizeof *calltree->slot_of_node);
    calltree->slot_of_key = memory_alloc(keys * sizeof *calltree->slot_of_key);
    memset(calltree->slot_of_key, 0xFF, keys * sizeof *calltree->slot_of_key);
    calltree->child_capacity = 64;
    calltree->children = memory_alloc(calltree->child_capacity * sizeof *calltree->children);
    calltree_add_node(calltree, NO_EVENT, CALLTREE_ALL, 0, NO_EVENT);
    struct unfolding unfolding = {.calltree = calltree};
    for (uint32_t n = 1; n < down->count; n++) {
        const struct calltree_node *leaf = &down->nodes[n];
        struct calltree_part part = {n, leaf->calls, leaf->total, leaf->self, leaf->device_total, leaf->self_device};
        /* A caller that is only on the way to the set, and [no op], have nothing of their own. */
        if (leaf->kind == CALLTREE_KEY && (leaf->calls != 0 || leaf->self != 0 || leaf->self_device != 0))
            move_part(&unfolding, 0, &part, n);
    }
    finish(&unfolding, 0);
    struct calltree_node *all = &calltree->nodes[0];
    for (uint32_t i = 0; i < all->child_count; i++) {
        const struct calltree_node *child = &calltree->nodes[calltree->children[i]];
        all->calls += child->calls;
        wrap_to(&all->self, child->self);
        wrap_to(&all->self_device, child->self_device);
    }
    all->total = all->self;
    all->device_total = all->self_device;
    return calltree;
}
