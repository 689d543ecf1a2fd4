/* What an event's name says: found once for each distinct name. */
#ifndef KEYAVG_NAMES_H
#define KEYAVG_NAMES_H

#include "keyavg/trace.h"

/* Ops whose work torch estimates. */
enum flop_rule { FLOPS_NONE, FLOPS_MM, FLOPS_ADDMM, FLOPS_BMM, FLOPS_BADDBMM, FLOPS_CONV2D, FLOPS_ADD, FLOPS_MUL };

struct name_facts {
    uint32_t key;       /* strings: torch's name (`ProfilerStep*`, demangled) */
    uint32_t op_key;    /* strings: the same for a cpu_op whose overload is in its name */
    uint32_t overload;  /* strings: the overload name, 0 none */
    int64_t step;       /* `ProfilerStep#n`: n, else -1 */
    uint8_t dropped;    /* torch drops events of this name */
    uint8_t collective; /* `nccl:...` and the like: a user_annotation of this name is async */
    uint8_t flops;      /* enum flop_rule, by op_key */
    uint8_t accumulate; /* `torch::autograd::AccumulateGrad` */
    uint8_t evaluate;   /* starts with `autograd::engine::evaluate_function: ` */
};

/* Whether an overload in the name counts: for a cpu_op, not for the old Operator. */
static inline bool event_has_overload(const struct trace *trace, uint32_t event)
{
    uint8_t category = trace->events.category[event];
    return category == CATEGORY_OP || category == CATEGORY_ABSENT;
}

/* The name (strings number) under which torch groups this event, without its overload. */
static inline uint32_t event_key(const struct trace *trace, uint32_t event)
{
    const struct name_facts *facts = &trace->names[trace->events.name[event]];
    return event_has_overload(trace, event) ? facts->op_key : facts->key;
}

/* The overload name (strings number), 0 none. */
static inline uint32_t event_overload(const struct trace *trace, uint32_t event)
{
    return event_has_overload(trace, event) ? trace->names[trace->events.name[event]].overload : 0;
}

/* Adds the facts of every string that `trace->events.name` uses. */
void names_build(struct trace *trace);

#endif
