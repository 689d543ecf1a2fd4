#include "keyavg/batch.h"

#include "batch_parts.h"

#include <errno.h>
#include <langinfo.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
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

void batch_catch_signals(void)
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

int batch_complain(const struct error *error)
{
    fprintf(stderr, "keyavg: %s\n", error->text);
    return error->code != ERROR_NONE ? (int)error->code : ERROR_IO;
}

void batch_tell_damage(const struct trace *trace, const char *path)
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

/* Whether --output names a file that is to be read, under whatever name: its text would take the trace's place. */
static bool is_read(const struct options *options)
{
    struct stat output, trace;
    bool same = false;
    if (options->output == NULL || stat(options->output, &output) != 0 || !S_ISREG(output.st_mode))
        return false;
    for (unsigned i = 0; i < options->path_count && !same; i++)
        same = stat(options->paths[i], &trace) == 0 && trace.st_dev == output.st_dev && trace.st_ino == output.st_ino;
    return same;
}

bool batch_open(const struct options *options, struct output *output, struct error *error)
{
    batch_catch_signals();
    if (is_read(options))
        return error_set(error, ERROR_USAGE, "%s is to be read and to be written; give --output another name",
                         options->output);
    if (options->output != NULL)
        return output_open(output, options->output, error);
    output_to(output, STDOUT_FILENO);
    return true;
}

struct writer_options batch_writing(const struct options *options)
{
    struct writer_options writing = options->writing;
    writing.ascii = strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
    writing.screen_columns = options->output == NULL ? screen_columns() : 0;
    return writing;
}

int batch_close(const struct options *options, struct output *output)
{
    struct error error = {0};
    if (output_commit(output, &error))
        return 0;
    /* `keyavg trace | head` is no failure. */
    return output->failure == EPIPE && options->output == NULL ? 0 : batch_complain(&error);
}

/* Whether a subject is a row of the table, which can be explained. */
static bool is_one_row(const struct table *table, const struct drill_subject *subject)
{
    return subject->about == DRILL_OF_KEY &&
           table->averages->row_of[tree_row_event(table->tree, subject->event)] != NO_EVENT;
}

struct drill_settings batch_drill_settings(const struct options *options)
{
    struct drill_settings settings = options->drill;
    settings.unfolded = true;
    settings.members_alone = options->writer->write != text_write || settings.columns != NULL;
    return settings;
}

/* A view other than the table. */
static bool write_drill(const struct options *options, struct table *table, const struct writer_options *writing,
                        struct sink *sink, struct error *error)
{
    struct drill_source source = {.table = table};
    struct drill_subject subject = {.about = DRILL_OF_ALL};
    struct drill_settings settings = batch_drill_settings(options);
    bool found = options->focus == NULL || drill_subject_find(&source, span_of(options->focus), &subject, error);
    if (found && options->view == DRILL_EXPLAIN && !is_one_row(table, &subject)) {
        found = error_set(error, ERROR_USAGE, "'%s' is not one row; NAME#K is the K-th of its name, #K the K-th of all",
                          options->focus);
        drill_subject_free(&subject);
    }
    if (found) {
        struct drill *drill = drill_build(&source, options->view, subject, &settings);
        drill_write(drill, options->writer, writing, sink);
        drill_free(drill);
    }
    drill_source_clear(&source);
    return found;
}

static int write_table(const struct options *options, struct trace *trace, struct output *output)
{
    struct writer_options writing = batch_writing(options);
    struct query query = options->query;
    struct error error = {0};
    bool is_table = options->view == DRILL_TABLE, found = true;
    if (!is_table)
        query.row_limit = -1;
    struct table *table = table_build(trace, &query);
    struct sink sink = output_sink(output);
    timing_begin(TIMING_OUTPUT);
    if (is_table)
        options->writer->write(table, &writing, &sink);
    else
        found = write_drill(options, table, &writing, &sink, &error);
    table_free(table);
    if (!found) {
        output_abandon(output);
        return batch_complain(&error);
    }
    return batch_close(options, output);
}

void batch_tell_stats(struct trace *const *traces, unsigned count)
{
    struct text text = {0};
    stats_stop();
    stats_add_text(traces, count, &text);
    fwrite(text.bytes, 1, text.length, stderr);
    text_free(&text);
}

static int run_one(const struct options *options)
{
    struct error error = {0};
    struct output output;
    /* Opened first: a place that cannot be written to is told before a long load. */
    if (!batch_open(options, &output, &error))
        return batch_complain(&error);
    if (options->stats)
        stats_start(true);
    struct trace *trace = load(options, &error);
    if (trace == NULL) {
        output_abandon(&output);
        return batch_complain(&error);
    }
    batch_tell_damage(trace, options->trace);
    int code = write_table(options, trace, &output);
    if (options->stats)
        batch_tell_stats(&trace, 1);
    trace_free(trace);
    return code;
}

int batch_run(const struct options *options)
{
    if (options->summarise != NULL)
        return batch_summarise(options);
    if (options->mode == MODE_ONE)
        return run_one(options);
    return options->mode == MODE_COMPARE ? batch_compare(options) : batch_ranks(options);
}
