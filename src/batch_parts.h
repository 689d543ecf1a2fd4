/* What the kinds of runs without the explorer share. */
#ifndef KEYAVG_BATCH_PARTS_H
#define KEYAVG_BATCH_PARTS_H

#include "keyavg/options.h"
#include "keyavg/output.h"

/* Has signals leave no half-written file behind. */
void batch_catch_signals(void);

/* Opens what the options ask for, and catches signals. */
bool batch_open(const struct options *options, struct output *output, struct error *error);

/* The writer's options with what depends on where we run. */
struct writer_options batch_writing(const struct options *options);

/* The settings of the view that is written. */
struct drill_settings batch_drill_settings(const struct options *options);

/* Puts the output in its place. Returns the exit code. */
int batch_close(const struct options *options, struct output *output);

/* Prints an error; returns its exit code. */
int batch_complain(const struct error *error);

/* One line for all that was damaged in a file that could be read. */
void batch_tell_damage(const struct trace *trace, const char *path);

/* What a run over these traces took, for --stats; watching ends. */
void batch_tell_stats(struct trace *const *traces, unsigned count);

/* Two traces. */
int batch_compare(const struct options *options);

/* Many ranks: their table; their summary, which is written to a file. */
int batch_ranks(const struct options *options);
int batch_summarise(const struct options *options);

#endif
