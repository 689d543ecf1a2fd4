#include "keyavg/facet.h"

#include <pthread.h>
#include <stdio.h>

const struct facet_entry facet_entries[FACET_COUNT] = {
    [FACET_BASE] = {"base", "base", "In the first trace; unknown in a row that is new.", FACET_OF_NUMBERS, NEED_TWO},
    [FACET_NEW] = {"new", "new", "In the second trace; unknown in a row that is gone.", FACET_OF_NUMBERS, NEED_TWO},
    [FACET_DIFF] = {"diff", "change", "New less base; a side without the row counts as 0.", FACET_OF_NUMBERS, NEED_TWO},
    [FACET_RATIO] = {"ratio", "ratio", "New over base.", FACET_OF_NUMBERS, NEED_TWO},
    [FACET_BY_CALLS] = {"by_calls", "by calls",
                        "The part of the change that other numbers of calls make: calls more or less times the base's mean, "
                        "rounded to the ns. A row that is new or gone is all of this.",
                        FACET_OF_TIMES, NEED_TWO},
    [FACET_BY_CALL] = {"by_call", "by call", "The rest of the change: each call takes longer or shorter.", FACET_OF_TIMES,
                       NEED_TWO},
    [FACET_SHARE] = {"share", "share",
                     "The change as a share of the whole change: for times that of the sum of self time, on the device over "
                     "its rows that are no annotations; else that of the column's sum.",
                     FACET_OF_SUMS, NEED_TWO},
    [FACET_NOISE] = {"noise", "noise",
                     "Whether the change lies within the spread of the calls: there are as many calls on both sides, two at "
                     "least, and the change is at most twice the standard error of the difference of their means, times the "
                     "calls.",
                     FACET_OF_TIMES, NEED_TWO},
    [FACET_SUM] = {"sum", "sum", "Over all ranks.", FACET_OF_SUMS, NEED_RANKS},
    [FACET_MEAN] = {"mean", "mean", "Of one rank on average; a rank without the row counts as 0.", FACET_OF_SUMS,
                    NEED_RANKS},
    [FACET_MIN] = {"min", "min", "Of the rank that has least; a rank without the row counts as 0.", FACET_OF_SUMS,
                   NEED_RANKS},
    [FACET_MAX] = {"max", "max", "Of the rank that has most.", FACET_OF_SUMS, NEED_RANKS},
    [FACET_SPREAD] = {"spread", "spread", "Most less least of one rank.", FACET_OF_SUMS, NEED_RANKS},
    [FACET_WORST] = {"worst", "worst rank", "The rank that has most; of equal ones the first.", FACET_OF_SUMS,
                     NEED_RANKS},
    [FACET_LINE] = {"line", "by rank", "A line over the ranks in their order, each as high as its part of the highest.",
                    FACET_OF_SUMS, NEED_RANKS},
};

/* In a table of one trace none of these says anything. */
static void value_unknown(const struct table *table, uint32_t row, struct value *out, struct text *scratch)
{
    (void)table, (void)row, (void)scratch;
    out->kind = VALUE_UNKNOWN;
}

const struct column facet_extras[] = {
    {"change", NULL, "Change", "What became of the row: new, gone, renamed, or ~ where the change of the sort column is noise.",
     UNIT_TEXT, NEED_TWO, 7, .value = value_unknown},
    {"renamed_to", NULL, "Renamed to",
     "The new trace's name of a kernel whose name differs only in template arguments, numbers or addresses, and which "
     "the same parent op launches with the same shapes at the same place.",
     UNIT_TEXT, NEED_TWO, 40, .value = value_unknown},
    {"ranks", NULL, "Ranks", "Ranks that have the row.", UNIT_COUNT, NEED_RANKS, 5, .value = value_unknown},
    {"calls_differ", NULL, "Calls differ", "Whether ranks have different numbers of calls in the row.", UNIT_FLAG,
     NEED_RANKS, 12, .value = value_unknown},
    {"group", NULL, "Group", "Name of the process group, where it was recorded.", UNIT_TEXT, NEED_COLLECTIVES, 8,
     .value = value_unknown},
    {"sequence", NULL, "Sequence",
     "Number of the collective in its group, where it was recorded; else its place among those of its name and step.",
     UNIT_TEXT, NEED_COLLECTIVES, 12, .value = value_unknown},
    {"collective", NULL, "Collective", "What kind of collective it is.", UNIT_TEXT, NEED_COLLECTIVES, 24,
     .value = value_unknown},
    {"arrival_spread", NULL, "Arrival spread", "From the first rank's start to the last one's.", UNIT_TIME,
     NEED_COLLECTIVES, 14, .value = value_unknown},
    {"first_rank", NULL, "First rank", "The rank that started first.", UNIT_NUMBER, NEED_COLLECTIVES, 10,
     .value = value_unknown},
    {"last_rank", NULL, "Last rank", "The rank that started last, for which the others waited.", UNIT_NUMBER,
     NEED_COLLECTIVES, 9, .value = value_unknown},
    {"shortest", NULL, "Shortest", "The shortest duration of one rank: the one that waited least.", UNIT_TIME,
     NEED_COLLECTIVES, 10, .value = value_unknown},
    {"longest", NULL, "Longest", "The longest duration of one rank.", UNIT_TIME, NEED_COLLECTIVES, 10,
     .value = value_unknown},
};
const unsigned facet_extra_count = sizeof facet_extras / sizeof facet_extras[0];

/* -- Made once from the table of columns -------------------------------------------------------------------------- */

enum { COLUMNS_MOST = 64, NAME_ROOM = 48, TITLE_ROOM = 40 };

static struct column made[COLUMNS_MOST][FACET_COUNT];
static char names[COLUMNS_MOST][FACET_COUNT][NAME_ROOM];
static char titles[COLUMNS_MOST][FACET_COUNT][TITLE_ROOM];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static bool is_sum(const struct column *column)
{
    return column->attribute && column->summable;
}

static bool has_facet(const struct column *column, const struct facet_entry *entry)
{
    if (entry->name == NULL || !column_is_number(column) || column->unit == UNIT_NUMBER)
        return false;
    return entry->of == FACET_OF_NUMBERS || (is_sum(column) && (entry->of == FACET_OF_SUMS || column->unit == UNIT_TIME));
}

static enum column_unit facet_unit(const struct column *column, enum facet facet)
{
    switch (facet) {
    case FACET_RATIO: return UNIT_FACTOR;
    case FACET_SHARE: return UNIT_SHARE;
    case FACET_NOISE: return UNIT_FLAG;
    case FACET_WORST: return UNIT_NUMBER;
    case FACET_LINE: return UNIT_TEXT;
    default: return (enum column_unit)column->unit;
    }
}

static void make(void)
{
    for (unsigned i = 0; i < column_count && i < COLUMNS_MOST; i++) {
        for (int f = FACET_NONE + 1; f < FACET_COUNT; f++) {
            const struct facet_entry *entry = &facet_entries[f];
            if (!has_facet(&columns[i], entry))
                continue;
            snprintf(names[i][f], NAME_ROOM, "%s.%s", columns[i].name, entry->name);
            snprintf(titles[i][f], TITLE_ROOM, "%s %s", columns[i].title, entry->title);
            made[i][f] = (struct column){
                .name = names[i][f], .title = titles[i][f], .help = entry->help,
                .unit = (uint8_t)facet_unit(&columns[i], (enum facet)f), .need = entry->need, .width = columns[i].width,
                .value = value_unknown, .of = &columns[i], .facet = (uint8_t)f,
                .is_signed = f == FACET_DIFF || f == FACET_BY_CALLS || f == FACET_BY_CALL,
            };
        }
    }
}

const struct column *facet_column(const struct column *of, enum facet facet)
{
    pthread_once(&once, make);
    if (of < columns || of >= columns + column_count)
        return NULL;
    const struct column *column = &made[of - columns][facet];
    return column->name != NULL ? column : NULL;
}

void facet_add_title(const struct column *column, const struct column *before, const char *device, struct text *out)
{
    if (before != NULL && column->of != NULL && before->of == column->of)
        text_add_string(out, facet_entries[column->facet].title);
    else
        column_add_title_of(column, device, out);
}

const struct column *facet_find(struct span name)
{
    for (unsigned i = 0; i < facet_extra_count; i++)
        if (span_is(name, facet_extras[i].name))
            return &facet_extras[i];
    const char *dot = name.length > 0 ? memrchr(name.bytes, '.', name.length) : NULL;
    if (dot == NULL)
        return NULL;
    struct span of = {name.bytes, (size_t)(dot - name.bytes)}, word = {dot + 1, name.length - of.length - 1};
    for (unsigned i = 0; i < column_count; i++) {
        if (!span_is(of, columns[i].name) && (columns[i].alias == NULL || !span_is(of, columns[i].alias)))
            continue;
        for (int f = FACET_NONE + 1; f < FACET_COUNT; f++)
            if (span_is(word, facet_entries[f].name))
                return facet_column(&columns[i], (enum facet)f);
    }
    return NULL;
}
