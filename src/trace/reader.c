/* The document around the events, and finding the way back where the text is broken. */
#include "reader.h"

#include <stdlib.h>
#include <string.h>

enum {
    PATIENCE = 1 << 16,      /* text wanted behind a broken place before it is called broken */
    PATTERN_LENGTH = 256,    /* the longest start of an event or key of the header, white space included */
    REFUND = 8,
};

/* The longest event that is looked for. A bracket that never closes swallows what follows it, and what it swallowed has
 * to be read again in search of whole events. So each limit may waste as much text as it is long, and REFUND bytes more
 * for each byte that reading gets on; beyond that the next one is tried. Broken text of any kind then takes time in
 * proportion to its length, and whole events not much longer than their neighbours are found in it. */
static const uint32_t limits[DOCUMENT_LIMITS] = {READER_EVENT_LIMIT, 1 << 18, 1 << 13, 1 << 9};

/* Members of the header that are told from other text by their names. */
static const char *const header_keys[] = {
    "traceEvents", "traceName", "displayTimeUnit", "baseTimeNanoseconds", "distributedInfo", "schemaVersion",
    "deviceProperties", "record_shapes", "with_stack", "profile_memory", "with_flops", "with_modules", "trace_id",
    "host_name",
};

enum { HEADER_KEYS = sizeof header_keys / sizeof *header_keys };

void reader_init(struct reader *reader, struct trace *trace)
{
    memset(reader, 0, sizeof *reader);
    reader->trace = trace;
    reader->scan.notes = &trace->notes;
    reader->habits = memory_zero(1, sizeof *reader->habits);
    reader->habits->count = 2;
    header_init(&trace->header);
    array_push(&trace->inputs, (struct inputs){0});
    array_push(&trace->lanes, (struct lane){-1, 0});
    array_push(&trace->forward_threads, 0);
}

void reader_free(struct reader *reader)
{
    free(reader->habits);
    text_free(&reader->room);
    text_free(&reader->room2);
    free(reader->input_keys);
    free(reader->input_slots);
    free(reader->thread_slots);
    free(reader->lane_numbers.keys);
    free(reader->lane_numbers.numbers);
    free(reader->forward_numbers.keys);
    free(reader->forward_numbers.numbers);
    free(reader->own_stacks);
    free(reader->frame_known);
    array_free(&reader->thread_names);
}

static const char *skip_space(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t'))
        at++;
    return at;
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
        const char *colon = skip_space(at + length + 2, end);
        if (colon < end && *colon == ':')
            return true;
    }
    return false;
}

bool reader_is_event_start(const char *at, const char *end)
{
    static const char *const keys[] = {"ph", "cat", "name", "pid", "tid", "ts", "dur", "id", "bp", "s", "args"};
    return is_key(skip_space(at + 1, end), end, keys, sizeof keys / sizeof *keys);
}

/* Whether the list of events ends at `at` (`]`): the object ends too or goes on with a member that stands there. */
static bool is_list_end(const char *at, const char *end, bool last)
{
    const char *next = skip_space(at + 1, end);
    if (next == end)
        return false;
    if (*next == '}')
        return last && skip_space(next + 1, end) == end;
    return *next == ',' && is_key(skip_space(next + 1, end), end, header_keys, HEADER_KEYS);
}

/* The limit for an event that begins at this offset. */
static unsigned choose_limit(struct document *document, uint64_t offset)
{
    uint64_t refund = offset > document->tried ? (offset - document->tried) * REFUND : 0;
    unsigned choice = 0;
    document->tried = offset;
    for (unsigned i = 0; i < DOCUMENT_LIMITS; i++)
        document->wasted[i] -= refund < document->wasted[i] ? refund : document->wasted[i];
    while (choice < DOCUMENT_LIMITS - 1 && document->wasted[choice] >= limits[choice])
        choice++;
    return choice;
}

/* Reads the event at scan.at. SCAN_END stands for `needs more text`, also where only more text can tell. */
static enum scan_status try_event(struct reader *reader, struct fields *fields)
{
    struct scan *scan = &reader->scan;
    struct document *document = &reader->document;
    const char *place = scan->at, *end = scan->end;
    uint64_t offset = scan->offset + (uint64_t)(place - scan->begin);
    unsigned choice = document->wasteful ? choose_limit(document, offset) : 0;
    bool limited = end - place > limits[choice];
    if (limited)
        scan->end = place + limits[choice];
    scan->looked = place;
    enum scan_status status = fields_read(scan, reader->habits, fields);
    if (status == SCAN_OK) {
        scan->end = end;
        return status;
    }
    const char *reached = status == SCAN_END ? scan->end : scan->looked > scan->at ? scan->looked : scan->at;
    if (!document->wasteful)
        document->tried = offset;
    document->wasteful = true;
    document->wasted[choice] += (uint64_t)(reached - place);
    if (status == SCAN_BROKEN && !reader->last && end - scan->at < PATIENCE)
        status = SCAN_END;
    else if (status == SCAN_END && limited)
        status = SCAN_BROKEN;
    scan->end = end;
    scan->at = place;
    scan_settle(scan, false);
    return status;
}

static void take_event(struct reader *reader, const struct fields *fields, const char *place)
{
    event_add(reader, fields, place);
    scan_settle(&reader->scan, true);
}

/* Goes back into the list of events at a whole event that stands where none is expected: the list seemed to end before it.
 * SCAN_BROKEN when there is none; SCAN_END when only more text can tell. */
static enum scan_status take_stray_event(struct reader *reader, const char *at)
{
    struct scan *scan = &reader->scan;
    struct fields fields;
    const char *before = scan->at;
    if (!reader->last && scan->end - at < PATTERN_LENGTH)
        return SCAN_END;
    if (!reader_is_event_start(at, scan->end))
        return SCAN_BROKEN;
    scan->at = at;
    enum scan_status status = try_event(reader, &fields);
    if (status == SCAN_OK && fields.ph.kind == TOKEN_STRING) {
        take_event(reader, &fields, at);
        reader->document.where = DOCUMENT_EVENTS;
        return SCAN_OK;
    }
    scan_settle(scan, false);
    scan->at = before;
    return status == SCAN_OK ? SCAN_BROKEN : status;
}

/* The next whole event at or behind scan.at; false when there is none in the window. The cursor is then where the
 * search has to go on with more text. */
static bool find_event(struct reader *reader)
{
    struct scan *scan = &reader->scan;
    struct fields fields;
    const char *close = scan->at; /* no event ends before the first bracket that closes */
    for (const char *at = scan->at; at < scan->end; at++) {
        at = memchr(at, '{', (size_t)(scan->end - at));
        const char *bracket = memchr(scan->at, ']', (size_t)((at != NULL ? at : scan->end) - scan->at));
        for (; bracket != NULL; bracket = memchr(bracket + 1, ']', (size_t)((at != NULL ? at : scan->end) - bracket - 1)))
            if (is_list_end(bracket, scan->end, reader->last)) {
                scan->at = bracket;
                return true;
            }
        if (at == NULL)
            break;
        scan->at = at;
        if (!reader->last && scan->end - at < PATTERN_LENGTH)
            return false;
        if (!reader_is_event_start(at, scan->end))
            continue;
        if (close != NULL && close < at)
            close = memchr(at, '}', (size_t)(scan->end - at));
        if (close == NULL && scan->end - at <= READER_EVENT_LIMIT) {
            if (!reader->last)
                return false;
            break;
        }
        enum scan_status status = try_event(reader, &fields);
        if (status == SCAN_OK && fields.ph.kind == TOKEN_STRING) {
            take_event(reader, &fields, at);
            return true;
        }
        scan_settle(scan, false);
        scan->at = at;
        if (status == SCAN_END && !reader->last)
            return false;
        scan->at = at + 1;
    }
    if (reader->last)
        scan->at = scan->end;
    else if (scan->end - scan->at > PATTERN_LENGTH)
        scan->at = scan->end - PATTERN_LENGTH;
    return false;
}

static void note_cut(struct reader *reader, bool inside_event)
{
    struct note_place *cut = &reader->trace->notes.of[NOTE_TRUNCATED];
    scan_note_now(&reader->scan, NOTE_TRUNCATED, reader->scan.end);
    cut->amount += inside_event;
    reader->scan.at = reader->scan.end;
    reader->document.where = DOCUMENT_END;
}

/* The text ends inside an event: cut off there, unless whole events follow, and then it was damage. */
static void end_inside(struct reader *reader, const char *place)
{
    struct note_place damage = reader->trace->notes.of[NOTE_DAMAGED];
    scan_note_now(&reader->scan, NOTE_DAMAGED, place);
    reader->scan.at = place + 1;
    if (!find_event(reader)) {
        reader->trace->notes.of[NOTE_DAMAGED] = damage;
        note_cut(reader, true);
    }
}

/* In the list of events; false when more text is needed. */
static bool read_events(struct reader *reader)
{
    struct scan *scan = &reader->scan;
    struct fields fields;
    for (;;) {
        if (reader->document.searching) {
            if (!find_event(reader) && !reader->last)
                return false;
            reader->document.searching = false;
        }
        if (scan_space(scan) != SCAN_OK) {
            if (reader->last && !reader->document.array_form)
                note_cut(reader, false);
            else if (reader->last)
                reader->document.where = DOCUMENT_END;
            return false;
        }
        const char *place = scan->at;
        if (*place == '{') {
            enum scan_status status = try_event(reader, &fields);
            if (status == SCAN_OK) {
                take_event(reader, &fields, place);
                continue;
            }
            if (status == SCAN_END && !reader->last)
                return false;
            if (status == SCAN_END) {
                end_inside(reader, place);
                continue;
            }
        } else if (*place == ',') {
            scan->at++;
            continue;
        } else if (*place == ']') {
            scan->at++;
            reader->document.where = reader->document.array_form ? DOCUMENT_END : DOCUMENT_HEADER;
            return true;
        }
        scan_note_now(scan, NOTE_DAMAGED, place);
        scan->at = place + 1;
        reader->document.searching = true;
    }
}

/* Skips a value of the header that is too large to be looked at whole; false when more text is needed. */
static bool skip_large(struct reader *reader)
{
    struct scan *scan = &reader->scan;
    reader->document.skipping = true;
    for (; scan->at < scan->end; scan->at++) {
        char c = *scan->at;
        if (reader->document.skip_string) {
            if (c == '\\') {
                if (scan->end - scan->at < 2)
                    return false;
                scan->at++;
            } else if (c == '"') {
                reader->document.skip_string = false;
            }
        } else if (c == '"') {
            reader->document.skip_string = true;
        } else if (c == '[' || c == '{') {
            reader->document.skip_depth++;
        } else if (c == ']' || c == '}') {
            if (reader->document.skip_depth == 0)
                break; /* the end of what encloses it */
            reader->document.skip_depth--;
        } else if (c == ',' && reader->document.skip_depth == 0) {
            break;
        }
    }
    reader->document.skipping = scan->at == scan->end;
    return !reader->document.skipping;
}

/* The header is broken: go on at the next member that is known by its name. */
static bool mend_header(struct reader *reader)
{
    struct scan *scan = &reader->scan;
    struct document *document = &reader->document;
    if (!document->mending && !reader->last && scan->end - scan->at < PATIENCE)
        return false;
    if (!document->mending)
        scan_note_now(scan, NOTE_DAMAGED, scan->at);
    document->mending = false;
    bool events = document->found_events; /* a bracket too many may have ended their list */
    for (const char *at = scan->at; at < scan->end; at++) {
        if (*at == '"' && at > scan->at && is_key(at, scan->end, header_keys, HEADER_KEYS)) {
            scan->at = at;
            return true;
        }
        if (*at == '{' && events) {
            enum scan_status status = take_stray_event(reader, at);
            if (status == SCAN_OK)
                return true;
            events = status != SCAN_END; /* it swallows the rest; so would those behind it */
        }
    }
    if (reader->last) {
        scan->at = scan->end;
        document->where = DOCUMENT_END;
    } else {
        document->mending = true;
        if (scan->end - scan->at > PATTERN_LENGTH)
            scan->at = scan->end - PATTERN_LENGTH;
    }
    return false;
}

enum { HEADER_MORE = 1 << 20 };

/* Between members of the outermost object; false when more text is needed. */
static bool read_header(struct reader *reader)
{
    struct scan *scan = &reader->scan;
    struct token key, value;
    const char *place = scan->at;
    if (reader->document.skipping) {
        bool over = !skip_large(reader);
        if (over && reader->last)
            note_cut(reader, false);
        return !over;
    }
    if (reader->document.mending)
        return mend_header(reader);
    if (scan_space(scan) != SCAN_OK) {
        if (reader->last)
            note_cut(reader, false);
        return false;
    }
    if (*scan->at == ',') {
        scan->at++;
        return true;
    }
    if (*scan->at == '}') {
        scan->at++;
        reader->document.where = DOCUMENT_END;
        return true;
    }
    enum scan_status status = *scan->at == '"' ? scan_string(scan, &key) : SCAN_BROKEN;
    if (status == SCAN_OK)
        status = scan_space(scan);
    if (status == SCAN_OK && *scan->at != ':')
        status = SCAN_BROKEN;
    if (status == SCAN_OK) {
        scan->at++;
        status = scan_space(scan);
    }
    struct span name = status == SCAN_OK ? (struct span){key.bytes, key.length} : (struct span){"", 0};
    if (status == SCAN_OK && *scan->at == '[' && span_is(name, "traceEvents")) {
        scan->at++;
        scan_settle(scan, true);
        reader->document.found_events = true;
        reader->document.where = DOCUMENT_EVENTS;
        return true;
    }
    const char *from = scan->at;
    if (status == SCAN_OK)
        status = scan_value(scan, &value);
    if (status == SCAN_OK) {
        scan_settle(scan, true);
        if (reader->document.before == 0)
            header_take(reader->trace, name, &value);
        return true;
    }
    scan_settle(scan, false);
    scan->at = place;
    if (status == SCAN_BROKEN)
        return mend_header(reader);
    if (reader->last) {
        note_cut(reader, false);
        return false;
    }
    if (scan->end - from <= HEADER_MORE)
        return false;
    if (from == place) /* a key that does not end */
        return mend_header(reader);
    scan->at = from;
    return skip_large(reader);
}

static bool read_start(struct reader *reader)
{
    struct scan *scan = &reader->scan;
    if (reader->scan.offset == 0 && scan->at == scan->begin && scan->end - scan->at >= 3 &&
        memcmp(scan->at, "\xEF\xBB\xBF", 3) == 0)
        scan->at += 3;
    if (scan_space(scan) != SCAN_OK)
        return false;
    if (*scan->at == '[') {
        reader->document.array_form = reader->document.found_events = true;
        reader->trace->header.array_form |= reader->document.before == 0;
        reader->document.where = DOCUMENT_EVENTS;
    } else if (*scan->at == '{') {
        reader->document.array_form = false;
        reader->document.where = DOCUMENT_HEADER;
    } else {
        reader->document.where = DOCUMENT_END;
        reader->document.not_json = reader->document.before == 0;
        scan->at = scan->end;
        return false;
    }
    scan->at++;
    return true;
}

/* Behind the document only white space is expected; another document's events are added. */
static bool read_end(struct reader *reader)
{
    struct scan *scan = &reader->scan;
    if (reader->document.not_json)
        scan->at = scan->end;
    if (scan_space(scan) != SCAN_OK && (scan->at == scan->end || !reader->last))
        return false; /* also in a comment, which may end yet */
    if (!reader->document.noted_trailing)
        scan_note_now(scan, NOTE_TRAILING_TEXT, scan->at);
    reader->document.noted_trailing = true;
    const char *next = *scan->at == '[' ? scan->at : memchr(scan->at, '{', (size_t)(scan->end - scan->at));
    if (next == NULL) {
        scan->at = scan->end;
        return false;
    }
    scan->at = next;
    enum scan_status status = *next == '{' && reader->document.found_events ? take_stray_event(reader, next) : SCAN_BROKEN;
    if (status == SCAN_END && !reader->last)
        return false;
    if (status == SCAN_BROKEN) {
        reader->document.where = DOCUMENT_START;
        reader->document.before++;
    } else if (status == SCAN_END) {
        scan->at = scan->end;
    }
    return true;
}

bool reader_joins(const struct document *before, const struct document *after)
{
    return before->where == DOCUMENT_EVENTS && !before->searching && before->before == 0 &&
           before->array_form == after->array_form;
}

void reader_run(struct reader *reader)
{
    bool more = true;
    while (more) {
        switch (reader->document.where) {
        case DOCUMENT_START:
            more = read_start(reader);
            break;
        case DOCUMENT_HEADER:
            more = read_header(reader);
            break;
        case DOCUMENT_EVENTS:
            more = read_events(reader);
            break;
        case DOCUMENT_END:
            more = read_end(reader);
            break;
        }
    }
}
