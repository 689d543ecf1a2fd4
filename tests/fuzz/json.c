/*
 * What is JSON must be read as cJSON reads it: the members of the document one by one, and the
 * events of a trace.
 *
 * Put aside is what cJSON itself takes or loses wrongly: numbers of more than 63 characters (it
 * cuts them), \u0000 (it ends the string there), lone surrogates (it refuses them), more than
 * 500 levels (it stops at 1000), bytes that are not UTF-8 and a byte order mark (it takes both).
 * That is left to is_json, which takes what RFC 8259 has, without those.
 */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "fuzz.h"
#include "keyavg/raw.h"
#include "keyavg/utf8.h"

/* -- What is JSON ----------------------------------------------------------------------------------------------- */

enum { LEVELS = 500 };

struct reader {
    const char *at, *end;
    char open[LEVELS];
    unsigned depth;
};

static void skip_blanks(struct reader *reader)
{
    while (reader->at < reader->end && strchr(" \t\r\n", *reader->at) != NULL && *reader->at != '\0')
        reader->at++;
}

static bool take(struct reader *reader, char c)
{
    if (reader->at == reader->end || *reader->at != c)
        return false;
    reader->at++;
    return true;
}

static bool take_digits(struct reader *reader)
{
    const char *from = reader->at;
    while (reader->at < reader->end && *reader->at >= '0' && *reader->at <= '9')
        reader->at++;
    return reader->at > from;
}

static bool take_number(struct reader *reader)
{
    const char *from = reader->at;
    take(reader, '-');
    const char *whole = reader->at;
    if (!take_digits(reader) || (*whole == '0' && reader->at - whole > 1))
        return false;
    if (take(reader, '.') && !take_digits(reader))
        return false;
    if (take(reader, 'e') || take(reader, 'E')) {
        if (!take(reader, '+'))
            take(reader, '-');
        if (!take_digits(reader))
            return false;
    }
    return reader->at - from <= 63;
}

static int hex4(struct reader *reader)
{
    int value = 0;
    for (int i = 0; i < 4; i++) {
        if (reader->at == reader->end)
            return -1;
        char c = *reader->at++;
        int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
        if (digit < 0)
            return -1;
        value = value * 16 + digit;
    }
    return value;
}

static bool take_string(struct reader *reader)
{
    const char *from = reader->at + 1;
    if (!take(reader, '"'))
        return false;
    while (reader->at < reader->end && *reader->at != '"') {
        unsigned char c = (unsigned char)*reader->at++;
        if (c < 0x20)
            return false;
        if (c != '\\')
            continue;
        if (reader->at == reader->end || *reader->at == '\0' || strchr("\"\\/bfnrtu", *reader->at) == NULL)
            return false;
        if (*reader->at++ != 'u')
            continue;
        int point = hex4(reader);
        if (point <= 0 || (point >= 0xDC00 && point < 0xE000))
            return false;
        if (point >= 0xD800 && point < 0xDC00) {
            if (!take(reader, '\\') || !take(reader, 'u'))
                return false;
            int low = hex4(reader);
            if (low < 0xDC00 || low >= 0xE000)
                return false;
        }
    }
    return utf8_valid((struct span){from, (size_t)(reader->at - from)}) && take(reader, '"');
}

static bool take_word(struct reader *reader, const char *word)
{
    size_t length = strlen(word);
    if ((size_t)(reader->end - reader->at) < length || memcmp(reader->at, word, length) != 0)
        return false;
    reader->at += length;
    return true;
}

/* A key and its colon, in an object. */
static bool take_key(struct reader *reader)
{
    if (reader->depth == 0 || reader->open[reader->depth - 1] != '}')
        return true;
    skip_blanks(reader);
    if (!take_string(reader))
        return false;
    skip_blanks(reader);
    return take(reader, ':');
}

static bool is_json(const char *bytes, size_t length)
{
    struct reader reader = {.at = bytes, .end = bytes + length};
    for (;;) {
        skip_blanks(&reader);
        if (reader.at == reader.end)
            return false;
        bool fine = true, opened = false;
        switch (*reader.at) {
        case '{':
        case '[':
            if (reader.depth == LEVELS)
                return false;
            reader.open[reader.depth++] = *reader.at++ == '{' ? '}' : ']';
            skip_blanks(&reader);
            opened = !take(&reader, reader.open[reader.depth - 1]);
            reader.depth -= !opened;
            fine = !opened || take_key(&reader);
            break;
        case '"': fine = take_string(&reader); break;
        case 't': fine = take_word(&reader, "true"); break;
        case 'f': fine = take_word(&reader, "false"); break;
        case 'n': fine = take_word(&reader, "null"); break;
        default: fine = take_number(&reader);
        }
        if (!fine)
            return false;
        if (opened)
            continue;
        for (;;) { /* behind a value */
            skip_blanks(&reader);
            if (reader.depth == 0)
                return reader.at == reader.end;
            if (take(&reader, ',')) {
                if (!take_key(&reader))
                    return false;
                break;
            }
            if (!take(&reader, reader.open[reader.depth - 1]))
                return false;
            reader.depth--;
        }
    }
}

/* -- The document, member by member ----------------------------------------------------------------------------- */

struct walk {
    const cJSON *open[RAW_DEPTH + 2]; /* by depth: the container */
    const cJSON *next[RAW_DEPTH + 2]; /* its item that is due */
    unsigned depth;
};

static void same_span(const char *what, struct span a, const char *b)
{
    if (!span_is(a, b))
        fuzz_fail("%s: '%.*s', but cJSON reads '%s'", what, (int)a.length, a.bytes, b);
}

static bool same_member(void *context, const struct raw_member *member)
{
    struct walk *walk = context;
    struct text room = {0};
    if (member->kind == RAW_CLOSE) {
        if (walk->next[walk->depth] != NULL)
            fuzz_fail("a bracket closes too early");
        walk->depth--;
        return true;
    }
    const cJSON *item = walk->next[walk->depth];
    if (item == NULL)
        fuzz_fail("cJSON has no more items here: '%.*s'", (int)member->text.length, member->text.bytes);
    walk->next[walk->depth] = walk->depth > 0 ? item->next : NULL;
    if ((member->key.bytes != NULL) != (item->string != NULL))
        fuzz_fail("one of two has a key");
    if (item->string != NULL)
        same_span("a key", raw_decode(member->key, &room), item->string);
    static const int types[] = {
        [RAW_STRING] = cJSON_String, [RAW_NUMBER] = cJSON_Number, [RAW_TRUE] = cJSON_True,   [RAW_FALSE] = cJSON_False,
        [RAW_NULL] = cJSON_NULL,     [RAW_WORD] = cJSON_Invalid,  [RAW_OBJECT] = cJSON_Object, [RAW_ARRAY] = cJSON_Array,
        [RAW_CLOSE] = cJSON_Invalid, [RAW_DEEP] = cJSON_Raw,
    };
    int type = item->type & 0xFF;
    if (types[member->kind] != type && !(member->kind == RAW_DEEP && (type & (cJSON_Object | cJSON_Array)) != 0))
        fuzz_fail("'%.*s' is of kind %u, but of cJSON's type %d", (int)member->text.length, member->text.bytes,
                  (unsigned)member->kind, type);
    if (member->kind == RAW_STRING) {
        same_span("a string", raw_decode(member->text, &room), item->valuestring);
    } else if (member->kind == RAW_NUMBER) {
        char digits[80] = {0};
        memcpy(digits, member->text.bytes, member->text.length < 79 ? member->text.length : 79);
        if (memcmp(&(double){strtod(digits, NULL)}, &item->valuedouble, sizeof(double)) != 0)
            fuzz_fail("a number: %s, but cJSON reads %.17g", digits, item->valuedouble);
    } else if (member->kind == RAW_OBJECT || member->kind == RAW_ARRAY) {
        walk->depth++;
        walk->open[walk->depth] = item;
        walk->next[walk->depth] = item->child;
    }
    text_free(&room);
    return true;
}

/* -- The events of a trace -------------------------------------------------------------------------------------- */

/* A member's last value, as the reader and Python have it. `twice` is set where it is not the only one. */
static const cJSON *member_of(const cJSON *object, const char *name, bool *twice)
{
    const cJSON *found = NULL, *item;
    cJSON_ArrayForEach(item, object) {
        if (strcmp(item->string, name) == 0) {
            *twice = *twice || found != NULL;
            found = item;
        }
    }
    return found;
}

/* ns of a time; false where it is none that fits. `close` is set at the border, where a double cannot tell. */
static bool time_of(const cJSON *item, double *ns, bool *near)
{
    *ns = cJSON_IsNumber(item) ? item->valuedouble * 1000 : (double)NAN;
    *near = fabs(fabs(*ns) - 0x1p63) <= 0x1p20;
    return fabs(*ns) < 0x1p63;
}

static bool same_time(double wanted, int64_t ns)
{
    return fabs(wanted - (double)ns) <= 4 + fabs(wanted) * 0x1p-50;
}

struct rows {
    const struct trace *trace;
    uint32_t *events; /* those from the file's text, as they stand in it */
    uint32_t count, next;
};

static const struct events *sorted_events;

static int by_offset(const void *a, const void *b)
{
    uint64_t x = events_offset(sorted_events, *(const uint32_t *)a), y = events_offset(sorted_events, *(const uint32_t *)b);
    return (x > y) - (x < y);
}

/* One event of the list against the next row. False where no more can be compared. */
static bool same_event(struct rows *rows, const cJSON *object)
{
    bool twice = false, near, dur_near = false;
    double start, duration = 0;
    const cJSON *ph = member_of(object, "ph", &twice), *name = member_of(object, "name", &twice);
    const cJSON *cat = member_of(object, "cat", &twice), *ts = member_of(object, "ts", &twice);
    const cJSON *dur = member_of(object, "dur", &twice), *args = member_of(object, "args", &twice);
    if (!cJSON_IsString(ph) || strcmp(ph->valuestring, "X") != 0)
        return true;
    /* A quoted number is a number too, names and categories may be of any kind: not compared here. */
    if (twice || cJSON_IsString(ts) || (cat != NULL && !cJSON_IsString(cat)) || (name != NULL && !cJSON_IsString(name)) ||
        cJSON_IsString(dur))
        return false;
    bool timed = time_of(ts, &start, &near);
    if (near)
        return false;
    if (!timed || (name != NULL && (strcmp(name->valuestring, "[memory]") == 0 || strcmp(name->valuestring, "[OutOfMemory]") == 0)))
        return true;
    uint8_t category = cat != NULL ? category_find(span_of(cat->valuestring)) : CATEGORY_ABSENT;
    if (category == CATEGORY_UNKNOWN)
        return true;
    if (dur != NULL && !cJSON_IsNumber(dur))
        return true;
    bool sane = dur == NULL || (time_of(dur, &duration, &dur_near) && !dur_near);
    if (rows->next == rows->count)
        fuzz_fail("event '%s' is not in the trace", name != NULL ? name->valuestring : "");
    uint32_t e = rows->events[rows->next++];
    const struct events *events = &rows->trace->events;
    same_span("the name of an event", strings_get(&rows->trace->strings, events->name[e]),
              name != NULL ? name->valuestring : "");
    if (events->category[e] != category)
        fuzz_fail("category %u, but %u", events->category[e], category);
    if (!same_time(start, events->start[e]))
        fuzz_fail("start %lld, but %.17g", (long long)events->start[e], start);
    if (sane && duration >= 0 && !(events->flags[e] & EVENT_UNFINISHED) && !same_time(duration, events->duration[e]))
        fuzz_fail("duration %lld, but %.17g", (long long)events->duration[e], duration);
    const cJSON *id = NULL, *item, *arguments = cJSON_IsObject(args) ? args : NULL;
    cJSON_ArrayForEach(item, arguments) {
        if (strcasecmp(item->string, "external id") == 0)
            id = item;
    }
    if (cJSON_IsNumber(id) && fabs(id->valuedouble) < 0x1p53 && (double)events_external_id(events, e) != trunc(id->valuedouble))
        fuzz_fail("external id %lld, but %.17g", (long long)events_external_id(events, e), id->valuedouble);
    return true;
}

static bool same_list(struct rows *rows, const cJSON *list)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, list) {
        if (cJSON_IsObject(item) && !same_event(rows, item))
            return false;
    }
    return true;
}

static void same_trace(const cJSON *document, const char *bytes, size_t length)
{
    struct error error = {0};
    struct trace *trace = trace_load_memory(bytes, length, "trace.json", &error);
    bool has_list = cJSON_IsArray(document);
    const cJSON *item, *members = cJSON_IsObject(document) ? document : NULL;
    cJSON_ArrayForEach(item, members) {
        has_list |= strcmp(item->string, "traceEvents") == 0 && cJSON_IsArray(item);
    }
    if ((trace != NULL) != has_list)
        fuzz_fail("%s, but cJSON sees %s", trace != NULL ? "a trace" : error.text, has_list ? "one" : "none");
    if (trace == NULL)
        return;
    /* What tells of text that is not whole or not JSON. */
    static const enum note damage[] = {NOTE_TRUNCATED,  NOTE_STREAM_CUT,  NOTE_QUOTE_REPAIRED, NOTE_ILLEGAL_ESCAPE,
                                       NOTE_RAW_CONTROL, NOTE_INVALID_UTF8, NOTE_NOT_JSON_VALUE, NOTE_TRAILING_TEXT};
    for (unsigned i = 0; i < sizeof damage / sizeof *damage; i++)
        if (trace->notes.of[damage[i]].count != 0)
            fuzz_fail("note %u of text that is JSON", (unsigned)damage[i]);
    struct rows rows = {.trace = trace, .events = malloc((trace->events.count + (size_t)1) * sizeof *rows.events)};
    for (uint32_t e = 0; e < trace->events.count; e++)
        if (events_offset(&trace->events, e) != UINT64_MAX)
            rows.events[rows.count++] = e;
    sorted_events = &trace->events;
    qsort(rows.events, rows.count, sizeof *rows.events, by_offset);
    bool all = true;
    if (cJSON_IsArray(document)) {
        all = same_list(&rows, document);
    } else {
        cJSON_ArrayForEach(item, document) {
            if (strcmp(item->string, "traceEvents") == 0 && cJSON_IsArray(item))
                all = all && same_list(&rows, item);
        }
    }
    if (all && rows.next != rows.count)
        fuzz_fail("%u events, but cJSON sees %u", rows.count, rows.next);
    free(rows.events);
    trace_free(trace);
}

int fuzz_json(const uint8_t *bytes, size_t length)
{
    const char *text = (const char *)bytes;
    if (!is_json(text, length))
        return 0;
    cJSON *document = cJSON_ParseWithLength(text, length);
    if (document == NULL)
        fuzz_fail("cJSON does not take this");
    if (!cJSON_IsObject(document) && !cJSON_IsArray(document)) { /* a number alone has no end */
        cJSON_Delete(document);
        return 0;
    }
    struct walk walk = {.next = {document}};
    size_t end;
    if (!raw_members((struct span){text, length}, same_member, &walk, &end))
        fuzz_fail("the scanner stops at byte %zu of text that is JSON", end);
    if (walk.next[0] != NULL || walk.depth != 0)
        fuzz_fail("the scanner ends early");
    same_trace(document, text, length);
    cJSON_Delete(document);
    return 0;
}
