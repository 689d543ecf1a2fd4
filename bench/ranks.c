/* What many summaries cost: makes FILES of them, of ROWS rows in each of their tables, in FOLDER (which is left there),
 * then opens all of them as ranks and merges them. Prints a line for each: what, files, rows, bytes of a file, the
 * least of five in milliseconds of wall clock, and of CPU time of all threads, which on a busy machine tells more. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "keyavg/ranks.h"
#include "measure.h"

enum { ROUNDS = 5, BARS = 12 };

static uint64_t state = 88172645463325252u;

static uint64_t next_random(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static uint32_t add_name(struct summary *summary, const char *format, uint32_t number)
{
    char name[96];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    int length = snprintf(name, sizeof name, format, (unsigned long)number);
#pragma GCC diagnostic pop
    return strings_add(&summary->strings, name, (size_t)length);
}

static struct group_key key_of(struct summary *summary, enum summary_table table, uint32_t row)
{
    struct group_key key = {.name = add_name(summary, "aten::an_operator_of_some_length_%lu", row), .node = -1};
    if (table == SUMMARY_SHAPE)
        key.shapes = add_name(summary, "[[%lu, 1024], [1024, 1024]]", row % 64);
    if (table == SUMMARY_STACK)
        for (uint32_t i = 0; i < 5; i++)
            key.stack = stacks_add(&summary->stacks, key.stack,
                                   add_name(summary, "model/layers.py(%lu): forward", row % 97 + i));
    if (table == SUMMARY_STEP)
        key.step = row % 8;
    if (table == SUMMARY_SCOPE)
        key.phase = (uint8_t)(row % 4);
    return key;
}

/* A row takes about as long on every rank. */
static void fill_group(struct group *group, uint32_t row)
{
    uint32_t range = 400 + row * 7 % 400 + (uint32_t)(next_random() % 8);
    for (int m = 0; m < MEASURE_MEMORY; m++)
        group->sums[m] = (int64_t)(next_random() % 100000000);
    for (int m = 0; m < MEASURE_TIMES; m++)
        group->squares[m] = next_random();
    group->min = histogram_low(range);
    for (int i = 0; i < BARS; i++) {
        histogram_push(&group->histogram, range, 1 + next_random() % 100);
        range += 1 + (uint32_t)(next_random() % 9);
    }
    group->max = histogram_low(range);
    group->scope = 0;
    group->kinds = 1;
}

static struct summary *make(uint32_t rank, uint32_t ranks, uint32_t rows)
{
    struct summary *summary = summary_new();
    struct source source = {
        .rank = rank, .world_size = ranks, .has = SOURCE_SHAPES | SOURCE_STACKS, .start = rank, .events = rows};
    summary->tables_read = (1u << SUMMARY_TABLES) - 1;
    source.name = add_name(summary, "rank%lu.json.gz", rank);
    for (int t = 0; t < SUMMARY_TABLES; t++) {
        struct grouping grouping = summary_grouping(summary, (enum summary_table)t);
        groups_init(&summary->tables[t], &grouping, &summary->strings, &summary->stacks);
        for (uint32_t row = 0; row < rows; row++) {
            struct group_key key = key_of(summary, (enum summary_table)t, row);
            uint32_t number = groups_add(&summary->tables[t], &key);
            fill_group(&summary->tables[t].items[number], row);
        }
    }
    array_push(&summary->sources, source);
    return summary;
}

static void write_files(const char *folder, uint32_t files, uint32_t rows)
{
    for (uint32_t i = 0; i < files; i++) {
        struct summary *summary = make(i, files, rows);
        struct text bytes = {0}, path = {0};
        summary_add_file(summary, &bytes);
        text_addf(&path, "%s/rank%lu.kavg", folder, (unsigned long)i);
        FILE *file = fopen(path.bytes, "wb");
        if (file == NULL || fwrite(bytes.bytes, 1, bytes.length, file) != bytes.length || fclose(file) != 0) {
            perror(path.bytes);
            exit(1);
        }
        text_free(&bytes);
        text_free(&path);
        summary_free(summary);
    }
}

static void tell(void *context, const char *line)
{
    (void)context;
    fprintf(stderr, "ranks: %s\n", line);
}

/* Opens all as ranks, with the columns of the text format. */
static void open_all(const struct rank_files *files, struct rank_reading *reading)
{
    struct ranks_query query = {.main_sort = true, .lines = 1u << MEASURE_SELF_CPU | 1u << MEASURE_SELF_DEVICE};
    struct error error = {0};
    query_init(&query.query);
    struct ranks *ranks = ranks_build(files, reading, &query, &error);
    if (ranks == NULL)
        tell(NULL, error.text);
    ranks_free(ranks);
}

static void merge_all(const struct rank_files *files, struct rank_reading *reading)
{
    struct rank_settings settings = {.stack_depth = SUMMARY_STACK_DEPTH, .python = PYTHON_IN_TREE};
    struct summary *summary = rank_files_summarise(files, reading, &settings);
    struct text bytes = {0};
    summary_add_file(summary, &bytes);
    text_free(&bytes);
    summary_free(summary);
}

static void measure(const char *what, void (*work)(const struct rank_files *, struct rank_reading *),
                    const char *folder, uint32_t rows)
{
    double least = 0, least_cpu = 0;
    uint64_t bytes = 0;
    size_t count = 0;
    for (int round = 0; round < ROUNDS; round++) {
        struct rank_files files = {0};
        struct rank_reading reading = {.tell = tell};
        double start = measure_wall(), start_cpu = measure_cpu();
        if (!rank_files_find(&files, &folder, 1, NULL, &reading, NULL))
            exit(1);
        work(&files, &reading);
        double time = measure_wall() - start, cpu = measure_cpu() - start_cpu;
        least = round == 0 || time < least ? time : least;
        least_cpu = round == 0 || cpu < least_cpu ? cpu : least_cpu;
        count = files.list.count;
        bytes = files.list.items[0].bytes;
        rank_files_free(&files);
    }
    printf("%s\t%zu\t%lu\t%llu\t%.1f\t%.1f\n", what, count, (unsigned long)rows, (unsigned long long)bytes, least * 1e3,
           least_cpu * 1e3);
}

int main(int argc, char *argv[])
{
    unsigned long files = 1000, rows = 2000;
    for (int option; (option = getopt(argc, argv, "f:r:")) != -1;) {
        unsigned long number = option == '?' ? 0 : strtoul(optarg, NULL, 10);
        *(option == 'f' ? &files : &rows) = number;
    }
    if (argc - optind != 1 || files < 1 || rows < 1) {
        fprintf(stderr, "usage: ranks [-f FILES] [-r ROWS] FOLDER\n");
        return 2;
    }
    const char *folder = argv[optind];
    mkdir(folder, 0777);
    write_files(folder, (uint32_t)files, (uint32_t)rows);
    measure("open", open_all, folder, (uint32_t)rows);
    measure("merge", merge_all, folder, (uint32_t)rows);
    return 0;
}
