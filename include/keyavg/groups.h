/* Groups that stand on their own: keys of text and sums that add up, without the trace they were made of. What two
 * traces or a thousand ranks are joined by. */
#ifndef KEYAVG_GROUPS_H
#define KEYAVG_GROUPS_H

#include "keyavg/average.h"
#include "keyavg/histogram.h"

/* What is summed over the calls of a group. */
enum measure {
    MEASURE_CALLS,
    MEASURE_CPU, /* times in ns */
    MEASURE_SELF_CPU,
    MEASURE_DEVICE,
    MEASURE_SELF_DEVICE,
    MEASURE_MEMORY, /* four, in bytes, by enum memory_column */
    MEASURE_FLOPS = MEASURE_MEMORY + 4,
    MEASURES,
    MEASURE_TIMES = 4, /* from MEASURE_CPU on */
};

enum group_side { SIDE_DEVICE = 1, SIDE_ANNOTATION = 2 };

/* What the calls of a group share. Parts that the grouping does not have are 0. No padding: compared as bytes. */
struct group_key {
    int64_t step;       /* the profiler's number, -1: in no step */
    uint32_t name;      /* strings: torch's key */
    uint32_t overload, shapes, types, thread, module, lane; /* strings; 0 none */
    uint32_t stack;     /* stacks: the innermost frame's node */
    int32_t node;       /* torch's node id, -1 none */
    uint8_t phase;      /* enum phase */
    uint8_t side;       /* enum group_side; without the name in the key as averages keep sides apart */
    uint16_t zero;
};

/* One measure over the ranks that have the group: the extremes and the sources they are of. */
struct group_over {
    uint32_t present; /* sources that have the group; 0: the rest is not known */
    int64_t low[MEASURES], high[MEASURES];
    uint32_t low_at[MEASURES], high_at[MEASURES];
};

struct group {
    struct group_key key;
    uint32_t hash;
    uint32_t source;          /* the only one, while `over` is NULL */
    uint16_t kinds;           /* one bit an event_kind of its calls */
    uint8_t scope;            /* torch's RecordScope number; the lowest of what was merged */
    bool async, top_level;    /* of the first call; of any that was merged */
    int64_t sums[MEASURES];   /* a sum beyond int64 wraps around */
    int64_t min, max;         /* ns: of a call's CPU total; a device event's duration */
    unsigned __int128 squares[MEASURE_TIMES]; /* sums of the squares of each call's times */
    struct histogram histogram; /* of what min and max are of; empty unless asked for */
    struct group_over *over;    /* owned; NULL: of one source */
};

struct groups {
    struct grouping grouping;
    struct strings *strings; /* borrowed, shared by tables that are to be compared */
    struct stacks *stacks;   /* likewise; frames are of `strings` */
    struct group *items;
    uint32_t count, capacity;
    uint32_t *slots, mask;   /* number + 1, 0 free */
};

void groups_init(struct groups *groups, const struct grouping *grouping, struct strings *strings,
                 struct stacks *stacks);
void groups_free(struct groups *groups);

/* The number of the group with this key; UINT32_MAX when there is none. */
uint32_t groups_find(const struct groups *groups, const struct group_key *key);

/* The same, made when it is new: all sums 0, min above max. */
uint32_t groups_add(struct groups *groups, const struct group_key *key);

/* Adds the calls of all rows of one trace as those of `source`. Threads and streams have other numbers in each process:
 * they are named by the order of their first events (`thread 1`), streams of one device without its number. Addresses
 * in Python frames become `0x...`, which may join rows that differ in nothing else. With `histograms` the calls'
 * durations are counted too, which takes most of the time. `group_of` (NULL: not wanted) is set to the group of each
 * row, to free(). */
void groups_take(struct groups *groups, struct averages *averages, uint32_t source, bool histograms,
                 uint32_t **group_of);

/* Whether source a comes before source b, for equal extremes; told with the numbers that groups_merge puts in. */
typedef bool source_before(const void *context, uint32_t a, uint32_t b);

/* Adds another table's groups, which must be of the same grouping. Its sources have `first_source` added to their
 * numbers. `group_of` as above, by groups of `from`. */
void groups_merge(struct groups *into, const struct groups *from, uint32_t first_source, source_before *before,
                  const void *context, uint32_t **group_of);

/* Fills an empty table, which has the same strings or its own, from one that is grouped by more: parts of the key that
 * `into` lacks are dropped, stacks cut to its depth; only groups that `passes` (NULL: all) lets through. Where that
 * joins groups of several sources, the extremes over sources are lost. */
typedef bool group_passes(const void *context, const struct groups *groups, const struct group *group);
void groups_project(struct groups *into, const struct groups *from, group_passes *passes, const void *context);

/* Gives steps other numbers; none of them may be in a key already. */
void groups_renumber_steps(struct groups *groups, const int64_t *from, const int64_t *to, uint32_t count);

/* The extremes over sources; of a group that is of one source they are its sums. */
struct group_over group_extremes(const struct group *group);

/* The standard deviation of the calls, over n, in ns, of one of the times; 0 for less than one call. */
double group_deviation(const struct group *group, enum measure measure);

/* The number of frames of a key's stack; fills at most `room` of `lines`, innermost first. */
uint32_t group_stack(const struct groups *groups, const struct group_key *key, struct span *lines, uint32_t room);

#endif
