/* What a place in a trace's text looks like, told by the few bytes that follow it and not by what came before: the way
 * back into text that is broken. */
#ifndef KEYAVG_TRACE_PATTERN_H
#define KEYAVG_TRACE_PATTERN_H

#include <stdbool.h>

enum { PATTERN_LENGTH = 256 }; /* no pattern looks at more text than this, white space included */

/* The first place from `at` on, or `end`, that holds no white space. */
const char *pattern_skip_space(const char *at, const char *end);

/* Whether a `{` at `at` is followed by one of an event's keys. */
bool pattern_is_event_start(const char *at, const char *end);

/* Whether the list of events ends at `at` (`]`): the object ends too or goes on with a member that stands there. */
bool pattern_is_list_end(const char *at, const char *end);

/* Whether the key of a known member of the header, with its colon, stands at `at`. */
bool pattern_is_header_key(const char *at, const char *end);

/* Whether one stands somewhere from `at` on; or that of the list of events. */
bool pattern_holds_header_key(const char *at, const char *end);
bool pattern_holds_list_key(const char *at, const char *end);

#endif
