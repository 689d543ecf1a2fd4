/* Rows that are nodes of a tree: folds, zoom, and the order in which they are drawn. */
#include <stdlib.h>

#include "drill_ops.h"

struct outline *drill_outline(const struct drill *drill)
{
    return drill->kind == DRILL_TREE      ? drill_tree_outline(drill)
           : drill->kind == DRILL_MODULES ? drill_modules_outline(drill)
                                          : NULL;
}

bool outline_is_open(const struct outline *outline, uint32_t node)
{
    return node / 64 < outline->words && (outline->open[node / 64] >> node % 64 & 1) != 0;
}

void outline_set(struct outline *outline, uint32_t node, bool open)
{
    size_t words = (size_t)node / 64 + 1;
    if (words > outline->words) {
        words += words / 2;
        outline->open = memory_resize(outline->open, words, sizeof *outline->open);
        memset(outline->open + outline->words, 0, (words - outline->words) * sizeof *outline->open);
        outline->words = words;
    }
    uint64_t bit = UINT64_C(1) << node % 64;
    outline->open[node / 64] = open ? outline->open[node / 64] | bit : outline->open[node / 64] & ~bit;
}

uint32_t outline_root(const struct outline *outline)
{
    return outline->roots.count > 0 ? outline->roots.items[outline->roots.count - 1] : 0;
}

void outline_free(struct outline *outline)
{
    free(outline->open);
    array_free(&outline->roots);
    array_free(&outline->gone);
}

/* -- Walking ----------------------------------------------------------------------------------------------------- */

/* Children that wait to be listed: waiting[next] .. waiting[end - 1], of one node. */
struct level {
    size_t start, next, end;
};

struct walk {
    ARRAY(struct level) levels;
    ARRAY(uint32_t) waiting;
};

static uint32_t last_of(const struct drill *drill, const struct outline *outline, uint32_t node)
{
    return outline->last != NULL ? outline->last(drill, node) : node;
}

/* Puts a node's children on the walk, in the order of the drill's sort column. */
static void enter(struct drill *drill, const struct outline *outline, struct walk *walk, uint32_t node)
{
    uint32_t count;
    const uint32_t *children = outline->children(drill, last_of(drill, outline, node), &count);
    size_t first = drill->rows.count, start = walk->waiting.count;
    for (uint32_t i = 0; i < count; i++)
        drill_push(drill, children[i]);
    drill_sort_rows(drill, first, count);
    for (uint32_t i = 0; i < count; i++)
        array_push(&walk->waiting, drill->rows.items[first + i].id);
    drill->rows.count = first;
    array_push(&walk->levels, (struct level){start, start, start + count});
}

static uint32_t child_count(const struct drill *drill, const struct outline *outline, uint32_t node)
{
    uint32_t count;
    outline->children(drill, last_of(drill, outline, node), &count);
    return count;
}

/* What passes the filter stays, and what leads to it. */
static void keep_passing(struct drill *drill)
{
    struct text scratch = {0};
    size_t at = drill->rows.count;
    int64_t wanted = -1;
    for (size_t i = drill->rows.count; i-- > 0;) {
        struct drill_row row = drill->rows.items[i];
        if ((int64_t)row.depth != wanted && !drill_passes(drill, row.id, &scratch))
            continue;
        wanted = (int64_t)row.depth - 1;
        drill->rows.items[--at] = row;
    }
    drill->filtered = (uint32_t)at;
    for (size_t i = at; i < drill->rows.count; i++)
        drill->rows.items[i - at] = drill->rows.items[i];
    drill->rows.count -= at;
    text_free(&scratch);
}

void outline_list(struct drill *drill, bool root_too)
{
    struct outline *outline = drill_outline(drill);
    struct walk walk = {0};
    if (outline == NULL)
        return;
    uint32_t root = outline_root(outline);
    bool all = drill->settings.unfolded || drill->settings.filter != NULL;
    if (root_too)
        array_push(&drill->rows, (struct drill_row){root, 0, true, child_count(drill, outline, root) > 0});
    enter(drill, outline, &walk, root);
    while (walk.levels.count > 0) {
        struct level *level = &walk.levels.items[walk.levels.count - 1];
        if (level->next == level->end) {
            walk.waiting.count = level->start;
            walk.levels.count--;
            continue;
        }
        uint32_t node = walk.waiting.items[level->next++];
        uint32_t depth = (uint32_t)walk.levels.count - 1 + root_too;
        bool parent = child_count(drill, outline, node) > 0, open = parent && (all || outline_is_open(outline, node));
        array_push(&drill->rows, (struct drill_row){node, depth, open, parent});
        if (open)
            enter(drill, outline, &walk, node);
    }
    array_free(&walk.levels);
    array_free(&walk.waiting);
    if (drill->settings.filter != NULL)
        keep_passing(drill);
    int64_t limit = drill->settings.row_limit;
    if (limit >= 0 && drill->rows.count > (size_t)limit) {
        drill->left_out = (uint32_t)(drill->rows.count - (size_t)limit);
        drill->rows.count = (size_t)limit;
    }
}

/* -- What a user does -------------------------------------------------------------------------------------------- */

void drill_fold(struct drill *drill, uint32_t row, bool open)
{
    struct outline *outline = drill_outline(drill);
    if (outline == NULL || row >= drill->rows.count)
        return;
    outline_set(outline, drill->rows.items[row].id, open);
    drill_list(drill);
}

/* Opens all below a row; bottom up a tree has no end that is worth to see, so it stops where it grows large. */
void drill_unfold_below(struct drill *drill, uint32_t row)
{
    enum { MOST = 100000 };
    struct outline *outline = drill_outline(drill);
    if (outline == NULL || row >= drill->rows.count)
        return;
    ARRAY(uint32_t) open = {0};
    array_push(&open, drill->rows.items[row].id);
    for (size_t i = 0; i < open.count && open.count < MOST; i++) {
        uint32_t count;
        outline_set(outline, open.items[i], true);
        const uint32_t *children = outline->children(drill, last_of(drill, outline, open.items[i]), &count);
        for (uint32_t k = 0; k < count; k++)
            array_push(&open, children[k]);
    }
    array_free(&open);
    drill_list(drill);
}

/* Whether so many nodes are the same ones in both. */
static bool same_nodes(const struct drill *a, const struct drill *b, uint32_t count)
{
    if (a->trace != b->trace)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (drill_event(a, i) != drill_event(b, i))
            return false;
    return true;
}

/* The event that stands for a node, in the other's trace; NO_EVENT none. */
static uint32_t event_in(const struct drill *from, uint32_t node, const struct drill *to, drill_same_event *same)
{
    uint32_t event = drill_event(from, node);
    return event != NO_EVENT && from->trace != to->trace ? same(from->trace, event, to->trace) : event;
}

/* The node of an outline that is the other's node, by that event. */
static uint32_t same_node(const struct drill *from, uint32_t node, const struct drill *to, drill_same_event *same)
{
    uint32_t event = event_in(from, node, to, same);
    return event != NO_EVENT ? to->ops->row_of(to, event) : NO_EVENT;
}

/* What a node was that none of the drill's has been found to be: that of its event is so, unless its own event had a
 * node in the other drill, which counts. Where the event has none, the fold waits until it has. */
static void keep_fold(struct drill *drill, const struct drill *from, struct fold fold, drill_same_event *same)
{
    struct outline *to = drill_outline(drill);
    if (to == NULL || fold.event == NO_EVENT)
        return;
    uint32_t node = drill->ops->row_of(drill, fold.event);
    if (node == NO_EVENT)
        array_push(&to->gone, fold);
    else if (same_node(drill, node, from, same) == NO_EVENT)
        outline_set(to, node, fold.open);
}

/* Top down the nodes are all there, and events have their places in them. */
static void keep_nodes(struct drill *drill, const struct drill *from, drill_same_event *same)
{
    struct outline *to = drill_outline(drill), *old = drill_outline(from);
    if (to == NULL || old == NULL)
        return;
    uint64_t *found = memory_zero((size_t)old->nodes / 64 + 1, sizeof *found);
    for (uint32_t node = 0; node < to->nodes; node++) {
        uint32_t before = same_node(drill, node, from, same);
        if (before == NO_EVENT)
            continue;
        outline_set(to, node, outline_is_open(old, before));
        found[before / 64] |= UINT64_C(1) << before % 64;
    }
    for (uint32_t node = 0; node < old->nodes; node++) {
        struct fold fold = {event_in(from, node, drill, same), outline_is_open(old, node)};
        if ((found[node / 64] >> node % 64 & 1) == 0)
            keep_fold(drill, from, fold, same);
    }
    for (size_t i = 0; i < old->gone.count; i++) {
        struct fold fold = old->gone.items[i];
        fold.event = from->trace != drill->trace ? same(from->trace, fold.event, drill->trace) : fold.event;
        keep_fold(drill, from, fold, same);
    }
    for (size_t i = 0; i < old->roots.count; i++) {
        uint32_t root = same_node(from, old->roots.items[i], drill, same);
        if (root != NO_EVENT && root != outline_root(to))
            array_push(&to->roots, root);
    }
    free(found);
}

/* Two nodes that are the same, of an outline and of the one before. */
struct way {
    uint32_t old, now;
};

/* The number of a node among the roots, their number when it is none. */
static size_t root_number(const struct outline *outline, uint32_t node)
{
    size_t i = 0;
    while (i < outline->roots.count && outline->roots.items[i] != node)
        i++;
    return i;
}

/* Bottom up nodes are made when they are opened: the same ways down are gone once more. */
static void keep_ways(struct drill *drill, const struct drill *from, drill_same_event *same)
{
    struct outline *to = drill_outline(drill), *old = drill_outline(from);
    ARRAY(struct way) ways = {0};
    if (to == NULL || old == NULL)
        return;
    uint32_t *roots = memory_zero(old->roots.count + 1, sizeof *roots); /* 0: not met */
    array_push(&ways, (struct way){0, 0});
    while (ways.count > 0) {
        struct way way = ways.items[--ways.count];
        uint32_t old_count, count;
        old->children(from, way.old, &old_count);
        for (uint32_t i = 0; i < old_count; i++) {
            uint32_t before = old->children(from, way.old, &old_count)[i];
            bool open = outline_is_open(old, before);
            size_t root = root_number(old, before);
            uint32_t event = open || root < old->roots.count ? event_in(from, before, drill, same) : NO_EVENT;
            const uint32_t *children = to->children(drill, way.now, &count);
            uint32_t k = 0;
            while (k < count && (event == NO_EVENT || drill_event(drill, children[k]) != event))
                k++;
            if (k == count)
                continue;
            roots[root] = children[k];
            outline_set(to, children[k], open);
            array_push(&ways, (struct way){before, children[k]});
        }
    }
    for (size_t i = 0; i < old->roots.count && roots[i] != 0; i++)
        array_push(&to->roots, roots[i]);
    free(roots);
    array_free(&ways);
}

void drill_keep_folds(struct drill *drill, const struct drill *from, drill_same_event *same)
{
    struct outline *to = drill_outline(drill), *old = drill_outline(from);
    if (to == NULL || old == NULL || drill->settings.bottom_up != from->settings.bottom_up)
        return;
    if (drill->settings.bottom_up) {
        keep_ways(drill, from, same);
    } else if (to->nodes == old->nodes && same_nodes(drill, from, to->nodes)) {
        struct outline swap = *to;
        *to = *old;
        *old = swap;
    } else {
        keep_nodes(drill, from, same);
    }
    drill_list(drill);
}

void drill_reveal(struct drill *drill, uint32_t event)
{
    struct outline *outline = drill_outline(drill);
    uint32_t node = outline != NULL && drill->ops->row_of != NULL ? drill->ops->row_of(drill, event) : NO_EVENT;
    if (node == NO_EVENT)
        return;
    outline->roots.count = 0;
    while ((node = outline->parent(drill, node)) != NO_EVENT)
        outline_set(outline, node, true);
    drill_list(drill);
}

static uint32_t row_of_node(const struct drill *drill, uint32_t node)
{
    for (size_t i = 0; i < drill->rows.count; i++)
        if (drill->rows.items[i].id == node)
            return (uint32_t)i;
    return 0;
}

uint32_t drill_hot_path(struct drill *drill, uint32_t row)
{
    struct outline *outline = drill_outline(drill);
    if (outline == NULL || drill->kind != DRILL_TREE || row >= drill->rows.count)
        return row;
    uint32_t node = drill->rows.items[row].id, next;
    while ((next = drill_tree_hot(drill, last_of(drill, outline, node))) != NO_EVENT) {
        outline_set(outline, node, true);
        node = next;
    }
    drill_list(drill);
    return row_of_node(drill, node);
}

bool drill_zoom(struct drill *drill, uint32_t row)
{
    struct outline *outline = drill_outline(drill);
    if (outline == NULL || (row == UINT32_MAX ? outline->roots.count == 0 : row >= drill->rows.count))
        return false;
    if (row == UINT32_MAX)
        outline->roots.count--;
    else if (drill->rows.items[row].id == outline_root(outline))
        return false;
    else
        array_push(&outline->roots, drill->rows.items[row].id);
    drill_list(drill);
    return true;
}
