/* Inflates a gzip file with zlib as fast as zlib does it, into one buffer that is used again. Prints the CPU seconds and
 * the bytes that came out. */
#include <stdio.h>
#include <zlib.h>

#include "measure.h"

int main(int argc, char *argv[])
{
    static unsigned char room[1 << 20];
    if (argc != 2) {
        fprintf(stderr, "usage: inflate FILE.gz\n");
        return 2;
    }
    size_t length;
    const char *packed = measure_map(argv[1], &length);
    double begin = measure_cpu();
    z_stream stream = {0};
    unsigned long long bytes = 0;
    if (inflateInit2(&stream, 15 + 32) != Z_OK)
        return 1;
    int status = Z_OK;
    for (size_t at = 0; status == Z_OK || status == Z_STREAM_END;) {
        if (stream.avail_in == 0) {
            size_t piece = length - at < 1u << 30 ? length - at : 1u << 30;
            if (piece == 0)
                break;
            stream.next_in = (unsigned char *)(size_t)(packed + at);
            stream.avail_in = (unsigned)piece;
            at += piece;
        }
        if (status == Z_STREAM_END)
            inflateReset(&stream); /* the next member */
        stream.next_out = room;
        stream.avail_out = sizeof room;
        status = inflate(&stream, Z_NO_FLUSH);
        bytes += sizeof room - stream.avail_out;
    }
    inflateEnd(&stream);
    if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) {
        fprintf(stderr, "inflate: damaged\n");
        return 1;
    }
    printf("%.6f %llu\n", measure_cpu() - begin, bytes);
    return 0;
}
