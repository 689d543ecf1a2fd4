/* A summary's file into memory. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"

enum { ROOM = 1 << 16 };

/* Reads until there are `wanted` bytes or the file ends. */
static bool read_to(int file, struct text *bytes, size_t wanted)
{
    ssize_t got = 1;
    while (bytes->length < wanted && got != 0) {
        size_t room = wanted - bytes->length;
        got = read(file, text_room(bytes, room), room);
        if (got < 0 && errno != EINTR)
            return false;
        bytes->length += got > 0 ? (size_t)got : 0;
    }
    return true;
}

/* Tables behind the last one that is wanted are not even read: their room stays untouched. */
static bool read_part(int file, size_t size, unsigned wanted, struct text *bytes)
{
    text_room(bytes, size);
    if (!read_to(file, bytes, FILE_OUTSIDE_BYTES))
        return false;
    if (bytes->length < FILE_OUTSIDE_BYTES || !summary_is_file(bytes->bytes, bytes->length))
        return read_to(file, bytes, size);
    size_t needed = file_needed(bytes->bytes, size, wanted);
    if (!read_to(file, bytes, needed))
        return false;
    if (bytes->length == needed)
        bytes->length = size;
    return true;
}

static bool read_all(int file, struct text *bytes)
{
    size_t before;
    do {
        before = bytes->length;
        if (!read_to(file, bytes, before + ROOM))
            return false;
    } while (bytes->length == before + ROOM);
    return true;
}

struct summary *summary_load(const char *path, unsigned wanted, bool histograms, struct error *error)
{
    struct stat status;
    struct text bytes = {0};
    bool fine = false;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file >= 0 && fstat(file, &status) == 0)
        fine = S_ISREG(status.st_mode) && status.st_size > 0 ? read_part(file, (size_t)status.st_size, wanted, &bytes)
                                                             : read_all(file, &bytes);
    if (!fine)
        error_set(error, ERROR_IO, "%s: %s", path, strerror(errno));
    if (file >= 0)
        close(file);
    if (!fine) {
        text_free(&bytes);
        return NULL;
    }
    return summary_read(bytes.bytes, bytes.length, path, wanted, histograms, error);
}
