/* Names of keys. */
#include "keyavg/key.h"

#include <stdlib.h>
#include <strings.h>

#include "keyavg/utf8.h"

static const struct {
    const char *name;
    uint32_t code;
} names[] = {
    {"Enter", KEYCODE_ENTER},
    {"Return", KEYCODE_ENTER},
    {"CR", KEYCODE_ENTER},
    {"Tab", KEYCODE_TAB},
    {"S-Tab", KEYCODE_BACK_TAB},
    {"Esc", KEYCODE_ESCAPE},
    {"Escape", KEYCODE_ESCAPE},
    {"Backspace", KEYCODE_BACKSPACE},
    {"BS", KEYCODE_BACKSPACE},
    {"Space", ' '},
    {"lt", '<'},
    {"Up", KEYCODE_UP},
    {"Down", KEYCODE_DOWN},
    {"Left", KEYCODE_LEFT},
    {"Right", KEYCODE_RIGHT},
    {"Home", KEYCODE_HOME},
    {"End", KEYCODE_END},
    {"PgUp", KEYCODE_PAGE_UP},
    {"PageUp", KEYCODE_PAGE_UP},
    {"PgDn", KEYCODE_PAGE_DOWN},
    {"PageDown", KEYCODE_PAGE_DOWN},
    {"Insert", KEYCODE_INSERT},
    {"Delete", KEYCODE_DELETE},
    {"Del", KEYCODE_DELETE},
    {"WheelUp", KEYCODE_WHEEL_UP},
    {"WheelDown", KEYCODE_WHEEL_DOWN},
    {"Click", KEYCODE_CLICK},
    {"Resize", KEYCODE_RESIZE},
    {"Hangup", KEYCODE_HANGUP},
};

enum { NAME_COUNT = sizeof names / sizeof *names };

void key_add_name(uint32_t code, struct text *out)
{
    for (int i = 0; i < NAME_COUNT; i++) {
        if (names[i].code == code) {
            text_addf(out, "<%s>", names[i].name);
            return;
        }
    }
    if (code > KEYCODE_F0 && code <= KEYCODE_F12) {
        text_addf(out, "<F%u>", code - KEYCODE_F0);
    } else if (code >= 1 && code <= 26) {
        text_addf(out, "<C-%c>", (char)('a' + code - 1));
    } else if (code > ' ' && code < KEYCODE_UP) {
        char bytes[4];
        struct span typed = {bytes, utf8_encode(code, bytes)};
        utf8_add_clean(out, typed, false);
    } else {
        text_add_string(out, "<?>");
    }
}

static bool same(struct span a, const char *b)
{
    return a.length == strlen(b) && strncasecmp(a.bytes, b, a.length) == 0;
}

/* The code inside of `<...>`. */
static uint32_t find_named(struct span name)
{
    for (int i = 0; i < NAME_COUNT; i++)
        if (same(name, names[i].name))
            return names[i].code;
    if (name.length == 3 && (name.bytes[0] == 'C' || name.bytes[0] == 'c') && name.bytes[1] == '-') {
        int letter = name.bytes[2] | 0x20;
        if (letter >= 'a' && letter <= 'z')
            return (uint32_t)(letter - 'a' + 1);
    }
    if ((name.length == 2 || name.length == 3) && (name.bytes[0] == 'F' || name.bytes[0] == 'f')) {
        unsigned number = 0;
        for (size_t i = 1; i < name.length; i++) {
            if (name.bytes[i] < '0' || name.bytes[i] > '9')
                return KEYCODE_NONE;
            number = number * 10 + (unsigned)(name.bytes[i] - '0');
        }
        if (number >= 1 && number <= 12)
            return KEYCODE_F0 + number;
    }
    return KEYCODE_NONE;
}

uint32_t key_find(struct span name)
{
    if (name.length > 2 && name.bytes[0] == '<' && name.bytes[name.length - 1] == '>')
        return find_named((struct span){name.bytes + 1, name.length - 2});
    if (name.length == 0)
        return KEYCODE_NONE;
    uint32_t point;
    if (utf8_decode(name.bytes, name.length, &point) != name.length || point == UTF8_REPLACEMENT)
        return KEYCODE_NONE;
    /* What is not shown as it is has no name: a key map with it could not be written down. */
    struct text shown = {0};
    utf8_add_clean(&shown, name, false);
    bool plain = span_equal(text_span(&shown), name);
    text_free(&shown);
    return plain ? point : KEYCODE_NONE;
}

static bool wrong_name(struct span name, struct error *error)
{
    struct text shown = {0};
    utf8_add_fitted(&shown, name, 40, UTF8_CUT_END, true);
    error_set(error, ERROR_USAGE, "no such key: %s", shown.bytes);
    text_free(&shown);
    return false;
}

/* A number up to `limit`; false where there is none. */
static bool take_number(struct span *text, int limit, int *number)
{
    size_t at = 0;
    int value = 0;
    while (at < text->length && text->bytes[at] >= '0' && text->bytes[at] <= '9') {
        value = value * 10 + (text->bytes[at++] - '0');
        if (value > limit)
            return false;
    }
    *text = (struct span){text->bytes + at, text->length - at};
    *number = value;
    return at > 0;
}

static bool take_char(struct span *text, char c)
{
    if (text->length == 0 || text->bytes[0] != c)
        return false;
    text->bytes++;
    text->length--;
    return true;
}

/* What stands after the name: a count, or a place, or a size. */
static bool read_argument(struct span argument, struct key *key, int *times)
{
    int first, second;
    if (!take_number(&argument, 100000, &first))
        return false;
    if (key->code == KEYCODE_CLICK || key->code == KEYCODE_RESIZE) {
        bool click = key->code == KEYCODE_CLICK;
        if (!take_char(&argument, click ? ',' : 'x') || !take_number(&argument, 10000, &second))
            return false;
        key->column = click ? first - 1 : first;
        key->row = click ? second - 1 : second;
    } else {
        *times = first;
    }
    return argument.length == 0;
}

bool key_next(struct span *rest, struct key *key, int *times, struct error *error)
{
    *key = (struct key){0};
    *times = 1;
    if (error != NULL)
        error->code = ERROR_NONE;
    if (rest->length == 0)
        return false;
    if (rest->bytes[0] != '<') {
        size_t taken = utf8_decode(rest->bytes, rest->length, &key->code);
        if (key->code == '\n')
            key->code = KEYCODE_ENTER;
        if (key->code == 0x7F)
            key->code = KEYCODE_BACKSPACE;
        *rest = (struct span){rest->bytes + taken, rest->length - taken};
        return true;
    }
    const char *end = memchr(rest->bytes, '>', rest->length);
    if (end == NULL)
        return wrong_name(*rest, error);
    struct span whole = {rest->bytes, (size_t)(end - rest->bytes) + 1};
    struct span name = {rest->bytes + 1, whole.length - 2};
    const char *space = memchr(name.bytes, ' ', name.length);
    struct span argument = {0};
    if (space != NULL) {
        argument = (struct span){space + 1, (size_t)(end - space) - 1};
        name.length = (size_t)(space - name.bytes);
    }
    key->code = find_named(name);
    bool placed = key->code == KEYCODE_CLICK || key->code == KEYCODE_RESIZE;
    if (key->code == KEYCODE_NONE || (space == NULL && placed) ||
        (space != NULL && !read_argument(argument, key, times)))
        return wrong_name(whole, error);
    *rest = (struct span){whole.bytes + whole.length, rest->length - whole.length};
    return true;
}
