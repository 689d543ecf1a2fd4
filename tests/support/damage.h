/*
 * What a damaged trace gave, in short texts to compare.
 */
#ifndef SUPPORT_DAMAGE_H
#define SUPPORT_DAMAGE_H

#include "keyavg/trace.h"

/* The rows that keyavg shows with these words (separated by spaces) on its command line, a line each, as
 * tests/damage_kin.h describes them. To free(). */
char *damage_rows(struct trace *trace, const char *words);

/* What is told of damage, without the places in brackets and with byte numbers as N. To free(). */
char *damage_notes(const struct trace *trace);

#endif
