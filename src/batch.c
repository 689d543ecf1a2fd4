#include "keyavg/batch.h"

#include <errno.h>
#include <langinfo.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "keyavg/notes.h"
#include "keyavg/progress.h"
#include "keyavg/stats.h"
#include "keyavg/timing.h"
#include "keyavg/trace.h"
#include "keyavg/utf8.h"

/* -- Signals ----------------------------------------------------------------------------------------------------- */

/* Leaves no half-written file behind. */
static void interrupted(int number)
{
    if (output_unfinished != NULL)
        unlink(output_unfinished);
    if (progress_on_screen)
        (void)!write(STDERR_FILENO, "\n", 1);
    _exit(128 + number);
}

static void catch_signals(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        struct sigaction old, action = {.sa_handler = interrupted};
        /* What the parent made us ignore (nohup) stays ignored. */
        if (sigaction(numbers[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(numbers[i], &action, NULL);
    }
    /* A reader that has gone is told by the failing write. */
    signal(SIGPIPE, SIG_IGN);
}

/* -- What depends on where we run -------------------------------------------------------------------------------- */

static unsigned screen_columns(void)
{
    struct winsize size;
    const char *given = getenv("COLUMNS");
    if (!isatty(STDOUT_FILENO))
        return 0;
    long columns_given = given != NULL ? strtol(given, NULL, 10) : 0;
    if (columns_given > 0 && columns_given < 100000)
        return (unsigned)columns_given;
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

static int complain(const struct error *error)
{
    fprintf(stderr, "keyavg: %s\n", error->text);
    return error->code != ERROR_NONE ? (int)error->code : ERROR_IO;
}

/* One line for all that was damaged in a file that could be read. */
static void tell_damage(const struct trace *trace, const char *path)
{
    struct text line = {0};
    if (notes_any(&trace->notes)) {
        utf8_add_clean(&line, span_of(strcmp(path, "-") == 0 ? "standard input" : path), false);
        text_add_string(&line, ": ");
        notes_describe(&trace->notes, &line);
        fprintf(stderr, "keyavg: %s\n", line.bytes);
    }
    text_free(&line);
}

/* -- The run ----------------------------------------------------------------------------------------------------- */

static struct trace *load(const struct options *options, struct error *error)
{
    struct progress progress;
    progress_start(&progress);
    struct trace_options reading = {.threads = options->threads, .progress = progress_tell, .context = &progress};
    timing_begin(TIMING_READ);
    struct trace *trace = trace_load(options->trace, &reading, error);
    progress_end(&progress);
    return trace;
}

static int write_table(const struct options *options, struct trace *trace, struct output *output)
{
    struct error error = {0};
    struct writer_options writing = options->writing;
    struct table *table = table_build(trace, &options->query);
    struct sink sink = output_sink(output);
    timing_begin(TIMING_OUTPUT);
    writing.ascii = strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
    writing.screen_columns = options->output == NULL ? screen_columns() : 0;
    options->writer->write(table, &writing, &sink);
    table_free(table);
    if (output_commit(output, &error))
        return 0;
    /* `keyavg trace | head` is no failure. */
    return output->failure == EPIPE && options->output == NULL ? 0 : complain(&error);
}

static void tell_stats(const struct trace *trace)
{
    struct text text = {0};
    stats_stop();
    stats_add_text(trace, &text);
    fwrite(text.bytes, 1, text.length, stderr);
    text_free(&text);
}

int batch_run(const struct options *options)
{
    struct error error = {0};
    struct output output;
    catch_signals();
    /* Opened first: a place that cannot be written to is told before a long load. */
    if (options->output == NULL)
        output_to(&output, STDOUT_FILENO);
    else if (!output_open(&output, options->output, &error))
        return complain(&error);
    if (options->stats)
        stats_start();
    struct trace *trace = load(options, &error);
    if (trace == NULL) {
        output_abandon(&output);
        return complain(&error);
    }
    tell_damage(trace, options->trace);
    int code = write_table(options, trace, &output);
    if (options->stats)
        tell_stats(trace);
    trace_free(trace);
    return code;
}
