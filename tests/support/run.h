/*
 * Running a program in a test and keeping all that it prints.
 */
#ifndef SUPPORT_RUN_H
#define SUPPORT_RUN_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes a program printed; a NUL that length does not count follows them. */
struct support_bytes {
    char *bytes;
    size_t length;
};

/*
 * Runs argv[0] (a path, or a name found in PATH) with the arguments argv, which ends with NULL,
 * and waits for it. Standard input is empty. Fills *out and *err with what it printed and *status
 * with its exit status, or 128 + the signal that ended it; each may be NULL. Release *out and
 * *err with support_run_free(). Returns false, with errno set and nothing to release, when the
 * program cannot be started.
 */
bool support_run(const char *const argv[], struct support_bytes *out, struct support_bytes *err, int *status);

/* The same with the given bytes on standard input, through a pipe. */
bool support_run_input(const char *const argv[], const void *input, size_t length, struct support_bytes *out,
                       struct support_bytes *err, int *status);

/* Releases what support_run() kept and leaves *bytes empty. */
void support_run_free(struct support_bytes *bytes);

#endif
