/*
 * Nothing in a trace reaches a terminal or a file as it must not: every C0, C1 and bidi control and format in names,
 * shapes, stacks, threads, streams, modules, headers and the file's own name, through every format, view and screen.
 */
#include <criterion/criterion.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "keyavg/utf8.h"
#include "support/loads.h"
#include "support/run.h"
#include "support/skip.h"
#include "../src/ui/rooms.h"

/* -- What must not come out ------------------------------------------------------------------------------------- */

static bool is_bidi(uint32_t point)
{
    return point == 0x061C || (point >= 0x200E && point <= 0x200F) || (point >= 0x202A && point <= 0x202E) ||
           (point >= 0x2066 && point <= 0x2069);
}

static bool is_control(uint32_t point)
{
    return point < 0x20 || (point >= 0x7F && point < 0xA0);
}

/* `allowed` are the control characters that the format itself has. */
static void check_clean(const char *what, const char *bytes, size_t length, const char *allowed)
{
    for (size_t i = 0; i < length;) {
        uint32_t point;
        size_t taken = utf8_decode(bytes + i, length - i, &point);
        bool fine = point < 0x80 && point != 0 && strchr(allowed, (int)point) != NULL;
        size_t from = i > 40 ? i - 40 : 0;
        cr_assert(fine || !(is_control(point) || is_bidi(point)), "%s: U+%04X at byte %zu, behind '%.*s'", what,
            point, i,
                  (int)(i - from), bytes + from);
        cr_assert(point != UTF8_REPLACEMENT || taken == 3, "%s: invalid UTF-8 at byte %zu", what, i);
        i += taken;
    }
}

/* -- The trace -------------------------------------------------------------------------------------------------- */

/* Every hostile character in one text, as JSON has them: escaped, and raw where that can be read. */
static void add_hostile(struct text *out, bool raw)
{
    static const uint32_t bidi[] = {0x061C, 0x200E, 0x200F, 0x202A, 0x202B, 0x202C, 0x202D, 0x202E, 0x2066, 0x2067,
        0x2068, 0x2069};
    for (uint32_t point = 0; point < 0xA0; point++) {
        char bytes[4];
        if (!is_control(point))
            continue;
        if (raw)
            text_add(out, bytes, utf8_encode(point, bytes));
        else
            text_addf(out, "\\u%04x", point);
        text_add_char(out, 'm');
    }
    for (size_t i = 0; i < sizeof bidi / sizeof *bidi; i++) {
        char bytes[4];
        if (raw)
            text_add(out, bytes, utf8_encode(bidi[i], bytes));
        else
            text_addf(out, "\\u%04x", bidi[i]);
    }
    /* What a terminal, a shell, printf or a spreadsheet would obey. */
    text_add_string(out, raw ? "\x1B]52;c;AAAA\a\x1B[2J\x9B\xC2\x9B" "31m\xFF\xC0" :
        "\\u001b]0;x\\u0007\\u001bP+q\\u001b\\\\ %s%n%1000000d $(reboot) `x`");
}

static void add_event(struct text *out, const char *cat, const char *start, const struct text *hostile, double time,
    double length,
                      int thread)
{
    text_addf(out, ",\n{\"ph\":\"X\",\"cat\":\"%s\",\"name\":\"%s", cat, start);
    text_add_span(out, text_span(hostile));
    text_addf(out, "\",\"pid\":\"p%d", thread);
    text_add_span(out, text_span(hostile));
    text_addf(out, "\",\"tid\":\"t%d", thread);
    text_add_span(out, text_span(hostile));
    text_addf(out, "\",\"ts\":%.3f,\"dur\":%.3f,\"args\":{\"External id\":%d,\"correlation\":%d", time, length,
        thread + 1, thread + 9);
    static const char *const members[] = {"Input type", "Concrete Inputs", "Module Hierarchy", "Call stack", "stream",
        "a\\u001b\\u202e"};
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        text_addf(out, ",\"%s\":\"", members[i]);
        text_add_span(out, text_span(hostile));
        text_add_string(out, "; f\"");
    }
    text_add_string(out, ",\"Input Dims\":[[2,3],[\"");
    text_add_span(out, text_span(hostile));
    text_add_string(out, "\"]],\"Sequence number\":7}}");
}

/* A trace with all of it in all places. To be written to a file. */
static void add_trace(struct text *out)
{
    static const char *const headers[] = {"trace_id", "host_name", "traceName", "schemaVersion", "unknown"};
    struct text hostile[2] = {0};
    add_hostile(&hostile[0], false);
    add_hostile(&hostile[1], true);
    text_add_string(out, "{\"record_shapes\":1,\"with_stack\":1,\"profile_memory\":1,\"with_modules\":1,"
        "\"with_flops\":1");
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        text_addf(out, ",\"%s\":\"", headers[i]);
        text_add_span(out, text_span(&hostile[0]));
        text_add_char(out, '"');
    }
    text_add_string(out, ",\"deviceProperties\":[{\"name\":\"");
    text_add_span(out, text_span(&hostile[0]));
    text_add_string(out, " raw \x7F\xC2\x9B"
        "31m\xE2\x80\xAE\xE2\x81\xA6\"}],\"distributedInfo\":{\"rank\":0,\"world_size\":2,\"backend\":\"");
    text_add_span(out, text_span(&hostile[0]));
    text_add_string(out, "\"},\"traceEvents\":[{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":1}");
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 2; k++) {
            text_add_string(out, ",\n{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":\"p");
            text_addf(out, "%d", i * 2 + k);
            text_add_span(out, text_span(&hostile[i]));
            text_addf(out, "\",\"tid\":\"t%d", i * 2 + k);
            text_add_span(out, text_span(&hostile[i]));
            text_add_string(out, "\",\"args\":{\"name\":\"");
            text_add_span(out, text_span(&hostile[i]));
            text_add_string(out, "\"}}");
        }
        add_event(out, "user_annotation", "ProfilerStep#3", &hostile[i], 100 * i, 90, i * 2);
        add_event(out, "python_function", "nn.Module: ", &hostile[i], 100 * i + 1, 80, i * 2);
        add_event(out, "cpu_op", "aten::", &hostile[i], 100 * i + 2, 70, i * 2);
        add_event(out, "cpu_op", "=", &hostile[i], 100 * i + 3, 10, i * 2);
        add_event(out, "cuda_runtime", "cudaLaunchKernel", &hostile[i], 100 * i + 5, 2, i * 2);
        add_event(out, "kernel", "_Z", &hostile[i], 100 * i + 20, 10, i * 2 + 1);
        add_event(out, "gpu_user_annotation", "+", &hostile[i], 100 * i + 20, 10, i * 2 + 1);
        add_event(out, "cpu_op", "", &hostile[i], 100 * i + 40, 5, i * 2);
    }
    text_add_string(out, ",\n{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"broken\x1B\"x\",\"pid\":1}\n]}\n");
    text_free(&hostile[0]);
    text_free(&hostile[1]);
}

static const char *hostile_file(void)
{
    static char *path;
    struct text text = {0};
    if (path == NULL) {
        add_trace(&text);
        path = support_file(text.bytes, text.length);
        text_free(&text);
    }
    return path;
}

/* -- Through the program ---------------------------------------------------------------------------------------- */

enum { WORDS_MAX = 24 };

/* Runs keyavg with words separated by spaces (_ stands for a space in a word) and the paths. */
static void run(const char *words, const char *const *paths, const char *allowed, int expected)
{
    const char *argv[WORDS_MAX] = {support_keyavg()};
    char *copy = strdup(words), *rest = copy, *word;
    int argc = 1, status;
    while ((word = strsep(&rest, " ")) != NULL) {
        for (char *at = word; *at != '\0'; at++)
            *at = *at == '_' ? ' ' : *at;
        if (*word != '\0')
            argv[argc++] = word;
    }
    for (; *paths != NULL; paths++)
        argv[argc++] = *paths;
    struct support_bytes out, err;
    setenv("HOME", "/proc/none", 1); /* nothing can be written there */
    cr_assert(support_run(argv, &out, &err, &status));
    cr_assert_eq(status, expected, "%s: status %d: %s", words, status, err.bytes);
    cr_assert_gt(out.length + err.length, 0, "%s", words);
    check_clean(words, out.bytes, out.length, allowed);
    /* What is copied goes to standard error when keys are played, cells with tabs between them. */
    check_clean(words, err.bytes, err.length, strstr(words, "--play") != NULL ? "\n\t" : "\n");
    support_run_free(&out);
    support_run_free(&err);
    free(copy);
}

#define ONE (const char *const[]){hostile_file(), NULL}

Test(hostile, every_format_and_grouping, .timeout = 120)
{
    static const struct {
        const char *name, *allowed;
    } formats[] = {{"torch", "\n"}, {"text", "\n"}, {"csv", "\r\n"}, {"tsv", "\t\n"}, {"json", "\n"},
        {"markdown", "\n"}, {"stacks", "\n"}};
    static const char *const groupings[] = {
        "", "-S -k 5 -O", "-p -k 3 --full-list-shapes -S", "--group-by thread,step,scope",
            "--group-by module,device,dtype",
    };
    setenv("LC_ALL", "C.UTF-8", 1);
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++)
        for (size_t g = 0; g < sizeof groupings / sizeof *groupings; g++) {
            char words[256];
            snprintf(words, sizeof words, "--format %s %s", formats[f].name, groupings[g]);
            run(words, ONE, formats[f].allowed, 0);
        }
    setenv("LC_ALL", "C", 1);
    run("--format text -S -k 5", ONE, "\n", 0);
    run("--format csv --csv-exact", ONE, "\r\n", 0);
}

Test(hostile, every_view, .timeout = 120)
{
    static const char *const views[] = {"focus --focus #2", "calls", "calls --focus #2", "tree", "tree --bottom-up",
        "kernels", "pairs",
                                        "modules", "event --focus #3", "event --focus #6",
                                        "quality"};
    static const char *const formats[] = {"text", "csv", "json", "markdown"};
    setenv("LC_ALL", "C.UTF-8", 1);
    for (size_t v = 0; v < sizeof views / sizeof *views; v++)
        for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
            char words[256];
            snprintf(words, sizeof words, "--view %s --format %s", views[v], formats[f]);
            run(words, ONE, "\r\n", 0);
            if (v == 0) {
                snprintf(words, sizeof words, "--explain #3 count --format %s", formats[f]);
                run(words, ONE, "\r\n", 0);
            }
        }
}

Test(hostile, two_traces, .timeout = 60)
{
    setenv("LC_ALL", "C.UTF-8", 1);
    const char *both[] = {hostile_file(), hostile_file(), NULL};
    run("--unchanged", both, "\n", 0);
    run("--unchanged --format csv", both, "\r\n", 0);
    run("--unchanged --format json", both, "\n", 0);
}

Test(hostile, every_screen, .timeout = 240)
{
    static const char *const keys[] = {
        "", "d", "dJJJ", "?", "C", "o", "b", "s", "S}}}", "p", "<Enter>", "<Enter><Enter>", "<Enter>c", "<Enter>t",
            "G<Enter>",
        "/aten<Enter>", ":<Tab><Tab>", "\\aten<Enter>", "<Space>j<Space>y", "Y", ":group_thread,module,device<Enter>",
            ":cli<Enter>",
        "<Enter><Tab><Tab><Tab>", "<F2>", "<F3>", "<F4>", "<F5>", "<F6>", "<F7>", "<F9>", "<F10>", "K", "T", "M", "P",
            "e", "i", "Q", "QG<Enter>", "!", "j!j<Enter>",
        ":export_/proc/none/x.csv<Enter>", ":columns_key,stack,input_shapes,thread,module<Enter>",
    };
    setenv("LC_ALL", "C.UTF-8", 1);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        char words[256];
        snprintf(words, sizeof words, "--screen 100x40 --play %s", keys[i][0] != '\0' ? keys[i] : "<Home>");
        run(words, ONE, "\n", 0);
    }
    run("--screen 60x12 --screen-roles --play S}d", ONE, "\n", 0);
}

/* Paths come from a shell, but a name may have been made by somebody else. */
Test(hostile, file_names, .timeout = 60)
{
    static const char name[] = "a\x1B[31m\x1B]0;x\a\n\t\xC2\x9B\xE2\x80\xAE\xFF%s%n.json";
    struct text text = {0};
    setenv("LC_ALL", "C.UTF-8", 1);
    add_trace(&text);
    FILE *file = fopen(name, "wb");
    cr_assert_not_null(file);
    fwrite(text.bytes, 1, text.length, file);
    fclose(file);
    text_free(&text);
    const char *const path[] = {name, NULL}, *const none[] = {"none\x1B[31m\n\xE2\x80\xAE", NULL};
    run("-b", path, "\n", 0);
    run("-b --format json", path, "\n", 0);
    run("--screen 100x20 --play <Home>", path, "\n", 0);
    run("--screen 100x20 --play :cli<Enter>", path, "\n", 0);
    run("-b", none, "\n", 1);
    run("--screen 100x20 --play <Home>", none, "\n", 1);
    const char *const wrong[] = {"--sort-by", "\x1B[31m", name, NULL},
        *const output[] = {"--output", "/proc/none/\x1B[31m", name, NULL};
    const char *const filter[] = {"--filter", "count>\x1B[31m", name, NULL},
        *const option[] = {"--\x1B[31m", name, NULL};
    run("-b", wrong, "\n", 2);
    run("-b", output, "\n", 1);
    run("-b", filter, "\n", 2);
    run("-b", option, "\n", 2);
    unlink(name);
}

Test(hostile, a_clipboard_gets_digits_only)
{
    struct text hostile = {0}, sequence = {0};
    add_hostile(&hostile, true);
    for (size_t length = 0; length <= hostile.length; length += 7) {
        text_clear(&sequence);
        clipboard_add_sequence(&sequence, (struct span){hostile.bytes, length}, false);
        cr_assert(span_starts(text_span(&sequence), "\x1B]52;c;"));
        cr_assert_eq(strspn(sequence.bytes + 7, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="),
                     sequence.length - 8);
        cr_assert_eq(sequence.bytes[sequence.length - 1], '\a');
    }
    text_free(&hostile);
    text_free(&sequence);
}

/* -- Rows stay rows --------------------------------------------------------------------------------------------- */

static size_t count(const char *text, const char *part)
{
    size_t found = 0;
    for (const char *at = text; (at = strstr(at, part)) != NULL; at += strlen(part))
        found++;
    return found;
}

static struct support_bytes print(const char *format, const char *path, const char *more)
{
    const char *argv[] = {support_keyavg(), "--format", format, "--columns", "key,count", path, more, NULL};
    struct support_bytes out;
    int status;
    cr_assert(support_run(argv, &out, NULL, &status));
    cr_assert_eq(status, 0);
    return out;
}

Test(hostile, separators_in_names_make_no_rows_or_fields)
{
    static const char text[] = "[{\"ph\":\"X\",\"name\":\"a\\n1,\\t|\\r\\n| b\\u2028\\u0085\\\"\",\"ts\":1,\"dur\":1},"
                               "{\"ph\":\"X\",\"name\":\"=1+1\",\"ts\":3,\"dur\":1},{\"ph\":\"X\",\"name\":\"@x"
                                   "\",\"ts\":5,\"dur\":1},"
                               "{\"ph\":\"X\",\"name\":\"+x\",\"ts\":7,\"dur\":1},{\"ph\":\"X\",\"name\":\"-x"
                                   "\",\"ts\":9,\"dur\":1},"
                               "{\"ph\":\"X\",\"name\":\"\\t=x\",\"ts\":11,\"dur\":1},{\"ph\":\"X\",\"name\":\""
                                   "\\r=x\",\"ts\":13,\"dur\":1}]";
    enum { ROWS = 7 };
    setenv("LC_ALL", "C.UTF-8", 1);
    char *path = support_file(text, sizeof text - 1);
    struct support_bytes tsv = print("tsv", path, NULL), markdown = print("markdown", path, NULL),
        csv = print("csv", path, NULL);
    struct support_bytes exact = print("csv", path, "--csv-exact");
    cr_expect_eq(count(tsv.bytes, "\n"), ROWS + 1, "%s", tsv.bytes);
    cr_expect_eq(count(tsv.bytes, "\t"), ROWS + 1, "%s", tsv.bytes);
    cr_expect_eq(count(markdown.bytes, "\n"), ROWS + 2, "%s", markdown.bytes);
    cr_expect_eq(count(markdown.bytes, "|") - count(markdown.bytes, "\\|"), 3 * (ROWS + 2), "%s", markdown.bytes);
    /* A spreadsheet computes none of the names, unless they are wanted as they are. */
    cr_expect_eq(count(csv.bytes, "'=1+1"), 1, "%s", csv.bytes);
    cr_expect_eq(count(csv.bytes, "'@x") + count(csv.bytes, "'+x") + count(csv.bytes, "'-x"), 3, "%s", csv.bytes);
    cr_expect_eq(count(csv.bytes, "\n="), 0, "%s", csv.bytes);
    cr_expect_eq(count(exact.bytes, "'"), 0, "%s", exact.bytes);
    cr_expect_eq(count(exact.bytes, "\n=1+1"), 1, "%s", exact.bytes);
    support_run_free(&tsv);
    support_run_free(&markdown);
    support_run_free(&csv);
    support_run_free(&exact);
    free(path);
}
