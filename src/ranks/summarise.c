/* Files of ranks reduced to one summary. */
#include <stdlib.h>

#include "keyavg/rank_files.h"

struct summarising {
    const struct rank_settings *settings;
    struct rank_reading *reading;
    const struct rank_files *files;
    struct summary *whole;
};

struct made {
    struct summary *summary;
    struct text damage;
};

static struct summary *reduce_trace(const struct summarising *summarising, const struct rank_file *file,
                                    unsigned threads, struct text *damage, struct error *error)
{
    struct trace *trace = rank_file_load(file, threads, NULL, damage, error);
    if (trace == NULL)
        return NULL;
    struct tree *tree = tree_build(trace, summarising->settings->python == PYTHON_LEFT_OUT);
    struct summary *summary = summary_build(tree, file->path, summarising->settings->stack_depth,
                                            summarising->settings->python, true);
    tree_free(tree);
    trace_free(trace);
    return summary;
}

static void *make(void *context, const struct rank_file *file, unsigned threads, struct error *error)
{
    const struct summarising *summarising = context;
    struct made *made = memory_zero(1, sizeof *made);
    if (file->summary)
        made->summary = summary_load(file->path, ~0u, true, error);
    else
        made->summary = reduce_trace(summarising, file, threads, &made->damage, error);
    if (made->summary != NULL)
        return made;
    text_free(&made->damage);
    free(made);
    return NULL;
}

static bool take(void *context, unsigned number, void *given, struct error *error)
{
    struct summarising *summarising = context;
    struct made *made = given;
    struct error why = {0};
    bool merged = summary_merge(summarising->whole, made->summary, &why);
    if (!merged)
        error_set(error, why.code, "%s: %s", summarising->files->list.items[number].path, why.text);
    if (merged && made->damage.length > 0)
        summarising->reading->tell(summarising->reading->context, made->damage.bytes);
    summary_free(made->summary);
    text_free(&made->damage);
    free(made);
    return merged;
}

struct summary *rank_files_summarise(const struct rank_files *files, struct rank_reading *reading,
                                     const struct rank_settings *settings)
{
    struct summarising summarising = {.settings = settings, .reading = reading, .files = files, .whole = summary_new()};
    if (rank_files_read(files, reading, make, take, &summarising) > 0)
        return summarising.whole;
    summary_free(summarising.whole);
    return NULL;
}
