#include "keyavg/summary.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "keyavg/steps.h"

struct summary *summary_new(void)
{
    struct summary *summary = memory_zero(1, sizeof *summary);
    strings_init(&summary->strings);
    stacks_init(&summary->stacks);
    summary->stack_depth = SUMMARY_STACK_DEPTH;
    return summary;
}

void summary_free(struct summary *summary)
{
    if (summary == NULL)
        return;
    for (int t = 0; t < SUMMARY_TABLES; t++)
        groups_free(&summary->tables[t]);
    array_free(&summary->sources);
    strings_free(&summary->strings);
    stacks_free(&summary->stacks);
    free(summary->bytes);
    free(summary);
}

struct grouping summary_grouping(const struct summary *summary, enum summary_table table)
{
    static const unsigned parts[SUMMARY_TABLES] = {
        [SUMMARY_SHAPE] = GROUP_SHAPE, [SUMMARY_STACK] = GROUP_STACK, [SUMMARY_STEP] = GROUP_STEP,
        [SUMMARY_SCOPE] = GROUP_SCOPE,
    };
    return (struct grouping){.parts = GROUP_NAME | parts[table], .python = summary->python,
                             .stack_depth = table == SUMMARY_STACK ? summary->stack_depth : 0};
}

/* -- Sources ----------------------------------------------------------------------------------------------------- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The number behind the last `rank` or `worker` of a part of a path. */
static int64_t rank_of_part(struct span part)
{
    static const char *const words[] = {"rank", "worker"};
    int64_t rank = -1;
    for (size_t i = 0; i < part.length; i++) {
        for (int w = 0; w < 2; w++) {
            size_t at = i + strlen(words[w]);
            if (at > part.length || strncasecmp(part.bytes + i, words[w], strlen(words[w])) != 0)
                continue;
            at += at < part.length && strchr("-_.= ", part.bytes[at]) != NULL && part.bytes[at] != '\0';
            int64_t number = 0;
            size_t digits = 0;
            for (; at < part.length && is_digit(part.bytes[at]) && digits < 9; at++, digits++)
                number = number * 10 + (part.bytes[at] - '0');
            if (digits > 0)
                rank = number;
        }
    }
    return rank;
}

int64_t summary_rank_of_path(const char *path)
{
    const char *end = path + strlen(path);
    while (end > path) {
        const char *slash = memrchr(path, '/', (size_t)(end - path)), *from = slash != NULL ? slash + 1 : path;
        int64_t rank = rank_of_part((struct span){from, (size_t)(end - from)});
        if (rank >= 0 || slash == NULL)
            return rank;
        end = slash;
    }
    return -1;
}

static uint32_t add_text(struct strings *strings, const char *text)
{
    return text != NULL ? strings_add(strings, text, strlen(text)) : 0;
}

static uint32_t what_it_has(const struct trace *trace)
{
    const struct header *header = &trace->header;
    uint32_t has = 0;
    has |= trace_use_device(trace) != NULL ? SOURCE_DEVICE : 0;
    has |= trace_has_memory(trace) ? SOURCE_MEMORY : 0;
    has |= header->record_shapes || trace->has_shapes ? SOURCE_SHAPES : 0;
    has |= header->with_stack || trace->has_python || trace->has_own_stacks ? SOURCE_STACKS : 0;
    has |= header->with_flops ? SOURCE_FLOPS : 0;
    has |= trace->has_overloads ? SOURCE_OVERLOADS : 0;
    has |= header->array_form ? SOURCE_NODES : 0;
    has |= notes_any(&trace->notes) ? SOURCE_DAMAGED : 0;
    has |= header->has_base_time ? SOURCE_BASE_TIME : 0;
    return has;
}

void source_take(struct source *source, struct tree *tree, const char *path, struct strings *strings)
{
    const struct trace *trace = tree->trace;
    const char *slash = strrchr(path, '/');
    *source = (struct source){
        .rank = trace->header.rank >= 0 ? trace->header.rank : summary_rank_of_path(path),
        .world_size = trace->header.world_size,
        .name = add_text(strings, slash != NULL ? slash + 1 : path),
        .host = add_text(strings, trace->header.host_name),
        .backend = trace->backend,
        .has = what_it_has(trace),
        .steps = steps_count(tree),
        .base_time = trace->header.has_base_time ? trace->header.base_time : 0,
        .start = trace->start,
        .end = trace->end,
        .events = trace->events.count,
        .records = trace->records_seen,
    };
}

static int compare_texts(struct span a, struct span b)
{
    int order = memcmp(a.bytes, b.bytes, a.length < b.length ? a.length : b.length);
    return order != 0 ? order : a.length < b.length ? -1 : a.length > b.length;
}

#define BY(field)                                                                                                      \
    if (x->field != y->field)                                                                                          \
        return x->field < y->field

bool summary_source_before(const void *context, uint32_t a, uint32_t b)
{
    const struct summary *summary = context;
    const struct source *x = &summary->sources.items[a], *y = &summary->sources.items[b];
    BY(rank);
    int order = compare_texts(strings_get(&summary->strings, x->name), strings_get(&summary->strings, y->name));
    if (order == 0)
        order = compare_texts(strings_get(&summary->strings, x->host), strings_get(&summary->strings, y->host));
    if (order != 0)
        return order < 0;
    BY(world_size);
    BY(base_time);
    BY(start);
    BY(end);
    BY(events);
    BY(records);
    BY(self_cpu);
    BY(self_device);
    BY(steps);
    BY(backend);
    BY(has);
    return false;
}

uint32_t summary_add_sources(struct summary *into, const struct summary *from)
{
    uint32_t first = (uint32_t)into->sources.count;
    for (size_t i = 0; i < from->sources.count; i++) {
        struct source source = from->sources.items[i];
        struct span name = strings_get(&from->strings, source.name), host = strings_get(&from->strings, source.host);
        source.name = strings_add(&into->strings, name.bytes, name.length);
        source.host = strings_add(&into->strings, host.bytes, host.length);
        array_push(&into->sources, source);
    }
    return first;
}

/* -- Building and merging ---------------------------------------------------------------------------------------- */

static void sum_source(struct source *source, const struct groups *groups)
{
    uint64_t cpu = 0, device = 0;
    for (uint32_t i = 0; i < groups->count; i++) {
        const struct group *group = &groups->items[i];
        cpu += (uint64_t)group->sums[MEASURE_SELF_CPU];
        if (group->key.side == SIDE_DEVICE)
            device += (uint64_t)group->sums[MEASURE_SELF_DEVICE];
    }
    source->self_cpu = (int64_t)cpu;
    source->self_device = (int64_t)device;
}

struct summary *summary_build(struct tree *tree, const char *path, int stack_depth, enum python_frames python,
                              bool histograms)
{
    struct summary *summary = summary_new();
    summary->stack_depth = stack_depth;
    summary->python = python;
    summary->tables_read = (1u << SUMMARY_TABLES) - 1;
    struct source source;
    source_take(&source, tree, path, &summary->strings);
    for (int t = 0; t < SUMMARY_TABLES; t++) {
        struct grouping grouping = summary_grouping(summary, (enum summary_table)t);
        groups_init(&summary->tables[t], &grouping, &summary->strings, &summary->stacks);
        if (t == SUMMARY_STACK && stack_depth == 0)
            grouping.parts &= ~(unsigned)GROUP_STACK; /* all stacks are the empty one */
        struct averages *averages = averages_build(tree, &grouping, NULL);
        groups_take(&summary->tables[t], averages, 0, histograms, NULL);
        averages_free(averages);
    }
    sum_source(&source, &summary->tables[SUMMARY_NAME]);
    array_push(&summary->sources, source);
    return summary;
}

bool summary_merge(struct summary *into, const struct summary *from, struct error *error)
{
    if (into->sources.count == 0) {
        into->stack_depth = from->stack_depth;
        into->python = from->python;
        into->tables_read = from->tables_read;
        for (int t = 0; t < SUMMARY_TABLES; t++) {
            struct grouping grouping = summary_grouping(into, (enum summary_table)t);
            if (into->tables_read >> t & 1)
                groups_init(&into->tables[t], &grouping, &into->strings, &into->stacks);
        }
    }
    if (into->stack_depth != from->stack_depth)
        return error_set(error, ERROR_USAGE, "it has stacks of %d frames, others have %d: summarise with one "
                         "--group-by-stack-n", from->stack_depth, into->stack_depth);
    if (into->python != from->python)
        return error_set(error, ERROR_USAGE, "Python frames are %s, unlike in others: summarise all with the same "
                         "options", from->python == PYTHON_AS_ROWS ? "rows in it"
                                    : from->python == PYTHON_LEFT_OUT ? "left out of it" : "not rows in it");
    uint32_t first = summary_add_sources(into, from);
    for (int t = 0; t < SUMMARY_TABLES; t++) {
        if ((into->tables_read & from->tables_read) >> t & 1)
            groups_merge(&into->tables[t], &from->tables[t], first, summary_source_before, into, NULL);
        else
            groups_free(&into->tables[t]);
    }
    into->tables_read &= from->tables_read;
    return true;
}
