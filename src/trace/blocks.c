#include "blocks.h"
#include "pattern.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK_LIMIT = 1 << 26 }; /* text in which no event begins is cut anyway */

void blocks_init(struct blocks *blocks, struct source *source, size_t step)
{
    *blocks = (struct blocks){.source = source, .step = step};
}

void blocks_free(struct blocks *blocks)
{
    free(blocks->rest);
    *blocks = (struct blocks){0};
}

/* Whether an event seems to begin at a `{`: the comma of the list stands before it. */
static bool begins_event(const char *begin, const char *at, const char *end)
{
    const char *before = at;
    while (before > begin && (unsigned char)before[-1] <= ' ')
        before--;
    return before > begin && before[-1] == ',' && pattern_is_event_start(at, end);
}

/* The first event that begins behind `at`, else `end`. */
static const char *next_border(const char *begin, const char *at, const char *end)
{
    for (; at < end && (at = memchr(at, '{', (size_t)(end - at))) != NULL; at++)
        if (begins_event(begin, at, end))
            return at;
    return end;
}

/* The last event that begins in the text, else NULL. */
static const char *last_border(const char *begin, const char *end)
{
    for (const char *at = end; (at = memrchr(begin, '{', (size_t)(at - begin))) != NULL && at > begin;)
        if (begins_event(begin, at, end))
            return at;
    return NULL;
}

static void next_of_map(struct blocks *blocks, struct block *block)
{
    const char *map = blocks->source->map, *end = map + blocks->source->map_length;
    const char *begin = map + blocks->offset, *stop = end;
    if ((size_t)(end - begin) > blocks->step + blocks->step / 2)
        stop = next_border(begin, begin + blocks->step, end);
    *block = (struct block){.begin = begin, .end = stop, .offset = blocks->offset, .last = stop == end};
    blocks->offset = (uint64_t)(stop - map);
    blocks->source->done = blocks->offset;
}

static bool next_of_stream(struct blocks *blocks, struct block *block, struct error *error)
{
    size_t have = blocks->rest_length, room = blocks->step + have;
    char *text = memory_resize(blocks->rest, room + 1, 1);
    const char *stop = NULL;
    bool fine = true, over = false;
    blocks->rest = NULL;
    blocks->rest_length = 0;
    while (fine && !over && stop == NULL) {
        if (have == room) {
            room *= 2;
            text = memory_resize(text, room + 1, 1);
        }
        while (fine && !over && have < room) {
            size_t got;
            fine = source_read(blocks->source, text + have, room - have, &got, error);
            over = got == 0;
            have += got;
        }
        if (!over)
            stop = have < BLOCK_LIMIT ? last_border(text, text + have) : text + have;
    }
    if (over || !fine)
        stop = text + have;
    *block = (struct block){.begin = text, .end = stop, .offset = blocks->offset, .owned = text};
    block->last = over && !blocks->source->stopped;
    blocks->rest_length = (size_t)(text + have - stop);
    if (blocks->rest_length != 0) {
        blocks->rest = memory_alloc(blocks->rest_length);
        memcpy(blocks->rest, stop, blocks->rest_length);
    }
    blocks->offset += (uint64_t)(stop - text);
    return fine;
}

bool blocks_next(struct blocks *blocks, struct block *block, struct error *error)
{
    bool fine = true;
    if (blocks->source->map != NULL && blocks->source->packing == PACKING_NONE)
        next_of_map(blocks, block);
    else
        fine = next_of_stream(blocks, block, error);
    blocks->over = block->last || !fine || blocks->source->stopped;
    return fine;
}
