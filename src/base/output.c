#include "keyavg/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "keyavg/memory.h"
#include "keyavg/utf8.h"

char *volatile output_unfinished;

enum { WAITING_SIZE = 1 << 16, LINKS_MAX = 40 };

/* `cannot write 'path': what`, the path cleaned. */
static bool fail(struct error *error, const char *path, const char *what, const char *remedy)
{
    struct text name = {0};
    utf8_add_clean(&name, span_of(path), false);
    error_set(error, ERROR_IO, "cannot write '%s': %s%s", name.bytes != NULL ? name.bytes : "", what, remedy);
    text_free(&name);
    return false;
}

/* Where a path leads: the last name of a chain of symbolic links, which need not exist. NULL for a ring of them. */
static char *resolve(const char *path)
{
    char *name = memory_copy_text(path, strlen(path));
    for (int links = 0; links < LINKS_MAX; links++) {
        char *target = memory_alloc(4097);
        ssize_t length = readlink(name, target, 4096);
        if (length < 0) {
            free(target);
            return name;
        }
        target[length] = '\0';
        const char *slash = strrchr(name, '/');
        if (target[0] != '/' && slash != NULL) {
            struct text joined = {0};
            text_add(&joined, name, (size_t)(slash - name) + 1);
            text_add_string(&joined, target);
            free(target);
            target = joined.bytes;
        }
        free(name);
        name = target;
    }
    free(name);
    errno = ELOOP;
    return NULL;
}

/* A new file in the folder of `path`, with the mode that a new file has. -1 with errno set when there can be none. */
static int open_beside(const char *path, char **name)
{
    const char *slash = strrchr(path, '/');
    int folder = slash != NULL ? (int)(slash - path) + 1 : 0;
    for (unsigned i = 0; i < 1000; i++) {
        struct text text = {0};
        text_addf(&text, "%.*s.keyavg-%ld-%u", folder, path, (long)getpid(), i);
        int file = open(text.bytes, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file >= 0) {
            *name = text.bytes;
            return file;
        }
        text_free(&text);
        if (errno != EEXIST)
            return -1;
    }
    return -1;
}

void output_to(struct output *output, int file)
{
    *output = (struct output){.file = file};
}

bool output_open(struct output *output, const char *path, struct error *error)
{
    struct stat old;
    *output = (struct output){.file = -1};
    char *target = resolve(path);
    if (target == NULL)
        return fail(error, path, strerror(errno), "");
    bool exists = stat(target, &old) == 0;
    if (exists && !S_ISREG(old.st_mode)) {
        /* A device or a pipe is written to, not replaced. */
        output->file = open(target, O_WRONLY | O_CLOEXEC | O_NOCTTY);
        if (output->file < 0)
            fail(error, path, strerror(errno), "");
        output->path = target;
        return output->file >= 0;
    }
    /* What the user may not write must not be replaced either, though the folder would allow it. */
    if (exists && access(target, W_OK) != 0) {
        fail(error, path, strerror(errno), "");
        free(target);
        return false;
    }
    output->file = open_beside(target, &output->temporary);
    if (output->file < 0) {
        fail(error, path, strerror(errno), errno == ENOENT ? " (the folder must exist)" : "");
        free(target);
        return false;
    }
    output_unfinished = output->temporary;
    output->path = target;
    if (exists)
        (void)!fchmod(output->file, old.st_mode & 07777);
    return true;
}

static bool write_all(struct output *output, const char *bytes, size_t length)
{
    while (length > 0 && output->failure == 0) {
        ssize_t written = write(output->file, bytes, length);
        if (written >= 0) {
            bytes += written;
            length -= (size_t)written;
        } else if (errno != EINTR) {
            output->failure = errno;
        }
    }
    errno = output->failure;
    return output->failure == 0;
}

static bool sink_write(void *context, const char *bytes, size_t length)
{
    struct output *output = context;
    if (output->waiting.length + length <= WAITING_SIZE) {
        text_add(&output->waiting, bytes, length);
        return output->failure == 0;
    }
    bool taken = write_all(output, output->waiting.bytes, output->waiting.length);
    text_clear(&output->waiting);
    return taken && write_all(output, bytes, length);
}

struct sink output_sink(struct output *output)
{
    return (struct sink){sink_write, output};
}

static void end(struct output *output)
{
    output_unfinished = NULL;
    if (output->temporary != NULL)
        unlink(output->temporary);
    free(output->temporary);
    free(output->path);
    output->temporary = output->path = NULL;
    text_free(&output->waiting);
}

bool output_commit(struct output *output, struct error *error)
{
    bool done = write_all(output, output->waiting.bytes, output->waiting.length);
    bool file = output->temporary != NULL, ours = output->file > STDERR_FILENO;
    const char *path = output->path != NULL ? output->path : "standard output";
    /* Some file systems tell of a full disk only here. */
    if (ours && close(output->file) != 0 && done) {
        output->failure = errno;
        done = false;
    }
    if (done && file && rename(output->temporary, output->path) != 0) {
        output->failure = errno;
        done = false;
    }
    if (done) {
        output_unfinished = NULL;
        free(output->temporary);
        output->temporary = NULL;
    } else {
        fail(error, path, strerror(output->failure), file ? "; nothing was changed" : "");
    }
    end(output);
    return done;
}

void output_abandon(struct output *output)
{
    if (output->file > STDERR_FILENO)
        close(output->file);
    end(output);
}
