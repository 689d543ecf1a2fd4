/* Summaries: what a rank's trace is reduced to, and what summaries of many ranks add up to. Merging takes them in any
 * order and any number of steps to the same bytes; the file (.kavg) is described in docs/scale.md. */
#ifndef KEYAVG_SUMMARY_H
#define KEYAVG_SUMMARY_H

#include "keyavg/error.h"
#include "keyavg/groups.h"

/* The tables of a summary; each has the name in its key. */
enum summary_table { SUMMARY_NAME, SUMMARY_SHAPE, SUMMARY_STACK, SUMMARY_STEP, SUMMARY_SCOPE, SUMMARY_TABLES };

enum { SUMMARY_STACK_DEPTH = 5, SUMMARY_VERSION = 1 };

/* What a source can tell: bits of source.has. */
enum source_has {
    SOURCE_DEVICE = 1,
    SOURCE_MEMORY = 2,
    SOURCE_SHAPES = 4,
    SOURCE_STACKS = 8,
    SOURCE_FLOPS = 16,     /* with_flops was on */
    SOURCE_OVERLOADS = 32,
    SOURCE_NODES = 64,     /* node ids of the array form */
    SOURCE_DAMAGED = 128,  /* something was skipped or repaired */
    SOURCE_BASE_TIME = 256,
};

/* A trace that was summarised. */
struct source {
    int64_t rank, world_size;     /* of distributedInfo, the rank else from the file's name; -1 not known */
    uint32_t name, host;          /* strings: the file's name without its folder; the host, 0 not known */
    uint32_t backend, has;        /* enum backend, enum source_has */
    uint32_t steps;               /* of the profiler; 0 none */
    int64_t base_time;            /* ns since 1970 of a start of 0; 0 without SOURCE_BASE_TIME */
    int64_t start, end;           /* ns */
    uint64_t events, records;
    int64_t self_cpu, self_device; /* ns: sums over all rows, of the device those that are no annotations */
};

struct summary {
    struct strings strings;
    struct stacks stacks;
    ARRAY(struct source) sources;
    struct groups tables[SUMMARY_TABLES];
    unsigned tables_read;      /* one bit an enum summary_table: those that are there */
    int stack_depth;
    enum python_frames python; /* whether frames are rows */
    char *bytes;               /* the file's, in which strings of a summary just read lie; owned */
};

/* An empty summary, the neutral one of merging; summary_merge gives it the settings of the first. */
struct summary *summary_new(void);
void summary_free(struct summary *summary);

/* What a table groups by. */
struct grouping summary_grouping(const struct summary *summary, enum summary_table table);

/* Fills a source with what a trace tells of itself; strings are put into `strings`. */
void source_take(struct source *source, struct tree *tree, const char *path, struct strings *strings);

/* Reduces a trace. `stack_depth` frames count in the stack table. Without histograms it is done much sooner. */
struct summary *summary_build(struct tree *tree, const char *path, int stack_depth, enum python_frames python,
                              bool histograms);

/* Adds another summary's sources and groups; tables that one of the two lacks are dropped. False with `error` set when
 * their settings differ. */
bool summary_merge(struct summary *into, const struct summary *from, struct error *error);

/* Adds sources to sources and strings to strings; the number of the first one that was added. */
uint32_t summary_add_sources(struct summary *into, const struct summary *from);

/* Orders sources by rank, name and all else that is known of them; a source_before (groups.h) of a summary. */
bool summary_source_before(const void *summary, uint32_t a, uint32_t b);

/* Appends the file. All tables must be there. The same sources and groups give the same bytes. */
void summary_add_file(const struct summary *summary, struct text *out);

/* Whether bytes begin as a summary's file does. */
bool summary_is_file(const char *bytes, size_t length);

/* Reads a file's bytes, which the summary takes over. Only the tables of `wanted` (one bit each) are read, with or
 * without histograms. NULL with `error` set, which names `path`: ERROR_NOT_TRACE for what is no summary, is damaged or
 * of a later version; damage is looked for, and told, in what is read. What was read is only good for being merged. */
struct summary *summary_read(char *bytes, size_t length, const char *path, unsigned wanted, bool histograms,
                             struct error *error);

/* The same from a file, also a pipe; ERROR_IO when it cannot be read. */
struct summary *summary_load(const char *path, unsigned wanted, bool histograms, struct error *error);

/* The rank that a path names: digits behind `rank` or `worker`, in the last part of the path that has some; -1 none. */
int64_t summary_rank_of_path(const char *path);

#endif
