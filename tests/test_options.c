/*
 * The command line: what is taken, and what a wrong word is told.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "keyavg/options.h"
#include "support/skip.h"

enum { WORDS_MAX = 16 };

/* Parses words separated by spaces; they are in *copy, to free(). */
static bool parse(struct options *options, const char *words, struct error *error, char **copy)
{
    char program[] = "keyavg", *argv[WORDS_MAX] = {program}, *rest = *copy = strdup(words), *word;
    int argc = 1;
    while (argc < WORDS_MAX && (word = strsep(&rest, " ")) != NULL)
        argv[argc++] = word;
    return options_parse(options, words[0] != '\0' ? argc : 1, argv, error);
}

/* The words are taken, and this holds of the options. */
#define TAKES(words, condition)                                                                                        \
    do {                                                                                                               \
        struct options options;                                                                                        \
        struct error error = {0};                                                                                      \
        char *copy;                                                                                                    \
        cr_expect(parse(&options, words, &error, &copy), "%s: %s", words, error.text);                                 \
        cr_expect(condition, "%s: %s", words, #condition);                                                             \
        options_free(&options);                                                                                        \
        free(copy);                                                                                                    \
    } while (0)

/* The words are wrong, and the message is this. */
static void refuses(const char *words, const char *message)
{
    struct options options;
    struct error error = {0};
    char *copy;
    cr_expect_not(parse(&options, words, &error, &copy), "%s", words);
    cr_expect_eq(error.code, ERROR_USAGE, "%s", words);
    cr_expect_str_eq(error.text, message);
    options_free(&options);
    free(copy);
}

Test(options, defaults_are_torchs)
{
    TAKES("t.json", strcmp(options.trace, "t.json") == 0);
    TAKES("t.json", strcmp(options.writer->name, "torch") == 0);
    TAKES("t.json", options.query.sort == NULL && !options.query.ascending);
    TAKES("t.json", options.query.row_limit == 100);
    TAKES("t.json", options.query.grouping.parts == GROUP_NAME);
    TAKES("t.json", options.query.grouping.python == PYTHON_IN_TREE);
    TAKES("t.json", options.writing.name_width == 55);
    TAKES("t.json", options.writing.source_width == 75);
    TAKES("t.json", options.writing.shapes_width == 80);
    TAKES("t.json", options.writing.header == NULL && options.output == NULL);
    TAKES("-", strcmp(options.trace, "-") == 0);
}

Test(options, forms)
{
    TAKES("--row-limit=7 t", options.query.row_limit == 7);
    TAKES("--row-limit -1 t", options.query.row_limit == -1);
    TAKES("-n 7 t", options.query.row_limit == 7);
    TAKES("-an7 t", options.query.row_limit == 7 && options.query.ascending);
    TAKES("t -n7", options.query.row_limit == 7);
    TAKES("a b", options.mode == MODE_COMPARE && options.path_count == 2);
    TAKES("a b c", options.mode == MODE_RANKS && options.path_count == 3);
    TAKES("a.kavg", options.mode == MODE_RANKS);
    TAKES("a -- --b", options.mode == MODE_COMPARE && strcmp(options.paths[1], "--b") == 0);
    TAKES("--ranks a b", options.mode == MODE_RANKS);
    TAKES("--compare a.kavg b.kavg", options.mode == MODE_COMPARE);
    TAKES("--base-filter mm a", options.mode == MODE_COMPARE && options.path_count == 1);
    TAKES("-- -n", strcmp(options.trace, "-n") == 0);
    TAKES("-n 3 -- --ascending", strcmp(options.trace, "--ascending") == 0 && options.query.row_limit == 3);
    TAKES("--header=a=b t", strcmp(options.writing.header, "a=b") == 0);
    TAKES("--header= t", options.writing.header[0] == '\0');
    TAKES("-n 3 -n 4 t", options.query.row_limit == 4);
}

Test(options, values)
{
    TAKES("--group-by-input-shape t", options.query.grouping.parts == (GROUP_NAME | GROUP_SHAPE));
    TAKES("--group-by-overload-name t", options.query.grouping.parts == (GROUP_NAME | GROUP_OVERLOAD));
    TAKES("--group-by-stack-n 3 t", options.query.grouping.parts == (GROUP_NAME | GROUP_STACK));
    TAKES("--group-by-stack-n 3 t", options.query.grouping.stack_depth == 3);
    TAKES("--group-by-stack-n 3 --group-by-stack-n 0 t", options.query.grouping.parts == GROUP_NAME);
    TAKES("--full-list-shapes t", options.query.grouping.full_list_shapes);
    TAKES("--include-python-functions t", options.query.grouping.python == PYTHON_AS_ROWS);
    TAKES("--no-python t", options.query.grouping.python == PYTHON_LEFT_OUT);
    TAKES("--top-level-events-only t", options.query.top_level_only);
    TAKES("--time-unit s t", options.query.unit == TIME_S);
    TAKES("--time-unit ms t", options.query.unit == TIME_MS);
    TAKES("--time-unit us t", options.query.unit == TIME_US);
    TAKES("--time-unit us --time-unit auto t", options.query.unit == TIME_AUTO);
    TAKES("--max-name-column-width 24 t", options.writing.name_width == 24);
    TAKES("--max-src-column-width 24 t", options.writing.source_width == 24);
    TAKES("--max-shapes-column-width 24 t", options.writing.shapes_width == 24);
    TAKES("--csv-exact t", options.writing.exact);
    TAKES("--batch t", options.batch);
    TAKES("--list-columns", options.list_columns);
    TAKES("--help --nonsense", options.help);
    TAKES("-V", options.version);
    TAKES("-f stacks --metric self_cuda_time_total t",
          strcmp(options.writing.metric->name, "self_device_time_total") == 0);
}

Test(options, torchs_names_for_the_device)
{
    TAKES("--sort-by cuda_time_total t", strcmp(options.query.sort->name, "device_time_total") == 0);
    TAKES("--sort-by self_xpu_time_total t", strcmp(options.query.sort->name, "self_device_time_total") == 0);
    TAKES("--sort-by privateuse1_time t", strcmp(options.query.sort->name, "device_time") == 0);
    TAKES("--sort-by self_cuda_memory_usage t", strcmp(options.query.sort->name, "self_device_memory_usage") == 0);
    TAKES("--sort-by total_cpu_percent t", strcmp(options.query.sort->name, "cpu_total_percent") == 0);
    for (unsigned i = 0; i < column_count; i++)
        cr_expect_eq(column_find(span_of(columns[i].name)), &columns[i], "%s", columns[i].name);
}

Test(options, formats)
{
    TAKES("-f text t", options.query.row_limit == 100);
    TAKES("-f csv t", options.query.row_limit == -1);
    TAKES("-f json t", options.query.row_limit == -1);
    TAKES("-f json -n 5 t", options.query.row_limit == 5);
    TAKES("-o a.csv t", strcmp(options.writer->name, "csv") == 0 && options.query.row_limit == -1);
    TAKES("-o a.md t", strcmp(options.writer->name, "markdown") == 0);
    TAKES("-o a.txt t", strcmp(options.writer->name, "torch") == 0);
    TAKES("-o d.csv/a t", strcmp(options.writer->name, "torch") == 0);
    TAKES("-o .csv t", strcmp(options.writer->name, "torch") == 0);
    TAKES("-o a.csv -f json t", strcmp(options.writer->name, "json") == 0);
    TAKES("-o - t", options.output == NULL);
    TAKES("-f csv -c key,count,cuda_time t",
          options.writing.column_count == 3 && strcmp(options.writing.columns[2]->name, "device_time") == 0);
}

Test(options, wrong_words)
{
    refuses("--sortby x t", "unknown option '--sortby'; did you mean '--sort-by'?");
    refuses("--sort_by x t", "unknown option '--sort_by'; did you mean '--sort-by'?");
    refuses("--rowlimit=3 t", "unknown option '--rowlimit'; did you mean '--row-limit'?");
    refuses("-sort-by count t", "unknown option '-sort-by'; did you mean '--sort-by'?");
    refuses("--zzzzzz t", "unknown option '--zzzzzz'; keyavg --help lists all");
    refuses("-Z t", "unknown option '-Z'; keyavg --help lists all");
    refuses("-aZ t", "unknown option '-Z'; keyavg --help lists all");
    refuses("--sort-by self_cpu_tme_total t",
            "unknown column 'self_cpu_tme_total'; did you mean 'self_cpu_time_total'?");
    refuses("--sort-by self_cuda_time t", "unknown column 'self_cuda_time'; did you mean 'self_device_time_total'?");
    refuses("--sort-by zzzzzz t", "unknown column 'zzzzzz'; --list-columns prints the names");
    refuses("-f csv -c key,cuont t", "unknown column 'cuont'; did you mean 'count'?");
    refuses("--format jsn t", "unknown format 'jsn'; did you mean 'json'?");
    refuses("--format zzz t", "unknown format 'zzz'; known are torch, text, csv, tsv, json, markdown, stacks, folded");
}

Test(options, wrong_values)
{
    refuses("", "no trace given: keyavg [OPTION]... TRACE (keyavg --help explains)");
    refuses("--compare a b c", "to compare takes two traces, BASE and NEW, or one with --base-filter and --new-filter; here "
                               "are 3");
    refuses("--compare --ranks a b", "--compare and --ranks exclude each other");
    refuses("--memory much a b c", "wrong value 'much' for --memory: bytes such as 8G or 512M");
    refuses("--per-step a", "--per-step is for two traces: keyavg [OPTION]... BASE NEW");
    refuses("--summarise x.kavg --filter mm a", "--summarise keeps all there is: --filter is for reading the summary");
    refuses("--row-limit", "--row-limit needs a value: --row-limit N");
    refuses("-n", "--row-limit needs a value: --row-limit N");
    refuses("--row-limit ten t", "wrong value 'ten' for --row-limit: a number of rows, -1 for all");
    refuses("--row-limit 1x t", "wrong value '1x' for --row-limit: a number of rows, -1 for all");
    refuses("--row-limit 99999999999999999999 t",
            "wrong value '99999999999999999999' for --row-limit: a number of rows, -1 for all");
    refuses("--group-by-stack-n -1 t", "wrong value '-1' for --group-by-stack-n: a number of frames, 0 for none");
    refuses("--max-src-column-width -1 t", "wrong value '-1' for --max-src-column-width: a width from 0 to 1000000");
    refuses("--time-unit h t", "wrong value 'h' for --time-unit: it is s, ms, us or auto");
    refuses("--ascending=1 t", "--ascending takes no value");
    refuses("--columns key,count t", "--columns does not go with --format torch, which has its own; "
                                     "give --format text, csv, tsv, json or markdown");
    refuses("-f csv -c key,,count t",
            "wrong value 'key,,count' for --columns: names separated by commas, as --list-columns prints them");
    refuses("--metric self_cpu_time_total t", "--metric is for --format stacks or folded");
    refuses("-f stacks --metric count t",
            "wrong value 'count' for --metric: it is self_cpu_time_total or self_device_time_total, for folded also "
            "cpu_time_total or device_time_total");
    refuses("-f stacks --metric cpu_time_total t", "--metric is for --format folded");
    refuses("--view focus t", "--view focus needs a row: --focus NAME");
    refuses("--view event t", "--view event needs a row: --focus NAME");
    refuses("--view calls --focus= t", "--focus needs the name of a row");
    refuses("--focus aten::mm t", "--focus needs a view: --view focus, calls, tree, kernels, pairs or event");
    refuses("--view modules --focus x t", "--view modules is of the whole model; --focus does not go with it");
    refuses("--view cals t", "unknown view 'cals'; did you mean 'calls'?");
    refuses("--view zzzzzz t",
            "unknown view 'zzzzzz'; known are table, focus, calls, tree, kernels, pairs, modules, event and quality");
    refuses("--view calls -s flops t",
            "--view calls has no column 'flops'; --list-columns tells which views have it");
    refuses("-f csv -c key,grid t", "column 'grid' is of --view kernels");
    refuses("--view pairs -f torch t",
            "--format torch does not go with --view pairs; give text, csv, tsv, json or markdown");
    refuses("--view tree -f stacks t",
            "--format stacks does not go with --view tree; give text, csv, tsv, json, markdown or folded");
    refuses("-p --no-python t", "--no-python leaves out what --include-python-functions asks for; give one");
    refuses("--output= t", "--output needs the name of a file");
    refuses("--so\x1B[2J t", "unknown option '--so\xE2\x90\x9B[2J'; keyavg --help lists all");
}

Test(options, table)
{
    struct text help = {0};
    options_add_help(&help);
    for (unsigned i = 0; i < option_entry_count; i++) {
        const struct option_entry *entry = &option_entries[i];
        char name[64];
        snprintf(name, sizeof name, "--%s", entry->name);
        cr_expect_not_null(strstr(help.bytes, name), "%s is in --help", name);
        cr_expect((entry->kind == ARGUMENT_NONE) == (entry->argument == NULL), "%s", name);
        cr_expect(entry->help[0] != '\0' && entry->help[strlen(entry->help) - 1] != '.', "%s", name);
        for (unsigned k = 0; k < i; k++) {
            cr_expect_str_neq(entry->name, option_entries[k].name);
            cr_expect(entry->letter == '\0' || entry->letter != option_entries[k].letter, "-%c", entry->letter);
        }
    }
    for (const char *line = help.bytes, *end; (end = strchr(line, '\n')) != NULL; line = end + 1)
        cr_expect_leq(end - line, 90, "%.*s", (int)(end - line), line);
    text_free(&help);
}

Test(options, list_of_columns)
{
    struct text list = {0};
    options_add_columns(&list);
    for (unsigned i = 0; i < column_count; i++) {
        char *at = strstr(list.bytes, columns[i].name);
        cr_expect_not_null(at, "%s", columns[i].name);
    }
    cr_expect_not_null(strstr(list.bytes, "profile_memory=True"));
    text_free(&list);
}

/* -- The program ------------------------------------------------------------------------------------------------- */

static void runs(const char *const argv[], int status, const char *out_start, const char *err)
{
    struct support_bytes out, errors;
    int got;
    cr_assert(support_run(argv, &out, &errors, &got));
    cr_expect_eq(got, status, "%s: %d", argv[1], got);
    cr_expect(strncmp(out.bytes, out_start, strlen(out_start)) == 0, "%s", out.bytes);
    cr_expect_str_eq(errors.bytes, err);
    support_run_free(&out);
    support_run_free(&errors);
}

Test(options, program)
{
    const char *keyavg = support_keyavg();
    runs((const char *[]){keyavg, "--version", NULL}, 0, "keyavg ", "");
    runs((const char *[]){keyavg, "--help", NULL}, 0, "usage: keyavg ", "");
    runs((const char *[]){keyavg, "--list-columns", NULL}, 0, "key ", "");
    runs((const char *[]){keyavg, "--sortby", "x", NULL}, 2, "",
         "keyavg: unknown option '--sortby'; did you mean '--sort-by'?\n");
    runs((const char *[]){keyavg, NULL}, 2, "",
         "keyavg: no trace given: keyavg [OPTION]... TRACE (keyavg --help explains)\n");
}
