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

struct torch_times *tree_torch_times(struct tree *tree)
{
    const struct trace *trace = tree->trace;
    struct torch_times *times = memory_zero((size_t)tree->count + 1, sizeof *times);
    tree_need_children(tree);
    tree_need_kernels(tree);
    for (uint32_t e = tree->count; e-- > 0;) { /* children before parents */
        if (tree->state[e] != STATE_ROW)
            continue;
        double total = elapsed(trace, e);
        if (event_on_device(trace, e)) {
            if (trace->backend != BACKEND_NONE)
                times[e].device_time_total = times[e].self_device_time_total = total;
            continue;
        }
        times[e].cpu_time_total = total;
        if (trace->events.flags[e] & EVENT_ASYNC)
            continue;
        double cpu = 0, kernels = 0, device = 0;
        for (uint32_t i = tree->kernel_first[e]; i < tree->kernel_first[e + 1]; i++)
            kernels += elapsed(trace, tree->kernels[i]);
        for (uint32_t i = tree->child_first[e]; i < tree->child_first[e + 1]; i++) {
            cpu += times[tree->children[i]].cpu_time_total;
            device += times[tree->children[i]].device_time_total;
        }
        times[e].self_cpu_time_total = total - cpu;
        if (trace->backend != BACKEND_NONE) {
            times[e].device_time_total = kernels + device;
            times[e].self_device_time_total = times[e].device_time_total - device;
        }
    }
    return times;
}

struct torch_times *averages_torch_times(struct averages *averages)
{
    struct torch_times *events = tree_torch_times(averages->tree);
    struct torch_times *rows = memory_zero((size_t)averages->count + 1, sizeof *rows);
    for (uint32_t e = 0; e < averages->tree->count; e++) {
        if (averages->row_of[e] == NO_EVENT)
            continue;
        struct torch_times *row = &rows[averages->row_of[e]];
        row->cpu_time_total += events[e].cpu_time_total;
        row->self_cpu_time_total += events[e].self_cpu_time_total;
        row->device_time_total += events[e].device_time_total;
        row->self_device_time_total += events[e].self_device_time_total;
    }
    free(events);
    return rows;
}
