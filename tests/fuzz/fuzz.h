/*
 * The fuzz targets. Each takes any bytes and ends the process (abort, a sanitizer) where something
 * is wrong; libFuzzer drives them, and tests/test_fuzz.c runs what it has found in every check.
 */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

#include "keyavg/trace.h"

typedef int fuzz_run(const uint8_t *bytes, size_t length);

fuzz_run fuzz_trace;   /* a file: reading, tree, averages, a table in one of the formats */
fuzz_run fuzz_blocks;  /* a file: the same trace whatever the blocks, the threads, the way it comes */
fuzz_run fuzz_json;    /* a document: what is JSON is read as cJSON reads it */
fuzz_run fuzz_inflate; /* a packed file, or a text that is packed and then damaged */
fuzz_run fuzz_filter;  /* an expression of the filter language, applied to a small trace */
fuzz_run fuzz_config;  /* a configuration and a theme, applied to an explorer */
fuzz_run fuzz_keys;    /* names of keys and key maps */
fuzz_run fuzz_summary; /* a summary: whatever is taken is written and read as the same */
fuzz_run fuzz_play;    /* keys as --play has them, on a small trace */

struct fuzz_target {
    const char *name;
    fuzz_run *run;
};

extern const struct fuzz_target fuzz_targets[];
extern const unsigned fuzz_target_count;

/* Prints what is wrong and aborts. */
_Noreturn void fuzz_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Fails where two traces differ in anything but how they are stored. */
void fuzz_compare(const struct trace *a, const struct trace *b, const char *how);

/* A small trace that holds something of everything: steps, phases, shapes, stacks, kernels, memory, hostile names. */
extern const char fuzz_sample[];
extern const size_t fuzz_sample_length;

/* A sink that takes everything and keeps nothing. */
struct sink;
struct sink fuzz_drain(void);

#endif
