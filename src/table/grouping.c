#include "keyavg/grouping.h"

#include "keyavg/nearest.h"

const struct grouping_part grouping_parts[GROUPING_PARTS] = {
    {GROUP_NAME, "name", "the name, as torch groups", "key"},
    {GROUP_OVERLOAD, "overload", "the overload of the operator", "overload_name"},
    {GROUP_SHAPE, "shape", "the shapes of the inputs", "input_shapes"},
    {GROUP_DTYPE, "dtype", "the types of the inputs", "dtypes"},
    {GROUP_STACK, "stack", "the n innermost frames of the stack", "stack"},
    {GROUP_THREAD, "thread", "the thread of the call", "thread"},
    {GROUP_STEP, "step", "the profiler's step", "step"},
    {GROUP_SCOPE, "scope", "forward, backward, recompute, sync, optimizer, data, user", "phase"},
    {GROUP_MODULE, "module", "the innermost nn.Module", "module"},
    {GROUP_DEVICE, "device", "the device and its stream", "lane"},
};

static const struct grouping_part *find_part(struct span name)
{
    for (int i = 0; i < GROUPING_PARTS; i++)
        if (span_is(name, grouping_parts[i].name))
            return &grouping_parts[i];
    return NULL;
}

static bool unknown_part(struct span name, struct error *error)
{
    struct nearest nearest;
    nearest_init(&nearest, name);
    for (int i = 0; i < GROUPING_PARTS; i++)
        nearest_offer(&nearest, grouping_parts[i].name);
    int length = (int)(name.length > 60 ? 60 : name.length);
    if (nearest.name != NULL)
        return error_set(error, ERROR_USAGE, "cannot group by '%.*s'; did you mean '%s'?", length, name.bytes,
                         nearest.name);
    return error_set(error, ERROR_USAGE,
                     "cannot group by '%.*s'; there are name, overload, shape, dtype, stack=N, thread, step, scope, "
                     "module, device",
                     length, name.bytes);
}

/* The number after `stack=`. */
static bool parse_depth(struct span text, int *depth)
{
    int value = 0;
    for (size_t i = 0; i < text.length; i++) {
        if (text.bytes[i] < '0' || text.bytes[i] > '9' || value > 1000000)
            return false;
        value = value * 10 + (text.bytes[i] - '0');
    }
    *depth = value;
    return text.length > 0;
}

bool grouping_parse(struct span text, struct grouping *grouping, struct error *error)
{
    struct grouping result = *grouping;
    result.parts = 0;
    result.stack_depth = 0;
    for (size_t at = 0; at <= text.length;) {
        const char *comma = at < text.length ? memchr(text.bytes + at, ',', text.length - at) : NULL;
        size_t end = comma != NULL ? (size_t)(comma - text.bytes) : text.length;
        struct span word = {text.bytes + at, end - at};
        at = end + 1;
        while (word.length > 0 && *word.bytes == ' ')
            word = (struct span){word.bytes + 1, word.length - 1};
        while (word.length > 0 && word.bytes[word.length - 1] == ' ')
            word.length--;
        int depth = 1;
        const char *equals = word.length > 0 ? memchr(word.bytes, '=', word.length) : NULL;
        if (equals != NULL) {
            struct span name = {word.bytes, (size_t)(equals - word.bytes)};
            struct span number = {equals + 1, word.length - name.length - 1};
            if (!span_is(name, "stack") || !parse_depth(number, &depth))
                return error_set(error, ERROR_USAGE, "'%.*s' is not a part of a key; only stack=N has a number",
                                 (int)(word.length > 60 ? 60 : word.length), word.bytes);
            word = name;
        }
        const struct grouping_part *part = find_part(word);
        if (part == NULL)
            return unknown_part(word, error);
        if (part->part == GROUP_STACK && depth == 0)
            continue;
        result.parts |= part->part;
        if (part->part == GROUP_STACK)
            result.stack_depth = depth;
    }
    if (result.parts == 0)
        result.parts = GROUP_NAME;
    *grouping = result;
    return true;
}

void grouping_add_text(const struct grouping *grouping, struct text *out)
{
    bool first = true;
    for (int i = 0; i < GROUPING_PARTS; i++) {
        if (!(grouping->parts & grouping_parts[i].part))
            continue;
        if (!first)
            text_add_char(out, ',');
        text_add_string(out, grouping_parts[i].name);
        if (grouping_parts[i].part == GROUP_STACK)
            text_addf(out, "=%d", grouping->stack_depth);
        first = false;
    }
}

const struct grouping_part *grouping_first(const struct grouping *grouping)
{
    for (int i = 0; i < GROUPING_PARTS; i++)
        if (grouping->parts & grouping_parts[i].part)
            return &grouping_parts[i];
    return &grouping_parts[0];
}
