#include "keyavg/average.h"

#include <stdlib.h>
#include <string.h>

#include "group.h"
#include "keyavg/calls.h"
#include "keyavg/names.h"
#include "keyavg/timing.h"
#include "keyavg/workers.h"
#include "keyavg/wrap.h"

/* A run of events, which one thread groups and sums. */
struct share {
    uint32_t from, to;
    struct grouper *grouper;
    struct average *rows;    /* one more than there are, into which events of no row are added */
    uint32_t room;
    uint32_t *number;        /* of its rows among all */
};

struct shares {
    struct averages *averages;
    struct group_plan plan;
    bool has_device;
    uint8_t *has_flops; /* by name */
    struct share *items;
    unsigned count;
};

/* Sums of what every event has. */
static void add_events(const struct shares *shares, struct share *share, uint32_t from, uint32_t to)
{
    const struct tree *tree = shares->plan.tree;
    const struct events *events = &tree->trace->events;
    const int64_t *duration = events->duration;
    struct amounts self_cpu = tree->self_cpu, device_total = tree->device_total, self_device = tree->self_device;
    const uint32_t *row_of = shares->averages->row_of, *name = events->name;
    const uint8_t *category = events->category, *on_device = shares->plan.on_device, *has_flops = shares->has_flops;
    bool has_device = shares->has_device;
    uint32_t none = grouper_count(share->grouper);
    for (uint32_t e = from; e < to; e++) {
        struct average *row = &share->rows[row_of[e] < none ? row_of[e] : none];
        if (row->count++ == 0)
            row->first = e;
        wrap_to(&row->cpu_time_total, on_device[category[e]] ? 0 : duration[e]);
        wrap_to(&row->self_cpu_time_total, amounts_get(&self_cpu, e));
        if (has_device) {
            wrap_to(&row->device_time_total, amounts_get(&device_total, e));
            wrap_to(&row->self_device_time_total, amounts_get(&self_device, e));
        }
        if (has_flops[name[e]])
            row->flops += tree_flops(tree, e);
    }
    share->rows[none] = (struct average){0};
}

static void make_room(struct share *share, uint32_t rows)
{
    if (rows < share->room)
        return;
    uint32_t room = rows + rows / 2 + 64;
    share->rows = memory_resize(share->rows, room, sizeof *share->rows);
    memset(share->rows + share->room, 0, (room - share->room) * sizeof *share->rows);
    share->room = room;
}

static void take_share(void *context, unsigned number)
{
    struct shares *shares = context;
    struct share *share = &shares->items[number];
    share->grouper = grouper_start(&shares->plan);
    make_room(share, 0);
    for (uint32_t from = share->from, to; from < share->to; from = to) {
        to = group_block_end(from, share->to);
        grouper_take(share->grouper, from, to, shares->averages->row_of);
        make_room(share, grouper_count(share->grouper));
        add_events(shares, share, from, to);
    }
}

static void add_row(struct average *to, const struct average *from)
{
    to->count += from->count;
    wrap_to(&to->cpu_time_total, from->cpu_time_total);
    wrap_to(&to->self_cpu_time_total, from->self_cpu_time_total);
    wrap_to(&to->device_time_total, from->device_time_total);
    wrap_to(&to->self_device_time_total, from->self_device_time_total);
    to->flops += from->flops;
}

/* Adds the rows of a later share to the first one's, which numbers those that are new: the order of first
 * appearance. */
static void join(struct shares *shares, struct share *share)
{
    struct share *all = &shares->items[0];
    uint32_t count = grouper_count(share->grouper);
    share->number = memory_alloc(((size_t)count + 1) * sizeof *share->number);
    for (uint32_t r = 0; r < count; r++) {
        uint32_t first = share->rows[r].first, row_of = shares->averages->row_of[first];
        grouper_take(all->grouper, first, first + 1, shares->averages->row_of);
        uint32_t row = shares->averages->row_of[first];
        shares->averages->row_of[first] = row_of; /* renumbered with the others */
        make_room(all, grouper_count(all->grouper));
        if (all->rows[row].count == 0)
            all->rows[row].first = first;
        add_row(&all->rows[row], &share->rows[r]);
        share->number[r] = row;
    }
}

static void renumber(void *context, unsigned number)
{
    struct shares *shares = context;
    struct share *share = &shares->items[number + 1];
    uint32_t *row_of = shares->averages->row_of;
    for (uint32_t e = share->from; e < share->to; e++)
        row_of[e] = row_of[e] == NO_EVENT ? NO_EVENT : share->number[row_of[e]];
}

/* The same rows and sums whatever the number of threads. */
static void group_and_sum(struct averages *averages, const uint64_t *selected)
{
    struct tree *tree = averages->tree;
    unsigned threads = trace_workers(tree->trace);
    struct shares shares = {
        .averages = averages,
        .has_device = tree->has_device_time,
        .has_flops = memory_zero((size_t)tree->trace->name_count + 1, 1),
        .count = threads > 0 ? threads : 1,
    };
    group_plan_init(&shares.plan, tree, &averages->grouping, selected);
    tree_need_flops(tree);
    for (uint32_t i = 0; i < tree->trace->name_count; i++)
        shares.has_flops[i] = tree->trace->inputs.count > 1 && tree->trace->names[i].flops != FLOPS_NONE;
    shares.items = memory_zero(shares.count, sizeof *shares.items);
    for (unsigned i = 0; i < shares.count; i++) {
        shares.items[i].from = (uint32_t)((uint64_t)tree->count * i / shares.count);
        shares.items[i].to = (uint32_t)((uint64_t)tree->count * (i + 1) / shares.count);
    }
    workers_run(take_share, &shares, shares.count, shares.count);
    for (unsigned i = 1; i < shares.count; i++)
        join(&shares, &shares.items[i]);
    workers_run(renumber, &shares, shares.count - 1, shares.count - 1);
    averages->count = grouper_count(shares.items[0].grouper);
    averages->rows = shares.items[0].rows;
    for (unsigned i = 0; i < shares.count; i++) {
        grouper_free(shares.items[i].grouper);
        free(shares.items[i].number);
        if (i > 0)
            free(shares.items[i].rows);
    }
    free(shares.items);
    free(shares.has_flops);
    group_plan_free(&shares.plan);
}

/* Memory, and self memory: an event's own is taken from the row of the event that called it, in whatever row that
 * is. */
static void add_memory(struct averages *averages)
{
    const struct tree *tree = averages->tree;
    for (unsigned i = MEMORY_CPU; i <= MEMORY_DEVICE; i++) {
        const struct amounts *memory = &tree->memory[i];
        for (uint32_t e = 0; amounts_there(memory) && e < tree->count; e++) {
            int64_t bytes = amounts_get(memory, e);
            if (bytes == 0 || tree->state[e] != STATE_ROW)
                continue;
            uint32_t number = averages->row_of[e], parent = tree->parent[e];
            if (number != NO_EVENT) {
                wrap_to(&averages->rows[number].memory[i], bytes);
                if (!(tree->trace->events.flags[e] & EVENT_ASYNC))
                    wrap_to(&averages->rows[number].memory[i + MEMORY_SELF_CPU], bytes);
            }
            if (parent != NO_EVENT && averages->row_of[parent] != NO_EVENT) {
                int64_t *self = &averages->rows[averages->row_of[parent]].memory[i + MEMORY_SELF_CPU];
                *self = wrap_sub(*self, bytes);
            }
        }
    }
}

struct averages *averages_build(struct tree *tree, const struct grouping *grouping, const uint64_t *selected)
{
    timing_begin(TIMING_AVERAGES);
    struct averages *averages = memory_zero(1, sizeof *averages);
    averages->tree = tree;
    averages->grouping = *grouping;
    averages->row_of = memory_alloc(((size_t)tree->count + 1) * sizeof *averages->row_of);
    group_and_sum(averages, selected);
    add_memory(averages);
    return averages;
}

/* Which rows are kept, and what number each has then. */
struct choice {
    const struct averages *from;
    struct averages *to;
    const uint32_t *number;
    unsigned shares;
};

static void choose_share(void *context, unsigned number)
{
    const struct choice *choice = context;
    uint64_t events = choice->from->tree->count;
    const uint32_t *from = choice->from->row_of;
    uint32_t end = (uint32_t)(events * (number + 1) / choice->shares);
    for (uint32_t e = (uint32_t)(events * number / choice->shares); e < end; e++)
        choice->to->row_of[e] = from[e] == NO_EVENT ? NO_EVENT : choice->number[from[e]];
}

struct averages *averages_choose(const struct averages *from, const uint8_t *chosen)
{
    struct averages *averages = memory_zero(1, sizeof *averages);
    uint32_t *number = memory_alloc(((size_t)from->count + 1) * sizeof *number);
    averages->tree = from->tree;
    averages->grouping = from->grouping;
    averages->row_of = memory_alloc(((size_t)from->tree->count + 1) * sizeof *averages->row_of);
    averages->rows = memory_zero((size_t)from->count + 1, sizeof *averages->rows);
    for (uint32_t r = 0; r < from->count; r++) {
        number[r] = chosen[r] ? averages->count : NO_EVENT;
        if (chosen[r])
            averages->rows[averages->count++] = from->rows[r];
    }
    unsigned threads = trace_workers(from->tree->trace);
    struct choice choice = {from, averages, number, threads > 0 ? threads : 1};
    workers_run(choose_share, &choice, choice.shares, choice.shares);
    free(number);
    return averages;
}

void averages_free(struct averages *averages)
{
    if (averages == NULL)
        return;
    free(averages->rows);
    free(averages->row_of);
    free(averages->call_first);
    free(averages->calls);
    free(averages);
}

void averages_need_calls(struct averages *averages)
{
    if (averages->calls != NULL)
        return;
    uint32_t *first = memory_zero((size_t)averages->count + 2, sizeof *first);
    for (uint32_t r = 0; r < averages->count; r++)
        first[r + 2] = averages->rows[r].count;
    for (uint32_t r = 0; r < averages->count; r++)
        first[r + 2] += first[r + 1];
    averages->calls = memory_alloc(((size_t)averages->tree->count + 1) * sizeof *averages->calls);
    for (uint32_t e = 0; e < averages->tree->count; e++)
        if (averages->row_of[e] != NO_EVENT)
            averages->calls[first[averages->row_of[e] + 1]++] = e;
    averages->call_first = first;
}

struct spread averages_spread(struct averages *averages, uint32_t row)
{
    averages_need_calls(averages);
    return calls_spread(averages->tree->trace, averages->calls + averages->call_first[row], averages->rows[row].count);
}
