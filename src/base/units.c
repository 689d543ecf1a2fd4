#include "keyavg/units.h"

#include <math.h>

/* Digits of the largest value, a sign, a point with three decimals, a unit. */
#define NUMBER_ROOM 40

/* value / 10^decimals with all its decimals, and a suffix. No printf: that one follows the locale. */
static void add_decimal(struct text *out, bool negative, uint64_t value, int decimals, const char *suffix)
{
    char buffer[NUMBER_ROOM];
    char *end = buffer + sizeof buffer, *at = end;
    int digits = 0;
    do {
        if (digits++ == decimals && decimals != 0)
            *--at = '.';
        *--at = (char)('0' + value % 10);
        value /= 10;
    } while (value != 0 || digits <= decimals);
    if (negative)
        *--at = '-';
    text_add(out, at, (size_t)(end - at));
    text_add_string(out, suffix);
}

static uint64_t magnitude(int64_t value)
{
    return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}

typedef unsigned __int128 wide_uint;

/* value / divisor to the nearest, halves to even. */
static wide_uint divide_to_even(wide_uint value, wide_uint divisor)
{
    wide_uint whole = value / divisor, rest = value % divisor, other = divisor - rest;
    return whole + (rest > other || (rest == other && (whole & 1) != 0));
}

void units_add_time(struct text *out, int64_t ns, enum time_unit unit)
{
    if (unit == TIME_AUTO)
        unit = ns >= 1000000000 ? TIME_S : ns >= 1000000 ? TIME_MS : TIME_US;
    uint64_t divisor = unit == TIME_S ? 1000000 : unit == TIME_MS ? 1000 : 1;
    uint64_t thousandths = (uint64_t)divide_to_even(magnitude(ns), divisor);
    add_decimal(out, ns < 0, thousandths, 3, unit == TIME_S ? "s" : unit == TIME_MS ? "ms" : "us");
}

void units_add_us(struct text *out, int64_t ns)
{
    add_decimal(out, ns < 0, magnitude(ns), 3, "");
}

void units_add_bytes(struct text *out, int64_t bytes)
{
    static const char *const names[] = {" B", " KB", " MB", " GB"};
    uint64_t size = magnitude(bytes);
    int power = size >= 1u << 30 ? 3 : size >= 1u << 20 ? 2 : size >= 1u << 10 ? 1 : 0;
    if (power == 0) {
        add_decimal(out, bytes < 0, size, 0, names[0]);
        return;
    }
    /* From 2^53 on torch's division starts with the nearest double; the division by a power of two is exact. */
    size = (uint64_t)(double)size;
    uint64_t hundredths = (uint64_t)divide_to_even((wide_uint)size * 100, 1u << (10 * power));
    add_decimal(out, bytes < 0, hundredths, 2, names[power]);
}

void units_add_share(struct text *out, double ratio)
{
    double percent = ratio * 100.0;
    bool negative = signbit(percent) != 0;
    if (isnan(percent)) {
        text_add_string(out, "NaN");
        return;
    }
    if (negative)
        percent = -percent;
    if (percent >= 0x1p53) { /* no fraction is left; %.0f shows no decimal point, whatever the locale's is */
        text_addf(out, isinf(percent) ? "%s%.0f%%" : "%s%.0f.00%%", negative ? "-" : "", percent);
        return;
    }
    /* The exact value of the double in hundredths, as printf rounds it. A bit below 2^-117 is lost, but then all of the
     * value is below 2^-64. */
    uint64_t whole = (uint64_t)percent;
    wide_uint fraction = (wide_uint)((percent - (double)whole) * 0x1p117);
    uint64_t hundredths = (uint64_t)divide_to_even(fraction * 100, (wide_uint)1 << 117);
    add_decimal(out, negative, whole * 100 + hundredths, 2, "%");
}

void units_add_count(struct text *out, uint64_t count)
{
    static const char *const names[] = {"", "k", "M", "G", "T", "P", "E"};
    uint64_t scale = 1;
    int name = 0;
    while (count / scale >= 1000) {
        scale *= 1000;
        name++;
    }
    if (name == 0) {
        add_decimal(out, false, count, 0, "");
        return;
    }
    uint64_t tenths = (uint64_t)divide_to_even(count, scale / 10);
    if (tenths < 1000) {
        add_decimal(out, false, tenths, 1, names[name]);
        return;
    }
    uint64_t units = (uint64_t)divide_to_even(count, scale);
    if (units < 1000)
        add_decimal(out, false, units, 0, names[name]);
    else
        add_decimal(out, false, 10, 1, names[name + 1]);
}

/* A decimal number: whole + fraction / fraction_scale, `more` when digits beyond those are not all zero. */
struct number {
    bool negative, more;
    uint64_t whole, fraction, fraction_scale;
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Reads a number at the start and leaves *text at what follows it and blanks. */
static bool parse_number(struct span *text, struct number *number)
{
    const char *at = text->bytes, *end = at + text->length;
    *number = (struct number){.fraction_scale = 1};
    if (at < end && (*at == '-' || *at == '+'))
        number->negative = *at++ == '-';
    bool digits = false;
    for (; at < end && is_digit(*at); at++) {
        digits = true;
        if (__builtin_mul_overflow(number->whole, (uint64_t)10, &number->whole) ||
            __builtin_add_overflow(number->whole, (uint64_t)(*at - '0'), &number->whole))
            return false;
    }
    if (at < end && *at == '.') {
        for (at++; at < end && is_digit(*at); at++) {
            digits = true;
            if (number->fraction_scale < 1000000000000000000u) {
                number->fraction_scale *= 10;
                number->fraction = number->fraction * 10 + (uint64_t)(*at - '0');
            } else {
                number->more |= *at != '0';
            }
        }
    }
    while (at < end && *at == ' ')
        at++;
    *text = (struct span){at, (size_t)(end - at)};
    return digits;
}

/* The number times `scale`, to the nearest; false when that is out of range. */
static bool scale_number(const struct number *number, uint64_t scale, int64_t *result)
{
    wide_uint product = (wide_uint)number->fraction * scale, divisor = number->fraction_scale;
    wide_uint total = (wide_uint)number->whole * scale + product / divisor;
    wide_uint rest = product % divisor, other = divisor - rest;
    total += rest > other || (rest == other && (number->more || (total & 1) != 0));
    if (total > (uint64_t)INT64_MAX + number->negative)
        return false;
    *result = number->negative ? (int64_t)(0 - (uint64_t)total) : (int64_t)total;
    return true;
}

bool units_parse_time(struct span text, int64_t unit_default, int64_t *ns)
{
    static const struct {
        const char *name;
        uint64_t scale;
    } units[] = {
        {"ns", 1},
        {"us", 1000},
        {"\xC2\xB5s", 1000}, /* micro sign */
        {"\xCE\xBCs", 1000}, /* mu */
        {"ms", 1000000},
        {"s", 1000000000},
    };
    struct number number;
    if (text.length == 0 || !parse_number(&text, &number))
        return false;
    if (text.length == 0)
        return unit_default > 0 && scale_number(&number, (uint64_t)unit_default, ns);
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (span_is(text, units[i].name))
            return scale_number(&number, units[i].scale, ns);
    return false;
}

static char upper(char c)
{
    return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

bool units_parse_bytes(struct span text, int64_t *bytes)
{
    struct number number;
    if (text.length == 0 || !parse_number(&text, &number))
        return false;
    /* A letter and an I after it, and a B; each may be missing. */
    static const char letters[] = "KMGT";
    uint64_t scale = 1;
    size_t at = 0;
    if (at < text.length) {
        const char *letter = memchr(letters, upper(text.bytes[at]), sizeof letters - 1);
        if (letter != NULL) {
            scale <<= 10 * (letter - letters + 1);
            at++;
            if (at < text.length && upper(text.bytes[at]) == 'I')
                at++;
        }
    }
    if (at < text.length && upper(text.bytes[at]) == 'B')
        at++;
    return at == text.length && scale_number(&number, scale, bytes);
}
