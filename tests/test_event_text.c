/*
 * The text of one event, read again from wherever the trace came from: it is the file's own bytes, or it is told why
 * there is none.
 */
#include <config.h>
#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#include "support/loads.h"
#include "support/skip.h"

enum { EVENTS = 3000, ODD = 5 };

/* Text as no writer would agree on: spaces, line ends, escapes, a lost quote, bytes that are no UTF-8, members in any
 * order. The name tells the event. */
static const char *const styles[ODD] = {
    "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"op %d\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":1,\"args\":{\"External id\":7}}",
    "{ \"dur\" : 1.50 ,\r\n\t\"ts\": %2$d.0,\"name\" :\"op %1$d\",\"tid\":1,\"pid\":1,\"args\":{\"a\":[{},[1e9]]},\"ph\":\"X\"}",
    "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"op %d\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":1,\"text\":\"\\u00e4 } \\\" {\"}",
    "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"op %d\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":1,\"args\":{\"a\":\"say \"b\" or\"}}",
    "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"op %d\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":1,\"bytes\":\"\xff\xfe\"}",
};

/* A trace's text and where each event's own stands in it. */
struct known {
    struct text text;
    size_t from[EVENTS], to[EVENTS];
};

static void add_known(struct known *known)
{
    memset(known, 0, sizeof *known);
    text_add_string(&known->text, "{\"schemaVersion\": 1, \"traceEvents\": [");
    for (int i = 0; i < EVENTS; i++) {
        text_add_string(&known->text, i == 0 ? "\n" : ",\n");
        known->from[i] = known->text.length;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        text_addf(&known->text, styles[i % ODD], i, i * 10);
#pragma GCC diagnostic pop
        known->to[i] = known->text.length;
    }
    text_add_string(&known->text, "\n]}\n");
}

static const struct trace_options with_copy = {.threads = 1, .keep_text = true};

static void expect_event(const struct trace *trace, const struct known *known, unsigned i)
{
    struct error error = {0};
    struct text name = {0}, text = {0};
    text_addf(&name, "op %u", i);
    cr_assert(trace_event_text(trace, support_event(trace, name.bytes, 0), NULL, NULL, &text, &error), "%s: %s",
              name.bytes, error.text);
    cr_expect_eq(text.length, known->to[i] - known->from[i], "%s", name.bytes);
    cr_expect_arr_eq(text.bytes, known->text.bytes + known->from[i], text.length, "%s is %.*s", name.bytes,
                     (int)text.length, text.bytes);
    text_free(&name);
    text_free(&text);
}

/* Of the whole list some events, in an order that goes back as well. */
static void expect_events(struct trace *trace, const struct known *known, const char *what, const struct error *error)
{
    cr_assert_not_null(trace, "%s: %s", what, error->text);
    cr_assert_eq(trace->events.count, EVENTS, "%s", what);
    for (unsigned i = 0; i < 40; i++)
        expect_event(trace, known, i * 1009 % EVENTS);
    expect_event(trace, known, 0);
    expect_event(trace, known, EVENTS - 1);
    trace_free(trace);
}

/* The same bytes as a file, from standard input that is a file, and from a pipe. */
static void expect_from_anywhere(const struct known *known, const struct text *file)
{
    struct error error = {0};
    char *path = support_file(file->bytes, file->length);
    expect_events(trace_load(path, &with_copy, &error), known, "a file", &error);
    int in = open(path, O_RDONLY);
    cr_assert(dup2(in, STDIN_FILENO) == STDIN_FILENO);
    close(in);
    expect_events(trace_load("-", &with_copy, &error), known, "standard input", &error);
    expect_events(support_piped(file->bytes, file->length, 7001, &with_copy, &error), known, "a pipe", &error);
}

Test(event_text, plain)
{
    struct known known;
    add_known(&known);
    expect_from_anywhere(&known, &known.text);
    text_free(&known.text);
}

Test(event_text, gzip)
{
    struct known known;
    struct text packed = {0};
    add_known(&known);
    /* Two members, with an event across them. */
    size_t half = known.from[EVENTS / 2] + 9;
    support_gzip(known.text.bytes, half, &packed);
    support_gzip(known.text.bytes + half, known.text.length - half, &packed);
    expect_from_anywhere(&known, &packed);
    text_free(&packed);
    text_free(&known.text);
}

Test(event_text, zstd)
{
#ifdef HAVE_ZSTD
    struct known known;
    struct text packed = {0};
    add_known(&known);
    size_t half = known.from[EVENTS / 2] + 9, from[] = {0, half}, to[] = {half, known.text.length};
    for (int i = 0; i < 2; i++) {
        size_t room = ZSTD_compressBound(to[i] - from[i]);
        char *at = text_room(&packed, room);
        size_t length = ZSTD_compress(at, room, known.text.bytes + from[i], to[i] - from[i], 3);
        cr_assert_not(ZSTD_isError(length));
        packed.length += length;
    }
    expect_from_anywhere(&known, &packed);
    text_free(&packed);
    text_free(&known.text);
#else
    support_skip("zstd is not built in");
#endif
}

/* A plain file on standard input may have been read from already. */
Test(event_text, standard_input_from_the_middle)
{
    struct known known;
    struct text file = {0};
    struct error error = {0};
    add_known(&known);
    text_add_string(&file, "a line of something else\n");
    size_t before = file.length;
    text_add(&file, known.text.bytes, known.text.length);
    int in = open(support_file(file.bytes, file.length), O_RDONLY);
    cr_assert_eq(lseek(in, (off_t)before, SEEK_SET), (off_t)before);
    cr_assert(dup2(in, STDIN_FILENO) == STDIN_FILENO);
    expect_events(trace_load("-", &with_copy, &error), &known, "standard input", &error);
    text_free(&file);
    text_free(&known.text);
}

/* -- Where there is no text -------------------------------------------------------------------------------------- */

/* No text, and an error with these words. */
static void expect_none(const struct trace *trace, uint32_t event, const char *words)
{
    struct error error = {0};
    struct text text = {0};
    cr_expect_not(trace_event_text(trace, event, NULL, NULL, &text, &error));
    cr_expect_eq(error.code, ERROR_IO);
    cr_expect_not_null(strstr(error.text, words), "told is: %s", error.text);
    cr_expect_eq(text.length, 0);
    text_free(&text);
}

/* A small copy gives the first events, and tells its limit for the others. */
Test(event_text, the_copy_has_a_limit)
{
    struct known known;
    struct error error = {0};
    struct text packed = {0};
    add_known(&known);
    support_gzip(known.text.bytes, known.text.length, &packed);
    struct trace_options small = with_copy;
    small.text_limit = packed.length / 2;
    const struct text *inputs[] = {&known.text, &packed};
    for (int i = 0; i < 2; i++) {
        struct trace *trace = support_piped(inputs[i]->bytes, inputs[i]->length, 512, &small, &error);
        cr_assert_not_null(trace, "%s", error.text);
        expect_event(trace, &known, 0);
        expect_event(trace, &known, 100);
        struct text words = {0};
        text_addf(&words, "the copy of standard input ends before this event: it is limited to %zu bytes",
                  packed.length / 2);
        expect_none(trace, support_event(trace, "op 2999", 0), words.bytes);
        text_free(&words);
        trace_free(trace);
    }
    text_free(&packed);
    text_free(&known.text);
}

Test(event_text, no_copy_without_being_asked)
{
    struct known known;
    struct error error = {0};
    add_known(&known);
    struct trace *trace = support_piped(known.text.bytes, known.text.length, 4096, &(struct trace_options){0}, &error);
    cr_assert_not_null(trace, "%s", error.text);
    expect_none(trace, 0, "standard input cannot be read again");
    trace_free(trace);
    text_free(&known.text);
}

/* Reading the trace does not depend on the copy. */
Test(event_text, no_place_for_the_copy)
{
    struct known known;
    struct error error = {0};
    add_known(&known);
    cr_assert_eq(setenv("TMPDIR", "no/such/folder", 1), 0);
    struct trace *trace = support_piped(known.text.bytes, known.text.length, 4096, &with_copy, &error);
    cr_assert_not_null(trace, "%s", error.text);
    cr_expect_eq(trace->events.count, EVENTS);
    expect_none(trace, 0, "no copy of standard input: no/such/folder/keyavg-");
    trace_free(trace);
    text_free(&known.text);
}

/* The copy has no name that others could open. */
Test(event_text, the_copy_has_no_name)
{
    struct known known;
    struct error error = {0};
    char folder[] = "keyavg-copies-XXXXXX";
    add_known(&known);
    cr_assert_not_null(mkdtemp(folder));
    cr_assert_eq(setenv("TMPDIR", folder, 1), 0);
    struct trace *trace = support_piped(known.text.bytes, known.text.length, 4096, &with_copy, &error);
    cr_expect_eq(rmdir(folder), 0, "it is not empty");
    expect_events(trace, &known, "a pipe", &error);
    text_free(&known.text);
}

static void write_at(const char *path, off_t at, const char *bytes, size_t length)
{
    int file = open(path, O_WRONLY);
    cr_assert_geq(file, 0);
    cr_assert_eq(pwrite(file, bytes, length, at), (ssize_t)length);
    close(file);
}

/* Another time, another length, another file of that name, or none. */
Test(event_text, a_file_that_has_changed)
{
    struct known known;
    struct error error = {0};
    add_known(&known);
    for (int way = 0; way < 4; way++) {
        char *path = support_file(known.text.bytes, known.text.length);
        struct trace *trace = trace_load(path, &with_copy, &error);
        cr_assert_not_null(trace, "%s", error.text);
        struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, {.tv_sec = 1000000000}};
        if (way == 0)
            cr_assert_eq(utimensat(AT_FDCWD, path, times, 0), 0);
        else if (way == 1)
            write_at(path, (off_t)known.text.length, "\n", 1);
        else if (way == 2)
            cr_assert_eq(rename(support_file(known.text.bytes, known.text.length), path), 0);
        else
            cr_assert_eq(unlink(path), 0);
        expect_none(trace, 0, way < 3 ? "has changed since it was read" : "No such file or directory");
        trace_free(trace);
    }
    text_free(&known.text);
}

/* Its time and length tell nothing, but another event stands there. */
Test(event_text, another_event_at_its_place)
{
    struct known known;
    struct error error = {0};
    add_known(&known);
    char *path = support_file(known.text.bytes, known.text.length);
    struct stat status;
    cr_assert_eq(stat(path, &status), 0);
    struct trace *trace = trace_load(path, &with_copy, &error);
    cr_assert_not_null(trace, "%s", error.text);
    uint32_t event = support_event(trace, "op 1000", 0);
    const char *digits = strstr(known.text.bytes + known.from[1000], "1000");
    write_at(path, digits - known.text.bytes, "1001", 4);
    struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, status.st_mtim};
    cr_assert_eq(utimensat(AT_FDCWD, path, times, 0), 0);
    expect_none(trace, event, "has changed since it was read: the event is not at byte");
    expect_event(trace, &known, 999);
    trace_free(trace);
    text_free(&known.text);
}

Test(event_text, a_row_made_of_a_memory_record)
{
    struct error error = {0};
    static const char text[] =
        "{\"profile_memory\":1,\"traceEvents\":[{\"ph\":\"i\",\"cat\":\"cpu_instant_event\",\"s\":\"t\",\"name\":\"[memory]\",\"pid\":1,"
        "\"tid\":1,\"ts\":5,\"args\":{\"Total Allocated\":64,\"Bytes\":64,\"Addr\":1,\"Device Id\":-1,\"Device Type\":0}}]}";
    char *path = support_file(text, sizeof text - 1);
    struct trace *trace = trace_load(path, &with_copy, &error);
    cr_assert_not_null(trace, "%s", error.text);
    expect_none(trace, support_event(trace, "[memory]", 0), "made of a memory record");
    trace_free(trace);
}

Test(event_text, of_memory_nothing_is_kept)
{
    struct trace *trace = support_events("{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":1}");
    expect_none(trace, 0, "is not kept");
    trace_free(trace);
}

struct asked {
    unsigned times, limit;
    uint64_t text;
};

static bool on_progress(void *context, uint64_t done, uint64_t total, uint64_t text)
{
    struct asked *asked = context;
    cr_expect_leq(done, total);
    cr_expect_gt(text, asked->text);
    asked->text = text;
    return ++asked->times < asked->limit;
}

/* Unpacking is told of, and may be stopped. */
Test(event_text, unpacking_can_be_stopped)
{
    struct known known;
    struct error error = {0};
    struct text packed = {0}, text = {0}, longer = {0};
    add_known(&known);
    /* Long enough for several pieces; what stands before the list is passed over too. */
    text_add_string(&longer, "{\"filler\": \"");
    memset(text_room(&longer, 2000000), 'x', 2000000);
    longer.length += 2000000;
    text_add_string(&longer, "\",");
    text_add(&longer, known.text.bytes + 1, known.text.length - 1);
    support_gzip(longer.bytes, longer.length, &packed);
    struct trace *trace = trace_load(support_file(packed.bytes, packed.length), &with_copy, &error);
    cr_assert_not_null(trace, "%s", error.text);
    uint32_t event = support_event(trace, "op 2999", 0);
    struct asked all = {.limit = 1000}, few = {.limit = 3};
    cr_expect(trace_event_text(trace, event, on_progress, &all, &text, &error), "%s", error.text);
    cr_expect_gt(all.times, few.limit);
    cr_expect_eq(text.length, known.to[2999] - known.from[2999]);
    text.length = 0;
    cr_expect_not(trace_event_text(trace, event, on_progress, &few, &text, &error));
    cr_expect_eq(error.code, ERROR_NONE);
    cr_expect_str_eq(error.text, "stopped");
    cr_expect_eq(few.times, 3);
    cr_expect_eq(text.length, 0);
    trace_free(trace);
    text_free(&text);
    text_free(&packed);
    text_free(&longer);
    text_free(&known.text);
}
