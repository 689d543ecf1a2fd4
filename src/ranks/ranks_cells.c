/* What the cells of ranks say. */
#include "keyavg/ranks.h"

enum { LINE_COLUMNS = 32, HEIGHTS = 8 };

/* What one rank has of a row, over the ranks; a rank without the row counts as 0. */
struct over_ranks {
    int64_t low, high;
    int64_t worst;   /* its rank; -1: one without the row has most */
    uint32_t present;
    bool known;      /* false where groups of several ranks were joined later */
};

static struct over_ranks look_over(const struct ranks *ranks, const struct group *group, int measure)
{
    struct group_over over = group_extremes(group);
    struct over_ranks out = {.present = over.present, .known = over.present > 0, .worst = -1};
    if (!out.known)
        return out;
    out.low = over.low[measure];
    out.high = over.high[measure];
    out.worst = ranks->roll.whole->sources.items[over.high_at[measure]].rank;
    /* A row of --by-rank is of one rank alone. */
    if (ranks->query.by_rank || over.present >= ranks->facts.sources)
        return out;
    out.low = out.low < 0 ? out.low : 0;
    if (out.high < 0) {
        out.high = 0;
        out.worst = -1;
    }
    return out;
}

static uint32_t rank_count(const struct ranks *ranks)
{
    return ranks->query.by_rank ? 1 : ranks->facts.sources;
}

/* -- The line ---------------------------------------------------------------------------------------------------- */

static void add_height(const struct ranks *ranks, bool has, int64_t value, int64_t highest, struct text *out)
{
    double part = highest > 0 && value > 0 ? (double)value / (double)highest : 0;
    if (ranks->query.ascii) {
        text_add_char(out, has ? (char)('0' + (int)(part * 9 + 0.5)) : '.');
    } else if (!has) {
        text_add_string(out, "\xC2\xB7"); /* a dot in the middle */
    } else {
        int height = (int)(part * HEIGHTS + 0.5);
        height = height < 1 ? 1 : height;
        const char block[] = {'\xE2', '\x96', (char)(0x80 + height), '\0'}; /* U+2581 .. U+2588 */
        text_add_string(out, block);
    }
}

/* More ranks than columns: each column is the highest of those that it stands for. */
static void set_line(const struct ranks *ranks, uint32_t row, int measure, struct value *out, struct text *scratch)
{
    size_t sources = ranks->roll.whole->sources.count, columns_used = sources < LINE_COLUMNS ? sources : LINE_COLUMNS;
    if (ranks->by_source[measure] == NULL)
        return;
    const int64_t *values = ranks->by_source[measure] + row * sources;
    const uint8_t *has = ranks->has + row * sources;
    int64_t highest = 0;
    text_clear(scratch);
    for (size_t i = 0; i < sources; i++)
        highest = has[i] && values[i] > highest ? values[i] : highest;
    for (size_t c = 0; c < columns_used; c++) {
        int64_t most = 0;
        bool any = false;
        for (size_t i = c * sources / columns_used; i < (c + 1) * sources / columns_used; i++) {
            uint32_t source = ranks->roll.in_order[i];
            any |= has[source] != 0;
            most = has[source] && values[source] > most ? values[source] : most;
        }
        add_height(ranks, any, most, highest, scratch);
    }
    *out = (struct value){.kind = VALUE_TEXT, .over = 1, .text = text_span(scratch)};
}

/* -- Cells ------------------------------------------------------------------------------------------------------- */

static void set_facet(const struct ranks *ranks, uint32_t row, const struct column *column, struct value *out,
                      struct text *scratch)
{
    const struct group *group = &ranks->groups.items[row];
    int measure = column_measure(column);
    struct value sum;
    *out = value_ratio(0, 0);
    if (measure < 0)
        return;
    group_value(&ranks->facts, group, column->of, &sum, scratch);
    if (sum.kind == VALUE_UNKNOWN)
        return;
    struct over_ranks over = look_over(ranks, group, measure);
    switch ((enum facet)column->facet) {
    case FACET_SUM: *out = sum; return;
    case FACET_MEAN: *out = value_ratio(group->sums[measure], rank_count(ranks)); return;
    case FACET_LINE: set_line(ranks, row, measure, out, scratch); return;
    default: break;
    }
    if (!over.known)
        return;
    switch ((enum facet)column->facet) {
    case FACET_MIN: *out = value_integer(over.low); break;
    case FACET_MAX: *out = value_integer(over.high); break;
    case FACET_SPREAD: *out = value_integer((int64_t)((uint64_t)over.high - (uint64_t)over.low)); break;
    case FACET_WORST:
        if (over.worst >= 0)
            *out = value_integer(over.worst);
        break;
    default: break;
    }
}

void ranks_value(const struct ranks *ranks, uint32_t row, const struct column *column, struct value *out,
                 struct text *scratch)
{
    const struct group *group = &ranks->groups.items[row];
    if (column->of != NULL && column->need == NEED_RANKS) {
        set_facet(ranks, row, column, out, scratch);
        return;
    }
    if (column->need != NEED_RANKS) {
        group_value(&ranks->facts, group, column, out, scratch);
        return;
    }
    struct over_ranks over = look_over(ranks, group, MEASURE_CALLS);
    *out = value_ratio(0, 0);
    if (over.known)
        *out = value_integer(strcmp(column->name, "ranks") == 0 ? over.present : over.low != over.high);
}
