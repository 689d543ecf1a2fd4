/* Files that are something else: told by their first bytes. */
#ifndef KEYAVG_TRACE_FOREIGN_H
#define KEYAVG_TRACE_FOREIGN_H

#include "keyavg/text.h"

/* Bytes at a file's start that are enough to tell. */
enum { FOREIGN_LENGTH = 512 };

/* What a file is that begins so, and what to do about it: `a zip archive; ...`. NULL: nothing that is known. */
const char *foreign_describe(struct span start);

#endif
