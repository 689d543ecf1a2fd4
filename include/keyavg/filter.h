/* The filter language: which calls and which rows take part (keyavg(5); the words are in filter.c).
 *
 * Terms are separated by spaces and all must hold; `!` before a term turns it round. Terms on an event (name, kind,
 * scope, step, thread, shape) choose calls before they are grouped, terms on a column choose rows afterwards. */
#ifndef KEYAVG_FILTER_H
#define KEYAVG_FILTER_H

#include "keyavg/average.h"
#include "keyavg/column.h"
#include "keyavg/error.h"
#include "keyavg/text.h"

struct filter;
struct table;

/* Compiles an expression. NULL with `error` set, which says where and why; an empty expression gives a filter that lets
 * everything pass. Release with filter_free. */
struct filter *filter_parse(struct span text, struct error *error);
void filter_free(struct filter *filter);

/* The same once more, NULL of NULL; and whether two say the same. */
struct filter *filter_copy(const struct filter *filter);
bool filter_same(const struct filter *a, const struct filter *b);

/* Appends the expression: all of it, or without the terms on steps. */
void filter_add_text(const struct filter *filter, bool steps, struct text *out);

/* The terms on steps: whether there are some, their numbers (`3-5`), the terms themselves. */
bool filter_has_steps(const struct filter *filter);
bool filter_has_others(const struct filter *filter);
void filter_add_steps(const struct filter *filter, struct text *out);
void filter_add_step_terms(const struct filter *filter, struct text *out);

/* Whether it has terms on events, on columns. */
bool filter_on_events(const struct filter *filter);
bool filter_on_rows(const struct filter *filter);

/* Clears the bit of each event of the tree that does not pass; bits are 64 to a word, by event. */
void filter_select(const struct filter *filter, struct tree *tree, uint64_t *selected);

/* The same with the terms on kind, scope, step, thread and shape alone, and whether there are some. */
void filter_select_kinds(const struct filter *filter, struct tree *tree, uint64_t *selected);
bool filter_on_kinds(const struct filter *filter);

/* The column of the n-th term on one, from 0; NULL: there are fewer. */
const struct column *filter_column(const struct filter *filter, unsigned n);

/* Whether one event passes the terms on events. */
bool filter_event(const struct filter *filter, struct tree *tree, uint32_t event);

/* Whether the terms on events hold for all calls of a row or for none, under a grouping: what they ask is in its
 * key. */
bool filter_follows(const struct filter *filter, const struct grouping *grouping);

/* Whether a name passes the words and regular expressions; other terms are passed over. */
bool filter_name(const struct filter *filter, struct span name);

/* Whether a row of the table passes the terms on columns. Terms on facets (facet.h), which a table cannot know, are
 * left out. */
bool filter_row(const struct filter *filter, const struct table *table, uint32_t row);

/* Whether a row of anything else passes; `cell` gives its values. With `facets` only the terms on facets count, without
 * only the others. */
typedef void filter_cell(const void *context, uint32_t row, const struct column *column, struct value *out,
                         struct text *scratch);
bool filter_cells(const struct filter *filter, filter_cell *cell, const void *context, uint32_t row, bool facets);

/* The first column on which there is a term that only two traces, ranks or collectives can answer; NULL none. */
const struct column *filter_special_column(const struct filter *filter);

/* Whether a term is on a column that needs the durations of single calls. */
bool filter_wants_calls(const struct filter *filter);

/* What a group of calls says to the terms on events. */
struct filter_subject {
    struct span name, shapes;
    unsigned kinds;     /* one bit an event_kind that its calls have */
    int phase;          /* enum phase; -1: the calls are of several */
    int64_t step;       /* -1: of none; -2: of several */
};

/* Whether a whole group passes the terms on events. What it must tell is in filter_asks. */
bool filter_subject_passes(const struct filter *filter, const struct filter_subject *subject);

enum filter_asked { ASKS_PHASE = 1, ASKS_STEP = 2, ASKS_SHAPE = 4, ASKS_THREAD = 8, ASKS_KIND = 16 };
unsigned filter_asks(const struct filter *filter);

#endif
