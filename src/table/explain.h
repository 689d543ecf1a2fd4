/* What the files that explain cells give to each other. */
#ifndef KEYAVG_TABLE_EXPLAIN_H
#define KEYAVG_TABLE_EXPLAIN_H

#include "keyavg/explain.h"

typedef ARRAY(uint32_t) event_list;

/* One cell being explained. */
struct explaining {
    struct table *table;
    struct tree *tree;
    struct trace *trace;
    uint32_t row;
    const struct average *average;
    const struct column *column;
    const uint32_t *calls; /* of the row, in list order */
    uint32_t count;
    bool on_device;        /* the row is of device events */
    struct explanation *out;
};

/* Adds a line of a whole number in the unit of `column`. Takes the events over, NULL for none. */
struct explain_line *explain_add(struct explaining *of, enum explain_sign sign, const char *title, int64_t number,
                                 const struct column *column, event_list *events, const char *advice);

/* The calls for which a test is true. */
typedef bool explain_test(const struct explaining *of, uint32_t event);
event_list explain_pick(const struct explaining *of, explain_test *test);

/* Puts events into list order. */
void explain_order(event_list *events);

/* What the row's calls called directly, in list order. */
event_list explain_children(const struct explaining *of);

/* What one event has: ns or bytes. Of its duration; of others see where they are asked for. */
typedef int64_t explain_value(const struct explaining *of, uint32_t event);
explain_value explain_duration;

/* Adds up over events. */
int64_t explain_sum(const struct explaining *of, explain_value *value, const event_list *events);

/* Appends how many there are and the three names that have most: `30 calls: cudaLaunchKernel 12.3us, ...`; `what` is
 * one of them, `value` is in ns. */
void explain_add_names(const struct explaining *of, const char *what, const event_list *events, explain_value *value,
                       struct text *out);

/* explain_time.c, explain_other.c: the lines below the first, by column. */
typedef void explain_lines(struct explaining *of);
explain_lines explain_cpu_total, explain_self_cpu, explain_device_total, explain_self_device, explain_outermost;
explain_lines explain_count, explain_cpu_memory, explain_device_memory, explain_self_cpu_memory,
    explain_self_device_memory,
    explain_flops, explain_cpu_time, explain_device_time, explain_self_cpu_percent, explain_cpu_total_percent,
    explain_self_device_percent, explain_rank, explain_deviation, explain_first;

#endif
