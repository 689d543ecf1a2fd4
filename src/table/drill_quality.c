/* Quality: what the trace can and cannot tell, one fact a row. Always of the whole file. */
#include <stdlib.h>

#include "drill_ops.h"
#include "keyavg/quality.h"

static const struct quality_fact *fact_of(const struct drill *drill, uint32_t id)
{
    return &tree_quality(drill->tree)->facts.items[id];
}

static void build(struct drill *drill)
{
    tree_quality(drill->tree);
}

static void list(struct drill *drill)
{
    for (uint32_t i = 0; i < tree_quality(drill->tree)->facts.count; i++)
        drill_push(drill, i);
}

static void add_label(const struct drill *drill, uint32_t id, struct text *out)
{
    text_add_string(out, fact_of(drill, id)->title);
}

static void add_title(const struct drill *drill, struct text *out)
{
    const struct quality *quality = tree_quality(drill->tree);
    text_addf(out, "   %s%s", quality->faults > 0 ? "not clean: " : "", quality->verdict);
    if (quality->notes > 0)
        text_addf(out, "   %u note%s", quality->notes, quality->notes == 1 ? "" : "s");
}

/* -- Cells --------------------------------------------------------------------------------------------------------- */

#define CELL(name) static void name(const struct drill *drill, uint32_t id, struct value *out, struct text *scratch)

CELL(value_key)
{
    (void)scratch;
    set_text(out, span_of(fact_of(drill, id)->title));
}

CELL(value_found)
{
    quality_add_found(fact_of(drill, id), drill->table->query.unit, scratch);
    set_text(out, text_span(scratch));
}

CELL(value_state)
{
    (void)scratch;
    set_text(out, span_of(quality_state_names[fact_of(drill, id)->state]));
}

CELL(value_advice)
{
    (void)scratch;
    set_text(out, span_of(fact_of(drill, id)->advice));
}

CELL(value_section)
{
    (void)scratch;
    set_text(out, span_of(quality_part_names[fact_of(drill, id)->part]));
}

CELL(value_check)
{
    (void)scratch;
    set_text(out, span_of(fact_of(drill, id)->name));
}

/* Shares in per cent, so that three decimals tell something. */
CELL(value_amount)
{
    const struct quality_fact *fact = fact_of(drill, id);
    bool share = fact->unit == QUALITY_SHARE;
    int64_t percent = fact->amount, over = fact->over;
    (void)scratch;
    if (!fact->known)
        return;
    if (share && __builtin_mul_overflow(fact->amount, 100, &percent)) {
        percent = fact->amount;
        over = over / 100 > 0 ? over / 100 : 1;
    }
    if (over > 1)
        set_ratio(out, percent, over);
    else
        set_integer(out, percent);
}

CELL(value_unit)
{
    (void)scratch;
    set_text(out, span_of(quality_unit_names[fact_of(drill, id)->unit]));
}

CELL(value_events)
{
    (void)scratch;
    set_integer(out, fact_of(drill, id)->event_count);
}

CELL(value_event)
{
    const struct quality_fact *fact = fact_of(drill, id);
    (void)scratch;
    if (fact->event_count > 0)
        set_integer(out, fact->events[0]);
}

CELL(value_offset)
{
    const struct quality_fact *fact = fact_of(drill, id);
    (void)scratch;
    if (fact->offset <= INT64_MAX)
        set_integer(out, (int64_t)fact->offset);
}

CELL(value_line)
{
    const struct quality_fact *fact = fact_of(drill, id);
    (void)scratch;
    if (fact->offset <= INT64_MAX && fact->line > 0)
        set_integer(out, (int64_t)fact->line);
}

static const struct drill_cell cells[] = {
    {"key", false, value_key},        {"found", false, value_found}, {"state", false, value_state},
    {"advice", false, value_advice},  {"section", true, value_section}, {"check", true, value_check},
    {"amount", true, value_amount},   {"unit", true, value_unit},    {"events", true, value_events},
    {"event", true, value_event},     {"offset", true, value_offset}, {"line", true, value_line},
};

/* -- What rows lead to --------------------------------------------------------------------------------------------- */

static uint32_t event(const struct drill *drill, uint32_t id)
{
    const struct quality_fact *fact = fact_of(drill, id);
    return fact->event_count > 0 ? fact->events[0] : NO_EVENT;
}

static uint32_t *events(const struct drill *drill, uint32_t id, uint32_t *count)
{
    const struct quality_fact *fact = fact_of(drill, id);
    *count = fact->event_count;
    return drill_copy_events(fact->events, fact->event_count);
}

/* The tree keeps what the rows are made of. */
static void free_model(struct drill *drill)
{
    (void)drill;
}

const struct drill_ops drill_quality_ops = {
    .cells = cells,
    .cell_count = CELL_COUNT(cells),
    .build = build,
    .list = list,
    .whole = true,
    .add_label = add_label,
    .add_title = add_title,
    .events = events,
    .event = event,
    .free = free_model,
};
