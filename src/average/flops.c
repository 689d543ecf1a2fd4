/* torch's estimate of floating point operations, from shapes and concrete inputs. */
#include <stdlib.h>
#include <string.h>

#include "keyavg/names.h"
#include "keyavg/tree.h"

enum { SHAPES = 3, DIMS = 16 };

struct shape {
    int64_t dims[DIMS];
    unsigned count;
    bool is_list; /* of tensors */
};

/* The first SHAPES shapes of a list as Python prints it; returns how many there are in all. False where it is none. */
static bool read_shapes(struct span text, struct shape *shapes, unsigned *count)
{
    const char *at = text.bytes, *end = at + text.length;
    unsigned depth = 0;
    *count = 0;
    memset(shapes, 0, SHAPES * sizeof *shapes);
    while (at < end) {
        struct shape *shape = *count > 0 && *count <= SHAPES ? &shapes[*count - 1] : NULL;
        if (*at == '[') {
            depth++;
            if (depth == 2)
                ++*count;
            else if (depth > 2 && shape != NULL && shape->count == 0)
                shape->is_list = true;
            at++;
        } else if (*at == ']') {
            depth -= depth > 0;
            at++;
        } else if (*at == '-' || (*at >= '0' && *at <= '9')) {
            char *after;
            int64_t value = strtoll(at, &after, 10); /* the text is terminated */
            if (after == at || depth < 2)
                return false;
            if (shape != NULL && depth == 2 && shape->count < DIMS)
                shape->dims[shape->count++] = value;
            at = after;
        } else {
            at++;
        }
    }
    return true;
}

/* Products as torch has them, kept within 64 bits. */
static __int128 product(const struct shape *shape)
{
    __int128 n = 1;
    for (unsigned i = 0; i < shape->count; i++) {
        n *= shape->dims[i];
        if (n > INT64_MAX || n < -(__int128)INT64_MAX)
            return 0;
    }
    return n;
}

static uint64_t clamp(__int128 n)
{
    return n <= 0 ? 0 : n > INT64_MAX ? INT64_MAX : (uint64_t)n;
}

/* Integer division as Python has it, towards minus infinity. */
static __int128 divide(__int128 a, __int128 b)
{
    __int128 q = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

/* The n-th string of a JSON list of strings; false when there is none. Escapes do not occur in the ones looked for. */
static bool nth_string(struct span list, unsigned n, struct span *out)
{
    const char *at = list.bytes, *end = at + list.length;
    for (unsigned i = 0; at < end; at++) {
        if (*at != '"')
            continue;
        const char *from = ++at;
        while (at < end && *at != '"')
            at += *at == '\\' ? 2 : 1;
        if (at >= end)
            return false;
        if (i++ == n) {
            *out = (struct span){from, (size_t)(at - from)};
            return true;
        }
    }
    return false;
}

/* `[1, 2]` to its first and last number, `3` to itself twice. */
static bool read_pair(struct span list, unsigned n, int64_t pair[2])
{
    struct span text;
    bool any = false;
    if (!nth_string(list, n, &text))
        return false;
    const char *at = text.bytes, *end = at + text.length;
    while (at < end) {
        if (*at != '-' && (*at < '0' || *at > '9')) {
            at++;
            continue;
        }
        char *after;
        int64_t value = strtoll(at, &after, 10);
        if (after == at)
            return false;
        if (!any)
            pair[0] = value;
        pair[1] = value;
        any = true;
        at = after;
    }
    return any;
}

static uint64_t conv2d(const struct shape *x, const struct shape *w, struct span concrete)
{
    int64_t stride[2], pad[2], dilation[2], groups[2];
    if (x->count != 4 || w->count != 4 || !read_pair(concrete, 3, stride) || !read_pair(concrete, 4, pad) ||
        !read_pair(concrete, 5, dilation) || !read_pair(concrete, 6, groups) || stride[0] == 0 || stride[1] == 0 ||
        groups[0] == 0)
        return 0;
    __int128 high = divide((__int128)x->dims[2] + 2 * (__int128)pad[0] - (__int128)dilation[0] * (w->dims[2] - 1) - 1, stride[0]) + 1;
    __int128 wide = divide((__int128)x->dims[3] + 2 * (__int128)pad[1] - (__int128)dilation[1] * (w->dims[3] - 1) - 1, stride[1]) + 1;
    struct shape all = {.count = 6, .dims = {x->dims[0], 0, 0, w->dims[2], w->dims[3], x->dims[1]}};
    if (high < 0 || wide < 0 || high > INT64_MAX || wide > INT64_MAX)
        return 0;
    all.dims[1] = (int64_t)high;
    all.dims[2] = (int64_t)wide;
    __int128 n = product(&all) * 2;
    if (n > INT64_MAX || n < 0)
        return 0;
    return clamp(divide(n * w->dims[0], groups[0]));
}

static uint64_t product_of(const struct shape *a, const struct shape *b, bool batched)
{
    if (a->count == 0 || b->count == 0 || a->dims[a->count - 1] == 0 || a->dims[0] == 0)
        return 0;
    __int128 n = divide(2 * product(a) * product(b), a->dims[a->count - 1]);
    return clamp(batched ? divide(n, a->dims[0]) : n);
}

uint64_t event_flops(const struct trace *trace, uint32_t event)
{
    struct shape shapes[SHAPES];
    unsigned count;
    const struct inputs *inputs = &trace->inputs.items[trace->events.inputs[event]];
    enum flop_rule rule = (enum flop_rule)trace->names[trace->events.name[event]].flops;
    if (rule == FLOPS_NONE || !event_has_overload(trace, event) ||
        !read_shapes(strings_get(&trace->strings, inputs->dims), shapes, &count) || count < 2)
        return 0;
    for (unsigned i = 0; i < SHAPES && i < count; i++)
        if (shapes[i].is_list)
            return 0;
    switch (rule) {
    case FLOPS_MM:
    case FLOPS_BMM:
        return product_of(&shapes[0], &shapes[1], rule == FLOPS_BMM);
    case FLOPS_ADDMM:
    case FLOPS_BADDBMM:
        return count < 3 ? 0 : product_of(&shapes[1], &shapes[2], rule == FLOPS_BADDBMM);
    case FLOPS_ADD:
    case FLOPS_MUL:
        return clamp(product(&shapes[0]));
    case FLOPS_CONV2D:
        return conv2d(&shapes[0], &shapes[1], strings_get(&trace->strings, inputs->concrete));
    case FLOPS_NONE:
        break;
    }
    return 0;
}

void tree_need_flops(struct tree *tree)
{
    const struct trace *trace = tree->trace;
    for (uint32_t i = 0; i < trace->name_count && trace->inputs.count > 1; i++) {
        uint64_t **known = &tree->flops[trace->names[i].flops];
        if (trace->names[i].flops == FLOPS_NONE || *known != NULL)
            continue;
        *known = memory_alloc(trace->inputs.count * sizeof **known);
        memset(*known, 0xFF, trace->inputs.count * sizeof **known);
    }
}

uint64_t tree_flops(const struct tree *tree, uint32_t event)
{
    const struct trace *trace = tree->trace;
    uint32_t inputs = trace->events.inputs[event];
    unsigned rule = inputs != 0 ? trace->names[trace->events.name[event]].flops : FLOPS_NONE;
    if (rule == FLOPS_NONE || !event_has_overload(trace, event))
        return 0;
    /* Threads that find the same find the same number. */
    uint64_t *known = &tree->flops[rule][inputs], flops = __atomic_load_n(known, __ATOMIC_RELAXED);
    if (flops == UINT64_MAX) {
        flops = event_flops(trace, event);
        __atomic_store_n(known, flops, __ATOMIC_RELAXED);
    }
    return flops;
}
