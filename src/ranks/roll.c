/* Who is there: missing and double ranks, and what else must be known of the files. */
#include <stdlib.h>

#include "keyavg/ranks.h"
#include "keyavg/utf8.h"

enum { TOLD_MOST = 12 };

static const struct source *in_order(const struct ranks *ranks, size_t place)
{
    return &ranks->whole->sources.items[ranks->in_order[place]];
}

static int64_t world_size(const struct ranks *ranks)
{
    int64_t size = 0;
    for (size_t i = 0; i < ranks->whole->sources.count; i++) {
        const struct source *source = in_order(ranks, i);
        size = source->world_size > size ? source->world_size : size;
        size = source->rank >= size ? source->rank + 1 : size;
    }
    return size;
}

int64_t *ranks_missing(const struct ranks *ranks, uint32_t *count)
{
    /* No rank is far above the number of files in earnest; a wrong number must not cost memory. */
    int64_t size = world_size(ranks), next = 0;
    size_t sources = ranks->whole->sources.count;
    ARRAY(int64_t) missing = {0};
    for (size_t i = 0; i <= sources; i++) {
        int64_t until = i < sources ? in_order(ranks, i)->rank : size;
        for (; next < until && missing.count < UINT16_MAX; next++)
            array_push(&missing, next);
        next = until + 1 > next ? until + 1 : next;
    }
    array_reserve(&missing, 1);
    *count = (uint32_t)missing.count;
    return missing.items;
}

/* `3, 5-8, 12`. */
static void add_numbers(const int64_t *numbers, uint32_t count, struct text *out)
{
    unsigned told = 0;
    for (uint32_t i = 0, end; i < count; i = end, told++) {
        for (end = i + 1; end < count && numbers[end] == numbers[end - 1] + 1;)
            end++;
        if (told == TOLD_MOST) {
            text_add_string(out, ", ...");
            return;
        }
        text_addf(out, "%s%lld", told > 0 ? ", " : "", (long long)numbers[i]);
        if (end - i > 1)
            text_addf(out, "%s%lld", end - i > 2 ? "-" : ", ", (long long)numbers[end - 1]);
    }
}

static void tell_missing(const struct ranks *ranks, rank_tell *tell, void *context)
{
    uint32_t count;
    int64_t *missing = ranks_missing(ranks, &count);
    struct text line = {0};
    if (count > 0) {
        text_addf(&line, "of %lld ranks %lu %s missing: ", (long long)world_size(ranks), (unsigned long)count,
                  count == 1 ? "is" : "are");
        add_numbers(missing, count, &line);
        tell(context, line.bytes);
    }
    text_free(&line);
    free(missing);
}

static void tell_double(const struct ranks *ranks, rank_tell *tell, void *context)
{
    for (size_t i = 0, end; i < ranks->whole->sources.count; i = end) {
        struct text line = {0};
        for (end = i + 1; end < ranks->whole->sources.count && in_order(ranks, end)->rank == in_order(ranks, i)->rank;)
            end++;
        if (end - i < 2)
            continue;
        text_addf(&line, "rank %lld is there %zu times, and each counts as a rank: ", (long long)in_order(ranks, i)->rank,
                  end - i);
        for (size_t k = i; k < end && k - i < 3; k++) {
            text_add_string(&line, k > i ? ", " : "");
            utf8_add_clean(&line, span_of(ranks->paths.items[ranks->in_order[k]]), false);
        }
        text_add_string(&line, end - i > 3 ? ", ..." : "");
        tell(context, line.bytes);
        text_free(&line);
    }
}

static void tell_unnumbered(const struct ranks *ranks, rank_tell *tell, void *context)
{
    struct text line = {0};
    if (ranks->unnumbered == 0)
        return;
    text_addf(&line, "%lu file%s no rank, neither in distributedInfo nor by %s (rank3, worker3): numbered in the order of "
              "the files", (unsigned long)ranks->unnumbered, ranks->unnumbered == 1 ? " tells" : "s tell",
              ranks->unnumbered == 1 ? "its name" : "their names");
    tell(context, line.bytes);
    text_free(&line);
}

static void tell_worlds(const struct ranks *ranks, rank_tell *tell, void *context)
{
    int64_t first = -1;
    for (size_t i = 0; i < ranks->whole->sources.count; i++) {
        const struct source *source = in_order(ranks, i);
        struct text line = {0};
        if (source->world_size < 0 || source->world_size == first)
            continue;
        if (first >= 0) {
            text_addf(&line, "the files are of several runs: rank %lld is one of %lld, others of %lld",
                      (long long)source->rank, (long long)source->world_size, (long long)first);
            tell(context, line.bytes);
            text_free(&line);
            return;
        }
        first = source->world_size;
    }
}

void ranks_tell_roll(const struct ranks *ranks, rank_tell *tell, void *context)
{
    tell_unnumbered(ranks, tell, context);
    tell_double(ranks, tell, context);
    tell_missing(ranks, tell, context);
    tell_worlds(ranks, tell, context);
    if (ranks->merged && ranks->query.lines != 0)
        tell(context, "a summary of several ranks does not keep what single ranks have: no line by rank");
}
