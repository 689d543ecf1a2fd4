/* Two traces on the command line. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "batch_parts.h"
#include "keyavg/batch.h"
#include "keyavg/memory.h"
#include "keyavg/progress.h"
#include "keyavg/timing.h"
#include "keyavg/utf8.h"

enum { EXIT_GROWN = 4, LINES_MOST = 20 };

/* -- Loading ----------------------------------------------------------------------------------------------------- */

/* One file, read by a thread of its own. */
struct side_load {
    const char *path;
    struct progress *progress; /* NULL: not shown */
    unsigned threads;
    struct trace *trace;
    struct error error;
    pthread_t thread;
};

static void *load_side(void *context)
{
    struct side_load *load = context;
    struct trace_options reading = {.threads = load->threads, .context = load->progress,
                                    .progress = load->progress != NULL ? progress_tell : NULL};
    load->trace = trace_load(load->path, &reading, &load->error);
    return NULL;
}

/* Both at once, each with half of the processors; one after the other where phases are timed. */
static bool load_both(const struct options *options, struct trace *traces[COMPARE_SIDES], struct error *error)
{
    bool twice = options->path_count == 1;
    struct progress progress;
    struct side_load loads[COMPARE_SIDES] = {{.path = options->paths[0], .progress = &progress},
                                             {.path = options->paths[twice ? 0 : 1]}};
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    bool at_once = !twice && !options->stats;
    for (int s = 0; s < COMPARE_SIDES && at_once; s++)
        loads[s].threads = processors > 3 ? (unsigned)processors / 2 : 1;
    progress_start(&progress);
    timing_begin(TIMING_READ);
    at_once = at_once && pthread_create(&loads[1].thread, NULL, load_side, &loads[1]) == 0;
    load_side(&loads[0]);
    if (at_once)
        pthread_join(loads[1].thread, NULL);
    else if (!twice)
        load_side(&loads[1]);
    progress_end(&progress);
    traces[0] = loads[0].trace;
    traces[1] = twice ? loads[0].trace : loads[1].trace;
    for (int s = 0; s < COMPARE_SIDES; s++) {
        if (traces[s] != NULL)
            continue;
        *error = loads[twice ? 0 : s].error;
        trace_free(traces[1 - s]);
        return false;
    }
    return true;
}

/* -- The run ----------------------------------------------------------------------------------------------------- */

static struct compare_query query_of(const struct options *options)
{
    return (struct compare_query){
        .query = options->query,
        .filters = {options->side_filters[COMPARE_BASE], options->side_filters[COMPARE_NEW]},
        .main_sort = !options->sort_given,
        .per_step = options->per_step,
        .unchanged = options->unchanged,
    };
}

/* What the reader must know of how the rows were made. */
static void tell_notes(const struct compare *compare, const struct options *options)
{
    const struct compare_side *base = &compare->sides[COMPARE_BASE], *other = &compare->sides[COMPARE_NEW];
    if (options->path_count == 2 && base->rank >= 0 && other->rank >= 0 && base->rank != other->rank &&
        base->world_size > 1 && base->world_size == other->world_size)
        fprintf(stderr, "keyavg: these are ranks %lld and %lld of %lld of one run; --ranks shows them as such\n",
                (long long)base->rank, (long long)other->rank, (long long)base->world_size);
    if (options->per_step && (base->steps == 0 || other->steps == 0))
        fprintf(stderr, "keyavg: --per-step: %s no steps of the profiler (ProfilerStep#), and counts as one\n",
                base->steps != 0 ? "the new trace has" : other->steps != 0 ? "the base has" : "the traces have");
    if (compare->steps_by_place)
        fprintf(stderr, "keyavg: the traces have no step in common: the first is compared with the first\n");
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

int batch_compare(const struct options *options)
{
    struct error error = {0};
    struct output output;
    struct trace *traces[COMPARE_SIDES];
    struct compare_query query = query_of(options);
    if (!batch_open(options, &output, &error))
        return batch_complain(&error);
    if (!load_both(options, traces, &error)) {
        output_abandon(&output);
        return batch_complain(&error);
    }
    batch_tell_damage(traces[0], options->paths[0]);
    if (traces[1] != traces[0])
        batch_tell_damage(traces[1], options->paths[1]);
    struct compare *compare = compare_build(traces[0], traces[1], &query);
    tell_notes(compare, options);
    int code = write_compare(options, compare, &output);
    compare_free(compare);
    if (traces[1] != traces[0])
        trace_free(traces[1]);
    trace_free(traces[0]);
    return code;
}
