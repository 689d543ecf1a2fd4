/* Kernels, and ops, that have another name in the other trace: template arguments, tile sizes and addresses change from
 * build to build, what launches them and where does not. */
#include <stdlib.h>

#include "keyavg/compare.h"
#include "keyavg/names.h"

/* -- Names ------------------------------------------------------------------------------------------------------- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_hex(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* The name without what stands between brackets, numbers as `#`. */
static void add_stem(struct text *out, struct span name)
{
    int depth = 0;
    for (size_t i = 0; i < name.length;) {
        char c = name.bytes[i];
        if (c == '<' || c == '(') {
            depth++;
            i++;
        } else if (c == '>' || c == ')') {
            depth -= depth > 0;
            i++;
        } else if (depth > 0) {
            i++;
        } else if (c == '0' && i + 2 < name.length && name.bytes[i + 1] == 'x' && is_hex(name.bytes[i + 2])) {
            for (i += 2; i < name.length && is_hex(name.bytes[i]);)
                i++;
            text_add_char(out, '#');
        } else if (is_digit(c)) {
            while (i < name.length && is_digit(name.bytes[i]))
                i++;
            text_add_char(out, '#');
        } else {
            text_add_char(out, c);
            i++;
        }
    }
}

/* -- Contexts ---------------------------------------------------------------------------------------------------- */

/* Where calls come from: a hash of the launching (of an op: the calling) op's name, its shapes, and which of its
 * kernels (children) it is. */
struct context {
    uint64_t hash;
    uint32_t count;
};

struct candidate {
    uint32_t group;
    uint64_t stem; /* hash of the name's stem and of the rest of the key */
    struct context *contexts;
    uint32_t count;
};

static int by_hash(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static uint64_t hash_text(struct span text)
{
    return hash_pair(hash_bytes(text.bytes, text.length), text.length);
}

/* Beyond a thousand siblings the place says nothing any more. */
static uint32_t place_in(const uint32_t *list, uint32_t from, uint32_t to, uint32_t event)
{
    enum { FAR = 1024 };
    uint32_t place = 0;
    while (place < FAR && from + place < to && list[from + place] != event)
        place++;
    return place;
}

static uint64_t context_of(const struct tree *tree, uint32_t event)
{
    const struct trace *trace = tree->trace;
    bool device = event_on_device(trace, event);
    uint32_t owner = device ? tree->owner[event] : tree->parent[event];
    if (owner == NO_EVENT)
        return 0;
    uint32_t place = device ? place_in(tree->kernels, tree->kernel_first[owner], tree->kernel_first[owner + 1], event)
                            : place_in(tree->children, tree->child_first[owner], tree->child_first[owner + 1], event);
    uint32_t shapes = trace->inputs.items[trace->events.inputs[owner]].torch_dims;
    uint64_t hash = hash_pair(hash_text(strings_get(&trace->strings, event_key(trace, owner))),
                              hash_text(strings_get(&trace->strings, shapes)));
    return hash_pair(hash, place) | 1;
}

static void take_contexts(const struct compare_side *side, struct candidate *candidate)
{
    struct averages *averages = side->table->averages;
    uint32_t row = side->row_of[candidate->group], count = averages->rows[row].count;
    averages_need_calls(averages);
    uint64_t *hashes = memory_alloc(((size_t)count + 1) * sizeof *hashes);
    for (uint32_t i = 0; i < count; i++)
        hashes[i] = context_of(side->table->tree, averages->calls[averages->call_first[row] + i]);
    qsort(hashes, count, sizeof *hashes, by_hash);
    candidate->contexts = memory_alloc(((size_t)count + 1) * sizeof *candidate->contexts);
    for (uint32_t i = 0; i < count; i++) {
        if (candidate->count == 0 || candidate->contexts[candidate->count - 1].hash != hashes[i])
            candidate->contexts[candidate->count++] = (struct context){hashes[i], 0};
        candidate->contexts[candidate->count - 1].count++;
    }
    free(hashes);
}

/* Calls that both have from the same places. */
static uint64_t common_calls(const struct candidate *a, const struct candidate *b)
{
    uint64_t common = 0;
    for (uint32_t i = 0, k = 0; i < a->count && k < b->count;) {
        if (a->contexts[i].hash == b->contexts[k].hash) {
            common += a->contexts[i].count < b->contexts[k].count ? a->contexts[i].count : b->contexts[k].count;
            i++;
            k++;
        } else if (a->contexts[i].hash < b->contexts[k].hash) {
            i++;
        } else {
            k++;
        }
    }
    return common;
}

/* -- Pairs ------------------------------------------------------------------------------------------------------- */

typedef ARRAY(struct candidate) candidates;

static int by_stem(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    if (x->stem != y->stem)
        return x->stem < y->stem ? -1 : 1;
    return (x->group > y->group) - (x->group < y->group);
}

static void find_candidates(const struct compare *compare, int s, const uint32_t *match, candidates *found)
{
    const struct compare_side *side = &compare->sides[s];
    struct text stem = {0};
    for (uint32_t i = 0; i < side->groups.count; i++) {
        const struct group *group = &side->groups.items[i];
        if (match[i] != NO_ROW || (group->kinds & (1u << KIND_KERNEL | 1u << KIND_OP)) == 0)
            continue;
        struct group_key rest = group->key;
        rest.name = 0;
        text_clear(&stem);
        add_stem(&stem, strings_get(&compare->strings, group->key.name));
        uint64_t hash = hash_pair(hash_text(text_span(&stem)), hash_bytes((const char *)&rest, sizeof rest));
        array_push(found, (struct candidate){.group = i, .stem = hash});
    }
    text_free(&stem);
    if (found->count > 0)
        qsort(found->items, found->count, sizeof *found->items, by_stem);
}

struct pair {
    uint32_t base, other; /* places in the candidates */
    uint64_t calls;
    struct span low, high; /* the two names in order of their bytes: the same whichever trace is the base */
};

static int compare_spans(struct span a, struct span b)
{
    int order = memcmp(a.bytes, b.bytes, a.length < b.length ? a.length : b.length);
    return order != 0 ? order : a.length < b.length ? -1 : a.length > b.length;
}

static int by_calls(const void *a, const void *b)
{
    const struct pair *x = a, *y = b;
    if (x->calls != y->calls)
        return x->calls > y->calls ? -1 : 1;
    int order = compare_spans(x->low, y->low);
    order = order != 0 ? order : compare_spans(x->high, y->high);
    if (order != 0)
        return order;
    return x->base != y->base ? (x->base < y->base ? -1 : 1) : (x->other > y->other) - (x->other < y->other);
}

static struct pair make_pair(const struct compare *compare, const candidates found[COMPARE_SIDES], uint32_t a,
                             uint32_t b)
{
    const struct candidate *base = &found[COMPARE_BASE].items[a], *other = &found[COMPARE_NEW].items[b];
    struct span x = strings_get(&compare->strings, compare->sides[COMPARE_BASE].groups.items[base->group].key.name);
    struct span y = strings_get(&compare->strings, compare->sides[COMPARE_NEW].groups.items[other->group].key.name);
    bool swap = compare_spans(x, y) > 0;
    return (struct pair){a, b, common_calls(base, other), swap ? y : x, swap ? x : y};
}

void compare_pair_renamed(struct compare *compare, uint32_t *const match[COMPARE_SIDES], bool *renamed)
{
    enum { MOST = 64 }; /* candidates of one stem: more are no renames but a family of kernels */
    candidates found[COMPARE_SIDES] = {{0}, {0}};
    ARRAY(struct pair) pairs = {0};
    if (!(compare->query.query.grouping.parts & GROUP_NAME) || compare->sides[COMPARE_BASE].table == NULL ||
        compare->sides[COMPARE_NEW].table == NULL)
        return;
    for (int s = 0; s < COMPARE_SIDES; s++)
        find_candidates(compare, s, match[s], &found[s]);
    for (int s = 0; s < COMPARE_SIDES && found[0].count > 0 && found[1].count > 0; s++) {
        tree_need_kernels(compare->sides[s].table->tree);
        tree_need_children(compare->sides[s].table->tree);
    }
    for (uint32_t a = 0, b = 0; a < found[0].count && b < found[1].count;) {
        uint64_t stem = found[0].items[a].stem, other = found[1].items[b].stem;
        if (stem != other) {
            a += stem < other;
            b += other < stem;
            continue;
        }
        uint32_t a_end = a, b_end = b;
        while (a_end < found[0].count && found[0].items[a_end].stem == stem)
            a_end++;
        while (b_end < found[1].count && found[1].items[b_end].stem == stem)
            b_end++;
        for (uint32_t i = a; i < a_end && i < a + MOST; i++)
            take_contexts(&compare->sides[0], &found[0].items[i]);
        for (uint32_t k = b; k < b_end && k < b + MOST; k++)
            take_contexts(&compare->sides[1], &found[1].items[k]);
        for (uint32_t i = a; i < a_end && i < a + MOST; i++)
            for (uint32_t k = b; k < b_end && k < b + MOST; k++)
                array_push(&pairs, make_pair(compare, found, i, k));
        a = a_end;
        b = b_end;
    }
    if (pairs.count > 0)
        qsort(pairs.items, pairs.count, sizeof *pairs.items, by_calls);
    for (size_t i = 0; i < pairs.count && pairs.items[i].calls > 0; i++) {
        uint32_t base = found[0].items[pairs.items[i].base].group, other = found[1].items[pairs.items[i].other].group;
        if (match[COMPARE_BASE][base] != NO_ROW || match[COMPARE_NEW][other] != NO_ROW)
            continue;
        match[COMPARE_BASE][base] = other;
        match[COMPARE_NEW][other] = base;
        renamed[base] = true;
    }
    for (int s = 0; s < COMPARE_SIDES; s++) {
        for (size_t i = 0; i < found[s].count; i++)
            free(found[s].items[i].contexts);
        array_free(&found[s]);
    }
    array_free(&pairs);
}
