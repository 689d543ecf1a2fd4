/* Writing the configuration file in one step. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "keyavg/config.h"
#include "keyavg/memory.h"

enum { LINKS_MAX = 40, NAMES_TRIED = 100 };

static bool fail(struct error *error, const char *path)
{
    return error_set(error, ERROR_IO, "cannot save %.300s: %s", path, strerror(errno));
}

/* Length of the folder's part of a path with its last slash; 0 for a bare name. */
static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? (size_t)(slash - path) + 1 : 0;
}

/* Follows symbolic links by hand, as the last one may point to nothing yet. */
static bool resolve(struct text *path)
{
    for (int links = 0; links <= LINKS_MAX; links++) {
        char target[4096];
        ssize_t length = readlink(path->bytes, target, sizeof target);
        if (length < 0)
            return errno == EINVAL || errno == ENOENT;
        if (length == 0 || length == (ssize_t)sizeof target)
            break;
        path->length = target[0] == '/' ? 0 : folder_length(path->bytes);
        text_add(path, target, (size_t)length);
    }
    errno = ELOOP;
    return false;
}

bool config_make_folders(const char *path)
{
    char *folder = memory_copy_text(path, folder_length(path));
    bool made = true;
    for (char *slash = strchr(folder + (*folder == '/'), '/'); made && slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        made = mkdir(folder, 0700) == 0 || errno == EEXIST || errno == EISDIR;
        *slash = '/';
    }
    free(folder);
    return made;
}

/* A new file beside `path`, whose mode follows the umask. */
static int create_beside(const char *path, struct text *name)
{
    for (int i = 0; i < NAMES_TRIED; i++) {
        text_clear(name);
        text_addf(name, "%s.%ld-%d", path, (long)getpid(), i);
        int file = open(name->bytes, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file >= 0 || errno != EEXIST)
            return file;
    }
    return -1;
}

static bool write_all(int file, struct span bytes)
{
    while (bytes.length != 0) {
        ssize_t written = write(file, bytes.bytes, bytes.length);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        bytes.bytes += written;
        bytes.length -= (size_t)written;
    }
    return true;
}

/* Owner first: changing it may take bits of the mode away. Only root can, for others the owner is the same already. */
static bool take_after(int file, const struct stat *old)
{
    if (geteuid() == 0 && fchown(file, old->st_uid, old->st_gid) != 0)
        return false;
    return fchmod(file, old->st_mode & 07777) == 0;
}

/* Writes and closes the new file. */
static bool fill(int file, const struct stat *old, struct span bytes)
{
    bool good = write_all(file, bytes) && (old == NULL || take_after(file, old)) && fsync(file) == 0;
    int reason = errno;
    if (close(file) != 0 && good)
        return false;
    errno = reason;
    return good;
}

/* Whether a file holds just these bytes: saving twice must not make a backup of the first saving. */
static bool holds(const char *path, struct span bytes)
{
    char block[4096];
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = -1;
    bool same = file >= 0;
    while (same && (got = read(file, block, sizeof block)) > 0) {
        same = (size_t)got <= bytes.length && memcmp(block, bytes.bytes, (size_t)got) == 0;
        bytes.bytes += same ? got : 0;
        bytes.length -= same ? (size_t)got : 0;
    }
    if (file >= 0)
        close(file);
    return same && got == 0 && bytes.length == 0;
}

/* Keeps what is about to be replaced as `path~`. File systems without hard links keep nothing. */
static void keep_old(const char *path)
{
    struct text backup = {0};
    text_addf(&backup, "%s~", path);
    struct stat status;
    if (lstat(backup.bytes, &status) != 0 || S_ISREG(status.st_mode)) {
        unlink(backup.bytes);
        if (link(path, backup.bytes) != 0)
            errno = 0;
    }
    text_free(&backup);
}

static bool replace(const char *path, const struct stat *old, struct span bytes)
{
    struct text name = {0};
    int file = create_beside(path, &name);
    bool good = file >= 0;
    if (good) {
        good = fill(file, old, bytes);
        if (good && old != NULL)
            keep_old(path);
        good = good && rename(name.bytes, path) == 0;
        int reason = errno;
        if (!good)
            unlink(name.bytes);
        errno = reason;
    }
    text_free(&name);
    return good;
}

/* Whether the file may be replaced; a folder that is writable would allow it for a read-only file too. */
static bool may_replace(const char *path, const struct stat *old, struct error *error)
{
    if (!S_ISREG(old->st_mode))
        return error_set(error, ERROR_IO, "cannot save %.300s: not a regular file", path);
    if ((old->st_mode & 0222) == 0 || access(path, W_OK) != 0)
        return error_set(error, ERROR_IO, "cannot save %.300s: the file is read-only", path);
    return true;
}

bool config_save(const char *path, const struct config_page *page, struct error *error)
{
    struct text target = {0}, bytes = {0};
    struct stat old;
    text_add_string(&target, path);
    config_add_page(&bytes, page, true);
    bool good = resolve(&target) && config_make_folders(target.bytes);
    if (!good) {
        fail(error, path);
    } else {
        bool exists = stat(target.bytes, &old) == 0;
        if (!exists && errno != ENOENT)
            good = fail(error, target.bytes);
        else if (exists && !may_replace(target.bytes, &old, error))
            good = false;
        else if (!(exists && holds(target.bytes, text_span(&bytes))) &&
                 !replace(target.bytes, exists ? &old : NULL, text_span(&bytes)))
            good = fail(error, target.bytes);
    }
    text_free(&target);
    text_free(&bytes);
    return good;
}
