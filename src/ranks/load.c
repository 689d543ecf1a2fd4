/* One file as a trace. */
#include <stdatomic.h>

#include "keyavg/rank_files.h"
#include "keyavg/utf8.h"

static void add_damage(const struct rank_file *file, const struct trace *trace, struct text *out)
{
    if (!notes_any(&trace->notes))
        return;
    utf8_add_clean(out, span_of(file->path), false);
    text_add_string(out, ": ");
    notes_describe(&trace->notes, out);
}

struct stopping {
    const _Atomic bool *stop;
};

static bool go_on(void *context, uint64_t done, uint64_t total, uint64_t text)
{
    const struct stopping *stopping = context;
    (void)done;
    (void)total;
    (void)text;
    return stopping->stop == NULL || !atomic_load(stopping->stop);
}

struct trace *rank_file_load(const struct rank_file *file, unsigned threads, const _Atomic bool *stop,
                             struct text *damage, struct error *error)
{
    struct stopping stopping = {stop};
    struct trace_options options = {.threads = threads, .progress = go_on, .context = &stopping};
    struct trace *trace = trace_load(file->path, &options, error);
    if (trace == NULL)
        return NULL;
    if (trace->partial) {
        error_set(error, ERROR_NONE, "stopped");
        trace_free(trace);
        return NULL;
    }
    if (!file->named && trace->events.count == 0) {
        error_set(error, ERROR_NOT_TRACE, "%s: no events in it", file->path);
        trace_free(trace);
        return NULL;
    }
    add_damage(file, trace, damage);
    return trace;
}
