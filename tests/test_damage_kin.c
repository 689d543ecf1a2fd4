/* Every kind of damage: kin of the cases in shared/cases, and what else can be wrong with a file. */
#include <criterion/criterion.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "damage_kin.h"
#include "damage_more.h"
#include "support/damage.h"
#include "support/render.h"

static const char *find(const char *text, size_t length, const char *part)
{
    return memmem(text, length, part, strlen(part));
}

static void check_place(const struct kin *one, const struct trace *trace)
{
    const char *wanted = one->where != NULL ? find(one->text, one->length, one->where) : NULL;
    if (wanted == NULL)
        return;
    for (unsigned i = 0; i < NOTE_COUNT; i++) {
        const struct note_place *of = &trace->notes.of[i];
        if (of->count == 0)
            continue;
        unsigned long long place = (unsigned long long)(wanted - one->text), line = 1;
        for (const char *at = one->text; at < wanted; at++)
            line += *at == '\n';
        cr_expect_eq(of->offset, place, "%s: byte %llu, not %llu", one->of, (unsigned long long)of->offset, place);
        cr_expect_eq(of->line, line, "%s: line %llu, not %llu", one->of, (unsigned long long)of->line, line);
        return;
    }
}

static void check(const struct kin *one)
{
    struct error error = {0};
    struct trace *trace = trace_load_memory(one->text, one->length, "kin", &error);
    if (one->rows == NULL) {
        cr_expect_null(trace, "%s: no error", one->of);
        cr_expect_eq(error.code, ERROR_NOT_TRACE, "%s", one->of);
        cr_expect(strncmp(error.text, "kin: ", 5) == 0 && strcmp(error.text + 5, one->notes) == 0, "%s: %s", one->of,
            error.text);
        trace_free(trace);
        return;
    }
    cr_assert_not_null(trace, "%s: %s", one->of, error.text);
    char *rows = damage_rows(trace, one->words), *notes = damage_notes(trace);
    cr_expect_str_eq(rows, one->rows, "%s: the rows are\n%s", one->of, rows);
    cr_expect_str_eq(notes, one->notes, "%s: told is '%s'", one->of, notes);
    check_place(one, trace);
    free(rows);
    free(notes);
    trace_free(trace);
}

Test(damage_kin, kin_of_the_cases)
{
    for (size_t i = 0; i < KIN; i++)
        check(&kin[i]);
}

Test(damage_kin, beyond_the_cases)
{
    for (size_t i = 0; i < MORE; i++)
        check(&more[i]);
}
