#include "copy.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "keyavg/memory.h"
#include "keyavg/text.h"
#include "source.h"

static void give_up(struct copy *copy, const char *what)
{
    error_set(&copy->error, ERROR_IO, "no copy of standard input: %s: %s", what, strerror(errno));
    if (copy->file >= 0)
        close(copy->file);
    copy->file = -1;
}

static bool write_all(void *context, const void *bytes, size_t length)
{
    struct copy *copy = context;
    const char *at = bytes;
    if (length > copy->limit - copy->bytes) {
        copy->full = true;
        length = (size_t)(copy->limit - copy->bytes);
    }
    while (length > 0 && copy->file >= 0) {
        ssize_t written = write(copy->file, at, length);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0) {
            give_up(copy, "writing it");
            break;
        }
        at += written;
        length -= (size_t)written;
        copy->bytes += (uint64_t)written;
    }
    return copy->file >= 0 && !copy->full;
}

struct copy *copy_start(bool packs, uint64_t limit)
{
    struct copy *copy = memory_zero(1, sizeof *copy);
    struct text path = {0};
    const char *folder = getenv("TMPDIR");
    copy->packs = packs;
    copy->limit = limit != 0 ? limit : (uint64_t)COPY_LIMIT_GIB << 30;
    text_addf(&path, "%s/keyavg-XXXXXX", folder != NULL && folder[0] != '\0' ? folder : "/tmp");
    copy->file = mkostemp(path.bytes, O_CLOEXEC); /* mode 0600 */
    if (copy->file < 0)
        give_up(copy, path.bytes);
    else
        unlink(path.bytes);
    text_free(&path);
    if (packs && copy->file >= 0 && (copy->pack = pack_start()) == NULL)
        give_up(copy, "packing it");
    return copy;
}

void copy_add(struct copy *copy, const void *bytes, size_t length)
{
    if (copy->file < 0 || copy->full)
        return;
    if (copy->packs)
        pack_add(copy->pack, bytes, length, write_all, copy);
    else
        write_all(copy, bytes, length);
}

void copy_end(struct copy *copy)
{
    if (copy->pack == NULL)
        return;
    if (copy->file >= 0 && !copy->full)
        pack_end(copy->pack, write_all, copy);
    pack_free(copy->pack);
    copy->pack = NULL;
}

void copy_free(struct copy *copy)
{
    if (copy == NULL)
        return;
    pack_free(copy->pack);
    if (copy->file >= 0)
        close(copy->file);
    free(copy);
}
