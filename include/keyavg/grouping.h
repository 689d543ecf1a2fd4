/* Groupings as words: `name,shape,stack=3`, in --group-by, in menus and on the screen. */
#ifndef KEYAVG_GROUPING_H
#define KEYAVG_GROUPING_H

#include "keyavg/average.h"
#include "keyavg/error.h"

struct grouping_part {
    unsigned part; /* enum group_part */
    const char *name;
    const char *help;
    const char *column; /* the column that shows it */
};

enum { GROUPING_PARTS = 10 };
extern const struct grouping_part grouping_parts[GROUPING_PARTS]; /* in the order in which they stand in a key */

/* Reads a list with commas; the rest of the grouping (python frames, list shapes) stays. False with `error` set. */
bool grouping_parse(struct span text, struct grouping *grouping, struct error *error);

/* Appends the list. */
void grouping_add_text(const struct grouping *grouping, struct text *out);

/* The part that stands under Name: the name, else the first of the key. */
const struct grouping_part *grouping_first(const struct grouping *grouping);

#endif
