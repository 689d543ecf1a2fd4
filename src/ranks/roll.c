/* Who is there: missing and double ranks, and what else must be known of the files. */
#include <stdlib.h>

#include "keyavg/cells.h"
#include "keyavg/rank_roll.h"
#include "keyavg/sheet.h"
#include "keyavg/utf8.h"

enum { TOLD_MOST = 12 };

/* -- Calling it -------------------------------------------------------------------------------------------------- */

void rank_roll_init(struct rank_roll *roll)
{
    *roll = (struct rank_roll){.whole = summary_new()};
}

void rank_roll_free(struct rank_roll *roll)
{
    summary_free(roll->whole);
    array_free(&roll->paths);
    free(roll->in_order);
    *roll = (struct rank_roll){0};
}

static bool is_there_already(const struct rank_roll *roll, const struct summary *summary)
{
    const struct summary *whole = roll->whole;
    if (summary->sources.count != 1)
        return false;
    const struct source *one = &summary->sources.items[0];
    for (size_t i = 0; i < whole->sources.count; i++) {
        const struct source *other = &whole->sources.items[i];
        if (one->rank == other->rank && one->start == other->start && one->end == other->end &&
            one->base_time == other->base_time && one->events == other->events && one->records == other->records &&
            span_equal(strings_get(&summary->strings, one->host), strings_get(&whole->strings, other->host)))
            return true;
    }
    return false;
}

bool rank_roll_add(struct rank_roll *roll, const struct summary *summary, const char *path, uint32_t *first,
                   struct error *error)
{
    if (is_there_already(roll, summary))
        return error_set(error, ERROR_NONE, "%s: the same as a file before it", path);
    *first = summary_add_sources(roll->whole, summary);
    for (size_t i = 0; i < summary->sources.count; i++)
        array_push(&roll->paths, path);
    return true;
}

static int by_source_order(const void *a, const void *b, void *summary)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return summary_source_before(summary, x, y) ? -1 : summary_source_before(summary, y, x) ? 1 : (x > y) - (x < y);
}

void rank_roll_end(struct rank_roll *roll)
{
    struct source *sources = roll->whole->sources.items;
    uint32_t count = (uint32_t)roll->whole->sources.count;
    int64_t next = 0;
    for (uint32_t i = 0; i < count; i++)
        next = sources[i].rank >= next ? sources[i].rank + 1 : next;
    roll->in_order = memory_alloc(((size_t)count + 1) * sizeof *roll->in_order);
    for (uint32_t i = 0; i < count; i++) {
        roll->in_order[i] = i;
        roll->unnumbered += sources[i].rank < 0;
        if (sources[i].rank < 0)
            sources[i].rank = next++;
    }
    qsort_r(roll->in_order, count, sizeof *roll->in_order, by_source_order, roll->whole);
}

const struct source *rank_roll_source(const struct rank_roll *roll, size_t place)
{
    return &roll->whole->sources.items[roll->in_order[place]];
}

/* -- What it tells ----------------------------------------------------------------------------------------------- */

static int64_t world_size(const struct rank_roll *roll)
{
    int64_t size = 0;
    for (size_t i = 0; i < roll->whole->sources.count; i++) {
        const struct source *source = rank_roll_source(roll, i);
        size = source->world_size > size ? source->world_size : size;
        size = source->rank >= size ? source->rank + 1 : size;
    }
    return size;
}

/* Those that are missing; to free(). The size of the world is the largest that a source tells, else what the highest
 * rank needs. */
static int64_t *missing_ranks(const struct rank_roll *roll, uint32_t *count)
{
    /* No rank is far above the number of files in earnest; a wrong number must not cost memory. */
    int64_t size = world_size(roll), next = 0;
    size_t sources = roll->whole->sources.count;
    ARRAY(int64_t) missing = {0};
    for (size_t i = 0; i <= sources; i++) {
        int64_t until = i < sources ? rank_roll_source(roll, i)->rank : size;
        for (; next < until && missing.count < UINT16_MAX; next++)
            array_push(&missing, next);
        next = until + 1 > next ? until + 1 : next;
    }
    array_reserve(&missing, 1);
    *count = (uint32_t)missing.count;
    return missing.items;
}

uint32_t rank_roll_missing(const struct rank_roll *roll)
{
    uint32_t count;
    free(missing_ranks(roll, &count));
    return count;
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

static void tell_missing(const struct rank_roll *roll, rank_tell *tell, void *context)
{
    uint32_t count;
    int64_t *missing = missing_ranks(roll, &count);
    struct text line = {0};
    if (count > 0) {
        text_addf(&line, "of %lld ranks %lu %s missing: ", (long long)world_size(roll), (unsigned long)count,
                  count == 1 ? "is" : "are");
        add_numbers(missing, count, &line);
        tell(context, line.bytes);
    }
    text_free(&line);
    free(missing);
}

static void tell_double(const struct rank_roll *roll, rank_tell *tell, void *context)
{
    for (size_t i = 0, end; i < roll->whole->sources.count; i = end) {
        struct text line = {0};
        for (end = i + 1; end < roll->whole->sources.count &&
                          rank_roll_source(roll, end)->rank == rank_roll_source(roll, i)->rank;)
            end++;
        if (end - i < 2)
            continue;
        text_addf(&line, "rank %lld is there %zu times, and each counts as a rank: ",
                  (long long)rank_roll_source(roll, i)->rank, end - i);
        for (size_t k = i; k < end && k - i < 3; k++) {
            text_add_string(&line, k > i ? ", " : "");
            utf8_add_clean(&line, span_of(roll->paths.items[roll->in_order[k]]), false);
        }
        text_add_string(&line, end - i > 3 ? ", ..." : "");
        tell(context, line.bytes);
        text_free(&line);
    }
}

static void tell_unnumbered(const struct rank_roll *roll, rank_tell *tell, void *context)
{
    struct text line = {0};
    if (roll->unnumbered == 0)
        return;
    text_addf(&line,
              "%lu file%s no rank, neither in distributedInfo nor by %s (rank3, worker3): numbered in the order of "
              "the files",
              (unsigned long)roll->unnumbered, roll->unnumbered == 1 ? " tells" : "s tell",
              roll->unnumbered == 1 ? "its name" : "their names");
    tell(context, line.bytes);
    text_free(&line);
}

static void tell_worlds(const struct rank_roll *roll, rank_tell *tell, void *context)
{
    int64_t first = -1;
    for (size_t i = 0; i < roll->whole->sources.count; i++) {
        const struct source *source = rank_roll_source(roll, i);
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

void rank_roll_tell(const struct rank_roll *roll, rank_tell *tell, void *context)
{
    tell_unnumbered(roll, tell, context);
    tell_double(roll, tell, context);
    tell_missing(roll, tell, context);
    tell_worlds(roll, tell, context);
}

/* -- Facts for json ---------------------------------------------------------------------------------------------- */

static void add_us(int64_t ns, struct text *out)
{
    struct value value_of = value_integer(ns);
    column_add_raw(measure_column(MEASURE_SELF_CPU), &value_of, out);
}

static void add_source(const struct rank_roll *roll, const struct source *source, bool sums, struct text *out)
{
    const struct strings *strings = &roll->whole->strings;
    text_addf(out, "{\"rank\":%lld,\"file\":", (long long)source->rank);
    json_add_string(out, strings_get(strings, source->name));
    if (source->host != 0) {
        text_add_string(out, ",\"host\":");
        json_add_string(out, strings_get(strings, source->host));
    }
    if (source->world_size >= 0)
        text_addf(out, ",\"world_size\":%lld", (long long)source->world_size);
    if (source->has & SOURCE_DEVICE)
        text_addf(out, ",\"device\":\"%s\"", backend_name((enum backend)source->backend));
    if (source->has & SOURCE_BASE_TIME)
        text_addf(out, ",\"base_time_ns\":%lld", (long long)source->base_time);
    text_add_string(out, ",\"start\":");
    add_us(source->start, out);
    text_add_string(out, ",\"end\":");
    add_us(source->end, out);
    text_addf(out, ",\"steps\":%lu,\"events\":%llu,\"records\":%llu,\"damaged\":%s", (unsigned long)source->steps,
              (unsigned long long)source->events, (unsigned long long)source->records,
              source->has & SOURCE_DAMAGED ? "true" : "false");
    if (sums) {
        text_add_string(out, ",\"self_cpu_time_total\":");
        add_us(source->self_cpu, out);
        text_add_string(out, ",\"self_device_time_total\":");
        add_us(source->self_device, out);
    }
    text_add_char(out, '}');
}

void rank_roll_add_facts(const struct rank_roll *roll, bool sums, struct text *out)
{
    uint32_t count;
    int64_t *missing = missing_ranks(roll, &count);
    text_add_string(out, "\"ranks\": [");
    for (size_t i = 0; i < roll->whole->sources.count; i++) {
        text_add_string(out, i > 0 ? ",\n" : "");
        add_source(roll, rank_roll_source(roll, i), sums, out);
    }
    text_add_string(out, "],\n\"missing\": [");
    for (uint32_t i = 0; i < count; i++)
        text_addf(out, "%s%lld", i > 0 ? "," : "", (long long)missing[i]);
    text_add_char(out, ']');
    free(missing);
}
