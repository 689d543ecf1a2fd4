#include "keyavg/groups.h"
#include "keyavg/wrap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(struct group_key) == 48, "a key has no padding: it is compared and hashed as bytes");

void groups_init(struct groups *groups, const struct grouping *grouping, struct strings *strings, struct stacks *stacks)
{
    *groups = (struct groups){.grouping = *grouping, .strings = strings, .stacks = stacks, .mask = 255};
    groups->slots = memory_zero((size_t)groups->mask + 1, sizeof *groups->slots);
}

void groups_free(struct groups *groups)
{
    for (uint32_t i = 0; i < groups->count; i++) {
        histogram_free(&groups->items[i].histogram);
        free(groups->items[i].over);
    }
    free(groups->items);
    free(groups->slots);
    *groups = (struct groups){0};
}

/* -- Keys -------------------------------------------------------------------------------------------------------- */

static uint32_t hash_key(const struct group_key *key)
{
    uint64_t words[6], hash = 0;
    memcpy(words, key, sizeof words);
    for (int i = 0; i < 6; i++)
        hash = hash_pair(hash, words[i]);
    return (uint32_t)(hash ^ hash >> 32);
}

/* The slot that holds a key or the free one where it would go. */
static uint32_t find_slot(const struct groups *groups, const struct group_key *key, uint32_t hash)
{
    for (uint32_t slot = hash & groups->mask;; slot = (slot + 1) & groups->mask) {
        uint32_t number = groups->slots[slot];
        if (number == 0 || (groups->items[number - 1].hash == hash &&
                            memcmp(&groups->items[number - 1].key, key, sizeof *key) == 0))
            return slot;
    }
}

static void fill_slots(struct groups *groups)
{
    free(groups->slots);
    groups->slots = memory_zero((size_t)groups->mask + 1, sizeof *groups->slots);
    for (uint32_t i = 0; i < groups->count; i++) {
        uint32_t slot = groups->items[i].hash & groups->mask;
        while (groups->slots[slot] != 0)
            slot = (slot + 1) & groups->mask;
        groups->slots[slot] = i + 1;
    }
}

static void grow(struct groups *groups)
{
    groups->capacity = groups->capacity * 2 + 64;
    groups->items = memory_resize(groups->items, groups->capacity, sizeof *groups->items);
    if (groups->capacity <= groups->mask / 2)
        return;
    while (groups->capacity > groups->mask / 2)
        groups->mask = groups->mask * 2 + 1;
    fill_slots(groups);
}

void groups_renumber_steps(struct groups *groups, const int64_t *from, const int64_t *to, uint32_t count)
{
    for (uint32_t i = 0; i < groups->count; i++) {
        struct group *group = &groups->items[i];
        for (uint32_t k = 0; k < count; k++) {
            if (group->key.step != from[k])
                continue;
            group->key.step = to[k];
            break;
        }
        group->hash = hash_key(&group->key);
    }
    fill_slots(groups);
}

uint32_t groups_find(const struct groups *groups, const struct group_key *key)
{
    return groups->slots[find_slot(groups, key, hash_key(key))] - 1;
}

uint32_t groups_add(struct groups *groups, const struct group_key *key)
{
    uint32_t hash = hash_key(key), slot = find_slot(groups, key, hash);
    if (groups->slots[slot] != 0)
        return groups->slots[slot] - 1;
    if (groups->count == groups->capacity) {
        grow(groups);
        slot = find_slot(groups, key, hash);
    }
    groups->items[groups->count] =
        (struct group){.key = *key, .hash = hash, .scope = UINT8_MAX, .min = INT64_MAX, .max = INT64_MIN};
    groups->slots[slot] = ++groups->count;
    return groups->count - 1;
}

uint32_t group_stack(const struct groups *groups, const struct group_key *key, struct span *lines, uint32_t room)
{
    uint32_t depth = 0;
    for (uint32_t node = key->stack; node != 0; node = groups->stacks->nodes[node].caller, depth++)
        if (depth < room)
            lines[depth] = strings_get(groups->strings, groups->stacks->nodes[node].frame);
    return depth;
}

/* -- Merging ----------------------------------------------------------------------------------------------------- */

struct merge {
    struct groups *into;
    const struct groups *from;
    uint32_t *strings, *stacks; /* their numbers in `into` + 1, 0 not yet looked up; NULL: the same tables */
    bool project;               /* groups of one source may become one */
    uint32_t depth;             /* frames that a stack may have; 0: all */
    group_passes *passes;       /* NULL: all */
    uint32_t first_source;
    source_before *before;
    const void *context;
};

static uint32_t map_string(struct merge *merge, uint32_t number)
{
    if (merge->strings == NULL || number == 0)
        return number;
    if (merge->strings[number] == 0) {
        struct span text = strings_get(merge->from->strings, number);
        merge->strings[number] = strings_add(merge->into->strings, text.bytes, text.length) + 1;
    }
    return merge->strings[number] - 1;
}

/* The node's path, or the `depth` innermost frames of it. */
static uint32_t map_stack(struct merge *merge, uint32_t node)
{
    const struct stack_node *nodes = merge->from->stacks->nodes;
    bool whole = merge->depth == 0 || nodes[node].depth <= merge->depth;
    if (node == 0 || (whole && merge->stacks == NULL))
        return node;
    if (merge->stacks != NULL && merge->stacks[node] != 0)
        return merge->stacks[node] - 1;
    uint32_t count = whole ? nodes[node].depth : merge->depth, at = node, mapped = 0;
    uint32_t *frames = memory_alloc(count * sizeof *frames);
    for (uint32_t i = 0; i < count; i++, at = nodes[at].caller)
        frames[i] = nodes[at].frame;
    for (uint32_t i = count; i-- > 0;)
        mapped = stacks_add(merge->into->stacks, mapped, map_string(merge, frames[i]));
    free(frames);
    if (merge->stacks != NULL)
        merge->stacks[node] = mapped + 1;
    return mapped;
}

struct group_over group_extremes(const struct group *group)
{
    if (group->over != NULL)
        return *group->over;
    struct group_over over = {.present = 1};
    for (int m = 0; m < MEASURES; m++) {
        over.low[m] = over.high[m] = group->sums[m];
        over.low_at[m] = over.high_at[m] = group->source;
    }
    return over;
}

/* Of two equal extremes the earlier source's stands, so that the order of merging does not matter. */
static void merge_over(const struct merge *merge, struct group_over *into, const struct group_over *from)
{
    for (int m = 0; m < MEASURES; m++) {
        uint32_t low_at = from->low_at[m] + merge->first_source, high_at = from->high_at[m] + merge->first_source;
        if (from->low[m] < into->low[m] ||
            (from->low[m] == into->low[m] && merge->before(merge->context, low_at, into->low_at[m]))) {
            into->low[m] = from->low[m];
            into->low_at[m] = low_at;
        }
        if (from->high[m] > into->high[m] ||
            (from->high[m] == into->high[m] && merge->before(merge->context, high_at, into->high_at[m]))) {
            into->high[m] = from->high[m];
            into->high_at[m] = high_at;
        }
    }
    into->present += from->present;
}

static void shift_sources(struct group_over *over, uint32_t by)
{
    for (int m = 0; m < MEASURES; m++) {
        over->low_at[m] += by;
        over->high_at[m] += by;
    }
}

static struct group_over *copy_over(const struct group_over *over)
{
    struct group_over *copy = memory_alloc(sizeof *copy);
    *copy = *over;
    return copy;
}

/* Before the sums of `from` are added to `into`. */
static void merge_sources(const struct merge *merge, struct group *into, const struct group *from, bool is_new)
{
    if (is_new) {
        into->source = from->source + merge->first_source;
        if (from->over != NULL) {
            into->over = copy_over(from->over);
            shift_sources(into->over, merge->first_source);
        }
        return;
    }
    /* What two groups that become one are in a single source is known only where there is but one. */
    if (merge->project && into->over == NULL && from->over == NULL && into->source == from->source)
        return;
    if (into->over == NULL) {
        struct group_over own = group_extremes(into);
        into->over = copy_over(&own);
    }
    struct group_over other = group_extremes(from);
    if (merge->project || into->over->present == 0 || other.present == 0)
        into->over->present = 0;
    else
        merge_over(merge, into->over, &other);
}

static void merge_group(const struct merge *merge, struct group *into, const struct group *from, bool is_new)
{
    merge_sources(merge, into, from, is_new);
    into->kinds |= from->kinds;
    into->scope = from->scope < into->scope ? from->scope : into->scope;
    into->async |= from->async;
    into->top_level |= from->top_level;
    for (int m = 0; m < MEASURES; m++)
        into->sums[m] = wrap_add(into->sums[m], from->sums[m]);
    for (int m = 0; m < MEASURE_TIMES; m++)
        into->squares[m] += from->squares[m];
    into->min = from->min < into->min ? from->min : into->min;
    into->max = from->max > into->max ? from->max : into->max;
    if (is_new)
        histogram_copy(&into->histogram, &from->histogram);
    else
        histogram_merge(&into->histogram, &from->histogram);
}

static struct group_key map_key(struct merge *merge, const struct group_key *of)
{
    unsigned parts = merge->into->grouping.parts;
    struct group_key key = *of;
    key.name = parts & GROUP_NAME ? map_string(merge, key.name) : 0;
    key.overload = parts & GROUP_OVERLOAD ? map_string(merge, key.overload) : 0;
    key.shapes = parts & GROUP_SHAPE ? map_string(merge, key.shapes) : 0;
    key.types = parts & GROUP_DTYPE ? map_string(merge, key.types) : 0;
    key.thread = parts & GROUP_THREAD ? map_string(merge, key.thread) : 0;
    key.module = parts & GROUP_MODULE ? map_string(merge, key.module) : 0;
    key.lane = parts & GROUP_DEVICE ? map_string(merge, key.lane) : 0;
    key.stack = parts & GROUP_STACK ? map_stack(merge, key.stack) : 0;
    key.step = parts & GROUP_STEP ? key.step : 0;
    key.phase = parts & GROUP_SCOPE ? key.phase : 0;
    if (!(parts & GROUP_NAME)) {
        key.node = 0;
        key.side = key.side & SIDE_DEVICE ? key.side : 0;
    }
    return key;
}

static void merge_all(struct merge *merge, uint32_t **group_of)
{
    struct groups *into = merge->into;
    const struct groups *from = merge->from;
    if (into->strings != from->strings) {
        merge->strings = memory_zero(from->strings->count, sizeof *merge->strings);
        merge->stacks = memory_zero(from->stacks->count, sizeof *merge->stacks);
    }
    uint32_t *numbers = group_of != NULL ? memory_alloc(((size_t)from->count + 1) * sizeof *numbers) : NULL;
    for (uint32_t i = 0; i < from->count; i++) {
        if (merge->passes != NULL && !merge->passes(merge->context, from, &from->items[i]))
            continue;
        struct group_key key = map_key(merge, &from->items[i].key);
        uint32_t before = into->count, number = groups_add(into, &key);
        merge_group(merge, &into->items[number], &from->items[i], number == before);
        if (numbers != NULL)
            numbers[i] = number;
    }
    if (group_of != NULL)
        *group_of = numbers;
    free(merge->strings);
    free(merge->stacks);
}

void groups_merge(struct groups *into, const struct groups *from, uint32_t first_source, source_before *before,
                  const void *context, uint32_t **group_of)
{
    struct merge merge = {.into = into, .from = from, .first_source = first_source, .before = before,
                          .context = context};
    merge_all(&merge, group_of);
}

void groups_project(struct groups *into, const struct groups *from, group_passes *passes, const void *context)
{
    struct merge merge = {.into = into, .from = from, .project = true, .passes = passes, .context = context};
    if (into->grouping.parts & GROUP_STACK)
        merge.depth = (uint32_t)into->grouping.stack_depth;
    merge_all(&merge, NULL);
}

double group_deviation(const struct group *group, enum measure measure)
{
    int64_t calls = group->sums[MEASURE_CALLS], sum = group->sums[measure];
    unsigned __int128 squares = group->squares[measure - MEASURE_CPU], of_calls;
    if (calls < 1)
        return 0;
    uint64_t size = sum < 0 ? 0 - (uint64_t)sum : (uint64_t)sum;
    unsigned __int128 of_sum = (unsigned __int128)size * size;
    /* In integers where that fits: the difference then loses no digits. */
    if (!__builtin_mul_overflow(squares, (unsigned __int128)calls, &of_calls))
        return of_calls > of_sum ? sqrt((double)(of_calls - of_sum)) / (double)calls : 0;
    double mean = (double)sum / (double)calls, variance = (double)squares / (double)calls - mean * mean;
    return variance > 0 ? sqrt(variance) : 0;
}
