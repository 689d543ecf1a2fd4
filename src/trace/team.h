/* Threads that read blocks side by side. */
#ifndef KEYAVG_TRACE_TEAM_H
#define KEYAVG_TRACE_TEAM_H

#include "part.h"

struct team;

/* `workers` threads (0: the caller reads by itself, in team_give), each with a part of its own behind the first. */
struct team *team_start(unsigned workers, bool array_form);
void team_end(struct team *team);

/* How many blocks can be given before one must be taken back. */
bool team_has_room(const struct team *team);
bool team_is_empty(const struct team *team);

/* Gives a block to be read as if it began in the list of events; the first one as the document's beginning. */
void team_give(struct team *team, const struct block *block);

/* Takes the oldest block back; waits until it has been read. False when `wait` is off and it is not done. */
bool team_take(struct team *team, bool wait, struct block *block, struct piece *piece);

/* The parts: [0] is the caller's, for blocks that have to be read again. */
struct part *team_parts(struct team *team, unsigned *count);

#endif
