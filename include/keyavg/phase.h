/* The phase of a call: what part of training it belongs to. More than torch's scope number, and found by names
 * alone. */
#ifndef KEYAVG_PHASE_H
#define KEYAVG_PHASE_H

#include "keyavg/tree.h"

enum phase {
    PHASE_NONE,
    PHASE_FORWARD,
    PHASE_BACKWARD, /* without the two below */
    PHASE_OPTIMIZER,
    PHASE_DATA,
    PHASE_USER,
    PHASE_RECOMPUTE, /* a forward again, inside of backward */
    PHASE_SYNC,      /* collectives inside of backward */
    PHASE_COUNT
};

/* `forward`, ..., `[none]`. */
const char *phase_name(enum phase phase);

/* By name (`none` as well as `[none]`), PHASE_COUNT when there is none. */
enum phase phase_find(struct span name);

/* The phases of all events, found once: going up from the event, the first that is called `Optimizer.step#...` or
 * `Optimizer.zero_grad#...` (optimizer), `enumerate(DataLoader)#...` or `enumerate(DataPipe)#...` (data loading), or is
 * a backward op (forward thread id above 0, or `autograd::engine::evaluate_function`). Inside of backward frames of
 * `torch/utils/checkpoint.py` begin recompute, and `c10d::...`, `record_param_comms` and collectives by name gradient
 * sync; a backward op inside of those is backward again. Else a user annotation is user, an op or runtime call forward,
 * all else [none]. A device event has the phase of its op. Borrowed from the tree. */
const uint8_t *tree_phases(struct tree *tree);

#endif
