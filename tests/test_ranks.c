/*
 * Many ranks as one: their statistics against a small computation of its own from the json of single files, the roll of
 * who is there, summaries, formats, what cannot be.
 */
#include <criterion/criterion.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "keyavg/array.h"
#include "keyavg/rank_files.h"
#include "keyavg/text.h"
#include "support/ranks.h"
#include "support/render.h"
#include "support/words.h"

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
    bool device_a = strcmp(words_member(a, "device_type")->valuestring, "CPU") != 0;
    bool device_b = strcmp(words_member(b, "device_type")->valuestring, "CPU") != 0;
    return strcmp(words_member(a, "key")->valuestring, words_member(b, "key")->valuestring) == 0 &&
           device_a == device_b &&
           cJSON_IsTrue(words_member(a, "is_user_annotation")) == cJSON_IsTrue(words_member(b, "is_user_annotation"));
}

static const cJSON *find_row(const cJSON *json, const cJSON *like)
{
    const cJSON *row;
    cJSON_ArrayForEach(row, words_member(json, "rows"))
        if (same_row(row, like))
            return row;
    return NULL;
}

static void check_sum(const struct rank_set *set, cJSON *const *singles, const cJSON *row, const char *name,
                      int present)
{
    const cJSON *have = words_member(row, name);
    const char *key = words_member(row, "key")->valuestring;
    long long sum = 0, low = LLONG_MAX, high = LLONG_MIN;
    int worst = -1;
    for (int i = 0; i < set->count; i++) {
        const cJSON *own = find_row(singles[i], row);
        long long value = own != NULL ? thousandth(words_member(own, name)) : 0;
        sum += value;
        low = value < low ? value : low;
        if (value > high) {
            high = value;
            worst = i;
        }
    }
    cr_assert_not_null(have, "%s of %s", name, key);
    cr_expect_eq(thousandth(words_member(have, "sum")), sum, "%s: sum of %s of %s", set->name, name, key);
    cr_expect_eq(thousandth(words_member(have, "min")), low, "%s: min of %s of %s", set->name, name, key);
    cr_expect_eq(thousandth(words_member(have, "max")), high, "%s: max of %s of %s", set->name, name, key);
    cr_expect_eq(thousandth(words_member(have, "spread")), high - low, "%s: spread of %s of %s", set->name, name, key);
    cr_expect(fabs(words_member(have, "mean")->valuedouble * 1000 - (double)sum / set->count) <= 1, "mean of %s of %s",
              name, key);
    if (present == set->count)
        cr_expect_eq((int)words_member(have, "worst")->valuedouble, worst, "%s: worst of %s of %s", set->name, name,
                     key);
}

static void check_statistics(const struct rank_set *set, cJSON *const *singles, const struct rank_set *files)
{
    char *words = rank_set_words("--ranks --format json", files);
    cJSON *json = words_json(words);
    const cJSON *row;
    int rows = 0, of_singles = 0;
    cJSON_ArrayForEach(row, words_member(json, "rows"))
    {
        int present = 0;
        bool differ = false;
        long long calls = -1;
        for (int i = 0; i < set->count; i++) {
            const cJSON *own = find_row(singles[i], row);
            long long own_calls = own != NULL ? thousandth(words_member(own, "count")) : 0;
            present += own != NULL;
            differ |= calls >= 0 && own_calls != calls;
            calls = own_calls;
        }
        cr_assert_gt(present, 0, "%s", words_member(row, "key")->valuestring);
        cr_expect_eq((int)words_member(row, "ranks")->valuedouble, present);
        cr_expect_eq(cJSON_IsTrue(words_member(row, "calls_differ")), differ);
        for (int s = 0; s < SUMS; s++)
            if (words_member(row, sums[s]) != NULL || strstr(sums[s], "device") == NULL)
                check_sum(set, singles, row, sums[s], present);
        rows++;
    }
    for (int i = 0; i < set->count; i++) {
        cJSON_ArrayForEach(row, words_member(singles[i], "rows"))
        {
            cr_expect_not_null(find_row(json, row), "%s is lost", words_member(row, "key")->valuestring);
            of_singles++;
        }
    }
    cr_expect_gt(rows, 10);
    cr_expect_leq(rows, of_singles);
    cJSON_Delete(json);
    free(words);
}

static void check_set(struct rank_set set)
{
    cJSON *singles[RANK_SET_MOST] = {0};
    for (int i = 0; i < set.count; i++) {
        char words[4096];
        snprintf(words, sizeof words, "--format json %s", set.paths[i]);
        singles[i] = words_json(words);
    }
    struct rank_set summaries = rank_set_summarised(&set), whole = rank_set_merged(&summaries);
    check_statistics(&set, singles, &set);
    check_statistics(&set, singles, &summaries);
    check_statistics(&set, singles, &whole);
    for (int i = 0; i < set.count; i++)
        cJSON_Delete(singles[i]);
    rank_set_free(&whole);
    rank_set_free(&summaries);
    rank_set_free(&set);
}

Test(ranks, statistics_of_ddp, .timeout = 120)
{
    check_set(rank_set_ddp());
}

Test(ranks, statistics_of_dlrm8, .timeout = 120)
{
    check_set(rank_set_dlrm8());
}

Test(ranks, statistics_of_sampled_ranks, .timeout = 120)
{
    check_set(rank_set_sampled());
}

/* Each rank's row is that of its own file. */
Test(ranks, rows_by_rank)
{
    struct rank_set set = rank_set_ddp();
    char *words = rank_set_words("--by-rank --format json", &set);
    cJSON *json = words_json(words);
    const cJSON *row;
    int of_singles = 0;
    for (int i = 0; i < set.count; i++) {
        char alone[4096];
        snprintf(alone, sizeof alone, "--format json %s", set.paths[i]);
        cJSON *single = words_json(alone);
        of_singles += cJSON_GetArraySize(words_member(single, "rows"));
        cJSON_ArrayForEach(row, words_member(json, "rows"))
        {
            const cJSON *own = find_row(single, row);
            if ((int)words_member(row, "node_id")->valuedouble != i)
                continue;
            cr_assert_not_null(own);
            for (int s = 0; s < 3; s++)
                cr_expect_eq(thousandth(words_member(row, sums[s])), thousandth(words_member(own, sums[s])));
        }
        cJSON_Delete(single);
    }
    cr_expect_eq(cJSON_GetArraySize(words_member(json, "rows")), of_singles);
    cJSON_Delete(json);
    free(words);
    rank_set_free(&set);
}

/* -- Who is there ------------------------------------------------------------------------------------------------ */

Test(ranks, a_folder_is_read)
{
    char words[4096];
    snprintf(words, sizeof words, "--batch %s", words_sample("ddp"));
    words_tell(words, 0, "Self CPU time total of 4 ranks: 400.078ms",
                "16 files of the folders are no traces and were left out");
}

static void tell_nobody(void *context, const char *line)
{
    (void)context;
    (void)line;
}

/* `keyavg /` ends with a word, not after the whole file system. */
Test(ranks, a_folder_without_end_is_refused)
{
    struct rank_reading reading = {.tell = tell_nobody, .most_entries = 10};
    const char *paths[] = {words_sample("ddp")};
    struct rank_files files = {0};
    struct error error = {0};
    cr_expect_not(rank_files_find(&files, paths, 1, NULL, &reading, &error));
    cr_expect_eq(error.code, ERROR_USAGE);
    cr_expect_not_null(strstr(error.text, "ddp: more than 10 files and folders below it; give the folder of"), "%s",
                       error.text);
    rank_files_free(&files);
    files = (struct rank_files){0};
    reading.most_entries = 1000;
    cr_expect(rank_files_find(&files, paths, 1, NULL, &reading, &error));
    cr_expect_gt(files.list.count, 4);
    rank_files_free(&files);
}

Test(ranks, missing_ranks_are_told)
{
    struct rank_set set = rank_set_ddp();
    free(set.paths[2]);
    set.paths[2] = set.paths[3];
    set.paths[3] = NULL;
    set.count = 3;
    char *words = rank_set_words("--batch --format json", &set);
    words_tell(words, 0, "\"missing\": [2],", "of 4 ranks 1 is missing: 2\n");
    free(words);
    rank_set_free(&set);
}

Test(ranks, double_ranks_are_told)
{
    struct rank_set set = rank_set_ddp();
    char *text = support_read(set.paths[1], NULL), *start = strstr(text, "\"name\"");
    cr_assert_not_null(start);
    /* Another recording of rank 1: one event fewer. */
    char *phase = strstr(text, "\"ph\": \"X\"");
    cr_assert_not_null(phase);
    phase[7] = 'M';
    free(set.paths[0]);
    set.paths[0] = strdup(words_file("again.json", text));
    free(text);
    set.count = 3;
    char *words = rank_set_words("--batch", &set);
    words_tell(words, 0, "of 3 ranks", "rank 1 is there 2 times, and each counts as a rank: ");
    words_tell(words, 0, NULL, "of 4 ranks 2 are missing: 0, 3\n");
    free(words);
    rank_set_free(&set);
}

/* The same recording again is no other rank. */
Test(ranks, the_same_again_is_left_out)
{
    struct rank_set set = rank_set_ddp(), summaries = rank_set_summarised(&set);
    free(set.paths[3]);
    set.paths[3] = strdup(summaries.paths[2]);
    char *words = rank_set_words("--batch", &set);
    words_tell(words, 0, "of 3 ranks", "ddp2.kavg: the same as a file before it; left out\n");
    free(words);
    rank_set_free(&set);
    rank_set_free(&summaries);
}

Test(ranks, ranks_that_nothing_tells_are_numbered)
{
    char words[8192], *mlp = strdup(words_sample("mlp_all/trace.json.gz"));
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
    char *text = strdup(run.out.bytes);
    words_run_free(&run);
    return text;
}

/* However many are read at a time, the table is the same. */
Test(ranks, memory_and_threads_change_nothing)
{
    static const char *const ways[] = {"--format json --memory 1M --threads 4", "--format json --threads 4",
                                       "--format json --threads 2 --memory 100G"};
    struct rank_set set = rank_set_ddp();
    char *words = rank_set_words("--format json --threads 1", &set), *first = printed(words);
    free(words);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        words = rank_set_words(ways[i], &set);
        char *other = printed(words);
        cr_expect_str_eq(other, first, "%s", ways[i]);
        free(other);
        free(words);
    }
    free(first);
    rank_set_free(&set);
}

Test(ranks, what_cannot_be_read_is_left_out)
{
    struct rank_set set = rank_set_ddp();
    free(set.paths[1]);
    set.paths[1] = strdup("/nowhere/rank1.json");
    free(set.paths[2]);
    set.paths[2] = strdup(words_file("rank2.kavg", "KAVG\r\n\x1A\nand no more"));
    char *words = rank_set_words("--batch", &set);
    words_tell(words, 1, "of 2 ranks", "/nowhere/rank1.json: No such file or directory; left out\n");
    words_tell(words, 1, NULL, "rank2.kavg: damaged: the file ends after 19 bytes; left out\n");
    words_tell(words, 1, NULL, "of 4 ranks 2 are missing: 1, 2\n");
    free(words);
    rank_set_free(&set);
    words_tell("--batch --ranks /nowhere/a.json /nowhere/b.json", 1, "",
               "/nowhere/a.json and 1 more: no trace or summary there");
}

/* -- What is shown ----------------------------------------------------------------------------------------------- */

Test(ranks, lines_over_ranks)
{
    struct rank_set set = rank_set_ddp();
    char *words = rank_set_words("-c key,self_cpu_time_total.line -F DistributedDataParallel.forward -f csv", &set);
    words_tell(words, 0, "DistributedDataParallel.forward,", NULL);
    struct words_run run = words_run(words, NULL, NULL);
    /* The first rank has most, the last one least. */
    const char *line = strchr(strchr(run.out.bytes, '\n'), ',') + 1;
    cr_expect_eq(strncmp(line, "\xE2\x96\x88", 3), 0, "%s", line);
    cr_expect_eq(strlen(line), 14); /* three bytes a rank, and the end of the line */
    words_run_free(&run);
    free(words);
    rank_set_free(&set);
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
    struct rank_set set = rank_set_ddp(), summaries = rank_set_summarised(&set);
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
        char *words = rank_set_words(same[i], &set), *others = rank_set_words(same[i], &summaries);
        char *first = sorted_lines(printed(words)), *second = sorted_lines(printed(others));
        cr_expect_str_eq(first, second, "%s", same[i]);
        cr_expect_gt(strlen(first), strcspn(first, "\n") + 5, "%s", same[i]);
        free(words);
        free(first);
        free(others);
        free(second);
    }
    rank_set_free(&set);
    rank_set_free(&summaries);
}

Test(ranks, what_cannot_be_is_told)
{
    struct rank_set set = rank_set_ddp(), summaries = rank_set_summarised(&set), whole = rank_set_merged(&summaries);
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
        char *words = rank_set_words(cases[i].words, &summaries);
        words_tell(words, 2, "", cases[i].err);
        free(words);
    }
    char *words = rank_set_words("--by-rank", &whole);
    words_tell(words, 2, "", "a summary of 4 ranks together; --by-rank needs one of each rank");
    free(words);
    rank_set_free(&whole);
    rank_set_free(&summaries);
    rank_set_free(&set);
}

/* -- Summaries on the command line ------------------------------------------------------------------------------- */

Test(ranks, summaries_merge_to_the_same_bytes)
{
    struct rank_set set = rank_set_ddp(), summaries = rank_set_summarised(&set), one = rank_set_merged(&summaries);
    size_t lengths[2];
    char *first = support_read(one.paths[0], &lengths[0]);
    /* All traces at once, the other way round. */
    struct rank_set turned = set;
    for (int i = 0; i < set.count; i++)
        turned.paths[i] = set.paths[set.count - 1 - i];
    struct rank_set other = rank_set_merged(&turned);
    char *second = support_read(other.paths[0], &lengths[1]);
    cr_assert_eq(lengths[0], lengths[1]);
    cr_assert_arr_eq(first, second, lengths[0]);
    free(first);
    free(second);
    rank_set_free(&other);
    rank_set_free(&one);
    rank_set_free(&summaries);
    rank_set_free(&set);
}

Test(ranks, a_summary_is_not_read_and_written_at_once)
{
    struct rank_set set = rank_set_ddp();
    set.count = 1;
    struct rank_set summary = rank_set_summarised(&set);
    char words[4096];
    snprintf(words, sizeof words, "--summarise %s %s %s", summary.paths[0], set.paths[0], summary.paths[0]);
    words_tell(words, 2, "", "is to be read and to be written; give the summary another name");
    snprintf(words, sizeof words, "--batch %s", summary.paths[0]);
    words_tell(words, 0, "of 1 rank:", NULL);
    rank_set_free(&summary);
    rank_set_free(&set);
}

Test(ranks, unlike_summaries_are_not_merged)
{
    struct rank_set set = rank_set_ddp();
    set.count = 1;
    struct rank_set summary = rank_set_summarised(&set);
    char words[8192], *deep = strdup(words_file("deep.kavg", "")), *both = strdup(words_file("both.kavg", ""));
    snprintf(words, sizeof words, "--summarise %s -k 9 %s", deep, set.paths[0]);
    words_tell(words, 0, NULL, NULL);
    snprintf(words, sizeof words, "--summarise %s %s %s", both, summary.paths[0], deep);
    words_tell(words, 2, NULL, "deep.kavg: it has stacks of 9 frames, others have 5");
    free(deep);
    free(both);
    rank_set_free(&summary);
    rank_set_free(&set);
}
