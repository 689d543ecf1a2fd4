/* The same text read in every way gives the same trace: blocks of any length, threads, a stream instead of a map. */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "fuzz.h"

/* The text as gzip without compression, so that it comes as a stream. To free(). */
static char *as_stream(const char *bytes, size_t length, size_t *packed)
{
    z_stream gzip = {0};
    if (deflateInit2(&gzip, 0, Z_DEFLATED, 15 + 16, 1, Z_DEFAULT_STRATEGY) != Z_OK)
        fuzz_fail("zlib does not start");
    size_t room = deflateBound(&gzip, (uLong)length);
    char *out = malloc(room);
    gzip.next_in = (unsigned char *)(uintptr_t)bytes;
    gzip.avail_in = (uInt)length;
    gzip.next_out = (unsigned char *)out;
    gzip.avail_out = (uInt)room;
    if (deflate(&gzip, Z_FINISH) != Z_STREAM_END)
        fuzz_fail("zlib does not end");
    *packed = gzip.total_out;
    deflateEnd(&gzip);
    return out;
}

int fuzz_blocks(const uint8_t *bytes, size_t length)
{
    const char *text = (const char *)bytes;
    /* Two control bytes before the document are white space to the reader; here the length of a block and the way. */
    unsigned size = length > 0 && bytes[0] < 0x20 ? bytes[0] : 7, way = length > 1 && bytes[1] < 0x20 ? bytes[1] : 0;
    struct trace_options alone = {.threads = 1}, other = {.threads = 1 + way % 4 / 3 * 2, .block = 1 + (size_t)size * (size + 1)};
    struct error error = {0}, other_error = {0};
    if (length >= 2 && ((bytes[0] == 0x1F && bytes[1] == 0x8B) || (bytes[0] == 0x28 && bytes[1] == 0xB5)))
        return 0; /* what is packed is another target's */
    struct trace *whole = trace_load_memory_with(text, length, "trace.json", &alone, &error), *parts;
    bool stream = (way & 4) != 0;
    if (stream) {
        size_t packed;
        char *gzip = as_stream(text, length, &packed);
        parts = trace_load_memory_with(gzip, packed, "trace.json", &other, &other_error);
        free(gzip);
    } else {
        parts = trace_load_memory_with(text, length, "trace.json", &other, &other_error);
    }
    if ((whole == NULL) != (parts == NULL))
        fuzz_fail("whole: %s; in blocks: %s", whole != NULL ? "a trace" : error.text,
                  parts != NULL ? "a trace" : other_error.text);
    if (whole == NULL && (error.code != other_error.code || (!stream && strcmp(error.text, other_error.text) != 0)))
        fuzz_fail("whole: %s; in blocks: %s", error.text, other_error.text);
    if (whole != NULL)
        fuzz_compare(whole, parts, stream ? "blocks of a stream" : "blocks");
    trace_free(whole);
    trace_free(parts);
    return 0;
}
