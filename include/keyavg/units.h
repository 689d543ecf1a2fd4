/* Numbers with units as text, and back. */
#ifndef KEYAVG_UNITS_H
#define KEYAVG_UNITS_H

#include <stdbool.h>
#include <stdint.h>

#include "keyavg/text.h"

enum time_unit { TIME_AUTO, TIME_S, TIME_MS, TIME_US };

/* ns as torch prints a time: three decimals, `s` from 1 s, `ms` from 1 ms, else `us` (by the signed value: a negative
 * time stays in us); exact, rounded half to even on the exact decimal. The unit is chosen before the rounding
 * (999999999 is `1000.000ms`) and a minus stays before zeros, both as in Python. A unit other than TIME_AUTO is used
 * for all. Nothing in this file follows the locale. */
void units_add_time(struct text *out, int64_t ns, enum time_unit unit);

/* ns as microseconds with three decimals and no unit: `1234.567`, `-0.005`. Exact over all of int64. */
void units_add_us(struct text *out, int64_t ns);

/* Bytes as torch prints them: `%.2f GB|MB|KB` of the double by powers of 1024 of the absolute value, else `N B`. */
void units_add_bytes(struct text *out, int64_t bytes);

/* A ratio as `12.34%` (of 0.1234), rounded as printf does; `NaN` as torch has it for a total of 0. */
void units_add_share(struct text *out, double ratio);

/* A count with a unit letter for tight columns (k, M, G, T, P, E by thousands): 950, 1.2k, 34.5M, 120k; at most five
 * columns. */
void units_add_count(struct text *out, uint64_t count);

/* Parses `1.5ms`, `12us`, `3 s`, `-7` into ns, to the nearest: a sign, digits with a point, blanks, and one of ns,
 * us, µs, ms, s; without a unit it is times `unit_default` (ns per unit, > 0). False where it is not a time or out of
 * range; *ns is not touched then. */
bool units_parse_time(struct span text, int64_t unit_default, int64_t *ns);

/* Parses `10`, `1.5KB`, `2 MiB`, `3G`, `-1m` (powers of 1024 up to T, case ignored) into bytes, to the nearest; false
 * as above. */
bool units_parse_bytes(struct span text, int64_t *bytes);

#endif
