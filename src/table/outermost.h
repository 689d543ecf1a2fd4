#ifndef KEYAVG_TABLE_OUTERMOST_H
#define KEYAVG_TABLE_OUTERMOST_H

#include "keyavg/table.h"

/* By row, ns: CPU total of the calls that no call of the same row encloses. To free(). */
int64_t *outermost_totals(const struct table *table);

#endif
