/* The user's keys, as the configuration has them: words with their places. What views, actions and keys there are is
 * known to the screen alone, which gives the words their meaning. */
#ifndef KEYAVG_KEYMAP_H
#define KEYAVG_KEYMAP_H

#include <stddef.h>

#include "keyavg/messages.h"

/* A word and where it was written. */
struct word {
    char *text;
    struct place place;
};

struct words {
    struct word *items;
    size_t count, capacity;
};

/* The keys of one action. They take the place of its default keys; none at all leaves it without a key. */
struct keymap_entry {
    struct word context; /* the view's name; its text is NULL where the action stands outside of any view */
    struct word action;
    struct words keys;
};

struct keymap {
    struct keymap_entry *items; /* in the order of the file; no context and action stands twice */
    size_t count, capacity;
};

void words_free(struct words *words);
void keymap_free(struct keymap *keymap);

#endif
