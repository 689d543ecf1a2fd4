/*
 * What is told of damage: every kind once and several times, with and without a place, and as docs/trust.md has it.
 */
#include <criterion/criterion.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "keyavg/notes.h"
#include "support/render.h"
#include "support/skip.h"

static const char *said(struct text *out, enum note note, uint64_t count, uint64_t offset, uint64_t line)
{
    struct notes notes = {0};
    notes.of[note] = (struct note_place){count, offset, line, 0};
    text_clear(out);
    notes_add_one(&notes, note, out);
    return text_span(out).bytes;
}

Test(notes, the_page_has_every_kind_in_its_words)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/../docs/trust.md", support_tests_dir());
    char *page = support_read(path, NULL);
    struct text out = {0};
    for (unsigned i = 0; i < NOTE_COUNT; i++) {
        /* Up to the place of the first. */
        uint64_t count = i == NOTE_SEVERAL_WRITERS ? 2 : 1;
        said(&out, (enum note)i, count, 120, 0);
        char *place = strstr(out.bytes, " (at byte");
        if (place != NULL)
            *place = '\0';
        cr_expect_not_null(strstr(page, out.bytes), "docs/trust.md does not tell of '%s'", out.bytes);
    }
    text_free(&out);
    free(page);
}

Test(notes, one_and_many)
{
    struct text out = {0};
    cr_expect_str_eq(said(&out, NOTE_DAMAGED, 1, 7, 2), "1 damaged region skipped (at byte 7, line 2)");
    cr_expect_str_eq(said(&out, NOTE_DAMAGED, 12, 7, 0), "12 damaged regions skipped (first at byte 7)");
    cr_expect_str_eq(said(&out, NOTE_STREAM_CUT, 3, 7, 2), "the compressed data is cut off or damaged");
    cr_expect(notes_has_place(NOTE_DAMAGED));
    cr_expect(notes_has_place(NOTE_TRUNCATED));
    cr_expect_not(notes_has_place(NOTE_STREAM_CUT));
    text_free(&out);
}

Test(notes, the_end_of_a_file_that_ends_early)
{
    struct notes notes = {0};
    struct text out = {0};
    notes.of[NOTE_TRUNCATED] = (struct note_place){1, 652, 0, 0};
    notes_describe(&notes, &out);
    cr_expect_str_eq(out.bytes, "the file ends early at byte 652");
    notes.of[NOTE_TRUNCATED].amount = 2;
    text_clear(&out);
    notes_describe(&notes, &out);
    cr_expect_str_eq(out.bytes, "the file ends early at byte 652, 2 incomplete events dropped");
    text_free(&out);
}

/* Of a recording that is odd but whole nothing is told. */
Test(notes, what_is_odd_is_no_damage)
{
    struct notes notes = {0};
    struct text out = {0};
    cr_expect_not(notes_any(&notes));
    notes.of[NOTE_UNKNOWN_CATEGORY].count = 5;
    cr_expect_not(notes_any(&notes));
    notes_describe(&notes, &out);
    cr_expect_eq(out.length, 0u);
    notes.of[NOTE_NOT_JSON_VALUE] = (struct note_place){2, 30, 4, 0};
    cr_expect(notes_any(&notes));
    notes_describe(&notes, &out);
    cr_expect_str_eq(out.bytes, "2 values that are not JSON read as unknown (first at byte 30, line 4)");
    text_free(&out);
}
