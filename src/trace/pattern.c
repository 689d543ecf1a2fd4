/* What a place in a trace's text looks like. */
#include "pattern.h"

#include <string.h>

/* Members of the header that are told from other text by their names; the list of events first. */
static const char *const header_keys[] = {
    "traceEvents", "traceName", "displayTimeUnit", "baseTimeNanoseconds", "distributedInfo", "schemaVersion",
    "deviceProperties", "record_shapes", "with_stack", "profile_memory", "with_flops", "with_modules", "trace_id",
    "host_name",
};

enum { HEADER_KEYS = sizeof header_keys / sizeof *header_keys };

const char *pattern_skip_space(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t'))
        at++;
    return at;
}

/* The end of what is looked at from `at` on. */
static const char *pattern_end(const char *at, const char *end)
{
    return end - at > PATTERN_LENGTH ? at + PATTERN_LENGTH : end;
}

/* Whether `"word" :` stands at `at`, for one of the words. */
static bool is_key(const char *at, const char *end, const char *const *words, unsigned count)
{
    if (at == end || *at != '"')
        return false;
    for (unsigned i = 0; i < count; i++) {
        size_t length = strlen(words[i]);
        if ((size_t)(end - at) < length + 3 || memcmp(at + 1, words[i], length) != 0 || at[length + 1] != '"')
            continue;
        const char *colon = pattern_skip_space(at + length + 2, end);
        if (colon < end && *colon == ':')
            return true;
    }
    return false;
}

bool pattern_is_event_start(const char *at, const char *end)
{
    static const char *const keys[] = {"ph", "cat", "name", "pid", "tid", "ts", "dur", "id", "bp", "s", "args"};
    end = pattern_end(at, end);
    return is_key(pattern_skip_space(at + 1, end), end, keys, sizeof keys / sizeof *keys);
}

bool pattern_is_header_key(const char *at, const char *end)
{
    return is_key(at, pattern_end(at, end), header_keys, HEADER_KEYS);
}

bool pattern_is_list_end(const char *at, const char *end)
{
    end = pattern_end(at, end);
    const char *next = pattern_skip_space(at + 1, end);
    if (next == end)
        return false;
    if (*next == '}')
        return pattern_skip_space(next + 1, end) == end;
    return *next == ',' && pattern_is_header_key(pattern_skip_space(next + 1, end), end);
}

/* Whether one of the first `keys` members of the header stands somewhere in a text. */
static bool holds_key(const char *at, const char *end, unsigned keys)
{
    for (; at < end && (at = memchr(at, '"', (size_t)(end - at))) != NULL; at++)
        if (is_key(at, pattern_end(at, end), header_keys, keys))
            return true;
    return false;
}

bool pattern_holds_header_key(const char *at, const char *end)
{
    return holds_key(at, end, HEADER_KEYS);
}

bool pattern_holds_list_key(const char *at, const char *end)
{
    return holds_key(at, end, 1);
}
