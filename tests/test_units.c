/* Numbers with units: exact to the last digit, and the same again when read back. */
#include <criterion/criterion.h>
#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "keyavg/units.h"

static void expect_text(struct text *out, const char *wanted)
{
    cr_expect_str_eq(text_span(out).bytes, wanted, "`%s`, not `%s`", text_span(out).bytes, wanted);
    text_free(out);
}

static void expect_time(int64_t ns, enum time_unit unit, const char *wanted)
{
    struct text out = {0};
    units_add_time(&out, ns, unit);
    expect_text(&out, wanted);
}

static void expect_us(int64_t ns, const char *wanted)
{
    struct text out = {0};
    units_add_us(&out, ns);
    expect_text(&out, wanted);
}

static void expect_bytes(int64_t bytes, const char *wanted)
{
    struct text out = {0};
    units_add_bytes(&out, bytes);
    expect_text(&out, wanted);
}

static void expect_share(double ratio, const char *wanted)
{
    struct text out = {0};
    units_add_share(&out, ratio);
    expect_text(&out, wanted);
}

static void expect_count(uint64_t count, const char *wanted)
{
    struct text out = {0};
    units_add_count(&out, count);
    expect_text(&out, wanted);
}

Test(units, time_borders)
{
    expect_time(0, TIME_AUTO, "0.000us");
    expect_time(1, TIME_AUTO, "0.001us");
    expect_time(999, TIME_AUTO, "0.999us");
    expect_time(1000, TIME_AUTO, "1.000us");
    expect_time(999999, TIME_AUTO, "999.999us");
    expect_time(1000000, TIME_AUTO, "1.000ms");
    expect_time(1234567, TIME_AUTO, "1.235ms");
    expect_time(999999499, TIME_AUTO, "999.999ms");
    expect_time(999999500, TIME_AUTO, "1000.000ms");
    expect_time(999999999, TIME_AUTO, "1000.000ms");
    expect_time(1000000000, TIME_AUTO, "1.000s");
    expect_time(1000000001, TIME_AUTO, "1.000s");
    expect_time(59999600000, TIME_AUTO, "60.000s");
    expect_time(3600000000000, TIME_AUTO, "3600.000s");
    expect_time(INT64_MAX, TIME_AUTO, "9223372036.855s");
}

Test(units, negative_times_stay_in_us)
{
    expect_time(-1, TIME_AUTO, "-0.001us");
    expect_time(-1000000, TIME_AUTO, "-1000.000us");
    expect_time(-1000000000, TIME_AUTO, "-1000000.000us");
    expect_time(INT64_MIN, TIME_AUTO, "-9223372036854775.808us");
    expect_time(INT64_MIN, TIME_S, "-9223372036.855s");
    expect_time(-1500, TIME_MS, "-0.002ms");
    expect_time(-100, TIME_MS, "-0.000ms");
}

Test(units, times_round_half_to_even)
{
    expect_time(1000500, TIME_AUTO, "1.000ms");
    expect_time(1000501, TIME_AUTO, "1.001ms");
    expect_time(1001500, TIME_AUTO, "1.002ms");
    expect_time(1002500, TIME_AUTO, "1.002ms");
    expect_time(1002499, TIME_AUTO, "1.002ms");
    expect_time(1000500000, TIME_AUTO, "1.000s");
    expect_time(1000500001, TIME_AUTO, "1.001s");
    expect_time(1001500000, TIME_AUTO, "1.002s");
    expect_time(-2500, TIME_MS, "-0.002ms");
    expect_time(-3500, TIME_MS, "-0.004ms");
}

Test(units, a_time_in_one_unit)
{
    expect_time(0, TIME_S, "0.000s");
    expect_time(499999, TIME_S, "0.000s");
    expect_time(500000, TIME_S, "0.000s");
    expect_time(500001, TIME_S, "0.001s");
    expect_time(1, TIME_MS, "0.000ms");
    expect_time(12345678, TIME_MS, "12.346ms");
    expect_time(12345678, TIME_US, "12345.678us");
    expect_time(12345678901, TIME_US, "12345678.901us");
    expect_time(12345678901, TIME_MS, "12345.679ms");
    expect_time(12345678901, TIME_S, "12.346s");
    expect_time(INT64_MAX, TIME_US, "9223372036854775.807us");
}

Test(units, microseconds_are_exact)
{
    expect_us(0, "0.000");
    expect_us(1234567, "1234.567");
    expect_us(-5, "-0.005");
    expect_us(-999, "-0.999");
    expect_us(-1000, "-1.000");
    expect_us(10, "0.010");
    expect_us(100, "0.100");
    expect_us(9007199254740993, "9007199254740.993");
    expect_us(INT64_MAX, "9223372036854775.807");
    expect_us(INT64_MIN, "-9223372036854775.808");
}

Test(units, byte_borders)
{
    expect_bytes(0, "0 B");
    expect_bytes(-1, "-1 B");
    expect_bytes(1023, "1023 B");
    expect_bytes(1024, "1.00 KB");
    expect_bytes(-1023, "-1023 B");
    expect_bytes(-1024, "-1.00 KB");
    expect_bytes(1536, "1.50 KB");
    expect_bytes((1 << 20) - 1, "1024.00 KB");
    expect_bytes(1 << 20, "1.00 MB");
    expect_bytes((1 << 30) - 1, "1024.00 MB");
    expect_bytes(1 << 30, "1.00 GB");
    expect_bytes(-(1 << 30), "-1.00 GB");
    expect_bytes(INT64_C(1) << 40, "1024.00 GB");
    expect_bytes(INT64_MAX, "8589934592.00 GB");
    expect_bytes(INT64_MIN, "-8589934592.00 GB");
    /* .125 and .375 are ties. */
    expect_bytes(1024 + 128, "1.12 KB");
    expect_bytes(1024 + 129, "1.13 KB");
    expect_bytes(1024 + 384, "1.38 KB");
    expect_bytes(-1024 - 128, "-1.12 KB");
    /* A tie only as a double. */
    expect_bytes((INT64_C(1) << 60) + (1 << 27) + 1, "1073741824.12 GB");
}

Test(units, bytes_equal_printf)
{
    srand(11);
    for (int round = 0; round < 20000; round++) {
        int64_t bytes = (int64_t)((uint64_t)rand() << 33 ^ (uint64_t)rand() << 11 ^ (uint64_t)rand()) >> rand() % 54;
        double size = fabs((double)bytes);
        if (size < 1024)
            continue;
        double unit = size >= 0x1p30 ? 0x1p30 : size >= 0x1p20 ? 0x1p20 : 0x1p10;
        char wanted[64];
        char letter = unit == 0x1p30 ? 'G' : unit == 0x1p20 ? 'M' : 'K';
        snprintf(wanted, sizeof wanted, "%.2f %cB", (double)bytes / unit, letter);
        struct text out = {0};
        units_add_bytes(&out, bytes);
        cr_assert_str_eq(out.bytes, wanted);
        text_free(&out);
    }
}

Test(units, shares)
{
    expect_share(0.0, "0.00%");
    expect_share(-0.0, "-0.00%");
    expect_share(0.1234, "12.34%");
    expect_share(1.0, "100.00%");
    expect_share(1.0 / 3, "33.33%");
    expect_share(2.0 / 3, "66.67%");
    expect_share(0.99999, "100.00%");
    expect_share(0.00004, "0.00%");
    expect_share(0.00006, "0.01%");
    expect_share(-0.5, "-50.00%");
    expect_share(-0.00001, "-0.00%");
    expect_share(0.00125, "0.12%"); /* a tie: 0.125 */
    expect_share(0.00375, "0.38%");
    expect_share(12.5, "1250.00%");
    expect_share(0x1p46, "7036874417766400.00%");
    expect_share(0x1p53, "900719925474099200.00%");
    expect_share(DBL_MIN, "0.00%");
    expect_share(DBL_TRUE_MIN, "0.00%");
    expect_share((double)NAN, "NaN");
    expect_share(-(double)NAN, "NaN");
    expect_share((double)INFINITY, "inf%");
    expect_share(-(double)INFINITY, "-inf%");
}

Test(units, shares_equal_printf)
{
    srand(5);
    for (int round = 0; round < 50000; round++) {
        double ratio = ldexp((double)rand() / RAND_MAX - 0.25, rand() % 80 - 20);
        if (rand() % 4 == 0)
            ratio = (double)(rand() % 100000) / 80000; /* many ties */
        char wanted[64];
        snprintf(wanted, sizeof wanted, "%.2f%%", ratio * 100.0);
        struct text out = {0};
        units_add_share(&out, ratio);
        cr_assert_str_eq(out.bytes, wanted);
        text_free(&out);
    }
    struct text out = {0};
    units_add_share(&out, DBL_MAX / 200);
    cr_expect_eq(out.length, 308 + 4);
    cr_expect_str_eq(out.bytes + 308, ".00%");
    text_free(&out);
}

Test(units, counts)
{
    expect_count(0, "0");
    expect_count(950, "950");
    expect_count(999, "999");
    expect_count(1000, "1.0k");
    expect_count(1049, "1.0k");
    expect_count(1050, "1.0k");
    expect_count(1051, "1.1k");
    expect_count(1150, "1.2k");
    expect_count(1234, "1.2k");
    expect_count(99949, "99.9k");
    expect_count(99950, "100k");
    expect_count(120000, "120k");
    expect_count(999499, "999k");
    expect_count(999500, "1.0M");
    expect_count(1000000, "1.0M");
    expect_count(34512345, "34.5M");
    expect_count(999999999, "1.0G");
    expect_count(1000000000, "1.0G");
    expect_count(7500000000000, "7.5T");
    expect_count(999999999999999999, "1.0E");
    expect_count(UINT64_MAX, "18.4E");
    for (uint64_t count = 1; count < UINT64_MAX / 3; count = count * 3 - count / 7) {
        struct text out = {0};
        units_add_count(&out, count);
        cr_expect(out.length <= 5);
        text_free(&out);
    }
}

Test(units, nothing_follows_the_locale)
{
    /* Whichever of these there is; without one the test says nothing. */
    if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL)
        setlocale(LC_ALL, "fr_FR.UTF-8");
    expect_time(1500000, TIME_AUTO, "1.500ms");
    expect_bytes(1536, "1.50 KB");
    expect_share(0.125, "12.50%");
    expect_share(0x1p60, "115292150460684697600.00%");
    expect_count(1500, "1.5k");
}

Test(units, appends_to_what_is_there)
{
    struct text out = {0};
    text_add_string(&out, "t=");
    units_add_us(&out, 1);
    units_add_bytes(&out, 2048);
    expect_text(&out, "t=0.0012.00 KB");
}

static void expect_parsed_time(const char *text, int64_t wanted)
{
    int64_t ns = -77;
    cr_expect(units_parse_time(span_of(text), 1000, &ns), "`%s`", text);
    cr_expect_eq(ns, wanted, "`%s`: %lld", text, (long long)ns);
}

Test(units, parses_times)
{
    expect_parsed_time("7", 7000);
    expect_parsed_time("7.25", 7250);
    expect_parsed_time("0", 0);
    expect_parsed_time("-0", 0);
    expect_parsed_time("12us", 12000);
    expect_parsed_time("12\xC2\xB5s", 12000);
    expect_parsed_time("12\xCE\xBCs", 12000);
    expect_parsed_time("1.5ms", 1500000);
    expect_parsed_time("3s", 3000000000);
    expect_parsed_time("3 s", 3000000000);
    expect_parsed_time("15ns", 15);
    expect_parsed_time("-1.5ms", -1500000);
    expect_parsed_time("+2ms", 2000000);
    expect_parsed_time(".5us", 500);
    expect_parsed_time("5.us", 5000);
    expect_parsed_time("000000000000000000000000000001us", 1000);
    expect_parsed_time("0.000000000000000000000000000001s", 0);
    expect_parsed_time("9223372036.854775807s", INT64_MAX);
    expect_parsed_time("-9223372036.854775808s", INT64_MIN);
    expect_parsed_time("9223372036854775807ns", INT64_MAX);
    expect_parsed_time("-9223372036854775808ns", INT64_MIN);
}

Test(units, parsed_times_round_half_to_even)
{
    expect_parsed_time("0.5ns", 0);
    expect_parsed_time("1.5ns", 2);
    expect_parsed_time("2.5ns", 2);
    expect_parsed_time("-2.5ns", -2);
    expect_parsed_time("2.50000000000000000000000001ns", 3);
    expect_parsed_time("2.50000000000000000000000000ns", 2);
    expect_parsed_time("2.49999999999999999999999999ns", 2);
    expect_parsed_time("1.9999999999999999999999999us", 2000);
    expect_parsed_time("9223372036854775807.4ns", INT64_MAX);
}

Test(units, refuses_what_is_no_time)
{
    static const char *const texts[] = {
        "", " ", "s", "ms", ".", "-", "+", "-.", ".s", "1.2.3", "1,5ms", "1x", "1 x", "1mss", "1msx", "1e3", "0x10",
        "--1", "+-1", "- 1", " 1", "1ms ", "1 5", "1S", "1MS", "1m", "1h", "nan", "inf", "1\xC2s",
        "9223372036.854775808s", "-9223372036.854775809s", "9223372036854775808ns", "9223372036854775807.5ns",
        "18446744073709551616ns", "18446744073709551615s", "99999999999999999999999999999999"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        int64_t ns = 42;
        cr_expect_not(units_parse_time(span_of(texts[i]), 1000, &ns), "`%s`", texts[i]);
        cr_expect_eq(ns, 42);
    }
    int64_t ns = 42;
    cr_expect_not(units_parse_time((struct span){NULL, 0}, 1000, &ns));
    cr_expect_not(units_parse_time((struct span){"1\0", 2}, 1000, &ns));
    cr_expect_not(units_parse_time(span_of("1"), 0, &ns));
    cr_expect_not(units_parse_time(span_of("1"), -1, &ns));
    cr_expect_not(units_parse_time(span_of("2"), INT64_MAX, &ns));
    cr_expect_eq(ns, 42);
    cr_expect(units_parse_time(span_of("1"), INT64_MAX, &ns));
    cr_expect_eq(ns, INT64_MAX);
    /* A span ends where it ends. */
    cr_expect(units_parse_time((struct span){"12ms", 2}, 1, &ns));
    cr_expect_eq(ns, 12);
}

static void expect_parsed_bytes(const char *text, int64_t wanted)
{
    int64_t bytes = -77;
    cr_expect(units_parse_bytes(span_of(text), &bytes), "`%s`", text);
    cr_expect_eq(bytes, wanted, "`%s`: %lld", text, (long long)bytes);
}

Test(units, parses_bytes)
{
    expect_parsed_bytes("10", 10);
    expect_parsed_bytes("10B", 10);
    expect_parsed_bytes("10 b", 10);
    expect_parsed_bytes("1.5KB", 1536);
    expect_parsed_bytes("1.5kb", 1536);
    expect_parsed_bytes("1.50 KB", 1536);
    expect_parsed_bytes("2MiB", 2 << 20);
    expect_parsed_bytes("2mib", 2 << 20);
    expect_parsed_bytes("2Mi", 2 << 20);
    expect_parsed_bytes("3G", INT64_C(3) << 30);
    expect_parsed_bytes("-1M", -(1 << 20));
    expect_parsed_bytes("+1M", 1 << 20);
    expect_parsed_bytes("2T", INT64_C(2) << 40);
    expect_parsed_bytes("0.5", 0);
    expect_parsed_bytes("1.5", 2);
    expect_parsed_bytes("0.001KB", 1);
    expect_parsed_bytes("9223372036854775807", INT64_MAX);
    expect_parsed_bytes("-9223372036854775808", INT64_MIN);
    expect_parsed_bytes("-8589934592GB", INT64_MIN);
    expect_parsed_bytes("8388607.9999T", 9223372036744824645);
}

Test(units, refuses_what_is_no_size)
{
    static const char *const texts[] = {"", "B", "KB", "iB", "1iB", "1KBs", "1KK", "1BB", "1P", "1X", "1 K B", "1 i",
                                        "1KiBB", "1Kix", "1,5K", "- 1", "1.5.K", "8589934592GB", "9223372036854775808",
                                        "-9223372036854775809", "18446744073709551616", "8388608T", "1K "};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        int64_t bytes = 42;
        cr_expect_not(units_parse_bytes(span_of(texts[i]), &bytes), "`%s`", texts[i]);
        cr_expect_eq(bytes, 42);
    }
    int64_t bytes = 42;
    cr_expect_not(units_parse_bytes((struct span){NULL, 0}, &bytes));
    cr_expect_not(units_parse_bytes((struct span){"1\0", 2}, &bytes));
    cr_expect_eq(bytes, 42);
}

Test(units, microseconds_read_back_the_same)
{
    srand(3);
    for (int round = 0; round < 20000; round++) {
        int64_t ns = (int64_t)((uint64_t)rand() << 33 ^ (uint64_t)rand() << 11 ^ (uint64_t)rand()) >> rand() % 64;
        int64_t back = 0;
        struct text out = {0};
        units_add_us(&out, ns);
        cr_assert(units_parse_time(text_span(&out), 1000, &back));
        cr_assert_eq(back, ns);
        text_free(&out);
    }
}
