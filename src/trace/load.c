/* From a path to a trace: bytes through the reader, window by window. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "reader.h"
#include "source.h"

enum { WINDOW = 1 << 20, MAP_STEP = 1 << 24 };

static struct trace *new_trace(const char *path)
{
    struct trace *trace = memory_zero(1, sizeof *trace);
    trace->path = memory_copy_text(path, strlen(path));
    strings_init(&trace->strings);
    stacks_init(&trace->stacks);
    return trace;
}

void trace_free(struct trace *trace)
{
    if (trace == NULL)
        return;
    struct events *events = &trace->events;
    free(events->start);
    free(events->duration);
    free(events->name);
    free(events->category);
    free(events->flags);
    free(events->thread);
    free(events->inputs);
    free(events->stack);
    free(events->external_id);
    free(events->number);
    free(events->place);
    free(events->offset);
    strings_free(&trace->strings);
    stacks_free(&trace->stacks);
    array_free(&trace->inputs);
    array_free(&trace->threads);
    array_free(&trace->lanes);
    array_free(&trace->forward_threads);
    array_free(&trace->memory);
    array_free(&trace->flows);
    free(trace->names);
    free(trace->header.trace_id);
    free(trace->header.host_name);
    free(trace->header.trace_name);
    free(trace->header.schema_version);
    free(trace->header.device_properties);
    free(trace->header.distributed_info);
    free(trace->path);
    free(trace);
}

static bool told_to_stop(const struct trace_options *options, const struct source *source, uint64_t text)
{
    return options != NULL && options->progress != NULL &&
           !options->progress(options->context, source->done, source->file_bytes, text);
}

/* The whole text lies in memory. It is given to the reader in steps only so that progress can be told. */
static void read_map(struct reader *reader, struct source *source, const struct trace_options *options)
{
    struct scan *scan = &reader->scan;
    size_t length = source->map_length, told = 0;
    scan->begin = scan->at = source->map;
    while (!reader->last) {
        size_t from = (size_t)(scan->at - scan->begin);
        told = told < from ? from : told;
        told = length - told > MAP_STEP ? told + MAP_STEP : length;
        scan->end = source->map + told;
        source->done = told;
        reader->last = told == length;
        if (told_to_stop(options, source, told)) {
            reader->trace->partial = true;
            return;
        }
        reader_run(reader);
    }
}

/* A window slides over the text; what the reader left behind is kept in front of what comes next. */
static bool read_stream(struct reader *reader, struct source *source, const struct trace_options *options,
                        struct error *error)
{
    struct scan *scan = &reader->scan;
    size_t room = WINDOW, have = 0;
    char *window = memory_alloc(room);
    bool fine = true;
    while (fine && !reader->last) {
        if (have > room / 2) {
            room *= 2;
            window = memory_resize(window, room, 1);
        }
        /* Fill the window, so that small pieces of a pipe do not make the reader look at one event many times. */
        bool over = false;
        while (fine && !over && have < room) {
            size_t got;
            fine = source_read(source, window + have, room - have, &got, error);
            over = got == 0;
            have += got;
        }
        reader->last = over;
        scan->begin = scan->at = window;
        scan->end = window + have;
        if (told_to_stop(options, source, scan->offset + have)) {
            reader->trace->partial = true;
            break;
        }
        if (!fine)
            break;
        reader_run(reader);
        size_t used = (size_t)(scan->at - window);
        for (const char *at = window; (at = memchr(at, '\n', (size_t)(window + used - at))) != NULL; at++)
            scan->lines++;
        have -= used;
        memmove(window, window + used, have);
        scan->offset += used;
    }
    reader->trace->text_bytes = scan->offset + have;
    free(window);
    return fine;
}

static bool is_blank(const struct source *source)
{
    for (size_t i = 0; i < source->map_length; i++)
        if (strchr(" \t\r\n", source->map[i]) == NULL || source->map[i] == '\0')
            return false;
    return true;
}

/* What the input is instead of a trace. */
static bool not_a_trace(const struct reader *reader, const struct source *source, const char *path, struct error *error)
{
    bool blank = reader->where == READER_START && (source->map == NULL || is_blank(source));
    if (blank && source->packing != PACKING_NONE)
        return error_set(error, ERROR_NOT_TRACE, "%s: empty file (%llu compressed bytes hold no text)", path,
                         (unsigned long long)source->done);
    if (blank)
        return error_set(error, ERROR_NOT_TRACE, "%s: empty file", path);
    if (reader->not_json)
        return error_set(error, ERROR_NOT_TRACE,
                         "%s: not a trace: no JSON in it (it should begin with { or [; write it with "
                         "prof.export_chrome_trace)",
                         path);
    return error_set(error, ERROR_NOT_TRACE, "%s: no traceEvents in this file (a trace is what prof.export_chrome_trace writes)",
                     path);
}

static enum backend highest(unsigned backends)
{
    for (unsigned i = BACKEND_COUNT; --i > 0;)
        if (backends & 1u << i)
            return (enum backend)i;
    return BACKEND_NONE;
}

static struct trace *load(struct source *source, const char *path, const struct trace_options *options,
                          struct error *error)
{
    struct reader reader;
    struct trace *trace = new_trace(path);
    reader_init(&reader, trace);
    bool fine = true;
    if (source->map != NULL && source->packing == PACKING_NONE) {
        read_map(&reader, source, options);
        trace->text_bytes = source->map_length;
    } else {
        fine = read_stream(&reader, source, options, error);
    }
    trace->file_bytes = source->done;
    trace->packing = (uint8_t)source->packing;
    if (source->damaged)
        trace->notes.of[NOTE_STREAM_CUT].count = 1;
    if (fine && !reader.found_events)
        fine = not_a_trace(&reader, source, path, error);
    if (fine) {
        trace->backend = highest(reader.backends);
        if (trace->backend == BACKEND_NONE && trace->has_device_call)
            trace->backend = BACKEND_CUDA;
        reader_finish(&reader);
    }
    reader_free(&reader);
    if (!fine) {
        trace_free(trace);
        return NULL;
    }
    return trace;
}

struct trace *trace_load(const char *path, const struct trace_options *options, struct error *error)
{
    struct source source;
    struct trace *trace = NULL;
    if (source_open(&source, path, error))
        trace = load(&source, path, options, error);
    source_close(&source);
    return trace;
}

struct trace *trace_load_memory(const char *bytes, size_t length, const char *path, struct error *error)
{
    struct source source;
    source_open_memory(&source, bytes, length, path);
    if (length == 0)
        source.map = "";
    struct trace *trace = load(&source, path, NULL, error);
    source.map = NULL;
    source_close(&source);
    return trace;
}
