/* From the rows of one trace to groups that stand on their own. */
#include <stdlib.h>
#include <string.h>

#include "keyavg/groups.h"
#include "keyavg/module.h"
#include "keyavg/names.h"
#include "keyavg/phase.h"
#include "keyavg/steps.h"

struct taking {
    struct groups *groups;
    struct averages *averages;
    struct tree *tree;
    struct trace *trace;
    uint32_t *strings; /* by the trace's number: that of groups->strings + 1, 0 not yet looked up */
    uint32_t *frames;  /* the same without addresses */
    uint32_t *threads; /* by trace.threads: the label */
    uint32_t *lanes;   /* by trace.lanes: the label */
    uint32_t *stacks;  /* by the trace's node: that of groups->stacks + 1 */
};

static uint32_t map_string(struct taking *taking, uint32_t number)
{
    if (number == 0)
        return 0;
    if (taking->strings[number] == 0) {
        struct span text = strings_get(&taking->trace->strings, number);
        taking->strings[number] = strings_add(taking->groups->strings, text.bytes, text.length) + 1;
    }
    return taking->strings[number] - 1;
}

static bool is_hex(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* A Python frame. `<built-in method add_ of Tensor object at 0x7f2f9b36e110>` has another address in each process. */
static uint32_t map_frame(struct taking *taking, uint32_t number)
{
    if (taking->frames[number] != 0)
        return taking->frames[number] - 1;
    struct span text = strings_get(&taking->trace->strings, number);
    const char *address = memmem(text.bytes, text.length, " at 0x", 6);
    if (address == NULL) {
        taking->frames[number] = map_string(taking, number) + 1;
        return taking->frames[number] - 1;
    }
    struct text frame = {0};
    const char *end = text.bytes + text.length, *from = text.bytes;
    for (; address != NULL; address = memmem(from, (size_t)(end - from), " at 0x", 6)) {
        text_add(&frame, from, (size_t)(address + 6 - from));
        for (from = address + 6; from < end && is_hex(*from);)
            from++;
        text_add_string(&frame, "...");
    }
    text_add(&frame, from, (size_t)(end - from));
    taking->frames[number] = strings_add(taking->groups->strings, frame.bytes, frame.length) + 1;
    text_free(&frame);
    return taking->frames[number] - 1;
}

static uint32_t add_label(struct taking *taking, struct text *label)
{
    uint32_t number = strings_add(taking->groups->strings, label->bytes, label->length);
    text_clear(label);
    return number;
}

/* Threads by the order of their first events, those of the device apart. */
static void label_threads(struct taking *taking)
{
    size_t count = taking->trace->threads.count;
    unsigned next[2] = {1, 1};
    struct text label = {0};
    taking->threads = memory_zero(count + 1, sizeof *taking->threads);
    for (uint32_t e = 0; e < taking->tree->count; e++) {
        bool device = event_on_device(taking->trace, e);
        uint32_t thread = tree_thread(taking->tree, e);
        if (taking->threads[thread] != 0)
            continue;
        text_addf(&label, device ? "device thread %u" : "thread %u", next[device]++);
        taking->threads[thread] = add_label(taking, &label);
    }
    text_free(&label);
}

static int by_number(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* Streams as `CUDA stream 7`; with several devices they are counted from 0 by their numbers. */
static void label_lanes(struct taking *taking)
{
    const struct trace *trace = taking->trace;
    int32_t *devices = memory_alloc((trace->lanes.count + 1) * sizeof *devices);
    size_t count = 0, distinct = 0;
    struct text label = {0};
    for (size_t i = 0; i < trace->lanes.count; i++)
        if (trace->lanes.items[i].device >= 0)
            devices[count++] = trace->lanes.items[i].device;
    qsort(devices, count, sizeof *devices, by_number);
    for (size_t i = 0; i < count; i++)
        if (distinct == 0 || devices[i] != devices[distinct - 1])
            devices[distinct++] = devices[i];
    taking->lanes = memory_zero(trace->lanes.count + 1, sizeof *taking->lanes);
    for (size_t i = 0; i < trace->lanes.count; i++) {
        const struct lane *lane = &trace->lanes.items[i];
        text_add_string(&label, backend_name(trace->backend));
        for (size_t k = 0; k < distinct && distinct > 1; k++)
            if (devices[k] == lane->device)
                text_addf(&label, " %zu", k);
        if (lane->stream != 0) {
            text_add_string(&label, " stream ");
            text_add_span(&label, strings_get(&trace->strings, lane->stream));
        }
        taking->lanes[i] = add_label(taking, &label);
    }
    text_free(&label);
    free(devices);
}

/* The `depth` innermost frames of a stack. */
static uint32_t map_stack(struct taking *taking, uint32_t node)
{
    const struct stack_node *nodes = taking->trace->stacks.nodes;
    uint32_t depth = (uint32_t)taking->groups->grouping.stack_depth, count = 0, mapped = 0;
    if (taking->stacks[node] != 0)
        return taking->stacks[node] - 1;
    uint32_t *frames = memory_alloc(((size_t)depth < nodes[node].depth ? depth : nodes[node].depth) * sizeof *frames);
    for (uint32_t at = node; at != 0 && count < depth; at = nodes[at].caller)
        frames[count++] = nodes[at].frame;
    for (uint32_t i = count; i-- > 0;)
        mapped = stacks_add(taking->groups->stacks, mapped, map_frame(taking, frames[i]));
    free(frames);
    taking->stacks[node] = mapped + 1;
    return mapped;
}

static uint8_t side_of(enum event_kind kind)
{
    uint8_t side = kind_on_device(kind) ? SIDE_DEVICE : 0;
    return kind == KIND_ANNOTATION || kind == KIND_DEVICE_ANNOTATION ? side | SIDE_ANNOTATION : side;
}

static struct group_key key_of(struct taking *taking, uint32_t event)
{
    struct trace *trace = taking->trace;
    const struct grouping *grouping = &taking->groups->grouping;
    const struct inputs *inputs = &trace->inputs.items[trace->events.inputs[event]];
    unsigned parts = grouping->parts;
    enum event_kind kind = event_kind(trace, event);
    struct group_key key = {0};
    key.side = side_of(kind);
    if (parts & GROUP_NAME) {
        key.name = kind == KIND_PYTHON ? map_frame(taking, event_key(trace, event))
                                       : map_string(taking, event_key(trace, event));
        key.node = event_node_id(trace, event);
    } else if (!(key.side & SIDE_DEVICE)) {
        key.side = 0;
    }
    if (parts & GROUP_OVERLOAD)
        key.overload = map_string(taking, event_overload(trace, event));
    if (parts & GROUP_SHAPE)
        key.shapes = map_string(taking, grouping->full_list_shapes ? inputs->dims : inputs->torch_dims);
    if (parts & GROUP_DTYPE)
        key.types = map_string(taking, inputs->types);
    if (parts & GROUP_STACK)
        key.stack = map_stack(taking, taking->tree->stack[event]);
    if (parts & GROUP_THREAD)
        key.thread = taking->threads[tree_thread(taking->tree, event)];
    if (parts & GROUP_STEP) {
        const struct steps *steps = tree_steps(taking->tree);
        key.step = steps->of[event] != 0 ? steps->numbers[steps->of[event] - 1] : -1;
    }
    if (parts & GROUP_SCOPE)
        key.phase = tree_phases(taking->tree)[event];
    if (parts & GROUP_MODULE)
        key.module = map_string(taking, tree_modules(taking->tree)[event]);
    if ((parts & GROUP_DEVICE) && (key.side & SIDE_DEVICE))
        key.lane = taking->lanes[trace->events.place[event]];
    return key;
}

static void add_sums(struct group *group, const struct average *average)
{
    const int64_t sums[MEASURES] = {
        [MEASURE_CALLS] = average->count,
        [MEASURE_CPU] = average->cpu_time_total,
        [MEASURE_SELF_CPU] = average->self_cpu_time_total,
        [MEASURE_DEVICE] = average->device_time_total,
        [MEASURE_SELF_DEVICE] = average->self_device_time_total,
        [MEASURE_MEMORY + MEMORY_CPU] = average->memory[MEMORY_CPU],
        [MEASURE_MEMORY + MEMORY_DEVICE] = average->memory[MEMORY_DEVICE],
        [MEASURE_MEMORY + MEMORY_SELF_CPU] = average->memory[MEMORY_SELF_CPU],
        [MEASURE_MEMORY + MEMORY_SELF_DEVICE] = average->memory[MEMORY_SELF_DEVICE],
        [MEASURE_FLOPS] = (int64_t)average->flops,
    };
    for (int m = 0; m < MEASURES; m++)
        group->sums[m] = (int64_t)((uint64_t)group->sums[m] + (uint64_t)sums[m]);
}

static void add_square(struct group *group, enum measure measure, int64_t value)
{
    uint64_t size = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    group->squares[measure - MEASURE_CPU] += (unsigned __int128)size * size;
}

static void add_call(struct taking *taking, struct group *group, uint32_t event)
{
    const struct tree *tree = taking->tree;
    int64_t duration = taking->trace->events.duration[event];
    enum event_kind kind = event_kind(taking->trace, event);
    if (!kind_on_device(kind))
        add_square(group, MEASURE_CPU, duration);
    add_square(group, MEASURE_SELF_CPU, amounts_get(&tree->self_cpu, event));
    add_square(group, MEASURE_DEVICE, amounts_get(&tree->device_total, event));
    add_square(group, MEASURE_SELF_DEVICE, amounts_get(&tree->self_device, event));
    group->kinds |= (uint16_t)(1u << kind);
    group->min = duration < group->min ? duration : group->min;
    group->max = duration > group->max ? duration : group->max;
}

static int by_range(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void take_histograms(struct taking *taking, const uint32_t *group_of)
{
    struct averages *averages = taking->averages;
    uint32_t *counts = memory_zero(HISTOGRAM_RANGES, sizeof *counts);
    uint32_t *touched = memory_alloc(HISTOGRAM_RANGES * sizeof *touched);
    averages_need_calls(averages);
    for (uint32_t row = 0; row < averages->count; row++) {
        struct histogram bars = {0};
        uint32_t from = averages->call_first[row], number = 0;
        for (uint32_t i = 0; i < averages->rows[row].count; i++) {
            uint32_t range = histogram_range(taking->trace->events.duration[averages->calls[from + i]]);
            if (counts[range]++ == 0)
                touched[number++] = range;
        }
        qsort(touched, number, sizeof *touched, by_range);
        for (uint32_t i = 0; i < number; i++) {
            histogram_push(&bars, touched[i], counts[touched[i]]);
            counts[touched[i]] = 0;
        }
        histogram_merge(&taking->groups->items[group_of[row]].histogram, &bars);
        histogram_free(&bars);
    }
    free(counts);
    free(touched);
}

void groups_take(struct groups *groups, struct averages *averages, uint32_t source, bool histograms,
                 uint32_t **group_of)
{
    struct taking taking = {.groups = groups, .averages = averages, .tree = averages->tree,
                            .trace = averages->tree->trace};
    unsigned parts = groups->grouping.parts;
    taking.strings = memory_zero((size_t)taking.trace->strings.count + 1, sizeof *taking.strings);
    taking.frames = memory_zero((size_t)taking.trace->strings.count + 1, sizeof *taking.frames);
    taking.stacks = memory_zero((size_t)taking.trace->stacks.count + 1, sizeof *taking.stacks);
    if (parts & GROUP_THREAD)
        label_threads(&taking);
    if (parts & GROUP_DEVICE)
        label_lanes(&taking);
    uint32_t *numbers = memory_alloc(((size_t)averages->count + 1) * sizeof *numbers);
    for (uint32_t row = 0; row < averages->count; row++) {
        uint32_t first = averages->rows[row].first, before = groups->count;
        struct group_key key = key_of(&taking, first);
        numbers[row] = groups_add(groups, &key);
        struct group *group = &groups->items[numbers[row]];
        if (numbers[row] == before) {
            group->source = source;
            group->scope = (uint8_t)event_scope(taking.trace, first);
            group->async = (taking.trace->events.flags[first] & EVENT_ASYNC) != 0;
            group->top_level = taking.tree->parent[first] == NO_EVENT;
        }
        add_sums(group, &averages->rows[row]);
    }
    for (uint32_t e = 0; e < taking.tree->count; e++)
        if (averages->row_of[e] != NO_EVENT)
            add_call(&taking, &groups->items[numbers[averages->row_of[e]]], e);
    if (histograms)
        take_histograms(&taking, numbers);
    if (group_of != NULL)
        *group_of = numbers;
    else
        free(numbers);
    free(taking.strings);
    free(taking.frames);
    free(taking.stacks);
    free(taking.threads);
    free(taking.lanes);
}
