/*
 * Tokens of the text: strings, numbers, times, white space, and what is not JSON.
 */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../src/trace/scan.h"

/* The text lies at the end of a block of its own, where a sanitizer sees a read beyond it. */
struct try {
    char *block;
    struct scan scan;
    struct notes notes;
    struct token token;
    enum scan_status status;
};

static void try_start(struct try *try, const char *text, size_t length)
{
    memset(try, 0, sizeof *try);
    try->block = malloc(length + 1);
    char *begin = try->block + 1;
    if (length != 0)
        memcpy(begin, text, length);
    try->scan = (struct scan){.begin = begin, .at = begin, .end = begin + length, .notes = &try->notes};
}

static void try_value(struct try *try, const char *text, size_t length)
{
    try_start(try, text, length);
    try->status = scan_value(&try->scan, &try->token);
}

static void try_end(struct try *try)
{
    free(try->block);
}

/* -- Times and integers ------------------------------------------------------------------------------------------ */

static struct token token_of(const char *text, enum token_kind kind)
{
    return (struct token){text, (uint32_t)strlen(text), 0, (uint8_t)kind};
}

static void expect_time(const char *text, int64_t wanted)
{
    for (enum token_kind kind = TOKEN_STRING; kind <= TOKEN_NUMBER; kind++) {
        struct token token = token_of(text, kind);
        int64_t ns = -77;
        bool overflow = true;
        cr_expect(scan_time(&token, &ns, &overflow), "%s", text);
        cr_expect_eq(ns, wanted, "%s: %" PRId64 ", not %" PRId64, text, ns, wanted);
        cr_expect(!overflow, "%s", text);
    }
}

Test(scan, time_has_three_decimals)
{
    expect_time("0", 0);
    expect_time("0.000", 0);
    expect_time("-0", 0);
    expect_time("1", 1000);
    expect_time("1.5", 1500);
    expect_time("1.50", 1500);
    expect_time("1.503", 1503);
    expect_time("000012.250", 12250);
    expect_time("5109414880992.642", 5109414880992642);
    expect_time("1700000000000000.123", 1700000000000000123);
    expect_time("-1.5", -1500);
    expect_time("-0.001", -1);
    expect_time("9223372036854775.807", INT64_MAX);
    expect_time("-9223372036854775.808", INT64_MIN);
    expect_time("9223372036854775", 9223372036854775000);
}

Test(scan, time_rounds_half_to_even)
{
    expect_time("67.90799999999999", 67908);
    expect_time("0.0004", 0);
    expect_time("0.0005", 0);
    expect_time("0.0006", 1);
    expect_time("0.0015", 2);
    expect_time("0.0025", 2);
    expect_time("0.0035", 4);
    expect_time("-0.0005", 0);
    expect_time("-0.0015", -2);
    expect_time("-0.0025", -2);
    expect_time("1.2345", 1234);
    expect_time("1.2355", 1236);
    /* One digit far behind decides a tie. */
    expect_time("0.00250000000000000000000000000000000001", 3);
    expect_time("0.00050000000000000000000000000000000000000000000000001", 1);
    expect_time("0.00249999999999999999999999999999999999", 2);
    expect_time("1.23450000000000000000000000000000000000", 1234);
    expect_time("0.0009999999999999999999999999999999", 1);
    expect_time("9223372036854775.8070000000000000000001", INT64_MAX);
}

Test(scan, time_takes_exponents)
{
    expect_time("1e3", 1000000);
    expect_time("1E3", 1000000);
    expect_time("1e+3", 1000000);
    expect_time("1.5e-3", 2);
    expect_time("2.5e-3", 2);
    expect_time("2.5000001e-3", 3);
    expect_time("12345e-2", 123450);
    expect_time("1.7e15", 1700000000000000000);
    expect_time("0e999999999", 0);
    expect_time("0.0e-99999999999999999999", 0);
    expect_time("1e-400000000", 0);
    expect_time("123456789012345678901234567890e-20", 1234567890123);
    expect_time("0.00000000000000000000000000000123456e33", 1234560);
}

Test(scan, time_too_large_saturates)
{
    static const struct {
        const char *text;
        int64_t wanted;
    } cases[] = {
        {"9223372036854775.808", INT64_MAX},  {"9223372036854775.8075", INT64_MAX},
        {"-9223372036854775.809", INT64_MIN}, {"9223372036854775807", INT64_MAX},
        {"18446744073709551616", INT64_MAX},  {"1e16", INT64_MAX},
        {"-1e30", INT64_MIN},                 {"1e999999999999999999", INT64_MAX},
        {"123456789012345678901234567890", INT64_MAX},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct token token = token_of(cases[i].text, TOKEN_NUMBER);
        int64_t ns = 0;
        bool overflow = false;
        cr_expect(scan_time(&token, &ns, &overflow), "%s", cases[i].text);
        cr_expect(overflow, "%s gives %" PRId64, cases[i].text, ns);
        cr_expect_eq(ns, cases[i].wanted, "%s: %" PRId64, cases[i].text, ns);
    }
}

Test(scan, time_is_no_garbage)
{
    static const char *const bad[] = {"",     "-",    ".",    "e3",  "1e",  "1e+", "1x",  "0x10", "1 2",
                                      "inf",  "nan",  "N/A",  "--1", "1-",  "1.2.3", "1,5", ("\xC2\xB5" "1"), "1\n"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct token token = token_of(bad[i], TOKEN_STRING);
        int64_t ns;
        bool overflow;
        cr_expect(!scan_time(&token, &ns, &overflow), "`%s`", bad[i]);
    }
    static const enum token_kind kinds[] = {TOKEN_NONE, TOKEN_TRUE, TOKEN_FALSE, TOKEN_NULL, TOKEN_WORD, TOKEN_ARRAY,
                                            TOKEN_OBJECT};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct token token = token_of("1", kinds[i]);
        int64_t ns;
        bool overflow;
        cr_expect(!scan_time(&token, &ns, &overflow), "kind %d", (int)kinds[i]);
    }
}

Test(scan, integers)
{
    static const struct {
        const char *text;
        int64_t wanted;
    } good[] = {
        {"0", 0}, {"7", 7}, {"-7", -7}, {"12.9", 12}, {"-12.9", -12}, {"1e2", 100}, {"1.5e1", 15}, {" 42 ", 42},
        {"+5", 5},
        {"99999999999999999", 99999999999999999}, {"999999999999999999", 999999999999999999},
        {"9223372036854775807", INT64_MAX}, {"-9223372036854775808", INT64_MIN}, {"9223372036854775807.9", INT64_MAX},
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        for (enum token_kind kind = TOKEN_STRING; kind <= TOKEN_NUMBER; kind++) {
            struct token token = token_of(good[i].text, kind);
            int64_t value = -77;
            cr_expect(scan_integer(&token, &value), "%s", good[i].text);
            cr_expect_eq(value, good[i].wanted, "%s: %" PRId64, good[i].text, value);
        }
    static const char *const bad[] = {"", "abc", "9223372036854775808", "-9223372036854775809", "1e300", "12a", "-"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct token token = token_of(bad[i], TOKEN_STRING);
        int64_t value;
        cr_expect(!scan_integer(&token, &value), "%s", bad[i]);
    }
    int64_t value;
    struct token yes = token_of("true", TOKEN_TRUE), no = token_of("false", TOKEN_FALSE),
        null = token_of("null", TOKEN_NULL);
    cr_expect(scan_integer(&yes, &value) && value == 1);
    cr_expect(scan_integer(&no, &value) && value == 0);
    cr_expect(!scan_integer(&null, &value));
}

/* -- Strings ----------------------------------------------------------------------------------------------------- */

/* A string's text as it is read, at every place of a block of sixteen bytes. */
static void expect_string(const char *raw, const char *wanted, size_t wanted_length, enum note note)
{
    for (size_t shift = 0; shift < 33; shift++) {
        struct text text = {0}, room = {0};
        struct try try;
        text_add_char(&text, '"');
        text_add_repeat(&text, '-', shift);
        text_addf(&text, "%s\",", raw);
        try_value(&try, text.bytes, text.length);
        cr_assert_eq(try.status, SCAN_OK, "%s", raw);
        cr_expect_eq(try.token.kind, TOKEN_STRING);
        cr_expect_eq((size_t)(try.scan.at - try.scan.begin), text.length - 1);
        struct span span = scan_text(&try.token, &room);
        cr_expect_eq(span.length, shift + wanted_length, "%s: %zu bytes", raw, span.length - shift);
        cr_expect(memcmp(span.bytes + shift, wanted, wanted_length) == 0, "%s: `%.*s`", raw, (int)(span.length - shift),
                  span.bytes + shift);
        scan_settle(&try.scan, true);
        for (unsigned i = 0; i < NOTE_COUNT; i++)
            cr_expect_eq(try.notes.of[i].count, i == note, "%s: note %u", raw, i);
        if (note != NOTE_COUNT)
            cr_expect_eq(try.notes.of[note].offset, 1);
        try_end(&try);
        text_free(&text);
        text_free(&room);
    }
}

#define STRING(raw, wanted, note) expect_string(raw, wanted, sizeof wanted - 1, note)

Test(scan, strings_with_legal_escapes)
{
    STRING("", "", NOTE_COUNT);
    STRING("aten::add", "aten::add", NOTE_COUNT);
    STRING("\\\"\\\\\\/\\b\\f\\n\\r\\t", "\"\\/\b\f\n\r\t", NOTE_COUNT);
    STRING("\\u0041\\u00e9\\u20AC", "A\xC3\xA9\xE2\x82\xAC", NOTE_COUNT);
    STRING("\\ud83d\\ude80step", "\xF0\x9F\x9A\x80step", NOTE_COUNT);
    STRING("\\uDBFF\\uDFFF", "\xF4\x8F\xBF\xBF", NOTE_COUNT);
    STRING("a\\u0000b", "a\0b", NOTE_COUNT);
    STRING("a\\\\\\\"", "a\\\"", NOTE_COUNT);
    STRING("D:\\\\work\\\\", "D:\\work\\", NOTE_COUNT);
    STRING("\x7F", "\x7F", NOTE_COUNT);
}

Test(scan, lone_surrogates_become_a_placeholder)
{
    STRING("\\ud83d", "\xEF\xBF\xBD", NOTE_COUNT);
    STRING("\\ude80", "\xEF\xBF\xBD", NOTE_COUNT);
    STRING("\\ud83dx", "\xEF\xBF\xBDx", NOTE_COUNT);
    STRING("\\ud83d\\u0041", "\xEF\xBF\xBD" "A", NOTE_COUNT);
    STRING("\\ud83d\\n", "\xEF\xBF\xBD\n", NOTE_COUNT);
    STRING("\\ude80\\ud83d", "\xEF\xBF\xBD\xEF\xBF\xBD", NOTE_COUNT);
    STRING("\\ud83d\\ud83d\\ude80", "\xEF\xBF\xBD\xF0\x9F\x9A\x80", NOTE_COUNT);
}

Test(scan, illegal_escapes_are_text)
{
    STRING("lib\\utils\\new.py", "lib\\utils\\new.py", NOTE_ILLEGAL_ESCAPE);
    STRING("\\q", "\\q", NOTE_ILLEGAL_ESCAPE);
    STRING("\\x41", "\\x41", NOTE_ILLEGAL_ESCAPE);
    STRING("\\u12", "\\u12", NOTE_ILLEGAL_ESCAPE);
    STRING("\\u12G4", "\\u12G4", NOTE_ILLEGAL_ESCAPE);
    STRING("\\u", "\\u", NOTE_ILLEGAL_ESCAPE);
    STRING("\\uD83", "\\uD83", NOTE_ILLEGAL_ESCAPE);
    /* With one of them no backslash is an escape, but for one that hides a quote. */
    STRING("D:\\work\\new\\\\x\\u0041", "D:\\work\\new\\\\x\\u0041", NOTE_ILLEGAL_ESCAPE);
    STRING("D:\\work\\\"q", "D:\\work\"q", NOTE_ILLEGAL_ESCAPE);
}

Test(scan, odd_bytes_are_kept_and_noted)
{
    STRING("a\x01" "b", "a\x01" "b", NOTE_RAW_CONTROL);
    STRING("two\nlines\t", "two\nlines\t", NOTE_RAW_CONTROL);
    STRING("\x1B[2J", "\x1B[2J", NOTE_RAW_CONTROL);
    STRING("caf\xC3\xA9", "caf\xC3\xA9", NOTE_COUNT);
    STRING("\xF0\x9F\x9A\x80", "\xF0\x9F\x9A\x80", NOTE_COUNT);
    STRING("x\xFF", "x\xFF", NOTE_INVALID_UTF8);
    STRING("\xC3", "\xC3", NOTE_INVALID_UTF8);
    STRING("\xE9t\xE9", "\xE9t\xE9", NOTE_INVALID_UTF8);
    STRING("\xED\xA0\x80", "\xED\xA0\x80", NOTE_INVALID_UTF8); /* a surrogate */
    STRING("\xC0\xAF", "\xC0\xAF", NOTE_INVALID_UTF8);         /* longer than need be */
    STRING("\xF4\x90\x80\x80", "\xF4\x90\x80\x80", NOTE_INVALID_UTF8);
}

Test(scan, a_nul_byte_in_a_string_is_a_control_byte)
{
    static const char text[] = "\"a\0b\",";
    struct try try;
    struct text room = {0};
    try_value(&try, text, sizeof text - 1);
    cr_assert_eq(try.status, SCAN_OK);
    struct span span = scan_text(&try.token, &room);
    cr_expect(span.length == 3 && memcmp(span.bytes, "a\0b", 3) == 0);
    scan_settle(&try.scan, true);
    cr_expect_eq(try.notes.of[NOTE_RAW_CONTROL].count, 1);
    try_end(&try);
}

/* -- Values ------------------------------------------------------------------------------------------------------ */

static void expect_value(const char *text, enum scan_status status, enum token_kind kind, uint64_t not_json)
{
    struct try try;
    struct text with = {0};
    text_addf(&with, "%s,", text);
    try_value(&try, with.bytes, with.length);
    cr_expect_eq(try.status, status, "`%s`: status %d", text, (int)try.status);
    if (try.status == SCAN_OK) {
        cr_expect_eq(try.token.kind, kind, "`%s`: kind %d", text, try.token.kind);
        cr_expect(*try.scan.at == ',', "`%s` ends at `%.*s`", text, (int)(try.scan.end - try.scan.at), try.scan.at);
        cr_expect(try.token.kind == TOKEN_STRING || try.token.length == strlen(text), "`%s`", text);
        scan_settle(&try.scan, true);
        cr_expect_eq(try.notes.of[NOTE_NOT_JSON_VALUE].count, not_json, "`%s`", text);
    }
    try_end(&try);
    text_free(&with);
}

Test(scan, kinds_of_values)
{
    static const char *const numbers[] = {"0", "-0", "7", "-7", "1234567890123456789012345678901234567890", "0.5", "-0.5",
                                          "1e5", "1E-5", "1.5e+10", "0e0", "5109414880992.642"};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        expect_value(numbers[i], SCAN_OK, TOKEN_NUMBER, 0);
    expect_value("true", SCAN_OK, TOKEN_TRUE, 0);
    expect_value("false", SCAN_OK, TOKEN_FALSE, 0);
    expect_value("null", SCAN_OK, TOKEN_NULL, 0);
    expect_value("\"true\"", SCAN_OK, TOKEN_STRING, 0);
    expect_value("[]", SCAN_OK, TOKEN_ARRAY, 0);
    expect_value("{}", SCAN_OK, TOKEN_OBJECT, 0);
    expect_value("[1, [2, {\"a]\": \"}\\\"\"}], null]", SCAN_OK, TOKEN_ARRAY, 0);
    expect_value("{\"a\": [inf, {}], \"b\": \"c\"}", SCAN_OK, TOKEN_OBJECT, 1);
}

Test(scan, numbers_that_json_does_not_know_are_unknown)
{
    static const char *const words[] = {"01", "-01", "1.", "-1.", "1.e5", "1e", "1e+", "1.2.3", "0x10", "1_000", "12ab",
                                        "inf", "-inf", "Infinity", "-Infinity", "nan", "-nan", "NaN", "N/A", "n/a", "None",
                                        "undefined", "+inf"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        expect_value(words[i], SCAN_OK, TOKEN_WORD, 1);
    static const char *const broken[] = {"tru", "nulll", "truefalse", "abc", "-", "+", ".", "+1", ".5", "-.5", "--1",
                                         ":", ",", "}", "]", "'a'", "\\", "\x80"};
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++)
        expect_value(broken[i], SCAN_BROKEN, TOKEN_NONE, 0);
}

/* What is only a part of a value wants more text, and nothing is read beyond its last byte. */
Test(scan, every_part_of_a_value_wants_more)
{
    static const char *const values[] = {
        "\"a \\\"quoted\\\" name with \\u00e9, long enough for more than one block of bytes\"",
        "{\"a\": [1, -2.5e3, {\"b\\\\\": null}, true, \"]}\"], \"c\": {\"d\": \"e\"}, \"f\": 12345678901234567890}",
        " \n /* comment */ [ // another\n 1 ]",
        "\"\\ud83d\\ude80\"",
    };
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        size_t whole = strlen(values[i]);
        for (size_t length = 0; length <= whole; length++) {
            struct try try;
            try_value(&try, values[i], length);
            cr_expect_eq(try.status, length < whole ? SCAN_END : SCAN_OK, "%.*s", (int)length, values[i]);
            try_end(&try);
        }
    }
    static const char *const bare[] = {"123", "-1.5e7", "true", "null", "nan", "-"};
    for (size_t i = 0; i < sizeof bare / sizeof *bare; i++)
        for (size_t length = 0; length <= strlen(bare[i]); length++) {
            struct try try;
            try_value(&try, bare[i], length); /* more digits may follow */
            cr_expect_eq(try.status, SCAN_END, "%.*s", (int)length, bare[i]);
            try_end(&try);
        }
}

Test(scan, white_space_and_comments)
{
    static const struct {
        const char *text;
        enum scan_status status;
        char at;
    } cases[] = {
        {"x", SCAN_OK, 'x'},          {" x", SCAN_OK, 'x'},          {"\r\n\t  x", SCAN_OK, 'x'},
        {"                                        x", SCAN_OK, 'x'}, {"/* a */x", SCAN_OK, 'x'},
        {"/**/ // b\n /***/x", SCAN_OK, 'x'},                        {"/x", SCAN_OK, '/'},
        {"", SCAN_END, 0},            {"   ", SCAN_END, 0},          {"/", SCAN_END, 0},
        {"/* a *", SCAN_END, 0},      {"// a", SCAN_END, 0},         {"/*/", SCAN_END, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct try try;
        try_start(&try, cases[i].text, strlen(cases[i].text));
        cr_expect_eq(scan_space(&try.scan), cases[i].status, "`%s`", cases[i].text);
        if (cases[i].status == SCAN_OK)
            cr_expect_eq(*try.scan.at, cases[i].at, "`%s`: `%c`", cases[i].text, *try.scan.at);
        try_end(&try);
    }
}

/* A comment that never ends must not make a stream grow until it is all in memory. */
Test(scan, a_comment_without_an_end_is_none)
{
    struct text text = {0};
    struct try try;
    text_add_string(&text, "/*");
    text_add_repeat(&text, 'a', 100000);
    try_start(&try, text.bytes, text.length);
    cr_expect_eq(scan_space(&try.scan), SCAN_OK);
    cr_expect_eq(*try.scan.at, '/');
    try_end(&try);
    text_free(&text);
}

Test(scan, depth_needs_no_room)
{
    enum { DEPTH = 1000000 };
    struct text text = {0};
    struct try try;
    text_add_repeat(&text, '[', DEPTH);
    text_add_repeat(&text, ']', DEPTH);
    try_value(&try, text.bytes, text.length);
    cr_expect_eq(try.status, SCAN_OK);
    cr_expect_eq(try.token.length, 2 * DEPTH);
    try_end(&try);
    try_value(&try, text.bytes, text.length - 1);
    cr_expect_eq(try.status, SCAN_END);
    try_end(&try);
    text_free(&text);
}

Test(scan, notes_are_counted_when_the_event_is_whole)
{
    struct try try;
    try_start(&try, "\n\n\"a\x01\" \"b\x02\"", 11);
    scan_space(&try.scan);
    scan_string(&try.scan, &try.token);
    scan_settle(&try.scan, false);
    cr_expect_eq(try.notes.of[NOTE_RAW_CONTROL].count, 0);
    scan_space(&try.scan);
    scan_string(&try.scan, &try.token);
    scan_settle(&try.scan, true);
    cr_expect_eq(try.notes.of[NOTE_RAW_CONTROL].count, 1);
    cr_expect_eq(try.notes.of[NOTE_RAW_CONTROL].offset, 8);
    cr_expect_eq(try.notes.of[NOTE_RAW_CONTROL].line, 3);
    try_end(&try);
}
