/* The raw text of one event, read again from where the trace came from. */
#include "again.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "copy.h"
#include "reader.h"

enum {
    FIRST_PIECE = 1 << 14,
    SKIP_PIECE = 1 << 18,
};

struct again {
    enum packing packing;
    struct identity identity;
    uint64_t start;    /* of the text in the file */
    int file;          /* standard input that is a regular file, else -1 */
    struct copy *copy; /* of a pipe, else NULL */
};

struct again *again_keep(struct source *source)
{
    if (source->file < 0)
        return NULL;
    struct again *again = memory_zero(1, sizeof *again);
    bool standard_input = strcmp(source->path, "-") == 0;
    *again = (struct again){.packing = source->packing, .identity = source->identity, .start = source->start,
                            .file = -1};
    if (standard_input && source->identity.regular)
        again->file = fcntl(source->file, F_DUPFD_CLOEXEC, 0);
    if (source->copy != NULL) {
        copy_end(source->copy);
        again->copy = source->copy;
        again->packing = source->copy->packs ? PACKING_GZIP : source->packing;
        source->copy = NULL;
    }
    return again;
}

void again_free(struct again *again)
{
    if (again == NULL)
        return;
    if (again->file >= 0)
        close(again->file);
    copy_free(again->copy);
    free(again);
}

/* The file that holds the text, to be closed; -1 with `error` set. */
static int open_file(const struct trace *trace, struct error *error)
{
    const struct again *again = trace->again;
    const char *name = source_name(trace->path);
    struct identity now;
    int file;
    if (again->copy != NULL) {
        if (again->copy->file < 0) {
            *error = again->copy->error;
            return -1;
        }
        file = fcntl(again->copy->file, F_DUPFD_CLOEXEC, 0);
    } else if (!again->identity.regular) {
        error_set(error, ERROR_IO, "%s cannot be read again", name);
        return -1;
    } else {
        file = again->file >= 0 ? fcntl(again->file, F_DUPFD_CLOEXEC, 0) : open(trace->path, O_RDONLY | O_CLOEXEC);
    }
    if (file < 0) {
        error_set(error, ERROR_IO, "%s: %s", name, strerror(errno));
    } else if (again->copy == NULL) {
        bool known = source_identify(file, trace->path, &now, error);
        if (known && source_same(&now, &again->identity))
            return file;
        if (known)
            error_set(error, ERROR_IO, "%s has changed since it was read", name);
        close(file);
        file = -1;
    }
    return file;
}

/* Passes over `length` bytes of text. False when reading fails or is stopped, or the text ends before. */
static bool skip(struct source *source, uint64_t length, uint64_t total, trace_progress *progress, void *context,
                 bool *over, struct error *error)
{
    char *room = memory_alloc(SKIP_PIECE);
    uint64_t done = 0;
    bool fine = true;
    while (fine && !*over && done < length) {
        size_t got, piece = length - done < SKIP_PIECE ? (size_t)(length - done) : SKIP_PIECE;
        fine = source_read(source, room, piece, &got, error);
        *over = fine && got == 0;
        done += got;
        if (fine && progress != NULL && !progress(context, source->done, total, done))
            fine = error_set(error, ERROR_NONE, "stopped");
    }
    free(room);
    return fine && !*over;
}

/* Whether fields read again are those of the event. */
static bool is_event(const struct trace *trace, uint32_t event, const struct fields *fields)
{
    struct text room = {0};
    struct span name = fields->name.kind == TOKEN_STRING ? scan_text(&fields->name, &room)
                                                         : (struct span){fields->name.bytes, fields->name.length};
    int64_t time;
    bool overflow, same = scan_time(&fields->ts, &time, &overflow) && !overflow;
    same = same && span_equal(name, strings_get(&trace->strings, trace->events.name[event]));
    /* A device annotation's start was set right after it was read. */
    same = same && (time == trace->events.start[event] ||
                    (event_kind(trace, event) == KIND_DEVICE_ANNOTATION && time + 1 == trace->events.start[event]));
    text_free(&room);
    return same;
}

/* Reads on until one whole event stands in `have`; its length, or 0 with `error` set. */
static size_t read_event(const struct trace *trace, uint32_t event, struct source *source, struct text *have,
                         struct error *error)
{
    struct habits *habits = memory_alloc(sizeof *habits);
    struct notes notes = {0};
    struct fields fields;
    size_t length = 0, wanted = FIRST_PIECE;
    bool over = false, fine = true;
    while (length == 0 && fine && !over && wanted <= READER_EVENT_LIMIT) {
        while (fine && !over && have->length < wanted) {
            size_t got;
            char *to = text_room(have, wanted - have->length);
            fine = source_read(source, to, wanted - have->length, &got, error);
            over = fine && got == 0;
            have->length += got;
        }
        struct scan scan = {.notes = &notes, .begin = have->bytes, .at = have->bytes,
                            .end = have->bytes + have->length};
        memset(habits, 0, sizeof *habits);
        habits->count = 2;
        if (fine && have->length > 0 && *scan.at == '{' && fields_read(&scan, habits, &fields) == SCAN_OK)
            length = (size_t)(scan.at - have->bytes);
        wanted *= 4;
    }
    free(habits);
    if (fine && (length == 0 || !is_event(trace, event, &fields))) {
        error_set(error, ERROR_IO, "%s has changed since it was read: the event is not at byte %llu",
                  source_name(trace->path), (unsigned long long)events_offset(&trace->events, event));
        return 0;
    }
    return length;
}

bool trace_event_text(const struct trace *trace, uint32_t event, trace_progress *progress, void *context,
                      struct text *out, struct error *error)
{
    const struct again *again = trace->again;
    uint64_t offset = events_offset(&trace->events, event);
    struct error other;
    if (error == NULL)
        error = &other;
    if (offset == UINT64_MAX)
        return error_set(error, ERROR_IO, "this row was made of a memory record and has no text of its own");
    if (again == NULL)
        return error_set(error, ERROR_IO, "the trace's text is not kept");
    int file = open_file(trace, error);
    if (file < 0)
        return false;
    struct source source;
    struct text have = {0};
    bool plain = again->packing == PACKING_NONE, over = false;
    source_open_at(&source, trace->path, file, again->start + (plain ? offset : 0), again->packing);
    size_t length = 0;
    uint64_t total = again->copy != NULL ? again->copy->bytes : again->identity.size;
    if (plain || skip(&source, offset, total, progress, context, &over, error))
        length = read_event(trace, event, &source, &have, error);
    if (again->copy != NULL && again->copy->full && (over || source.damaged))
        error_set(error, ERROR_IO, "the copy of standard input ends before this event: it is limited to %llu bytes",
                  (unsigned long long)again->copy->limit);
    else if (over)
        error_set(error, ERROR_IO, "%s has changed since it was read: it ends before the event",
                  source_name(trace->path));
    if (length > 0)
        text_add(out, have.bytes, length);
    text_free(&have);
    source_close(&source);
    return length > 0;
}

/* -- Several events ---------------------------------------------------------------------------------------------- */

static int by_offset(const void *a, const void *b, void *context)
{
    const struct events *events = context;
    uint64_t x = events_offset(events, *(const uint32_t *)a), y = events_offset(events, *(const uint32_t *)b);
    return (x > y) - (x < y);
}

/* Moves on to a later place of the text, of which `have` holds the part that begins at `*at`. */
static bool move_on(struct source *source, struct text *have, uint64_t *at, uint64_t offset, struct error *error)
{
    uint64_t step = offset - *at;
    bool over = false;
    *at = offset;
    if (step < have->length) {
        have->length -= (size_t)step;
        memmove(have->bytes, have->bytes + step, have->length);
        return true;
    }
    step -= have->length;
    have->length = 0;
    bool fine = skip(source, step, 0, NULL, NULL, &over, error);
    return fine || !over || error_set(error, ERROR_IO, "%s has changed since it was read: it ends before the event",
                                      source_name(source->path));
}

bool trace_event_texts(const struct trace *trace, const uint32_t *events, uint32_t count, trace_text_visit *visit,
                       void *context, struct error *error)
{
    struct source source;
    struct text have = {0};
    uint64_t at = 0;
    bool fine = true;
    if (trace->again == NULL)
        return error_set(error, ERROR_IO, "the trace's text is not kept");
    int file = open_file(trace, error);
    if (file < 0)
        return false;
    uint32_t *order = memory_alloc(((size_t)count + 1) * sizeof *order);
    memcpy(order, events, count * sizeof *order);
    union { const struct events *given; void *taken; } columns = {.given = &trace->events};
    qsort_r(order, count, sizeof *order, by_offset, columns.taken);
    source_open_at(&source, trace->path, file, trace->again->start, trace->again->packing);
    for (uint32_t i = 0; i < count && fine; i++) {
        uint64_t offset = events_offset(&trace->events, order[i]);
        if (offset == UINT64_MAX)
            break;
        fine = move_on(&source, &have, &at, offset, error);
        size_t length = fine ? read_event(trace, order[i], &source, &have, error) : 0;
        fine = length > 0;
        if (fine)
            visit(context, order[i], (struct span){have.bytes, length});
    }
    source_close(&source);
    text_free(&have);
    free(order);
    return fine;
}
