/* The quality page: how calls lie in each other, and what leads from the CPU to the device. */
#include "keyavg/launches.h"
#include "quality.h"

/* -- Between the CPU and the device -------------------------------------------------------------------------------- */

static bool is_work(const struct tree *tree, uint32_t e)
{
    enum event_kind kind = event_kind(tree->trace, e);
    return kind_on_device(kind) && kind != KIND_DEVICE_ANNOTATION && tree->state[e] == STATE_ROW;
}

static bool is_unlinked(struct tree *tree, uint32_t e)
{
    return is_work(tree, e) && tree->owner[e] == NO_EVENT;
}

static bool is_orphan(struct tree *tree, uint32_t e)
{
    return is_work(tree, e) && tree_launches(tree)->rule[e] == LAUNCH_NONE;
}

static bool is_missing(struct tree *tree, uint32_t e)
{
    return launches_is_missing(tree->trace, tree_launches(tree), e);
}

static bool is_early(struct tree *tree, uint32_t e)
{
    const struct launches *launches = tree_launches(tree);
    return is_work(tree, e) && launches_is_early(tree->trace, launches, e);
}

static void add_picked(struct quality *quality, struct tree *tree, enum quality_part part, const char *name,
                       const char *title, const char *advice, quality_test *test, enum quality_state state)
{
    event_list picked = quality_pick(tree, test);
    quality_count(quality_add(quality, part, name, title, advice), state, &picked);
}

void quality_links(struct quality *quality, struct tree *tree)
{
    if (!tree->trace->has_device_call)
        return;
    add_picked(quality, tree, QUALITY_LINKS, "unlinked_device_events", "device events torch links to no op",
               "their time is in rows of their own, and in no op's device time", is_unlinked, QUALITY_NOTE);
    add_picked(quality, tree, QUALITY_LINKS, "device_events_without_op", "device events of no known op",
               "neither link nor correlation leads to an op: launched before the recording, or outside of any op",
               is_orphan, QUALITY_NOTE);
    add_picked(quality, tree, QUALITY_LINKS, "launches_without_device_event", "launches without device event",
               "what they launched is not in the file: the recording ended before, or events were lost", is_missing,
               QUALITY_NOTE);
    add_picked(quality, tree, QUALITY_LINKS, "early_device_events", "device events before their launch",
               "they start before the call that launched them: clocks of CPU and device differ", is_early,
               QUALITY_FAULT);
}

/* -- How calls lie in each other ----------------------------------------------------------------------------------- */

static bool is_unfinished(struct tree *tree, uint32_t e)
{
    const struct trace *trace = tree->trace;
    uint8_t flags = trace->events.flags[e];
    return (flags & EVENT_UNFINISHED) != 0 || ((flags & EVENT_ASYNC) != 0 && event_kind(trace, e) == KIND_OP);
}

void quality_calls(struct quality *quality, struct tree *tree)
{
    event_list crossing = {0};
    for (size_t i = 0; i < tree->crossing.count; i++)
        array_push(&crossing, tree->crossing.items[i]);
    struct text advice = {0};
    bool any = crossing.count > 0;
    text_add_string(&advice, !any ? "calls of a thread lie whole in each other, or apart"
                                  : "they begin inside of a call of their thread and end behind it: no child "
                                    "of it, so that ");
    if (any) {
        units_add_time(&advice, tree->overlap, TIME_AUTO);
        text_add_string(&advice, " count in the self time of both");
    }
    quality_count(quality_add(quality, QUALITY_TREE, "partial_overlaps", "calls that cross their neighbours",
                              advice.bytes),
                  QUALITY_NOTE, &crossing);
    text_free(&advice);
    add_picked(quality, tree, QUALITY_TREE, "unfinished_ops", "unfinished ops",
               "still running when the recording ended: no callers, no self time, durations up to that end",
               is_unfinished, QUALITY_NOTE);
}
