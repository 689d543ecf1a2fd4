/* Numbers of the text as exact integers: no value passes through a double. */
#include "scan.h"

#include <string.h>

/* Decimal digits with a scale: value = digits * 10^exponent. Digits beyond the room of `digits` are cut off: `next` is
 * the first of them, `sticky` tells that others are not 0. */
struct decimal {
    uint64_t digits;
    int64_t exponent;
    bool negative, cut, sticky;
    uint8_t next;
};

enum { EXPONENT_LIMIT = 1000000 };

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static void add_digit(struct decimal *decimal, char c, bool fraction)
{
    unsigned digit = (unsigned)(c - '0');
    if (!decimal->cut && decimal->digits <= (UINT64_MAX - 9) / 10) {
        decimal->digits = decimal->digits * 10 + digit;
        decimal->exponent -= fraction;
        return;
    }
    if (decimal->cut)
        decimal->sticky |= digit != 0;
    else
        decimal->next = (uint8_t)digit;
    decimal->cut = true;
    decimal->exponent += !fraction;
}

static bool read_decimal(const char *at, const char *end, struct decimal *decimal)
{
    *decimal = (struct decimal){0};
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    if (at < end && (*at == '-' || *at == '+'))
        decimal->negative = *at++ == '-';
    const char *from = at;
    for (; at < end && is_digit(*at); at++)
        add_digit(decimal, *at, false);
    bool any = at > from;
    if (at < end && *at == '.')
        for (at++; at < end && is_digit(*at); at++) {
            add_digit(decimal, *at, true);
            any = true;
        }
    if (!any)
        return false;
    if (at < end && (*at == 'e' || *at == 'E')) {
        bool minus = false;
        at++;
        if (at < end && (*at == '-' || *at == '+'))
            minus = *at++ == '-';
        if (at == end || !is_digit(*at))
            return false;
        int64_t exponent = 0;
        for (; at < end && is_digit(*at); at++)
            if (exponent < EXPONENT_LIMIT)
                exponent = exponent * 10 + (*at - '0');
        decimal->exponent += minus ? -exponent : exponent;
    }
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    return at == end;
}

/* decimal * 10^shift to an integer, rounded half to even, or cut towards zero. False on overflow, with the value
 * saturated. */
static bool to_integer(const struct decimal *decimal, int shift, bool cut, int64_t *value)
{
    uint64_t digits = decimal->digits;
    int64_t exponent = decimal->exponent + shift;
    bool fits = true;
    if (digits == 0)
        exponent = 0;
    for (; exponent > 0 && fits; exponent--)
        fits = !__builtin_mul_overflow(digits, (uint64_t)10, &digits);
    unsigned last = decimal->next; /* the digit behind the point */
    bool rest = decimal->sticky;
    for (; exponent < 0 && (digits != 0 || last != 0); exponent++) {
        rest |= last != 0;
        last = (unsigned)(digits % 10);
        digits /= 10;
    }
    if (exponent < 0)
        last = 0;
    if (!cut && (last > 5 || (last == 5 && (rest || digits % 2 == 1))))
        digits++;
    uint64_t limit = (uint64_t)INT64_MAX + decimal->negative;
    if (!fits || digits > limit) {
        *value = decimal->negative ? INT64_MIN : INT64_MAX;
        return false;
    }
    *value = decimal->negative ? (int64_t)(0 - digits) : (int64_t)digits;
    return true;
}

/* Eight digits at once; false when there is anything else among them. */
static inline bool eight_digits(const char *at, uint64_t *value)
{
    uint64_t word;
    memcpy(&word, at, sizeof word);
    uint64_t digits = word - 0x3030303030303030u;
    if (((digits + 0x7676767676767676u) | digits) & 0x8080808080808080u)
        return false;
    digits = digits * 10 + (digits >> 8);
    *value = ((digits & 0x000000FF000000FFu) * 0x000F424000000064u + ((digits >> 16) & 0x000000FF000000FFu) * 0x0000271000000001u) >> 32;
    return true;
}

/* The common form: up to 16 digits, a point and up to three digits. */
static inline bool fast_time(const struct token *token, int64_t *ns)
{
    const char *at = token->bytes, *end = at + token->length;
    uint64_t value = 0, eight;
    if (token->length > 20)
        return false;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    while (end - at >= 8 && eight_digits(at, &eight)) {
        value = value * 100000000 + eight;
        at += 8;
    }
#endif
    while (at < end && is_digit(*at))
        value = value * 10 + (unsigned)(*at++ - '0');
    if (at == token->bytes || at - token->bytes > 16 || value > INT64_MAX / 1000 - 1)
        return false;
    static const uint64_t scale[4] = {1000, 100, 10, 1};
    unsigned places = 0;
    if (at < end && *at == '.')
        for (at++; at < end && is_digit(*at) && places < 3; places++)
            value = value * 10 + (unsigned)(*at++ - '0');
    *ns = (int64_t)(value * scale[places]);
    return at == end;
}

bool scan_time(const struct token *token, int64_t *ns, bool *overflow)
{
    struct decimal decimal;
    *overflow = false;
    if (token->kind != TOKEN_NUMBER && token->kind != TOKEN_STRING)
        return false;
    if (fast_time(token, ns))
        return true;
    if (!read_decimal(token->bytes, token->bytes + token->length, &decimal))
        return false;
    *overflow = !to_integer(&decimal, 3, false, ns);
    return true;
}

bool scan_integer(const struct token *token, int64_t *value)
{
    struct decimal decimal;
    if (token->kind == TOKEN_NUMBER && token->length < 18) {
        const char *at = token->bytes, *end = at + token->length;
        int64_t sum = 0; /* mostly a few digits */
        while (at < end && is_digit(*at))
            sum = sum * 10 + (*at++ - '0');
        if (at == end) {
            *value = sum;
            return true;
        }
    }
    if (token->kind == TOKEN_TRUE || token->kind == TOKEN_FALSE) {
        *value = token->kind == TOKEN_TRUE;
        return true;
    }
    if (token->kind != TOKEN_NUMBER && token->kind != TOKEN_STRING)
        return false;
    return read_decimal(token->bytes, token->bytes + token->length, &decimal) && to_integer(&decimal, 0, true, value);
}
