/*
 * How calls are spread in summaries: percentiles, and the histograms that json has.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/ranks.h"

/* Percentiles of a summary are within 1 % of those of its trace. */
Test(percentiles, percentiles_of_a_summary)
{
    static const char *const names[] = {"p50", "p90", "p99"};
    struct rank_set set = rank_set_ddp();
    set.count = 1;
    struct rank_set summary = rank_set_summarised(&set);
    char words[4096];
    snprintf(words, sizeof words, "-c key,p50,p90,p99 --format json %s", set.paths[0]);
    cJSON *exact = words_json(words);
    snprintf(words, sizeof words, "-c key,p50,p90,p99 --format json %s", summary.paths[0]);
    cJSON *have = words_json(words);
    const cJSON *row, *own;
    cJSON_ArrayForEach(row, words_member(have, "rows"))
    {
        cJSON_ArrayForEach(own, words_member(exact, "rows"))
        {
            if (strcmp(words_member(row, "key")->valuestring, words_member(own, "key")->valuestring) != 0)
                continue;
            for (int i = 0; i < 3; i++) {
                double a = words_member(own, names[i])->valuedouble, b = words_member(row, names[i])->valuedouble;
                cr_expect(fabs(a - b) <= a * 0.01 + 0.001, "%s of %s: %f, not %f", names[i],
                          words_member(row, "key")->valuestring, b, a);
            }
        }
    }
    cJSON_Delete(exact);
    cJSON_Delete(have);
    rank_set_free(&summary);
    rank_set_free(&set);
}

/* The duration that p of 100 calls do not exceed, as the middle of its range. */
static double percentile_of(const cJSON *bars, int p)
{
    const cJSON *bar;
    double all = 0, seen = 0;
    cJSON_ArrayForEach(bar, bars) { all += cJSON_GetArrayItem(bar, 2)->valuedouble; }
    cJSON_ArrayForEach(bar, bars)
    {
        seen += cJSON_GetArrayItem(bar, 2)->valuedouble;
        if (seen * 100 >= all * p)
            return (cJSON_GetArrayItem(bar, 0)->valuedouble + cJSON_GetArrayItem(bar, 1)->valuedouble) / 2;
    }
    return -1;
}

/* Adds a row's calls to a map of `name range` to calls, or takes them away. */
static void count_bars(cJSON *map, const cJSON *row, double sign)
{
    const cJSON *bar;
    cJSON_ArrayForEach(bar, words_member(row, "histogram"))
    {
        char key[512];
        snprintf(key, sizeof key, "%s %.3f", words_member(row, "key")->valuestring,
                 cJSON_GetArrayItem(bar, 0)->valuedouble);
        cJSON *have = cJSON_GetObjectItemCaseSensitive(map, key);
        double calls = sign * cJSON_GetArrayItem(bar, 2)->valuedouble;
        if (have == NULL)
            cJSON_AddNumberToObject(map, key, calls);
        else
            cJSON_SetNumberValue(have, have->valuedouble + calls);
    }
}

/* Json has the histograms: all calls are in them, percentiles follow from them, and those of several ranks add up. */
Test(percentiles, histograms_in_json, .timeout = 60)
{
    static const int percentiles[] = {50, 90, 99};
    struct rank_set set = rank_set_ddp(), summaries = rank_set_summarised(&set);
    char *words = rank_set_words("--format json", &summaries);
    cJSON *all = words_json(words), *map = cJSON_CreateObject();
    const cJSON *row;
    int rows = 0;
    cJSON_ArrayForEach(row, words_member(all, "rows"))
    {
        const cJSON *bars = words_member(row, "histogram"), *bar;
        double calls = 0, before = -1;
        cJSON_ArrayForEach(bar, bars)
        {
            double low = cJSON_GetArrayItem(bar, 0)->valuedouble, high = cJSON_GetArrayItem(bar, 1)->valuedouble;
            cr_expect(low > before && high >= low && high - low <= low / 64 + 1e-9, "%f to %f after %f", low, high,
                      before);
            before = high;
            calls += cJSON_GetArrayItem(bar, 2)->valuedouble;
        }
        cr_expect_float_eq(calls, words_member(words_member(row, "count"), "sum")->valuedouble, 0.5);
        for (int i = 0; i < 3; i++) {
            char name[8];
            snprintf(name, sizeof name, "p%d", percentiles[i]);
            double told = words_member(row, name)->valuedouble, made = percentile_of(bars, percentiles[i]);
            cr_expect(fabs(told - made) <= told / 64 + 0.001, "%s of %s: %f, from the histogram %f", name,
                      words_member(row, "key")->valuestring, told, made);
        }
        count_bars(map, row, 1);
        rows++;
    }
    cr_expect_gt(rows, 60);
    for (int i = 0; i < summaries.count; i++) {
        char alone[4096];
        snprintf(alone, sizeof alone, "--format json %s", summaries.paths[i]);
        cJSON *one = words_json(alone);
        cJSON_ArrayForEach(row, words_member(one, "rows")) { count_bars(map, row, -1); }
        cJSON_Delete(one);
    }
    cJSON_ArrayForEach(row, map)
    {
        cr_expect_float_eq(row->valuedouble, 0, 0.5, "%s: %f", row->string, row->valuedouble);
    }
    cJSON_Delete(map);
    cJSON_Delete(all);
    free(words);
    /* What was asked for is all that is there. */
    words = rank_set_words("-c key,count --format json", &summaries);
    all = words_json(words);
    cr_expect_null(words_member(cJSON_GetArrayItem(words_member(all, "rows"), 0), "histogram"));
    cJSON_Delete(all);
    free(words);
    rank_set_free(&summaries);
    rank_set_free(&set);
}
