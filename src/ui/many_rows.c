/* The same row in the open trace and over all ranks. */
#include <stdlib.h>

#include "keyavg/grouping.h"
#include "keyavg/many.h"
#include "rows.h"

/* The device tells rows of one name apart. */
static void add_key(const struct cell_facts *facts, const struct group *group, struct text *out)
{
    const struct grouping *grouping = &facts->groups->grouping;
    struct text scratch = {0};
    struct value value;
    for (int i = -1; i < GROUPING_PARTS; i++) {
        if (i >= 0 && !(grouping->parts & grouping_parts[i].part))
            continue;
        const struct column *column = column_find(span_of(i < 0 ? "device_type" : grouping_parts[i].column));
        group_value(facts, group, column, &value, &scratch);
        column_add_text(column, &value, TIME_AUTO, out);
        text_add(out, "", 1);
    }
    text_free(&scratch);
}

/* The first group with a key, UINT32_MAX none. */
static uint32_t find_group(const struct cell_facts *facts, struct span wanted)
{
    struct text key = {0};
    uint32_t found = UINT32_MAX;
    for (uint32_t i = 0; i < facts->groups->count && found == UINT32_MAX; i++) {
        text_clear(&key);
        add_key(facts, &facts->groups->items[i], &key);
        found = span_equal(text_span(&key), wanted) ? i : found;
    }
    text_free(&key);
    return found;
}

void many_forget_rows(struct many *many)
{
    struct many_rows *rows = &many->rows;
    if (!rows->made)
        return;
    groups_free(&rows->groups);
    stacks_free(&rows->stacks);
    strings_free(&rows->strings);
    free(rows->group_of);
    *rows = (struct many_rows){0};
}

/* What is told of the rows of the open trace; they are made first. */
static struct cell_facts facts_of_rows(const struct app *app)
{
    struct many_rows *rows = &app->many->rows;
    struct cell_facts facts = app->many->ranks->facts;
    if (!rows->made) {
        strings_init(&rows->strings);
        stacks_init(&rows->stacks);
        groups_init(&rows->groups, &app->table->query.grouping, &rows->strings, &rows->stacks);
        groups_take(&rows->groups, app->table->averages, 0, false, &rows->group_of);
        rows->made = true;
    }
    facts.groups = &rows->groups;
    return facts;
}

void many_add_key(const struct many *many, uint32_t row, struct text *out)
{
    add_key(&many->ranks->facts, &many->ranks->groups.items[row], out);
}

uint32_t many_find_row(const struct app *app, struct span key)
{
    struct cell_facts facts = facts_of_rows(app);
    uint32_t group = find_group(&facts, key);
    for (uint32_t i = 0; i < app->table->averages->count && group != UINT32_MAX; i++)
        if (app->many->rows.group_of[i] == group)
            return i;
    return UINT32_MAX;
}

void many_add_key_of(const struct app *app, uint32_t event, struct text *out)
{
    uint32_t row = rows_find(app, COMPARE_BASE, event);
    if (row == UINT32_MAX)
        return;
    struct cell_facts facts = facts_of_rows(app);
    add_key(&facts, &facts.groups->items[app->many->rows.group_of[row]], out);
}

uint32_t many_find(const struct app *app, uint32_t event)
{
    struct text key = {0};
    many_add_key_of(app, event, &key);
    uint32_t found = key.length > 0 ? find_group(&app->many->ranks->facts, text_span(&key)) : UINT32_MAX;
    text_free(&key);
    return found;
}
