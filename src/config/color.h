/* Colours of terminals by word and number. */
#ifndef KEYAVG_CONFIG_COLOR_H
#define KEYAVG_CONFIG_COLOR_H

#include <stdbool.h>

#include "keyavg/text.h"

/* Reads `default`, a basic name, `bright-` and a basic name, a number below `limit` (256 or 16), or, where the limit is
 * 256, `#rrggbb`. */
bool color_parse(struct span word, int limit, int *color);

/* The basic name nearest to a wrong word, NULL when none is near. */
const char *color_nearest_name(struct span word);

/* A colour of 256 as one of 16, as near as they go; COLOR_DEFAULT stays. */
int color_to_16(int color);

#endif
