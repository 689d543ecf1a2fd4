#include "keyavg/utf8.h"

#include "utf8_tables.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Shows a cut: U+2026. */
#define MARK "\xE2\x80\xA6"

/* 0x01 in each byte of a word. */
#define EACH_BYTE 0x0101010101010101u

/* Bytes at the start that are printable ASCII: what almost all names consist of. */
static size_t plain_length(const char *text, size_t length)
{
    size_t at = 0;
    for (; length - at >= sizeof(uint64_t); at += sizeof(uint64_t)) {
        uint64_t word;
        memcpy(&word, text + at, sizeof word);
        /* Where no byte has its high bit, the sums do not carry: +0x60 sets it from 0x20 on, +1 for 0x7F only. */
        uint64_t bad = word | ~(word + EACH_BYTE * 0x60) | (word + EACH_BYTE);
        if ((bad & (EACH_BYTE * 0x80)) != 0)
            break;
    }
    while (at < length && text[at] >= ' ' && text[at] <= '~')
        at++;
    return at;
}

/* Bytes at the start that are ASCII of any kind. */
static size_t ascii_length(const char *text, size_t length)
{
    size_t at = 0;
    for (; length - at >= sizeof(uint64_t); at += sizeof(uint64_t)) {
        uint64_t word;
        memcpy(&word, text + at, sizeof word);
        if ((word & (EACH_BYTE * 0x80)) != 0)
            break;
    }
    while (at < length && (unsigned char)text[at] < 0x80)
        at++;
    return at;
}

size_t utf8_decode(const char *text, size_t length, uint32_t *point)
{
    const unsigned char *bytes = (const unsigned char *)text;
    unsigned char first = bytes[0], low = 0x80, high = 0xBF;
    size_t size;
    uint32_t value;
    if (first < 0x80) {
        *point = first;
        return 1;
    }
    *point = UTF8_REPLACEMENT;
    /* The range of the second byte excludes overlong forms, surrogates and what is over 0x10FFFF. */
    if (first < 0xC2 || first > 0xF4)
        return 1;
    if (first < 0xE0) {
        size = 2;
        value = first & 0x1Fu;
    } else if (first < 0xF0) {
        size = 3;
        value = first & 0x0Fu;
        low = first == 0xE0 ? 0xA0 : 0x80;
        high = first == 0xED ? 0x9F : 0xBF;
    } else {
        size = 4;
        value = first & 0x07u;
        low = first == 0xF0 ? 0x90 : 0x80;
        high = first == 0xF4 ? 0x8F : 0xBF;
    }
    if (length < size || bytes[1] < low || bytes[1] > high)
        return 1;
    for (size_t i = 1; i < size; i++) {
        if ((bytes[i] & 0xC0) != 0x80)
            return 1;
        value = value << 6 | (bytes[i] & 0x3Fu);
    }
    *point = value;
    return size;
}

size_t utf8_encode(uint32_t point, char out[4])
{
    if (point > 0x10FFFF || (point >= 0xD800 && point <= 0xDFFF))
        point = UTF8_REPLACEMENT;
    if (point < 0x80) {
        out[0] = (char)point;
        return 1;
    }
    size_t size = point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    static const unsigned char lead[] = {0, 0, 0xC0, 0xE0, 0xF0};
    for (size_t i = size - 1; i > 0; i--) {
        out[i] = (char)(0x80 | (point & 0x3F));
        point >>= 6;
    }
    out[0] = (char)(lead[size] | point);
    return size;
}

bool utf8_valid(struct span text)
{
    size_t at = 0;
    while (at < text.length) {
        at += ascii_length(text.bytes + at, text.length - at);
        if (at == text.length)
            break;
        uint32_t point;
        size_t taken = utf8_decode(text.bytes + at, text.length - at, &point);
        if (taken == 1)
            return false;
        at += taken;
    }
    return true;
}

static bool within(uint32_t point, const struct utf8_range *ranges, size_t count)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (point > ranges[middle].last)
            low = middle + 1;
        else if (point < ranges[middle].first)
            high = middle;
        else
            return true;
    }
    return false;
}

int utf8_point_width(uint32_t point)
{
    /* What utf8_add_clean replaces is in neither table. */
    if (point < utf8_zero[0].first)
        return 1;
    if (within(point, utf8_zero, COUNT(utf8_zero)))
        return 0;
    return within(point, utf8_wide, COUNT(utf8_wide)) ? 2 : 1;
}

size_t utf8_width(struct span text)
{
    size_t at = 0, width = 0;
    while (at < text.length) {
        size_t plain = plain_length(text.bytes + at, text.length - at);
        at += plain;
        width += plain;
        if (at == text.length)
            break;
        uint32_t point;
        at += utf8_decode(text.bytes + at, text.length - at, &point);
        width += (size_t)utf8_point_width(point);
    }
    return width;
}

size_t utf8_length(struct span text)
{
    size_t at = 0, count = 0;
    while (at < text.length) {
        size_t ascii = ascii_length(text.bytes + at, text.length - at);
        at += ascii;
        count += ascii;
        if (at == text.length)
            break;
        uint32_t point;
        at += utf8_decode(text.bytes + at, text.length - at, &point);
        count++;
    }
    return count;
}

bool utf8_is_replaced(uint32_t point)
{
    return point < ' ' || (point >= 0x7F && point < 0xA0) || within(point, utf8_hidden, COUNT(utf8_hidden));
}

/* Appends one decoded character as it may be shown; `bytes` are the ones it was decoded from. */
static void add_point(struct text *out, uint32_t point, const char *bytes, size_t length, bool ascii)
{
    if (ascii && (point >= 0x7F || point < ' ')) {
        text_add_repeat(out, '?', (size_t)utf8_point_width(point));
        return;
    }
    uint32_t shown = point;
    if (point < ' ')
        shown = 0x2400 + point;
    else if (point == 0x7F)
        shown = 0x2421;
    else if ((point >= 0x80 && point < 0xA0) || within(point, utf8_hidden, COUNT(utf8_hidden)))
        shown = UTF8_REPLACEMENT;
    /* An invalid byte was decoded to U+FFFD and is not what to append. */
    if (shown != point || point == UTF8_REPLACEMENT) {
        char encoded[4];
        text_add(out, encoded, utf8_encode(shown, encoded));
    } else {
        text_add(out, bytes, length);
    }
}

void utf8_add_clean(struct text *out, struct span text, bool ascii)
{
    size_t at = 0;
    while (at < text.length) {
        size_t plain = plain_length(text.bytes + at, text.length - at);
        text_add(out, text.bytes + at, plain);
        at += plain;
        if (at == text.length)
            break;
        uint32_t point;
        size_t taken = utf8_decode(text.bytes + at, text.length - at, &point);
        add_point(out, point, text.bytes + at, taken, ascii);
        at += taken;
    }
}

/* The bytes of the longest start that takes at most `columns`, marks of its last character included; *used is what it
 * takes. */
static size_t head_length(struct span text, size_t columns, size_t *used)
{
    size_t at = 0, width = 0;
    while (at < text.length) {
        size_t left = text.length - at, room = columns - width;
        size_t plain = plain_length(text.bytes + at, left < room ? left : room);
        at += plain;
        width += plain;
        if (at == text.length)
            break;
        uint32_t point;
        size_t taken = utf8_decode(text.bytes + at, text.length - at, &point);
        size_t step = (size_t)utf8_point_width(point);
        if (step > columns - width)
            break;
        at += taken;
        width += step;
    }
    *used = width;
    return at;
}

/* The bytes to drop from the start, so that the rest takes at most `columns`; *used is what it takes. `width` is that
 * of the whole text and larger than `columns`. */
static size_t tail_start(struct span text, size_t width, size_t columns, size_t *used)
{
    size_t dropped;
    size_t at = head_length(text, width - columns, &dropped);
    /* A wide character across the border goes as a whole, with its marks. */
    if (dropped < width - columns)
        at = head_length(text, width - columns + 1, &dropped);
    *used = width - dropped;
    return at;
}

size_t utf8_add_fitted(struct text *out, struct span text, size_t columns, enum utf8_cut where, bool ascii)
{
    size_t width = utf8_width(text);
    if (width <= columns) {
        utf8_add_clean(out, text, ascii);
        return width;
    }
    if (columns == 0)
        return 0;
    size_t room = columns - 1; /* without the mark of the cut */
    size_t head_columns = where == UTF8_CUT_END ? room : where == UTF8_CUT_MIDDLE ? (room + 1) / 2 : 0;
    if (width == text.length && plain_length(text.bytes, text.length) == text.length) {
        text_add(out, text.bytes, head_columns);
        text_add_string(out, ascii ? "~" : MARK);
        text_add(out, text.bytes + width - (room - head_columns), room - head_columns);
        return columns;
    }
    size_t head_used = 0, tail_used = 0;
    if (head_columns != 0) {
        struct span head = {text.bytes, head_length(text, head_columns, &head_used)};
        utf8_add_clean(out, head, ascii);
    }
    text_add_string(out, ascii ? "~" : MARK);
    /* The tail may use what a wide character left over in the head. */
    size_t tail_columns = where == UTF8_CUT_END ? 0 : room - head_used;
    if (tail_columns != 0) {
        size_t start = tail_start(text, width, tail_columns, &tail_used);
        utf8_add_clean(out, (struct span){text.bytes + start, text.length - start}, ascii);
    }
    return head_used + 1 + tail_used;
}
