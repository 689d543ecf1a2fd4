/*
 * Traces in a test: made from events, read in every way there is, and compared column by column.
 */
#ifndef SUPPORT_LOADS_H
#define SUPPORT_LOADS_H

#include "keyavg/trace.h"

/* A trace of these events, separated by commas. The test fails when it cannot be read. Free with trace_free. */
struct trace *support_events(const char *events);

/* The n-th event (from 0) of this name in list order; the test fails where there is none. */
uint32_t support_event(const struct trace *trace, const char *name, unsigned n);

/* Appends bytes packed as one gzip member. */
void support_gzip(const void *bytes, size_t length, struct text *out);

/* Reads bytes from a pipe on standard input, which come in pieces of `piece` bytes. */
struct trace *support_piped(const void *bytes, size_t length, size_t piece, const struct trace_options *options,
                            struct error *error);

/* A file in the folder where the test runs, removed when the test's process ends. The path is to free(). */
char *support_file(const void *bytes, size_t length);

/* What first differs between two traces, every column, table, flag and note; NULL when nothing does. To free(). */
char *support_difference(const struct trace *a, const struct trace *b);

/* `2 raw_control (first at byte 120, line 4)` of each note that happened, in their order, separated by `; `; empty when
 * nothing did. To free(). */
char *support_notes(const struct trace *trace);

#endif
