/*
 * Two traces side by side: against what the json output of each of them alone says.
 */
#include <criterion/criterion.h>
#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "keyavg/memory.h"
#include "keyavg/text.h"
#include "support/words.h"

/* -- The independent computation --------------------------------------------------------------------------------- */

/* Times in json are us with three decimals: whole ns. */
static long long ns_of(const cJSON *number)
{
    return llround(number->valuedouble * 1000);
}

static const cJSON *member(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

/* What tells two rows of one table apart, without addresses. */
static char *key_of(const cJSON *row)
{
    static const char *const parts[] = {"key", "device_type", "is_user_annotation", "input_shapes", "overload_name",
                                        "stack", "dtypes", "step", "phase", "module"};
    struct text key = {0};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const cJSON *part = member(row, parts[i]);
        char *text = part != NULL ? cJSON_PrintUnformatted(part) : NULL;
        /* What rows are not grouped by is empty in one output and missing in the other. */
        bool empty = text == NULL || strcmp(text, "[]") == 0 || strcmp(text, "\"\"") == 0 ||
                     strcmp(text, "null") == 0 || strcmp(text, "\"[none]\"") == 0;
        for (const char *at = empty ? "" : text; *at != '\0';) {
            text_add_char(&key, *at);
            if (strncmp(at, " at 0x", 6) == 0) {
                text_add_string(&key, "at 0x...");
                for (at += 6; strchr("0123456789abcdef.", *at) != NULL && *at != '\0';)
                    at++;
            } else {
                at++;
            }
        }
        text_add_char(&key, '\n');
        free(text);
    }
    return key.bytes;
}

struct side {
    cJSON *json;
    const cJSON **rows;
    char **keys;
    bool *used;
    int count;
};

static void read_side(struct side *side, const char *words, const char *path)
{
    *side = (struct side){.json = words_json_of(words, path, path)};
    const cJSON *rows = member(side->json, "rows"), *row;
    int count = cJSON_GetArraySize(rows);
    side->rows = memory_zero((size_t)count + 1, sizeof *side->rows);
    side->keys = memory_zero((size_t)count + 1, sizeof *side->keys);
    side->used = memory_zero((size_t)count + 1, sizeof *side->used);
    cJSON_ArrayForEach(row, rows)
    {
        side->rows[side->count] = row;
        side->keys[side->count++] = key_of(row);
    }
}

static void free_side(struct side *side)
{
    for (int i = 0; i < side->count; i++)
        free(side->keys[i]);
    free(side->keys);
    free(side->rows);
    free(side->used);
    cJSON_Delete(side->json);
}

static const char *const sums[] = {
    "cpu_time_total", "self_cpu_time_total", "device_time_total", "self_device_time_total", "cpu_memory_usage",
    "device_memory_usage", "self_cpu_memory_usage", "self_device_memory_usage", "count",
};
enum { SUMS = sizeof sums / sizeof sums[0], TIMES = 4, CALLS = 8 };

/* A sum of all rows of one key (addresses may join several), as ns for times; false when there is no such row. */
static bool sum_of(const struct side *side, const char *key, const char *name, bool is_time, long long *sum)
{
    bool found = false;
    *sum = 0;
    for (int i = 0; i < side->count; i++) {
        if (strcmp(side->keys[i], key) != 0)
            continue;
        const cJSON *number = member(side->rows[i], name);
        *sum += is_time ? ns_of(number) : (long long)number->valuedouble;
        found = side->used[i] = true;
    }
    return found;
}

/* round((n1 - n0) * s0 / n0), halves to even. */
static long long by_calls(long long calls, long long others, long long sum, long long change)
{
    if (calls == 0 || others == 0)
        return change;
    __int128 top = (__int128)(others - calls) * sum, whole = top / calls, rest = (top % calls) * 2;
    rest = rest < 0 ? -rest : rest;
    if (rest > calls || (rest == calls && whole % 2 != 0))
        whole += top < 0 ? -1 : 1;
    return (long long)whole;
}

/* One sum of one row against those of the two sides. */
static void check_sum(const cJSON *row, const struct side *base, const struct side *other, const char *key,
                      const char *other_key, int number, const char *what)
{
    const char *name = sums[number];
    const cJSON *have = member(row, name);
    bool is_time = number < TIMES;
    long long s0, s1, n0, n1;
    bool in_base = sum_of(base, key, name, is_time, &s0), in_other = sum_of(other, other_key, name, is_time, &s1);
    sum_of(base, key, "count", false, &n0);
    sum_of(other, other_key, "count", false, &n1);
    if (have == NULL)
        return;
    const cJSON *from = member(have, "base"), *to = member(have, "new"), *change = member(have, "diff");
    const char *label = member(row, "key")->valuestring;
    if (cJSON_IsNull(change)) /* neither trace can tell */
        return;
#define NUMBER(item) (is_time ? ns_of(item) : (long long)(item)->valuedouble)
    cr_assert_eq(cJSON_IsNull(from), !in_base, "%s %s %s", what, label, name);
    cr_assert_eq(cJSON_IsNull(to), !in_other, "%s %s %s", what, label, name);
    if (in_base)
        cr_assert_eq(NUMBER(from), s0, "%s %s %s", what, label, name);
    if (in_other)
        cr_assert_eq(NUMBER(to), s1, "%s %s %s", what, label, name);
    cr_assert_eq(NUMBER(change), s1 - s0, "%s %s %s: %f, not %lld", what, label, name, change->valuedouble, s1 - s0);
    if (s0 != 0 && in_base)
        cr_assert_float_eq(member(have, "ratio")->valuedouble, (double)s1 / (double)s0, 0.0001);
    else
        cr_assert(cJSON_IsNull(member(have, "ratio")), "%s %s %s", what, label, name);
    if (is_time) {
        long long calls = ns_of(member(have, "by_calls")), call = ns_of(member(have, "by_call"));
        cr_assert_eq(calls, by_calls(n0, n1, s0, s1 - s0), "%s %s %s: %lld", what, label, name, calls);
        cr_assert_eq(calls + call, s1 - s0, "%s %s %s", what, label, name);
    }
}

/* A copy of a row's key with another name. */
static char *key_with_name(const char *key, const char *name)
{
    struct text text = {0};
    text_addf(&text, "\"%s\"%s", name, strchr(key, '\n'));
    return text.bytes;
}

static void check_pair(const char *first, const char *second, const char *grouping)
{
    char one[256], two[256], what[600];
    struct side base, other;
    snprintf(what, sizeof what, "%s %s %s:", first, second, grouping);
    snprintf(one, sizeof one, "--format json %s $1", grouping);
    snprintf(two, sizeof two, "--compare --unchanged --format json %s $1 $2", grouping);
    read_side(&base, one, first);
    read_side(&other, one, second);
    cJSON *json = words_json_of(two, first, second);
    const cJSON *row;
    long long total[TIMES] = {0};
    cJSON_ArrayForEach(row, member(json, "rows"))
    {
        char *key = key_of(row), *other_key = NULL;
        const char *renamed = member(row, "renamed_to")->valuestring, *change = member(row, "change")->valuestring;
        if (strcmp(change, "renamed") == 0)
            other_key = key_with_name(key, renamed);
        else
            cr_assert_str_empty(renamed, "%s %s", what, key);
        for (int i = 0; i < SUMS; i++)
            check_sum(row, &base, &other, key, other_key != NULL ? other_key : key, i, what);
        long long s0, s1;
        bool in_base = sum_of(&base, key, "count", false, &s0);
        bool in_other = sum_of(&other, other_key != NULL ? other_key : key, "count", false, &s1);
        cr_assert_eq(strcmp(change, "new") == 0, !in_base, "%s %s %s", what, key, change);
        cr_assert_eq(strcmp(change, "gone") == 0, !in_other, "%s %s %s", what, key, change);
        for (int i = 0; i < TIMES; i++)
            if (member(row, sums[i]) != NULL && !cJSON_IsNull(member(member(row, sums[i]), "diff")))
                total[i] += ns_of(member(member(row, sums[i]), "diff"));
        free(key);
        free(other_key);
    }
    /* Nothing of either side is missing. */
    for (int i = 0; i < base.count; i++)
        cr_assert(base.used[i], "%s only in the first: %s", what, base.keys[i]);
    for (int i = 0; i < other.count; i++)
        cr_assert(other.used[i], "%s only in the second: %s", what, other.keys[i]);
    /* Shares are of the change of all. */
    cJSON_ArrayForEach(row, member(json, "rows"))
    {
        const cJSON *self = member(row, "self_cpu_time_total"), *share = member(self, "share");
        if (total[1] == 0)
            cr_assert(cJSON_IsNull(share));
        else
            cr_assert_float_eq(share->valuedouble, (double)ns_of(member(self, "diff")) / (double)total[1] * 100, 0.001);
    }
    cr_assert_eq(ns_of(member(member(member(member(json, "compare"), "total"), "self_cpu_time_total"), "diff")),
                 total[1]);
    cJSON_Delete(json);
    free_side(&base);
    free_side(&other);
}

static const char *const groupings[] = {
    "", "-S", "-O", "-k 2", "--group-by name,scope", "--group-by step", "--group-by name,dtype,module", "-p -k 1",
    "--scope forward", "--filter mm", "--no-python",
};
enum { GROUPINGS = sizeof groupings / sizeof groupings[0] };

Test(compare, samples_against_each_alone, .timeout = 120)
{
    static const char *const pairs[][2] = {
        {"mlp_all/trace.json.gz", "mlp_verbose/trace.json.gz"},
        {"ddp/rank0/trace.json.gz", "ddp/rank3/trace.json.gz"},
        {"cnn_steps/trace.json.gz", "transformer_bf16/trace.json.gz"},
        {"gpu_small/trace.json", "mlp_plain/trace.json.gz"},
        {"empty/trace.json", "overloads/trace.json.gz"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        for (int g = 0; g < GROUPINGS; g++)
            if (strstr(groupings[g], "step") == NULL || i != 2) /* there steps are paired by place */
                check_pair(words_sample(pairs[i][0]), words_sample(pairs[i][1]), groupings[g]);
}

Test(compare, public_traces_against_each_alone, .timeout = 300)
{
    static const char *const pairs[][2] = {
        {"diff-base.json.gz", "diff-test.json.gz"},
        {"sampled-rank0.json.gz", "sampled-rank1.json.gz"},
        {"dlrm8/worker0.json.gz", "dlrm8/worker5.json.gz"},
        {"h100-bert-small.json.gz", "mi300-bert-small.json.gz"},
        {"a100-diff-control.json.gz", "a100-nccl.json.gz"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        for (int g = 0; g < (i < 4 ? GROUPINGS : 2); g++)
            if (strstr(groupings[g], "step") == NULL)
                check_pair(words_shared(pairs[i][0]), words_shared(pairs[i][1]), groupings[g]);
}

/* -- Laws -------------------------------------------------------------------------------------------------------- */

Test(compare, nothing_changes_against_itself, .timeout = 120)
{
    static const char *const files[] = {"mlp_all/trace.json.gz", "gpu_small/trace.json", "names/trace.json.gz",
                                        "cnn_steps/trace.json.gz", "event_list/trace.json"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        for (int g = 0; g < GROUPINGS; g++) {
            char words[256];
            snprintf(words, sizeof words, "--format json %s %s $1 $2", groupings[g], i % 2 == 1 ? "--per-step" : "");
            cJSON *json = words_json_of(words, words_sample(files[i]), words_sample(files[i]));
            cr_expect_eq(cJSON_GetArraySize(member(json, "rows")), 0, "%s %s", files[i], groupings[g]);
            cJSON_Delete(json);
            snprintf(words, sizeof words, "--format tsv %s $1 $2", groupings[g]);
            struct words_run result = words_run(words, words_sample(files[i]), words_sample(files[i]));
            cr_expect_eq(strchr(result.out.bytes, '\n'), result.out.bytes + result.out.length - 1, "%s",
                         result.out.bytes);
            words_run_free(&result);
        }
    }
}

static const cJSON *find_row(const cJSON *json, const char *key)
{
    const cJSON *row;
    cJSON_ArrayForEach(row, member(json, "rows"))
    {
        char *own = key_of(row);
        bool same = strcmp(own, key) == 0;
        free(own);
        if (same)
            return row;
    }
    return NULL;
}

/* diff(A, B) = -diff(B, A), row by row. */
Test(compare, turned_round_signs_turn, .timeout = 120)
{
    static const char *const pairs[][2] = {{"ddp/rank0/trace.json.gz", "ddp/rank1/trace.json.gz"},
                                           {"mlp_all/trace.json.gz", "gpu_small/trace.json"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const char *a = words_sample(pairs[i][0]), *b = words_sample(pairs[i][1]);
        for (int g = 0; g < GROUPINGS; g++) {
            char words[256];
            if (strcmp(groupings[g], "--group-by step") == 0)
                continue; /* without the name, what a row is besides is its first call's */
            snprintf(words, sizeof words, "--format json %s $1 $2", groupings[g]);
            cJSON *there = words_json_of(words, a, b), *back = words_json_of(words, b, a);
            const cJSON *row, *facets;
            cr_assert_eq(cJSON_GetArraySize(member(there, "rows")), cJSON_GetArraySize(member(back, "rows")));
            cJSON_ArrayForEach(row, member(there, "rows"))
            {
                const char *change = member(row, "change")->valuestring;
                char *key = key_of(row);
                if (strcmp(change, "renamed") == 0) {
                    char *other = key_with_name(key, member(row, "renamed_to")->valuestring);
                    free(key);
                    key = other;
                }
                const cJSON *other = find_row(back, key);
                cr_assert_not_null(other, "%s", key);
                free(key);
                cJSON_ArrayForEach(facets, row)
                {
                    const cJSON *diff = member(facets, "diff"), *turned = member(member(other, facets->string), "diff");
                    if (diff == NULL || cJSON_IsNull(diff))
                        continue;
                    cr_assert_float_eq(diff->valuedouble, -turned->valuedouble, 1e-9, "%s %s", groupings[g],
                                       facets->string);
                }
            }
            cJSON_Delete(there);
            cJSON_Delete(back);
        }
    }
}
