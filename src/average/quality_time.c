/* The quality page: clocks, busy and idle time, what the profiler itself took, the first step. */
#include "keyavg/names.h"
#include "keyavg/wrap.h"
#include "quality.h"

static bool is_busy_kind(enum event_kind kind)
{
    return kind == KIND_KERNEL || kind == KIND_MEMCPY || kind == KIND_MEMSET;
}

/* -- Busy and idle ------------------------------------------------------------------------------------------------- */

/* Time in which at least one kernel, copy or fill runs on a device; of all together for `device` NULL. */
static int64_t busy_time(const struct trace *trace, const int32_t *device)
{
    int64_t busy = 0, until = INT64_MIN;
    for (uint32_t e = 0; e < trace->events.count; e++) {
        if (!is_busy_kind(event_kind(trace, e)) || (trace->events.flags[e] & EVENT_CLOCKLESS) ||
            (device != NULL && trace->lanes.items[trace->events.place[e]].device != *device))
            continue;
        int64_t from = trace->events.start[e] > until ? trace->events.start[e] : until, end = event_end(trace, e);
        if (end <= from)
            continue;
        wrap_to(&busy, wrap_sub(end, from));
        until = end;
    }
    return busy;
}

static struct quality_fact *add_time(struct quality *quality, const char *name, const char *title, const char *advice,
                                     int64_t ns)
{
    struct quality_fact *fact = quality_add(quality, QUALITY_TIME, name, title, advice);
    fact->unit = QUALITY_NS;
    fact->amount = ns;
    return fact;
}

static struct quality_fact *add_share(struct quality *quality, const char *name, const char *title, const char *advice,
                                      int64_t part, int64_t whole)
{
    struct quality_fact *fact = quality_add(quality, QUALITY_TIME, name, title, advice);
    fact->unit = QUALITY_SHARE;
    fact->amount = part;
    fact->known = whole > 0;
    fact->over = whole > 0 ? whole : 1;
    return fact;
}

/* The numbers of the devices that run something, in the order of the file. */
static void find_devices(const struct trace *trace, int32_t *devices, uint32_t *count, uint32_t room)
{
    *count = 0;
    for (size_t i = 1; i < trace->lanes.count; i++) {
        uint32_t k = 0;
        while (k < *count && devices[k] != trace->lanes.items[i].device)
            k++;
        if (k == *count && k < room)
            devices[(*count)++] = trace->lanes.items[i].device;
    }
}

static void add_busy(struct quality *quality, const struct trace *trace, int64_t span)
{
    enum { MOST_DEVICES = 64 };
    int64_t busy = busy_time(trace, NULL);
    int32_t devices[MOST_DEVICES];
    uint32_t count;
    add_time(quality, "device_busy", "device busy",
             "time in which a kernel, copy or fill runs, each moment once however many run", busy);
    add_share(quality, "device_idle", "device idle", "the rest of the span, as a share of it", wrap_sub(span, busy),
              span);
    find_devices(trace, devices, &count, MOST_DEVICES);
    for (uint32_t i = 0; i < count && count > 1; i++) {
        struct text advice = {0};
        int64_t of_one = busy_time(trace, &devices[i]);
        if (of_one == 0)
            continue;
        text_addf(&advice, "busy share of the span, of device %d alone", (int)devices[i]);
        add_share(quality, "one_device_busy", "one device busy", advice.bytes, of_one, span);
        text_free(&advice);
    }
}

/* -- Clocks -------------------------------------------------------------------------------------------------------- */

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* What all times are a multiple of, 0 where there are too few to tell: of calls on the CPU starts and durations; of
 * device events durations alone, as their starts were moved to the CPU's clock. */
static int64_t resolution(const struct trace *trace, bool device)
{
    enum { FEWEST = 16 }; /* of fewer the divisor is chance */
    uint64_t step = 0;
    uint32_t count = 0;
    for (uint32_t e = 0; e < trace->events.count && step != 1; e++) {
        enum event_kind kind = event_kind(trace, e);
        if (device ? !is_busy_kind(kind) : kind_on_device(kind) || kind == KIND_MEMORY)
            continue;
        if (trace->events.flags[e] & EVENT_UNFINISHED)
            continue;
        count++;
        step = common_divisor(step, (uint64_t)trace->events.duration[e]);
        if (!device)
            step = common_divisor(step, (uint64_t)trace->events.start[e] - (uint64_t)trace->base);
    }
    return step <= INT64_MAX && (count >= FEWEST || step == 1) ? (int64_t)step : 0;
}

static void add_resolution(struct quality *quality, const char *name, const char *title, const char *advice,
                           int64_t step)
{
    struct quality_fact *fact = add_time(quality, name, title, advice, step);
    fact->known = step > 0;
    fact->state = !fact->known ? QUALITY_PLAIN : step >= 1000 ? QUALITY_NOTE : QUALITY_OK;
}

/* -- The profiler's own part, and the first step ------------------------------------------------------------------- */

static bool is_overhead(struct tree *tree, uint32_t e)
{
    return event_kind(tree->trace, e) == KIND_OVERHEAD;
}

static void add_overhead(struct quality *quality, struct tree *tree, int64_t span)
{
    event_list found = quality_pick(tree, is_overhead);
    int64_t sum = 0;
    for (size_t i = 0; i < found.count; i++)
        wrap_to(&sum, tree->trace->events.duration[found.items[i]]);
    struct quality_fact *fact = add_share(quality, "profiler_overhead", "profiler's own overhead",
                                          "time the profiler says it took itself, as a share of the span; part of "
                                          "what is around it",
                                          sum, span);
    fact->state = (uint8_t)(span > 0 && (double)sum > 0.05 * (double)span ? QUALITY_NOTE : QUALITY_OK);
    fact->events = found.items;
    fact->event_count = (uint32_t)found.count;
}

static bool is_step(struct tree *tree, uint32_t e)
{
    return !event_on_device(tree->trace, e) && tree->trace->names[tree->trace->events.name[e]].step >= 0;
}

static int by_value(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* The first step against the median of the others. */
static void add_warm_up(struct quality *quality, struct tree *tree)
{
    const struct trace *trace = tree->trace;
    event_list found = quality_pick(tree, is_step);
    struct quality_fact *fact = quality_add(quality, QUALITY_TIME, "first_step", "first step against the others",
                                            "how many times as long as the median step; caches, compilation and "
                                            "allocation warm up in it: step:2- leaves it out");
    fact->unit = QUALITY_TIMES;
    fact->known = false;
    if (found.count >= 2) {
        int64_t *rest = memory_alloc((found.count - 1) * sizeof *rest);
        for (size_t i = 1; i < found.count; i++)
            rest[i - 1] = trace->events.duration[found.items[i]];
        qsort(rest, found.count - 1, sizeof *rest, by_value);
        int64_t median = rest[(found.count - 1) / 2];
        fact->amount = trace->events.duration[found.items[0]];
        fact->over = median > 0 ? median : 1;
        fact->known = median > 0;
        fact->state = (uint8_t)(median > 0 && (double)fact->amount > 1.5 * (double)median ? QUALITY_NOTE : QUALITY_OK);
        free(rest);
    }
    fact->events = found.items;
    fact->event_count = (uint32_t)found.count;
}

void quality_times(struct quality *quality, struct tree *tree)
{
    const struct trace *trace = tree->trace;
    int64_t span = wrap_sub(trace->end, trace->start);
    add_time(quality, "span", "span", "from the first event's start to the last one's end", span);
    if (trace->has_device_call)
        add_busy(quality, trace, span);
    add_resolution(quality, "cpu_resolution", "clock of the CPU", "what all its times are a multiple of",
                   resolution(trace, false));
    if (trace->has_device_call)
        add_resolution(quality, "device_resolution", "clock of the device", "what all its durations are a multiple of",
                       resolution(trace, true));
    add_overhead(quality, tree, span);
    add_warm_up(quality, tree);
}
