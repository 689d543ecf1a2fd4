/* One trace again and again. */
#include <stdio.h>
#include <stdlib.h>

#include "grow.h"
#include "keyavg/array.h"

/* The numbers that go on from one repetition to the next. */
enum series {
    SERIES_TIME,     /* whole microseconds; what is behind the point stays */
    SERIES_LENGTH,   /* `dur` of what spans the whole recording */
    SERIES_LINK,     /* External ids and correlations: in old files they may be the same */
    SERIES_FLOW,
    SERIES_SEQUENCE,
    SERIES_INDEX,
    SERIES_PYTHON,
    SERIES_RECORD,
    SERIES_STEP,
    SERIES_COUNT
};

struct patch {
    const char *at;
    uint32_t length;
    uint32_t series;
    int64_t value;
};

struct event {
    const char *from, *begin, *end; /* `from`: behind the event before, a comma and white space follow */
    size_t patches;                 /* its first one; they end where the next event's begin */
    int64_t time;
    bool once, timed;
};

struct part {
    size_t from, to;
};

struct repeat {
    const char *text, *at, *end;
    ARRAY(struct event) events;
    ARRAY(struct patch) patches;
    ARRAY(struct part) parts; /* stretches in order of time, of events that are repeated */
    const char *list;         /* behind the list's `[` */
    const char *rest;         /* behind its last event */
    int64_t low[SERIES_COUNT], high[SERIES_COUNT], span[SERIES_COUNT];
    uint64_t durations;       /* events with one, per repetition */
};

struct word {
    const char *bytes;
    size_t length;
};

static bool is(struct word word, const char *text)
{
    return word.length == strlen(text) && memcmp(word.bytes, text, word.length) == 0;
}

static bool starts(struct word word, const char *text)
{
    return word.length >= strlen(text) && memcmp(word.bytes, text, strlen(text)) == 0;
}

/* -- Reading ----------------------------------------------------------------------------------------------------- */

static void skip_space(struct repeat *repeat)
{
    while (repeat->at < repeat->end && (unsigned char)*repeat->at <= ' ')
        repeat->at++;
}

static bool take(struct repeat *repeat, char c)
{
    skip_space(repeat);
    if (repeat->at == repeat->end || *repeat->at != c)
        return false;
    repeat->at++;
    return true;
}

/* A string at the cursor, without its quotes. */
static bool take_string(struct repeat *repeat, struct word *word)
{
    if (!take(repeat, '"'))
        return false;
    const char *from = repeat->at;
    for (; repeat->at < repeat->end; repeat->at++) {
        if (*repeat->at == '\\') {
            repeat->at++;
        } else if (*repeat->at == '"') {
            *word = (struct word){from, (size_t)(repeat->at++ - from)};
            return true;
        }
    }
    return false;
}

/* Any value; strings without their quotes. */
static bool take_value(struct repeat *repeat, struct word *word)
{
    uint64_t depth = 0;
    skip_space(repeat);
    if (repeat->at < repeat->end && *repeat->at == '"')
        return take_string(repeat, word);
    const char *from = repeat->at;
    for (; repeat->at < repeat->end; repeat->at++) {
        struct word inner;
        char c = *repeat->at;
        if (c == '"') {
            if (!take_string(repeat, &inner))
                return false;
            repeat->at--;
        } else if (c == '[' || c == '{') {
            depth++;
        } else if (c == ']' || c == '}') {
            if (depth == 0)
                break;
            depth--;
        } else if (depth == 0 && (c == ',' || (unsigned char)c <= ' ')) {
            break;
        }
    }
    *word = (struct word){from, (size_t)(repeat->at - from)};
    return repeat->at < repeat->end && repeat->at > from;
}

static size_t digits_of(struct word word)
{
    size_t digits = 0;
    while (digits < word.length && word.bytes[digits] >= '0' && word.bytes[digits] <= '9' && digits < 18)
        digits++;
    return digits;
}

static int64_t whole_number(struct word word)
{
    int64_t value = 0;
    for (size_t i = 0; i < digits_of(word); i++)
        value = value * 10 + (word.bytes[i] - '0');
    return value;
}

/* Remembers a number, if it is one, for what becomes of it. Only its whole part counts. */
static void add_patch(struct repeat *repeat, enum series series, struct word word)
{
    int64_t value = whole_number(word);
    size_t digits = digits_of(word);
    if (digits == 0 || (digits < word.length && word.bytes[digits] != '.'))
        return;
    if (series != SERIES_TIME && series != SERIES_LENGTH) {
        if (value == 0 && (series == SERIES_LINK || series == SERIES_FLOW || series == SERIES_RECORD))
            return; /* 0 stands for none */
        repeat->low[series] = value < repeat->low[series] ? value : repeat->low[series];
        repeat->high[series] = value > repeat->high[series] ? value : repeat->high[series];
    }
    array_push(&repeat->patches, (struct patch){word.bytes, (uint32_t)digits, series, value});
}

static enum series series_of(struct word key, bool inside)
{
    static const struct {
        const char *key;
        enum series series;
        bool inside;
    } known[] = {
        {"ts", SERIES_TIME, false},
        {"id", SERIES_FLOW, false},
        {"External id", SERIES_LINK, true},
        {"external id", SERIES_LINK, true},
        {"correlation", SERIES_LINK, true},
        {"Sequence number", SERIES_SEQUENCE, true},
        {"Ev Idx", SERIES_INDEX, true},
        {"Python id", SERIES_PYTHON, true},
        {"Python parent id", SERIES_PYTHON, true},
        {"Record function id", SERIES_RECORD, true},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].inside == inside && is(key, known[i].key))
            return known[i].series;
    return SERIES_COUNT;
}

static bool read_event(struct repeat *repeat, const char *from)
{
    struct word phase = {"", 0}, category = phase, name = phase, duration = phase;
    struct event event = {.from = from, .begin = repeat->at, .patches = repeat->patches.count};
    bool inside = false;
    for (repeat->at++;;) {
        struct word key, value;
        if (take(repeat, '}')) {
            if (!inside)
                break;
            inside = false;
        } else if (take(repeat, ',')) {
            continue;
        } else {
            if (!take_string(repeat, &key) || !take(repeat, ':'))
                return false;
            if (!inside && is(key, "args") && take(repeat, '{')) {
                inside = true;
                continue;
            }
            if (!take_value(repeat, &value))
                return false;
            enum series series = series_of(key, inside);
            size_t patches = repeat->patches.count;
            if (series != SERIES_COUNT)
                add_patch(repeat, series, value);
            if (series == SERIES_TIME && repeat->patches.count > patches) {
                event.timed = true;
                event.time = repeat->patches.items[patches].value;
            }
            if (inside)
                continue;
            if (is(key, "ph"))
                phase = value;
            else if (is(key, "cat"))
                category = value;
            else if (is(key, "dur"))
                duration = value;
            else if (is(key, "name")) {
                name = value;
                if (starts(name, "ProfilerStep#"))
                    add_patch(repeat, SERIES_STEP, (struct word){name.bytes + 13, name.length - 13});
            }
        }
    }
    event.end = repeat->at;
    event.once = is(phase, "M") || is(category, "Trace") || is(name, "Record Window End") || starts(name, "Iteration Start");
    if (event.once) {
        /* What stands in the file once keeps its numbers, but for the recording's end and length. */
        if (!is(name, "Record Window End"))
            repeat->patches.count = event.patches;
        if (is(category, "Trace"))
            add_patch(repeat, SERIES_LENGTH, duration);
    } else if (event.timed) {
        int64_t end = event.time + whole_number(duration);
        repeat->durations += duration.length != 0;
        repeat->low[SERIES_TIME] = event.time < repeat->low[SERIES_TIME] ? event.time : repeat->low[SERIES_TIME];
        repeat->high[SERIES_TIME] = end > repeat->high[SERIES_TIME] ? end : repeat->high[SERIES_TIME];
    }
    array_push(&repeat->events, event);
    return true;
}

/* The cursor behind the `[` of the list of events. */
static bool find_list(struct repeat *repeat)
{
    struct word key, value;
    if (take(repeat, '['))
        return true;
    if (!take(repeat, '{'))
        return false;
    while (take_string(repeat, &key) && take(repeat, ':')) {
        if (is(key, "traceEvents"))
            return take(repeat, '[');
        if (!take_value(repeat, &value) || !take(repeat, ','))
            return false;
    }
    return false;
}

static bool read_all(struct repeat *repeat)
{
    for (int i = 0; i < SERIES_COUNT; i++) {
        repeat->low[i] = INT64_MAX;
        repeat->high[i] = INT64_MIN;
    }
    if (!find_list(repeat))
        return false;
    repeat->list = repeat->rest = repeat->at;
    while (skip_space(repeat), repeat->at < repeat->end && *repeat->at != ']') {
        if (*repeat->at == ',') {
            repeat->at++;
            continue;
        }
        if (*repeat->at != '{' || !read_event(repeat, repeat->rest))
            return false;
        repeat->rest = repeat->at;
    }
    return repeat->at < repeat->end;
}

/* -- Planning ---------------------------------------------------------------------------------------------------- */

static void plan_spans(struct repeat *repeat)
{
    for (int i = 0; i < SERIES_COUNT; i++)
        repeat->span[i] = repeat->low[i] <= repeat->high[i] ? repeat->high[i] - repeat->low[i] + 1 : 0;
    repeat->span[SERIES_TIME] += 10; /* us between two repetitions */
    repeat->span[SERIES_LENGTH] = repeat->span[SERIES_TIME];
}

/* Where time goes back far, another stretch begins: another thread's events, or the device's. */
static void plan_parts(struct repeat *repeat)
{
    int64_t latest = INT64_MIN;
    bool open = false;
    for (size_t i = 0; i < repeat->events.count; i++) {
        const struct event *event = &repeat->events.items[i];
        if (event->once)
            continue;
        if (open && event->timed && latest != INT64_MIN && event->time < latest - repeat->span[SERIES_TIME] / 4)
            open = false;
        if (!open) {
            array_push(&repeat->parts, (struct part){i, i});
            latest = INT64_MIN;
            open = true;
        }
        repeat->parts.items[repeat->parts.count - 1].to = i + 1;
        if (event->timed && event->time > latest)
            latest = event->time;
    }
}

static uint64_t plan_times(const struct repeat *repeat, struct grow_amount amount, size_t length)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < repeat->events.count; i++)
        if (!repeat->events.items[i].once)
            bytes += (uint64_t)(repeat->events.items[i].end - repeat->events.items[i].from);
    if (amount.times != 0)
        return amount.times;
    if (amount.events != 0)
        return repeat->durations != 0 ? (amount.events + repeat->durations - 1) / repeat->durations : 1;
    if (amount.bytes <= length || bytes == 0)
        return 1;
    return 1 + (amount.bytes - length + bytes / 2) / bytes;
}

/* -- Writing ----------------------------------------------------------------------------------------------------- */

static void write_event(const struct repeat *repeat, size_t number, uint64_t round, struct pour *out)
{
    const struct event *event = &repeat->events.items[number];
    size_t last = number + 1 < repeat->events.count ? event[1].patches : repeat->patches.count;
    const char *at = event->begin;
    if (number == 0 && round != 0) /* nothing stands before it in the file */
        pour_add(out, ",\n", 2);
    else
        pour_add(out, event->from, (size_t)(event->begin - event->from));
    for (size_t i = event->patches; i < last; i++) {
        const struct patch *patch = &repeat->patches.items[i];
        pour_add(out, at, (size_t)(patch->at - at));
        pour_number(out, patch->value + (int64_t)round * repeat->span[patch->series]);
        at = patch->at + patch->length;
    }
    pour_add(out, at, (size_t)(event->end - at));
}

static void write_all(const struct repeat *repeat, uint64_t times, struct pour *out)
{
    size_t count = repeat->events.count, first = 0;
    pour_add(out, repeat->text, (size_t)(repeat->list - repeat->text));
    for (; first < count && repeat->events.items[first].once; first++)
        write_event(repeat, first, 0, out);
    for (size_t p = 0; p < repeat->parts.count; p++)
        for (uint64_t round = 0; round < times; round++)
            for (size_t i = repeat->parts.items[p].from; i < repeat->parts.items[p].to; i++)
                if (!repeat->events.items[i].once)
                    write_event(repeat, i, round, out);
    for (; first < count; first++)
        if (repeat->events.items[first].once)
            write_event(repeat, first, times - 1, out);
    pour_add(out, repeat->rest, (size_t)(repeat->end - repeat->rest));
}

bool repeat_write(const char *text, size_t length, struct grow_amount amount, struct pour *out)
{
    struct repeat repeat = {.text = text, .at = text, .end = text + length};
    bool fine = read_all(&repeat);
    if (!fine) {
        fprintf(stderr, "grow: not a whole trace at byte %lld\n", (long long)(repeat.at - text));
    } else {
        plan_spans(&repeat);
        plan_parts(&repeat);
        write_all(&repeat, plan_times(&repeat, amount, length), out);
    }
    array_free(&repeat.events);
    array_free(&repeat.patches);
    array_free(&repeat.parts);
    return fine;
}
