/* The filter language: what passes. */
#include <stdlib.h>

#include "filter_terms.h"
#include "keyavg/filter.h"
#include "keyavg/names.h"
#include "keyavg/steps.h"
#include "keyavg/table.h"

unsigned filter_kinds(struct span word)
{
    enum { DEVICE_KINDS = ((1u << KIND_COUNT) - 1) & ~((1u << KIND_KERNEL) - 1) };
    static const struct {
        const char *name;
        unsigned kinds;
    } kinds[] = {
        {"op", 1u << KIND_OP},
        {"annotation", 1u << KIND_ANNOTATION | 1u << KIND_DEVICE_ANNOTATION},
        {"python", 1u << KIND_PYTHON},
        {"runtime", 1u << KIND_RUNTIME},
        {"overhead", 1u << KIND_OVERHEAD},
        {"memory", 1u << KIND_MEMORY},
        {"kernel", 1u << KIND_KERNEL},
        {"memcpy", 1u << KIND_MEMCPY},
        {"memset", 1u << KIND_MEMSET},
        {"sync", 1u << KIND_SYNC},
        {"device", DEVICE_KINDS},
        {"cpu", (1u << KIND_KERNEL) - 1},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (span_is(word, kinds[i].name))
            return kinds[i].kinds;
    return 0;
}

static char lower(char c)
{
    return (char)(c >= 'A' && c <= 'Z' ? c + 32 : c);
}

static bool contains(struct span text, struct span word, bool exact)
{
    if (exact)
        return word.length == 0 || memmem(text.bytes, text.length, word.bytes, word.length) != NULL;
    for (size_t i = 0; i + word.length <= text.length; i++) {
        size_t same = 0;
        while (same < word.length && lower(text.bytes[i + same]) == lower(word.bytes[same]))
            same++;
        if (same == word.length)
            return true;
    }
    return word.length == 0;
}

static bool name_passes(const struct term *term, struct span name)
{
    if (term->kind == TERM_WORD)
        return contains(name, text_span(&term->word), term->exact_case);
    regmatch_t range = {.rm_so = 0, .rm_eo = (regoff_t)name.length};
    return regexec(&term->regex, name.bytes, 1, &range, REG_STARTEND) == 0;
}

static bool shape_passes(const struct term *term, struct span shapes, struct text *scratch)
{
    text_clear(scratch);
    for (size_t i = 0; i < shapes.length; i++)
        if (shapes.bytes[i] != ' ')
            text_add_char(scratch, shapes.bytes[i]);
    return contains(text_span(scratch), text_span(&term->word), true);
}

static bool thread_passes(const struct term *term, const struct trace *trace, uint32_t number)
{
    const struct thread *thread = &trace->threads.items[number];
    struct span wanted = text_span(&term->word);
    return span_equal(strings_get(&trace->strings, thread->tid), wanted) ||
           (thread->name != 0 && span_equal(strings_get(&trace->strings, thread->name), wanted));
}

/* What terms on events ask of a trace; `known` holds answers that were given before, by name, thread or inputs: 0 not
 * yet, 1 no, 2 yes (NULL: none are kept). */
struct asking {
    struct tree *tree;
    uint8_t *known;
};

static bool remembered(const struct asking *asking, bool (*ask)(const struct term *, const struct trace *, uint32_t),
                       const struct term *term, uint32_t number)
{
    if (asking->known == NULL)
        return ask(term, asking->tree->trace, number);
    uint8_t *answer = &asking->known[number];
    if (*answer == 0)
        *answer = ask(term, asking->tree->trace, number) ? 2 : 1;
    return *answer == 2;
}

static bool ask_name(const struct term *term, const struct trace *trace, uint32_t name)
{
    return name_passes(term, strings_get(&trace->strings, name));
}

static bool ask_inputs(const struct term *term, const struct trace *trace, uint32_t number)
{
    struct text scratch = {0};
    bool passes = shape_passes(term, strings_get(&trace->strings, trace->inputs.items[number].dims), &scratch);
    text_free(&scratch);
    return passes;
}

static bool step_passes(const struct term *term, struct tree *tree, uint32_t e)
{
    const struct steps *steps = tree_steps(tree);
    uint32_t step = steps->of[e];
    if (step == 0)
        return term->low < 0;
    return steps->numbers[step - 1] >= term->low && steps->numbers[step - 1] <= term->high;
}

static bool event_passes(const struct term *term, const struct asking *asking, uint32_t e)
{
    const struct trace *trace = asking->tree->trace;
    bool passes = true;
    switch (term->kind) {
    case TERM_WORD:
    case TERM_REGEX: passes = remembered(asking, ask_name, term, event_key(trace, e)); break;
    case TERM_KIND: passes = term->kinds >> event_kind(trace, e) & 1; break;
    case TERM_SCOPE: passes = tree_phases(asking->tree)[e] == term->phase; break;
    case TERM_STEP: passes = step_passes(term, asking->tree, e); break;
    case TERM_THREAD: passes = remembered(asking, thread_passes, term, tree_thread(asking->tree, e)); break;
    case TERM_SHAPE: passes = remembered(asking, ask_inputs, term, trace->events.inputs[e]); break;
    case TERM_COLUMN: return true;
    }
    return passes != term->negated;
}

static void apply(const struct term *term, struct tree *tree, uint64_t *selected)
{
    const struct trace *trace = tree->trace;
    size_t answers = trace->strings.count + trace->threads.count + trace->inputs.count;
    struct asking asking = {tree, memory_zero(answers + 1, 1)};
    for (uint32_t e = 0; e < tree->count; e++)
        if ((selected[e / 64] >> e % 64 & 1) && tree->state[e] == STATE_ROW && !event_passes(term, &asking, e))
            selected[e / 64] &= ~(UINT64_C(1) << e % 64);
    free(asking.known);
}

void filter_select(const struct filter *filter, struct tree *tree, uint64_t *selected)
{
    for (size_t i = 0; i < filter->terms.count; i++)
        if (filter->terms.items[i].kind != TERM_COLUMN)
            apply(&filter->terms.items[i], tree, selected);
}

/* Whether a term asks where a call belongs, not how it is called. */
static bool is_on_kinds(const struct term *term)
{
    return term->kind != TERM_WORD && term->kind != TERM_REGEX && term->kind != TERM_COLUMN;
}

void filter_select_kinds(const struct filter *filter, struct tree *tree, uint64_t *selected)
{
    for (size_t i = 0; i < filter->terms.count; i++)
        if (is_on_kinds(&filter->terms.items[i]))
            apply(&filter->terms.items[i], tree, selected);
}

bool filter_on_kinds(const struct filter *filter)
{
    bool any = false;
    for (size_t i = 0; i < filter->terms.count; i++)
        any = any || is_on_kinds(&filter->terms.items[i]);
    return any;
}

const struct column *filter_column(const struct filter *filter, unsigned n)
{
    for (size_t i = 0; i < filter->terms.count; i++)
        if (filter->terms.items[i].kind == TERM_COLUMN && n-- == 0)
            return filter->terms.items[i].column;
    return NULL;
}

bool filter_event(const struct filter *filter, struct tree *tree, uint32_t event)
{
    for (size_t i = 0; i < filter->terms.count; i++) {
        struct asking asking = {.tree = tree};
        if (!event_passes(&filter->terms.items[i], &asking, event))
            return false;
    }
    return true;
}

bool filter_follows(const struct filter *filter, const struct grouping *grouping)
{
    static const unsigned parts[] = {
        [TERM_WORD] = GROUP_NAME, [TERM_REGEX] = GROUP_NAME, [TERM_SCOPE] = GROUP_SCOPE, [TERM_STEP] = GROUP_STEP,
        [TERM_THREAD] = GROUP_THREAD, [TERM_KIND] = 0, [TERM_SHAPE] = 0,
    };
    for (size_t i = 0; i < filter->terms.count; i++)
        if (filter->terms.items[i].kind != TERM_COLUMN && (parts[filter->terms.items[i].kind] & grouping->parts) == 0)
            return false;
    return true;
}

bool filter_name(const struct filter *filter, struct span name)
{
    for (size_t i = 0; i < filter->terms.count; i++) {
        const struct term *term = &filter->terms.items[i];
        if ((term->kind == TERM_WORD || term->kind == TERM_REGEX) && name_passes(term, name) == term->negated)
            return false;
    }
    return true;
}

static bool compare(enum comparison comparison, double value, double number)
{
    switch (comparison) {
    case BELOW: return value < number;
    case AT_MOST: return value <= number;
    case EQUAL: return value >= number && value <= number;
    case UNEQUAL: return value < number || value > number;
    case AT_LEAST: return value >= number;
    case ABOVE: return value > number;
    }
    return false;
}

static bool is_special(const struct column *column)
{
    return column->need == NEED_TWO || column->need == NEED_RANKS || column->need == NEED_COLLECTIVES;
}

static bool value_passes(const struct term *term, const struct value *value)
{
    bool holds = false;
    if (value->kind == VALUE_TEXT)
        holds = span_equal(value->text, text_span(&term->word)) == (term->comparison == EQUAL);
    else if (value->kind != VALUE_UNKNOWN)
        holds = compare(term->comparison, value_real(value), term->number);
    return holds != term->negated;
}

bool filter_cells(const struct filter *filter, filter_cell *cell, const void *context, uint32_t row, bool facets)
{
    struct text scratch = {0};
    bool passes = true;
    for (size_t i = 0; i < filter->terms.count && passes; i++) {
        const struct term *term = &filter->terms.items[i];
        struct value value;
        if (term->kind != TERM_COLUMN || is_special(term->column) != facets)
            continue;
        cell(context, row, term->column, &value, &scratch);
        passes = value_passes(term, &value);
    }
    text_free(&scratch);
    return passes;
}

static void table_cell(const void *context, uint32_t row, const struct column *column, struct value *out,
                       struct text *scratch)
{
    table_value(context, row, column, out, scratch);
}

bool filter_row(const struct filter *filter, const struct table *table, uint32_t row)
{
    return filter_cells(filter, table_cell, table, row, false);
}

const struct column *filter_special_column(const struct filter *filter)
{
    for (size_t i = 0; i < filter->terms.count; i++)
        if (filter->terms.items[i].kind == TERM_COLUMN && is_special(filter->terms.items[i].column))
            return filter->terms.items[i].column;
    return NULL;
}

bool filter_wants_calls(const struct filter *filter)
{
    bool wants = false;
    for (size_t i = 0; i < filter->terms.count && !wants; i++)
        wants = filter->terms.items[i].kind == TERM_COLUMN && filter->terms.items[i].column->spread;
    return wants;
}

bool filter_subject_passes(const struct filter *filter, const struct filter_subject *subject)
{
    struct text scratch = {0};
    bool all = true;
    for (size_t i = 0; i < filter->terms.count && all; i++) {
        const struct term *term = &filter->terms.items[i];
        bool passes = true;
        switch (term->kind) {
        case TERM_WORD:
        case TERM_REGEX: passes = name_passes(term, subject->name); break;
        case TERM_KIND: passes = (term->kinds & subject->kinds) != 0; break;
        case TERM_SCOPE: passes = (int)term->phase == subject->phase; break;
        case TERM_STEP:
            passes = subject->step < 0 ? term->low < 0 : subject->step >= term->low && subject->step <= term->high;
            break;
        case TERM_SHAPE: passes = shape_passes(term, subject->shapes, &scratch); break;
        case TERM_THREAD:
        case TERM_COLUMN: continue;
        }
        all = passes != term->negated;
    }
    text_free(&scratch);
    return all;
}

unsigned filter_asks(const struct filter *filter)
{
    unsigned asked = 0;
    for (size_t i = 0; i < filter->terms.count; i++) {
        enum term_kind kind = filter->terms.items[i].kind;
        asked |= kind == TERM_SCOPE ? ASKS_PHASE : kind == TERM_STEP ? ASKS_STEP : kind == TERM_SHAPE ? ASKS_SHAPE
                                                : kind == TERM_THREAD ? ASKS_THREAD
                 : kind == TERM_KIND ? ASKS_KIND : 0u;
    }
    return asked;
}
