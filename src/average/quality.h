/* What the files of the quality page give to each other. */
#ifndef KEYAVG_AVERAGE_QUALITY_H
#define KEYAVG_AVERAGE_QUALITY_H

#include "keyavg/quality.h"

typedef ARRAY(uint32_t) event_list;

/* Adds a fact; `advice` is copied. */
struct quality_fact *quality_add(struct quality *quality, enum quality_part part, const char *name, const char *title,
                                 const char *advice);

/* Sets a count and what it is about; above 0 the fact has this state, else it is OK. Takes the list over. */
void quality_count(struct quality_fact *fact, enum quality_state state, event_list *events);

/* All events that a test picks. */
typedef bool quality_test(struct tree *tree, uint32_t event);
event_list quality_pick(struct tree *tree, quality_test *test);

/* The facts of one part each, in the order of enum quality_part. */
void quality_recorded(struct quality *quality, struct tree *tree);
void quality_read(struct quality *quality, struct tree *tree);
void quality_links(struct quality *quality, struct tree *tree);
void quality_calls(struct quality *quality, struct tree *tree);
void quality_times(struct quality *quality, struct tree *tree);
void quality_rules(struct quality *quality, struct tree *tree);

#endif
