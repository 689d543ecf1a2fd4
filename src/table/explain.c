#include "explain.h"

#include <stdlib.h>

#include "keyavg/names.h"
#include "keyavg/utf8.h"
#include "keyavg/wrap.h"

const char *const explain_sign_names[EXPLAIN_SIGNS] = {"is", "plus", "minus", "over", "left out", "note"};

/* -- Lines --------------------------------------------------------------------------------------------------------- */

static char *copy(struct span text)
{
    return memory_copy_text(text.length > 0 ? text.bytes : "", text.length);
}

struct explain_line *explain_add(struct explaining *of, enum explain_sign sign, const char *title, int64_t number,
                                 const struct column *column, event_list *events, const char *advice)
{
    struct explain_line line = {.sign = (uint8_t)sign, .title = copy(span_of(title)), .column = column,
                                .value = {.kind = VALUE_INTEGER, .integer = number, .over = 1},
                                .advice = copy(span_of(advice))};
    if (events != NULL) {
        line.events = events->items;
        line.event_count = (uint32_t)events->count;
        *events = (event_list){0};
    }
    array_push(&of->out->lines, line);
    return &of->out->lines.items[of->out->lines.count - 1];
}

event_list explain_pick(const struct explaining *of, explain_test *test)
{
    event_list picked = {0};
    for (uint32_t i = 0; i < of->count; i++)
        if (test(of, of->calls[i]))
            array_push(&picked, of->calls[i]);
    return picked;
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

void explain_order(event_list *events)
{
    if (events->count > 0)
        qsort(events->items, events->count, sizeof *events->items, by_number);
}

event_list explain_children(const struct explaining *of)
{
    event_list children = {0};
    tree_need_children(of->tree);
    for (uint32_t i = 0; i < of->count; i++)
        for (uint32_t k = of->tree->child_first[of->calls[i]]; k < of->tree->child_first[of->calls[i] + 1]; k++)
            array_push(&children, of->tree->children[k]);
    explain_order(&children);
    return children;
}

int64_t explain_duration(const struct explaining *of, uint32_t event)
{
    return of->trace->events.duration[event];
}

int64_t explain_sum(const struct explaining *of, explain_value *value, const event_list *events)
{
    int64_t sum = 0;
    for (size_t i = 0; i < events->count; i++)
        wrap_to(&sum, value(of, events->items[i]));
    return sum;
}

/* -- Names --------------------------------------------------------------------------------------------------------- */

struct named {
    uint32_t name;
    int64_t sum;
};

static int by_name(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    return (x->name > y->name) - (x->name < y->name);
}

static int by_sum(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    return x->sum != y->sum ? (x->sum < y->sum ? 1 : -1) : by_name(a, b);
}

void explain_add_names(const struct explaining *of, const char *what, const event_list *events, explain_value *value,
                       struct text *out)
{
    enum { MOST = 3, NAME_WIDTH = 48 };
    size_t count = 0;
    struct named *names = memory_alloc((events->count + 1) * sizeof *names);
    for (size_t i = 0; i < events->count; i++)
        names[i] = (struct named){event_key(of->trace, events->items[i]), value(of, events->items[i])};
    qsort(names, events->count, sizeof *names, by_name);
    for (size_t i = 0; i < events->count; i++) {
        if (i > 0 && names[i].name == names[count - 1].name)
            wrap_to(&names[count - 1].sum, names[i].sum);
        else
            names[count++] = names[i];
    }
    qsort(names, count, sizeof *names, by_sum);
    text_addf(out, events->count > 0 ? "%zu %s%s" : "none", events->count, what, events->count == 1 ? "" : "s");
    for (size_t i = 0; i < count && i < MOST; i++) {
        text_add_string(out, i == 0 ? ": " : ", ");
        utf8_add_fitted(out, strings_get(&of->trace->strings, names[i].name), NAME_WIDTH, UTF8_CUT_MIDDLE, true);
        text_add_char(out, ' ');
        units_add_time(out, names[i].sum, of->table->query.unit);
    }
    if (count > MOST)
        text_addf(out, ", %zu more name%s", count - MOST, count - MOST == 1 ? "" : "s");
    free(names);
}

/* -- What no column has ------------------------------------------------------------------------------------------- */

/* Calls of the row's key that filter and scope left out. */
static void add_unchosen(struct explaining *of)
{
    struct table *table = of->table;
    if (!table->restricted)
        return;
    table_need_whole(table);
    uint32_t whole = table->whole->row_of[of->average->first];
    event_list left = {0};
    for (uint32_t e = 0; e < of->tree->count; e++)
        if (table->whole->row_of[e] == whole && table->averages->row_of[e] != of->row)
            array_push(&left, e);
    if (left.count > 0)
        explain_add(of, EXPLAIN_LEFT_OUT, "calls not chosen", (int64_t)left.count, column_find(span_of("count")), &left,
                    "filter or scope leave these calls of the same row out");
    array_free(&left);
}

static void add_folded(struct explaining *of)
{
    event_list folded = {0};
    for (uint32_t e = 0; e < of->tree->count; e++)
        if (of->tree->state[e] == STATE_FOLDED && of->table->averages->row_of[of->tree->parent[e]] == of->row)
            array_push(&folded, e);
    if (folded.count > 0)
        explain_add(of, EXPLAIN_LEFT_OUT, "calls folded into their parent", (int64_t)folded.count,
                    column_find(span_of("count")), &folded,
                    "the only child, of the same name: torch counts them as one call, and the parent has their "
                    "children and kernels");
    array_free(&folded);
}

/* -- By column ----------------------------------------------------------------------------------------------------- */

static const struct {
    const char *column;
    explain_lines *lines;
} entries[] = {
    {"count", explain_count},
    {"cpu_time_total", explain_cpu_total},
    {"self_cpu_time_total", explain_self_cpu},
    {"device_time_total", explain_device_total},
    {"self_device_time_total", explain_self_device},
    {"cpu_memory_usage", explain_cpu_memory},
    {"device_memory_usage", explain_device_memory},
    {"self_cpu_memory_usage", explain_self_cpu_memory},
    {"self_device_memory_usage", explain_self_device_memory},
    {"flops", explain_flops},
    {"cpu_time", explain_cpu_time},
    {"device_time", explain_device_time},
    {"self_cpu_percent", explain_self_cpu_percent},
    {"cpu_total_percent", explain_cpu_total_percent},
    {"self_device_percent", explain_self_device_percent},
    {"min", explain_rank},
    {"max", explain_rank},
    {"p50", explain_rank},
    {"p90", explain_rank},
    {"p99", explain_rank},
    {"std", explain_deviation},
    {"outermost_cpu_time_total", explain_outermost},
};

static void add_result(struct explaining *of)
{
    struct text title = {0}, scratch = {0};
    struct value value;
    table_value(of->table, of->row, of->column, &value, &scratch);
    column_add_title(of->column, of->table, &title);
    text_add_string(&title, " of ");
    struct text label = {0};
    text_add_span(&title, table_row_label(of->table, of->row, &label));
    struct explain_line *line = explain_add(of, EXPLAIN_IS, title.bytes, 0, of->column, NULL, "");
    line->value = value;
    if (value.kind == VALUE_TEXT) {
        line->text = copy(value.text);
        line->value.text = (struct span){line->text, value.text.length};
    }
    text_clear(&title);
    text_add_string(&title, of->column->formula != NULL ? of->column->formula : of->column->help);
    if (!column_available(of->table, of->column) && column_remedy(of->column) != NULL)
        text_addf(&title, "; not in this file: recorded with %s", column_remedy(of->column));
    free(line->advice);
    line->advice = copy(text_span(&title));
    text_free(&title);
    text_free(&label);
    text_free(&scratch);
}

void explain_cell(struct table *table, uint32_t row, const struct column *column, struct explanation *out)
{
    averages_need_calls(table->averages);
    struct explaining of = {
        .table = table, .tree = table->tree, .trace = table->trace, .row = row, .average = &table->averages->rows[row],
        .column = column, .calls = table->averages->calls + table->averages->call_first[row],
        .count = table->averages->rows[row].count, .on_device = table_row_on_device(table, row), .out = out,
    };
    *out = (struct explanation){0};
    add_result(&of);
    if (!column_available(table, column))
        return;
    explain_lines *lines = explain_first;
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
        if (strcmp(entries[i].column, column->name) == 0)
            lines = entries[i].lines;
    lines(&of);
    if (lines == explain_first)
        return;
    add_folded(&of);
    add_unchosen(&of);
}

void explanation_free(struct explanation *explanation)
{
    for (size_t i = 0; i < explanation->lines.count; i++) {
        struct explain_line *line = &explanation->lines.items[i];
        free(line->title);
        free(line->text);
        free(line->advice);
        free(line->events);
    }
    array_free(&explanation->lines);
}
