/* The filter language: which calls and which rows take part (keyavg(5); the words are in filter.c).
 *
 * Terms are separated by spaces and all must hold; `!` before a term turns it round. Terms on an event (name, kind,
 * scope, step, thread, shape) choose calls before they are grouped, terms on a column choose rows afterwards. */
#ifndef KEYAVG_FILTER_H
#define KEYAVG_FILTER_H

#include "keyavg/error.h"
#include "keyavg/text.h"
#include "keyavg/tree.h"

struct filter;
struct table;

/* Compiles an expression. NULL with `error` set, which says where and why; an empty expression gives a filter that lets
 * everything pass. Release with filter_free. */
struct filter *filter_parse(struct span text, struct error *error);
void filter_free(struct filter *filter);

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

/* Whether a row of the table passes the terms on columns. */
bool filter_row(const struct filter *filter, const struct table *table, uint32_t row);

#endif
