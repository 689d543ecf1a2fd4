/* The outside of a summary's file, shared by the one that writes it and the one that reads it. */
#ifndef KEYAVG_SUMMARY_FILE_H
#define KEYAVG_SUMMARY_FILE_H

#include <stddef.h>

/* The magic bytes, version (2 bytes), nothing yet (2), length of what follows the outside (8), its checksum (4), the
 * checksum of all before (4); numbers begin with their lowest byte. */
enum { FILE_MAGIC_BYTES = 8, FILE_OUTSIDE_BYTES = 28 };

extern const char file_magic[FILE_MAGIC_BYTES];

/* Rows: bits of their flags. */
enum { ROW_ASYNC = 1, ROW_TOP_LEVEL = 2, ROW_OVER = 4 };

#endif
