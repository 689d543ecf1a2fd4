/* Whether the clocks of the ranks can be compared. */
#include "keyavg/collectives.h"

/* Of a hundred collectives that wait for all ranks, how many must overlap on all of them. */
enum { OVERLAP_PERCENT = 90 };

/* The letters of a name in lower case: `all_reduce`, `AllReduce` and `allreduce` are one. */
static void add_letters(struct text *out, struct span name)
{
    for (size_t i = 0; i < name.length; i++) {
        char c = name.bytes[i];
        c = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
        if (c >= 'a' && c <= 'z')
            text_add_char(out, c);
    }
    text_add(out, "", 0);
}

/* No rank can be done before all have begun. A broadcast's source can, and so can who sends. */
static bool waits_for_all(const struct collectives *collectives, const struct collective *item)
{
    static const char *const words[] = {"allreduce", "reducescatter", "allgather", "alltoall", "barrier"};
    struct text name = {0};
    bool waits = false;
    add_letters(&name, strings_get(&collectives->roll.whole->strings, item->name));
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        waits |= strstr(name.bytes, words[i]) != NULL;
    text_free(&name);
    return waits;
}

static bool overlaps(const struct collectives *collectives, const struct collective *item)
{
    const struct collective_part *parts = collectives->parts.items + item->first_part;
    int64_t end = INT64_MAX;
    for (uint32_t i = 0; i < item->parts; i++) {
        int64_t own = (int64_t)((uint64_t)parts[i].start + (uint64_t)parts[i].duration);
        end = own < end ? own : end;
    }
    return item->arrived <= end;
}

/* Some files count since 1970, others from a base that they do not tell. */
static bool mixed_bases(const struct rank_roll *roll)
{
    size_t with_base = 0;
    for (size_t i = 0; i < roll->whole->sources.count; i++)
        with_base += (roll->whole->sources.items[i].has & SOURCE_BASE_TIME) != 0;
    return with_base > 0 && with_base < roll->whole->sources.count;
}

static bool same_host(const struct rank_roll *roll)
{
    uint32_t host = roll->whole->sources.count > 0 ? roll->whole->sources.items[0].host : 0;
    for (size_t i = 0; i < roll->whole->sources.count; i++)
        if (roll->whole->sources.items[i].host != host)
            return false;
    return host != 0;
}

void collectives_judge_clocks(struct collectives *collectives)
{
    struct text *why = &collectives->clocks;
    size_t tried = 0, overlapping = 0;
    for (size_t i = 0; i < collectives->items.count; i++) {
        const struct collective *item = &collectives->items.items[i];
        if (item->parts < 2 || !waits_for_all(collectives, item))
            continue;
        tried++;
        overlapping += overlaps(collectives, item);
    }
    collectives->clocks_agree = false;
    if (mixed_bases(&collectives->roll)) {
        text_add_string(why,
                        "some files have baseTimeNanoseconds and others do not: their times have nothing in common");
    } else if (tried == 0 && same_host(&collectives->roll)) {
        collectives->clocks_agree = true;
        text_add_string(why, "the ranks were recorded on one host");
    } else if (tried == 0) {
        text_add_string(why, "no collective that waits for all ranks is there to tell whether their clocks agree");
    } else {
        collectives->clocks_agree = overlapping * 100 >= tried * OVERLAP_PERCENT;
        text_addf(why, "%zu of %zu collectives that wait for all ranks overlap on all of them", overlapping, tried);
    }
}
