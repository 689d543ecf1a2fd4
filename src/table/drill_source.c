/* What drills are about: keys, subjects, names. */
#include <stdlib.h>

#include "drill_ops.h"
#include "keyavg/launches.h"
#include "keyavg/names.h"
#include "keyavg/nearest.h"
#include "keyavg/pairs.h"
#include "keyavg/utf8.h"
#include "keyavg/workers.h"

/* -- Source ------------------------------------------------------------------------------------------------------ */

static bool is_current(const struct drill_source *source)
{
    const struct keys *keys = source->keys;
    const struct grouping *grouping = &source->table->query.grouping;
    return keys != NULL && keys->tree == source->table->tree && keys->grouping.parts == grouping->parts &&
           keys->grouping.stack_depth == grouping->stack_depth &&
           keys->grouping.full_list_shapes == grouping->full_list_shapes &&
           (keys->grouping.python == PYTHON_LEFT_OUT) == (grouping->python == PYTHON_LEFT_OUT);
}

struct keys *drill_source_keys(struct drill_source *source)
{
    if (!is_current(source)) {
        drill_source_clear(source);
        source->keys = keys_build(source->table->tree, &source->table->query.grouping);
    }
    return source->keys;
}

void drill_source_clear(struct drill_source *source)
{
    if (source->keys != NULL)
        keys_free(source->keys);
    source->keys = NULL;
}

static void prepare(void *context, unsigned number)
{
    if (number == 0)
        tree_launches(context);
    else
        tree_pairs(context);
}

void drill_prepare(struct table *table)
{
    workers_run(prepare, table->tree, 2, trace_workers(table->trace));
}

/* -- Subjects ---------------------------------------------------------------------------------------------------- */

void drill_subject_free(struct drill_subject *subject)
{
    free(subject->events);
    free(subject->name);
    subject->events = NULL;
    subject->name = NULL;
    subject->count = 0;
}

uint32_t *drill_copy_events(const uint32_t *events, uint32_t count)
{
    uint32_t *list = memory_alloc(((size_t)count + 1) * sizeof *list);
    if (count > 0)
        memcpy(list, events, count * sizeof *list);
    return list;
}

struct drill_subject drill_subject_copy(const struct drill_subject *subject)
{
    struct drill_subject copy = *subject;
    if (subject->events != NULL) {
        copy.events = drill_copy_events(subject->events, subject->count);
    }
    if (subject->name != NULL)
        copy.name = memory_copy_text(subject->name, strlen(subject->name));
    return copy;
}

/* Whether the table shows less than all events. */
static bool restricted(const struct table *table)
{
    return table->restricted || table->kept_count != table->averages->count || table->query.top_level_only;
}

static uint32_t *all_events(const struct table *table, uint32_t *count)
{
    const struct averages *averages = table->averages;
    uint64_t *rows = memory_zero((size_t)averages->count / 64 + 1, sizeof *rows);
    for (uint32_t i = 0; i < table->count + table->left_out + table->hidden; i++)
        rows[table->order[i] / 64] |= UINT64_C(1) << table->order[i] % 64;
    uint32_t *events = memory_alloc(((size_t)table->tree->count + 1) * sizeof *events);
    *count = 0;
    for (uint32_t e = 0; e < table->tree->count; e++) {
        uint32_t row = averages->row_of[e];
        if (row != NO_EVENT && rows[row / 64] >> row % 64 & 1)
            events[(*count)++] = e;
    }
    free(rows);
    return events;
}

uint32_t *drill_subject_events(struct drill_source *source, const struct drill_subject *subject, uint32_t *count)
{
    struct table *table = source->table;
    *count = 0;
    if (subject->about == DRILL_OF_ALL)
        return restricted(table) ? all_events(table, count) : NULL;
    if (subject->about == DRILL_OF_KEY) {
        struct keys *keys = drill_source_keys(source);
        uint32_t key = keys->of[tree_row_event(table->tree, subject->event)];
        return key != NO_EVENT ? keys_chosen_calls(keys, table->averages, key, count) : memory_alloc(0);
    }
    struct drill_subject copy = drill_subject_copy(subject);
    *count = copy.count;
    free(copy.name);
    return copy.events != NULL ? copy.events : memory_alloc(0);
}

/* -- Another trace ----------------------------------------------------------------------------------------------- */

/* The key of a label, NO_EVENT none. */
static uint32_t key_of_label(struct drill_source *source, struct span label)
{
    const struct table *table = source->table;
    const struct drill probe = {.keys = drill_source_keys(source), .table = source->table, .tree = table->tree,
                                .trace = table->trace};
    struct text text = {0};
    uint32_t found = NO_EVENT;
    for (uint32_t key = 0; key < probe.keys->count && found == NO_EVENT; key++) {
        text_clear(&text);
        drill_add_key(&probe, key, &text);
        if (span_equal(text_span(&text), label))
            found = key;
    }
    text_free(&text);
    return found;
}

static bool move_key(const struct drill *from, struct drill_source *to, drill_same_event *same,
                     struct drill_subject *subject)
{
    struct text label = {0};
    subject->event = same(from->trace, from->subject.event, to->table->trace);
    if (subject->event == NO_EVENT) {
        drill_add_subject(from, &label);
        uint32_t key = key_of_label(to, text_span(&label));
        subject->event = key != NO_EVENT ? to->keys->first[key] : NO_EVENT;
        text_free(&label);
    }
    return subject->event != NO_EVENT;
}

bool drill_subject_move(const struct drill *from, struct drill_source *to, drill_same_event *same,
                        struct drill_subject *subject)
{
    *subject = drill_subject_copy(&from->subject);
    if (subject->about == DRILL_OF_ALL)
        return true;
    if (subject->about == DRILL_OF_KEY)
        return move_key(from, to, same, subject);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < subject->count; i++) {
        uint32_t event = same(from->trace, subject->events[i], to->table->trace);
        if (event != NO_EVENT)
            subject->events[kept++] = event;
    }
    subject->count = kept;
    subject->event = subject->event != NO_EVENT ? same(from->trace, subject->event, to->table->trace) : NO_EVENT;
    if (kept == 0)
        drill_subject_free(subject);
    return kept > 0;
}

/* -- Names ------------------------------------------------------------------------------------------------------- */

/* A mark and a number at the end, `#k`: the number, 0 none; `name` loses it. */
static uint32_t take_number(struct span *name, char mark)
{
    size_t at = name->length;
    uint64_t number = 0, scale = 1;
    while (at > 0 && name->bytes[at - 1] >= '0' && name->bytes[at - 1] <= '9' && scale < 10000000000) {
        number += scale * (uint64_t)(name->bytes[--at] - '0');
        scale *= 10;
    }
    if (at == name->length || at == 0 || name->bytes[at - 1] != mark || number > UINT32_MAX)
        return 0;
    name->length = at - 1;
    return (uint32_t)number;
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* The rows of a name in order of first appearance, or all as they are shown where it is empty; their number. */
static uint32_t rows_of_name(const struct table *table, struct span name, uint32_t *rows)
{
    struct text scratch = {0};
    uint32_t count = 0;
    for (uint32_t i = 0; i < table->count + table->left_out; i++)
        if (name.length == 0 || span_equal(table_row_label(table, table->order[i], &scratch), name))
            rows[count++] = table->order[i];
    text_free(&scratch);
    if (name.length > 0 && count > 1)
        qsort(rows, count, sizeof *rows, by_number);
    return count;
}

static bool take_rows(struct drill_source *source, const uint32_t *rows, uint32_t count, struct span name,
                      struct drill_subject *subject)
{
    const struct averages *averages = source->table->averages;
    if (count == 1) {
        *subject = (struct drill_subject){.about = DRILL_OF_KEY, .event = averages->rows[rows[0]].first};
        return true;
    }
    /* Several rows of a name are taken together. */
    uint64_t *chosen = keys_select_rows(averages, rows, count);
    struct text label = {0};
    *subject = (struct drill_subject){.about = DRILL_OF_EVENTS, .event = NO_EVENT};
    subject->events = memory_alloc(((size_t)source->table->tree->count + 1) * sizeof *subject->events);
    for (uint32_t e = 0; e < source->table->tree->count; e++)
        if (chosen[e / 64] >> e % 64 & 1)
            subject->events[subject->count++] = e;
    text_add_span(&label, name);
    text_addf(&label, " (%u rows)", count);
    subject->name = memory_copy_text(label.bytes, label.length);
    text_free(&label);
    free(chosen);
    return true;
}

/* A name that is in the tree and in no row: the k-th key of it. */
static bool take_key(struct drill_source *source, struct span name, uint32_t number, struct drill_subject *subject)
{
    struct keys *keys = drill_source_keys(source);
    const struct trace *trace = source->table->trace;
    uint32_t found = 0;
    for (uint32_t key = 0; key < keys->count; key++) {
        if (!span_equal(strings_get(&trace->strings, event_key(trace, keys->first[key])), name))
            continue;
        if (++found == (number != 0 ? number : 1)) {
            *subject = (struct drill_subject){.about = DRILL_OF_KEY, .event = keys->first[key]};
            return true;
        }
    }
    return false;
}

static bool not_found(struct drill_source *source, struct span name, uint32_t number, uint32_t rows,
                      struct error *error)
{
    struct text shown = {0}, near = {0}, scratch = {0};
    struct nearest nearest;
    utf8_add_fitted(&shown, name, 60, UTF8_CUT_MIDDLE, false);
    if (number != 0 && rows > 0) {
        error_set(error, ERROR_USAGE, "there %s only %u row%s of '%s', no #%u", rows == 1 ? "is" : "are", rows,
                  rows == 1 ? "" : "s", shown.length > 0 ? shown.bytes : "any name", number);
    } else {
        nearest_init(&nearest, name);
        for (uint32_t i = 0; i < source->table->count; i++) {
            struct span label = table_row_label(source->table, source->table->order[i], &scratch);
            struct text word = {0};
            utf8_add_fitted(&word, label, 120, UTF8_CUT_END, false);
            const char *before = nearest.name;
            nearest_offer(&nearest, word.length > 0 ? word.bytes : "");
            if (nearest.name != before) {
                text_free(&near);
                near = word;
            } else {
                text_free(&word);
            }
        }
        error_set(error, ERROR_USAGE, "no row '%s'%s%s%s", shown.length > 0 ? shown.bytes : "",
                  near.length > 0 ? "; did you mean '" : "; names are as they stand in the table",
                  near.length > 0 ? near.bytes : "", near.length > 0 ? "'?" : "");
    }
    text_free(&shown);
    text_free(&near);
    text_free(&scratch);
    return false;
}

static struct drill_subject one_call(const struct trace *trace, uint32_t event)
{
    struct span name = strings_get(&trace->strings, event_key(trace, event));
    return (struct drill_subject){
        .about = DRILL_OF_EVENTS,
        .event = NO_EVENT,
        .events = drill_copy_events(&event, 1),
        .count = 1,
        .name = memory_copy_text(name.bytes, name.length),
    };
}

/* One call of what a name says. */
static bool take_call(struct drill_source *source, struct span name, uint32_t number, struct drill_subject *subject,
                      struct error *error)
{
    struct drill_subject all;
    struct text shown = {0};
    uint32_t count;
    if (!drill_subject_find(source, name, &all, error))
        return false;
    uint32_t *events = drill_subject_events(source, &all, &count);
    bool found = number <= count;
    if (found)
        *subject = one_call(source->table->trace, events[number - 1]);
    utf8_add_fitted(&shown, name, 60, UTF8_CUT_MIDDLE, false);
    if (!found)
        error_set(error, ERROR_USAGE, "there %s only %u call%s of '%s', no @%u", count == 1 ? "is" : "are", count,
                  count == 1 ? "" : "s", shown.bytes, number);
    free(events);
    text_free(&shown);
    drill_subject_free(&all);
    return found;
}

bool drill_subject_find(struct drill_source *source, struct span name, struct drill_subject *subject,
                        struct error *error)
{
    const struct table *table = source->table;
    uint32_t *rows = memory_alloc(((size_t)table->averages->count + 1) * sizeof *rows);
    uint32_t number = 0, count = name.length > 0 ? rows_of_name(table, name, rows) : 0;
    bool found = count > 0 || take_key(source, name, 0, subject);
    /* A name may itself end in # or @ and a number. */
    struct span row = name;
    uint32_t call = found ? 0 : take_number(&row, '@');
    if (call != 0) {
        free(rows);
        return take_call(source, row, call, subject, error);
    }
    if (!found) {
        number = take_number(&name, '#');
        count = number != 0 ? rows_of_name(table, name, rows) : 0;
        if (number != 0 && count >= number)
            found = take_rows(source, &rows[number - 1], 1, name, subject);
        else if (number != 0 && count == 0 && name.length > 0)
            found = take_key(source, name, number, subject);
    } else if (count > 0) {
        take_rows(source, rows, count, name, subject);
    }
    if (!found)
        not_found(source, name, number, count, error);
    free(rows);
    return found;
}

/* -- As text ----------------------------------------------------------------------------------------------------- */

/* Whether a text names the subject, of an event's page its first event. */
static bool names_subject(struct drill_source *source, const struct drill *drill, struct span text)
{
    struct drill_subject found = {.about = DRILL_OF_ALL};
    struct error error = {0};
    uint32_t count, found_count;
    if (!drill_subject_find(source, text, &found, &error))
        return false;
    uint32_t *events = drill_subject_events(source, &drill->subject, &count);
    uint32_t *others = drill_subject_events(source, &found, &found_count);
    bool page = drill->kind == DRILL_EVENT && count > 0 && found_count > 0;
    bool same = events != NULL && others != NULL && (page || count == found_count) &&
                memcmp(events, others, (page ? 1 : count) * sizeof *events) == 0;
    free(events);
    free(others);
    drill_subject_free(&found);
    return same;
}

/* Appends `@k`, what of the calls that a name says the event is; nothing where it is none of them. */
static void add_call(const struct drill *drill, uint32_t event, struct text *name)
{
    struct drill_subject all;
    struct error error = {0};
    uint32_t count;
    if (!drill_subject_find(drill->source, text_span(name), &all, &error))
        return;
    uint32_t *events = drill_subject_events(drill->source, &all, &count);
    uint32_t place = array_place(events, count, event);
    if (place < count && events[place] == event)
        text_addf(name, "@%u", place + 1);
    free(events);
    drill_subject_free(&all);
}

bool drill_add_focus(const struct drill *drill, struct text *out)
{
    enum { MOST = 10000 };
    struct drill_source *source = drill->source;
    const struct drill_subject *subject = &drill->subject;
    if (subject->about == DRILL_OF_ALL || drill->ops->whole)
        return true;
    uint32_t event = subject->about == DRILL_OF_KEY ? subject->event
                     : subject->count > 0           ? subject->events[0]
                                                    : NO_EVENT;
    if (event == NO_EVENT)
        return false;
    const struct averages *averages = source->table->averages;
    uint32_t row = averages->row_of[tree_row_event(source->table->tree, event)];
    struct text scratch = {0}, name = {0};
    if (row != NO_EVENT)
        text_add_span(&name, table_row_label(source->table, row, &scratch));
    else
        drill_add_event_name(drill, event, &name);
    size_t length = name.length;
    bool named = names_subject(source, drill, text_span(&name));
    if (!named && subject->about == DRILL_OF_EVENTS && subject->count == 1) {
        add_call(drill, event, &name);
        named = names_subject(source, drill, text_span(&name));
    }
    for (uint32_t k = 1; k < MOST && !named; k++) {
        struct drill_subject subject_k = {.about = DRILL_OF_ALL};
        struct error error = {0};
        name.length = length;
        text_addf(&name, "#%u", k);
        if (!drill_subject_find(source, text_span(&name), &subject_k, &error))
            break;
        drill_subject_free(&subject_k);
        named = names_subject(source, drill, text_span(&name));
    }
    if (!named)
        name.length = length;
    text_add_span(out, text_span(&name));
    text_free(&scratch);
    text_free(&name);
    return named;
}
