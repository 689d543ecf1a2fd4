/* Collectives for the writers. */
#include <stdlib.h>

#include "keyavg/cells.h"
#include "keyavg/collectives.h"

/* -- Cells ------------------------------------------------------------------------------------------------------- */

static struct value text_of(const struct collectives *collectives, uint32_t number)
{
    return (struct value){
        .kind = VALUE_TEXT, .over = 1, .text = strings_get(&collectives->roll.whole->strings, number)};
}

void collectives_value(const struct collectives *collectives, uint32_t number, const struct column *column,
                       struct value *out, struct text *scratch)
{
    const struct collective *item = &collectives->items.items[number];
    bool comparable = collectives->clocks_agree && item->parts > 1;
    struct span name = span_of(column->name);
    (void)scratch;
    *out = value_ratio(0, 0);
    if (span_is(name, "collective"))
        *out = text_of(collectives, item->name);
    else if (span_is(name, "group") && item->group != 0)
        *out = text_of(collectives, item->group);
    else if (span_is(name, "sequence"))
        *out = text_of(collectives, item->sequence);
    else if (span_is(name, "ranks"))
        *out = value_integer(item->parts);
    else if (span_is(name, "shortest"))
        *out = value_integer(item->shortest);
    else if (span_is(name, "longest"))
        *out = value_integer(item->longest);
    else if (span_is(name, "arrival_spread") && comparable)
        *out = value_integer((int64_t)((uint64_t)item->arrived - (uint64_t)item->arrival));
    else if (span_is(name, "first_rank") && comparable)
        *out = value_integer(item->first_rank);
    else if (span_is(name, "last_rank") && comparable)
        *out = value_integer(item->last_rank);
}

const struct column **collectives_columns(const struct column *const *chosen, unsigned chosen_count, unsigned *count)
{
    static const char *const usual[] = {"collective", "group", "sequence", "ranks", "arrival_spread", "first_rank",
                                        "last_rank", "shortest", "longest"};
    unsigned all = sizeof usual / sizeof *usual;
    *count = chosen != NULL ? chosen_count : all;
    const struct column **columns_shown = memory_alloc(((size_t)*count + 1) * sizeof *columns_shown);
    for (unsigned i = 0; i < *count; i++)
        columns_shown[i] = chosen != NULL ? chosen[i] : column_find(span_of(usual[i]));
    return columns_shown;
}

/* -- The sheet --------------------------------------------------------------------------------------------------- */

static void value(const void *context, uint32_t row, const struct column *column, struct value *out,
                  struct text *scratch)
{
    const struct collectives *collectives = context;
    collectives_value(collectives, collectives->order[row], column, out, scratch);
}

static uint32_t no_stack(const void *context, uint32_t row, struct span *lines, uint32_t room)
{
    (void)context, (void)row, (void)lines, (void)room;
    return 0;
}

/* How often a rank was the last, and how long the first one had waited for it by then. */
struct lateness {
    int64_t rank, waited;
    uint32_t times;
};

static int by_waited(const void *a, const void *b)
{
    const struct lateness *x = a, *y = b;
    if (x->waited != y->waited)
        return x->waited > y->waited ? -1 : 1;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

/* One for each source, those that were late most first; to free(). */
static struct lateness *sum_lateness(const struct collectives *collectives)
{
    size_t sources = collectives->roll.whole->sources.count;
    struct lateness *late = memory_zero(sources + 1, sizeof *late);
    for (size_t i = 0; i < sources; i++)
        late[i].rank = rank_roll_source(&collectives->roll, i)->rank;
    for (size_t i = 0; i < collectives->items.count; i++) {
        const struct collective *item = &collectives->items.items[i];
        for (size_t s = 0; s < sources && item->parts > 1; s++) {
            if (late[s].rank != item->last_rank)
                continue;
            late[s].times++;
            late[s].waited = (int64_t)((uint64_t)late[s].waited + (uint64_t)item->arrived - (uint64_t)item->arrival);
            break;
        }
    }
    qsort(late, sources, sizeof *late, by_waited);
    return late;
}

enum { LATE_MOST = 4 };

static void add_late(const struct collectives *collectives, struct text *out)
{
    struct lateness *late = sum_lateness(collectives);
    size_t sources = collectives->roll.whole->sources.count;
    for (size_t i = 0; i < sources && i < LATE_MOST && late[i].times > 0; i++) {
        text_addf(out, "%srank %lld (%lu time%s, ", i > 0 ? ", " : "waited for most: ", (long long)late[i].rank,
                  (unsigned long)late[i].times, late[i].times == 1 ? "" : "s");
        units_add_time(out, late[i].waited, collectives->query.unit);
        text_add_char(out, ')');
    }
    if (sources > 0 && late[0].times > 0)
        text_add_char(out, '\n');
    free(late);
}

static void add_foot(const void *context, struct text *out)
{
    const struct collectives *collectives = context;
    size_t all = collectives->items.count, sources = collectives->roll.whole->sources.count;
    text_addf(out, "%zu collective%s of %zu rank%s", all, all == 1 ? "" : "s", sources, sources == 1 ? "" : "s");
    if (collectives->alone > 0)
        text_addf(out, "; %lu of one rank alone", (unsigned long)collectives->alone);
    text_addf(out, "\n%s: %s\n", collectives->clocks_agree ? "clocks agree" : "no arrivals", collectives->clocks.bytes);
    if (collectives->clocks_agree)
        add_late(collectives, out);
    if (collectives->left_out > 0)
        text_addf(out, "%lu more row%s left out (--row-limit -1 shows all)\n", (unsigned long)collectives->left_out,
                  collectives->left_out == 1 ? "" : "s");
}

static void add_facts(const void *context, struct text *out)
{
    const struct collectives *collectives = context;
    text_addf(out, "\"clocks\": {\"agree\":%s,\"why\":", collectives->clocks_agree ? "true" : "false");
    json_add_string(out, text_span(&collectives->clocks));
    text_add_string(out, "},\n");
    rank_roll_add_facts(&collectives->roll, false, out);
}

struct sheet collectives_sheet(const struct collectives *collectives, const struct column *const *columns_given,
                               unsigned count)
{
    return (struct sheet){
        .context = collectives,
        .count = collectives->count,
        .columns = columns_given,
        .column_count = count,
        .sort = collectives->query.sort,
        .unit = collectives->query.unit,
        .device = "Device",
        .value = value,
        .stack = no_stack,
        .add_foot = add_foot,
        .add_facts = add_facts,
    };
}
