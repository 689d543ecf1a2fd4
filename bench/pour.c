#include "pour.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void fail(const char *what)
{
    fprintf(stderr, "grow: %s: %s\n", what, strerror(errno));
    exit(1);
}

struct pour *pour_open(const char *path)
{
    struct pour *pour = malloc(sizeof *pour);
    if (pour == NULL)
        fail("no memory");
    pour->length = 0;
    pour->total = 0;
    pour->file = path == NULL ? STDOUT_FILENO : open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (pour->file < 0)
        fail(path);
    return pour;
}

static void write_all(struct pour *pour, const char *bytes, size_t length)
{
    pour->total += length;
    while (length > 0) {
        ssize_t written = write(pour->file, bytes, length);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0 && errno == EPIPE)
            exit(0); /* the reader has enough */
        if (written < 0)
            fail("cannot write");
        bytes += written;
        length -= (size_t)written;
    }
}

void pour_empty(struct pour *pour)
{
    write_all(pour, pour->bytes, pour->length);
    pour->length = 0;
}

void pour_add_long(struct pour *pour, const char *bytes, size_t length)
{
    pour_empty(pour);
    if (length >= POUR_ROOM) {
        write_all(pour, bytes, length);
        return;
    }
    memcpy(pour->bytes, bytes, length);
    pour->length = length;
}

void pour_close(struct pour *pour)
{
    pour_empty(pour);
    if (pour->file != STDOUT_FILENO && close(pour->file) != 0)
        fail("cannot write");
    free(pour);
}
