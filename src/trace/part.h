/* Parts: what one thread has read of a trace, block by block, and putting the parts together. */
#ifndef KEYAVG_TRACE_PART_H
#define KEYAVG_TRACE_PART_H

#include <pthread.h>

#include "reader.h"

/* A stretch of the text. */
struct block {
    const char *begin, *end;
    uint64_t offset; /* of `begin` in the inflated text */
    bool last;       /* holds the text's last byte */
    char *owned;     /* to free() when the block is done with, or NULL */
};

/* A thread's own tables and columns. The events of its blocks follow one another in them. */
struct part {
    pthread_mutex_t lock; /* held while a block is read into it */
    struct reader reader;
    struct trace *trace;
};

/* What one block gave. */
struct piece {
    struct part *part;
    uint32_t events_from, events_to;
    size_t memory_from, memory_to, flows_from, flows_to, names_from, names_to;
    struct notes notes; /* lines count from the block's first byte */
    struct header header;
    struct document document; /* where the text is in behind the block */
    size_t tail;              /* bytes at the block's end that want more text behind them */
    uint64_t lines;           /* line feeds in what was read */
    int64_t base;
    uint64_t records;
    bool any_time, has_device_call, has_python;
    unsigned backends;
};

typedef ARRAY(struct piece) pieces;

void part_init(struct part *part);
void part_free(struct part *part);

/* Reads a block that begins at `document`. */
void part_read(struct part *part, const struct block *block, const struct document *document, struct piece *piece);

/* Puts the pieces together in their order, into the trace of the first part. The other parts' columns are given up on
 * the way. The caller finishes the trace. */
struct trace *parts_merge(struct part *parts, unsigned count, pieces *all, unsigned threads);

/* A trace of its own with what the pieces hold so far; reading may go on meanwhile. The caller finishes it. */
struct trace *parts_copy(struct part *parts, unsigned count, pieces *all);

#endif
