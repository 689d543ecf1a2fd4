/* What can arrive from a user: keys, mouse, a new size. And the names of keys in help, key maps and `--play`. */
#ifndef KEYAVG_KEY_H
#define KEYAVG_KEY_H

#include <stdbool.h>
#include <stdint.h>

#include "keyavg/error.h"
#include "keyavg/text.h"

/* Codes: below KEYCODE_UP a code point as typed (`<C-x>` is 24); from it on the names below. */
enum {
    KEYCODE_NONE = 0,
    KEYCODE_BACKSPACE = 8,
    KEYCODE_TAB = 9,
    KEYCODE_ENTER = 13,
    KEYCODE_ESCAPE = 27,
    KEYCODE_UP = 0x110000,
    KEYCODE_DOWN,
    KEYCODE_LEFT,
    KEYCODE_RIGHT,
    KEYCODE_HOME,
    KEYCODE_END,
    KEYCODE_PAGE_UP,
    KEYCODE_PAGE_DOWN,
    KEYCODE_INSERT,
    KEYCODE_DELETE,
    KEYCODE_BACK_TAB,
    KEYCODE_F0, /* F1 is KEYCODE_F0 + 1, up to F12 */
    KEYCODE_F12 = KEYCODE_F0 + 12,
    KEYCODE_CLICK,       /* of the left button, at row and column */
    KEYCODE_WHEEL_UP,
    KEYCODE_WHEEL_DOWN,
    KEYCODE_RESIZE,      /* the new size in row and column */
    KEYCODE_HANGUP,      /* the terminal is gone */
    KEYCODE_TERMINATE,   /* SIGTERM or SIGINT; the signal's number in row */
    KEYCODE_PROGRESS,    /* somebody called terminal_wake */
    KEYCODE_UNKNOWN,     /* a sequence nobody knows */
};

struct key {
    uint32_t code;
    int row, column; /* of the mouse from 0; of KEYCODE_RESIZE the size */
};

/* Appends the name: `a`, `<lt>`, `<Space>`, `<F6>`, `<C-l>`, `<Enter>`. */
void key_add_name(uint32_t code, struct text *out);

/* The code of one key's name (without a count), KEYCODE_NONE where it is none. Names are compared without case. */
uint32_t key_find(struct span name);

/* Reads keys as `--play` has them: characters stand for themselves, `<...>` for named keys, `<Down 3>` three times,
 * `<Click 12,5>` (column 12, row 5, from 1), `<WheelDown 3>`, `<Resize 100x30>`. Takes the next from `rest`, which is
 * shortened; *times is how often. False at the end, or with `error` set where a name is wrong. */
bool key_next(struct span *rest, struct key *key, int *times, struct error *error);

#endif
