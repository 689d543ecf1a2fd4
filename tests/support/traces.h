/*
 * The trace files that a test goes through.
 */
#ifndef SUPPORT_TRACES_H
#define SUPPORT_TRACES_H

#include <stdbool.h>

/* Paths, sorted. */
struct support_traces {
    char **paths;
    unsigned count;
};

/*
 * The recordings of samples/ (or of another folder made like it): all files below named trace.json or trace.json.gz,
 * and, when `all` is set, whatever else ends in .json.gz. The test fails when there are none. Release with
 * support_traces_free().
 */
struct support_traces support_traces_below(const char *folder, bool all);

void support_traces_free(struct support_traces *traces);

/* The last folder and the name, `mlp_all/trace.json.gz`, for messages. Points into the path. */
const char *support_short_path(const char *path);

#endif
