/* UTF-8 text on a screen: code points, columns, cutting, and placeholders for what must not reach a terminal. */
#ifndef KEYAVG_UTF8_H
#define KEYAVG_UTF8_H

#include <stddef.h>
#include <stdint.h>

#include "keyavg/text.h"

#define UTF8_REPLACEMENT 0xFFFDu

/* Decodes one code point at `text` (length > 0) and returns the bytes taken (1-4). An invalid byte takes one byte and
 * gives UTF8_REPLACEMENT; overlong forms, surrogates and values over 0x10FFFF are invalid. */
size_t utf8_decode(const char *text, size_t length, uint32_t *point);

/* Writes 1-4 bytes; returns how many. `point` must be a scalar value, else U+FFFD is written. */
size_t utf8_encode(uint32_t point, char out[4]);

/* True when all bytes are valid UTF-8. */
bool utf8_valid(struct span text);

/* Columns of a code point as utf8_add_clean shows it: 0 combining or format, 2 wide, else 1; ambiguous ones 1. Never
 * -1: control characters and whatever else is replaced have the width of their placeholder (1). Does not depend on
 * the locale. */
int utf8_point_width(uint32_t point);

/* Columns of a text after utf8_add_clean; the same in ASCII mode. */
size_t utf8_width(struct span text);

/* Code points, each invalid byte counted as one: Python's len() of the text decoded with errors="surrogateescape"
 * (with "replace", Python makes one character of the several bytes of a cut sequence). */
size_t utf8_length(struct span text);

/* Appends `text` so that it is safe to show: C0 controls become U+2400 + c (ASCII mode: `?`), DEL U+2421; C1
 * controls, bidi controls, other format characters that reorder or hide (U+061C, U+180E, U+200B-U+200F,
 * U+202A-U+202E, U+2060-U+206F, U+FEFF, U+FFF9-U+FFFB, tags U+E0000-U+E007F), line and paragraph separators, lone
 * surrogates and invalid bytes become U+FFFD, one each (ASCII mode: `?`). In ASCII mode every other non-ASCII code
 * point becomes `?` as well, repeated to its width: combining marks vanish. One line stays one line. */
void utf8_add_clean(struct text *out, struct span text, bool ascii);

/* Whether utf8_add_clean shows a placeholder instead of this code point. */
bool utf8_is_replaced(uint32_t point);

/* Appends `text` cleaned and cut to at most `columns` columns without splitting a character (combining marks stay
 * with their base). `where` says what a cut loses: the end, the start, or the middle (head and tail stay, the head
 * one longer where they cannot be equal). The mark of a cut, `…` (ASCII mode: `~`), takes one of the columns; of 1
 * column it is all, of 0 nothing is shown. A wide character that does not fit is left out. Returns the columns used
 * (may be columns - 1 beside a wide character). */
enum utf8_cut { UTF8_CUT_END, UTF8_CUT_MIDDLE, UTF8_CUT_START };
size_t utf8_add_fitted(struct text *out, struct span text, size_t columns, enum utf8_cut where, bool ascii);

#endif
