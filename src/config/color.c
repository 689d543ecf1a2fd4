#include "color.h"

#include "keyavg/nearest.h"
#include "keyavg/theme.h"

/* In the order of their numbers from -1 on. */
static const char *const names[] = {
    "default",      "black",      "red",           "green",        "yellow",         "blue",
    "magenta",      "cyan",       "white",         "bright-black", "bright-red",     "bright-green",
    "bright-yellow", "bright-blue", "bright-magenta", "bright-cyan", "bright-white",
};

enum { NAME_COUNT = sizeof names / sizeof *names };

struct rgb {
    int red, green, blue;
};

/* What xterm shows for the first 16; users change these, the others hardly ever. */
static const struct rgb basic[16] = {
    {0, 0, 0},       {205, 0, 0},   {0, 205, 0},   {205, 205, 0}, {0, 0, 238},   {205, 0, 205},
    {0, 205, 205},   {229, 229, 229}, {127, 127, 127}, {255, 0, 0}, {0, 255, 0}, {255, 255, 0},
    {92, 92, 255},   {255, 0, 255}, {0, 255, 255}, {255, 255, 255},
};

static struct rgb rgb_of(int color)
{
    static const int levels[6] = {0, 95, 135, 175, 215, 255};
    if (color < 16)
        return basic[color];
    if (color >= 232) {
        int grey = 8 + 10 * (color - 232);
        return (struct rgb){grey, grey, grey};
    }
    int cube = color - 16;
    return (struct rgb){levels[cube / 36], levels[cube / 6 % 6], levels[cube % 6]};
}

/* Squares weighted as the eye does: it sees green best and blue least. */
static int difference(struct rgb a, struct rgb b)
{
    int red = a.red - b.red, green = a.green - b.green, blue = a.blue - b.blue;
    return 3 * red * red + 6 * green * green + blue * blue;
}

static int nearest_between(struct rgb wanted, int first, int last)
{
    int best = first;
    for (int color = first + 1; color <= last; color++)
        if (difference(rgb_of(color), wanted) < difference(rgb_of(best), wanted))
            best = color;
    return best;
}

int theme_nearest_256(unsigned red, unsigned green, unsigned blue)
{
    return nearest_between((struct rgb){(int)(red & 255), (int)(green & 255), (int)(blue & 255)}, 16, 255);
}

int color_to_16(int color)
{
    return color < 16 ? color : nearest_between(rgb_of(color), 0, 15);
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

static bool parse_hex(struct span word, int *color)
{
    unsigned parts[3] = {0};
    if (word.length != 7)
        return false;
    for (unsigned i = 0; i < 6; i++) {
        int digit = hex_digit(word.bytes[1 + i]);
        if (digit < 0)
            return false;
        parts[i / 2] = parts[i / 2] * 16 + (unsigned)digit;
    }
    *color = theme_nearest_256(parts[0], parts[1], parts[2]);
    return true;
}

static bool parse_number(struct span word, int limit, int *color)
{
    int number = 0;
    for (size_t i = 0; i < word.length; i++) {
        if (word.bytes[i] < '0' || word.bytes[i] > '9')
            return false;
        number = number * 10 + (word.bytes[i] - '0');
        if (number >= limit)
            return false;
    }
    *color = number;
    return word.length != 0;
}

bool color_parse(struct span word, int limit, int *color)
{
    for (int i = 0; i < (int)NAME_COUNT; i++) {
        if (span_is(word, names[i])) {
            *color = i - 1;
            return true;
        }
    }
    if (limit == 256 && span_starts(word, "#"))
        return parse_hex(word, color);
    return parse_number(word, limit, color);
}

const char *color_nearest_name(struct span word)
{
    struct nearest nearest;
    nearest_init(&nearest, word);
    for (unsigned i = 0; i < NAME_COUNT; i++)
        nearest_offer(&nearest, names[i]);
    return nearest.name;
}
