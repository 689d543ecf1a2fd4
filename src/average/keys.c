#include "keyavg/keys.h"

#include <stdlib.h>
#include <string.h>

#include "group.h"

struct keys *keys_build(struct tree *tree, const struct grouping *grouping)
{
    struct keys *keys = memory_zero(1, sizeof *keys);
    struct grouping all = *grouping;
    all.python = PYTHON_AS_ROWS;
    keys->tree = tree;
    keys->grouping = *grouping;
    keys->of = memory_alloc(((size_t)tree->count + 1) * sizeof *keys->of);
    keys->count = group_events(tree, &all, keys->of);
    keys->first = memory_alloc(((size_t)keys->count + 1) * sizeof *keys->first);
    for (uint32_t e = tree->count; e-- > 0;)
        if (keys->of[e] != NO_EVENT)
            keys->first[keys->of[e]] = e;
    return keys;
}

void keys_free(struct keys *keys)
{
    if (keys == NULL)
        return;
    free(keys->of);
    free(keys->first);
    free(keys->calls);
    free(keys->call_first);
    free(keys);
}

const uint32_t *keys_calls(struct keys *keys, uint32_t key, uint32_t *count)
{
    if (keys->calls == NULL) {
        uint32_t *first = memory_zero((size_t)keys->count + 2, sizeof *first);
        for (uint32_t e = 0; e < keys->tree->count; e++)
            if (keys->of[e] != NO_EVENT)
                first[keys->of[e] + 2]++;
        for (uint32_t k = 0; k < keys->count; k++)
            first[k + 2] += first[k + 1];
        keys->calls = memory_alloc(((size_t)first[keys->count + 1] + 1) * sizeof *keys->calls);
        for (uint32_t e = 0; e < keys->tree->count; e++)
            if (keys->of[e] != NO_EVENT)
                keys->calls[first[keys->of[e] + 1]++] = e;
        keys->call_first = first;
    }
    *count = keys->call_first[key + 1] - keys->call_first[key];
    return keys->calls + keys->call_first[key];
}

uint32_t *keys_chosen_calls(struct keys *keys, const struct averages *averages, uint32_t key, uint32_t *count)
{
    uint32_t all_count, chosen = 0;
    const uint32_t *all = keys_calls(keys, key, &all_count);
    uint32_t *calls = memory_alloc(((size_t)all_count + 1) * sizeof *calls);
    for (uint32_t i = 0; i < all_count; i++)
        if (averages->row_of[all[i]] != NO_EVENT)
            calls[chosen++] = all[i];
    if (chosen == 0) {
        memcpy(calls, all, all_count * sizeof *calls);
        chosen = all_count;
    }
    *count = chosen;
    return calls;
}

uint64_t *keys_select_events(const struct tree *tree, const uint32_t *events, uint32_t count)
{
    uint64_t *set = memory_zero((size_t)tree->count / 64 + 1, sizeof *set);
    for (uint32_t i = 0; i < count; i++)
        set[events[i] / 64] |= UINT64_C(1) << events[i] % 64;
    return set;
}

uint64_t *keys_select_rows(const struct averages *averages, const uint32_t *rows, uint32_t count)
{
    uint32_t events = averages->tree->count;
    uint64_t *set = memory_zero((size_t)events / 64 + 1, sizeof *set);
    uint8_t *wanted = memory_zero((size_t)averages->count + 1, 1);
    memset(wanted, rows == NULL, averages->count);
    for (uint32_t i = 0; rows != NULL && i < count; i++)
        wanted[rows[i]] = 1;
    for (uint32_t e = 0; e < events; e++)
        if (averages->row_of[e] != NO_EVENT && wanted[averages->row_of[e]])
            set[e / 64] |= UINT64_C(1) << e % 64;
    free(wanted);
    return set;
}
