/*
 * What the explorer's budgets are spent on, for `make bench-ui`: prints each figure beside its
 * goal. The trace is made here, or read from the file that is named. What can only be seen in a
 * terminal is measured in a pseudo terminal, with the program in KEYAVG_BIN and the trace in KEYAVG_SAMPLE.
 */
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "keyavg/app.h"
#include "keyavg/drill.h"
#include "keyavg/text.h"

enum { EVENTS = 1000000, TIMES = 9, QUIET = 150, SECONDS = 10, TRIES = 3 };

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

/* Ops in ops, of some hundred names and shapes, with stacks. */
static void make_trace(struct text *json)
{
    text_add_string(json, "{\"record_shapes\": 1, \"with_stack\": 1, \"traceEvents\": [\n");
    for (int i = 0; i < EVENTS; i++) {
        int depth = i % 4;
        int name = i % 331;
        long start = (long)(i - depth) * 10 + depth;
        text_addf(
            json,
            "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"aten::op_%d\", \"pid\": 1, \"tid\": 1, \"ts\": %ld.%03d, "
            "\"dur\": %d.5, \"args\": {\"External id\": %d, \"Input Dims\": [[%d, 32], []], \"Call stack\": "
            "\"file_%d.py(%d): forward;train.py(%d): main;\"}},\n",
            name, start, i % 1000, 38 - depth * 8, i + 1, 1 << i % 7, name % 29, name % 13, i % 3);
    }
    text_add_string(
        json, "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"last\", \"pid\": 1, \"tid\": 1, \"ts\": 99999999, "
              "\"dur\": 1}\n]}\n");
}

/* Ops that launch kernels: of each four events an op, one in it, the launch and its kernel. Every tenth op outside is
 * `aten::often`. Here and there an op lies inside of another one's. */
static void make_device_trace(struct text *json)
{
    static const char *const format = "{\"ph\": \"X\", \"cat\": \"%s\", \"name\": \"%s%d\", \"pid\": %d, \"tid\": %d, "
                                      "\"ts\": %ld.%03d, \"dur\": %d.5, \"args\": "
                                      "{\"External id\": %d, \"%s\": %d}},\n";
    text_add_string(json, "{\"traceEvents\": [\n");
    for (int i = 0; i < EVENTS / 4; i++) {
        long start = (long)i * 40;
        int name = i % 331, rest = i % 1000, own = 2 * i + 1;
        bool often = i % 5 < 2;
        text_addf(json, format, "cpu_op", often ? "aten::often_" : "aten::outer_", often ? 0 : name, 1, 1, start, rest,
                  i % 7 == 0 ? 60 : 30, own, "Sequence number", i);
        text_addf(json, format, "cpu_op", "aten::inner_", name, 1, 1, start + 2, rest, 20, own + 1, "Sequence number",
                  i);
        text_addf(json, format, "cuda_runtime", "cudaLaunchKernel_", 0, 1, 1, start + 4, rest, 10, own + 1,
                  "correlation", i + 1);
        text_addf(json, format, "kernel", "kernel_", name % 97, 0, 7, start + 20, rest, 15, own + 1, "correlation",
                  i + 1);
    }
    text_add_string(json, "{}]}\n");
}

static void type(struct app *app, const char *keys)
{
    struct span rest = span_of(keys);
    struct key key;
    int times;
    while (key_next(&rest, &key, &times, NULL))
        for (int i = 0; i < times; i++)
            app_key(app, &key);
    app_draw(app);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print(const char *what, double value, double goal, const char *unit)
{
    printf("%-44s %9.2f %-5s goal %6.0f %-5s %s\n", what, value, unit, goal, unit, value <= goal ? "" : "  MISSED");
}

static double median(double times[TIMES])
{
    qsort(times, TIMES, sizeof *times, by_value);
    return times[TIMES / 2];
}

/* The median over typing `keys`, after each `undo`. */
static void measure(struct app *app, const char *what, const char *keys, const char *undo, double goal)
{
    double times[TIMES];
    for (int i = 0; i < TIMES; i++) {
        double start = now();
        type(app, keys);
        times[i] = now() - start;
        type(app, undo);
    }
    print(what, median(times), goal, "ms");
}

/* -- Drilling ------------------------------------------------------------------------------------ */

static double time_of(struct app *app, const char *keys)
{
    double start = now();
    type(app, keys);
    return now() - start;
}

/* The first focus, which makes what the others share, and the slowest row's, each the best of some: other programs
 * count for nothing. A list of 100,000 calls. */
static void measure_drills(const char *path)
{
    struct error error = {0};
    struct text json = {0};
    struct query query;
    struct app app;
    double slowest = 0;
    struct trace_options options = {0};
    if (path == NULL)
        make_device_trace(&json);
    struct trace *trace = path == NULL ? trace_load_memory(json.bytes, json.length, "made", &error)
                                       : trace_load(path, &options, &error);
    query_init(&query);
    app_init(&app, "made", &query, 24, 80, false);
    struct table *table = app_build_table(trace, &app.query, false);
    double built = now();
    drill_prepare(table);
    printf("%u events, ops and kernels; what drills share made in %.0f ms while loading\n", trace->events.count,
           now() - built);
    app_set_table(&app, table);
    app_draw(&app);
    print("the first focus of a row", time_of(&app, "<Enter>"), 50, "ms");
    type(&app, "<Backspace>");
    for (uint32_t row = 0; row < app.table->count; row++) {
        double best = time_of(&app, "<Enter>");
        type(&app, "<Backspace>");
        for (int i = 1; i < TRIES; i++) {
            double time = time_of(&app, "<Enter>");
            best = time < best ? time : best;
            type(&app, "<Backspace>");
        }
        slowest = best > slowest ? best : slowest;
        type(&app, "j");
    }
    print("the slowest focus of a row", slowest, 50, "ms");
    type(&app, "/often<Enter>");
    print("calls of a row with 100000 calls", time_of(&app, "c"), 50, "ms");
    measure(&app, "one page down in these calls", "<PgDn>", "<PgUp>", 5);
    measure(&app, "to their end", "G", "g", 5);
    app_free(&app);
    text_free(&json);
}

/* -- In a terminal ------------------------------------------------------------------------------- */

struct terminal {
    int master;
    pid_t child;
    struct text written;
};

static void terminal_run(struct terminal *terminal, const char *program, const char *trace)
{
    struct winsize size = {.ws_row = 24, .ws_col = 80};
    *terminal = (struct terminal){0};
    terminal->child = forkpty(&terminal->master, NULL, NULL, &size);
    if (terminal->child == 0) {
        setenv("TERM", "xterm-256color", 1);
        setenv("LC_ALL", "C.UTF-8", 1);
        setenv("KEYAVG_CONFIG", "/nonexistent", 1);
        unsetenv("XDG_STATE_HOME");
        setenv("HOME", "/nonexistent", 1);
        execl(program, program, trace, (char *)NULL);
        _exit(127);
    }
}

/* Takes in what is written until `words` is part of it, NULL: until it is quiet. False: the time is over. */
static bool terminal_wait(struct terminal *terminal, const char *words)
{
    char bytes[4096];
    for (double end = now() + SECONDS * 1e3; now() < end;) {
        struct pollfd fd = {terminal->master, POLLIN, 0};
        if (words != NULL && terminal->written.length > 0 && strstr(terminal->written.bytes, words) != NULL)
            return true;
        if (poll(&fd, 1, words != NULL ? 1000 : QUIET) == 0) {
            if (words == NULL)
                return true;
            continue;
        }
        ssize_t got = read(terminal->master, bytes, sizeof bytes);
        if (got <= 0)
            return false;
        text_add(&terminal->written, bytes, (size_t)got);
    }
    return false;
}

static void terminal_end(struct terminal *terminal)
{
    kill(terminal->child, SIGKILL);
    waitpid(terminal->child, NULL, 0);
    close(terminal->master);
    text_free(&terminal->written);
}

static void measure_terminal(const char *program, const char *trace)
{
    struct terminal terminal;
    double times[TIMES];
    for (int i = 0; i < TIMES; i++) {
        double start = now();
        terminal_run(&terminal, program, trace);
        /* The function bar is the last thing drawn. */
        if (!terminal_wait(&terminal, "Quit"))
            fprintf(stderr, "bench_ui: %s shows nothing\n", program);
        times[i] = now() - start;
        terminal_end(&terminal);
    }
    print("first screen, from the start of the program", median(times), 100, "ms");
    terminal_run(&terminal, program, trace);
    bool good = terminal_wait(&terminal, "Quit") && terminal_wait(&terminal, NULL) &&
                write(terminal.master, "jjj", 3) == 3 && terminal_wait(&terminal, NULL);
    size_t before = terminal.written.length;
    good = good && write(terminal.master, "j", 1) == 1 && terminal_wait(&terminal, NULL);
    if (good)
        print("bytes for one row down at 80x24", (double)(terminal.written.length - before), 400, "bytes");
    terminal_end(&terminal);
}

int main(int argc, char *argv[])
{
    struct error error = {0};
    struct trace_options options = {0};
    struct text json = {0};
    struct query query;
    struct app app;
    if (argc < 2)
        make_trace(&json);
    double start = now();
    struct trace *trace = argc < 2 ? trace_load_memory(json.bytes, json.length, "made", &error)
                                   : trace_load(argv[1], &options, &error);
    if (trace == NULL) {
        fprintf(stderr, "bench_ui: %s\n", error.text);
        return 1;
    }
    query_init(&query);
    app_init(&app, "made", &query, 24, 80, false);
    double loaded = now();
    app_set_table(&app, app_build_table(trace, &app.query, false));
    app_draw(&app);
    printf("%u events; read in %.0f ms, first table %.0f ms later\n", trace->events.count, loaded - start,
           now() - loaded);
    measure(&app, "cursor one row down, drawn", "j", "k", 5);
    measure(&app, "regroup by shape", "S", "S", 50);
    measure(&app, "regroup by stack of 1", "}", "{", 50);
    measure(&app, "regroup by shape, then by stack 1, then 2", "S}}", "{{S", 150);
    measure(&app, "sort by another column", "1", "2", 5);
    measure(&app, "one key of a filter", "\\o", "<Esc>", 50);
    measure(&app, "one key of a filter on a column", "\\count>1", "<Esc>", 50 * 8);
    measure(&app, "scope", "f", "fff", 50);
    measure(&app, "percent base", "%", "%", 5);
    app_free(&app);
    text_free(&json);
    measure_drills(argc < 2 ? NULL : argv[1]);
    const char *program = getenv("KEYAVG_BIN"), *sample = getenv("KEYAVG_SAMPLE");
    if (program != NULL && sample != NULL)
        measure_terminal(program, argc < 2 ? sample : argv[1]);
    return 0;
}
