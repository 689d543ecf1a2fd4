#!/usr/bin/env python3
"""Prints utf8_tables.h: which code points are hidden, take no column, or take two.

The widths are those of the unicodedata module of the Python that runs this; remake the header after changing the lists
below or to follow a newer Unicode version:

    python3 utf8_tables.py > utf8_tables.h
"""
import unicodedata

# What utf8_add_clean replaces (C0, DEL and C1 are handled in code). They hide, reorder or break a line.
HIDDEN = [
    (0x061C, 0x061C),    # Arabic letter mark
    (0x180E, 0x180E),    # Mongolian vowel separator
    (0x200B, 0x200F),    # zero width space and joiners, direction marks
    (0x2028, 0x202E),    # line and paragraph separator, embeddings and overrides
    (0x2060, 0x206F),    # word joiner, invisible operators, isolates, deprecated format characters
    (0xFEFF, 0xFEFF),    # byte order mark
    (0xFFF9, 0xFFFB),    # interlinear annotation
    (0xE0000, 0xE007F),  # tags
]

# Unassigned code points that are wide all the same (unicodedata cannot be asked about those): the ideograph blocks and
# planes, by UAX #11; and the places reserved for pictographs, where every later Unicode version added wide ones.
RESERVED_WIDE = [(0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x1F6D8, 0x1F6DF), (0x1FA70, 0x1FAFF),
                 (0x20000, 0x2FFFD), (0x30000, 0x3FFFD)]

# Medial vowels and final consonants, drawn into the syllable that a leading consonant (wide) starts.
JAMO_TAIL = [(0x1160, 0x11FF), (0xD7B0, 0xD7FF)]

# Format characters with a shape of their own: the soft hyphen, and signs that stand before a number or a word.
VISIBLE_FORMAT = [(0x00AD, 0x00AD), (0x0600, 0x0605), (0x06DD, 0x06DD), (0x070F, 0x070F), (0x0890, 0x0891),
                  (0x08E2, 0x08E2), (0x110BD, 0x110BD), (0x110CD, 0x110CD)]


def within(point, ranges):
    return any(first <= point <= last for first, last in ranges)


def width(point):
    category = unicodedata.category(chr(point))
    if within(point, HIDDEN) or within(point, VISIBLE_FORMAT):
        return 1
    if category in ("Mn", "Me", "Cf") or within(point, JAMO_TAIL):
        return 0
    if category == "Cn":
        return 2 if within(point, RESERVED_WIDE) else 1
    return 2 if unicodedata.east_asian_width(chr(point)) in "WF" else 1


def ranges_of(wanted):
    ranges = []
    for point in range(0x110000):
        if 0xD800 <= point <= 0xDFFF or width(point) != wanted:
            continue
        if ranges and ranges[-1][1] == point - 1:
            ranges[-1][1] = point
        else:
            ranges.append([point, point])
    return ranges


def show(name, ranges):
    print(f"\nstatic const struct utf8_range {name}[] = {{")
    for at in range(0, len(ranges), 5):
        print("    " + " ".join(f"{{0x{first:X}, 0x{last:X}}}," for first, last in ranges[at:at + 5]))
    print("};")


print(f"/* Made by utf8_tables.py from Unicode {unicodedata.unidata_version}; do not edit, see there. */")
print("#ifndef UTF8_TABLES_H\n#define UTF8_TABLES_H\n\n#include <stdint.h>\n")
print("/* Both ends belong to the range; each table is sorted and its ranges do not touch. */")
print("struct utf8_range {\n    uint32_t first, last;\n};")
show("utf8_hidden", HIDDEN)
show("utf8_zero", ranges_of(0))
show("utf8_wide", ranges_of(2))
print("\n#endif")
