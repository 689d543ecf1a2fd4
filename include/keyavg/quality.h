/* What a trace can and cannot tell, and how far its numbers can be trusted: one list of facts, each with the events
 * that it is about. The page, --view quality and the verdict in the title are made of it. */
#ifndef KEYAVG_QUALITY_H
#define KEYAVG_QUALITY_H

#include "keyavg/tree.h"
#include "keyavg/units.h"

enum quality_part {
    QUALITY_RECORDED, /* what the profiler was told to record */
    QUALITY_READ,     /* the file: what was read, skipped, repaired */
    QUALITY_LINKS,    /* between the CPU and the device */
    QUALITY_TREE,     /* how calls lie in each other */
    QUALITY_TIME,     /* clocks, busy and idle time */
    QUALITY_RULES,    /* the six of torch's own trace validator (semantics.md 10) */
    QUALITY_PARTS
};

enum quality_state {
    QUALITY_PLAIN,   /* a fact, neither good nor bad */
    QUALITY_OK,
    QUALITY_MISSING, /* not recorded; the advice says what would have recorded it */
    QUALITY_NOTE,    /* to be known when reading the numbers */
    QUALITY_FAULT,   /* numbers are wrong or lost because of it: the trace is not clean */
    QUALITY_STATES
};

enum quality_unit { QUALITY_COUNT, QUALITY_NS, QUALITY_SHARE, QUALITY_FLAG, QUALITY_TIMES };

struct quality_fact {
    const char *name;  /* for programs: `early_device_events` */
    const char *title; /* for people, without a number */
    uint8_t part, state, unit;
    bool known;        /* else it does not apply to this file */
    int64_t amount;    /* a count, ns, 0 or 1; of shares and factors over `over` */
    int64_t over;      /* > 0 */
    char *advice;      /* owned: what it means, or what to do; never NULL */
    uint64_t offset, line; /* of a note, as in struct note_place; offset UINT64_MAX: none */
    uint32_t *events;  /* owned: what it is about, in list order */
    uint32_t event_count;
};

struct quality {
    ARRAY(struct quality_fact) facts;
    unsigned faults, notes; /* how many facts are such */
    char *verdict;          /* owned: one line: `clean`, or every fault with its number */
};

extern const char *const quality_part_names[QUALITY_PARTS];
extern const char *const quality_state_names[QUALITY_STATES]; /* empty for plain ones */

/* `count`, `ns`, `percent`, `flag`, `factor`. */
extern const char *const quality_unit_names[];

/* Found once and kept by the tree. O(n). */
const struct quality *tree_quality(struct tree *tree);
void quality_free(struct quality *quality);

/* Appends a fact's number as people read it: `12`, `1.5ms`, `31.2%`, `yes`; `--` where it is not known. */
void quality_add_found(const struct quality_fact *fact, enum time_unit unit, struct text *out);

/* By its name, NULL when there is none. */
const struct quality_fact *quality_find(const struct quality *quality, const char *name);

#endif
