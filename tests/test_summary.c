/*
 * Summaries: histograms, the file, and merging, which must give the same bytes in every order.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "keyavg/summary.h"
#include "support/render.h"
#include "support/skip.h"

/* Numbers that are the same on every run. */
static uint64_t state = 88172645463325252u;

static uint64_t next_random(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

/* -- Histograms -------------------------------------------------------------------------------------------------- */

Test(summary, ranges_hold_what_is_in_them)
{
    for (int i = 0; i < 200000; i++) {
        int64_t value = (int64_t)(next_random() >> (1 + next_random() % 63));
        uint32_t range = histogram_range(value);
        cr_assert_lt(range, HISTOGRAM_RANGES);
        cr_assert_leq(histogram_low(range), value);
        cr_assert(range + 1 == HISTOGRAM_RANGES || histogram_low(range + 1) > value, "%lld", (long long)value);
        /* At most 1 % beside the value, whatever it is. */
        double beside = (double)histogram_middle(range) - (double)value;
        cr_assert((beside < 0 ? -beside : beside) <= (double)value * 0.01, "%lld", (long long)value);
    }
    cr_expect_eq(histogram_range(0), 0);
    cr_expect_eq(histogram_range(INT64_MAX), HISTOGRAM_RANGES - 1);
}

static int by_value(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static void add_value(struct histogram *histogram, int64_t value)
{
    struct histogram one = {0};
    histogram_push(&one, histogram_range(value), 1);
    histogram_merge(histogram, &one);
    histogram_free(&one);
}

Test(summary, percentiles_within_one_per_cent)
{
    for (int round = 0; round < 200; round++) {
        int64_t values[1000];
        int count = 1 + (int)(next_random() % 1000);
        struct histogram histogram = {0};
        unsigned shift = 1 + (unsigned)(next_random() % 60);
        for (int i = 0; i < count; i++) {
            values[i] = (int64_t)(next_random() >> shift >> next_random() % 4);
            add_value(&histogram, values[i]);
        }
        qsort(values, (size_t)count, sizeof *values, by_value);
        for (unsigned p = 0; p <= 100; p++) {
            int64_t rank = ((int64_t)count * p + 99) / 100, exact = values[rank > 0 ? rank - 1 : 0];
            int64_t have = histogram_percentile(&histogram, p, values[0], values[count - 1]);
            double beside = (double)(have - exact);
            cr_assert((beside < 0 ? -beside : beside) <= (double)exact * 0.01, "p%u of %d: %lld, not %lld", p, count,
                      (long long)have, (long long)exact);
        }
        histogram_free(&histogram);
    }
}

/* -- The file ---------------------------------------------------------------------------------------------------- */

static struct summary *summarise(const char *path, int depth)
{
    struct trace *trace = support_trace_file(path);
    struct tree *tree = tree_build(trace, false);
    struct summary *summary = summary_build(tree, path, depth, PYTHON_IN_TREE, true);
    tree_free(tree);
    trace_free(trace);
    return summary;
}

static struct summary *summarise_sample(const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", support_samples_dir(), name);
    return summarise(path, SUMMARY_STACK_DEPTH);
}

static struct summary *read_back(const struct text *file, struct error *error)
{
    return summary_read(memory_copy_text(file->bytes, file->length), file->length, "x.kavg", ~0u, true, error);
}

/* Reading gives a summary that is only good for being merged. */
static struct summary *through_file(struct summary *summary)
{
    struct text file = {0};
    struct error error = {0};
    summary_add_file(summary, &file);
    summary_free(summary);
    struct summary *read = read_back(&file, &error), *whole = summary_new();
    cr_assert_not_null(read, "%s", error.text);
    cr_assert(summary_merge(whole, read, &error), "%s", error.text);
    summary_free(read);
    text_free(&file);
    return whole;
}

static void same_bytes(const struct summary *a, const struct summary *b, const char *what)
{
    struct text x = {0}, y = {0};
    summary_add_file(a, &x);
    summary_add_file(b, &y);
    cr_assert_eq(x.length, y.length, "%s: %zu and %zu bytes", what, x.length, y.length);
    cr_assert_arr_eq(x.bytes, y.bytes, x.length, "%s", what);
    text_free(&x);
    text_free(&y);
}

static const char *const samples[] = {
    "ddp/rank0/trace.json.gz", "ddp/rank1/trace.json.gz", "ddp/rank2/trace.json.gz", "ddp/rank3/trace.json.gz",
    "gpu_small/trace.json", "mlp_all/trace.json.gz", "cnn_steps/trace.json.gz", "event_list/trace.json",
    "names/trace.json.gz", "empty/trace.json", "memory_only/trace.json.gz", "mlp_all/trace.json.gz",
};
enum { SAMPLES = sizeof samples / sizeof samples[0] };

Test(summary, file_round_trip)
{
    for (int i = 0; i < SAMPLES; i++) {
        struct summary *summary = summarise_sample(samples[i]);
        struct text before = {0}, after = {0};
        summary_add_file(summary, &before);
        summary = through_file(summary);
        summary_add_file(summary, &after);
        cr_expect_eq(before.length, after.length, "%s", samples[i]);
        cr_expect(before.length == after.length && memcmp(before.bytes, after.bytes, before.length) == 0, "%s",
                  samples[i]);
        text_free(&before);
        text_free(&after);
        summary_free(summary);
    }
}

static void expect_error(struct text *file, const char *words)
{
    struct error error = {0};
    struct summary *summary = read_back(file, &error);
    cr_expect_null(summary);
    cr_expect_eq(error.code, ERROR_NOT_TRACE);
    cr_expect_not_null(strstr(error.text, words), "%s", error.text);
    summary_free(summary);
}

Test(summary, damage_is_told)
{
    struct text file = {0};
    struct summary *summary = summarise_sample("gpu_small/trace.json");
    summary_add_file(summary, &file);
    summary_free(summary);
    /* Every byte, every bit. */
    for (size_t i = 0; i < file.length; i++) {
        struct error error = {0};
        file.bytes[i] ^= (char)(1 << i % 8);
        struct summary *read = read_back(&file, &error);
        cr_assert_null(read, "byte %zu", i);
        cr_assert_not_null(strstr(error.text, i < 8    ? "x.kavg: not a summary"
                                              : i == 9 ? "x.kavg: a summary of version 513" /* it may well be one */
                                                       : "x.kavg: damaged"), "%s", error.text);
        file.bytes[i] ^= (char)(1 << i % 8);
    }
    /* Cut short anywhere, or with something behind it. */
    size_t length = file.length;
    for (size_t cut = 0; cut < length; cut += cut < 64 ? 1 : 97) {
        file.length = cut;
        expect_error(&file, cut < 8 ? "not a summary" : "damaged");
    }
    file.length = length;
    text_add_char(&file, 'x');
    expect_error(&file, "damaged: it should have");
    text_free(&file);
}

/* The outside as src/summary/file.h has it: sections are settings, strings and sources, then five tables. */
enum { SECTIONS_AT = 12, SECTION_BYTES = 12, SECTIONS = 6, OUTSIDE = SECTIONS_AT + SECTIONS * SECTION_BYTES + 4 };

static void fix_checksum(struct text *file, size_t from, size_t length, size_t at)
{
    uint32_t crc = 0xFFFFFFFFu;
    for (size_t i = from; i < from + length; i++) {
        crc ^= (unsigned char)file->bytes[i];
        for (int bit = 0; bit < 8; bit++)
            crc = (crc & 1) != 0 ? crc >> 1 ^ 0xEDB88320u : crc >> 1;
    }
    for (int i = 0; i < 4; i++)
        file->bytes[at + (size_t)i] = (char)(~crc >> 8 * i & 0xFF);
}

static size_t section_length(const struct text *file, int section)
{
    size_t length = 0;
    for (int i = 8; i-- > 0;)
        length = length << 8 | (unsigned char)file->bytes[SECTIONS_AT + section * SECTION_BYTES + i];
    return length;
}

/* The checksums of what has been changed, as another writer would have made them. */
static void fix_checksums(struct text *file)
{
    size_t from = OUTSIDE;
    for (int s = 0; s < SECTIONS; s++) {
        fix_checksum(file, from, section_length(file, s), (size_t)(SECTIONS_AT + s * SECTION_BYTES + 8));
        from += section_length(file, s);
    }
    fix_checksum(file, 0, OUTSIDE - 4, OUTSIDE - 4);
}

Test(summary, damage_is_told_by_table)
{
    static const char *const names[SECTIONS] = {"list of strings and sources", "table by name", "table by shape",
                                                "table by stack", "table by step", "table by scope"};
    struct text file = {0};
    struct summary *summary = summarise_sample("mlp_all/trace.json.gz");
    summary_add_file(summary, &file);
    summary_free(summary);
    size_t from = OUTSIDE;
    for (int s = 0; s < SECTIONS; s++) {
        size_t length = section_length(&file, s), at = from + length / 2;
        struct error error = {0};
        file.bytes[at] ^= 4;
        cr_expect_null(read_back(&file, &error));
        cr_expect_not_null(strstr(error.text, names[s]), "section %d: %s", s, error.text);
        /* A table that nobody asks for is not looked at: the others can still be read. */
        for (unsigned t = 0; t < SUMMARY_TABLES; t++) {
            char *copy = memory_copy_text(file.bytes, file.length);
            struct summary *read = summary_read(copy, file.length, "x.kavg", 1u << t, true, &error);
            cr_expect_eq(read == NULL, s == 0 || s == (int)t + 1, "section %d, table %u", s, t);
            summary_free(read);
        }
        file.bytes[at] ^= 4;
        from += length;
    }
    cr_expect_eq(from, file.length);
    text_free(&file);
}

Test(summary, later_version_is_told)
{
    struct text file = {0};
    struct summary *summary = summarise_sample("gpu_small/trace.json");
    summary_add_file(summary, &file);
    summary_free(summary);
    file.bytes[8] = 2;
    fix_checksum(&file, 0, OUTSIDE - 4, OUTSIDE - 4);
    expect_error(&file, "a summary of version 2; this keyavg reads version 1");
    text_free(&file);
}

/* Bytes that have the right checksums and wrong contents end in an error or in a summary, never in anything else. */
Test(summary, hostile_contents)
{
    struct text file = {0};
    struct summary *summary = summarise_sample("ddp/rank0/trace.json.gz"),
        *other = summarise_sample("gpu_small/trace.json");
    cr_assert(summary_merge(summary, other, NULL));
    summary_add_file(summary, &file);
    summary_free(summary);
    summary_free(other);
    for (int round = 0; round < 3000; round++) {
        struct text copy = {0};
        struct error error = {0};
        text_add_span(&copy, text_span(&file));
        for (int i = 0; i < 1 + round % 3; i++)
            copy.bytes[OUTSIDE + next_random() % (copy.length - OUTSIDE)] = (char)next_random();
        fix_checksums(&copy);
        struct summary *read = read_back(&copy, &error);
        if (read != NULL) {
            struct summary *whole = summary_new();
            cr_assert(summary_merge(whole, read, &error));
            text_clear(&copy);
            summary_add_file(whole, &copy);
            summary_free(whole);
        } else {
            cr_assert_not_null(strstr(error.text, "damaged"), "%s", error.text);
        }
        summary_free(read);
        text_free(&copy);
    }
    text_free(&file);
}

/* -- Merging ----------------------------------------------------------------------------------------------------- */

/* Merges from .. to of `order` in a random tree; with `files`, each result goes through a file. */
static struct summary *merge_some(const int *order, int from, int to, bool files)
{
    struct error error = {0};
    if (to - from == 1) {
        struct summary *one = summarise_sample(samples[order[from]]);
        return files ? through_file(one) : one;
    }
    int middle = from + 1 + (int)(next_random() % (uint64_t)(to - from - 1));
    struct summary *left = merge_some(order, from, middle, files), *right = merge_some(order, middle, to, files);
    cr_assert(summary_merge(left, right, &error), "%s", error.text);
    summary_free(right);
    return files && next_random() % 2 == 0 ? through_file(left) : left;
}

Test(summary, merging_is_associative_and_commutative, .timeout = 120)
{
    int order[SAMPLES];
    for (int i = 0; i < SAMPLES; i++)
        order[i] = i;
    struct summary *plain = summarise_sample(samples[0]);
    for (int i = 1; i < SAMPLES; i++) {
        struct summary *next = summarise_sample(samples[i]);
        cr_assert(summary_merge(plain, next, NULL));
        summary_free(next);
    }
    for (int round = 0; round < 12; round++) {
        for (int i = SAMPLES - 1; i > 0; i--) {
            int k = (int)(next_random() % (uint64_t)(i + 1)), swap = order[i];
            order[i] = order[k];
            order[k] = swap;
        }
        struct summary *other = merge_some(order, 0, SAMPLES, round % 2 == 1);
        same_bytes(plain, other, "another order");
        summary_free(other);
    }
    summary_free(plain);
}

Test(summary, empty_is_neutral)
{
    struct summary *one = summarise_sample("gpu_small/trace.json"), *into = summary_new();
    cr_assert(summary_merge(into, one, NULL));
    same_bytes(into, one, "into nothing");
    summary_free(into);
    summary_free(one);
}

Test(summary, unlike_settings_are_refused)
{
    char path[1024];
    struct error error = {0};
    snprintf(path, sizeof path, "%s/gpu_small/trace.json", support_samples_dir());
    struct summary *five = summarise(path, 5), *three = summarise(path, 3);
    cr_expect_not(summary_merge(five, three, &error));
    cr_expect_not_null(strstr(error.text, "stacks of 3 frames, others have 5"), "%s", error.text);
    summary_free(five);
    summary_free(three);
}

/* Cutting stacks afterwards gives what grouping by fewer frames gives. */
Test(summary, stacks_can_be_cut)
{
    for (int depth = 1; depth < 5; depth++) {
        struct summary *deep = summarise_sample("mlp_all/trace.json.gz");
        char path[1024];
        snprintf(path, sizeof path, "%s/mlp_all/trace.json.gz", support_samples_dir());
        struct summary *flat = summarise(path, depth);
        struct groups cut;
        deep->stack_depth = depth;
        struct grouping grouping = summary_grouping(deep, SUMMARY_STACK);
        groups_init(&cut, &grouping, &deep->strings, &deep->stacks);
        groups_project(&cut, &deep->tables[SUMMARY_STACK], NULL, NULL);
        groups_free(&deep->tables[SUMMARY_STACK]);
        deep->tables[SUMMARY_STACK] = cut;
        same_bytes(deep, flat, "cut");
        summary_free(deep);
        summary_free(flat);
    }
}

Test(summary, rank_of_a_path)
{
    cr_expect_eq(summary_rank_of_path("x/rank3.json"), 3);
    cr_expect_eq(summary_rank_of_path("rank_12/trace.json.gz"), 12);
    cr_expect_eq(summary_rank_of_path("a/worker0.169.pt.trace.json"), 0);
    cr_expect_eq(summary_rank_of_path("Rank-7.json"), 7);
    cr_expect_eq(summary_rank_of_path("rank2/rank5.json"), 5);
    cr_expect_eq(summary_rank_of_path("trace.json"), -1);
    cr_expect_eq(summary_rank_of_path("ranked.json"), -1);
    cr_expect_eq(summary_rank_of_path(""), -1);
}
