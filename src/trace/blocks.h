/* The text cut into blocks that each begin where an event begins, so that they can be read side by side. */
#ifndef KEYAVG_TRACE_BLOCKS_H
#define KEYAVG_TRACE_BLOCKS_H

#include "part.h"
#include "source.h"

struct blocks {
    struct source *source;
    size_t step;      /* the length aimed at */
    uint64_t offset;  /* of the next block in the inflated text */
    char *rest;       /* stream: what follows the last block, owned */
    size_t rest_length;
    bool over;        /* the last block has been given */
};

void blocks_init(struct blocks *blocks, struct source *source, size_t step);
void blocks_free(struct blocks *blocks);

/* The next block. The one that holds the text's last byte, maybe an empty one, has `last` set, and none follows it.
 * Where a block begins is a guess: what was read before it must have ended there. */
bool blocks_next(struct blocks *blocks, struct block *block, struct error *error);

#endif
