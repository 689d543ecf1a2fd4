/* Two traces on the command line. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "batch_parts.h"
#include "keyavg/batch.h"
#include "keyavg/memory.h"
#include "keyavg/progress.h"
#include "keyavg/stats.h"
#include "keyavg/timing.h"
#include "keyavg/utf8.h"

enum { EXIT_GROWN = 4, LINES_MOST = 20 };

/* -- Loading ----------------------------------------------------------------------------------------------------- */

/* Both at once, each with half of the processors; one after the other where phases are timed. */
static bool load_both(const struct options *options, struct trace *traces[COMPARE_SIDES], struct error *error)
{
    const char *paths[COMPARE_SIDES] = {options->paths[0], options->paths[options->path_count > 1 ? 1 : 0]};
    struct progress progress;
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    bool at_once = !options->stats;
    /* The line tells of the first. */
    struct trace_options reading[COMPARE_SIDES] = {{.context = &progress, .progress = progress_tell}};
    for (int s = 0; s < COMPARE_SIDES && at_once && options->path_count > 1; s++)
        reading[s].threads = processors > 3 ? (unsigned)processors / 2 : 1;
    progress_start(&progress);
    timing_begin(TIMING_READ);
    bool good = compare_load(paths, reading, at_once, traces, error);
    progress_end(&progress);
    return good;
}

/* -- The run ----------------------------------------------------------------------------------------------------- */

static struct compare_query query_of(const struct options *options)
{
    struct query query = options->query;
    /* With a view they are its own. */
    if (options->view != DRILL_TABLE) {
        query.row_limit = -1;
        query.sort = NULL;
    }
    return (struct compare_query){
        .query = query,
        .filters = {options->side_filters[COMPARE_BASE], options->side_filters[COMPARE_NEW]},
        .main_sort = !options->sort_given,
        .per_step = options->per_step,
        .unchanged = options->unchanged,
    };
}

/* What the reader must know of how the rows were made. */
static void tell_notes(const struct compare *compare)
{
    for (int i = 0; i < COMPARE_NOTES; i++) {
        struct text note = {0};
        if (compare_add_note(compare, (enum compare_note)i, &note))
            fprintf(stderr, "keyavg: %s\n", note.bytes);
        text_free(&note);
    }
}

static int check_conditions(const struct compare *compare, const struct options *options)
{
    int code = 0;
    for (unsigned i = 0; i < options->condition_count; i++) {
        const struct condition *condition = &options->conditions[i];
        struct text lines = {0};
        uint32_t found = condition_check(condition, compare, LINES_MOST, &lines);
        if (found > 0) {
            fprintf(stderr, "keyavg: --fail-if '%s': ", condition->text);
            if (condition->total)
                fprintf(stderr, "it has\n");
            else
                fprintf(stderr, "%lu row%s\n", (unsigned long)found, found == 1 ? "" : "s");
            fwrite(lines.bytes, 1, lines.length, stderr);
            if (found > LINES_MOST)
                fprintf(stderr, "  and %lu more\n", (unsigned long)(found - LINES_MOST));
            code = EXIT_GROWN;
        }
        text_free(&lines);
    }
    return code;
}

static int write_compare(const struct options *options, struct compare *compare, struct output *output)
{
    struct writer_options writing = batch_writing(options);
    struct sink sink = output_sink(output);
    unsigned count;
    const struct column **columns_shown = compare_columns(compare, writing.columns, writing.column_count,
                                                          options->writer->all_rows, &count);
    struct sheet sheet = compare_sheet(compare, columns_shown, count);
    sheet.chosen = writing.columns != NULL;
    timing_begin(TIMING_OUTPUT);
    options->writer->write_sheet(&sheet, &writing, &sink);
    free(columns_shown);
    int code = batch_close(options, output), grown = check_conditions(compare, options);
    return code != 0 ? code : grown;
}

/* A view of both sides; the row that it is about is looked for in each. */
static bool write_view(const struct options *options, const struct compare *compare, struct output *output,
                       struct error *error)
{
    struct drill_source sources[COMPARE_SIDES];
    struct drill *drills[COMPARE_SIDES] = {NULL};
    struct drill_settings settings = batch_drill_settings(options);
    for (int s = 0; s < COMPARE_SIDES; s++) {
        struct drill_subject subject = {.about = DRILL_OF_ALL};
        sources[s] = (struct drill_source){.table = compare->sides[s].table};
        if (options->focus == NULL || drill_subject_find(&sources[s], span_of(options->focus), &subject, error))
            drills[s] = drill_build(&sources[s], options->view, subject, &settings);
    }
    bool found = drills[COMPARE_BASE] != NULL || drills[COMPARE_NEW] != NULL;
    if (found) {
        struct writer_options writing = batch_writing(options);
        struct sink sink = output_sink(output);
        timing_begin(TIMING_OUTPUT);
        drill_write_sides((const struct drill *const *)drills, options->writer, &writing, &sink);
    }
    for (int s = 0; s < COMPARE_SIDES; s++) {
        if (drills[s] != NULL)
            drill_free(drills[s]);
        drill_source_clear(&sources[s]);
    }
    return found;
}

/* Writes what is asked for; returns the exit code. */
static int write_out(const struct options *options, struct compare *compare, struct output *output)
{
    struct error error = {0};
    if (options->view == DRILL_TABLE)
        return write_compare(options, compare, output);
    if (write_view(options, compare, output, &error))
        return batch_close(options, output);
    output_abandon(output);
    return batch_complain(&error);
}

int batch_compare(const struct options *options)
{
    struct error error = {0};
    struct output output;
    struct trace *traces[COMPARE_SIDES];
    struct compare_query query = query_of(options);
    if (!batch_open(options, &output, &error))
        return batch_complain(&error);
    if (options->stats)
        stats_start(true);
    if (!load_both(options, traces, &error)) {
        output_abandon(&output);
        return batch_complain(&error);
    }
    batch_tell_damage(traces[0], options->paths[0]);
    if (traces[1] != traces[0])
        batch_tell_damage(traces[1], options->paths[1]);
    struct compare *compare = compare_build(traces[0], traces[1], &query);
    tell_notes(compare);
    int code = write_out(options, compare, &output);
    if (options->stats)
        batch_tell_stats(traces, traces[1] != traces[0] ? 2 : 1);
    compare_free(compare);
    compare_free_traces(traces);
    return code;
}
