/*
 * Tables in a test: a trace from text or a file, and what the command line would print of it.
 */
#ifndef SUPPORT_RENDER_H
#define SUPPORT_RENDER_H

#include "keyavg/output.h"
#include "keyavg/table.h"
#include "keyavg/trace.h"
#include "keyavg/writer.h"

/* A trace from JSON text or from a file; the test fails when it is none. Free with trace_free. */
struct trace *support_trace(const char *json);
struct trace *support_trace_file(const char *path);

/* A sink that collects in a text. */
struct sink support_sink(struct text *out);

/*
 * What keyavg prints of the trace with these words, separated by spaces, on its command line. *table is NULL at first,
 * is made or updated, and is the caller's to free. The text is replaced; it is terminated also when empty.
 */
void support_render(struct trace *trace, struct table **table, const char *words, struct text *out);

/* The same in one go. Free the result with free(). */
char *support_rendered(const char *json, const char *words);

/* A whole file, inflated if it is packed with gzip. Free with free(); *length may be NULL. */
char *support_read(const char *path, size_t *length);

#endif
