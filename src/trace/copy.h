/* A private copy of input that can be read only once, so that an event's text can be shown later. */
#ifndef KEYAVG_TRACE_COPY_H
#define KEYAVG_TRACE_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "keyavg/error.h"

/* The copy is a file in TMPDIR that no name leads to and nobody else can open. Plain input is packed; what is packed
 * already is kept as it is. */
struct copy {
    int file;              /* -1: there is none, and `error` says why */
    bool packs;            /* the input is plain */
    bool full;             /* the limit was reached: what follows is not kept */
    uint64_t bytes, limit; /* of the file */
    void *pack;            /* the state of inflate.c */
    struct error error;
};

enum { COPY_LIMIT_GIB = 4 }; /* where none is asked for */

/* Starts a copy of at most `limit` bytes, 0: COPY_LIMIT_GIB. Never fails: loading does not depend on it. */
struct copy *copy_start(bool packs, uint64_t limit);
void copy_add(struct copy *copy, const void *bytes, size_t length);

/* All input has been added. */
void copy_end(struct copy *copy);
void copy_free(struct copy *copy);

#endif
