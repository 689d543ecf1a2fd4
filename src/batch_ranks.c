/* Ranks on the command line: their table and their summary. */
#include <stdio.h>
#include <stdlib.h>

#include "batch_parts.h"
#include "keyavg/collectives.h"
#include "keyavg/filter.h"
#include "keyavg/progress.h"
#include "keyavg/rank_files.h"
#include "keyavg/ranks.h"
#include "keyavg/stats.h"

static void tell(void *context, const char *line)
{
    progress_end(context);
    fprintf(stderr, "keyavg: %s\n", line);
}

/* The files and how to read them. False with `error` set when there are none. */
static bool find_files(const struct options *options, struct progress *progress, struct rank_reading *reading,
                       struct rank_files *files, struct error *error)
{
    *files = (struct rank_files){0};
    *reading = (struct rank_reading){.memory = options->memory, .threads = options->threads, .tell = tell,
                                     .context = progress, .progress = progress_tell, .progress_context = progress};
    progress_start(progress);
    if (options->stats)
        stats_start(false);
    return rank_files_find(files, options->paths, options->path_count, options->summarise, reading, error);
}

/* A file named on the command line that could not be read makes the run a failure, as with cat; the rest was done. */
static int exit_code(int code, const struct rank_reading *reading)
{
    return code != 0 ? code : (int)reading->failure;
}

/* What the run took, over all of these sources. */
static void tell_stats(const struct options *options, const struct rank_files *files, const struct summary *whole)
{
    struct stats_files all = {.count = files->list.count};
    struct text text = {0};
    if (!options->stats)
        return;
    for (size_t i = 0; i < files->list.count; i++)
        all.bytes += files->list.items[i].bytes;
    for (size_t i = 0; i < whole->sources.count; i++)
        all.events += whole->sources.items[i].events;
    stats_stop();
    stats_add_files(&all, &text);
    fwrite(text.bytes, 1, text.length, stderr);
    text_free(&text);
}

/* -- The summary ------------------------------------------------------------------------------------------------- */

static int write_summary(const struct summary *summary, struct output *output)
{
    struct text file = {0};
    struct error error = {0};
    struct sink sink = output_sink(output);
    summary_add_file(summary, &file);
    sink.write(sink.context, file.bytes, file.length);
    text_free(&file);
    return output_commit(output, &error) ? 0 : batch_complain(&error);
}

int batch_summarise(const struct options *options)
{
    struct error error = {0};
    struct output output;
    struct progress progress;
    struct rank_reading reading;
    struct rank_files files;
    struct rank_settings settings = options_summary_settings(options);
    if (!find_files(options, &progress, &reading, &files, &error)) {
        rank_files_free(&files);
        return batch_complain(&error);
    }
    batch_catch_signals();
    if (!output_open(&output, options->summarise, &error)) {
        rank_files_free(&files);
        return batch_complain(&error);
    }
    struct summary *summary = rank_files_summarise(&files, &reading, &settings);
    progress_end(&progress);
    if (summary == NULL) {
        rank_files_free(&files);
        output_abandon(&output);
        error_set(&error, reading.failure != ERROR_NONE ? reading.failure : ERROR_NOT_TRACE,
                  "not one trace could be read: nothing is written");
        return batch_complain(&error);
    }
    int code = write_summary(summary, &output);
    tell_stats(options, &files, summary);
    rank_files_free(&files);
    summary_free(summary);
    return exit_code(code, &reading);
}

/* -- The table --------------------------------------------------------------------------------------------------- */

/* Whether a column counts the durations of calls, which costs time and memory for every rank. */
static bool wants_calls(const struct column *column)
{
    return column != NULL && column->spread;
}

static unsigned measure_bit(const struct column *column)
{
    int measure = column != NULL ? column_measure(column) : -1;
    return measure >= 0 ? 1u << measure : 0;
}

static struct ranks_query query_of(const struct options *options)
{
    const struct writer_options *writing = &options->writing;
    struct ranks_query query = {.query = options->query, .main_sort = !options->sort_given && !options->by_rank,
                                .by_rank = options->by_rank, .ascii = batch_writing(options).ascii};
    bool all = writing->columns == NULL && options->writer->all_rows;
    query.histograms = all || wants_calls(options->query.sort) ||
                       (options->filter != NULL && filter_wants_calls(options->filter));
    for (unsigned i = 0; i < writing->column_count && writing->columns != NULL; i++) {
        query.histograms |= wants_calls(writing->columns[i]);
        query.lines |= measure_bit(writing->columns[i]);
    }
    if (writing->columns == NULL && !all)
        query.lines = 1u << MEASURE_SELF_CPU | 1u << MEASURE_SELF_DEVICE | measure_bit(options->query.sort);
    if (options->by_rank)
        query.lines = 0;
    return query;
}

static int write_sheet(const struct options *options, struct sheet *sheet, struct output *output)
{
    struct writer_options writing = batch_writing(options);
    struct sink sink = output_sink(output);
    sheet->chosen = writing.columns != NULL;
    options->writer->write_sheet(sheet, &writing, &sink);
    return batch_close(options, output);
}

/* A table of the ranks. Returns the exit code; ERROR_NONE with `error` set: nothing could be made. */
static int run_ranks(const struct options *options, struct rank_files *files, struct rank_reading *reading,
                     struct output *output, struct error *error)
{
    struct ranks_query query = query_of(options);
    struct ranks *ranks = ranks_build(files, reading, &query, error);
    unsigned count;
    if (ranks == NULL)
        return 0;
    rank_roll_tell(&ranks->roll, tell, reading->context);
    if (ranks->merged && query.lines != 0)
        tell(reading->context, "a summary of several ranks does not keep what single ranks have: no line by rank");
    const struct column **shown = ranks_columns(ranks, options->writing.columns, options->writing.column_count,
                                                options->writer->all_rows, &count);
    struct sheet sheet = ranks_sheet(ranks, shown, count);
    int code = write_sheet(options, &sheet, output);
    tell_stats(options, files, ranks->roll.whole);
    free(shown);
    ranks_free(ranks);
    return code;
}

/* The same of their collectives. */
static int run_collectives(const struct options *options, struct rank_files *files, struct rank_reading *reading,
                           struct output *output, struct error *error)
{
    struct collectives *collectives = collectives_build(files, reading, &options->query, error);
    unsigned count;
    if (collectives == NULL)
        return 0;
    rank_roll_tell(&collectives->roll, tell, reading->context);
    if (!collectives->clocks_agree) {
        struct text line = {0};
        text_addf(&line, "who arrived last cannot be told: %s", collectives->clocks.bytes);
        tell(reading->context, line.bytes);
        text_free(&line);
    }
    const struct column **shown = collectives_columns(options->writing.columns, options->writing.column_count, &count);
    struct sheet sheet = collectives_sheet(collectives, shown, count);
    int code = write_sheet(options, &sheet, output);
    tell_stats(options, files, collectives->roll.whole);
    free(shown);
    collectives_free(collectives);
    return code;
}

int batch_ranks(const struct options *options)
{
    struct error error = {0};
    struct output output;
    struct progress progress;
    struct rank_reading reading;
    struct rank_files files;
    int code = 0;
    if (!batch_open(options, &output, &error))
        return batch_complain(&error);
    if (find_files(options, &progress, &reading, &files, &error))
        code = (options->collectives ? run_collectives : run_ranks)(options, &files, &reading, &output, &error);
    progress_end(&progress);
    if (error.code != ERROR_NONE) {
        output_abandon(&output);
        code = batch_complain(&error);
    } else {
        code = exit_code(code, &reading);
    }
    rank_files_free(&files);
    return code;
}
