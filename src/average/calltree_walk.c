/* Call trees: order of children, and ways through them. Both forms. */
#include <stdlib.h>
#include <string.h>

#include "calltree.h"
#include "keyavg/wrap.h"
#include "numbering.h"

int64_t calltree_weigh(const struct calltree_node *node, enum calltree_weight weight)
{
    switch (weight) {
    case WEIGHT_TOTAL: return node->total;
    case WEIGHT_SELF: return node->self;
    case WEIGHT_DEVICE_TOTAL: return node->device_total;
    case WEIGHT_SELF_DEVICE: return node->self_device;
    case WEIGHT_CALLS: return node->calls;
    }
    return 0;
}

struct weighed {
    int64_t weight;
    uint32_t first, node;
};

static int by_weight(const void *a, const void *b)
{
    const struct weighed *x = a, *y = b;
    if (x->weight != y->weight)
        return x->weight > y->weight ? -1 : 1;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    return (x->node > y->node) - (x->node < y->node);
}

void calltree_sort_children(struct calltree *calltree, uint32_t node)
{
    uint32_t count = calltree->nodes[node].child_count;
    if (count == 0)
        return;
    uint32_t *children = calltree->children + calltree->nodes[node].child_first;
    if (count > 1) {
        struct weighed few[16], *list = count <= 16 ? few : memory_alloc(count * sizeof *list);
        for (uint32_t i = 0; i < count; i++) {
            const struct calltree_node *child = &calltree->nodes[children[i]];
            list[i] = (struct weighed){calltree_weigh(child, calltree->weight), child->first, children[i]};
        }
        qsort(list, count, sizeof *list, by_weight);
        for (uint32_t i = 0; i < count; i++)
            children[i] = list[i].node;
        if (list != few)
            free(list);
    }
    for (uint32_t i = 0; i < count; i++)
        calltree->nodes[children[i]].place = i;
}

void calltree_sort(struct calltree *calltree, enum calltree_weight weight)
{
    calltree->weight = weight;
    for (uint32_t n = 0; n < calltree->count; n++)
        if (calltree->nodes[n].child_first != CALLTREE_FOLDED)
            calltree_sort_children(calltree, n);
}

const uint32_t *calltree_children(struct calltree *calltree, uint32_t node, uint32_t *count)
{
    if (calltree->nodes[node].child_first == CALLTREE_FOLDED)
        calltree_unfold(calltree, node);
    *count = calltree->nodes[node].child_count;
    return calltree->children + calltree->nodes[node].child_first;
}

uint32_t calltree_next(struct calltree *calltree, uint32_t node, bool into)
{
    if (into) {
        uint32_t count;
        const uint32_t *children = calltree_children(calltree, node, &count);
        if (count != 0)
            return children[0];
    }
    for (; node != 0; node = calltree->nodes[node].parent) {
        const struct calltree_node *parent = &calltree->nodes[calltree->nodes[node].parent];
        if (calltree->nodes[node].place + 1 < parent->child_count)
            return calltree->children[parent->child_first + calltree->nodes[node].place + 1];
    }
    return NO_EVENT;
}

/* What of a weight stays in the node itself. Bottom up the children share out all of it. */
static int64_t own_weight(const struct calltree *calltree, uint32_t node)
{
    if (calltree->down != NULL)
        return 0;
    switch (calltree->weight) {
    case WEIGHT_TOTAL:
    case WEIGHT_SELF: return calltree->nodes[node].self;
    case WEIGHT_DEVICE_TOTAL:
    case WEIGHT_SELF_DEVICE: return calltree->nodes[node].self_device;
    case WEIGHT_CALLS: return 0;
    }
    return 0;
}

uint32_t calltree_hot(struct calltree *calltree, uint32_t node)
{
    uint32_t count;
    const uint32_t *children = calltree_children(calltree, node, &count);
    if (count == 0)
        return NO_EVENT;
    int64_t weight = calltree_weigh(&calltree->nodes[children[0]], calltree->weight);
    return weight > 0 && weight > own_weight(calltree, node) ? children[0] : NO_EVENT;
}

struct calltree_chain calltree_chain(struct calltree *calltree, uint32_t node)
{
    struct calltree_chain chain = {.last = node};
    for (uint32_t count;;) {
        if (chain.length++ == 0 || calltree->down == NULL) { /* bottom up each node has all of it */
            wrap_to(&chain.self, calltree->nodes[chain.last].self);
            wrap_to(&chain.self_device, calltree->nodes[chain.last].self_device);
        }
        const uint32_t *children = calltree_children(calltree, chain.last, &count);
        if (count != 1)
            return chain;
        chain.last = children[0];
    }
}

void calltree_free(struct calltree *calltree)
{
    if (calltree == NULL)
        return;
    free(calltree->nodes);
    free(calltree->children);
    free(calltree->node_of);
    array_free(&calltree->parts);
    free(calltree->part_first);
    free(calltree->part_count);
    free(calltree->slot_of_node);
    free(calltree->slot_of_key);
    free(calltree);
}
