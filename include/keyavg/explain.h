/* Where a cell of the table comes from: its formula with the row's numbers, what was taken away, what is not in it and
 * why, and the events behind each of these. */
#ifndef KEYAVG_EXPLAIN_H
#define KEYAVG_EXPLAIN_H

#include "keyavg/array.h"
#include "keyavg/table.h"

enum explain_sign {
    EXPLAIN_IS,       /* the cell itself; its advice is the formula. First, and the only one of its kind. */
    EXPLAIN_PLUS,     /* what the cell is the sum of, */
    EXPLAIN_MINUS,    /* what is taken away, */
    EXPLAIN_OVER,     /* what it is divided by */
    EXPLAIN_LEFT_OUT, /* not in it */
    EXPLAIN_NOTE,     /* in it, but to be known */
    EXPLAIN_SIGNS
};

/* `is`, `plus`, `minus`, `over`, `left out`, `note`. */
extern const char *const explain_sign_names[EXPLAIN_SIGNS];

struct explain_line {
    uint8_t sign;                /* enum explain_sign */
    char *title;                 /* owned */
    const struct column *column; /* in whose unit the value is written */
    struct value value;          /* texts are `text`, owned; VALUE_UNKNOWN where there is no number to tell */
    char *text;
    char *advice;                /* owned: why */
    uint32_t *events, event_count; /* owned: the events it is about, in list order */
};

struct explanation {
    ARRAY(struct explain_line) lines;
};

/* Explains the cell of a row (a number of averages->rows) in a column of the table. Of columns that add up, the values
 * of the lines PLUS less those of the lines MINUS are the cell's; over the line OVER where there is one. Free with
 * explanation_free. */
void explain_cell(struct table *table, uint32_t row, const struct column *column, struct explanation *out);
void explanation_free(struct explanation *explanation);

#endif
