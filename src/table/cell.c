#include "keyavg/column.h"

#include <math.h>

#include "keyavg/table.h"

/* value / divisor to the nearest whole, halves to even. */
static int64_t divide(__int128 value, __int128 divisor)
{
    bool negative = value < 0;
    if (negative)
        value = -value;
    __int128 whole = value / divisor, twice = (value - whole * divisor) * 2;
    if (twice > divisor || (twice == divisor && (whole & 1) != 0))
        whole++;
    return (int64_t)(negative ? -whole : whole);
}

/* integer / (over * scale), likewise. */
static int64_t divide_to_even(int64_t integer, int64_t over, int64_t scale)
{
    return divide(integer, (__int128)over * scale);
}

/* An average time is rounded once, from the exact ratio to the digits that are shown. */
static void add_time_ratio(const struct value *value, enum time_unit unit, struct text *out)
{
    if (unit == TIME_AUTO) {
        __int128 integer = value->integer, over = value->over;
        unit = integer >= over * 1000000000 ? TIME_S : integer >= over * 1000000 ? TIME_MS : TIME_US;
    }
    int64_t scale = unit == TIME_S ? 1000000 : unit == TIME_MS ? 1000 : 1;
    units_add_time(out, divide_to_even(value->integer, value->over, scale) * scale, unit);
}

/* A deviation is a double and may be anything; a time is at most what int64 holds. */
static int64_t real_to_ns(double real)
{
    return !(fabs(real) < 9.2e18) ? 0 : llrint(real);
}

static void add_integer(struct text *out, int64_t integer)
{
    text_addf(out, "%lld", (long long)integer);
}

void column_add_title(const struct column *column, const struct table *table, struct text *out)
{
    column_add_title_of(column, table != NULL ? table_device_name(table) : NULL, out);
}

void column_add_title_of(const struct column *column, const char *device, struct text *out)
{
    if (device == NULL || strcmp(device, backend_name(BACKEND_NONE)) == 0)
        device = "Device";
    for (const char *at = column->title; *at != '\0'; at++) {
        if (at[0] == '%' && at[1] == 'D') {
            text_add_string(out, device);
            at++;
        } else {
            text_add_char(out, *at);
        }
    }
}

const char *column_unit_name(const struct column *column)
{
    static const char *const names[] = {
        [UNIT_TEXT] = "",        [UNIT_TIME] = "us",         [UNIT_SHARE] = "%", [UNIT_BYTES] = "bytes",
        [UNIT_COUNT] = "number", [UNIT_FLOPS] = "operations", [UNIT_NUMBER] = "number", [UNIT_FLAG] = "true or false",
        [UNIT_FACTOR] = "ratio",
    };
    return names[column->unit];
}

bool column_is_number(const struct column *column)
{
    return column->unit != UNIT_TEXT && column->unit != UNIT_FLAG;
}

/* The whole number of a value: a mean of bytes or operations is rounded. */
static int64_t whole(const struct value *value)
{
    return value->kind == VALUE_RATIO ? divide_to_even(value->integer, value->over, 1) : value->integer;
}

/* A count; a mean of counts with at most three decimals, none where it is whole. */
static void add_count(const struct value *value, struct text *out)
{
    const int64_t most = INT64_MAX >> 11; /* times 1000 it still fits */
    int64_t integer = value->integer;
    if (value->kind != VALUE_RATIO || integer % value->over == 0 || integer / value->over > most ||
        integer / value->over < -most) {
        add_integer(out, whole(value));
        return;
    }
    units_add_us(out, divide((__int128)integer * 1000, value->over));
    while (out->bytes[out->length - 1] == '0')
        out->length--;
    out->length -= out->bytes[out->length - 1] == '.';
    out->bytes[out->length] = '\0';
}

/* A difference of whatever sign in the unit that its size has, its sign always in front. */
static void add_signed(const struct column *column, const struct value *value, enum time_unit unit, struct text *out)
{
    struct value size = *value;
    if (value->kind == VALUE_REAL ? value->real < 0 : value->integer < 0) {
        text_add_char(out, '-');
        size.real = -size.real;
        size.integer = size.integer == INT64_MIN ? INT64_MAX : -size.integer;
    } else if (value->kind == VALUE_REAL ? value->real > 0 : value->integer > 0) {
        text_add_char(out, '+');
    }
    struct column plain = *column;
    plain.is_signed = false;
    column_add_text(&plain, &size, unit, out);
}

void column_add_text(const struct column *column, const struct value *value, enum time_unit unit, struct text *out)
{
    if (value->kind == VALUE_UNKNOWN) {
        text_add_string(out, "--");
        return;
    }
    if (column->is_signed) {
        add_signed(column, value, unit, out);
        return;
    }
    switch ((enum column_unit)column->unit) {
    case UNIT_TEXT:
        text_add_span(out, value->text);
        break;
    case UNIT_TIME:
        if (value->kind == VALUE_RATIO)
            add_time_ratio(value, unit, out);
        else
            units_add_time(out, value->kind == VALUE_REAL ? real_to_ns(value->real) : value->integer, unit);
        break;
    case UNIT_SHARE:
        units_add_share(out, value_real(value));
        break;
    case UNIT_BYTES:
        units_add_bytes(out, whole(value));
        break;
    case UNIT_FLOPS:
        if (whole(value) == 0)
            text_add_string(out, "--"); /* torch estimates few operators; 0 says nothing of the others */
        else
            units_add_count(out, (uint64_t)whole(value));
        break;
    case UNIT_COUNT:
    case UNIT_NUMBER:
        add_count(value, out);
        break;
    case UNIT_FLAG:
        text_add_string(out, value->integer != 0 ? "yes" : "no");
        break;
    case UNIT_FACTOR:
        text_addf(out, "%.2fx", value_real(value));
        break;
    }
}

void column_add_raw(const struct column *column, const struct value *value, struct text *out)
{
    if (value->kind == VALUE_UNKNOWN)
        return;
    switch ((enum column_unit)column->unit) {
    case UNIT_TEXT:
        text_add_span(out, value->text);
        break;
    case UNIT_TIME:
        if (value->kind == VALUE_RATIO)
            units_add_us(out, divide_to_even(value->integer, value->over, 1));
        else
            units_add_us(out, value->kind == VALUE_REAL ? real_to_ns(value->real) : value->integer);
        break;
    case UNIT_SHARE:
        text_addf(out, "%.4f", value_real(value) * 100.0);
        break;
    case UNIT_BYTES:
    case UNIT_FLOPS:
        add_integer(out, whole(value));
        break;
    case UNIT_COUNT:
    case UNIT_NUMBER:
        add_count(value, out);
        break;
    case UNIT_FACTOR:
        text_addf(out, "%.4f", value_real(value));
        break;
    case UNIT_FLAG:
        text_add_string(out, value->integer != 0 ? "true" : "false");
        break;
    }
}

double value_real(const struct value *value)
{
    if (value->kind == VALUE_REAL)
        return value->real;
    if (value->kind == VALUE_RATIO)
        return (double)value->integer / (double)value->over;
    return (double)value->integer;
}

static int compare_bytes(struct span a, struct span b)
{
    size_t shared = a.length < b.length ? a.length : b.length;
    int order = shared != 0 ? memcmp(a.bytes, b.bytes, shared) : 0;
    return order != 0 ? order : a.length < b.length ? -1 : a.length > b.length;
}

int value_compare(const struct column *column, const struct value *a, const struct value *b)
{
    if (a->kind == VALUE_TEXT)
        return column->compare != NULL ? column->compare(a->text, b->text) : compare_bytes(a->text, b->text);
    if (a->kind == VALUE_RATIO) {
        __int128 x = (__int128)a->integer * b->over, y = (__int128)b->integer * a->over;
        return x < y ? -1 : x > y;
    }
    if (a->kind == VALUE_REAL)
        return a->real < b->real ? -1 : a->real > b->real;
    return a->integer < b->integer ? -1 : a->integer > b->integer;
}
