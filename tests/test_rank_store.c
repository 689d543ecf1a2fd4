/*
 * What traces were reduced to answers as the traces would: every table made with a store is the one made without, and
 * where it cannot answer the files are read again.
 */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "keyavg/options.h"
#include "keyavg/rank_store.h"
#include "keyavg/writer.h"
#include "support/render.h"
#include "support/words.h"

enum { RANKS = 4 };

struct run {
    struct options options;
    char *words; /* which the options borrow */
    struct rank_files files;
    unsigned lines; /* that were told */
    unsigned done;  /* files whose turn came */
    unsigned stop_after;
    _Atomic bool stop;
};

static void tell(void *context, const char *line)
{
    (void)line;
    ((struct run *)context)->lines++;
}

static bool progress(void *context, uint64_t done, uint64_t total, uint64_t text)
{
    struct run *run = context;
    (void)done;
    (void)total;
    (void)text;
    run->done++;
    if (run->done == run->stop_after)
        atomic_store(&run->stop, true);
    return true;
}

static struct rank_reading reading_of(struct run *run, struct rank_store *store)
{
    return (struct rank_reading){.tell = tell, .context = run, .progress = progress, .progress_context = run,
                                 .store = store, .stop = &run->stop, .threads = 2};
}

/* The words of a command line: its query, and its files. */
static void open_run(struct run *run, const char *words, const char *files)
{
    char *argv[32] = {(char[]){"keyavg"}, (char[]){"--ranks"}};
    int argc = 2;
    struct error error = {0};
    struct text line = {0};
    text_addf(&line, "%s %s", words, files);
    *run = (struct run){.words = strdup(line.bytes)};
    text_free(&line);
    for (char *at = run->words; *at != '\0';) {
        at += strspn(at, " ");
        char end = *at == '\'' ? '\'' : ' ';
        at += end == '\'';
        argv[argc++] = at;
        at += strcspn(at, end == '\'' ? "'" : " ");
        if (*at != '\0')
            *at++ = '\0';
    }
    cr_assert(options_parse(&run->options, argc, argv, &error), "%s: %s", words, error.text);
    struct rank_reading reading = reading_of(run, NULL);
    cr_assert(rank_files_find(&run->files, run->options.paths, run->options.path_count, NULL, &reading, &error));
    run->lines = 0;
}

static void close_run(struct run *run)
{
    rank_files_free(&run->files);
    options_free(&run->options);
    free(run->words);
}

static struct ranks_query query_of(const struct run *run)
{
    struct ranks_query query = {.query = run->options.query, .main_sort = !run->options.sort_given,
                                .lines = (1u << MEASURE_MEMORY) - 1};
    query.query.row_limit = -1;
    return query;
}

static struct ranks *build(struct run *run, struct rank_store *store, struct error *error)
{
    struct rank_reading reading = reading_of(run, store);
    struct ranks_query query = query_of(run);
    return ranks_build(&run->files, &reading, &query, error);
}

/* What the explorer shows and writes, and each number's facets. */
static void print(const struct ranks *ranks, struct text *out)
{
    const struct column *numbers[MEASURES];
    unsigned count, measures = 0;
    struct sink sink = support_sink(out);
    struct writer_options options;
    writer_options_init(&options);
    text_clear(out);
    for (int m = 0; m < MEASURES; m++)
        numbers[measures++] = measure_column((enum measure)m);
    for (int given = 0; given < 2; given++) {
        const struct column **list = ranks_columns(ranks, given ? numbers : NULL, measures, false, &count);
        struct sheet sheet = ranks_sheet(ranks, list, count);
        cr_assert(writer_find(span_of("csv"))->write_sheet(&sheet, &options, &sink));
        cr_assert(writer_find(span_of("text"))->write_sheet(&sheet, &options, &sink));
        free(list);
    }
}

static const struct {
    const char *words;
    bool kept; /* whether no trace is read again */
} queries[] = {
    {"", true},
    {"-g name,shape", true},
    {"-g shape", true},
    {"-g name,step", true},
    {"-g step", true},
    {"-g name,scope", true},
    {"-g scope", true},
    {"--scope forward", true},
    {"--scope backward -F mm", true},
    {"-F addmm|copy", true},
    {"-F /^aten::a/", true},
    {"-F !mm", true},
    {"-F step:1", true},
    {"-F 'scope:backward !engine'", true},
    {"-F 'self_cpu_time_total>100us'", true},
    {"-F 'count>3 mm'", true},
    {"-F 'self_cpu_time_total.spread>1ms calls_differ>0'", true},
    {"--hide-below 1", true},
    {"-s self_cpu_time_total.worst --ascending", true},
    {"--device-annotations off", true},
    {"-g name,overload", false},
    {"-g name,thread", false},
    {"-g name,device", false},
    {"-g name,shape,step", false},
    {"-g name,dtype", false},
    {"-g name,shape --scope forward", false},
    {"-F kind:op", false},
    {"-F shape:64", false},
    {"-F thread:1", false},
    {"-F min>10us", false},
    {"--top-level-events-only", false},
    {"-g name,shape --full-list-shapes", false},
};

static void answers_alike(const char *files, const char *depth, bool deep_is_kept)
{
    struct rank_store *store = rank_store_new(0);
    struct text own = {0}, other = {0};
    struct error error = {0};
    for (size_t i = 0; i <= sizeof queries / sizeof *queries; i++) {
        const char *words = i > 0 ? queries[i - 1].words : depth;
        bool kept = i > 0 ? queries[i - 1].kept : deep_is_kept;
        struct run with, without;
        open_run(&with, words, files);
        open_run(&without, words, files);
        struct ranks_query query = query_of(&with);
        if (i > 0)
            cr_expect_eq(ranks_from_store(&with.files, &query, store), kept, "%s", words);
        struct ranks *a = build(&with, store, &error), *b = build(&without, NULL, &error);
        cr_assert(a != NULL && b != NULL, "%s: %s", words, error.text);
        print(a, &own);
        print(b, &other);
        cr_expect_str_eq(own.bytes, other.bytes, "%s:\n%.3000s\n%.3000s", words, own.bytes, other.bytes);
        cr_expect_gt(own.length, 300, "%s: too little to compare", words);
        cr_expect_eq(a->facts.self_cpu, b->facts.self_cpu, "%s", words);
        cr_expect_eq(a->facts.self_device, b->facts.self_device, "%s", words);
        ranks_free(a);
        ranks_free(b);
        close_run(&with);
        close_run(&without);
    }
    rank_store_free(store);
    text_free(&own);
    text_free(&other);
}

static const char *ddp(void)
{
    static struct text words;
    text_clear(&words);
    for (int i = 0; i < RANKS; i++) {
        char name[64];
        snprintf(name, sizeof name, "ddp/rank%d/trace.json.gz", i);
        text_addf(&words, "%s ", words_sample(name));
    }
    words.bytes[words.length - 1] = '\0';
    return words.bytes;
}

Test(rank_store, answers_as_the_traces_do, .timeout = 120)
{
    answers_alike(ddp(), "", true);
}

Test(rank_store, answers_as_traces_of_devices_do, .timeout = 240)
{
    answers_alike(words_shared("dlrm8"), "", true);
}

/* Stacks of up to five frames are kept. */
Test(rank_store, stacks_of_each_depth, .timeout = 120)
{
    struct text files = {0}, own = {0}, other = {0};
    struct rank_store *store = rank_store_new(0);
    struct error error = {0};
    text_addf(&files, "%s", words_sample("mlp_all/trace.json.gz"));
    for (int depth = 1; depth <= 7; depth++) {
        char words[32];
        struct run with, without;
        snprintf(words, sizeof words, "-g name,stack=%d", depth);
        open_run(&with, words, files.bytes);
        open_run(&without, words, files.bytes);
        struct ranks_query query = query_of(&with);
        cr_expect_eq(ranks_from_store(&with.files, &query, store), depth > 1 && depth <= SUMMARY_STACK_DEPTH, "%d",
                     depth);
        struct ranks *a = build(&with, store, &error), *b = build(&without, NULL, &error);
        cr_assert(a != NULL && b != NULL, "%s: %s", words, error.text);
        print(a, &own);
        print(b, &other);
        cr_expect_str_eq(own.bytes, other.bytes, "depth %d", depth);
        ranks_free(a);
        ranks_free(b);
        close_run(&with);
        close_run(&without);
    }
    rank_store_free(store);
    text_free(&files);
    text_free(&own);
    text_free(&other);
}

/* -- Files that change -------------------------------------------------------------------------------------------- */

static void copy_file(const char *from, const char *to)
{
    size_t length;
    char *bytes = support_read(from, &length);
    FILE *file = fopen(to, "wb");
    cr_assert_not_null(file);
    cr_assert_eq(fwrite(bytes, 1, length, file), length);
    fclose(file);
    free(bytes);
}

/* Overwrites a file with blanks; its date stays or not. */
static void spoil(const char *path, bool date_stays)
{
    struct stat before;
    cr_assert_eq(stat(path, &before), 0);
    FILE *file = fopen(path, "r+b");
    cr_assert_not_null(file);
    for (off_t i = 0; i < before.st_size; i++)
        fputc(' ', file);
    fclose(file);
    struct timespec times[2] = {before.st_atim, before.st_mtim};
    times[1].tv_sec += !date_stays;
    cr_assert_eq(utimensat(AT_FDCWD, path, times, 0), 0);
}

Test(rank_store, no_file_is_read_that_is_kept, .timeout = 60)
{
    char paths[2][64];
    struct text files = {0};
    struct error error = {0};
    struct run run;
    struct rank_store *store = rank_store_new(0);
    for (int i = 0; i < 2; i++) {
        char name[64];
        snprintf(name, sizeof name, "ddp/rank%d/trace.json.gz", i);
        snprintf(paths[i], sizeof paths[i], "store-%d-rank%d.json", (int)getpid(), i);
        copy_file(words_sample(name), paths[i]);
        text_addf(&files, "%s ", paths[i]);
    }
    open_run(&run, "-g name,shape", files.bytes);
    ranks_free(build(&run, store, &error));
    spoil(paths[0], true);
    run.options.query.grouping.parts = GROUP_NAME;
    struct ranks *ranks = build(&run, store, &error);
    cr_assert_not_null(ranks, "%s", error.text);
    cr_expect_eq(ranks->roll.whole->sources.count, 2, "both are there without being read");
    cr_expect_eq(run.lines, 0);
    ranks_free(ranks);
    /* What is not kept is read, and then the file is no trace any more. */
    run.options.query.grouping.parts = GROUP_NAME | GROUP_THREAD;
    ranks = build(&run, store, &error);
    cr_assert_not_null(ranks, "%s", error.text);
    cr_expect_eq(ranks->roll.whole->sources.count, 1);
    cr_expect_eq(run.lines, 1);
    ranks_free(ranks);
    /* A file of another date is another. */
    spoil(paths[0], false);
    run.options.query.grouping.parts = GROUP_NAME;
    ranks = build(&run, store, &error);
    cr_assert_not_null(ranks, "%s", error.text);
    cr_expect_eq(ranks->roll.whole->sources.count, 1);
    ranks_free(ranks);
    for (int i = 0; i < 2; i++)
        unlink(paths[i]);
    close_run(&run);
    rank_store_free(store);
    text_free(&files);
}

/* A file that takes the place of the one that is being read is not taken for it. */
Test(rank_store, a_file_replaced_while_it_is_read_is_another, .timeout = 60)
{
    struct rank_store *store = rank_store_new(0);
    struct error error = {0};
    struct text damage = {0};
    struct stat before;
    char path[64];
    snprintf(path, sizeof path, "store-%d-replaced.json", (int)getpid());
    copy_file(words_sample("ddp/rank0/trace.json.gz"), path);
    struct rank_file file = {.path = path, .named = true};
    for (int replaced = 0; replaced < 2; replaced++) {
        cr_assert_eq(stat(path, &before), 0);
        struct trace *trace = rank_file_load(&file, 1, NULL, &damage, &error);
        cr_assert_not_null(trace, "%s", error.text);
        struct tree *tree = tree_build(trace, true);
        if (replaced)
            spoil(path, false);
        rank_store_keep(store, path, &before, tree, PYTHON_LEFT_OUT);
        cr_expect_eq(rank_store_find(store, path) == NULL, replaced == 1);
        tree_free(tree);
        trace_free(trace);
    }
    unlink(path);
    text_free(&damage);
    rank_store_free(store);
}

/* Other files of a folder are looked at once, and told as before. */
Test(rank_store, what_is_no_trace_is_not_read_again, .timeout = 60)
{
    struct rank_store *store = rank_store_new(0);
    struct error error = {0};
    struct text own = {0}, other = {0};
    struct run run;
    open_run(&run, "-g name,step", words_sample("ddp"));
    struct ranks_query query = query_of(&run);
    cr_assert_gt(run.files.list.count, RANKS, "there are other files");
    cr_expect_not(ranks_from_store(&run.files, &query, store));
    for (int i = 0; i < 2; i++) {
        run.lines = 0;
        struct ranks *ranks = build(&run, store, &error);
        cr_assert_not_null(ranks, "%s", error.text);
        print(ranks, i == 0 ? &own : &other);
        cr_expect_eq(ranks->roll.whole->sources.count, RANKS);
        cr_expect_eq(run.lines, 1, "the others are told, also from the store");
        cr_expect(ranks_from_store(&run.files, &query, store));
        ranks_free(ranks);
    }
    cr_expect_str_eq(own.bytes, other.bytes);
    /* One that is a trace since is read. */
    char path[64];
    struct stat file;
    snprintf(path, sizeof path, "store-%d-refused.json", (int)getpid());
    copy_file(words_sample("ddp/rank0/total.json"), path);
    cr_assert_eq(stat(path, &file), 0);
    error_set(&error, ERROR_NOT_TRACE, "none");
    rank_store_refuse(store, path, &file, &error);
    cr_expect(rank_store_refuses(store, path, &error));
    copy_file(words_sample("ddp/rank0/trace.json.gz"), path);
    cr_expect_not(rank_store_refuses(store, path, &error));
    unlink(path);
    close_run(&run);
    rank_store_free(store);
    text_free(&own);
    text_free(&other);
}

Test(rank_store, without_room_files_are_read, .timeout = 60)
{
    struct rank_store *store = rank_store_new(1);
    struct error error = {0};
    struct text own = {0}, other = {0};
    struct run run;
    open_run(&run, "-g name,step", ddp());
    for (int i = 0; i < 2; i++) {
        struct ranks *ranks = build(&run, i == 0 ? store : NULL, &error);
        cr_assert_not_null(ranks, "%s", error.text);
        print(ranks, i == 0 ? &own : &other);
        ranks_free(ranks);
    }
    cr_expect_str_eq(own.bytes, other.bytes);
    struct ranks_query query = query_of(&run);
    cr_expect_not(ranks_from_store(&run.files, &query, store));
    close_run(&run);
    rank_store_free(store);
    text_free(&own);
    text_free(&other);
}

/* -- Stopping ----------------------------------------------------------------------------------------------------- */

Test(rank_store, reading_stops_after_any_file, .timeout = 60)
{
    for (unsigned after = 0; after <= RANKS; after++) {
        struct rank_store *store = rank_store_new(0);
        struct error error = {0};
        struct run run;
        open_run(&run, "", ddp());
        run.stop_after = after;
        atomic_store(&run.stop, after == 0);
        struct ranks *ranks = build(&run, store, &error);
        cr_expect_null(ranks, "after %u files", after);
        cr_expect_eq(error.code, ERROR_NONE);
        cr_expect_str_eq(error.text, "stopped");
        cr_expect_eq(run.lines, 0, "nothing is said of files that were not read");
        /* And what is asked then is answered. */
        atomic_store(&run.stop, false);
        run.stop_after = 0;
        ranks = build(&run, store, &error);
        cr_assert_not_null(ranks, "%s", error.text);
        cr_expect_eq(ranks->roll.whole->sources.count, RANKS);
        ranks_free(ranks);
        close_run(&run);
        rank_store_free(store);
    }
}
