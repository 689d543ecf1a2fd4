#include "source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "keyavg/memory.h"

enum { INPUT_ROOM = 1 << 18 };

static bool fail(const struct source *source, struct error *error)
{
    return error_set(error, ERROR_IO, "%s: %s", strcmp(source->path, "-") == 0 ? "standard input" : source->path,
                     strerror(errno));
}

bool source_fill(struct source *source, struct error *error)
{
    if (source->input_at < source->input_end || source->input_over)
        return true;
    if (source->map != NULL) { /* memory or a mapped file that turned out to be packed */
        source->input_over = true;
        return true;
    }
    ssize_t got;
    do
        got = read(source->file, source->input, INPUT_ROOM);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        return fail(source, error);
    source->input_at = 0;
    source->input_end = (size_t)got;
    source->done += (uint64_t)got;
    source->input_over = got == 0;
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

bool source_open(struct source *source, const char *path, struct error *error)
{
    struct stat status;
    *source = (struct source){.path = path, .file = -1, .copy = -1};
    source->file = strcmp(path, "-") == 0 ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC);
    if (source->file < 0 || fstat(source->file, &status) != 0)
        return fail(source, error);
    if (S_ISDIR(status.st_mode)) {
        errno = EISDIR;
        return fail(source, error);
    }
    source->input = memory_alloc(INPUT_ROOM);
    bool regular = S_ISREG(status.st_mode);
    if (regular)
        source->file_bytes = (uint64_t)status.st_size;
    /* A short first read of a pipe may not show the magic bytes yet. */
    size_t have = 0;
    while (have < 4) {
        ssize_t got = read(source->file, source->input + have, INPUT_ROOM - have);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return fail(source, error);
        if (got == 0)
            break;
        have += (size_t)got;
    }
    source->input_end = have;
    source->done = have;
    source->packing = packing_of(source->input, have);
    if (regular && source->packing == PACKING_NONE && status.st_size > 0 && lseek(source->file, 0, SEEK_CUR) == (off_t)have) {
        void *map = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, source->file, 0);
        if (map != MAP_FAILED) {
            madvise(map, (size_t)status.st_size, MADV_SEQUENTIAL);
            source->map = map;
            source->map_length = (size_t)status.st_size;
        }
    }
    return true;
}

void source_open_memory(struct source *source, const char *bytes, size_t length, const char *path)
{
    *source = (struct source){.path = path, .file = -1, .copy = -1, .map = bytes, .map_length = length};
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

bool source_rewind(struct source *source, struct error *error)
{
    inflate_close(source);
    source->input_at = source->input_end = 0;
    source->input_over = source->damaged = false;
    source->done = 0;
    return lseek(source->file, 0, SEEK_SET) == 0 || fail(source, error);
}

void source_close(struct source *source)
{
    inflate_close(source);
    if (source->map != NULL && source->file >= 0)
        munmap((void *)(uintptr_t)source->map, source->map_length);
    if (source->file >= 0)
        close(source->file);
    if (source->copy >= 0)
        close(source->copy);
    free(source->input);
    *source = (struct source){.file = -1, .copy = -1};
}
