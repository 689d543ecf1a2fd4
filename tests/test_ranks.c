/*
 * Many ranks as one: their statistics against a small computation of its own from the json of single files, the roll of
 * who is there, summaries, formats, what cannot be.
 */
#include <criterion/criterion.h>
#include <cjson/cJSON.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "keyavg/array.h"
#include "keyavg/text.h"
#include "support/render.h"
#include "support/words.h"

enum { FILES_MOST = 8 };

struct set {
    const char *name;
    char *paths[FILES_MOST];
    int count;
};

static cJSON *json_of(const char *words)
{
    struct words_run run = words_run(words, NULL, NULL);
    cr_assert_eq(run.status, 0, "%s: %s", words, run.err.bytes);
    cJSON *json = cJSON_Parse(run.out.bytes);
    cr_assert_not_null(json, "%s", words);
    words_run_free(&run);
    return json;
}

static const cJSON *member(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

static char *copy_of(const char *text)
{
    return memory_copy_text(text, strlen(text));
}

static struct set ddp(void)
{
    struct set set = {.name = "ddp", .count = 4};
    for (int i = 0; i < set.count; i++) {
        char name[64];
        snprintf(name, sizeof name, "ddp/rank%d/trace.json.gz", i);
        set.paths[i] = copy_of(words_sample(name));
    }
    return set;
}

static struct set dlrm8(void)
{
    struct set set = {.name = "dlrm8", .count = 6};
    for (int i = 0; i < set.count; i++) {
        char name[64];
        snprintf(name, sizeof name, "dlrm8/worker%d.json.gz", i);
        set.paths[i] = copy_of(words_shared(name));
    }
    return set;
}

static struct set sampled(void)
{
    struct set set = {.name = "sampled", .count = 2};
    set.paths[0] = copy_of(words_shared("sampled-rank0.json.gz"));
    set.paths[1] = copy_of(words_shared("sampled-rank1.json.gz"));
    return set;
}

static void free_set(struct set *set)
{
    for (int i = 0; i < FILES_MOST; i++)
        free(set->paths[i]);
}

/* Words, then the files of a set. */
static char *words_of(const char *words, const struct set *set)
{
    struct text text = {0};
    text_add_string(&text, words);
    for (int i = 0; i < set->count; i++)
        text_addf(&text, " %s", set->paths[i]);
    return text.bytes;
}

/* The set's files each as a summary. */
static struct set summarised(const struct set *set)
{
    struct set out = {.name = set->name, .count = set->count};
    for (int i = 0; i < set->count; i++) {
        char name[64], words[8192];
        snprintf(name, sizeof name, "%s%d.kavg", set->name, i);
        out.paths[i] = copy_of(words_file(name, ""));
        snprintf(words, sizeof words, "--summarise %s %s", out.paths[i], set->paths[i]);
        words_tell(words, 0, NULL, NULL);
    }
    return out;
}

/* And all of those together as one. */
static struct set merged(const struct set *set)
{
    struct set out = {.name = set->name, .count = 1};
    char name[64], words[8192];
    snprintf(name, sizeof name, "%s-all.kavg", set->name);
    out.paths[0] = copy_of(words_file(name, ""));
    snprintf(words, sizeof words, "--summarise %s", out.paths[0]);
    char *all = words_of(words, set);
    words_tell(all, 0, NULL, NULL);
    free(all);
    return out;
}

/* -- Statistics against single files ----------------------------------------------------------------------------- */

static const char *const sums[] = {"count", "cpu_time_total", "self_cpu_time_total", "device_time_total",
                                   "self_device_time_total"};
enum { SUMS = sizeof sums / sizeof *sums };

/* Times in json are us with three decimals: whole ns. Calls are taken times 1000 as well. */
static long long thousandth(const cJSON *number)
{
    cr_assert(cJSON_IsNumber(number));
    return llround(number->valuedouble * 1000);
}

static bool same_row(const cJSON *a, const cJSON *b)
{
    bool device_a = strcmp(member(a, "device_type")->valuestring, "CPU") != 0;
    bool device_b = strcmp(member(b, "device_type")->valuestring, "CPU") != 0;
    return strcmp(member(a, "key")->valuestring, member(b, "key")->valuestring) == 0 && device_a == device_b &&
           cJSON_IsTrue(member(a, "is_user_annotation")) == cJSON_IsTrue(member(b, "is_user_annotation"));
}

static const cJSON *find_row(const cJSON *json, const cJSON *like)
{
    const cJSON *row;
    cJSON_ArrayForEach(row, member(json, "rows"))
        if (same_row(row, like))
            return row;
    return NULL;
}

static void check_sum(const struct set *set, cJSON *const *singles, const cJSON *row, const char *name, int present)
{
    const cJSON *have = member(row, name);
    const char *key = member(row, "key")->valuestring;
    long long sum = 0, low = LLONG_MAX, high = LLONG_MIN;
    int worst = -1;
    for (int i = 0; i < set->count; i++) {
        const cJSON *own = find_row(singles[i], row);
        long long value = own != NULL ? thousandth(member(own, name)) : 0;
        sum += value;
        low = value < low ? value : low;
        if (value > high) {
            high = value;
            worst = i;
        }
    }
    cr_assert_not_null(have, "%s of %s", name, key);
    cr_expect_eq(thousandth(member(have, "sum")), sum, "%s: sum of %s of %s", set->name, name, key);
    cr_expect_eq(thousandth(member(have, "min")), low, "%s: min of %s of %s", set->name, name, key);
    cr_expect_eq(thousandth(member(have, "max")), high, "%s: max of %s of %s", set->name, name, key);
    cr_expect_eq(thousandth(member(have, "spread")), high - low, "%s: spread of %s of %s", set->name, name, key);
    cr_expect(fabs(member(have, "mean")->valuedouble * 1000 - (double)sum / set->count) <= 1, "mean of %s of %s",
              name, key);
    if (present == set->count)
        cr_expect_eq((int)member(have, "worst")->valuedouble, worst, "%s: worst of %s of %s", set->name, name, key);
}

static void check_statistics(const struct set *set, cJSON *const *singles, const struct set *files)
{
    char *words = words_of("--ranks --format json", files);
    cJSON *json = json_of(words);
    const cJSON *row;
    int rows = 0, of_singles = 0;
    cJSON_ArrayForEach(row, member(json, "rows"))
    {
        int present = 0;
        bool differ = false;
        long long calls = -1;
        for (int i = 0; i < set->count; i++) {
            const cJSON *own = find_row(singles[i], row);
            long long own_calls = own != NULL ? thousandth(member(own, "count")) : 0;
            present += own != NULL;
            differ |= calls >= 0 && own_calls != calls;
            calls = own_calls;
        }
        cr_assert_gt(present, 0, "%s", member(row, "key")->valuestring);
        cr_expect_eq((int)member(row, "ranks")->valuedouble, present);
        cr_expect_eq(cJSON_IsTrue(member(row, "calls_differ")), differ);
        for (int s = 0; s < SUMS; s++)
            if (member(row, sums[s]) != NULL || strstr(sums[s], "device") == NULL)
                check_sum(set, singles, row, sums[s], present);
        rows++;
    }
    for (int i = 0; i < set->count; i++) {
        cJSON_ArrayForEach(row, member(singles[i], "rows"))
        {
            cr_expect_not_null(find_row(json, row), "%s is lost", member(row, "key")->valuestring);
            of_singles++;
        }
    }
    cr_expect_gt(rows, 10);
    cr_expect_leq(rows, of_singles);
    cJSON_Delete(json);
    free(words);
}

static void check_set(struct set set)
{
    cJSON *singles[FILES_MOST] = {0};
    for (int i = 0; i < set.count; i++) {
        char words[4096];
        snprintf(words, sizeof words, "--format json %s", set.paths[i]);
        singles[i] = json_of(words);
    }
    struct set summaries = summarised(&set), whole = merged(&summaries);
    check_statistics(&set, singles, &set);
    check_statistics(&set, singles, &summaries);
    check_statistics(&set, singles, &whole);
    for (int i = 0; i < set.count; i++)
        cJSON_Delete(singles[i]);
    free_set(&whole);
    free_set(&summaries);
    free_set(&set);
}

Test(ranks, statistics_of_ddp, .timeout = 120)
{
    check_set(ddp());
}

Test(ranks, statistics_of_dlrm8, .timeout = 120)
{
    check_set(dlrm8());
}

Test(ranks, statistics_of_sampled_ranks, .timeout = 120)
{
    check_set(sampled());
}

/* Each rank's row is that of its own file. */
Test(ranks, rows_by_rank)
{
    struct set set = ddp();
    char *words = words_of("--by-rank --format json", &set);
    cJSON *json = json_of(words);
    const cJSON *row;
    int of_singles = 0;
    for (int i = 0; i < set.count; i++) {
        char alone[4096];
        snprintf(alone, sizeof alone, "--format json %s", set.paths[i]);
        cJSON *single = json_of(alone);
        of_singles += cJSON_GetArraySize(member(single, "rows"));
        cJSON_ArrayForEach(row, member(json, "rows"))
        {
            const cJSON *own = find_row(single, row);
            if ((int)member(row, "node_id")->valuedouble != i)
                continue;
            cr_assert_not_null(own);
            for (int s = 0; s < 3; s++)
                cr_expect_eq(thousandth(member(row, sums[s])), thousandth(member(own, sums[s])));
        }
        cJSON_Delete(single);
    }
    cr_expect_eq(cJSON_GetArraySize(member(json, "rows")), of_singles);
    cJSON_Delete(json);
    free(words);
    free_set(&set);
}

/* Percentiles of a summary are within 1 % of those of its trace. */
Test(ranks, percentiles_of_a_summary)
{
    static const char *const names[] = {"p50", "p90", "p99"};
    struct set set = ddp();
    set.count = 1;
    struct set summary = summarised(&set);
    char words[4096];
    snprintf(words, sizeof words, "-c key,p50,p90,p99 --format json %s", set.paths[0]);
    cJSON *exact = json_of(words);
    snprintf(words, sizeof words, "-c key,p50,p90,p99 --format json %s", summary.paths[0]);
    cJSON *have = json_of(words);
    const cJSON *row, *own;
    cJSON_ArrayForEach(row, member(have, "rows"))
    {
        cJSON_ArrayForEach(own, member(exact, "rows"))
        {
            if (strcmp(member(row, "key")->valuestring, member(own, "key")->valuestring) != 0)
                continue;
            for (int i = 0; i < 3; i++) {
                double a = member(own, names[i])->valuedouble, b = member(row, names[i])->valuedouble;
                cr_expect(fabs(a - b) <= a * 0.01 + 0.001, "%s of %s: %f, not %f", names[i],
                          member(row, "key")->valuestring, b, a);
            }
        }
    }
    cJSON_Delete(exact);
    cJSON_Delete(have);
    free_set(&summary);
    free_set(&set);
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
    cJSON_ArrayForEach(bar, member(row, "histogram"))
    {
        char key[512];
        snprintf(key, sizeof key, "%s %.3f", member(row, "key")->valuestring, cJSON_GetArrayItem(bar, 0)->valuedouble);
        cJSON *have = cJSON_GetObjectItemCaseSensitive(map, key);
        double calls = sign * cJSON_GetArrayItem(bar, 2)->valuedouble;
        if (have == NULL)
            cJSON_AddNumberToObject(map, key, calls);
        else
            cJSON_SetNumberValue(have, have->valuedouble + calls);
    }
}

/* Json has the histograms: all calls are in them, percentiles follow from them, and those of several ranks add up. */
Test(ranks, histograms_in_json, .timeout = 60)
{
    static const int percentiles[] = {50, 90, 99};
    struct set set = ddp(), summaries = summarised(&set);
    char *words = words_of("--format json", &summaries);
    cJSON *all = json_of(words), *map = cJSON_CreateObject();
    const cJSON *row;
    int rows = 0;
    cJSON_ArrayForEach(row, member(all, "rows"))
    {
        const cJSON *bars = member(row, "histogram"), *bar;
        double calls = 0, before = -1;
        cJSON_ArrayForEach(bar, bars)
        {
            double low = cJSON_GetArrayItem(bar, 0)->valuedouble, high = cJSON_GetArrayItem(bar, 1)->valuedouble;
            cr_expect(low > before && high >= low && high - low <= low / 64 + 1e-9, "%f to %f after %f", low, high, before);
            before = high;
            calls += cJSON_GetArrayItem(bar, 2)->valuedouble;
        }
        cr_expect_float_eq(calls, member(member(row, "count"), "sum")->valuedouble, 0.5);
        for (int i = 0; i < 3; i++) {
            char name[8];
            snprintf(name, sizeof name, "p%d", percentiles[i]);
            double told = member(row, name)->valuedouble, made = percentile_of(bars, percentiles[i]);
            cr_expect(fabs(told - made) <= told / 64 + 0.001, "%s of %s: %f, from the histogram %f", name,
                      member(row, "key")->valuestring, told, made);
        }
        count_bars(map, row, 1);
        rows++;
    }
    cr_expect_gt(rows, 60);
    for (int i = 0; i < summaries.count; i++) {
        char alone[4096];
        snprintf(alone, sizeof alone, "--format json %s", summaries.paths[i]);
        cJSON *one = json_of(alone);
        cJSON_ArrayForEach(row, member(one, "rows")) { count_bars(map, row, -1); }
        cJSON_Delete(one);
    }
    cJSON_ArrayForEach(row, map) { cr_expect_float_eq(row->valuedouble, 0, 0.5, "%s: %f", row->string, row->valuedouble); }
    cJSON_Delete(map);
    cJSON_Delete(all);
    free(words);
    /* What was asked for is all that is there. */
    words = words_of("-c key,count --format json", &summaries);
    all = json_of(words);
    cr_expect_null(member(cJSON_GetArrayItem(member(all, "rows"), 0), "histogram"));
    cJSON_Delete(all);
    free(words);
    free_set(&summaries);
    free_set(&set);
}

/* -- Who is there ------------------------------------------------------------------------------------------------ */

Test(ranks, a_folder_is_read)
{
    char words[4096];
    snprintf(words, sizeof words, "--batch %s", words_sample("ddp"));
    words_tell(words, 0, "Self CPU time total of 4 ranks: 400.078ms",
                "16 files of the folders are no traces and were left out");
}

Test(ranks, missing_ranks_are_told)
{
    struct set set = ddp();
    free(set.paths[2]);
    set.paths[2] = set.paths[3];
    set.paths[3] = NULL;
    set.count = 3;
    char *words = words_of("--batch --format json", &set);
    words_tell(words, 0, "\"missing\": [2],", "of 4 ranks 1 is missing: 2\n");
    free(words);
    free_set(&set);
}

Test(ranks, double_ranks_are_told)
{
    struct set set = ddp();
    char *text = support_read(set.paths[1], NULL), *start = strstr(text, "\"name\"");
    cr_assert_not_null(start);
    /* Another recording of rank 1: one event fewer. */
    char *phase = strstr(text, "\"ph\": \"X\"");
    cr_assert_not_null(phase);
    phase[7] = 'M';
    free(set.paths[0]);
    set.paths[0] = copy_of(words_file("again.json", text));
    free(text);
    set.count = 3;
    char *words = words_of("--batch", &set);
    words_tell(words, 0, "of 3 ranks", "rank 1 is there 2 times, and each counts as a rank: ");
    words_tell(words, 0, NULL, "of 4 ranks 2 are missing: 0, 3\n");
    free(words);
    free_set(&set);
}

/* The same recording again is no other rank. */
Test(ranks, the_same_again_is_left_out)
{
    struct set set = ddp(), summaries = summarised(&set);
    free(set.paths[3]);
    set.paths[3] = copy_of(summaries.paths[2]);
    char *words = words_of("--batch", &set);
    words_tell(words, 0, "of 3 ranks", "ddp2.kavg: the same as a file before it; left out\n");
    free(words);
    free_set(&set);
    free_set(&summaries);
}

Test(ranks, ranks_that_nothing_tells_are_numbered)
{
    char words[8192], *mlp = copy_of(words_sample("mlp_all/trace.json.gz"));
    snprintf(words, sizeof words, "--ranks --by-rank -c node_id -f csv %s %s", mlp,
             words_sample("cnn_steps/trace.json.gz"));
    words_tell(words, 0, "0\r\n1\r\n",
                "2 files tell no rank, neither in distributedInfo nor by their names (rank3, worker3)");
    free(mlp);
}

/* -- Reading ----------------------------------------------------------------------------------------------------- */

static char *printed(const char *words)
{
    struct words_run run = words_run(words, NULL, NULL);
    cr_assert_eq(run.status, 0, "%s: %s", words, run.err.bytes);
    char *text = copy_of(run.out.bytes);
    words_run_free(&run);
    return text;
}

/* However many are read at a time, the table is the same. */
Test(ranks, memory_and_threads_change_nothing)
{
    static const char *const ways[] = {"--format json --memory 1M --threads 4", "--format json --threads 4",
                                       "--format json --threads 2 --memory 100G"};
    struct set set = ddp();
    char *words = words_of("--format json --threads 1", &set), *first = printed(words);
    free(words);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        words = words_of(ways[i], &set);
        char *other = printed(words);
        cr_expect_str_eq(other, first, "%s", ways[i]);
        free(other);
        free(words);
    }
    free(first);
    free_set(&set);
}

Test(ranks, what_cannot_be_read_is_left_out)
{
    struct set set = ddp();
    free(set.paths[1]);
    set.paths[1] = copy_of("/nowhere/rank1.json");
    free(set.paths[2]);
    set.paths[2] = copy_of(words_file("rank2.kavg", "KAVG\r\n\x1A\nand no more"));
    char *words = words_of("--batch", &set);
    words_tell(words, 1, "of 2 ranks", "/nowhere/rank1.json: No such file or directory; left out\n");
    words_tell(words, 1, NULL, "rank2.kavg: damaged: the file ends after 19 bytes; left out\n");
    words_tell(words, 1, NULL, "of 4 ranks 2 are missing: 1, 2\n");
    free(words);
    free_set(&set);
    words_tell("--batch --ranks /nowhere/a.json /nowhere/b.json", 1, "",
               "/nowhere/a.json and 1 more: no trace or summary there");
}

/* -- What is shown ----------------------------------------------------------------------------------------------- */

Test(ranks, lines_over_ranks)
{
    struct set set = ddp();
    char *words = words_of("-c key,self_cpu_time_total.line -F DistributedDataParallel.forward -f csv", &set);
    words_tell(words, 0, "DistributedDataParallel.forward,", NULL);
    struct words_run run = words_run(words, NULL, NULL);
    /* The first rank has most, the last one least. */
    const char *line = strchr(strchr(run.out.bytes, '\n'), ',') + 1;
    cr_expect_eq(strncmp(line, "\xE2\x96\x88", 3), 0, "%s", line);
    cr_expect_eq(strlen(line), 14); /* three bytes a rank, and the end of the line */
    words_run_free(&run);
    free(words);
    free_set(&set);
}

static int by_line(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The lines in an order of their own. */
static char *sorted_lines(char *text)
{
    ARRAY(char *) lines = {0};
    struct text out = {0};
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n"))
        array_push(&lines, line);
    qsort(lines.items, lines.count, sizeof *lines.items, by_line);
    for (size_t i = 0; i < lines.count; i++)
        text_addf(&out, "%s\n", lines.items[i]);
    array_free(&lines);
    free(text);
    return out.bytes;
}

/* Traces and their summaries say the same. */
Test(ranks, groupings_filters_and_sorting)
{
    struct set set = ddp(), summaries = summarised(&set);
    static const char *const same[] = {
        "-f csv -S -s count.spread -c key,input_shapes,count",
        "-f csv -g name,step -F step:2 -c key,step,count,self_cpu_time_total -s self_cpu_time_total.max",
        "-f csv --scope backward -c key,count,cpu_time_total -s cpu_time_total",
        "-f csv -F 'aten self_cpu_time_total.spread>1ms' -c key,ranks,self_cpu_time_total -s self_cpu_time_total.max",
        "-f csv -t -c key,count -s count",
        "-f csv -L 5 -c key,self_cpu_percent -s self_cpu_time_total",
    };
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        /* Equal rows stand in the order of their first appearance, which a summary does not keep. */
        char *words = words_of(same[i], &set), *others = words_of(same[i], &summaries);
        char *first = sorted_lines(printed(words)), *second = sorted_lines(printed(others));
        cr_expect_str_eq(first, second, "%s", same[i]);
        cr_expect_gt(strlen(first), strcspn(first, "\n") + 5, "%s", same[i]);
        free(words);
        free(first);
        free(others);
        free(second);
    }
    free_set(&set);
    free_set(&summaries);
}

Test(ranks, what_cannot_be_is_told)
{
    struct set set = ddp(), summaries = summarised(&set), whole = merged(&summaries);
    static const struct {
        const char *words, *err;
    } cases[] = {
        {"-g module", "it cannot tell module"},
        {"-k 7", "cannot tell 7; make it with --group-by-stack-n 7"},
        {"--format torch", "--format torch is for one trace"},
        {"--view tree", "--view tree is of one trace"},
        {"--by-rank -g step", "--by-rank needs the name in --group-by"},
        {"-c key,self_cpu_time_total.diff", "the column self_cpu_time_total.diff needs"},
        {"-p", "the summary was made with other options for Python frames"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *words = words_of(cases[i].words, &summaries);
        words_tell(words, 2, "", cases[i].err);
        free(words);
    }
    char *words = words_of("--by-rank", &whole);
    words_tell(words, 2, "", "a summary of 4 ranks together; --by-rank needs one of each rank");
    free(words);
    free_set(&whole);
    free_set(&summaries);
    free_set(&set);
}

/* -- Summaries on the command line ------------------------------------------------------------------------------- */

Test(ranks, summaries_merge_to_the_same_bytes)
{
    struct set set = ddp(), summaries = summarised(&set), one = merged(&summaries);
    size_t lengths[2];
    char *first = support_read(one.paths[0], &lengths[0]);
    /* All traces at once, the other way round. */
    struct set turned = set;
    for (int i = 0; i < set.count; i++)
        turned.paths[i] = set.paths[set.count - 1 - i];
    struct set other = merged(&turned);
    char *second = support_read(other.paths[0], &lengths[1]);
    cr_assert_eq(lengths[0], lengths[1]);
    cr_assert_arr_eq(first, second, lengths[0]);
    free(first);
    free(second);
    free_set(&other);
    free_set(&one);
    free_set(&summaries);
    free_set(&set);
}

Test(ranks, a_summary_is_not_read_and_written_at_once)
{
    struct set set = ddp();
    set.count = 1;
    struct set summary = summarised(&set);
    char words[4096];
    snprintf(words, sizeof words, "--summarise %s %s %s", summary.paths[0], set.paths[0], summary.paths[0]);
    words_tell(words, 2, "", "is to be read and to be written; give the summary another name");
    snprintf(words, sizeof words, "--batch %s", summary.paths[0]);
    words_tell(words, 0, "of 1 rank:", NULL);
    free_set(&summary);
    free_set(&set);
}

Test(ranks, unlike_summaries_are_not_merged)
{
    struct set set = ddp();
    set.count = 1;
    struct set summary = summarised(&set);
    char words[8192], *deep = copy_of(words_file("deep.kavg", "")), *both = copy_of(words_file("both.kavg", ""));
    snprintf(words, sizeof words, "--summarise %s -k 9 %s", deep, set.paths[0]);
    words_tell(words, 0, NULL, NULL);
    snprintf(words, sizeof words, "--summarise %s %s %s", both, summary.paths[0], deep);
    words_tell(words, 2, NULL, "deep.kavg: it has stacks of 9 frames, others have 5");
    free(deep);
    free(both);
    free_set(&summary);
    free_set(&set);
}
