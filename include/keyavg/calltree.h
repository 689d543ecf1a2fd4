/* The call tree with equal paths made one: a node stands for all events that are reached over the same keys.
 *
 * Top down a node's children are what it called. Turned round (bottom up) the roots are the keys and a node's
 * children are its callers: whatever the depth, a node has the time of the calls at the root that came over this
 * path.
 *
 * Times are exact, in ns. Top down, of a node: total = self + the children's totals (but for async events, which
 * have a total and no self time), and over all nodes of one key calls, total, self and the device times add up to
 * the row of an unfiltered table. Device events are no nodes; those with no op by torch's link stand under `[no
 * op]`, so that the whole tree's device time is the file's (annotations excluded).
 *
 * Of a set of calls the tree has: the calls, all below them, and the callers above them as the way to them. A caller
 * that is not in or below the set has no calls and no self time; its total is that of the calls it leads to. Of
 * device events in the set the op that owns them has their time as its self device time.
 *
 * With python frames folded a frame called by a frame stands in its caller's node, with its time: a run of frames is
 * one node under the name of its outermost frame. */
#ifndef KEYAVG_CALLTREE_H
#define KEYAVG_CALLTREE_H

#include "keyavg/keys.h"

enum calltree_weight { WEIGHT_TOTAL, WEIGHT_SELF, WEIGHT_DEVICE_TOTAL, WEIGHT_SELF_DEVICE, WEIGHT_CALLS };

enum calltree_kind {
    CALLTREE_KEY,
    CALLTREE_ALL,       /* node 0: everything; top down its children are the roots, bottom up the keys */
    CALLTREE_NO_OP,     /* top down: device events without an op, a child for each key */
    CALLTREE_TOP_LEVEL, /* bottom up: called by nothing recorded; stands only beside other callers */
};

struct calltree_node {
    uint32_t parent;                    /* node; NO_EVENT for node 0 */
    uint32_t key;                       /* CALLTREE_KEY: keys number; else NO_EVENT */
    uint32_t first;                     /* the first event in list order that stands here, NO_EVENT none */
    uint32_t depth;                     /* 0 for node 0 */
    uint32_t calls;                     /* events in or below the set; bottom up: calls of the root's key */
    uint32_t chosen;                    /* top down: of these, in the set itself */
    uint32_t frames;                    /* python frames folded into it */
    uint32_t child_first, child_count;  /* see calltree_children */
    uint32_t place;                     /* in its parent's list of children */
    uint8_t kind;                       /* enum calltree_kind */
    int64_t total, self, device_total, self_device; /* ns */
};

/* Bottom up: calls at the root over one path, by where on the path top down this node is. */
struct calltree_part {
    uint32_t at; /* node of `down` */
    uint32_t calls;
    int64_t total, self, device_total, self_device;
};

struct calltree {
    const struct keys *keys;      /* borrowed */
    enum calltree_weight weight;  /* by which children are sorted */
    struct calltree_node *nodes;  /* may move when a bottom-up node is unfolded */
    uint32_t count, capacity;
    uint32_t *children;           /* as nodes; of each node in one piece */
    uint32_t *node_of;            /* top down: by event, NO_EVENT for what stands in no node; bottom up NULL */
    const struct calltree *down;  /* bottom up: the tree that was turned round, borrowed; else NULL */
    /* Bottom up, of its own use. */
    ARRAY(struct calltree_part) parts;
    uint32_t *part_first, *part_count, *slot_of_node, *slot_of_key;
    uint32_t child_total, child_capacity;
};

/* The tree of a set of events, one bit each (keys.h makes them), or of all when `chosen` is NULL. Built whole: time is
 * linear in the events, memory in the distinct paths and 4 bytes an event. Free with calltree_free. */
struct calltree *calltree_build(const struct keys *keys, const uint64_t *chosen, bool fold_python);

/* The same bottom up. Nodes are unfolded when their children are asked for; `down` must stay. Free with
 * calltree_free. */
struct calltree *calltree_turn(const struct calltree *down);
void calltree_free(struct calltree *calltree);

/* The children of a node, heaviest first by the tree's weight, then in list order. Borrowed until the next call that
 * unfolds; also pointers into `nodes` are good only so long. */
const uint32_t *calltree_children(struct calltree *calltree, uint32_t node, uint32_t *count);

/* Sorts children by another weight. Top down the first order is WEIGHT_TOTAL, bottom up WEIGHT_SELF. */
void calltree_sort(struct calltree *calltree, enum calltree_weight weight);

int64_t calltree_weigh(const struct calltree_node *node, enum calltree_weight weight);

/* The next node in the order in which an unfolded tree is drawn, NO_EVENT behind the last. `into` false goes on behind
 * the node's subtree. Bottom up `into` unfolds. */
uint32_t calltree_next(struct calltree *calltree, uint32_t node, bool into);

/* One step of the hot path: the heaviest child, as long as it weighs more than what stays in the node itself (top down
 * its self time or self device time) and more than nothing; NO_EVENT at the path's end. */
uint32_t calltree_hot(struct calltree *calltree, uint32_t node);

/* A chain of only children, to be drawn as one: its last node, its length (1: no chain) and its nodes' own times. */
struct calltree_chain {
    uint32_t last, length;
    int64_t self, self_device;
};
struct calltree_chain calltree_chain(struct calltree *calltree, uint32_t node);

/* Top down: the events of a node in list order, without those in or below nothing of the set; to free(). */
uint32_t *calltree_events(const struct calltree *calltree, uint32_t node, uint32_t *count);

/* `[all]`, `[no op]`, `[top level]`; empty for CALLTREE_KEY. */
const char *calltree_kind_name(enum calltree_kind kind);

#endif
