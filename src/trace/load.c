/* From a path to a trace: bytes through the reader, window by window. */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "again.h"
#include "blocks.h"
#include "events.h"
#include "foreign.h"
#include "mapping.h"
#include "keyavg/timing.h"
#include "team.h"

enum {
    FIRST_BLOCK = 1 << 20,
    MAP_BLOCK = 1 << 22,
    STREAM_BLOCK = 1 << 21,
    MOST_THREADS = 64,
    SHOW_PACE = 100000000, /* ns */
};

void trace_free(struct trace *trace)
{
    if (trace == NULL)
        return;
    events_free(&trace->events);
    strings_free(&trace->strings);
    stacks_free(&trace->stacks);
    array_free(&trace->inputs);
    array_free(&trace->threads);
    array_free(&trace->lanes);
    array_free(&trace->forward_threads);
    array_free(&trace->memory);
    array_free(&trace->flows);
    array_free(&trace->unknown);
    free(trace->names);
    header_free(&trace->header);
    again_free(trace->again);
    free(trace->path);
    free(trace);
}

/* A load under way: the pieces that are known to follow one another, and where the text is in behind them. */
struct loading {
    struct source *source;
    const struct trace_options *options;
    struct team *team;
    struct part *parts;
    unsigned part_count;
    pieces pieces;
    struct document document;
    struct text tail;      /* text behind the pieces that nobody could read without what follows it */
    uint64_t tail_offset, text_bytes;
    bool stopped;
    uint64_t shown;        /* events when the last part was shown */
    int64_t shown_at;
    char start[FOREIGN_LENGTH]; /* the text's first bytes, for telling what is no trace */
    size_t start_length;
};

static bool told_to_stop(struct loading *loading)
{
    const struct trace_options *options = loading->options;
    return options != NULL && options->progress != NULL &&
           !options->progress(options->context, loading->source->done, loading->source->file_bytes,
                              loading->text_bytes);
}

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* Shows what has arrived: at most ten times a second, and only once there is twice as much as the last time, so that
 * all of it together costs no more than one more load. */
static void show(struct loading *loading)
{
    const struct trace_options *options = loading->options;
    if (options == NULL || options->arrived == NULL || !loading->document.found_events)
        return;
    uint64_t events = 0;
    for (size_t i = 0; i < loading->pieces.count; i++)
        events += loading->pieces.items[i].events_to - loading->pieces.items[i].events_from;
    int64_t time = now();
    if (events < 2 * loading->shown || events == 0 || time - loading->shown_at < SHOW_PACE)
        return;
    struct trace *trace = parts_copy(loading->parts, loading->part_count, &loading->pieces);
    trace->path = memory_copy_text(loading->source->path, strlen(loading->source->path));
    trace->text_bytes = loading->text_bytes;
    trace->file_bytes = loading->source->done;
    trace->packing = (uint8_t)loading->source->packing;
    trace->partial = true;
    trace_finish(trace);
    options->arrived(options->context, trace);
    loading->shown = events;
    loading->shown_at = now();
}

static void keep(struct loading *loading, const struct piece *piece, const struct block *block)
{
    array_push(&loading->pieces, *piece);
    loading->document = piece->document;
    text_clear(&loading->tail);
    text_add(&loading->tail, block->end - piece->tail, piece->tail);
    loading->tail_offset = block->offset + (uint64_t)(block->end - piece->tail - block->begin);
    loading->text_bytes = block->offset + (uint64_t)(block->end - block->begin);
}

/* A block that does not begin where the text before it ended: in a string, behind damage, behind the list of events.
 * It is read again, from what was left. */
static void read_again(struct loading *loading, const struct block *block)
{
    struct block whole = *block;
    struct piece piece;
    if (loading->tail.length != 0) {
        size_t length = (size_t)(block->end - block->begin), total = loading->tail.length + length;
        whole.owned = memory_alloc(total + 1);
        memcpy(whole.owned, loading->tail.bytes, loading->tail.length);
        memcpy(whole.owned + loading->tail.length, block->begin, length);
        whole.begin = whole.owned;
        whole.end = whole.begin + total;
        whole.offset = loading->tail_offset;
    }
    part_read(&loading->parts[0], &whole, &loading->document, &piece);
    keep(loading, &piece, &whole);
    if (whole.owned != block->owned)
        free(whole.owned);
}

/* The text's first bytes, however many blocks they are in. */
static void keep_start(struct loading *loading, const struct block *block)
{
    size_t length = (size_t)(block->end - block->begin), room = sizeof loading->start - loading->start_length;
    length = length < room ? length : room;
    memcpy(loading->start + loading->start_length, block->begin, length);
    loading->start_length += length;
}

static void take(struct loading *loading, const struct block *block, struct piece *piece)
{
    keep_start(loading, block);
    bool first = block->offset == 0;
    if (first || (loading->tail.length == 0 && reader_joins(&loading->document, &piece->document, block->offset))) {
        keep(loading, piece, block);
    } else {
        header_free(&piece->header);
        read_again(loading, block);
    }
    free(block->owned);
}

/* The first byte that is not white space, of what is known of the text so far. */
static char first_byte(const struct block *block)
{
    for (const char *at = block->begin; at < block->end; at++)
        if ((unsigned char)*at > ' ' && (unsigned char)*at < 0x80)
            return *at;
    return '\0';
}

static unsigned thread_count(const struct trace_options *options)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    unsigned threads = options != NULL ? options->threads : 0;
    if (threads == 0)
        threads = processors > 0 ? (unsigned)processors : 1;
    return threads < MOST_THREADS ? threads : MOST_THREADS;
}

static bool read_all(struct loading *loading, struct blocks *blocks, struct error *error)
{
    struct block block;
    struct piece piece;
    bool fine = blocks_next(blocks, &block, error);
    unsigned threads = thread_count(loading->options);
    /* One block is all: no thread is worth its start. */
    loading->team = team_start(threads > 1 && !block.last ? threads : 0, first_byte(&block) == '[');
    loading->parts = team_parts(loading->team, &loading->part_count);
    if (loading->options == NULL || loading->options->block == 0)
        blocks->step = blocks->source->map != NULL ? MAP_BLOCK : STREAM_BLOCK;
    team_give(loading->team, &block);
    while (!team_is_empty(loading->team)) {
        bool full = blocks->over || loading->stopped || !fine || !team_has_room(loading->team);
        if (team_take(loading->team, full, &block, &piece)) {
            take(loading, &block, &piece);
            loading->stopped = loading->stopped || told_to_stop(loading);
            if (!loading->stopped && !(blocks->over && team_is_empty(loading->team)))
                show(loading);
        } else if (!full) {
            fine = blocks_next(blocks, &block, error);
            team_give(loading->team, &block);
        }
        if (team_is_empty(loading->team) && !blocks->over && !loading->stopped && fine) {
            fine = blocks_next(blocks, &block, error);
            team_give(loading->team, &block);
        }
    }
    return fine;
}

static bool is_blank(const struct source *source)
{
    bool marked = source->map_length >= 3 && memcmp(source->map, "\xEF\xBB\xBF", 3) == 0;
    for (size_t i = marked ? 3 : 0; i < source->map_length; i++)
        if (strchr(" \t\r\n", source->map[i]) == NULL || source->map[i] == '\0')
            return false;
    return true;
}

/* What the input is instead of a trace. */
static bool not_a_trace(const struct loading *loading, const char *path, struct error *error)
{
    const struct source *source = loading->source;
    if (source->stopped || loading->stopped)
        return error_set(error, ERROR_NOT_TRACE, "%s: stopped before anything of a trace had arrived",
                         source_name(path));
    bool blank = loading->document.where == DOCUMENT_START &&
                 (source->map == NULL || source->packing != PACKING_NONE || is_blank(source));
    const char *foreign = foreign_describe((struct span){loading->start, loading->start_length});
    if (foreign != NULL)
        return error_set(error, ERROR_NOT_TRACE, "%s: not a trace: it is %s", path, foreign);
    if (blank && source->packing != PACKING_NONE)
        return error_set(error, ERROR_NOT_TRACE, "%s: empty file (%llu compressed bytes hold no text)", path,
                         (unsigned long long)source->done);
    if (blank)
        return error_set(error, ERROR_NOT_TRACE, "%s: empty file", path);
    if (loading->document.not_json)
        return error_set(error, ERROR_NOT_TRACE,
                         "%s: not a trace: no JSON in it (it should begin with { or [; write it with "
                         "prof.export_chrome_trace)",
                         path);
    return error_set(error, ERROR_NOT_TRACE, "%s: no traceEvents in this file (a trace is what prof.export_chrome_trace writes)",
                     path);
}

/* Lines are not counted while a map is read; where there is something to tell, they are counted now. */
static void count_lines(struct trace *trace, const struct source *source)
{
    for (unsigned i = 0; i < NOTE_COUNT; i++) {
        struct note_place *of = &trace->notes.of[i];
        if (of->count != 0 && of->line != 0 && of->offset <= source->map_length)
            of->line = scan_count_lines(source->map, source->map + of->offset) + 1;
    }
}

static struct trace *load(struct source *source, const char *path, const struct trace_options *options,
                          struct error *error)
{
    struct loading loading = {.source = source, .options = options, .shown_at = now()};
    struct blocks blocks;
    struct trace *trace = NULL;
    blocks_init(&blocks, source, options != NULL && options->block != 0 ? options->block : FIRST_BLOCK);
    bool fine = read_all(&loading, &blocks, error);
    if (fine && !loading.document.found_events)
        fine = not_a_trace(&loading, path, error);
    if (fine) {
        timing_begin(TIMING_MERGE);
        trace = parts_merge(loading.parts, loading.part_count, &loading.pieces, thread_count(options));
        trace->threads_allowed = thread_count(options);
        loading.parts[0].trace = NULL; /* it is the caller's now */
        trace->path = memory_copy_text(path, strlen(path));
        trace->text_bytes = loading.text_bytes;
        trace->file_bytes = source->done;
        trace->packing = (uint8_t)source->packing;
        trace->partial = loading.stopped || source->stopped;
        if (source->damaged && !source->stopped)
            trace->notes.of[NOTE_STREAM_CUT].count = 1;
        if (source->map != NULL && source->packing == PACKING_NONE)
            count_lines(trace, source);
        if (source->map != NULL && mapping_is_lost(source->map))
            trace->notes.of[NOTE_LOST].count = 1;
    }
    for (size_t i = 0; i < loading.pieces.count; i++)
        header_free(&loading.pieces.items[i].header);
    array_free(&loading.pieces);
    text_free(&loading.tail);
    blocks_free(&blocks);
    team_end(loading.team);
    timing_begin(TIMING_FINISH);
    if (trace != NULL)
        trace_finish(trace);
    return trace;
}

struct trace *trace_load(const char *path, const struct trace_options *options, struct error *error)
{
    struct source source;
    struct trace *trace = NULL;
    if (source_open(&source, path, options != NULL ? options->stop_file : 0, error)) {
        if (options != NULL && options->keep_text)
            source_copy(&source, options->text_limit);
        trace = load(&source, path, options, error);
    }
    if (trace != NULL)
        trace->again = again_keep(&source);
    source_close(&source);
    return trace;
}

struct trace *trace_load_memory_with(const char *bytes, size_t length, const char *path,
                                     const struct trace_options *options, struct error *error)
{
    struct source source;
    source_open_memory(&source, bytes, length, path);
    if (length == 0)
        source.map = "";
    struct trace *trace = load(&source, path, options, error);
    source.map = NULL;
    source_close(&source);
    return trace;
}

struct trace *trace_load_memory(const char *bytes, size_t length, const char *path, struct error *error)
{
    return trace_load_memory_with(bytes, length, path, NULL, error);
}
