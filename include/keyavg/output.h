/* Where text goes: a descriptor that is already open, or a file that is written beside its place and then renamed. */
#ifndef KEYAVG_OUTPUT_H
#define KEYAVG_OUTPUT_H

#include "keyavg/error.h"
#include "keyavg/text.h"

/* What writers write to; `write` returns false when no more can be taken (a closed pipe, a full disk: errno is set). */
struct sink {
    bool (*write)(void *context, const char *bytes, size_t length);
    void *context;
};

struct output {
    int file;
    char *path;      /* the file to be replaced, symlinks resolved, or what is no regular file; NULL for a descriptor */
    char *temporary; /* the file being written, in the folder of `path`; NULL for what is not replaced */
    struct text waiting;
    int failure;     /* errno of the first write that failed, 0 none */
};

/* Text for a descriptor that stays the caller's. */
void output_to(struct output *output, int file);

/* Text for a file. A regular or new file is written under another name in the same folder and keeps the mode of the old
 * one; what stands there is unchanged until output_commit. False with `error` set when it cannot be opened. */
bool output_open(struct output *output, const char *path, struct error *error);

/* The sink that collects for this output. */
struct sink output_sink(struct output *output);

/* Writes what is waiting and puts the file in its place. False with `error` set: nothing was changed then, and
 * output->failure tells a closed pipe (EPIPE) from the rest. Ends the output in either case. */
bool output_commit(struct output *output, struct error *error);

/* Ends the output and removes the unfinished file. */
void output_abandon(struct output *output);

/* The unfinished file that a signal handler has to unlink, NULL none. Only one output to a file is open at a time. */
extern char *volatile output_unfinished;

#endif
