/*
 * Torch's word on single events: what events.json.gz has of each event of a recording as the live process had it, our
 * tree has too: parent, children, self time, shapes, memory, FLOPs, scope, sequence number, thread and forward thread.
 */
#include <criterion/criterion.h>
#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "keyavg/names.h"
#include "keyavg/tree.h"
#include "support/render.h"
#include "support/skip.h"
#include "support/traces.h"

/* One recording: torch's events beside ours. */
struct both {
    const char *path;
    struct trace *trace;
    struct tree *tree;
    cJSON *json;
    uint32_t *ours;      /* by torch's number: our event */
    uint32_t *number;    /* by our event: torch's number, NO_EVENT none */
    const cJSON **items; /* by torch's number */
    uint32_t count;
    bool names, unfinished, jit_fork, verbose, python_export; /* samples/README.md has what these lose */
};

/* Torch's number of a thread for each of ours, -1 not yet seen. */
struct threads {
    char **torch;
    size_t count;
};

static const char *text_of(const cJSON *item, const char *name)
{
    return cJSON_GetObjectItem(item, name)->valuestring;
}

static double number_of(const cJSON *item, const char *name)
{
    const cJSON *member = cJSON_GetObjectItem(item, name);
    cr_assert(cJSON_IsNumber(member), "%s", name);
    return member->valuedouble;
}

static bool open_both(struct both *both, const char *path)
{
    char events[4200];
    snprintf(events, sizeof events, "%.*sevents.json.gz", (int)(strrchr(path, '/') + 1 - path), path);
    FILE *file = fopen(events, "r");
    if (file == NULL)
        return false;
    fclose(file);
    *both = (struct both){.path = support_short_path(path), .trace = support_trace_file(path)};
    both->tree = tree_build(both->trace, false);
    char *text = support_read(events, NULL);
    both->json = cJSON_Parse(text);
    cr_assert_not_null(both->json, "%s", events);
    free(text);
    both->names = strncmp(both->path, "names/", 6) == 0;
    both->unfinished = strncmp(both->path, "unfinished/", 11) == 0;
    both->jit_fork = strncmp(both->path, "jit_fork/", 9) == 0;
    both->verbose = strncmp(both->path, "mlp_verbose/", 12) == 0 || strncmp(both->path, "gpu_small/", 10) == 0;
    both->python_export = strncmp(both->path, "python_export/", 14) == 0;
    both->count = (uint32_t)cJSON_GetArraySize(both->json);
    both->ours = calloc(both->count + 1, sizeof *both->ours);
    both->items = calloc(both->count + 1, sizeof *both->items);
    both->number = malloc((both->tree->count + 1) * sizeof *both->number);
    uint32_t ours = 0, rows = 0;
    const cJSON *item = both->json->child;
    for (uint32_t e = 0; e < both->tree->count; e++) {
        both->number[e] = NO_EVENT;
        if (both->tree->state[e] != STATE_ROW)
            continue;
        rows++;
        if (item == NULL)
            continue;
        both->number[e] = ours;
        both->ours[ours] = e;
        both->items[ours++] = item;
        item = item->next;
    }
    cr_assert_eq(rows, both->count, "%s: %u events, torch has %u", both->path, rows, both->count);
    return true;
}

static void close_both(struct both *both)
{
    free(both->ours);
    free(both->items);
    free(both->number);
    cJSON_Delete(both->json);
    tree_free(both->tree);
    trace_free(both->trace);
}

/* -- Single members ---------------------------------------------------------------------------------------------- */

/* Torch's microseconds count from the first event; a double of them holds every nanosecond of a recording. */
static int64_t ns_of(double us)
{
    return llround(us * 1000);
}

static void compare_name(const struct both *both, uint32_t i)
{
    const struct trace *trace = both->trace;
    const char *want = text_of(both->items[i], "name");
    struct span have = strings_get(&trace->strings, event_key(trace, both->ours[i]));
    if (strncmp(want, "ProfilerStep#", 13) == 0)
        have = strings_get(&trace->strings, trace->events.name[both->ours[i]]);
    /* In `names` most names are those that the file does not have. */
    if (!both->names)
        cr_expect(span_is(have, want), "%s: event %u: %.*s, torch has %s", both->path, i, (int)have.length, have.bytes,
                  want);
}

static void compare_times(const struct both *both, uint32_t i)
{
    uint32_t e = both->ours[i];
    int64_t start = ns_of(number_of(both->items[i], "start_us")), end = ns_of(number_of(both->items[i], "end_us"));
    int64_t base = both->trace->base;
    /* The Python exporter's files do not have torch's base. */
    if (both->python_export)
        base = both->trace->events.start[both->ours[0]] - ns_of(number_of(both->items[0], "start_us"));
    cr_expect_eq(both->trace->events.start[e] - base, start, "%s: start of event %u", both->path, i);
    bool open = both->unfinished && strcmp(text_of(both->items[i], "name"), "never closed") == 0;
    if (!open)
        cr_expect_eq(event_end(both->trace, e) - base, end, "%s: end of event %u", both->path, i);
    if (!event_on_device(both->trace, e)) /* torch has 0 or nothing there */
        cr_expect_eq(amounts_get(&both->tree->self_cpu, e), ns_of(number_of(both->items[i], "self_cpu")), "%s: self CPU of event %u: %lld",
                     both->path, i, (long long)amounts_get(&both->tree->self_cpu, e));
}

static void compare_family(const struct both *both, uint32_t i)
{
    const struct tree *tree = both->tree;
    uint32_t e = both->ours[i];
    int parent = (int)number_of(both->items[i], "parent");
    int have = event_on_device(both->trace, e) || tree->parent[e] == NO_EVENT ? -1 : (int)both->number[tree->parent[e]];
    cr_expect_eq(have, parent, "%s: parent of event %u is %d, torch has %d", both->path, i, have, parent);
    const cJSON *children = cJSON_GetObjectItem(both->items[i], "children"), *child;
    uint32_t at = tree->child_first[e], end = tree->child_first[e + 1];
    cr_expect_eq((uint32_t)cJSON_GetArraySize(children), end - at, "%s: event %u has %u children", both->path, i,
                 end - at);
    cJSON_ArrayForEach(child, children)
    {
        if (at == end)
            break;
        cr_expect_eq(both->number[tree->children[at]], (uint32_t)child->valueint, "%s: a child of event %u", both->path,
                     i);
        at++;
    }
}

/* A list as Python prints it. */
static void add_python(const cJSON *list, struct text *out)
{
    const cJSON *item;
    text_add_char(out, '[');
    cJSON_ArrayForEach(item, list)
    {
        if (item != list->child)
            text_add_string(out, ", ");
        if (cJSON_IsArray(item))
            add_python(item, out);
        else
            text_addf(out, "%lld", (long long)item->valuedouble);
    }
    text_add_char(out, ']');
}

static void compare_inputs(const struct both *both, uint32_t i)
{
    const struct trace *trace = both->trace;
    uint32_t e = both->ours[i];
    const struct inputs *inputs = &trace->inputs.items[trace->events.inputs[e]];
    struct text want = {0};
    add_python(cJSON_GetObjectItem(both->items[i], "shapes"), &want);
    struct span have = inputs->torch_dims != 0 ? strings_get(&trace->strings, inputs->torch_dims) : span_of("[]");
    cr_expect(span_equal(have, text_span(&want)), "%s: shapes of event %u: %.*s, torch has %.*s", both->path, i,
              (int)have.length, have.bytes, (int)want.length, want.bytes);
    text_free(&want);
    if (trace->header.with_flops)
        cr_expect_eq(event_flops(trace, e), (uint64_t)number_of(both->items[i], "flops"), "%s: FLOPs of event %u",
                     both->path, i);
    cr_expect(span_is(strings_get(&trace->strings, event_overload(trace, e)), text_of(both->items[i], "overload")) ||
                  !trace->has_overloads,
              "%s: overload of event %u", both->path, i);
}

static int64_t memory_of(const struct tree *tree, uint32_t e)
{
    return amounts_get(&tree->memory[MEMORY_CPU], e);
}

static void compare_memory(const struct both *both, uint32_t i)
{
    const struct tree *tree = both->tree;
    uint32_t e = both->ours[i];
    int64_t total = memory_of(tree, e), self = both->trace->events.flags[e] & EVENT_ASYNC ? 0 : total;
    for (uint32_t c = tree->child_first[e]; c < tree->child_first[e + 1]; c++)
        self -= memory_of(tree, tree->children[c]);
    cr_expect_eq(total, (int64_t)number_of(both->items[i], "cpu_mem"), "%s: memory of event %u: %lld", both->path, i,
                 (long long)total);
    cr_expect_eq(self, (int64_t)number_of(both->items[i], "self_cpu_mem"), "%s: self memory of event %u: %lld",
                 both->path, i, (long long)self);
}

static void compare_flags(const struct both *both, uint32_t i)
{
    const struct trace *trace = both->trace;
    uint32_t e = both->ours[i];
    const cJSON *item = both->items[i];
    enum event_kind kind = event_kind(trace, e);
    bool annotation = kind == KIND_ANNOTATION || kind == KIND_DEVICE_ANNOTATION;
    int scope = (int)number_of(item, "scope");
    /* TorchScript's scope is not in the file, nor that an op ended on another thread. */
    cr_expect(event_scope(trace, e) == scope || (both->jit_fork && scope == 2), "%s: scope of event %u: %d, torch has %d",
              both->path, i, event_scope(trace, e), scope);
    cr_expect_eq(event_sequence(trace, e), (int64_t)number_of(item, "seq"), "%s: sequence number of event %u",
                 both->path, i);
    cr_expect_eq(annotation, cJSON_IsTrue(cJSON_GetObjectItem(item, "user_annotation")), "%s: annotation, event %u",
                 both->path, i);
    cr_expect_eq(event_node_id(trace, e), (int)number_of(item, "node_id"), "%s: node of event %u", both->path, i);
    cr_expect_eq(event_on_device(trace, e), strcmp(text_of(item, "device_type"), "DeviceType.CPU") != 0,
                 "%s: device of event %u", both->path, i);
    if (!both->jit_fork)
        cr_expect_eq((trace->events.flags[e] & EVENT_ASYNC) != 0, cJSON_IsTrue(cJSON_GetObjectItem(item, "is_async")),
                     "%s: async, event %u", both->path, i);
}

static void compare_stack(const struct both *both, uint32_t i)
{
    const struct stack_node *nodes = both->trace->stacks.nodes;
    const cJSON *want = cJSON_GetObjectItem(both->items[i], "stack"), *frame;
    uint32_t node = both->tree->stack[both->ours[i]];
    cJSON_ArrayForEach(frame, want)
    {
        struct span have = strings_get(&both->trace->strings, nodes[node].frame);
        cr_expect(node != 0 && span_is(have, frame->valuestring), "%s: stack of event %u: %.*s, torch has %s", both->path,
                  i, (int)have.length, have.bytes, frame->valuestring);
        if (node == 0)
            return;
        node = nodes[node].caller;
    }
    cr_expect_eq(node, 0, "%s: the stack of event %u is longer than torch's", both->path, i);
}

/* -- Threads ----------------------------------------------------------------------------------------------------- */

/* Torch's number, or `pid/tid`, as text. */
static void thread_text(const cJSON *item, const char *member, char *out, size_t room)
{
    const cJSON *value = cJSON_GetObjectItem(item, member);
    if (cJSON_IsString(value))
        snprintf(out, room, "%s", value->valuestring);
    else
        snprintf(out, room, "%d", value->valueint);
}

/* Every thread of ours is one of torch's, and no two are the same. */
static void compare_threads(const struct both *both, struct threads *threads)
{
    threads->count = both->trace->threads.count;
    threads->torch = calloc(threads->count + 1, sizeof *threads->torch);
    for (uint32_t i = 0; i < both->count; i++) {
        char text[64];
        if (event_on_device(both->trace, both->ours[i]))
            continue;
        thread_text(both->items[i], "thread", text, sizeof text);
        char **known = &threads->torch[tree_thread(both->tree, both->ours[i])];
        if (*known == NULL)
            *known = strdup(text);
        cr_expect_str_eq(*known, text, "%s: thread of event %u", both->path, i);
    }
    for (size_t a = 0; a < threads->count; a++)
        for (size_t b = 0; b < a; b++)
            cr_expect(threads->torch[a] == NULL || threads->torch[b] == NULL ||
                          strcmp(threads->torch[a], threads->torch[b]) != 0,
                      "%s: two threads are torch's %s", both->path, threads->torch[a]);
}

/* The forward thread of a backward op is found under torch's number of that thread. */
static unsigned compare_forward_threads(const struct both *both, const struct threads *threads)
{
    unsigned compared = 0;
    for (uint32_t i = 0; i < both->count; i++) {
        uint32_t e = both->ours[i];
        const cJSON *want = cJSON_GetObjectItem(both->items[i], "fwd_thread");
        bool has = !event_on_device(both->trace, e) && (both->trace->events.flags[e] & EVENT_HAS_FORWARD) != 0;
        bool wanted = cJSON_IsString(want) || want->valueint > 0;
        if (event_kind(both->trace, e) == KIND_MEMORY) /* of rows made of records torch keeps the thread itself there */
            continue;
        cr_expect_eq(has, wanted, "%s: forward thread of event %u", both->path, i);
        if (!has || !wanted)
            continue;
        char text[64];
        uint32_t thread = both->tree->forward_thread[both->trace->events.place[e]];
        thread_text(both->items[i], "fwd_thread", text, sizeof text);
        cr_assert_neq(thread, UINT32_MAX, "%s: event %u", both->path, i);
        bool file_number = strchr(threads->torch[thread], '/') != NULL; /* threads under the file's names */
        cr_expect(file_number || strcmp(threads->torch[thread], text) == 0, "%s: forward thread of event %u: %s, torch has %s",
                  both->path, i, threads->torch[thread], text);
        compared += !file_number;
    }
    return compared;
}

static void free_threads(struct threads *threads)
{
    for (size_t i = 0; i < threads->count; i++)
        free(threads->torch[i]);
    free(threads->torch);
}

Test(torch_events, every_event)
{
    struct support_traces traces = support_traces_below(support_samples_dir(), false);
    unsigned recordings = 0, events = 0, forward_threads = 0, children = 0;
    for (unsigned t = 0; t < traces.count; t++) {
        struct both both;
        struct threads threads;
        if (!open_both(&both, traces.paths[t]))
            continue;
        tree_need_children(both.tree);
        for (uint32_t i = 0; i < both.count; i++) {
            compare_name(&both, i);
            compare_times(&both, i);
            compare_family(&both, i);
            compare_inputs(&both, i);
            compare_memory(&both, i);
            compare_flags(&both, i);
            if (both.verbose)
                compare_stack(&both, i);
        }
        compare_threads(&both, &threads);
        forward_threads += compare_forward_threads(&both, &threads);
        recordings++;
        events += both.count;
        children += both.tree->child_first[both.tree->count];
        free_threads(&threads);
        close_both(&both);
    }
    support_traces_free(&traces);
    cr_expect_geq(recordings, 24, "only %u recordings were compared", recordings);
    cr_expect_gt(events, 32000, "only %u events were compared", events);
    cr_expect_gt(children, 30000, "only %u children were compared", children);
    cr_expect_gt(forward_threads, 1000, "only %u forward threads were compared", forward_threads);
    cr_log_info("%u recordings, %u events, %u children, %u forward threads", recordings, events, children,
                forward_threads);
}
