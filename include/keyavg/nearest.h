/* The known word nearest to a wrong one, for `did you mean`. */
#ifndef KEYAVG_NEAREST_H
#define KEYAVG_NEAREST_H

#include "keyavg/text.h"

/* A search in progress: start it with the wrong word, offer it every known word, ask for the result. */
struct nearest {
    struct span word;
    const char *best;  /* borrowed from the caller; NULL while none is near */
    unsigned distance; /* of `best`; before one is found, one more than the limit */
};

struct nearest nearest_to(struct span word);

/* Offers one known word. Letters count without regard to case, `_` and `-` as one; swapped neighbours are one mistake;
 * about one mistake in three letters is allowed. A word of three letters or more that `candidate` begins with counts
 * as one mistake. The first of equals stays. */
void nearest_offer(struct nearest *nearest, const char *candidate);

#endif
