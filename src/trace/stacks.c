#include "keyavg/stacks.h"

#include <stdlib.h>
#include <string.h>

#include "keyavg/memory.h"
#include "keyavg/strings.h"

void stacks_init(struct stacks *stacks)
{
    *stacks = (struct stacks){.mask = 255};
    stacks->slots = memory_zero(256, sizeof *stacks->slots);
    stacks->capacity = 64;
    stacks->nodes = memory_alloc(stacks->capacity * sizeof *stacks->nodes);
    stacks->nodes[0] = (struct stack_node){0};
    stacks->count = 1;
}

void stacks_free(struct stacks *stacks)
{
    free(stacks->nodes);
    free(stacks->slots);
    *stacks = (struct stacks){0};
}

static uint32_t slot_of(const struct stacks *stacks, uint32_t caller, uint32_t frame)
{
    return (uint32_t)hash_pair(caller, frame) & stacks->mask;
}

uint32_t stacks_add(struct stacks *stacks, uint32_t caller, uint32_t frame)
{
    uint32_t slot = slot_of(stacks, caller, frame);
    for (; stacks->slots[slot] != 0; slot = (slot + 1) & stacks->mask) {
        const struct stack_node *node = &stacks->nodes[stacks->slots[slot]];
        if (node->caller == caller && node->frame == frame)
            return stacks->slots[slot];
    }
    if (stacks->count == stacks->capacity) {
        stacks->capacity *= 2;
        stacks->nodes = memory_resize(stacks->nodes, stacks->capacity, sizeof *stacks->nodes);
    }
    uint32_t depth = stacks->nodes[caller].depth + 1;
    stacks->nodes[stacks->count] = (struct stack_node){caller, frame, depth};
    if (depth > stacks->deepest)
        stacks->deepest = depth;
    stacks->slots[slot] = stacks->count++;
    if (stacks->count > stacks->mask / 2) {
        stacks->mask = stacks->mask * 2 + 1;
        free(stacks->slots);
        stacks->slots = memory_zero((size_t)stacks->mask + 1, sizeof *stacks->slots);
        for (uint32_t i = 1; i < stacks->count; i++) {
            slot = slot_of(stacks, stacks->nodes[i].caller, stacks->nodes[i].frame);
            while (stacks->slots[slot] != 0)
                slot = (slot + 1) & stacks->mask;
            stacks->slots[slot] = i;
        }
        return stacks->count - 1;
    }
    return stacks->count - 1;
}

bool stacks_frame_counts(struct span frame)
{
    static const char *const pairs[][2] = {
        {"autograd/__init__", "_make_grads"},
        {"autograd/__init__", "backward"},
        {"torch/tensor", "backward"},
        {"_internal/common_utils", "prof_callable"},
        {"_internal/common_utils", "prof_func_call"},
        {"_internal/common_utils", "prof_meth_call"},
    };
    for (unsigned i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (memmem(frame.bytes, frame.length, pairs[i][0], strlen(pairs[i][0])) != NULL &&
            memmem(frame.bytes, frame.length, pairs[i][1], strlen(pairs[i][1])) != NULL)
            return false;
    return true;
}
