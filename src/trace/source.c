#include "source.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "copy.h"
#include "keyavg/memory.h"
#include "mapping.h"

enum { INPUT_ROOM = 1 << 18 };

const char *source_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

static bool fail(const struct source *source, struct error *error)
{
    return error_set(error, ERROR_IO, "%s: %s", source_name(source->path), strerror(errno));
}

/* Waits until there are bytes, their end or an error. False: it was asked to stop instead. */
static bool wait_for_bytes(struct source *source)
{
    if (source->stop_file == 0 || source->identity.regular)
        return true;
    struct pollfd files[2] = {{source->file, POLLIN, 0}, {source->stop_file, POLLIN, 0}};
    while (poll(files, 2, -1) < 0 && errno == EINTR) {
    }
    source->stopped = files[1].revents != 0;
    return !source->stopped;
}

/* read, or 0 with `stopped` set. */
static ssize_t read_some(struct source *source, unsigned char *to, size_t room)
{
    ssize_t got;
    do {
        if (!wait_for_bytes(source))
            return 0;
        got = source->positioned ? pread(source->file, to, room, (off_t)source->position)
                                 : read(source->file, to, room);
    } while (got < 0 && (errno == EINTR || (errno == EAGAIN && source->stop_file != 0)));
    return got;
}

bool source_fill(struct source *source, struct error *error)
{
    if (source->input_at < source->input_end || source->input_over)
        return true;
    if (source->map != NULL) { /* memory or a mapped file that turned out to be packed */
        source->input_over = true;
        return true;
    }
    ssize_t got = read_some(source, source->input, INPUT_ROOM);
    if (got < 0)
        return fail(source, error);
    source->input_at = 0;
    source->input_end = (size_t)got;
    source->done += (uint64_t)got;
    source->position += (uint64_t)got;
    source->input_over = got == 0;
    if (source->copy != NULL)
        copy_add(source->copy, source->input, (size_t)got);
    return true;
}

static enum packing packing_of(const unsigned char *bytes, size_t length)
{
    if (length >= 2 && bytes[0] == 0x1F && bytes[1] == 0x8B)
        return PACKING_GZIP;
    if (length >= 4 && memcmp(bytes, "\x28\xB5\x2F\xFD", 4) == 0)
        return PACKING_ZSTD;
    return PACKING_NONE;
}

static struct identity identity_of(const struct stat *status)
{
    return (struct identity){
        .regular = S_ISREG(status->st_mode), .device = status->st_dev, .number = status->st_ino,
        .size = (uint64_t)status->st_size, .seconds = status->st_mtim.tv_sec, .nanoseconds = status->st_mtim.tv_nsec,
    };
}

bool source_identify(int file, const char *path, struct identity *identity, struct error *error)
{
    struct stat status;
    if (fstat(file, &status) != 0)
        return error_set(error, ERROR_IO, "%s: %s", source_name(path), strerror(errno));
    *identity = identity_of(&status);
    return true;
}

bool source_same(const struct identity *a, const struct identity *b)
{
    return a->regular && b->regular && a->device == b->device && a->number == b->number && a->size == b->size &&
           a->seconds == b->seconds && a->nanoseconds == b->nanoseconds;
}

bool source_open(struct source *source, const char *path, int stop_file, struct error *error)
{
    struct stat status;
    *source = (struct source){.path = path, .file = -1, .stop_file = stop_file};
    /* A FIFO that nobody has opened for writing must not keep us waiting where nobody can stop us. */
    int flags = O_RDONLY | O_CLOEXEC | (stop_file != 0 ? O_NONBLOCK : 0);
    source->file = strcmp(path, "-") == 0 ? dup(STDIN_FILENO) : open(path, flags);
    if (source->file < 0 || fstat(source->file, &status) != 0)
        return fail(source, error);
    source->identity = identity_of(&status);
    if (S_ISDIR(status.st_mode))
        return error_set(error, ERROR_IO, "%s is a folder; name a trace in it", source_name(path));
    source->input = memory_alloc(INPUT_ROOM);
    bool regular = S_ISREG(status.st_mode);
    if (regular)
        source->file_bytes = (uint64_t)status.st_size;
    off_t at = lseek(source->file, 0, SEEK_CUR);
    source->start = regular && at > 0 ? (uint64_t)at : 0;
    /* A short first read of a pipe may not show the magic bytes yet. */
    size_t have = 0;
    while (have < 4) {
        ssize_t got = read_some(source, source->input + have, INPUT_ROOM - have);
        if (got < 0)
            return fail(source, error);
        if (got == 0)
            break;
        have += (size_t)got;
    }
    source->input_end = have;
    source->done = have;
    source->packing = packing_of(source->input, have);
    if (regular && source->packing == PACKING_NONE && status.st_size > 0 &&
        lseek(source->file, 0, SEEK_CUR) == (off_t)have) {
        source->map = mapping_open(source->file, (size_t)status.st_size);
        if (source->map != NULL) {
            source->map_length = (size_t)status.st_size;
        }
    }
    return true;
}

void source_open_memory(struct source *source, const char *bytes, size_t length, const char *path)
{
    *source = (struct source){.path = path, .file = -1, .map = bytes, .map_length = length};
    source->file_bytes = length;
    source->packing = packing_of((const unsigned char *)bytes, length);
    if (source->packing != PACKING_NONE) {
        source->input = memory_alloc(length + 1);
        memcpy(source->input, bytes, length);
        source->input_end = length;
        source->done = length;
    }
}

bool source_read(struct source *source, char *to, size_t room, size_t *got, struct error *error)
{
    *got = 0;
    if (source->packing != PACKING_NONE)
        return inflate_read(source, to, room, got, error);
    if (!source_fill(source, error))
        return false;
    size_t length = source->input_end - source->input_at;
    length = length < room ? length : room;
    memcpy(to, source->input + source->input_at, length);
    source->input_at += length;
    *got = length;
    return true;
}

void source_copy(struct source *source, uint64_t limit)
{
    if (source->identity.regular || source->file < 0)
        return;
    source->copy = copy_start(source->packing == PACKING_NONE, limit);
    copy_add(source->copy, source->input, source->input_end);
}

void source_open_at(struct source *source, const char *path, int file, uint64_t position, enum packing packing)
{
    *source = (struct source){.path = path, .file = file, .packing = packing, .positioned = true, .position = position};
    source->input = memory_alloc(INPUT_ROOM);
}

void source_close(struct source *source)
{
    inflate_close(source);
    if (source->map != NULL && source->file >= 0)
        mapping_close(source->map, source->map_length);
    if (source->file >= 0)
        close(source->file);
    copy_free(source->copy);
    free(source->input);
    *source = (struct source){.file = -1};
}
