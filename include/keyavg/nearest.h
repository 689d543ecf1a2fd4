/* The nearest of several names to a wrong word: what `did you mean` offers. */
#ifndef KEYAVG_NEAREST_H
#define KEYAVG_NEAREST_H

#include "keyavg/text.h"

struct nearest {
    struct span word;
    const char *name; /* the best so far, NULL while none is near enough */
    size_t distance;
};

void nearest_init(struct nearest *nearest, struct span word);

/* Offers a name: kept when it is nearer than all before. Near enough is a third of the word's length in changed, added,
 * dropped or swapped bytes (`-` and `_` count as the same), or a name that the word begins or that begins the word. */
void nearest_offer(struct nearest *nearest, const char *name);

#endif
