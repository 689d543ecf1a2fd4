/*
 * What leaves the explorer from a drill of two traces: both sides, as the command line prints them and as each trace
 * alone has them.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "keyavg/text.h"
#include "support/render.h"
#include "support/words.h"

struct pair {
    char *base, *other; /* owned; the second NULL: there is none */
};

static struct pair pair_of(const char *base, const char *other)
{
    return (struct pair){strdup(words_sample(base)), strdup(words_sample(other))};
}

/* Two ranks, which have the same columns, and a trace without a device beside one with. */
static struct pair ranks(void)
{
    return pair_of("ddp/rank0/trace.json.gz", "ddp/rank1/trace.json.gz");
}

static struct pair unlike(void)
{
    return pair_of("mlp_all/trace.json.gz", "gpu_small/trace.json");
}

static void free_pair(struct pair pair)
{
    free(pair.base);
    free(pair.other);
}

/* What keys put into the clipboard; to be released. */
static char *copied(const char *keys, struct pair pair)
{
    char words[512];
    snprintf(words, sizeof words, "--screen 100x24 --play '%s' %s", keys, pair.other != NULL ? "$1 $2" : "$1");
    struct words_run run = words_run(words, pair.base, pair.other);
    const char *mark = strstr(run.err.bytes, "clipboard: "), *line = mark != NULL ? strchr(mark, '\n') : NULL;
    cr_assert(run.status == 0 && line != NULL, "%s: nothing was copied: %s", keys, run.err.bytes);
    char *text = strdup(line + 1);
    words_run_free(&run);
    return text;
}

/* What keys show, written to a file with this ending; to be released. */
static char *exported(const char *keys, const char *ending, struct pair pair)
{
    char path[] = "sides-XXXXXX", named[64], words[512];
    int file = mkstemp(path);
    cr_assert_geq(file, 0);
    close(file);
    snprintf(named, sizeof named, "%s.%s", path, ending);
    snprintf(words, sizeof words, "--screen 100x24 --play '%sw%s<Enter>' %s", keys, named,
             pair.other != NULL ? "$1 $2" : "$1");
    struct words_run run = words_run(words, pair.base, pair.other);
    cr_assert_not_null(strstr(run.out.bytes, "wrote "), "%s:\n%s", keys, run.out.bytes);
    words_run_free(&run);
    char *text = support_read(named, NULL);
    unlink(named);
    unlink(path);
    return text;
}

/* -- As the command line prints them ------------------------------------------------------------------------------ */

/* What Y copies is what the line of :cli prints. */
static void same_as_the_command_line(const char *keys, struct pair pair)
{
    char with_cli[256], with_copy[256];
    snprintf(with_cli, sizeof with_cli, "%s:cli<Enter>", keys);
    snprintf(with_copy, sizeof with_copy, "%sY", keys);
    char *line = copied(with_cli, pair), *view = copied(with_copy, pair);
    line[strcspn(line, "\n")] = '\0';
    struct words_run run = words_run(line + strlen("keyavg "), NULL, NULL);
    cr_expect_eq(run.status, 0, "%s: %s", line, run.err.bytes);
    cr_expect_str_eq(view, run.out.bytes, "%s\n%s\n%s", line, view, run.out.bytes);
    words_run_free(&run);
    free(line);
    free(view);
}

Test(sides, copies_are_what_the_command_line_prints, .timeout = 120)
{
    static const char *const keys[] = {
        "/aten::addmm<Enter><Enter>", "/aten::addmm<Enter><Enter>2r", "/aten::addmm<Enter>c", "/aten::mm<Enter>c:sort duration<Enter>",
        "/aten::addmm<Enter>ca", "/aten::mm<Enter>c\\duration>20us<Enter>", "P", "m", "Sg<Enter>", "Q",
        "/aten::addmm<Enter>e", "/cudnn_convolution<Enter><Enter>",
    };
    struct pair two = ranks(), others = unlike();
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (strstr(keys[i], "cudnn") == NULL)
            same_as_the_command_line(keys[i], two);
        same_as_the_command_line(keys[i], others);
    }
    free_pair(two);
    free_pair(others);
}

/* In every format the file has what options print with the columns of the screen. */
static void same_in_all_formats(const char *keys, const char *options, struct pair pair)
{
    static const char *const formats[][2] = {
        {"csv", "csv"}, {"tsv", "tsv"}, {"json", "json"}, {"md", "markdown"}, {"txt", "text"}};
    char *header = exported(keys, "csv", pair);
    header[strcspn(header, "\r\n")] = '\0';
    cr_assert_eq(strncmp(header, "side,", 5), 0, "%s", header);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        char words[2048];
        char *written = exported(keys, formats[i][0], pair);
        snprintf(words, sizeof words, "--format %s --columns %s %s $1 $2", formats[i][1], header, options);
        words_print(words, pair.base, pair.other, 0, written, NULL);
        free(written);
    }
    free(header);
}

Test(sides, files_are_what_the_command_line_prints, .timeout = 120)
{
    static const char *const same[][2] = {
        {"/aten::addmm<Enter><Enter>", "--view focus --focus aten::addmm"},
        {"/aten::addmm<Enter>c", "--view calls --focus aten::addmm"},
        {"P", "--view pairs"},
        {"m*", "--view modules"},
        {"/aten::mm<Enter>c:sort duration<Enter>r", "--view calls --focus aten::mm --sort-by duration --ascending"},
        {"Q", "--view quality"},
    };
    struct pair two = ranks(), others = unlike();
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        same_in_all_formats(same[i][0], same[i][1], two);
        same_in_all_formats(same[i][0], same[i][1], others);
    }
    free_pair(two);
    free_pair(others);
}

/* Folded stacks have no columns: each side is a root. */
Test(sides, folded_stacks_have_a_root_for_each)
{
    struct pair pair = unlike();
    struct text expected = {0};
    for (int s = 0; s < 2; s++) {
        struct words_run run = words_run("--format folded $1", s == 0 ? pair.base : pair.other, NULL);
        cr_assert_gt(run.out.length, 0);
        for (const char *at = run.out.bytes; *at != '\0'; at += strcspn(at, "\n") + 1)
            text_addf(&expected, "%s;%.*s\n", s == 0 ? "base" : "new", (int)strcspn(at, "\n"), at);
        words_run_free(&run);
    }
    words_print("--format folded $1 $2", pair.base, pair.other, 0, expected.bytes, NULL);
    char *written = exported("T", "folded", pair);
    cr_expect_str_eq(written, expected.bytes);
    free(written);
    text_free(&expected);
    words_print("--format stacks $1 $2", pair.base, pair.other, 2, "",
                "keyavg: --format stacks is for one trace; give text, csv, tsv, json or markdown\n");
    free_pair(pair);
}

/* -- As each trace alone has them --------------------------------------------------------------------------------- */

/* Appends lines, the first only with `header`, behind a word. */
static void add_side(struct text *out, const char *word, const char *lines, bool header)
{
    for (const char *at = lines; *at != '\0'; at += strcspn(at, "\n") + 1) {
        bool first = at == lines;
        if (!first || header)
            text_addf(out, "%s,%.*s\n", first ? "side" : word, (int)strcspn(at, "\n"), at);
    }
}

/* The same keys in each of the two, where the columns are the same. */
Test(sides, files_have_what_each_trace_alone_has, .timeout = 120)
{
    static const char *const keys[] = {
        "/aten::addmm<Enter><Enter>", "/aten::addmm<Enter>c", "P", "m", "/aten::linear<Enter>T", "/aten::linear<Enter>Tg*", "/aten::mm<Enter>Tb",
        "/aten::linear<Enter>c\\duration>100us<Enter>",
    };
    struct pair two = ranks();
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        char *base = exported(keys[i], "csv", (struct pair){two.base, NULL});
        char *other = exported(keys[i], "csv", (struct pair){two.other, NULL});
        char *both = exported(keys[i], "csv", two);
        struct text expected = {0};
        add_side(&expected, "base", base, true);
        add_side(&expected, "new", other, false);
        cr_expect_str_eq(both, expected.bytes, "%s\n%s\n%s", keys[i], both, expected.bytes);
        text_free(&expected);
        free(base);
        free(other);
        free(both);
    }
    free_pair(two);
}

/* Columns that one side alone has are there, named by its device; what the other one has not is empty. */
Test(sides, columns_are_those_of_either)
{
    struct pair pair = unlike();
    struct words_run run = words_run("--view tree -n 1 --format csv $1 $2", pair.base, pair.other);
    cr_expect_not_null(strstr(run.out.bytes, ",device_time_total,"), "%s", run.out.bytes);
    words_run_free(&run);
    run = words_run("--view tree -n 1 --format text $1 $2", pair.base, pair.other);
    cr_expect_not_null(strstr(run.out.bytes, "CUDA total  Self CUDA"), "%s", run.out.bytes);
    words_run_free(&run);
    free_pair(pair);
}

/* y has a line for each side that has the row. */
Test(sides, a_row_is_copied_of_both)
{
    struct pair pair = unlike();
    char *both = copied("/aten::addmm<Enter><Enter>y", pair);
    cr_expect_str_eq(both, "base\trow\taten::addmm\t9\t376.514us\t--\t--\t--\t293.619us\t--\n"
                           "new\trow\taten::addmm\t2\t107.336us\t--\t552.900us\t--\t68.585us\t552.900us\n");
    free(both);
    both = copied("/cudnn_convolution<Enter><Enter>y", pair);
    cr_expect_eq(strncmp(both, "new\trow\taten::cudnn_convolution\t", 31), 0, "%s", both);
    cr_expect_null(strstr(both, "base"), "%s", both);
    free(both);
    free_pair(pair);
}

/* Writing changes nothing of what is on the screen. */
Test(sides, the_screen_stays, .timeout = 60)
{
    static const char *const keys[] = {"/aten::addmm<Enter><Enter>", "T", "/aten::addmm<Enter>e", "m"};
    struct pair pair = unlike();
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        char before[256], after[256];
        snprintf(before, sizeof before, "--screen 100x24 --play '%s<Down>' $1 $2", keys[i]);
        snprintf(after, sizeof after, "--screen 100x24 --play '%sY<Down>' $1 $2", keys[i]);
        struct words_run run = words_run(before, pair.base, pair.other);
        words_print(after, pair.base, pair.other, 0, run.out.bytes, NULL);
        words_run_free(&run);
    }
    free_pair(pair);
}
