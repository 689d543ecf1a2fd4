#include "keyavg/nearest.h"

#include <stdbool.h>

/* Longer words are nobody's typing mistake. */
enum { LONGEST = 63 };

static char fold(char c)
{
    if (c >= 'A' && c <= 'Z')
        return (char)(c - 'A' + 'a');
    return c == '_' ? '-' : c;
}

void nearest_init(struct nearest *nearest, struct span word)
{
    size_t limit = word.length < 3 ? 1 : word.length / 3;
    *nearest = (struct nearest){.word = word, .distance = limit + 1};
}

/* Whether the shorter of both, of at least three letters, begins the other. */
static bool one_begins_other(struct span a, struct span b)
{
    size_t length = a.length < b.length ? a.length : b.length;
    for (size_t i = 0; i < length; i++)
        if (fold(a.bytes[i]) != fold(b.bytes[i]))
            return false;
    return length >= 3;
}

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* Damerau-Levenshtein (optimal string alignment): the rows are the name's bytes, three of them are kept. */
static unsigned distance_of(struct span a, struct span b)
{
    unsigned rows[3][LONGEST + 1];
    for (unsigned j = 0; j <= a.length; j++)
        rows[0][j] = j;
    for (unsigned i = 1; i <= b.length; i++) {
        unsigned *now = rows[i % 3], *above = rows[(i + 2) % 3], *two_above = rows[(i + 1) % 3];
        now[0] = i;
        for (unsigned j = 1; j <= a.length; j++) {
            bool same = fold(b.bytes[i - 1]) == fold(a.bytes[j - 1]);
            now[j] = least(least(now[j - 1] + 1, above[j] + 1), above[j - 1] + !same);
            if (i > 1 && j > 1 && fold(b.bytes[i - 1]) == fold(a.bytes[j - 2]) &&
                fold(b.bytes[i - 2]) == fold(a.bytes[j - 1]))
                now[j] = least(now[j], two_above[j - 2] + 1);
        }
    }
    return rows[b.length % 3][a.length];
}

void nearest_offer(struct nearest *nearest, const char *name)
{
    struct span word = nearest->word, other = span_of(name);
    if (word.length == 0 || word.length > LONGEST || other.length > LONGEST)
        return;
    unsigned distance = distance_of(word, other);
    if (distance > 1 && one_begins_other(word, other))
        distance = 1;
    /* A word of which nothing is left is no help: `q` is not near `s`. */
    bool kept = distance < word.length || distance == 0;
    if (kept && distance < nearest->distance) {
        nearest->name = name;
        nearest->distance = distance;
    }
}
