/* The outside of a summary's file, shared by the one that writes it and the one that reads it. */
#ifndef KEYAVG_SUMMARY_FILE_H
#define KEYAVG_SUMMARY_FILE_H

#include "keyavg/summary.h"

/* The magic bytes, version (2 bytes), nothing yet (2), for each section its length (8) and its checksum (4), the
 * checksum of all before (4); then the sections: settings, strings and sources first, the tables behind them.
 * Numbers begin with their lowest byte. */
enum {
    FILE_MAGIC_BYTES = 8,
    FILE_VERSION_BYTES = 4,
    FILE_SECTION_BYTES = 12,
    FILE_SECTIONS = 1 + SUMMARY_TABLES,
    FILE_OUTSIDE_BYTES = FILE_MAGIC_BYTES + FILE_VERSION_BYTES + FILE_SECTIONS * FILE_SECTION_BYTES + 4,
};

/* How many bytes of a file, whose first ones are given, hold the wanted tables and all before them; `length` when these
 * bytes tell nothing. */
size_t file_needed(const char *outside, size_t length, unsigned wanted);

extern const char file_magic[FILE_MAGIC_BYTES];

/* Rows: bits of their flags. */
enum { ROW_ASYNC = 1, ROW_TOP_LEVEL = 2, ROW_OVER = 4 };

#endif
