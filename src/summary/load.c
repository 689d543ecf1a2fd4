/* A summary's file into memory. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "keyavg/summary.h"

enum { LEAST_ROOM = 1 << 16 };

struct summary *summary_load(const char *path, unsigned wanted, bool histograms, struct error *error)
{
    struct stat status;
    struct text bytes = {0};
    ssize_t got = -1;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file >= 0 && fstat(file, &status) == 0) {
        size_t size = status.st_size > 0 ? (size_t)status.st_size : 0;
        do {
            size_t room = size > bytes.length ? size - bytes.length + 1 : LEAST_ROOM;
            got = read(file, text_room(&bytes, room), room);
            bytes.length += got > 0 ? (size_t)got : 0;
        } while (got > 0 || (got < 0 && errno == EINTR));
    }
    if (got < 0)
        error_set(error, ERROR_IO, "%s: %s", path, strerror(errno));
    if (file >= 0)
        close(file);
    if (got < 0) {
        text_free(&bytes);
        return NULL;
    }
    return summary_read(bytes.bytes, bytes.length, path, wanted, histograms, error);
}
