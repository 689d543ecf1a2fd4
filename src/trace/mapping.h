/* A file in memory that may become shorter while it is read, or fail to be read: what is gone then reads as NUL
 * bytes. */
#ifndef KEYAVG_TRACE_MAPPING_H
#define KEYAVG_TRACE_MAPPING_H

#include <stdbool.h>
#include <stddef.h>

/* Maps the first `length` bytes of an open file for reading; NULL when that is not possible. */
const char *mapping_open(int file, size_t length);
void mapping_close(const char *map, size_t length);

/* Whether a part of it could not be read, until now. */
bool mapping_is_lost(const char *map);

#endif
