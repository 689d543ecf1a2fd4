/*
 * Files that are cut off or broken: whatever is whole is read, what is lost is counted and located, and no text however
 * broken takes more time than its length allows.
 */
#include <cjson/cJSON.h>
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "support/loads.h"

/* -- Texts whose events are known -------------------------------------------------------------------------------- */

enum { EVENTS = 5 };

struct known {
    struct text text;
    size_t from[EVENTS], to[EVENTS]; /* of each event */
    size_t list;                     /* behind the bracket that opens the list */
    size_t key;                      /* where the list's key begins */
};

/* As Kineto writes, as torch's exporter in Python does, and all on one line. */
static const char *const styles[][3] = {
    {"{\n    \"ph\": \"X\",\n    \"cat\": \"cpu_op\",\n    \"name\": \"op%d\",\n    \"pid\": 7,\n    \"tid\": 7,\n    \"ts\": %d.250,\n"
     "    \"dur\": 5,\n    \"args\": {\n      \"External id\": 3,\"Input Dims\": [[2, 3], []], \"Input type\": [\"float\", \"\"]\n    }\n  }",
     ",\n  ", "\n  "},
    {"{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"op%d\", \"pid\": 7, \"tid\": \"7\", \"ts\": %d.25, \"dur\": 5, \"args\": {\"Call stack\": "
     "\"a.py(1): f;b.py(2): g\", \"Ev Idx\": 1}}",
     ",\n", "\n"},
    {"{\"ph\":\"X\",\"name\":\"op%d\",\"ts\":%d.25,\"dur\":5,\"tid\":7,\"pid\":\"CPU functions\",\"args\":{}}", ", ",
     ""},
};

enum { STYLES = sizeof styles / sizeof *styles };

static void add_known(struct known *known, unsigned style, bool array)
{
    memset(known, 0, sizeof *known);
    struct text *text = &known->text;
    if (!array) {
        text_add_string(text, "{\n  \"schemaVersion\": 1,\n  \"deviceProperties\": [\n    {\"id\": 0, \"name\": \"N \\\"1\\\"\"}\n  ],\n"
                              "  \"record_shapes\": 1, \"other\": {\"a\": [1, {}]}, \"trace_id\": \"AB\",\n  ");
        known->key = text->length;
        text_add_string(text, "\"traceEvents\": ");
    }
    text_add_char(text, '[');
    known->list = text->length;
    text_add_string(text, styles[style][2]);
    for (int i = 0; i < EVENTS; i++) {
        if (i > 0)
            text_add_string(text, styles[style][1]);
        known->from[i] = text->length;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        text_addf(text, styles[style][0], i, i * 10);
#pragma GCC diagnostic pop
        known->to[i] = text->length;
    }
    text_add_string(text, array ? "]" : "\n  ],\n  \"traceName\": \"t.json\",\n  \"baseTimeNanoseconds\": 1758000000000000000\n}\n");
}

/* One bit for each known event that a trace holds. */
static unsigned found_events(const struct trace *trace)
{
    unsigned found = 0;
    for (uint32_t e = 0; e < trace->events.count; e++) {
        struct span name = strings_get(&trace->strings, trace->events.name[e]);
        if (name.length == 3 && memcmp(name.bytes, "op", 2) == 0 && name.bytes[2] >= '0' && name.bytes[2] < '0' + EVENTS &&
            trace->events.start[e] == (name.bytes[2] - '0') * 10000 + 250 && trace->events.duration[e] == 5000)
            found |= 1u << (name.bytes[2] - '0');
    }
    return found;
}

/* -- Cut off at every byte --------------------------------------------------------------------------------------- */

static struct trace *load(const char *bytes, size_t length, size_t block, struct error *error)
{
    return trace_load_memory_with(bytes, length, "cut.json", &(struct trace_options){.threads = 1, .block = block},
                                  error);
}

static void expect_cut(const struct known *known, bool array, size_t length, size_t block)
{
    struct error error = {0};
    char *copy = malloc(length + 1); /* a sanitizer sees a read beyond it */
    memcpy(copy + 1, known->text.bytes, length);
    struct trace *trace = load(copy + 1, length, block, &error);
    if (length < known->list) {
        cr_expect_null(trace, "%zu", length);
        cr_expect_eq(error.code, ERROR_NOT_TRACE, "%zu: %s", length, error.text);
        free(copy);
        return;
    }
    cr_assert_not_null(trace, "%zu: %s", length, error.text);
    unsigned whole = 0, inside = 0;
    for (unsigned i = 0; i < EVENTS; i++) {
        whole |= known->to[i] <= length ? 1u << i : 0;
        inside |= known->from[i] < length && length < known->to[i];
    }
    cr_expect_eq(found_events(trace), whole, "cut at %zu of %zu: %x, not %x", length, known->text.length,
                 found_events(trace), whole);
    cr_expect_eq(trace->events.count, (uint32_t)__builtin_popcount(whole), "cut at %zu", length);
    struct note_place cut = trace->notes.of[NOTE_TRUNCATED];
    bool complete = array ? !inside : length >= known->text.length - 1;
    cr_expect_eq(cut.count, (uint64_t)!complete, "cut at %zu of %zu: %d %d", length, known->text.length, (int)cut.count,
                 complete);
    cr_expect_eq(cut.amount, inside, "cut at %zu", length);
    if (!complete)
        cr_expect_eq(cut.offset, length, "cut at %zu, told as %zu", length, (size_t)cut.offset);
    for (unsigned i = 0; i < NOTE_COUNT; i++)
        cr_expect(i == NOTE_TRUNCATED || trace->notes.of[i].count == 0, "cut at %zu: note %u", length, i);
    trace_free(trace);
    free(copy);
}

static void cut_everywhere(unsigned style, bool array, size_t block)
{
    struct known known;
    add_known(&known, style, array);
    for (size_t length = 0; length <= known.text.length; length++)
        expect_cut(&known, array, length, block);
    text_free(&known.text);
}

Test(damage, cut_at_every_byte)
{
    for (unsigned style = 0; style < STYLES; style++)
        cut_everywhere(style, false, 0);
}

Test(damage, cut_at_every_byte_read_in_small_blocks)
{
    cut_everywhere(0, false, 50);
    cut_everywhere(1, false, 7);
}

Test(damage, array_cut_at_every_byte)
{
    cut_everywhere(1, true, 0);
    cut_everywhere(2, true, 40);
}

Test(damage, packed_text_cut_at_every_byte)
{
    struct known known;
    struct text packed = {0};
    add_known(&known, 1, false);
    support_gzip(known.text.bytes, known.text.length, &packed);
    unsigned before = 0;
    for (size_t length = 2; length < packed.length; length++) {
        struct error error = {0};
        struct trace *trace = load(packed.bytes, length, 0, &error);
        if (trace == NULL) {
            cr_expect_eq(error.code, ERROR_NOT_TRACE, "%zu: %s", length, error.text);
            cr_expect_eq(before, 0, "%zu", length);
            continue;
        }
        unsigned found = found_events(trace);
        cr_expect_eq(trace->notes.of[NOTE_STREAM_CUT].count, 1, "%zu", length);
        cr_expect((found & before) == before, "%zu bytes give %x, one less gave %x", length, found, before);
        before = found;
        trace_free(trace);
    }
    cr_expect_eq(before, (1u << EVENTS) - 1);
    text_free(&packed);
    text_free(&known.text);
}

/* -- One byte wrong ---------------------------------------------------------------------------------------------- */

static const char wrong[] = "\"{}[]\\x ,:\n/0\0\x80-";

/* With one byte wrong, at most the event that holds it may be lost. */
static void expect_others(const struct known *known, const char *bytes, size_t length, size_t at, const char *what,
                          size_t block)
{
    struct error error = {0};
    struct trace *trace = load(bytes, length, block, &error);
    cr_assert_not_null(trace, "%s at %zu: %s\n%.*s", what, at, error.text, (int)length, bytes);
    unsigned wanted = 0;
    for (unsigned i = 0; i < EVENTS; i++)
        wanted |= at < known->from[i] || at >= known->to[i] ? 1u << i : 0;
    unsigned found = found_events(trace);
    cr_expect((found & wanted) == wanted, "%s at %zu: %x of %x\n%.*s", what, at, found, wanted, (int)length, bytes);
    if ((found & wanted) != wanted || found != (1u << EVENTS) - 1) {
        char *notes = support_notes(trace);
        /* The event has another name or time now, or is none although the text is JSON still. */
        cJSON *json = cJSON_ParseWithLength(bytes, length);
        bool other = trace->events.count == EVENTS || json != NULL;
        cJSON_Delete(json);
        cr_expect(other || *notes != '\0', "%s at %zu: an event is lost without a word\n%.*s", what, at, (int)length,
                  bytes);
        free(notes);
    }
    trace_free(trace);
}

/* But for the name of the list; where blocks are small, in the list and behind it. */
static void one_byte_wrong(unsigned style, bool array, size_t block)
{
    struct known known;
    add_known(&known, style, array);
    size_t length = known.text.length;
    char *copy = malloc(length + 1);
    for (size_t at = block == 0 ? 1 : known.list; at < length; at++) {
        if (at >= known.key && at < known.list)
            continue;
        for (size_t i = 0; i < sizeof wrong - 1; i++) {
            char what[40];
            snprintf(what, sizeof what, "byte %02x", (unsigned char)wrong[i]);
            memcpy(copy, known.text.bytes, length);
            copy[at] = wrong[i];
            expect_others(&known, copy, length, at, what, block);
        }
        memcpy(copy, known.text.bytes, at);
        memcpy(copy + at, known.text.bytes + at + 1, length - at - 1);
        struct known shorter = known;
        for (unsigned i = 0; i < EVENTS; i++) {
            shorter.from[i] -= known.from[i] > at;
            shorter.to[i] -= known.to[i] > at;
        }
        /* Where the event's last byte is gone the place lies behind it. */
        for (unsigned i = 0; i < EVENTS; i++)
            shorter.to[i] += at == known.to[i] - 1;
        expect_others(&shorter, copy, length - 1, at, "a byte gone", block);
    }
    free(copy);
    text_free(&known.text);
}

Test(damage, one_byte_wrong_loses_one_event)
{
    for (unsigned style = 0; style < STYLES; style++)
        one_byte_wrong(style, false, 0);
}

Test(damage, one_byte_wrong_loses_one_event_of_an_array)
{
    for (unsigned style = 0; style < STYLES; style++)
        one_byte_wrong(style, true, 0);
}

Test(damage, one_byte_wrong_in_small_blocks)
{
    one_byte_wrong(1, false, 60);
}

/* -- A stretch of text lost -------------------------------------------------------------------------------------- */

/* `lost` bytes from `at` on are gone or zeros: what does not touch them is there. */
static void stretch_lost(unsigned style, bool array, bool gone)
{
    struct known known;
    add_known(&known, style, array);
    size_t length = known.text.length;
    char *copy = malloc(length);
    for (size_t at = known.list; at < known.to[EVENTS - 1]; at += 5)
        for (size_t lost = 2; at + lost < known.to[EVENTS - 1]; lost += 1 + lost / 3) {
            size_t left = length;
            memcpy(copy, known.text.bytes, length);
            if (gone) {
                memmove(copy + at, copy + at + lost, length - at - lost);
                left -= lost;
            } else {
                memset(copy + at, 0, lost);
            }
            struct error error = {0};
            struct trace *trace = load(copy, left, 0, &error);
            cr_assert_not_null(trace, "%zu lost at %zu: %s", lost, at, error.text);
            unsigned wanted = 0, found = found_events(trace);
            for (unsigned i = 0; i < EVENTS; i++)
                wanted |= known.to[i] <= at || known.from[i] >= at + lost ? 1u << i : 0;
            cr_expect((found & wanted) == wanted, "%zu lost at %zu: %x of %x\n%.*s", lost, at, found, wanted, (int)left,
                      copy);
            trace_free(trace);
        }
    free(copy);
    text_free(&known.text);
}

Test(damage, a_stretch_of_text_is_gone)
{
    for (unsigned style = 0; style < STYLES; style++)
        stretch_lost(style, style == 2, true);
}

Test(damage, a_stretch_of_text_is_zeros)
{
    for (unsigned style = 0; style < STYLES; style++)
        stretch_lost(style, style == 2, false);
}

/* -- Texts that invite to look at everything again and again ------------------------------------------------------ */

enum { HOSTILE = 1 << 19, MOST_SECONDS = 6 };

static const char list[] = "{\"traceEvents\": [", good[] = "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"op0\", \"ts\": 0.25, \"dur\": 5}";

/* Text of one piece again and again between two others ends in time, read in any way. */
static void expect_soon(const char *head, const char *piece, const char *tail)
{
    struct text text = {0}, packed = {0};
    text_add_string(&text, head);
    size_t length = strlen(piece);
    for (size_t i = 0; i < HOSTILE / length; i++)
        text_add(&text, piece, length);
    text_add_string(&text, tail);
    support_gzip(text.bytes, text.length, &packed);
    for (unsigned i = 0; i < 3; i++) {
        struct error error = {0};
        clock_t start = clock();
        struct trace *trace = i < 2 ? load(text.bytes, text.length, i * 10000, &error)
                                    : load(packed.bytes, packed.length, 0, &error);
        double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
        cr_expect_lt(seconds, MOST_SECONDS, "`%s%s...` takes %.1f s (way %u)", head, piece, seconds, i);
        cr_expect(trace != NULL || error.code == ERROR_NOT_TRACE);
        /* A good event behind it all is found, but where it stands in a string. */
        if (*tail == '{' && trace != NULL)
            cr_expect_eq(found_events(trace) & 1, 1, "`%s%s...` hides an event (way %u)", head, piece, i);
        trace_free(trace);
    }
    text_free(&text);
    text_free(&packed);
}

Test(damage, brackets_alone, .timeout = 300)
{
    expect_soon("", "{", "");
    expect_soon("", "[", "");
    expect_soon(list, "{", "");
    expect_soon(list, "[", good);
    expect_soon(list, "]", "");
    expect_soon(list, "x],", good);
    expect_soon("{\"a\": ", "[", "");
    expect_soon("{\"a\": ", "{\"b\":", "");
}

Test(damage, events_that_do_not_close, .timeout = 300)
{
    expect_soon(list, "{\"ph\":", good);
    expect_soon(list, "{\"ph\":\"X\"", good);
    expect_soon(list, "{\"ph\":\"X\",", good);
    expect_soon(list, "{\"args\":", good);
    expect_soon(list, "{\"args\":{\"a\":{", good);
    expect_soon(list, "{\"ph\":\"X\"},{\"args\":{\"a\":{", good);
    expect_soon(list, "{\"args\":[1,2]", good);
    expect_soon(list, "{\"args\":[[{}]", good);
    expect_soon(list, "{\"args\":{}", good);
    expect_soon(list, "{\"ts\":1", "");
}

Test(damage, strings_and_comments_that_do_not_close, .timeout = 300)
{
    expect_soon(list, "\"", "");
    expect_soon(list, "{\"name\":\"", "");
    expect_soon(list, "{\"name\":\"a\"b\"c\" ", "");
    expect_soon(list, "{\"name\":\"\\", "");
    expect_soon("{\"traceEvents\": [{\"ph\":\"X\",\"name\":\"", "a", "");
    expect_soon("{\"traceEvents\": [{\"ph\":\"X\",\"name\":\"a\"", "b", "");
    expect_soon("{\"traceEvents\": [{\"ph\":\"X\",\"name\":\"", "\\", "");
    expect_soon("{\"traceEvents\": [{\"ph\":\"X\",\"ts\":", "1", "");
    expect_soon(list, "{\"ph\":/*", "");
    expect_soon(list, "/*", "");
    expect_soon(list, "//", "");
    expect_soon("/*", "a", "");
    expect_soon("{\"", "a", "");
    expect_soon("{\"a\": \"", "b\\", "");
}

Test(damage, broken_headers, .timeout = 300)
{
    expect_soon("{\"a\" 1,", "\"traceEvents\" ", "");
    expect_soon("{", "\"traceEvents\":", "");
    expect_soon("{", "\"a\":1,", "\"traceEvents\": []}");
    expect_soon("", "{\"traceEvents\":[]}", "");
    expect_soon("", "{\"traceEvents\":[]}x", "");
    expect_soon("", "{\"traceEvents\":[]}{", "");
    expect_soon("", "{}", "");
    expect_soon("{\"a\": [0", " 0\\", "");
}

/* -- Depth and length -------------------------------------------------------------------------------------------- */

Test(damage, depth_and_length_are_no_damage)
{
    enum { DEPTH = 100000, LONG = 1 << 20 };
    for (unsigned way = 0; way < 2; way++) {
        struct text text = {0};
        text_add_string(&text, "{\"deep\": ");
        text_add_repeat(&text, '[', DEPTH);
        text_add_repeat(&text, ']', DEPTH);
        text_add_string(&text, ", \"traceEvents\": [{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"op0\", \"ts\": 0.25, \"args\": {\"a\": ");
        for (unsigned i = 0; i < DEPTH; i++)
            text_add_string(&text, "{\"b\": [");
        for (unsigned i = 0; i < DEPTH; i++)
            text_add_string(&text, "]}");
        text_add_string(&text, "}, \"dur\": 5}, {\"ph\": \"X\", \"cat\": \"cpu_op\", \"ts\": 1, \"name\": \"");
        text_add_repeat(&text, 'n', LONG);
        text_add_string(&text, "\", \"dur\": 1}, ");
        text_add_string(&text, good);
        text_add_string(&text, "], \"traceName\": \"end\"}");
        struct error error = {0};
        struct trace *trace = load(text.bytes, text.length, way * 5000, &error);
        cr_assert_not_null(trace, "%s", error.text);
        cr_expect_eq(trace->events.count, 3);
        cr_expect_eq(found_events(trace), 1);
        cr_expect_eq(strings_get(&trace->strings, trace->events.name[2]).length, LONG);
        cr_expect_str_eq(trace->header.trace_name, "end");
        cr_expect(!notes_any(&trace->notes));
        trace_free(trace);
        text_free(&text);
    }
}

/* -- Repairs ----------------------------------------------------------------------------------------------------- */

static void expect_names(const char *json, const char *wanted, const char *wanted_notes)
{
    struct trace *trace = support_events(json);
    struct text names = {0};
    for (uint32_t e = 0; e < trace->events.count; e++) {
        text_add_span(&names, strings_get(&trace->strings, trace->events.name[e]));
        text_add_char(&names, '|');
    }
    text_add(&names, "", 0);
    char *notes = support_notes(trace);
    cr_expect_str_eq(names.bytes, wanted, "%s gives %s", json, names.bytes);
    cr_expect_str_eq(notes, wanted_notes, "%s notes %s", json, notes);
    free(notes);
    text_free(&names);
    trace_free(trace);
}

#define X(name) "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"" name "\", \"pid\": 1, \"tid\": 1, \"ts\": 1, \"dur\": 1}"

/* The list's first event stands at byte 17, its name's text at 55. */
Test(damage, quotes_in_names_are_taken_as_text)
{
    expect_names(X("quote \"x\" here"), "quote \"x\" here|", "1 quote_repaired at 55");
    expect_names(X("\"") "," X("b"), "\"|b|", "1 quote_repaired at 55");
    expect_names(X("\"\"") "," X("b"), "\"\"|b|", "1 quote_repaired at 55");
    expect_names(X("a\"") "," X("b\""), "a\"|b\"|", "2 quote_repaired at 55");
    expect_names(X("a\": \"b"), "a\": \"b|", "1 quote_repaired at 55");
    expect_names(X("{\"a\": [\"b\", 1]}"), "{\"a\": [\"b\", 1]}|", "1 quote_repaired at 55");
    /* What looks like the next member ends the name: nothing can tell it from one. */
    expect_names(X("a\", \"b\": \"c"), "a|", "");
}

Test(damage, a_repair_never_swallows_another_event)
{
    expect_names("{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"cut\n" X("b"), "b|", "1 damaged at 17");
    expect_names("{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"cut" X("b"), "b|", "1 damaged at 17");
    expect_names("{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"cu\"t" X("b"), "b|", "1 damaged at 17");
    expect_names("{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"cut, \n  " X("b") "," X("c"), "b|c|",
                 "1 damaged at 17");
}

Test(damage, what_is_between_events_is_skipped)
{
    expect_names(X("a") " garbage " X("b"), "a|b|", "1 damaged at 98");
    expect_names(X("a") " " X("b"), "a|b|", "");
    expect_names(X("a") ",,, " X("b") ",", "a|b|", "");
    /* JSON that is no event is none of ours. */
    expect_names("1, \"x\", null, " X("a") ", [[" X("b") "], 5], " X("c"), "a|c|", "2 damaged at 17");
    expect_names(X("a") "]," X("b"), "a|b|", "1 damaged at 99");
    expect_names(X("a") "}," X("b"), "a|b|", "1 damaged at 97");
    expect_names(X("a") "]}," X("b"), "a|b|", "1 trailing_text at 99");
}

Test(damage, an_event_may_lack_anything)
{
    expect_names("{}", "", "");
    expect_names("{},{\"ph\": \"X\"}", "", "1 dropped_event at 20");
    expect_names("{\"ph\": \"X\", \"ts\": 1}", "|", "");
    expect_names("{\"ph\": \"X\", \"ts\": inf}", "", "1 dropped_event at 17; 1 not_json_value at 35");
    expect_names("{\"ph\": \"X\", \"ts\": 1, \"dur\": nan, \"name\": \"a\"}", "",
                 "1 dropped_event at 17; 1 not_json_value at 45");
    expect_names("{\"ph\": \"X\", \"ts\": 01, \"name\": \"a\"}", "", "1 dropped_event at 17; 1 not_json_value at 35");
    expect_names("{\"ph\": \"X\", \"ts\": 1, \"name\": null, \"args\": 5}", "null|", "");
    expect_names("{\"ph\": \"X\", \"ts\": 1, \"name\": \"a\", \"args\": {\"a\": N/A,},}", "a|",
                 "1 not_json_value at 65");
}
