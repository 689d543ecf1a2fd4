/* What of a summary answers a query. */
#ifndef KEYAVG_SELECT_H
#define KEYAVG_SELECT_H

#include "keyavg/filter.h"
#include "keyavg/query.h"
#include "keyavg/summary.h"

/* The table that has all that grouping, scope and the filter's terms on events ask for; -1 with a usage error that
 * names what a summary cannot tell. `stack_depth` is the summary's, or negative when that is not known yet. */
int select_table(const struct query *query, const struct filter *filter, int stack_depth, struct error *error);

/* Fills an empty table, whose grouping is the query's, with those groups of the summary that pass scope and filter.
 * False with `error` set as above. */
bool select_groups(const struct summary *summary, const struct query *query, const struct filter *filter,
                   struct groups *into, struct error *error);

#endif
