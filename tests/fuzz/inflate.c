/* Packed files. What begins with a magic is taken as it is; anything else is a text that is packed here, then damaged
 * as its first bytes say, so that a fuzzer need not find checksums. */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#include "fuzz.h"

struct packed {
    char *bytes;
    size_t length;
};

static struct packed gzip(const char *bytes, size_t length, int level)
{
    z_stream stream = {0};
    struct packed packed = {0};
    if (deflateInit2(&stream, level, Z_DEFLATED, 15 + 16, 4, Z_DEFAULT_STRATEGY) != Z_OK)
        fuzz_fail("zlib does not start");
    size_t room = deflateBound(&stream, (uLong)length);
    packed.bytes = malloc(room);
    stream.next_in = (unsigned char *)(uintptr_t)bytes;
    stream.avail_in = (uInt)length;
    stream.next_out = (unsigned char *)packed.bytes;
    stream.avail_out = (uInt)room;
    if (deflate(&stream, Z_FINISH) != Z_STREAM_END)
        fuzz_fail("zlib does not end");
    packed.length = stream.total_out;
    deflateEnd(&stream);
    return packed;
}

static struct packed pack(const char *bytes, size_t length, unsigned way)
{
#ifdef HAVE_ZSTD
    if (way & 1) {
        size_t room = ZSTD_compressBound(length);
        struct packed packed = {.bytes = malloc(room)};
        packed.length = ZSTD_compress(packed.bytes, room, bytes, length, 1);
        if (ZSTD_isError(packed.length))
            fuzz_fail("zstd does not pack");
        return packed;
    }
#endif
    return gzip(bytes, length, way & 2 ? 0 : 1);
}

static void append(struct packed *to, struct packed more)
{
    to->bytes = realloc(to->bytes, to->length + more.length + 1);
    if (more.length > 0)
        memcpy(to->bytes + to->length, more.bytes, more.length);
    to->length += more.length;
    free(more.bytes);
}

static struct trace *load(const char *bytes, size_t length, size_t block, struct error *error)
{
    struct trace_options options = {.threads = 1, .block = block};
    struct trace *trace = trace_load_memory_with(bytes, length, "trace.json.gz", &options, error);
    if (trace == NULL && (error->code == ERROR_NONE || error->text[0] == '\0'))
        fuzz_fail("no trace and no error");
    return trace;
}

static bool is_packed(const uint8_t *bytes, size_t length)
{
    return (length >= 2 && bytes[0] == 0x1F && bytes[1] == 0x8B) ||
           (length >= 4 && memcmp(bytes, "\x28\xB5\x2F\xFD", 4) == 0);
}

enum { DAMAGE = 8 }; /* bytes that say how to pack and to damage */

static void pack_and_read(const uint8_t *head, const char *text, size_t length)
{
    struct error error = {0}, plain_error = {0};
    unsigned way = head[0];
    size_t cut = (way & 4) ? length * head[1] / 256 : length; /* two members */
    struct packed packed = pack(text, cut, way);
    if (cut < length || (way & 8))
        append(&packed, pack(text + cut, length - cut, way & 16 ? way ^ 2 : way));
    size_t whole = packed.length;
    bool damaged = false;
    for (unsigned i = 2; i + 1 < DAMAGE - 1; i += 2) /* a byte changed */
        if (head[i + 1] != 0 && packed.length > 0) {
            packed.bytes[packed.length * head[i] / 256] ^= (char)head[i + 1];
            damaged = true;
        }
    if (way & 32) { /* cut short */
        packed.length = packed.length * head[7] / 256;
        damaged |= packed.length < whole;
    }
    struct trace *trace = load(packed.bytes, packed.length, head[6], &error);
    if (!damaged && !is_packed((const uint8_t *)text, length)) {
        struct trace *plain = load(text, length, 0, &plain_error);
        if ((trace == NULL) != (plain == NULL))
            fuzz_fail("plain: %s; packed: %s", plain != NULL ? "a trace" : plain_error.text,
                      trace != NULL ? "a trace" : error.text);
        if (plain != NULL)
            fuzz_compare(plain, trace, "packed");
        trace_free(plain);
    }
    trace_free(trace);
    free(packed.bytes);
}

int fuzz_inflate(const uint8_t *bytes, size_t length)
{
    struct error error = {0};
    if (is_packed(bytes, length))
        trace_free(load((const char *)bytes, length, 0, &error));
    else if (length > DAMAGE)
        pack_and_read(bytes, (const char *)bytes + DAMAGE, length - DAMAGE);
    return 0;
}
