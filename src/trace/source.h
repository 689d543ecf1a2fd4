/* Where the text comes from: a mapped file, or a stream (pipe, gzip, zstd) read piece by piece. */
#ifndef KEYAVG_TRACE_SOURCE_H
#define KEYAVG_TRACE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "keyavg/error.h"

enum packing { PACKING_NONE, PACKING_GZIP, PACKING_ZSTD };

struct copy;

/* What tells a file from another one, and from what it was before. */
struct identity {
    bool regular; /* can be read again */
    uint64_t device, number, size;
    int64_t seconds, nanoseconds; /* of its last change */
};

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
    struct identity identity;
    uint64_t start;        /* where in a regular file the text begins: standard input may have been read before */
    bool positioned;       /* reads at `position`, whatever others do with the file */
    uint64_t position;
    struct copy *copy;     /* gets all that is read, NULL none; owned */
    int stop_file;         /* 0 none; see trace_options */
    bool stopped;          /* it was asked to stop while it waited for bytes: the end that was seen is none */
};

/* Opens a file and tells its packing by its first bytes. `stop_file`: see trace_options. ERROR_IO names the file and
 * the reason. */
bool source_open(struct source *source, const char *path, int stop_file, struct error *error);

/* A source over memory. */
void source_open_memory(struct source *source, const char *bytes, size_t length, const char *path);

/* Up to `room` bytes of text into `to`; 0 at the end. False with ERROR_IO when reading fails. */
bool source_read(struct source *source, char *to, size_t room, size_t *got, struct error *error);

/* Keeps a private copy of what is read from now on, and of what was read to tell the packing, where the input is no
 * regular file; else does nothing. See copy.h. */
void source_copy(struct source *source, uint64_t limit);

/* A source over an open file from a byte of it on; the file is the source's from here on. */
void source_open_at(struct source *source, const char *path, int file, uint64_t position, enum packing packing);

void source_close(struct source *source);

/* An open file's identity; false with ERROR_IO. */
bool source_identify(int file, const char *path, struct identity *identity, struct error *error);
bool source_same(const struct identity *a, const struct identity *b);

/* `standard input` for `-`. */
const char *source_name(const char *path);

/* More bytes of the file into source->input; false only when reading fails. */
bool source_fill(struct source *source, struct error *error);

/* inflate.c: the same for the two packings. */
bool inflate_read(struct source *source, char *to, size_t room, size_t *got, struct error *error);
void inflate_close(struct source *source);

/* inflate.c: text packed as gzip, quickly rather than small. `write` gets the packed bytes; where it returns false the
 * rest is dropped. */
typedef bool pack_write(void *context, const void *bytes, size_t length);
void *pack_start(void);
void pack_add(void *pack, const void *bytes, size_t length, pack_write *write, void *context);
void pack_end(void *pack, pack_write *write, void *context);
void pack_free(void *pack);

#endif
