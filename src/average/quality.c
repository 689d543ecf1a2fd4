#include "quality.h"

#include <inttypes.h>
#include <stdlib.h>

#include "keyavg/memory.h"

const char *const quality_part_names[QUALITY_PARTS] = {"recorded", "file", "links", "calls", "time", "rules"};
const char *const quality_state_names[QUALITY_STATES] = {"", "ok", "missing", "note", "fault"};
const char *const quality_unit_names[] = {"count", "ns", "percent", "flag", "factor"};

struct quality_fact *quality_add(struct quality *quality, enum quality_part part, const char *name, const char *title,
                                 const char *advice)
{
    array_push(&quality->facts, (struct quality_fact){
                                    .name = name, .title = title, .part = (uint8_t)part, .known = true, .over = 1,
                                    .advice = memory_copy_text(advice, strlen(advice)), .offset = UINT64_MAX});
    return &quality->facts.items[quality->facts.count - 1];
}

void quality_count(struct quality_fact *fact, enum quality_state state, event_list *events)
{
    fact->unit = QUALITY_COUNT;
    fact->amount = (int64_t)events->count;
    fact->events = events->items;
    fact->event_count = (uint32_t)events->count;
    fact->state = (uint8_t)(fact->amount > 0 ? state : QUALITY_OK);
    *events = (event_list){0};
}

event_list quality_pick(struct tree *tree, quality_test *test)
{
    event_list picked = {0};
    for (uint32_t e = 0; e < tree->count; e++)
        if (test(tree, e))
            array_push(&picked, e);
    return picked;
}

void quality_add_found(const struct quality_fact *fact, enum time_unit unit, struct text *out)
{
    if (!fact->known) {
        text_add_string(out, "--");
        return;
    }
    switch ((enum quality_unit)fact->unit) {
    case QUALITY_COUNT: text_addf(out, "%" PRId64, fact->amount); break;
    case QUALITY_NS: units_add_time(out, fact->amount, unit); break;
    case QUALITY_SHARE: units_add_share(out, (double)fact->amount / (double)fact->over); break;
    case QUALITY_FLAG: text_add_string(out, fact->amount != 0 ? "yes" : "no"); break;
    case QUALITY_TIMES: text_addf(out, "%.2fx", (double)fact->amount / (double)fact->over); break;
    }
}

const struct quality_fact *quality_find(const struct quality *quality, const char *name)
{
    for (size_t i = 0; i < quality->facts.count; i++)
        if (strcmp(quality->facts.items[i].name, name) == 0)
            return &quality->facts.items[i];
    return NULL;
}

/* -- The verdict --------------------------------------------------------------------------------------------------- */

static char *make_verdict(const struct quality *quality)
{
    struct text line = {0};
    for (size_t i = 0; i < quality->facts.count; i++) {
        const struct quality_fact *fact = &quality->facts.items[i];
        if (fact->state != QUALITY_FAULT)
            continue;
        text_addf(&line, "%s%s", line.length > 0 ? "; " : "", fact->title);
        if (fact->known) {
            text_add_char(&line, ' ');
            quality_add_found(fact, TIME_AUTO, &line);
        }
    }
    if (line.length == 0)
        text_add_string(&line, "clean");
    return line.bytes;
}

const struct quality *tree_quality(struct tree *tree)
{
    if (tree->quality != NULL)
        return tree->quality;
    struct quality *quality = memory_zero(1, sizeof *quality);
    quality_recorded(quality, tree);
    quality_read(quality, tree);
    quality_links(quality, tree);
    quality_calls(quality, tree);
    quality_times(quality, tree);
    quality_rules(quality, tree);
    for (size_t i = 0; i < quality->facts.count; i++) {
        quality->faults += quality->facts.items[i].state == QUALITY_FAULT;
        quality->notes += quality->facts.items[i].state == QUALITY_NOTE;
    }
    quality->verdict = make_verdict(quality);
    return tree->quality = quality;
}

void quality_free(struct quality *quality)
{
    if (quality == NULL)
        return;
    for (size_t i = 0; i < quality->facts.count; i++) {
        free(quality->facts.items[i].advice);
        free(quality->facts.items[i].events);
    }
    array_free(&quality->facts);
    free(quality->verdict);
    free(quality);
}
