/* Stacks from the python frames that are open at an event's start. */
#include <stdlib.h>
#include <string.h>

#include "links.h"

/* An open frame or op. Whatever was opened above it ends with it, so the end that counts is the earliest below. */
struct open_frame {
    int64_t end;
    uint32_t node; /* the stack from here down */
};

typedef ARRAY(struct open_frame) open_frames;

struct frames {
    struct tree *tree;
    struct trace *trace;
    open_frames *threads;
    uint8_t *counts; /* by name: 1 the frame counts, 2 torch leaves it out, 0 not yet known */
};

static bool frame_counts(struct frames *frames, uint32_t name)
{
    if (frames->counts[name] == 0)
        frames->counts[name] = stacks_frame_counts(strings_get(&frames->trace->strings, name)) ? 1 : 2;
    return frames->counts[name] == 1;
}

static void visit(struct frames *frames, uint32_t e)
{
    struct trace *trace = frames->trace;
    enum event_kind kind = event_kind(trace, e);
    open_frames *open = &frames->threads[trace->events.thread[e]];
    int64_t start = trace->events.start[e], end = event_end(trace, e);
    while (open->count > 0 && open->items[open->count - 1].end < start)
        open->count--;
    const struct open_frame *below = open->count > 0 ? &open->items[open->count - 1] : NULL;
    uint32_t node = below != NULL ? below->node : 0;
    if (!(trace->events.flags[e] & EVENT_OWN_STACK))
        frames->tree->stack[e] = node;
    if (end <= start || (kind != KIND_PYTHON && kind != KIND_OP && kind != KIND_ANNOTATION))
        return;
    if (kind == KIND_PYTHON && frame_counts(frames, trace->events.name[e]))
        node = stacks_add(&trace->stacks, node, trace->events.name[e]);
    if (below != NULL && below->end < end)
        end = below->end;
    array_push(open, (struct open_frame){end, node});
}

void frames_build(struct tree *tree)
{
    struct trace *trace = tree->trace;
    uint32_t count = tree->count;
    if (trace->events.stack != NULL)
        memcpy(tree->stack, trace->events.stack, (size_t)count * sizeof *tree->stack);
    else
        memset(tree->stack, 0, ((size_t)count + 1) * sizeof *tree->stack);
    if (!trace->has_python || tree->without_python)
        return;
    struct frames frames = {.tree = tree, .trace = trace};
    frames.threads = memory_zero(trace->threads.count + 1, sizeof *frames.threads);
    frames.counts = memory_zero(trace->strings.count + 1, 1);
    /* Of events that start together, frames open before ops; else in list order. */
    for (uint32_t from = 0, to; from < count; from = to) {
        for (to = from + 1; to < count && trace->events.start[to] == trace->events.start[from];)
            to++;
        for (unsigned pass = 0; pass < 2; pass++)
            for (uint32_t e = from; e < to; e++) {
                enum event_kind kind = event_kind(trace, e);
                if (!kind_on_device(kind) && kind != KIND_MEMORY && (kind == KIND_PYTHON) == (pass == 0))
                    visit(&frames, e);
            }
    }
    for (size_t i = 0; i < trace->threads.count; i++)
        array_free(&frames.threads[i]);
    free(frames.threads);
    free(frames.counts);
}
