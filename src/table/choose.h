/* What of a trace a query lets into the table. */
#ifndef KEYAVG_TABLE_CHOOSE_H
#define KEYAVG_TABLE_CHOOSE_H

#include "keyavg/table.h"

/* Whether a query leaves some events out before they are grouped; and whether it leaves out whole groups of all events,
 * since what it asks is part of their key. */
bool choose_restricts(const struct query *query);
bool choose_follows(const struct query *query);

/* The groups of all events that such a query leaves: one byte each, to free(). */
uint8_t *choose_groups(const struct query *query, const struct averages *averages);

/* The events that pass scope, filter and settings, one bit each, to free(); NULL: all. */
uint64_t *choose_events(const struct query *query, struct tree *tree);

/* Fills table->kept with the rows that pass the filter's terms on columns. */
void choose_rows(struct table *table);

/* Puts the rows that are at or above query.hide_below first, in their order; returns how many they are. */
uint32_t choose_visible(const struct table *table, uint32_t *rows, uint32_t count);

/* Whether two queries choose the same events. */
bool choose_same_events(const struct query *a, const struct query *b);

/* Whether their terms on columns are the same. */
bool choose_same_rows(const struct query *a, const struct query *b);

/* Sums over all rows of the file in the query's python state: the base of shares `of all`. */
void choose_sum_file(const struct table *table, int64_t *self_cpu, int64_t *self_device);

#endif
