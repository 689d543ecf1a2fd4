#include "scan.h"

#include <string.h>
#include <strings.h>

#include "keyavg/utf8.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { COMMENT_LIMIT = 1 << 12 };

enum scan_status scan_space_more(struct scan *scan)
{
    const char *at = scan->at, *end = scan->end;
    for (;;) {
#ifdef __SSE2__
        /* Kineto indents: a line feed and a run of blanks between all members. */
        while (end - at >= 16) {
            __m128i block = _mm_loadu_si128((const __m128i *)(const void *)at);
            __m128i text = _mm_cmpeq_epi8(_mm_max_epu8(block, _mm_set1_epi8(' ' + 1)), block);
            unsigned other = (unsigned)_mm_movemask_epi8(text);
            if (other != 0) {
                at += __builtin_ctz(other);
                break;
            }
            at += 16;
        }
#endif
        while (at < end && (unsigned char)*at <= ' ')
            at++;
        scan->at = at;
        if (at == end)
            return SCAN_END;
        if (*at != '/')
            return SCAN_OK;
        if (end - at < 2)
            return SCAN_END;
        size_t room = (size_t)(end - at) < COMMENT_LIMIT ? (size_t)(end - at) : COMMENT_LIMIT;
        if (at[1] == '/') {
            at = memchr(at, '\n', room);
        } else if (at[1] == '*') {
            const char *close = memmem(at + 2, room - 2, "*/", 2);
            at = close != NULL ? close + 2 : NULL;
        } else {
            return SCAN_OK;
        }
        if (at == NULL && room == COMMENT_LIMIT) { /* what never ends is no comment */
            scan->looked = scan->at + room;
            return SCAN_OK;
        }
        if (at == NULL)
            return SCAN_END;
    }
}

void scan_note(struct scan *scan, enum note note, const char *place)
{
    if (scan->pending.count[note]++ == 0)
        scan->pending.first[note] = place;
    scan->pending.any = true;
}

uint64_t scan_count_lines(const char *from, const char *to)
{
    uint64_t lines = 0;
#ifdef __SSE2__
    while (to - from >= 16) {
        size_t blocks = (size_t)(to - from) / 16;
        __m128i counts = _mm_setzero_si128(); /* 16 counters of a byte each: good for 255 blocks */
        for (blocks = blocks < 255 ? blocks : 255; blocks > 0; blocks--, from += 16)
            counts = _mm_sub_epi8(counts, _mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)(const void *)from),
                                                         _mm_set1_epi8('\n')));
        __m128i sums = _mm_sad_epu8(counts, _mm_setzero_si128());
        lines += (uint64_t)_mm_cvtsi128_si64(sums) + (uint64_t)_mm_cvtsi128_si64(_mm_unpackhi_epi64(sums, sums));
    }
#endif
    for (; from < to; from++)
        lines += *from == '\n';
    return lines;
}

void scan_note_now(struct scan *scan, enum note note, const char *place)
{
    struct note_place *of = &scan->notes->of[note];
    if (of->count++ == 0) {
        of->offset = scan->offset + (uint64_t)(place - scan->begin);
        of->line = scan->lines + scan_count_lines(scan->begin, place) + 1;
    }
}

void scan_settle(struct scan *scan, bool keep)
{
    if (!scan->pending.any)
        return;
    for (unsigned i = 0; keep && i < NOTE_COUNT; i++)
        if (scan->pending.count[i] != 0) {
            scan_note_now(scan, (enum note)i, scan->pending.first[i]);
            scan->notes->of[i].count += scan->pending.count[i] - 1;
        }
    memset(&scan->pending, 0, sizeof scan->pending);
}

/* Moves `at` to the first quote or backslash, gathering what the bytes before it are; NULL at the window's end. */
static inline const char *string_stop(const char *at, const char *end, uint8_t *flags)
{
#ifdef __SSE2__
    while (end - at >= 16) {
        __m128i block = _mm_loadu_si128((const __m128i *)(const void *)at);
        unsigned stop = (unsigned)_mm_movemask_epi8(
            _mm_or_si128(_mm_cmpeq_epi8(block, _mm_set1_epi8('"')), _mm_cmpeq_epi8(block, _mm_set1_epi8('\\'))));
        unsigned high = (unsigned)_mm_movemask_epi8(block);
        unsigned low = (unsigned)_mm_movemask_epi8(_mm_cmplt_epi8(block, _mm_set1_epi8(0x20))) & ~high;
        if (stop != 0) {
            unsigned before = (stop & -stop) - 1;
            *flags |= (uint8_t)(((high & before) != 0 ? STRING_HIGH : 0) | ((low & before) != 0 ? STRING_CONTROLS : 0));
            return at + __builtin_ctz(stop);
        }
        *flags |= (uint8_t)((high != 0 ? STRING_HIGH : 0) | (low != 0 ? STRING_CONTROLS : 0));
        at += 16;
    }
#endif
    for (; at < end; at++) {
        unsigned char c = (unsigned char)*at;
        if (c == '"' || c == '\\')
            return at;
        if (c < 0x20)
            *flags |= STRING_CONTROLS;
        else if (c >= 0x80)
            *flags |= STRING_HIGH;
    }
    return NULL;
}

static int hex_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

/* The value of four hex digits at `at`, or -1. */
static int hex4(const char *at, const char *end)
{
    if (end - at < 4)
        return -1;
    int value = 0;
    for (int i = 0; i < 4; i++) {
        int digit = hex_value(at[i]);
        if (digit < 0)
            return -1;
        value = value * 16 + digit;
    }
    return value;
}

static bool escapes_legal(const char *at, const char *end)
{
    for (; at < end; at++) {
        if (*at != '\\')
            continue;
        if (++at == end)
            return false;
        if (*at == 'u') {
            if (hex4(at + 1, end) < 0)
                return false;
            at += 4;
        } else if (strchr("\"\\/bfnrt", *at) == NULL || *at == '\0') {
            return false;
        }
    }
    return true;
}

/* What a string that is not plain ASCII deserves to be noted for. */
static void note_string(struct scan *scan, const struct token *token)
{
    const char *end = token->bytes + token->length;
    if ((token->flags & STRING_ESCAPES) && !escapes_legal(token->bytes, end))
        scan_note(scan, NOTE_ILLEGAL_ESCAPE, token->bytes);
    if (token->flags & STRING_CONTROLS)
        scan_note(scan, NOTE_RAW_CONTROL, token->bytes);
    if ((token->flags & STRING_HIGH) && !utf8_valid((struct span){token->bytes, token->length}))
        scan_note(scan, NOTE_INVALID_UTF8, token->bytes);
}

enum scan_status scan_string(struct scan *scan, struct token *token)
{
    const char *from = scan->at + 1, *at = from;
    uint8_t flags = 0;
    while ((at = string_stop(at, scan->end, &flags)) != NULL && *at == '\\') {
        flags |= STRING_ESCAPES;
        if (scan->end - at < 3)
            return SCAN_END;
        at += 2;
    }
    if (at == NULL)
        return SCAN_END;
    if ((uint64_t)(at - from) > UINT32_MAX)
        return SCAN_BROKEN;
    *token = (struct token){from, (uint32_t)(at - from), flags, TOKEN_STRING};
    if (flags != 0)
        note_string(scan, token);
    scan->at = at + 1;
    return SCAN_OK;
}

static inline bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_word(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '+' || c == '.' ||
           c == '_' || c == '#' || c == '/';
}

static bool is_json_number(const char *at, const char *end)
{
    if (at < end && *at == '-')
        at++;
    if (at == end || *at < '0' || *at > '9' || (*at == '0' && end - at > 1 && is_digit(at[1])))
        return false;
    while (at < end && *at >= '0' && *at <= '9')
        at++;
    if (at < end && *at == '.') {
        const char *fraction = ++at;
        while (at < end && *at >= '0' && *at <= '9')
            at++;
        if (at == fraction)
            return false;
    }
    if (at < end && (*at == 'e' || *at == 'E')) {
        at++;
        if (at < end && (*at == '+' || *at == '-'))
            at++;
        const char *digits = at;
        while (at < end && *at >= '0' && *at <= '9')
            at++;
        if (at == digits)
            return false;
    }
    return at == end;
}

/* The end of digits with at most one point among them; what stands there may still be more of a number. */
static const char *number_end(const char *at, const char *end)
{
    bool point = false;
#ifdef __SSE2__
    while (end - at >= 16) {
        __m128i block = _mm_loadu_si128((const __m128i *)(const void *)at);
        __m128i digit = _mm_cmpeq_epi8(_mm_min_epu8(_mm_sub_epi8(block, _mm_set1_epi8('0')), _mm_set1_epi8(9)),
                                       _mm_sub_epi8(block, _mm_set1_epi8('0')));
        unsigned other = (unsigned)_mm_movemask_epi8(digit) ^ 0xFFFFu;
        if (other == 0) {
            at += 16;
            continue;
        }
        unsigned first = (unsigned)__builtin_ctz(other);
        if (point || at[first] != '.')
            return at + first;
        point = true;
        other &= other - 1;
        if (other != 0)
            return at + __builtin_ctz(other);
        at += 16;
    }
#endif
    for (; at < end; at++)
        if (*at == '.' && !point)
            point = true;
        else if (!is_digit(*at))
            break;
    return at;
}

/* A number or a bare word. Words that JSON does not know are the unknown values of derived figures (inf, nan, N/A). */
static enum scan_status scan_bare(struct scan *scan, struct token *token)
{
    const char *from = scan->at, *at = from, *end = scan->end;
    if (is_digit(*at)) { /* nearly always a plain number */
        at = number_end(at, end);
        if (at < end && !is_word(*at) && is_digit(at[-1]) && (*from != '0' || !is_digit(from[1]))) {
            *token = (struct token){from, (uint32_t)(at - from), 0, TOKEN_NUMBER};
            scan->at = at;
            return SCAN_OK;
        }
        at = from;
    }
    while (at < end && is_word(*at))
        at++;
    if (at == end)
        return SCAN_END;
    if (at == from)
        return SCAN_BROKEN;
    size_t length = (size_t)(at - from);
    *token = (struct token){from, (uint32_t)length, 0, TOKEN_NUMBER};
    scan->at = at;
    if ((*from >= '0' && *from <= '9') || (*from == '-' && length > 1 && from[1] >= '0' && from[1] <= '9')) {
        if (!is_json_number(from, at)) {
            token->kind = TOKEN_WORD;
            scan_note(scan, NOTE_NOT_JSON_VALUE, from);
        }
        return SCAN_OK;
    }
    struct span word = {from, length};
    if (span_is(word, "true")) {
        token->kind = TOKEN_TRUE;
    } else if (span_is(word, "false")) {
        token->kind = TOKEN_FALSE;
    } else if (span_is(word, "null")) {
        token->kind = TOKEN_NULL;
    } else {
        static const char *const known[] = {"inf", "infinity", "nan", "n/a", "none", "undefined"};
        const char *bare = *from == '-' || *from == '+' ? from + 1 : from;
        size_t bare_length = (size_t)(at - bare);
        for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
            if (strlen(known[i]) == bare_length && strncasecmp(known[i], bare, bare_length) == 0) {
                token->kind = TOKEN_WORD;
                scan_note(scan, NOTE_NOT_JSON_VALUE, from);
                return SCAN_OK;
            }
        return SCAN_BROKEN;
    }
    return SCAN_OK;
}

/* Moves to the next byte of a nested value that matters: a quote, a bracket, or a letter (of a word or an exponent).
 * Digits, signs, commas, colons and white space are passed over. */
static const char *nested_stop(const char *at, const char *end)
{
#ifdef __SSE2__
    while (end - at >= 16) {
        __m128i block = _mm_loadu_si128((const __m128i *)(const void *)at);
        __m128i lower = _mm_or_si128(block, _mm_set1_epi8(0x20));
        __m128i high = _mm_cmpeq_epi8(_mm_max_epu8(lower, _mm_set1_epi8(0x61)), lower);
        __m128i other = _mm_or_si128(_mm_cmpeq_epi8(block, _mm_set1_epi8('"')),
                                     _mm_cmpeq_epi8(block, _mm_set1_epi8('/')));
        unsigned stop = (unsigned)_mm_movemask_epi8(_mm_or_si128(high, other));
        if (stop != 0)
            return at + __builtin_ctz(stop);
        at += 16;
    }
#endif
    for (; at < end; at++)
        if (((unsigned char)*at | 0x20) >= 0x61 || *at == '"' || *at == '/')
            return at;
    return NULL;
}

/* Skips an array or object. Brackets are counted, so that no depth needs room; down to MATCHED of them they must
 * match. */
static enum scan_status scan_nested(struct scan *scan, struct token *token)
{
    enum { MATCHED = 64 };
    const char *from = scan->at, *at = from + 1;
    uint64_t depth = 1, objects = *from == '{'; /* a bit for each open bracket, the innermost lowest */
    struct token inner;
    while (depth > 0) {
        at = nested_stop(at, scan->end);
        if (at == NULL)
            return SCAN_END;
        enum scan_status status = SCAN_OK;
        switch (*at) {
        case '[':
        case '{':
            if (++depth <= MATCHED)
                objects = objects << 1 | (*at == '{');
            at++;
            break;
        case ']':
        case '}':
            if (depth <= MATCHED) {
                if ((objects & 1) != (*at == '}'))
                    status = SCAN_BROKEN;
                objects >>= 1;
            }
            scan->at = at;
            depth--;
            at++;
            break;
        case '"':
            scan->at = at;
            status = scan_string(scan, &inner);
            at = scan->at;
            break;
        case '/':
            scan->at = at;
            status = scan_space_more(scan);
            if (status == SCAN_OK && scan->at == at)
                status = SCAN_BROKEN;
            at = scan->at;
            break;
        default:
            scan->at = at;
            while (is_word(scan->at[-1]))
                scan->at--; /* to the token's first byte; the bracket stops this */
            status = scan_bare(scan, &inner);
            if (status == SCAN_OK && scan->at <= at)
                status = SCAN_BROKEN; /* a byte that belongs to no token */
            at = scan->at;
        }
        if (status != SCAN_OK)
            return status;
    }
    scan->at = at;
    if ((uint64_t)(at - from) > UINT32_MAX)
        return SCAN_BROKEN;
    *token = (struct token){from, (uint32_t)(at - from), 0, *from == '[' ? TOKEN_ARRAY : TOKEN_OBJECT};
    return SCAN_OK;
}

enum scan_status scan_value(struct scan *scan, struct token *token)
{
    if (scan_space(scan) != SCAN_OK)
        return SCAN_END;
    switch (*scan->at) {
    case '"':
        return scan_string(scan, token);
    case '[':
    case '{':
        return scan_nested(scan, token);
    default:
        return scan_bare(scan, token);
    }
}

/* Decodes one legal escape at `at` (behind the backslash); returns the byte after it. */
static const char *add_escape(struct text *room, const char *at, const char *end)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    if (*at != 'u') {
        text_add_char(room, to[strchr(from, *at) - from]);
        return at + 1;
    }
    uint32_t point = (uint32_t)hex4(at + 1, end);
    at += 5;
    if (point >= 0xD800 && point < 0xDC00 && end - at >= 6 && at[0] == '\\' && at[1] == 'u') {
        int low = hex4(at + 2, end);
        if (low >= 0xDC00 && low < 0xE000) {
            point = 0x10000 + ((point - 0xD800) << 10) + ((uint32_t)low - 0xDC00);
            at += 6;
        }
    }
    char bytes[4];
    text_add(room, bytes, utf8_encode(point, bytes)); /* a lone surrogate becomes U+FFFD */
    return at;
}

struct span scan_text(const struct token *token, struct text *room)
{
    if (!(token->flags & STRING_ESCAPES))
        return (struct span){token->bytes, token->length};
    const char *at = token->bytes, *end = at + token->length;
    bool legal = escapes_legal(at, end);
    text_clear(room);
    while (at < end) {
        const char *slash = memchr(at, '\\', (size_t)(end - at));
        if (slash == NULL)
            slash = end;
        text_add(room, at, (size_t)(slash - at));
        at = slash;
        if (at == end)
            break;
        if (legal) {
            at = add_escape(room, at + 1, end);
        } else {
            /* A writer that does not escape: the backslashes are text, but for one that hides a quote. */
            if (end - at < 2 || at[1] != '"')
                text_add_char(room, '\\');
            if (end - at >= 2)
                text_add_char(room, at[1]);
            at += end - at >= 2 ? 2 : 1;
        }
    }
    return text_span(room);
}
