/* What the programs of this folder share: clocks, a file in memory, where its events begin. */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include <stddef.h>

/* Seconds. */
double measure_wall(void);
double measure_cpu(void);

/* A whole file, mapped and read once so that no page of it is missing. Ends the program when that fails. */
const char *measure_map(const char *path, size_t *length);

/* Behind the `[` of the list of events, NULL when there is none. */
const char *measure_list(const char *text, size_t length);

#endif
