/* The files of a run's ranks: which there are, and how they are read side by side within a bound of memory. */
#ifndef KEYAVG_RANK_FILES_H
#define KEYAVG_RANK_FILES_H

#include "keyavg/array.h"
#include "keyavg/error.h"
#include "keyavg/summary.h"

struct rank_store;

struct rank_file {
    char *path;     /* owned */
    uint64_t bytes; /* 0 not known */
    bool named;     /* on the command line; else found in a folder */
    bool summary;   /* it begins as a summary does */
};

struct rank_files {
    ARRAY(struct rank_file) list;
};

/* A line about the files, without the program's name: what was left out and why. Never called by two threads at
 * once. */
typedef void rank_tell(void *context, const char *line);

/* How files are read. */
struct rank_reading {
    int64_t memory;   /* bytes that traces may take at a time; 0: half of the machine's */
    unsigned threads; /* 0: one for each processor */
    rank_tell *tell;
    void *context;
    bool (*progress)(void *context, uint64_t done, uint64_t total, uint64_t text); /* bytes of files; may be NULL */
    void *progress_context;
    struct rank_store *store; /* what traces are reduced to is kept there, and asked first (rank_store.h); NULL none */
    unsigned most_entries;    /* that are looked at in folders before it is given up; 0: a million */
    const _Atomic bool *stop; /* once it is true reading ends soon, with nothing; NULL: never */
    enum error_code failure; /* set to that of the first file named on the command line which could not be read */
    unsigned left_out;       /* counts the files that could not be read */
};

/* The files of a command line: a folder stands for all traces (.json, .json.gz, .json.zst) and summaries (.kavg) below
 * it, by the numbers in their names. A file that is not there is told and left out. `output` (may be NULL) is no input:
 * false with a usage error where it is named as one, left out where it was found in a folder. Also false for a folder
 * without end, such as `/`. */
bool rank_files_find(struct rank_files *files, const char *const *paths, unsigned count, const char *output,
                     struct rank_reading *reading, struct error *error);
void rank_files_free(struct rank_files *files);

/* What a thread makes of one file, with at most `threads` threads of its own; NULL with `error` set. */
typedef void *rank_make(void *context, const struct rank_file *file, unsigned threads, struct error *error);

/* Takes what was made of a file, one file after the other in their order. False with `error` set: the file is left
 * out. */
typedef bool rank_take(void *context, unsigned number, void *made, struct error *error);

/* Makes something of every file. Traces are read side by side as long as what they are likely to take fits into the
 * memory; a larger one is read alone. What cannot be read is told and left out. Returns how many files were taken, 0 when
 * it was stopped. */
unsigned rank_files_read(const struct rank_files *files, struct rank_reading *reading, rank_make *make, rank_take *take,
                         void *context);

/* The bytes that reading a trace is likely to take at most. */
uint64_t rank_file_memory(const struct rank_file *file);

struct rank_settings {
    int stack_depth; /* frames in the stacks of traces */
    enum python_frames python;
};

/* Reduces the files to one summary; NULL when not one of them could be read. The same files give the same bytes in any
 * order and however they are shared out. */
struct summary *rank_files_summarise(const struct rank_files *files, struct rank_reading *reading,
                                     const struct rank_settings *settings);

/* Loads a file as a trace; what it is damaged in is appended as one line that names the file. NULL with `error`
 * set, also for a file of a folder that has no events: many a JSON file is a list. `stop` as in struct rank_reading. */
struct trace *rank_file_load(const struct rank_file *file, unsigned threads, const _Atomic bool *stop,
                             struct text *damage, struct error *error);

#endif
