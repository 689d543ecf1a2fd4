/* The members of one event. */
#include <string.h>
#include <strings.h>

#include "reader.h"

static inline bool key_is(const struct token *key, const char *name, size_t length)
{
    return key->length == length && memcmp(key->bytes, name, length) == 0;
}

#define KEY_IS(key, name) key_is(key, name, sizeof name - 1)

/* Where an argument's value goes; NULL for arguments that nothing asks for. */
static struct token *argument_field(struct fields *fields, const struct token *key)
{
    switch (key->length) {
    case 4:
        return KEY_IS(key, "name") ? &fields->label : NULL;
    case 5:
        return KEY_IS(key, "Bytes") ? &fields->bytes : NULL;
    case 6:
        return KEY_IS(key, "device") ? &fields->device : KEY_IS(key, "stream") ? &fields->stream : NULL;
    case 8:
        return KEY_IS(key, "finished") ? &fields->finished : NULL;
    case 10:
        if (KEY_IS(key, "Input Dims") || KEY_IS(key, "Input dims"))
            return &fields->dims;
        return KEY_IS(key, "Input type") ? &fields->types
               : KEY_IS(key, "Call stack") || KEY_IS(key, "Call Stack") ? &fields->call_stack
                                                                         : NULL;
    case 11:
        if (strncasecmp(key->bytes, "external id", 11) == 0)
            return &fields->external_id;
        return KEY_IS(key, "correlation") ? &fields->correlation : KEY_IS(key, "Device Type") ? &fields->device_type : NULL;
    case 13:
        return KEY_IS(key, "Fwd thread id") ? &fields->forward_thread : NULL;
    case 15:
        return KEY_IS(key, "Sequence number") ? &fields->sequence
               : KEY_IS(key, "Concrete Inputs") ? &fields->concrete
               : KEY_IS(key, "original_stream") ? &fields->original_stream
                                                : NULL;
    case 16:
        return KEY_IS(key, "Module Hierarchy") ? &fields->module : NULL;
    default:
        return NULL;
    }
}

static struct token *member_field(struct fields *fields, const struct token *key)
{
    switch (key->length) {
    case 2:
        if (key->bytes[0] == 'p')
            return key->bytes[1] == 'h' ? &fields->ph : NULL;
        return KEY_IS(key, "ts") ? &fields->ts : KEY_IS(key, "id") ? &fields->id : NULL;
    case 3:
        return KEY_IS(key, "cat")   ? &fields->cat
               : KEY_IS(key, "pid") ? &fields->pid
               : KEY_IS(key, "tid") ? &fields->tid
               : KEY_IS(key, "dur") ? &fields->dur
                                    : NULL;
    case 4:
        return KEY_IS(key, "name") ? &fields->name : NULL;
    default:
        return NULL;
    }
}

/* Whether `at` (behind white space) goes on as an event does after a value: a comma and the next member's key, or a
 * closing bracket. */
static bool goes_on(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n'))
        at++;
    if (at == end)
        return false;
    if (*at == '}')
        return true;
    if (*at != ',')
        return false;
    at++;
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n'))
        at++;
    if (at == end || *at != '"')
        return false;
    const char *key = ++at;
    while (at < end && at - key < 64 && *at != '"' && *at != '\n')
        at++;
    if (at == end || *at != '"' || at == key)
        return false;
    do
        at++;
    while (at < end && (*at == ' ' || *at == '\t'));
    return at < end && *at == ':';
}

/* torch 2.13 wrote quotes in names as they are. The string then ends at the first quote after which the event goes on
 * as an event does; never beyond a line that begins with `{`, where another writer's event may start. */
static bool repair_string(struct scan *scan, struct token *token)
{
    const char *at = token->bytes + token->length, *end = scan->end;
    for (; at < end; at++) {
        if (*at == '\\' && at + 1 < end) {
            at++;
        } else if (*at == '\n') {
            const char *next = at + 1;
            while (next < end && (*next == ' ' || *next == '\t'))
                next++;
            if (next < end && *next == '{')
                return false;
        } else if (*at == '"' && goes_on(at + 1, end)) {
            token->length = (uint32_t)(at - token->bytes);
            scan->at = at + 1;
            scan_note(scan, NOTE_QUOTE_REPAIRED, token->bytes);
            return true;
        }
    }
    return false;
}

static enum scan_status read_members(struct scan *scan, struct fields *fields, bool arguments, bool *repaired)
{
    struct token key, ignored;
    enum scan_status status;
    scan->at++;
    bool first = true;
    for (;;) {
        if (scan_space(scan) != SCAN_OK)
            return SCAN_END;
        if (*scan->at == '}') {
            scan->at++;
            return SCAN_OK;
        }
        if (!first) {
            if (*scan->at != ',')
                return SCAN_BROKEN;
            scan->at++;
            if (scan_space(scan) != SCAN_OK)
                return SCAN_END;
            if (*scan->at == '}') { /* a comma too many */
                scan->at++;
                return SCAN_OK;
            }
        }
        first = false;
        if (*scan->at != '"')
            return SCAN_BROKEN;
        if ((status = scan_string(scan, &key)) != SCAN_OK)
            return status;
        if (scan_space(scan) != SCAN_OK)
            return SCAN_END;
        if (*scan->at != ':')
            return SCAN_BROKEN;
        scan->at++;
        if (scan_space(scan) != SCAN_OK)
            return SCAN_END;
        if (!arguments && KEY_IS(&key, "args") && *scan->at == '{') {
            if ((status = read_members(scan, fields, true, repaired)) != SCAN_OK)
                return status;
            continue;
        }
        struct token *field = arguments ? argument_field(fields, &key) : member_field(fields, &key);
        if (field == NULL)
            field = &ignored;
        if ((status = scan_value(scan, field)) != SCAN_OK)
            return status;
        if (field->kind == TOKEN_STRING) {
            if (scan_space(scan) != SCAN_OK)
                return SCAN_END;
            if (*scan->at != ',' && *scan->at != '}' && !*repaired) {
                *repaired = repair_string(scan, field);
                if (!*repaired)
                    return SCAN_BROKEN;
            }
        }
    }
}

enum scan_status fields_read(struct scan *scan, struct fields *fields)
{
    bool repaired = false;
    memset(fields, 0, sizeof *fields);
    return read_members(scan, fields, false, &repaired);
}
