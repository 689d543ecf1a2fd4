/* gzip (several members too) and zstd to text. The only file that knows zlib and zstd. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "source.h"

#include <stdlib.h>
#include <string.h>

#include <zlib.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#include "keyavg/memory.h"
#include "keyavg/trace.h"

struct inflate {
    z_stream gzip;
    bool gzip_open, in_member, over;
    size_t members;
#ifdef HAVE_ZSTD
    ZSTD_DStream *zstd;
    size_t zstd_hint; /* 0 between frames */
#endif
};

static struct inflate *state_of(struct source *source)
{
    if (source->inflate == NULL)
        source->inflate = memory_zero(1, sizeof(struct inflate));
    return source->inflate;
}

/* The end of what can be inflated; what came before stays. */
static void stop(struct source *source, struct inflate *state, bool damaged)
{
    source->damaged |= damaged;
    state->over = true;
}

static bool gzip_read(struct source *source, struct inflate *state, char *to, size_t room, size_t *got,
                      struct error *error)
{
    z_stream *gzip = &state->gzip;
    if (!state->gzip_open) {
        memset(gzip, 0, sizeof *gzip);
        if (inflateInit2(gzip, 15 + 16) != Z_OK)
            return error_set(error, ERROR_IO, "%s: out of memory for inflating", source->path);
        state->gzip_open = true;
    }
    while (*got == 0 && !state->over) {
        if (!source_fill(source, error))
            return false;
        size_t left = source->input_end - source->input_at;
        if (left == 0) {
            stop(source, state, state->in_member);
            break;
        }
        unsigned char *from = source->input + source->input_at;
        if (!state->in_member && state->members > 0 && *from != 0x1F) {
            stop(source, state, *from != 0); /* zeros may pad the end, as tapes have it */
            break;
        }
        state->in_member = true;
        gzip->next_in = from;
        gzip->avail_in = (uInt)(left < 1u << 30 ? left : 1u << 30);
        gzip->next_out = (unsigned char *)to;
        gzip->avail_out = (uInt)(room < 1u << 30 ? room : 1u << 30);
        uInt in = gzip->avail_in, out = gzip->avail_out;
        int result = inflate(gzip, Z_NO_FLUSH);
        source->input_at += in - gzip->avail_in;
        *got = out - gzip->avail_out;
        if (result == Z_STREAM_END) {
            state->members++;
            state->in_member = false;
            inflateReset(gzip);
        } else if (result != Z_OK && result != Z_BUF_ERROR) {
            stop(source, state, true);
        }
    }
    return true;
}

#ifdef HAVE_ZSTD
static bool zstd_read(struct source *source, struct inflate *state, char *to, size_t room, size_t *got,
                      struct error *error)
{
    if (state->zstd == NULL) {
        state->zstd = ZSTD_createDStream();
        if (state->zstd == NULL)
            return error_set(error, ERROR_IO, "%s: out of memory for inflating", source->path);
        ZSTD_initDStream(state->zstd);
    }
    while (*got == 0 && !state->over) {
        if (!source_fill(source, error))
            return false;
        ZSTD_inBuffer in = {source->input, source->input_end, source->input_at};
        ZSTD_outBuffer out = {to, room, 0};
        bool none = in.pos == in.size;
        size_t hint = ZSTD_decompressStream(state->zstd, &out, &in);
        source->input_at = in.pos;
        *got = out.pos;
        if (ZSTD_isError(hint)) {
            stop(source, state, true);
        } else if (none && out.pos == 0) {
            stop(source, state, state->zstd_hint != 0);
        } else {
            state->zstd_hint = hint;
        }
    }
    return true;
}
#endif

bool inflate_read(struct source *source, char *to, size_t room, size_t *got, struct error *error)
{
    struct inflate *state = state_of(source);
    if (source->packing == PACKING_GZIP)
        return gzip_read(source, state, to, room, got, error);
#ifdef HAVE_ZSTD
    return zstd_read(source, state, to, room, got, error);
#else
    return error_set(error, ERROR_IO, "%s: packed with zstd, which this keyavg was built without (try: zstd -dc %s | keyavg -)",
                     source->path, source->path);
#endif
}

void inflate_close(struct source *source)
{
    struct inflate *state = source->inflate;
    if (state == NULL)
        return;
    if (state->gzip_open)
        inflateEnd(&state->gzip);
#ifdef HAVE_ZSTD
    ZSTD_freeDStream(state->zstd);
#endif
    free(state);
    source->inflate = NULL;
}

struct pack {
    z_stream gzip;
    unsigned char room[1 << 16];
};

void *pack_start(void)
{
    struct pack *pack = memory_zero(1, sizeof *pack);
    if (deflateInit2(&pack->gzip, Z_BEST_SPEED, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK)
        return pack;
    free(pack);
    return NULL;
}

static void deflate_on(struct pack *pack, int flush, pack_write *write, void *context)
{
    z_stream *gzip = &pack->gzip;
    do {
        gzip->next_out = pack->room;
        gzip->avail_out = sizeof pack->room;
        deflate(gzip, flush);
        size_t length = sizeof pack->room - gzip->avail_out;
        if (length > 0 && !write(context, pack->room, length))
            return;
    } while (gzip->avail_out == 0);
}

void pack_add(void *pack, const void *bytes, size_t length, pack_write *write, void *context)
{
    z_stream *gzip = &((struct pack *)pack)->gzip;
    gzip->next_in = (unsigned char *)(uintptr_t)bytes; /* zlib's interface; it changes none of it */
    gzip->avail_in = (uInt)length;
    deflate_on(pack, Z_NO_FLUSH, write, context);
}

void pack_end(void *pack, pack_write *write, void *context)
{
    deflate_on(pack, Z_FINISH, write, context);
}

void pack_free(void *pack)
{
    if (pack != NULL)
        deflateEnd(&((struct pack *)pack)->gzip);
    free(pack);
}

void trace_add_libraries(struct text *out)
{
    text_addf(out, "zlib %s\n", zlibVersion());
#ifdef HAVE_ZSTD
    text_addf(out, "zstd %s\n", ZSTD_versionString());
#endif
}
