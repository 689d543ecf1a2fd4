/* Files and pipes that are damaged, are no trace, or change while they are read. */
#include "config.h"

#include <criterion/criterion.h>

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "damage_kin.h"
#include "support/damage.h"
#include "support/loads.h"
#include "support/run.h"
#include "support/skip.h"

static const char document[] = DOCUMENT(OP("a", 0, 10, "") NEXT OP("b", 2, 4, "") NEXT OP("c", 20, 1, ""));
static const char all_rows[] = "a cpu 1 10.000 6.000\nb cpu 1 4.000 4.000\nc cpu 1 1.000 1.000\n";

/* keyavg on one file: its exit status; what it says on standard error is to be released. */
static int run(const char *path, struct support_bytes *err)
{
    const char *argv[] = {support_keyavg(), "-b", path, NULL};
    int status;
    cr_assert(support_run(argv, NULL, err, &status));
    return status;
}

static void check_rows(const char *bytes, size_t length, const char *rows, const char *notes)
{
    struct error error = {0};
    struct trace *trace = trace_load_memory(bytes, length, "packed", &error);
    cr_assert_not_null(trace, "%s", error.text);
    char *found = damage_rows(trace, ""), *told = damage_notes(trace);
    cr_expect_str_eq(found, rows);
    cr_expect_str_eq(told, notes);
    free(found);
    free(told);
    trace_free(trace);
}

/* -- Packed ----------------------------------------------------------------------------------------------------- */

#define CUT "the compressed data is cut off or damaged"

Test(damage_files, gzip_with_a_wrong_length_or_checksum)
{
    for (size_t from_end = 1; from_end <= 8; from_end++) {
        struct text packed = {0};
        support_gzip(document, sizeof document - 1, &packed);
        packed.bytes[packed.length - from_end] ^= 0x40;
        check_rows(packed.bytes, packed.length, all_rows, CUT);
        text_free(&packed);
    }
}

Test(damage_files, gzip_cut_anywhere_never_fails)
{
    struct text packed = {0};
    support_gzip(document, sizeof document - 1, &packed);
    for (size_t length = 2; length < packed.length; length++) {
        struct error error = {0};
        struct trace *trace = trace_load_memory(packed.bytes, length, "cut.gz", &error);
        if (trace == NULL) {
            cr_expect_eq(error.code, ERROR_NOT_TRACE);
        } else {
            cr_expect_eq(trace->notes.of[NOTE_STREAM_CUT].count, 1, "%zu bytes", length);
            cr_expect_leq(trace->events.count, 3);
        }
        trace_free(trace);
    }
    text_free(&packed);
}

Test(damage_files, gzip_members_zeros_and_garbage)
{
    struct text packed = {0};
    size_t half = sizeof document / 2;
    support_gzip(document, half, &packed);
    support_gzip(document + half, sizeof document - 1 - half, &packed);
    check_rows(packed.bytes, packed.length, all_rows, "");
    text_add(&packed, "\0\0\0\0\0\0\0\0", 8); /* as tapes fill up their blocks */
    check_rows(packed.bytes, packed.length, all_rows, "");
    text_add(&packed, "garbage", 7);
    check_rows(packed.bytes, packed.length, all_rows, "");
    packed.length -= 15;
    text_add(&packed, "garbage", 7);
    check_rows(packed.bytes, packed.length, all_rows, CUT);
    text_free(&packed);
}

Test(damage_files, gzip_that_holds_nothing)
{
    struct text packed = {0};
    struct error error = {0};
    support_gzip("", 0, &packed);
    struct trace *trace = trace_load_memory(packed.bytes, packed.length, "nothing.gz", &error);
    cr_expect_null(trace);
    cr_expect_eq(error.code, ERROR_NOT_TRACE);
    cr_expect_str_eq(error.text, "nothing.gz: empty file (20 compressed bytes hold no text)");
    text_free(&packed);
}

#define TURN(name)                                                                                                     \
    "it is text in " name ", and keyavg reads UTF-8; turn it: iconv -f " name " -t UTF-8 FILE | keyavg -"
#define NO_JSON "no JSON in it (it should begin with { or [; write it with prof.export_chrome_trace)"

/* -- Something else --------------------------------------------------------------------------------------------- */

Test(damage_files, other_files_are_called_by_their_names)
{
    static const struct {
        const char *bytes;
        size_t length;
        const char *said;
    } files[] = {
        {TEXT("PK\3\4\24\0\0\0"), "it is a zip archive; unpack it: unzip -p FILE | keyavg -"},
        {TEXT("\xFD" "7zXZ\0\0"), "it is packed with xz; unpack it: xz -dc FILE | keyavg -"},
        {TEXT("BZh91AY"), "it is packed with bzip2; unpack it: bzip2 -dc FILE | keyavg -"},
        {TEXT("\xFF\xFE{\0\"\0"), TURN("UTF-16LE")},
        {TEXT("\xFE\xFF\0{\0\""), TURN("UTF-16BE")},
        {TEXT("{\0\"\0t\0"), TURN("UTF-16LE")},
        {TEXT("\xFF\xFE\0\0{\0\0\0"), TURN("UTF-32LE")},
        {TEXT("version https://git-lfs.github.com/spec/v1\n"),
         "it is a pointer of Git LFS; fetch the file itself: git lfs pull"},
        {TEXT("<!DOCTYPE html>"), "it is a page in HTML or XML, maybe in place of the file when it was fetched"},
        {TEXT("\x80\4\x95"), "it is a Python pickle, not what prof.export_chrome_trace writes"},
        {TEXT("\x7F" "ELF\2\1\1"), NO_JSON},
        {TEXT("just words"), NO_JSON},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct text said = {0}, packed = {0};
        char *path = support_file(files[i].bytes, files[i].length);
        text_addf(&said, "keyavg: %s: not a trace: %s\n", path, files[i].said);
        struct support_bytes err;
        cr_expect_eq(run(path, &err), 3, "%s", files[i].said);
        cr_expect_str_eq(err.bytes, said.bytes);
        support_run_free(&err);
        /* Packed it is the same. */
        struct error error = {0};
        support_gzip(files[i].bytes, files[i].length, &packed);
        cr_expect_null(trace_load_memory(packed.bytes, packed.length, "x", &error));
        cr_expect_not_null(strstr(error.text, files[i].said), "%s", error.text);
        text_free(&said);
        text_free(&packed);
        free(path);
    }
}

Test(damage_files, a_tar_archive)
{
    char tar[1024] = "trace.json";
    struct error error = {0};
    memcpy(tar + 257, "ustar", 6);
    memcpy(tar + 512, "{\"traceEvents\":[]}", 18);
    cr_expect_null(trace_load_memory(tar, sizeof tar, "a.tar", &error));
    cr_expect_str_eq(error.text, "a.tar: not a trace: it is a tar archive; unpack it: tar -xOf FILE | keyavg -");
}

Test(damage_files, what_cannot_be_read)
{
    struct support_bytes err;
    struct error error = {0};
    cr_expect_eq(run("no-such-file.json", &err), 1);
    cr_expect_str_eq(err.bytes, "keyavg: no-such-file.json: No such file or directory\n");
    support_run_free(&err);
    cr_expect_null(trace_load("/", &(struct trace_options){0}, &error));
    cr_expect_eq(error.code, ERROR_IO);
    cr_expect_str_eq(error.text, "/ is a folder; name a trace in it");
    /* Opens, but its first byte cannot be read, whoever asks. */
    cr_expect_null(trace_load("/proc/self/mem", &(struct trace_options){0}, &error));
    cr_expect_eq(error.code, ERROR_IO);
    cr_expect_str_eq(error.text, "/proc/self/mem: Input/output error");
}

Test(damage_files, a_file_one_may_not_read)
{
    char *path = support_file(document, sizeof document - 1);
    int status;
    chmod(path, 0);
    pid_t child = fork();
    if (child == 0) { /* root may read everything, so as somebody else */
        struct error error = {0};
        if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0))
            _exit(2);
        bool refused = trace_load(path, &(struct trace_options){0}, &error) == NULL && error.code == ERROR_IO &&
                       strstr(error.text, ": Permission denied") != NULL;
        _exit(refused ? 0 : 1);
    }
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_expect_eq(status, 0, "%d", status);
    free(path);
}

/* -- Pipes ------------------------------------------------------------------------------------------------------ */

static void *write_slowly(void *path)
{
    int file = open(path, O_WRONLY);
    for (size_t i = 0; i < sizeof document - 1; i++) {
        if (write(file, document + i, 1) != 1)
            break;
        if (i % 64 == 0)
            nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    close(file);
    return NULL;
}

Test(damage_files, a_fifo_byte_by_byte, .timeout = 30)
{
    char path[64];
    pthread_t writer;
    struct error error = {0};
    snprintf(path, sizeof path, "damage-fifo-%d", (int)getpid());
    cr_assert_eq(mkfifo(path, 0600), 0);
    pthread_create(&writer, NULL, write_slowly, path);
    struct trace *trace = trace_load(path, &(struct trace_options){0}, &error);
    pthread_join(writer, NULL);
    unlink(path);
    cr_assert_not_null(trace, "%s", error.text);
    char *rows = damage_rows(trace, "");
    cr_expect_str_eq(rows, all_rows);
    free(rows);
    trace_free(trace);
}

/* -- Files that change ------------------------------------------------------------------------------------------ */

enum { EVENTS = 20000, BLOCK = 1 << 16 };

/* One event more of a list, at `ts`. */
#define ADD_EVENT(text, first, ts, dur, name)                                                                          \
    text_addf(text, "%s{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"%s\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":%d}",   \
              (first) ? "" : ",\n", name, ts, dur)

struct changing {
    const char *path;
    off_t length; /* what it becomes on the way, negative: longer by so much */
    unsigned told;
};

static bool change(void *context, uint64_t done, uint64_t total, uint64_t text)
{
    struct changing *changing = context;
    (void)done;
    (void)total;
    (void)text;
    if (changing->told++ != 0)
        return true;
    if (changing->length >= 0) {
        cr_assert_eq(truncate(changing->path, changing->length), 0);
    } else {
        int file = open(changing->path, O_WRONLY | O_APPEND);
        for (off_t i = changing->length; i < 0; i += 8)
            cr_assert_eq(write(file, ",{\"ph\":1", 8), 8);
        close(file);
    }
    return true;
}

static char *make_long_file(off_t *length)
{
    struct text text = {0};
    text_add_string(&text, "{\"traceEvents\":[\n");
    for (int i = 0; i < EVENTS; i++)
        ADD_EVENT(&text, i == 0, i * 2, 1, "op");
    text_add_string(&text, "\n]}\n");
    char *path = support_file(text.bytes, text.length);
    *length = (off_t)text.length;
    text_free(&text);
    return path;
}

static void check_shorter(unsigned threads)
{
    off_t length;
    char *path = make_long_file(&length);
    struct error error = {0};
    struct changing changing = {.path = path, .length = length / 2 + 100};
    struct trace_options options = {.threads = threads, .block = BLOCK, .progress = change, .context = &changing};
    struct trace *trace = trace_load(path, &options, &error);
    cr_assert_not_null(trace, "%s", error.text);
    cr_expect_eq(trace->notes.of[NOTE_LOST].count, 1);
    cr_expect_geq(trace->events.count, EVENTS / 2 - 10);
    cr_expect_lt(trace->events.count, EVENTS);
    char *told = damage_notes(trace);
    cr_expect_not_null(strstr(told, "the file became shorter, or could not be read to its end, while it was"), "%s",
                       told);
    cr_expect_not_null(strstr(told, "the file ends early"), "%s", told);
    free(told);
    trace_free(trace);
    free(path);
}

Test(damage_files, a_file_that_becomes_shorter)
{
    check_shorter(1);
    check_shorter(3);
}

Test(damage_files, a_file_that_becomes_empty)
{
    off_t length;
    char *path = make_long_file(&length);
    struct error error = {0};
    struct changing changing = {.path = path, .length = 0};
    struct trace_options options = {.threads = 1, .block = BLOCK, .progress = change, .context = &changing};
    struct trace *trace = trace_load(path, &options, &error);
    cr_assert_not_null(trace, "%s", error.text);
    cr_expect_eq(trace->notes.of[NOTE_LOST].count, 1);
    trace_free(trace);
    free(path);
}

Test(damage_files, a_file_that_becomes_longer)
{
    off_t length;
    char *path = make_long_file(&length);
    struct error error = {0};
    struct changing changing = {.path = path, .length = -80000};
    struct trace_options options = {.threads = 1, .block = BLOCK, .progress = change, .context = &changing};
    struct trace *trace = trace_load(path, &options, &error);
    cr_assert_not_null(trace, "%s", error.text);
    cr_expect_eq(trace->events.count, EVENTS);
    cr_expect(!notes_any(&trace->notes));
    trace_free(trace);
    free(path);
}

/* A bus error that has nothing to do with a file still ends the program, by the signal or by a sanitizer. */
Test(damage_files, other_bus_errors_are_left_alone)
{
    off_t length;
    char *path = make_long_file(&length);
    struct error error = {0};
    trace_free(trace_load(path, &(struct trace_options){0}, &error));
    free(path);
    int status;
    pid_t child = fork();
    if (child == 0) {
        (void)!freopen("/dev/null", "w", stderr);
        raise(SIGBUS);
        _exit(0);
    }
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_expect(WIFSIGNALED(status) || WEXITSTATUS(status) != 0);
}

/* -- Much of it ------------------------------------------------------------------------------------------------- */

Test(damage_files, names_of_a_megabyte_that_differ_in_the_last_byte, .timeout = 30)
{
    enum { LONG = 1 << 20 };
    struct text text = {0};
    struct error error = {0};
    text_add_string(&text, "{\"traceEvents\":[");
    for (int i = 0; i < 3; i++) {
        text_addf(&text, "%s{\"ph\":\"X\",\"cat\":\"cpu_op\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":1,\"name\":\"",
                  i > 0 ? "," : "", i * 2);
        text_add_repeat(&text, 'x', LONG);
        text_addf(&text, "%c\"}", i < 2 ? 'a' : 'b');
    }
    text_add_string(&text, "]}");
    struct trace *trace = trace_load_memory(text.bytes, text.length, "long", &error);
    cr_assert_not_null(trace, "%s", error.text);
    char *rows = damage_rows(trace, "");
    cr_expect_eq(strlen(rows), 2 * LONG + strlen("a cpu 2 2.000 2.000\nb cpu 1 1.000 1.000\n"));
    cr_expect_str_eq(rows + LONG + strlen("a cpu 2 2.000 2.000\n") + LONG, "b cpu 1 1.000 1.000\n");
    free(rows);
    trace_free(trace);
    text_free(&text);
}

/* Case 23's own form, and its expectation: self CPU total = 2 * (depth + 600). */
Test(damage_files, a_hundred_thousand_levels, .timeout = 60)
{
    enum { DEPTH = 100000 };
    struct text text = {0};
    struct error error = {0};
    text_add_string(&text, "{\"traceEvents\":[");
    for (int i = 0; i < DEPTH; i++)
        ADD_EVENT(&text, i == 0, i, 2 * DEPTH + 1200 - 2 * i, i % 2 == 0 ? "even" : "odd");
    text_add_string(&text, "]}");
    struct trace *trace = trace_load_memory(text.bytes, text.length, "deep", &error);
    cr_assert_not_null(trace, "%s", error.text);
    char *rows = damage_rows(trace, "");
    /* Each level leaves one unit on either side; the innermost, an odd one, keeps 1202. */
    cr_expect_str_eq(rows, "even cpu 50000 5060100000.000 100000.000\nodd cpu 50000 5060000000.000 101200.000\n");
    free(rows);
    trace_free(trace);
    text_free(&text);
}

Test(damage_files, arguments_a_hundred_thousand_levels_deep, .timeout = 30)
{
    enum { DEPTH = 100000 };
    struct text text = {0};
    struct error error = {0};
    text_add_string(&text, "{\"x\":");
    text_add_repeat(&text, '[', DEPTH);
    text_add_repeat(&text, ']', DEPTH);
    text_add_string(&text, ",\"traceEvents\":[{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"a\",\"pid\":1,\"tid\":1,"
                           "\"ts\":0,\"dur\":1,\"args\":{\"x\":");
    for (int i = 0; i < DEPTH; i++)
        text_add_string(&text, "{\"y\":");
    text_add_string(&text, "1");
    text_add_repeat(&text, '}', DEPTH);
    text_add_string(&text, "}}]}");
    struct trace *trace = trace_load_memory(text.bytes, text.length, "deep", &error);
    cr_assert_not_null(trace, "%s", error.text);
    cr_expect_eq(trace->events.count, 1);
    cr_expect(!notes_any(&trace->notes));
    trace_free(trace);
    text_free(&text);
}

/* Text that looks like events without an end, again and again: the time grows with the length, not with its square. */
Test(damage_files, brackets_that_never_close, .timeout = 60)
{
    static const char *const pieces[] = {
        "{\"ph\":[", "{\"ph\":\"x\"y", "{\"ph\":/*", "{\"ph\":{\"ts\":", "]}{\"ph\":1,", "\"traceEvents\":{", "\\\"",
        "[{\"args\":{\"name\":\"", "{\"name\":\"\\",
    };
    enum { LENGTH = 1 << 23 };
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        struct text text = {0};
        struct error error = {0};
        text_add_string(&text, "{\"traceEvents\":[\n" OP("a", 0, 10, "") ",\n");
        while (text.length < LENGTH)
            text_add_string(&text, pieces[i]);
        struct trace *trace = trace_load_memory(text.bytes, text.length, "endless", &error);
        cr_assert_not_null(trace, "%s: %s", pieces[i], error.text);
        cr_expect_eq(trace->events.count, 1, "%s: %u events", pieces[i], trace->events.count);
        cr_expect(notes_any(&trace->notes), "%s", pieces[i]);
        trace_free(trace);
        text_free(&text);
    }
}
