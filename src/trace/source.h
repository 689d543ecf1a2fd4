/* Where the text comes from: a mapped file, or a stream (pipe, gzip, zstd) read piece by piece. */
#ifndef KEYAVG_TRACE_SOURCE_H
#define KEYAVG_TRACE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "keyavg/error.h"

enum packing { PACKING_NONE, PACKING_GZIP, PACKING_ZSTD };

struct source {
    const char *path;      /* borrowed; `-` is standard input */
    int file;
    enum packing packing;
    const char *map;       /* the whole file, when it is plain and regular */
    size_t map_length;
    uint64_t file_bytes;   /* the file's length, 0 when not known */
    uint64_t done;         /* bytes of the file read */
    bool damaged;          /* the compressed stream was cut off or broken; what came before it was given */
    void *inflate;         /* the state of inflate.c */
    unsigned char *input;  /* bytes read from the file */
    size_t input_at, input_end;
    bool input_over;
    int copy;              /* a private copy of standard input, -1 none */
    uint64_t copied;
};

/* Opens a file and tells its packing by its first bytes. ERROR_IO names the file and the reason. */
bool source_open(struct source *source, const char *path, struct error *error);

/* A source over memory. */
void source_open_memory(struct source *source, const char *bytes, size_t length, const char *path);

/* Up to `room` bytes of text into `to`; 0 at the end. False with ERROR_IO when reading fails. */
bool source_read(struct source *source, char *to, size_t room, size_t *got, struct error *error);

/* Starts over from the file's first byte. */
bool source_rewind(struct source *source, struct error *error);
void source_close(struct source *source);

/* More bytes of the file into source->input; false only when reading fails. */
bool source_fill(struct source *source, struct error *error);

/* inflate.c: the same for the two packings. */
bool inflate_read(struct source *source, char *to, size_t room, size_t *got, struct error *error);
void inflate_close(struct source *source);

#endif
