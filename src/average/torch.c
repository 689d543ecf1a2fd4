/* Times as torch adds them: double microseconds, in list order, so that ties round as they do there. */
#include <stdlib.h>

#include "keyavg/average.h"

static double microseconds(const struct trace *trace, int64_t ns)
{
    return (double)((long double)((__int128)ns - trace->base) / 1000);
}

static double elapsed(const struct trace *trace, uint32_t e)
{
    return microseconds(trace, event_end(trace, e)) - microseconds(trace, trace->events.start[e]);
}

/* A device event and the op whose kernel it is. */
struct owned {
    uint32_t owner, event;
    uint64_t offset;
};

static int by_owner(const void *a, const void *b)
{
    const struct owned *x = a, *y = b;
    if (x->owner != y->owner)
        return x->owner < y->owner ? -1 : 1;
    return (x->offset > y->offset) - (x->offset < y->offset);
}

/* All kernels by their op, those of one op in the order of the file; to free(). */
static struct owned *owned_kernels(const struct tree *tree, size_t *count)
{
    ARRAY(struct owned) all = {0};
    bool sorted = true;
    for (uint32_t e = 0; e < tree->count; e++)
        if (tree->owner[e] != NO_EVENT && tree->state[e] == STATE_ROW && event_on_device(tree->trace, e)) {
            array_push(&all, (struct owned){tree->owner[e], e, events_offset(&tree->trace->events, e)});
            sorted = sorted && (all.count < 2 || by_owner(&all.items[all.count - 2], &all.items[all.count - 1]) < 0);
        }
    if (!sorted)
        qsort(all.items, all.count, sizeof *all.items, by_owner);
    *count = all.count;
    return all.items;
}

/* Device totals of all events: kernels in the order of the file, then children in list order. NULL without a device. */
static double *device_totals(const struct tree *tree)
{
    const struct trace *trace = tree->trace;
    if (trace->backend == BACKEND_NONE || !tree->has_device_time)
        return NULL;
    size_t left;
    struct owned *kernels = owned_kernels(tree, &left);
    double *totals = memory_zero((size_t)tree->count + 1, sizeof *totals);
    for (uint32_t e = tree->count; e-- > 0;) { /* children before parents */
        size_t end = left;
        while (left > 0 && kernels[left - 1].owner == e)
            left--;
        if (tree->state[e] != STATE_ROW || (trace->events.flags[e] & EVENT_ASYNC))
            continue;
        if (event_on_device(trace, e)) {
            totals[e] = elapsed(trace, e);
            continue;
        }
        double sum = 0, children = 0;
        for (size_t i = left; i < end; i++)
            sum += elapsed(trace, kernels[i].event);
        for (uint32_t i = tree->child_first[e]; i < tree->child_first[e + 1]; i++)
            children += totals[tree->children[i]];
        totals[e] = sum + children;
    }
    free(kernels);
    return totals;
}

static struct torch_times times_of(const struct tree *tree, const double *totals, uint32_t e)
{
    const struct trace *trace = tree->trace;
    struct torch_times times = {0};
    if (totals != NULL)
        times.device_time_total = times.self_device_time_total = totals[e];
    if (event_on_device(trace, e))
        return times;
    times.cpu_time_total = elapsed(trace, e);
    if (trace->events.flags[e] & EVENT_ASYNC)
        return times;
    double cpu = 0, device = 0;
    for (uint32_t i = tree->child_first[e]; i < tree->child_first[e + 1]; i++) {
        cpu += elapsed(trace, tree->children[i]);
        device += totals != NULL ? totals[tree->children[i]] : 0;
    }
    times.self_cpu_time_total = times.cpu_time_total - cpu;
    times.self_device_time_total -= device;
    return times;
}

struct torch_times *tree_torch_times(struct tree *tree)
{
    tree_need_children(tree);
    double *totals = device_totals(tree);
    struct torch_times *times = memory_zero((size_t)tree->count + 1, sizeof *times);
    for (uint32_t e = 0; e < tree->count; e++)
        if (tree->state[e] == STATE_ROW)
            times[e] = times_of(tree, totals, e);
    free(totals);
    return times;
}

/* Large traces: no more is kept for each event than what its parent needs. */
struct torch_times *averages_torch_times(struct averages *averages)
{
    struct tree *tree = averages->tree;
    tree_need_children(tree);
    double *totals = device_totals(tree);
    struct torch_times *rows = memory_zero((size_t)averages->count + 1, sizeof *rows);
    for (uint32_t e = 0; e < tree->count; e++) {
        if (averages->row_of[e] == NO_EVENT)
            continue;
        struct torch_times *row = &rows[averages->row_of[e]], times = times_of(tree, totals, e);
        row->cpu_time_total += times.cpu_time_total;
        row->self_cpu_time_total += times.self_cpu_time_total;
        row->device_time_total += times.device_time_total;
        row->self_device_time_total += times.self_device_time_total;
    }
    free(totals);
    return rows;
}
