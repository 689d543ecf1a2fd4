#include "keyavg/table.h"

#include <stdlib.h>

#include "keyavg/memory.h"

/* Merge sorts are stable and go from the bottom up, between two halves of one room: `lower(a, b)` tells whether b
 * must stand before a, which stands before it now. */
#define MERGE_SORT(type, items, other, count, lower)                                                                   \
    for (size_t width = 1; width < (count); width *= 2) {                                                              \
        for (size_t start = 0; start < (count); start += 2 * width) {                                                  \
            size_t middle = start + width < (count) ? start + width : (count);                                         \
            size_t end = middle + width < (count) ? middle + width : (count);                                          \
            size_t a = start, b = middle, to = start;                                                                  \
            while (a < middle && b < end)                                                                              \
                (other)[to++] = lower((items)[a], (items)[b]) ? (items)[b++] : (items)[a++];                           \
            memcpy((other) + to, (items) + a, (middle - a) * sizeof *(items));                                         \
            memcpy((other) + to + (middle - a), (items) + b, (end - b) * sizeof *(items));                             \
        }                                                                                                              \
        type *swap = (items);                                                                                          \
        (items) = (other);                                                                                             \
        (other) = swap;                                                                                                \
    }

/* -- Numbers ----------------------------------------------------------------------------------------------------- */

/* Ascending by key; descending keys are complemented, which keeps equal ones as they are. */
struct number {
    int64_t key;
    uint32_t row;
};

#define NUMBER_LOWER(a, b) ((b).key < (a).key)

/* By one byte of the keys after the other, the lowest first; bytes that all keys share cost nothing. */
static const struct number *sort_by_bytes(struct number *numbers, size_t count)
{
    struct number *items = numbers, *other = numbers + count;
    uint32_t starts[8][256] = {0};
    for (size_t i = 0; i < count; i++)
        for (unsigned byte = 0; byte < 8; byte++)
            starts[byte][(uint64_t)items[i].key >> 8 * byte & 0xFF]++;
    for (unsigned byte = 0; byte < 8; byte++) {
        uint8_t flip = byte == 7 ? 0x80 : 0; /* the sign */
        if (starts[byte][(uint64_t)items[0].key >> 8 * byte & 0xFF] == count)
            continue;
        for (uint32_t value = 0, next = 0, size; value < 256; value++, next += size) {
            size = starts[byte][value ^ flip];
            starts[byte][value ^ flip] = next;
        }
        for (size_t i = 0; i < count; i++)
            other[starts[byte][(uint64_t)items[i].key >> 8 * byte & 0xFF]++] = items[i];
        struct number *swap = items;
        items = other;
        other = swap;
    }
    return items;
}

/* `numbers` has room for twice `count`; the sorted half is returned. */
static const struct number *order_numbers(struct number *numbers, size_t count)
{
    enum { MANY = 2000 };
    if (count >= MANY)
        return sort_by_bytes(numbers, count);
    struct number *items = numbers, *other = numbers + count;
    MERGE_SORT(struct number, items, other, count, NUMBER_LOWER)
    return items;
}

static void sort_numbers(struct number *numbers, uint32_t *rows, size_t count)
{
    const struct number *items = order_numbers(numbers, count);
    for (size_t i = 0; i < count; i++)
        rows[i] = items[i].row;
}

/* An integer that is ordered as the double is; both zeros are the same. */
static int64_t real_key(double real)
{
    int64_t bits;
    real += 0.0;
    memcpy(&bits, &real, sizeof bits);
    return bits < 0 ? bits ^ INT64_MAX : bits;
}

void table_sort_reals(const double *reals, bool ascending, uint32_t *rows, uint32_t count)
{
    struct number *numbers = memory_alloc(2 * (size_t)count * sizeof *numbers);
    for (uint32_t i = 0; i < count; i++) {
        int64_t key = real_key(reals[rows[i]]);
        numbers[i] = (struct number){ascending ? key : ~key, rows[i]};
    }
    sort_numbers(numbers, rows, count);
    free(numbers);
}

/* -- Values ------------------------------------------------------------------------------------------------------ */

/* The known values of a column, each made once; text that was made for one is kept by offset meanwhile. */
struct values {
    const struct column *column;
    bool ascending;
    struct value *items;
    uint32_t *rows;
    size_t *offsets;
    uint32_t count;
    struct text made;
};

/* Whether integers alone order the values: shares have one base, averages have not. */
static bool are_numbers(const struct values *values)
{
    for (uint32_t i = 0; i < values->count; i++)
        if (values->items[i].kind == VALUE_TEXT ||
            (values->items[i].kind == VALUE_RATIO && values->items[i].over != values->items[0].over))
            return false;
    return true;
}

static void sort_as_numbers(const struct values *values, uint32_t *rows)
{
    struct number *numbers = memory_alloc(2 * (size_t)values->count * sizeof *numbers);
    for (uint32_t i = 0; i < values->count; i++) {
        const struct value *value = &values->items[i];
        int64_t key = value->kind == VALUE_REAL ? real_key(value->real) : value->integer;
        numbers[i] = (struct number){values->ascending ? key : ~key, values->rows[i]};
    }
    sort_numbers(numbers, rows, values->count);
    free(numbers);
}

static bool value_lower(const struct values *values, uint32_t a, uint32_t b)
{
    int order = value_compare(values->column, &values->items[b], &values->items[a]);
    return values->ascending ? order < 0 : order > 0;
}

#define VALUE_LOWER(a, b) value_lower(values, a, b)

/* Sorts numbers of `values->items`. */
static void merge_values(const struct values *values, uint32_t *numbers, size_t count)
{
    uint32_t *room = memory_alloc(count * sizeof *room), *items = numbers, *other = room;
    MERGE_SORT(uint32_t, items, other, count, VALUE_LOWER)
    if (items != numbers)
        memcpy(numbers, items, count * sizeof *numbers);
    free(room);
}

/* The bytes that all texts begin with. */
static size_t common_prefix(const struct values *values, const uint32_t *numbers, size_t count)
{
    struct span first = values->items[numbers[0]].text;
    size_t length = first.length;
    for (size_t i = 1; i < count; i++) {
        struct span text = values->items[numbers[i]].text;
        size_t same = 0, most = text.length < length ? text.length : length;
        while (same < most && text.bytes[same] == first.bytes[same])
            same++;
        length = same;
    }
    return length;
}

/* A number that is ordered as the next eight bytes are. */
static int64_t text_key(struct span text, size_t from)
{
    uint64_t key = 0;
    for (size_t i = from; i < from + 8; i++)
        key = key << 8 | (i < text.length ? (unsigned char)text.bytes[i] : 0);
    return (int64_t)(key ^ UINT64_C(1) << 63);
}

/* Texts that are ordered by their bytes: names share long beginnings, so what follows those is sorted as a number, and
 * texts where it is equal among themselves. */
static void sort_texts(const struct values *values, uint32_t *numbers, size_t count, unsigned depth)
{
    enum { FEW = 16, DEEP = 16 };
    if (count <= FEW || depth == DEEP) {
        merge_values(values, numbers, count);
        return;
    }
    size_t prefix = common_prefix(values, numbers, count);
    struct number *keys = memory_alloc(2 * count * sizeof *keys);
    bool more = false;
    for (size_t i = 0; i < count; i++) {
        struct span text = values->items[numbers[i]].text;
        int64_t key = text_key(text, prefix);
        more = more || text.length > prefix;
        keys[i] = (struct number){values->ascending ? key : ~key, numbers[i]};
    }
    const struct number *sorted = order_numbers(keys, count);
    for (size_t i = 0; i < count && more; i++)
        numbers[i] = sorted[i].row;
    for (size_t from = 0, to; from < count && more; from = to) {
        for (to = from + 1; to < count && sorted[to].key == sorted[from].key; to++) {
        }
        if (to - from > 1)
            sort_texts(values, numbers + from, to - from, depth + 1);
    }
    free(keys);
}

static void sort_as_values(const struct values *values, uint32_t *rows)
{
    size_t count = values->count;
    uint32_t *numbers = memory_alloc(count * sizeof *numbers);
    bool bytes = values->column->compare == NULL;
    for (uint32_t i = 0; i < count; i++) {
        numbers[i] = i;
        bytes = bytes && values->items[i].kind == VALUE_TEXT;
    }
    if (bytes)
        sort_texts(values, numbers, count, 0);
    else
        merge_values(values, numbers, count);
    for (size_t i = 0; i < count; i++)
        rows[i] = values->rows[numbers[i]];
    free(numbers);
}

/* Takes the values of all rows; unknown ones go to the end of `rows` at once. */
static void take_values(struct values *values, const struct table *table, uint32_t *rows, uint32_t count)
{
    struct text scratch = {0};
    uint32_t unknown = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct value *value = &values->items[values->count];
        table_value(table, rows[i], values->column, value, &scratch);
        if (value->kind == VALUE_UNKNOWN) {
            rows[unknown++] = rows[i];
            continue;
        }
        values->rows[values->count] = rows[i];
        values->offsets[values->count] = SIZE_MAX;
        if (value->kind == VALUE_TEXT && value->text.length > 0 && value->text.bytes == scratch.bytes) {
            values->offsets[values->count] = values->made.length;
            text_add_span(&values->made, value->text);
        }
        values->count++;
    }
    memmove(rows + values->count, rows, unknown * sizeof *rows);
    for (uint32_t i = 0; i < values->count; i++)
        if (values->offsets[i] != SIZE_MAX)
            values->items[i].text.bytes = values->made.bytes + values->offsets[i];
    text_free(&scratch);
}

void table_sort(const struct table *table, const struct column *column, bool ascending, uint32_t *rows,
                uint32_t count)
{
    if (count < 2 || !column_available(table, column))
        return;
    struct values values = {.column = column, .ascending = ascending};
    values.items = memory_alloc(count * sizeof *values.items);
    values.rows = memory_alloc(count * sizeof *values.rows);
    values.offsets = memory_alloc(count * sizeof *values.offsets);
    take_values(&values, table, rows, count);
    if (are_numbers(&values))
        sort_as_numbers(&values, rows);
    else
        sort_as_values(&values, rows);
    text_free(&values.made);
    free(values.items);
    free(values.rows);
    free(values.offsets);
}
