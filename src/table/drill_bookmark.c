/* Rows that are found again in a drill that was made anew. */
#include <stdlib.h>

#include "drill_ops.h"

/* A row's label, and the cells that tell it from others of that label. */
static void add_name(const struct drill *drill, uint32_t id, struct text *out)
{
    static const char *const telling[] = {"part", "link"};
    struct text scratch = {0};
    drill_add_label(drill, id, out);
    for (size_t i = 0; i < sizeof telling / sizeof *telling; i++) {
        struct value value;
        drill_value(drill, id, column_find(span_of(telling[i])), &value, &scratch);
        text_add_char(out, '\n');
        if (value.kind == VALUE_TEXT)
            text_add_span(out, value.text);
    }
    text_free(&scratch);
}

void drill_bookmark_set(struct drill_bookmark *bookmark, const struct drill *drill, const struct drill_row *row)
{
    struct text name = {0};
    add_name(drill, row->id, &name);
    free(bookmark->name);
    bookmark->name = memory_copy_text(name.bytes, name.length);
    bookmark->event = drill_event(drill, row->id);
    bookmark->depth = row->depth;
    text_free(&name);
}

void drill_bookmark_free(struct drill_bookmark *bookmark)
{
    free(bookmark->name);
    bookmark->name = NULL;
}

static bool is_named(const struct drill *drill, uint32_t id, const char *wanted, struct text *name)
{
    text_clear(name);
    add_name(drill, id, name);
    return strcmp(name->bytes, wanted) == 0;
}

uint32_t drill_bookmark_find(const struct drill_bookmark *bookmark, const struct drill *drill)
{
    uint32_t event = bookmark->event, holds = NO_EVENT, named = NO_EVENT, stands = NO_EVENT;
    struct text name = {0};
    if (bookmark->name == NULL)
        return NO_EVENT;
    if (event != NO_EVENT && drill->ops->row_of != NULL)
        holds = drill->ops->row_of(drill, event);
    bool found = holds != NO_EVENT && is_named(drill, holds, bookmark->name, &name);
    /* Calls are told apart by their events alone, and nodes where these are known. */
    bool by_name = drill->kind != DRILL_CALLS && (drill->ops->row_of == NULL || event == NO_EVENT);
    for (size_t i = 0; i < drill->rows.count && !found; i++) {
        const struct drill_row *row = &drill->rows.items[i];
        bool same = event != NO_EVENT && drill_event(drill, row->id) == event;
        if (same && stands == NO_EVENT)
            stands = row->id;
        if ((same || (by_name && named == NO_EVENT)) && row->depth == bookmark->depth &&
            is_named(drill, row->id, bookmark->name, &name)) {
            named = row->id;
            found = same;
        }
    }
    text_free(&name);
    return named != NO_EVENT ? named : holds != NO_EVENT ? holds : stands;
}
