#include "keyavg/steps.h"

#include <stdlib.h>

#include "keyavg/names.h"

struct marker {
    uint32_t event, below; /* below: the marker that its process had open before this one, NO_EVENT none */
    uint32_t step;         /* place in steps.numbers + 1 */
};

static bool is_marker(const struct trace *trace, uint32_t e)
{
    return !event_on_device(trace, e) && trace->names[trace->events.name[e]].step >= 0;
}

uint32_t steps_count(struct tree *tree)
{
    const struct trace *trace = tree->trace;
    if (tree->steps != NULL)
        return tree->steps->count;
    int64_t last = -1;
    uint32_t count = 0;
    bool sorted = true;
    for (uint32_t e = 0; e < tree->count; e++) {
        if (!is_marker(trace, e))
            continue;
        int64_t number = trace->names[trace->events.name[e]].step;
        sorted = sorted && number >= last;
        count += number != last;
        last = number;
    }
    /* Markers out of order: the one way that is right for all. */
    return sorted ? count : tree_steps(tree)->count;
}

static uint32_t pid_of(const struct trace *trace, uint32_t e)
{
    return trace->threads.items[trace->events.thread[e]].pid;
}

static int by_number(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static uint32_t place_of(const struct steps *steps, int64_t number)
{
    size_t low = 0, high = steps->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (steps->numbers[middle] < number)
            low = middle + 1;
        else
            high = middle;
    }
    return (uint32_t)low + 1;
}

struct call {
    int64_t correlation;
    uint32_t event;
};

static int by_correlation(const void *a, const void *b)
{
    const struct call *x = a, *y = b;
    if (x->correlation != y->correlation)
        return x->correlation < y->correlation ? -1 : 1;
    return (x->event > y->event) - (x->event < y->event);
}

/* Device events without an op follow the runtime call of their correlation. */
static void follow_calls(const struct tree *tree, struct steps *steps)
{
    const struct trace *trace = tree->trace;
    ARRAY(struct call) calls = {0};
    for (uint32_t e = 0; e < tree->count; e++)
        if (event_kind(trace, e) == KIND_RUNTIME && events_number(&trace->events, e) != 0)
            array_push(&calls, (struct call){events_number(&trace->events, e), e});
    if (calls.count > 0)
        qsort(calls.items, calls.count, sizeof *calls.items, by_correlation);
    for (uint32_t e = 0; e < tree->count; e++) {
        if (!event_on_device(trace, e) || tree->owner[e] != NO_EVENT || events_number(&trace->events, e) == 0)
            continue;
        size_t low = 0, high = calls.count;
        while (low < high) {
            size_t middle = (low + high) / 2;
            if (calls.items[middle].correlation < events_number(&trace->events, e))
                low = middle + 1;
            else
                high = middle;
        }
        if (low < calls.count && calls.items[low].correlation == events_number(&trace->events, e))
            steps->of[e] = steps->of[calls.items[low].event];
    }
    array_free(&calls);
}

/* The step of each CPU event: that of the latest marker of its process to start which is open at the event's start. */
static void follow_markers(const struct tree *tree, struct steps *steps, struct marker *markers, uint32_t count)
{
    const struct trace *trace = tree->trace;
    const struct events *events = &trace->events;
    uint32_t *top = memory_alloc(trace->strings.count * sizeof *top); /* by process: its last marker */
    memset(top, 0xFF, trace->strings.count * sizeof *top);
    uint32_t next = 0;
    for (uint32_t e = 0; e < tree->count; e++) {
        if (event_on_device(trace, e))
            continue;
        int64_t time = events->start[e];
        /* Also those that start now but come later in the list. */
        for (; next < count && events->start[markers[next].event] <= time; next++) {
            uint32_t *last = &top[pid_of(trace, markers[next].event)];
            markers[next].below = *last;
            *last = next;
        }
        uint32_t *open = &top[pid_of(trace, e)];
        while (*open != NO_EVENT && event_end(trace, markers[*open].event) <= time)
            *open = markers[*open].below;
        if (*open != NO_EVENT)
            steps->of[e] = markers[*open].step;
    }
    free(top);
}

const struct steps *tree_steps(struct tree *tree)
{
    if (tree->steps != NULL)
        return tree->steps;
    const struct trace *trace = tree->trace;
    struct steps *steps = memory_zero(1, sizeof *steps);
    steps->of = memory_zero((size_t)tree->count + 1, sizeof *steps->of);
    ARRAY(struct marker) markers = {0};
    for (uint32_t e = 0; e < tree->count; e++)
        if (is_marker(trace, e))
            array_push(&markers, (struct marker){e, NO_EVENT, 0});
    steps->numbers = memory_alloc((markers.count + 1) * sizeof *steps->numbers);
    tree->steps = steps;
    if (markers.count == 0)
        return steps;
    for (size_t i = 0; i < markers.count; i++)
        steps->numbers[i] = trace->names[trace->events.name[markers.items[i].event]].step;
    qsort(steps->numbers, markers.count, sizeof *steps->numbers, by_number);
    for (size_t i = 0; i < markers.count; i++)
        if (steps->count == 0 || steps->numbers[i] != steps->numbers[steps->count - 1])
            steps->numbers[steps->count++] = steps->numbers[i];
    for (size_t i = 0; i < markers.count; i++)
        markers.items[i].step = place_of(steps, trace->names[trace->events.name[markers.items[i].event]].step);
    follow_markers(tree, steps, markers.items, (uint32_t)markers.count);
    for (uint32_t e = 0; e < tree->count; e++)
        if (event_on_device(trace, e) && tree->owner[e] != NO_EVENT)
            steps->of[e] = steps->of[tree->owner[e]];
    follow_calls(tree, steps);
    array_free(&markers);
    return steps;
}

void steps_free(struct steps *steps)
{
    if (steps == NULL)
        return;
    free(steps->numbers);
    free(steps->of);
    free(steps);
}
