/*
 * The program run with a line of words, and files of a test's own.
 */
#ifndef SUPPORT_WORDS_H
#define SUPPORT_WORDS_H

#include "run.h"

struct words_run {
    struct support_bytes out, err;
    int status;
};

/*
 * Runs keyavg with the words of a text; `$1` and `$2` stand for the two files, and a word in `'` may hold blanks. The
 * test fails when it cannot be started. Release with words_run_free().
 */
struct words_run words_run(const char *words, const char *first, const char *second);
void words_run_free(struct words_run *run);

/* What the program prints, read; it must end well. Release with cJSON_Delete. */
struct cJSON *words_json_of(const char *words, const char *first, const char *second);

/*
 * Fails the test unless the program ends with this status and prints these texts; NULL for what does not matter.
 */
void words_print(const char *words, const char *first, const char *second, int status, const char *out,
                 const char *err);

/*
 * The same of words that name their files themselves; of what is printed these texts are a part, and "" is nothing at
 * all.
 */
void words_tell(const char *words, int status, const char *out, const char *err);

/* Writes a file into the folder that the test runs in, under a name that no other process uses. The path is static. */
const char *words_file(const char *name, const char *text);

/* The path of a sample, of a trace that is not ours; without the latter the test is skipped. The texts are static. */
const char *words_sample(const char *name);
const char *words_shared(const char *name);

#endif
