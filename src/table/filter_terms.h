/* The terms of a filter, for the file that reads them and the one that applies them. */
#ifndef KEYAVG_TABLE_FILTER_TERMS_H
#define KEYAVG_TABLE_FILTER_TERMS_H

#include <regex.h>
#include <stdio.h>

#include "keyavg/column.h"
#include "keyavg/phase.h"

enum term_kind { TERM_WORD, TERM_REGEX, TERM_KIND, TERM_SCOPE, TERM_STEP, TERM_THREAD, TERM_SHAPE, TERM_COLUMN };

enum comparison { BELOW, AT_MOST, EQUAL, UNEQUAL, AT_LEAST, ABOVE };

struct term {
    enum term_kind kind;
    bool negated, exact_case;
    struct text source; /* as written */
    struct text word;   /* name, thread, shape without spaces, text of a column */
    regex_t regex;
    unsigned kinds; /* one bit an event_kind */
    enum phase phase;
    int64_t low, high; /* steps; -1: those of none */
    const struct column *column;
    enum comparison comparison;
    double number; /* ns, bytes, ratio, ... by the column's unit */
};

struct filter {
    ARRAY(struct term) terms;
};

/* The kinds of events that a word stands for, one bit each; 0: no such word. */
unsigned filter_kinds(struct span word);

#endif
