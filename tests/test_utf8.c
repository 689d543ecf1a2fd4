/* Text on a screen: decoding of whatever bytes come, columns, placeholders, and cuts. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "keyavg/utf8.h"

#define REPLACED "\xEF\xBF\xBD"
#define CUT "\xE2\x80\xA6"
#define WIDE "\xE4\xB8\xAD"     /* U+4E2D, two columns */
#define ACUTE "\xCC\x81"        /* U+0301, combining */
#define FACE "\xF0\x9F\x98\x80" /* U+1F600, two columns */

/* A literal with all its bytes, NUL too. */
#define SPAN(literal) ((struct span){literal, sizeof(literal) - 1})

static void expect_clean(struct span text, bool ascii, const char *wanted)
{
    struct text out = {0};
    utf8_add_clean(&out, text, ascii);
    cr_expect_str_eq(text_span(&out).bytes, wanted, "cleaned to `%s`, not `%s`", text_span(&out).bytes, wanted);
    cr_expect_eq(utf8_width(text_span(&out)), ascii ? out.length : utf8_width(text));
    text_free(&out);
}

static void expect_cut(const char *text, size_t columns, enum utf8_cut where, bool ascii, const char *wanted,
                       size_t used)
{
    struct text out = {0};
    size_t got = utf8_add_fitted(&out, span_of(text), columns, where, ascii);
    cr_expect_str_eq(text_span(&out).bytes, wanted, "`%s` at %zu: `%s`, not `%s`", text, columns,
                     text_span(&out).bytes, wanted);
    cr_expect_eq(got, used, "`%s` at %zu: %zu columns, not %zu", text, columns, got, used);
    text_free(&out);
}

Test(utf8, decodes_the_ends_of_each_length)
{
    static const struct {
        const char *bytes;
        size_t length;
        uint32_t point;
    } cases[] = {
        {"", 1, 0},
        {"\x7F", 1, 0x7F},
        {"\xC2\x80", 2, 0x80},
        {"\xDF\xBF", 2, 0x7FF},
        {"\xE0\xA0\x80", 3, 0x800},
        {"\xED\x9F\xBF", 3, 0xD7FF},
        {"\xEE\x80\x80", 3, 0xE000},
        {"\xEF\xBF\xBF", 3, 0xFFFF},
        {"\xF0\x90\x80\x80", 4, 0x10000},
        {"\xF4\x8F\xBF\xBF", 4, 0x10FFFF},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint32_t point;
        cr_expect_eq(utf8_decode(cases[i].bytes, cases[i].length, &point), cases[i].length);
        cr_expect_eq(point, cases[i].point);
        cr_expect(utf8_valid((struct span){cases[i].bytes, cases[i].length}));
        /* A byte less is a cut sequence. */
        if (cases[i].length > 1) {
            cr_expect_eq(utf8_decode(cases[i].bytes, cases[i].length - 1, &point), 1);
            cr_expect_eq(point, UTF8_REPLACEMENT);
            cr_expect_not(utf8_valid((struct span){cases[i].bytes, cases[i].length - 1}));
        }
    }
}

Test(utf8, an_invalid_byte_takes_one_byte)
{
    static const char *const cases[] = {
        "\x80", "\xBF", "\xC0\x80", "\xC1\xBF",         /* a continuation alone; overlong for ASCII */
        "\xE0\x80\x80", "\xE0\x9F\xBF",                 /* overlong for two bytes */
        "\xF0\x80\x80\x80", "\xF0\x8F\xBF\xBF",         /* overlong for three */
        "\xED\xA0\x80", "\xED\xAF\xBF", "\xED\xB0\x80", /* surrogates */
        "\xED\xBF\xBF", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", /* over 0x10FFFF */
        "\xF8\x88\x80\x80\x80", "\xFE", "\xFF",         /* never in UTF-8 */
        "\xC3(", "\xE2(\x82", "\xE2\x82(", "\xF0\x9F\x98(", "\xC3\xC3", "\xC2", "\xE2\x82", "\xF0\x9F\x98",
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint32_t point = 0;
        struct span text = span_of(cases[i]);
        cr_expect_eq(utf8_decode(text.bytes, text.length, &point), 1, "case %zu", i);
        cr_expect_eq(point, UTF8_REPLACEMENT, "case %zu", i);
        cr_expect_not(utf8_valid(text), "case %zu", i);
        cr_expect_eq(utf8_length(text), text.length, "case %zu", i);
        cr_expect_eq(utf8_width(text), text.length, "case %zu", i);
    }
}

Test(utf8, encoding_is_the_reverse_of_decoding)
{
    char bytes[4];
    uint32_t back;
    for (uint32_t point = 0; point <= 0x10FFFF; point++) {
        if (point >= 0xD800 && point <= 0xDFFF)
            continue;
        size_t length = utf8_encode(point, bytes);
        cr_assert(utf8_decode(bytes, length, &back) == length && back == point, "U+%04X", (unsigned)point);
        cr_assert(utf8_valid((struct span){bytes, length}));
    }
}

Test(utf8, what_is_no_scalar_value_is_encoded_as_a_replacement)
{
    static const uint32_t points[] = {0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0x110000, UINT32_MAX};
    for (size_t i = 0; i < sizeof points / sizeof points[0]; i++) {
        char bytes[4];
        cr_expect_eq(utf8_encode(points[i], bytes), 3);
        cr_expect_eq(memcmp(bytes, REPLACED, 3), 0);
    }
}

Test(utf8, valid_looks_at_every_byte)
{
    cr_expect(utf8_valid((struct span){NULL, 0}));
    cr_expect(utf8_valid(SPAN("")));
    cr_expect(utf8_valid(SPAN("aten::mm\0\n" WIDE ACUTE FACE " and then some more text")));
    char text[40];
    for (size_t at = 0; at < sizeof text; at++) {
        memset(text, 'x', sizeof text);
        text[at] = (char)0xFF;
        cr_expect_not(utf8_valid((struct span){text, sizeof text}));
        cr_expect(utf8_valid((struct span){text, at}));
    }
}

Test(utf8, widths_of_points)
{
    static const uint32_t zero[] = {0x300, 0x36F, 0x483, 0x489, 0x20DD, 0xFE00, 0xFE0F, 0x302A, 0x3099,
                                    0x0E31, 0x1160, 0x11FF, 0xD7B0, 0xD7FF, 0xE0100, 0xE01EF};
    static const uint32_t two[] = {0x1100, 0x115F, 0x231A, 0x2329, 0x3000, 0x3042, 0x3400, 0x4DBF, 0x4E00, 0x9FFF,
                                   0xAC00, 0xD7A3, 0xF900, 0xFAFF, 0xFF01, 0xFF60, 0xFFE6, 0x1F300, 0x1F600, 0x1F64F,
                                   0x1FAE8, 0x1F6DC, 0x20000, 0x2FFFD, 0x30000, 0x3FFFD};
    static const uint32_t one[] = {
        ' ', '~', 0xA0, 0xAD, 0xE9, 0x2FF, 0x370, 0x3B1, 0x416, 0x600, 0x10FF, 0x2018, 0x2026, 0x2190, 0x2500, 0x303F,
        0x4DC0, 0xE000, 0xFF61, 0xFFE8, 0xFFFD, 0xFFFF, 0x1D400, 0x1F1E6, 0x2FFFE, 0x3FFFE, 0xF0000, 0x10FFFF, 0x110000,
        UINT32_MAX,
        /* by their placeholders */
        0, 1, '\t', '\n', 0x1F, 0x7F, 0x80, 0x9B, 0x9F, 0x61C, 0x180E, 0x200B, 0x200D, 0x200F, 0x2028, 0x202E, 0x2060,
        0x2069, 0x206F, 0xD800, 0xFEFF, 0xFFF9, 0xFFFB, 0xE0001, 0xE007F};
    for (size_t i = 0; i < sizeof zero / sizeof zero[0]; i++)
        cr_expect_eq(utf8_point_width(zero[i]), 0, "U+%04X", (unsigned)zero[i]);
    for (size_t i = 0; i < sizeof one / sizeof one[0]; i++)
        cr_expect_eq(utf8_point_width(one[i]), 1, "U+%04X", (unsigned)one[i]);
    for (size_t i = 0; i < sizeof two / sizeof two[0]; i++)
        cr_expect_eq(utf8_point_width(two[i]), 2, "U+%04X", (unsigned)two[i]);
}

Test(utf8, width_and_length_of_texts)
{
    static const struct {
        struct span text;
        size_t width, length;
    } cases[] = {
        {{NULL, 0}, 0, 0},
        {{"", 0}, 0, 0},
        {{"aten::mm", 8}, 8, 8},
        {{"a name of more than one word", 28}, 28, 28},
        {{"a\tb\n\0\x7F", 6}, 6, 6},
        {{"e" ACUTE, 3}, 1, 2},
        {{"e" ACUTE ACUTE ACUTE "x", 8}, 2, 5},
        {{WIDE WIDE, 6}, 4, 2},
        {{"12345678" WIDE "12345678" FACE, 23}, 20, 18},
        {{"\x80" WIDE "\xE4\xB8", 6}, 5, 4},
        {{"\xE2\x80\x8B\xE2\x80\xAE", 6}, 2, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cr_expect_eq(utf8_width(cases[i].text), cases[i].width, "case %zu", i);
        cr_expect_eq(utf8_length(cases[i].text), cases[i].length, "case %zu", i);
    }
}

Test(utf8, one_odd_byte_among_plain_ones_at_every_place)
{
    char text[33];
    for (size_t length = 1; length <= sizeof text; length++)
        for (size_t at = 0; at < length; at++)
            for (unsigned byte = 0; byte < 256; byte++) {
                memset(text, 'x', sizeof text);
                text[at] = (char)byte;
                struct span span = {text, length};
                cr_assert_eq(utf8_width(span), length);
                cr_assert_eq(utf8_length(span), length);
                struct text out = {0};
                utf8_add_clean(&out, span, true);
                cr_assert_eq(out.length, length);
                cr_assert_eq(out.bytes[at], byte >= ' ' && byte <= '~' ? (char)byte : '?');
                out.bytes[at] = 'x';
                cr_assert_eq(strspn(out.bytes, "x"), length);
                text_free(&out);
            }
}

Test(utf8, cleaning_leaves_what_is_harmless)
{
    static const char text[] = "void f<float, 4>(int*) ~{} \xC3\xA9 e" ACUTE " " WIDE FACE " \xC2\xA0\xC2\xAD" REPLACED;
    expect_clean(SPAN(text), false, text);
    expect_clean(SPAN(""), false, "");
    expect_clean((struct span){NULL, 0}, true, "");
}

Test(utf8, cleaning_shows_controls)
{
    expect_clean(SPAN("\0\x01\t\n\r\x1B[31m\x1F\x7F"), false,
                 "\xE2\x90\x80\xE2\x90\x81\xE2\x90\x89\xE2\x90\x8A\xE2\x90\x8D\xE2\x90\x9B[31m"
                 "\xE2\x90\x9F\xE2\x90\xA1");
    expect_clean(SPAN("\0\x01\t\n\r\x1B[31m\x1F\x7F"), true, "??????[31m??");
    for (unsigned c = 0; c < 0x20; c++) {
        char byte = (char)c, wanted[] = {(char)0xE2, (char)0x90, (char)(0x80 + c), '\0'};
        expect_clean((struct span){&byte, 1}, false, wanted);
    }
}

Test(utf8, cleaning_replaces_what_hides_or_reorders)
{
    static const uint32_t ranges[][2] = {{0x80, 0x9F},     {0x61C, 0x61C},   {0x180E, 0x180E}, {0x200B, 0x200F},
                                         {0x2028, 0x202E}, {0x2060, 0x206F}, {0xFEFF, 0xFEFF}, {0xFFF9, 0xFFFB},
                                         {0xE0000, 0xE007F}};
    for (uint32_t point = 0x80; point <= 0x10FFFF; point++) {
        bool hidden = false;
        for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
            hidden |= point >= ranges[i][0] && point <= ranges[i][1];
        if (point >= 0xD800 && point <= 0xDFFF)
            continue;
        char bytes[5] = {0};
        size_t length = utf8_encode(point, bytes);
        struct text out = {0};
        utf8_add_clean(&out, (struct span){bytes, length}, false);
        cr_assert_str_eq(out.bytes, hidden ? REPLACED : bytes, "U+%04X", (unsigned)point);
        cr_assert(!hidden || utf8_point_width(point) == 1);
        text_free(&out);
    }
}

Test(utf8, cleaning_replaces_each_invalid_byte)
{
    expect_clean(SPAN("a\xFFz"), false, "a" REPLACED "z");
    expect_clean(SPAN("a\xFFz"), true, "a?z");
    expect_clean(SPAN("\xC0\x80"), false, REPLACED REPLACED);
    expect_clean(SPAN("\xED\xA0\x80" "b"), false, REPLACED REPLACED REPLACED "b");
    expect_clean(SPAN("\xF4\x90\x80\x80"), true, "????");
    expect_clean(SPAN(WIDE "\xE4\xB8"), false, WIDE REPLACED REPLACED);
}

Test(utf8, ascii_mode_keeps_the_columns)
{
    expect_clean(SPAN("caf\xC3\xA9"), true, "caf?");
    expect_clean(SPAN("cafe" ACUTE "s"), true, "cafes");
    expect_clean(SPAN(WIDE FACE "x"), true, "????x");
    expect_clean(SPAN("\xE2\x80\xAE" REPLACED CUT), true, "???");
}

Test(utf8, what_fits_is_not_cut)
{
    for (int where = UTF8_CUT_END; where <= UTF8_CUT_START; where++) {
        expect_cut("", 0, (enum utf8_cut)where, false, "", 0);
        expect_cut("", 5, (enum utf8_cut)where, false, "", 0);
        expect_cut("aten", 4, (enum utf8_cut)where, false, "aten", 4);
        expect_cut("aten", 1000, (enum utf8_cut)where, true, "aten", 4);
        expect_cut(WIDE "e" ACUTE, 3, (enum utf8_cut)where, false, WIDE "e" ACUTE, 3);
        expect_cut(ACUTE, 0, (enum utf8_cut)where, false, ACUTE, 0);
        expect_cut("a\n", 2, (enum utf8_cut)where, false, "a\xE2\x90\x8A", 2);
    }
}

Test(utf8, cut_at_the_end)
{
    expect_cut("aten::mm", 0, UTF8_CUT_END, false, "", 0);
    expect_cut("aten::mm", 1, UTF8_CUT_END, false, CUT, 1);
    expect_cut("aten::mm", 2, UTF8_CUT_END, false, "a" CUT, 2);
    expect_cut("aten::mm", 7, UTF8_CUT_END, false, "aten::" CUT, 7);
    expect_cut("aten::mm", 7, UTF8_CUT_END, true, "aten::~", 7);
    expect_cut("a\nb\xFF" "cd", 5, UTF8_CUT_END, false, "a\xE2\x90\x8A" "b" REPLACED CUT, 5);
}

Test(utf8, cut_at_the_start)
{
    expect_cut("aten::mm", 0, UTF8_CUT_START, false, "", 0);
    expect_cut("aten::mm", 1, UTF8_CUT_START, false, CUT, 1);
    expect_cut("aten::mm", 2, UTF8_CUT_START, false, CUT "m", 2);
    expect_cut("aten::mm", 7, UTF8_CUT_START, false, CUT "en::mm", 7);
    expect_cut("aten::mm", 7, UTF8_CUT_START, true, "~en::mm", 7);
}

Test(utf8, cut_in_the_middle)
{
    static const char *const wanted[] = {"", "~", "a~", "a~m", "at~m", "at~mm", "ate~mm", "ate~:mm"};
    for (size_t columns = 0; columns < 8; columns++)
        expect_cut("aten::mm", columns, UTF8_CUT_MIDDLE, true, wanted[columns], columns);
    expect_cut("aten::mm", 5, UTF8_CUT_MIDDLE, false, "at" CUT "mm", 5);
    expect_cut("ab", 1, UTF8_CUT_MIDDLE, false, CUT, 1);
}

Test(utf8, a_wide_character_at_the_cut_is_left_out)
{
    expect_cut(WIDE WIDE WIDE, 5, UTF8_CUT_END, false, WIDE WIDE CUT, 5);
    expect_cut(WIDE WIDE WIDE, 4, UTF8_CUT_END, false, WIDE CUT, 3);
    expect_cut(WIDE WIDE WIDE, 2, UTF8_CUT_END, false, CUT, 1);
    expect_cut(WIDE WIDE WIDE, 4, UTF8_CUT_START, false, CUT WIDE, 3);
    expect_cut(WIDE WIDE WIDE, 4, UTF8_CUT_END, true, "??~", 3);
    expect_cut(WIDE, 1, UTF8_CUT_END, false, CUT, 1);
    expect_cut(WIDE, 0, UTF8_CUT_MIDDLE, false, "", 0);
    /* Narrow ones after it do not move up. */
    expect_cut("ab" WIDE "cd", 4, UTF8_CUT_END, false, "ab" CUT, 3);
    expect_cut("ab" WIDE "cd", 4, UTF8_CUT_START, false, CUT "cd", 3);
    /* The tail takes the column that the head could not use. */
    expect_cut(WIDE WIDE WIDE, 4, UTF8_CUT_MIDDLE, false, WIDE CUT, 3);
    expect_cut("a" WIDE WIDE WIDE, 6, UTF8_CUT_MIDDLE, false, "a" WIDE CUT WIDE, 6);
    expect_cut(WIDE WIDE "abcd", 4, UTF8_CUT_MIDDLE, false, WIDE CUT "d", 4);
    expect_cut(WIDE WIDE "abcd", 3, UTF8_CUT_MIDDLE, false, CUT "cd", 3);
}

Test(utf8, marks_stay_with_their_base)
{
    expect_cut("e" ACUTE "fgh", 2, UTF8_CUT_END, false, "e" ACUTE CUT, 2);
    expect_cut("de" ACUTE "fgh", 2, UTF8_CUT_END, false, "d" CUT, 2);
    expect_cut("abe" ACUTE, 2, UTF8_CUT_START, false, CUT "e" ACUTE, 2);
    expect_cut("abe" ACUTE "f", 2, UTF8_CUT_START, false, CUT "f", 2);
    expect_cut("e" ACUTE "abf" ACUTE, 3, UTF8_CUT_MIDDLE, false, "e" ACUTE CUT "f" ACUTE, 3);
    expect_cut("e" ACUTE "abf" ACUTE, 3, UTF8_CUT_MIDDLE, true, "e~f", 3);
    expect_cut("ab" WIDE ACUTE "c", 3, UTF8_CUT_START, false, CUT "c", 2);
    expect_cut("ab" WIDE ACUTE "c", 4, UTF8_CUT_START, false, CUT WIDE ACUTE "c", 4);
    /* Marks without a base go when nothing is left that they could stand on. */
    expect_cut(ACUTE "abc", 1, UTF8_CUT_END, false, CUT, 1);
}

Test(utf8, appends_to_what_is_there)
{
    struct text out = {0};
    text_add_string(&out, "| ");
    cr_expect_eq(utf8_add_fitted(&out, SPAN("aten::mm"), 4, UTF8_CUT_END, true), 4);
    utf8_add_clean(&out, SPAN(" |\n"), true);
    cr_expect_str_eq(out.bytes, "| ate~ |?");
    text_free(&out);
}

/* Text of the kinds that matter here, sometimes cut inside a character, sometimes plain noise. */
static size_t random_text(char *text, size_t size)
{
    static const char *const pieces[] = {"a", "name", "12345678", " ", "\n", WIDE, FACE, ACUTE, "\xC3\xA9",
                                         "\xE2\x80\x8B", "\xC2\x9B", "\xED\xA0\x80", "\xE1\x84\x80\xE1\x85\xA1",
                                         "\xFF", "\xE4\xB8"};
    size_t length = 0, wanted = (size_t)rand() % size;
    bool noise = rand() % 8 == 0;
    while (length < wanted) {
        if (noise) {
            text[length++] = (char)(rand() % 256);
            continue;
        }
        const char *piece = pieces[(size_t)rand() % (sizeof pieces / sizeof pieces[0])];
        for (; *piece != '\0' && length < wanted; piece++)
            text[length++] = *piece;
    }
    return length;
}

Test(utf8, no_cut_exceeds_its_columns)
{
    srand(7);
    for (int round = 0; round < 20000; round++) {
        char text[48];
        struct span span = {text, random_text(text, sizeof text)};
        size_t width = utf8_width(span), columns = (size_t)rand() % 40;
        enum utf8_cut where = (enum utf8_cut)(rand() % 3);
        bool ascii = rand() % 2 != 0;
        struct text out = {0}, again = {0};
        size_t used = utf8_add_fitted(&out, span, columns, where, ascii);
        struct span shown = text_span(&out);
        cr_assert(used <= columns);
        cr_assert_eq(used, utf8_width(shown));
        cr_assert(utf8_valid(shown));
        cr_assert(width <= columns ? used == width : used + 1 >= columns);
        /* What was shown needs no cleaning. */
        utf8_add_clean(&again, shown, ascii);
        cr_assert(span_equal(text_span(&again), shown));
        /* Both ways of asking for the columns agree. */
        text_clear(&again);
        utf8_add_clean(&again, span, ascii);
        cr_assert_eq(utf8_width(text_span(&again)), width);
        for (size_t i = 0; i < shown.length; i++)
            cr_assert(ascii ? shown.bytes[i] >= ' ' && shown.bytes[i] <= '~' : (unsigned char)shown.bytes[i] >= ' ');
        /* The head is the start of the whole, the tail its end. */
        const char *mark = width <= columns || columns == 0 || ascii ? NULL : CUT;
        if (mark != NULL && where == UTF8_CUT_END)
            cr_assert_eq(memcmp(shown.bytes, text_span(&again).bytes, shown.length - 3), 0);
        if (mark != NULL && where == UTF8_CUT_START)
            cr_assert_eq(memcmp(shown.bytes + 3, again.bytes + again.length - (shown.length - 3), shown.length - 3), 0);
        text_free(&out);
        text_free(&again);
    }
}
