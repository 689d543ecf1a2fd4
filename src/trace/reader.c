/* The document around the events, and finding the way back where the text is broken. */
#include "pattern.h"
#include "reader.h"

#include <stdlib.h>
#include <string.h>

/* Nothing that is decided here depends on how much of the text the window holds: each look ahead has a length of its
 * own, and where the window ends before that, more text is asked for. So blocks of any length give the same trace. */
enum {
    PATIENCE = (1 << 16) + 1024, /* text that repairing a string may look at behind a broken place */
    MEMBER_LIMIT = 1 << 20,  /* no key of the header is longer, and no value that is looked at */
    REFUND = 4,
};

/* The longest event that is looked for. A bracket that never closes swallows what follows it, and what it swallowed has
 * to be read again in search of whole events. So each limit may waste as much text as it is long, and REFUND bytes more
 * for each byte that reading gets on; beyond that the next one is tried. Broken text of any kind then takes time in
 * proportion to its length, and whole events not much longer than their neighbours are found in it. */
static const uint32_t limits[DOCUMENT_LIMITS] = {READER_EVENT_LIMIT, 1 << 18, 1 << 13, 1 << 9};

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

/* Whether the window holds all that a pattern at `at` is told by. */
static bool is_told(const struct reader *reader, const char *at)
{
    return reader->last || reader->scan.end - at >= PATTERN_LENGTH;
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
    if (status == SCAN_BROKEN && !reader->last && end - scan->at < PATIENCE)
        status = SCAN_END;
    else if (status == SCAN_END && limited)
        status = SCAN_BROKEN;
    if (status == SCAN_BROKEN || reader->last) {
        if (!document->wasteful)
            document->tried = offset;
        document->wasteful = true;
        document->wasted[choice] += (uint64_t)(reached - place);
    }
    scan->end = end;
    scan->at = place;
    scan_settle(scan, false);
    return status;
}

static void take_event(struct reader *reader, const struct fields *fields, const char *place)
{
    event_add(reader, fields, place);
    scan_settle(&reader->scan, true);
    reader->document.damaged = false;
}

/* Text that is skipped is counted once, however often it is looked at before a whole event comes. */
static void note_damage(struct reader *reader, const char *place)
{
    if (!reader->document.damaged)
        scan_note_now(&reader->scan, NOTE_DAMAGED, place);
    reader->document.damaged = true;
}

/* Goes back into the list of events at a whole event that stands where none is expected: the list seemed to end before
 * it. SCAN_BROKEN when there is none; SCAN_END when only more text can tell. */
static enum scan_status take_stray_event(struct reader *reader, const char *at)
{
    struct scan *scan = &reader->scan;
    struct fields fields;
    const char *before = scan->at;
    if (!is_told(reader, at))
        return SCAN_END;
    if (!pattern_is_event_start(at, scan->end))
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

/* Looks for the end of the list from scan.at up to `to` and moves the cursor there. SCAN_END: only more text can tell;
 * SCAN_BROKEN: it is not there. */
static enum scan_status find_list_end(struct reader *reader, const char *to)
{
    struct scan *scan = &reader->scan;
    for (const char *at = scan->at; (at = memchr(at, ']', (size_t)(to - at))) != NULL; at++) {
        bool told = is_told(reader, at);
        if (told && !pattern_is_list_end(at, scan->end))
            continue;
        scan->at = at;
        return told ? SCAN_OK : SCAN_END;
    }
    return SCAN_BROKEN;
}

/* The next whole event at or behind scan.at, or the list's end; false when there is none in the window. The cursor is
 * then where the search has to go on with more text. */
static bool find_event(struct reader *reader)
{
    struct scan *scan = &reader->scan;
    struct fields fields;
    const char *close = scan->at; /* no event ends before the first bracket that closes */
    for (;;) {
        const char *at = memchr(scan->at, '{', (size_t)(scan->end - scan->at));
        enum scan_status bracket = find_list_end(reader, at != NULL ? at : scan->end);
        if (bracket != SCAN_BROKEN)
            return bracket == SCAN_OK;
        scan->at = at != NULL ? at : scan->end;
        if (at == NULL || !is_told(reader, at))
            return false;
        if (pattern_is_event_start(at, scan->end)) {
            if (close != NULL && close < at)
                close = memchr(at, '}', (size_t)(scan->end - at));
            bool endless = close == NULL && scan->end - at <= READER_EVENT_LIMIT;
            if (endless && !reader->last)
                return false;
            enum scan_status status = endless ? SCAN_BROKEN : try_event(reader, &fields);
            if (status == SCAN_OK && fields.ph.kind == TOKEN_STRING) {
                take_event(reader, &fields, at);
                return true;
            }
            scan_settle(scan, false);
            scan->at = at;
            if (status == SCAN_END && !reader->last)
                return false;
        }
        scan->at = at + 1;
    }
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
    struct scan *scan = &reader->scan;
    struct note_place damage = reader->trace->notes.of[NOTE_DAMAGED];
    uint64_t seen = reader->trace->records_seen;
    note_damage(reader, place);
    scan->at = place + 1;
    bool found = find_event(reader);
    /* `]}` alone at the text's end is more likely one of the event's own lists than the end of all. */
    if (!found || (reader->trace->records_seen == seen && *pattern_skip_space(scan->at + 1, scan->end) == '}')) {
        reader->trace->notes.of[NOTE_DAMAGED] = damage;
        note_cut(reader, true);
    }
}

/* Passes over a value in the list that is no event. */
static enum scan_status skip_item(struct reader *reader)
{
    struct scan *scan = &reader->scan;
    const char *place = scan->at, *end = scan->end;
    bool limited = end - place > MEMBER_LIMIT;
    struct token value;
    if (limited)
        scan->end = place + MEMBER_LIMIT;
    enum scan_status status = scan_value(scan, &value);
    if (status == SCAN_OK && value.kind == TOKEN_ARRAY && !is_told(reader, scan->at - 1))
        status = SCAN_END;
    else if (status == SCAN_OK && value.kind == TOKEN_ARRAY && pattern_is_list_end(scan->at - 1, end))
        status = SCAN_BROKEN; /* a bracket too many: its end is the list's own */
    if (status == SCAN_OK)
        status = scan_space(scan);
    if ((status == SCAN_OK && *scan->at != ',' && *scan->at != ']') || (status == SCAN_END && limited))
        status = SCAN_BROKEN;
    scan->end = end;
    scan_settle(scan, status == SCAN_OK);
    if (status != SCAN_OK)
        scan->at = place;
    return status;
}

/* In the list of events; false when more text is needed. */
static bool read_events(struct reader *reader)
{
    struct scan *scan = &reader->scan;
    struct document *document = &reader->document;
    struct fields fields;
    for (;;) {
        if (document->searching) {
            if (!find_event(reader) && !reader->last)
                return false;
            document->searching = false;
        }
        if (scan_space(scan) != SCAN_OK) {
            if (reader->last && !document->array_form)
                note_cut(reader, false);
            else if (reader->last)
                document->where = DOCUMENT_END;
            return false;
        }
        const char *place = scan->at;
        if (*place == ',') {
            scan->at++;
            continue;
        }
        if (*place == ']') {
            scan->at++;
            document->where = document->array_form ? DOCUMENT_END : DOCUMENT_HEADER;
            document->damaged = false;
            return true;
        }
        enum scan_status status = *place == '{' ? try_event(reader, &fields) : skip_item(reader);
        if (status == SCAN_END && !reader->last)
            return false;
        if (status == SCAN_OK && *place == '{') {
            take_event(reader, &fields, place);
        } else if (status == SCAN_END) {
            end_inside(reader, place);
            if (document->where == DOCUMENT_END)
                return true;
        } else {
            note_damage(reader, place);
            document->searching = status == SCAN_BROKEN;
            scan->at += document->searching;
        }
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

/* The header is broken: go on at the next member that is known by its name, or, since a bracket too many may have ended
 * the list of events, at the next whole event. */
static bool mend_header(struct reader *reader)
{
    struct scan *scan = &reader->scan;
    struct document *document = &reader->document;
    bool events = document->found_events;
    if (!document->mending) {
        scan_note_now(scan, NOTE_DAMAGED, scan->at);
        scan->at += *scan->at == '"'; /* not this member again */
    }
    document->mending = true;
    for (; scan->at < scan->end; scan->at++) {
        const char *at = scan->at;
        if (*at == '"') {
            if (!is_told(reader, at))
                return false;
            document->mending = !pattern_is_header_key(at, scan->end);
            if (!document->mending)
                return true;
        } else if (*at == '{' && events) {
            enum scan_status status = take_stray_event(reader, at);
            document->mending = status != SCAN_OK;
            if (status == SCAN_OK)
                return true;
            if (status == SCAN_END && !reader->last)
                return false;
            events = status != SCAN_END; /* it swallows the rest; so would those behind it */
        }
    }
    if (reader->last)
        document->where = DOCUMENT_END;
    return false;
}

/* Whether a value of the header cannot be all that it seems: a stray bracket or a string without its end has taken what
 * follows it. SCAN_END: more text can tell. */
static enum scan_status judge_value(const struct reader *reader, const struct token *value)
{
    const struct scan *scan = &reader->scan;
    const char *end = value->bytes + value->length;
    if (value->kind >= TOKEN_ARRAY && !reader->document.found_events && pattern_holds_list_key(value->bytes, end)) {
        /* The list of another document inside of this one, or this one's own list, with this one's end. */
        if (!is_told(reader, end))
            return SCAN_END;
        const char *next = pattern_skip_space(end, scan->end);
        return next < scan->end && (*next == ',' || *next == '}') ? SCAN_OK : SCAN_BROKEN;
    }
    if (value->kind != TOKEN_STRING || scan->at == scan->end || (unsigned char)*scan->at <= ',')
        return SCAN_OK;
    if (!is_told(reader, end))
        return SCAN_END;
    return pattern_is_header_key(end, scan->end) ? SCAN_BROKEN : SCAN_OK;
}

/* A member of the header at scan.at. `*from` is set to where its value begins, once that is known; `*list` where it is
 * the list of events, which is then entered. */
static enum scan_status read_member(struct reader *reader, const char **from, bool *list)
{
    struct scan *scan = &reader->scan;
    struct text room = {0};
    struct token key, value;
    enum scan_status status = *scan->at == '"' ? scan_string(scan, &key) : SCAN_BROKEN;
    if (status == SCAN_OK)
        status = scan_space(scan);
    if (status == SCAN_OK && *scan->at != ':')
        status = SCAN_BROKEN;
    if (status == SCAN_OK) {
        scan->at++;
        status = scan_space(scan);
    }
    if (status != SCAN_OK)
        return status;
    *from = scan->at;
    struct span name = scan_text(&key, &room);
    *list = *scan->at == '[' && span_is(name, "traceEvents");
    if (*list) {
        scan->at++;
    } else {
        status = scan_value(scan, &value);
        if (status == SCAN_OK)
            status = judge_value(reader, &value);
        if (status == SCAN_OK && reader->document.before == 0)
            header_take(reader->trace, name, &value);
    }
    text_free(&room);
    return status;
}

/* Between members of the outermost object; false when more text is needed. */
static bool read_header(struct reader *reader)
{
    struct scan *scan = &reader->scan;
    struct document *document = &reader->document;
    if (document->skipping) {
        bool over = !skip_large(reader);
        if (over && reader->last)
            note_cut(reader, false);
        return !over;
    }
    if (document->mending)
        return mend_header(reader);
    if (scan_space(scan) != SCAN_OK) {
        if (reader->last)
            note_cut(reader, false);
        return false;
    }
    if (*scan->at == ',' || *scan->at == '}') {
        if (*scan->at == '}')
            document->where = DOCUMENT_END;
        scan->at++;
        return true;
    }
    const char *place = scan->at, *from = NULL, *end = scan->end;
    bool list = false, limited = end - place > MEMBER_LIMIT;
    if (limited)
        scan->end = place + MEMBER_LIMIT;
    enum scan_status status = read_member(reader, &from, &list);
    scan->end = end;
    scan_settle(scan, status == SCAN_OK);
    if (list) {
        document->found_events = true;
        document->where = DOCUMENT_EVENTS;
    }
    if (status == SCAN_OK)
        return true;
    scan->at = place;
    if (status == SCAN_END && !limited && !reader->last)
        return false;
    /* What does not end is broken where it has taken members that are known. */
    if (status == SCAN_BROKEN || (limited && from == NULL) ||
        (limited ? pattern_holds_list_key(place + 1, place + MEMBER_LIMIT) : pattern_holds_header_key(place + 1, end)))
        return mend_header(reader);
    if (!limited) {
        note_cut(reader, false);
        return false;
    }
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
    if (!reader->document.found_events) { /* the outermost object seemed to end before its list */
        reader->document.where = DOCUMENT_HEADER;
        if (*scan->at != '"' && *scan->at != ',')
            return mend_header(reader);
        note_damage(reader, scan->at);
        return true;
    }
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
        scan->at = next + 1;
    }
    return true;
}

/* Whether nothing that was read in vain counts any more at this offset. */
static bool is_fresh(const struct document *document, uint64_t offset)
{
    uint64_t refund = offset > document->tried ? (offset - document->tried) * REFUND : 0;
    for (unsigned i = 0; document->wasteful && i < DOCUMENT_LIMITS; i++)
        if (document->wasted[i] > refund)
            return false;
    return true;
}

bool reader_joins(const struct document *before, const struct document *after, uint64_t offset)
{
    return before->where == DOCUMENT_EVENTS && !before->searching && !before->damaged && before->before == 0 &&
           !before->noted_trailing && before->array_form == after->array_form && is_fresh(before, offset);
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
