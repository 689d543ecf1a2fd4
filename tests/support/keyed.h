/*
 * A trace with its tree and the keys of its names, for what drills are made of.
 */
#ifndef SUPPORT_KEYED_H
#define SUPPORT_KEYED_H

#include "keyavg/keys.h"

struct keyed {
    struct trace *trace;
    struct tree *tree;
    struct keys *keys;
};

/* Takes the trace over; end with keyed_close. */
struct keyed keyed_open(struct trace *trace);
struct keyed keyed_text(const char *json);
void keyed_close(struct keyed *keyed);

struct span keyed_name(const struct keyed *keyed, uint32_t key);

/* The key of a name; the test fails when there is none. */
uint32_t keyed_find(const struct keyed *keyed, const char *name);

#endif
