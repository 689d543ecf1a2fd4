/* What torch's EventList.export_stacks() writes: a line for each event with a stack, for flame graphs. */
#include <stdlib.h>

#include "keyavg/memory.h"
#include "keyavg/utf8.h"
#include "keyavg/writer.h"

/* Frames are separated by `;` and the number by a space, so frames hold neither. */
static void add_frame(struct text *out, struct span frame, struct text *scratch)
{
    text_clear(scratch);
    for (size_t i = 0; i < frame.length; i++) {
        char c = frame.bytes[i];
        text_add_char(scratch, c == ' ' || c == ';' || c == '\t' || c == '\n' ? '_' : c);
    }
    utf8_add_clean(out, text_span(scratch), false);
}

/* From the outermost frame to the innermost. */
static void add_stack(struct text *out, const struct trace *trace, uint32_t node, uint32_t *frames,
                      struct text *scratch)
{
    uint32_t depth = trace->stacks.nodes[node].depth;
    for (uint32_t left = depth; left > 0; node = trace->stacks.nodes[node].caller)
        frames[--left] = trace->stacks.nodes[node].frame;
    for (uint32_t i = 0; i < depth; i++) {
        if (i > 0)
            text_add_char(out, ';');
        add_frame(out, strings_get(&trace->strings, frames[i]), scratch);
    }
}

bool stacks_write(struct table *table, const struct writer_options *options, struct sink *sink)
{
    struct tree *tree = table->tree;
    bool device = strcmp(options->metric->name, "self_device_time_total") == 0;
    struct torch_times *times = tree_torch_times(tree);
    uint32_t *frames = memory_alloc(((size_t)table->trace->stacks.deepest + 1) * sizeof *frames);
    struct text out = {0}, scratch = {0};
    uint64_t *chosen = table_chosen_events(table);
    bool taken = true;
    for (uint32_t event = 0; event < tree->count && taken; event++) {
        if (tree->state[event] != STATE_ROW || tree->stack[event] == 0 ||
            (chosen != NULL && (chosen[event / 64] >> event % 64 & 1) == 0))
            continue;
        /* torch cuts its double, so that a time of exactly 6 us may be 5 here. */
        double metric = device ? times[event].self_device_time_total : times[event].self_cpu_time_total;
        if (metric < 1.0)
            continue;
        add_stack(&out, table->trace, tree->stack[event], frames, &scratch);
        text_addf(&out, " %lld\n", (long long)metric);
        taken = writer_flush(sink, &out, false);
    }
    taken = taken && writer_flush(sink, &out, true);
    free(chosen);
    text_free(&out);
    text_free(&scratch);
    free(frames);
    free(times);
    return taken;
}
