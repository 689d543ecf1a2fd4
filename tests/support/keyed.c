#include "keyed.h"

#include <criterion/criterion.h>

#include "keyavg/names.h"
#include "render.h"

struct keyed keyed_open(struct trace *trace)
{
    struct keyed keyed = {.trace = trace, .tree = tree_build(trace, false)};
    keyed.keys = keys_build(keyed.tree, &(struct grouping){.parts = GROUP_NAME, .python = PYTHON_IN_TREE});
    return keyed;
}

struct keyed keyed_text(const char *json)
{
    return keyed_open(support_trace(json));
}

void keyed_close(struct keyed *keyed)
{
    keys_free(keyed->keys);
    tree_free(keyed->tree);
    trace_free(keyed->trace);
}

struct span keyed_name(const struct keyed *keyed, uint32_t key)
{
    return strings_get(&keyed->trace->strings, event_key(keyed->trace, keyed->keys->first[key]));
}

uint32_t keyed_find(const struct keyed *keyed, const char *name)
{
    for (uint32_t key = 0; key < keyed->keys->count; key++)
        if (span_is(keyed_name(keyed, key), name))
            return key;
    cr_assert_fail("no key %s", name);
    return 0;
}
