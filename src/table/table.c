#include "keyavg/table.h"

#include <stdlib.h>

#include "choose.h"
#include "keyavg/filter.h"
#include "keyavg/memory.h"
#include "keyavg/names.h"
#include "keyavg/wrap.h"
#include "outermost.h"

void query_init(struct query *query)
{
    *query = (struct query){
        .grouping = {.parts = GROUP_NAME, .python = PYTHON_IN_TREE},
        .row_limit = -1,
        .unit = TIME_AUTO,
        .percent_of = PERCENT_OF_ALL,
    };
}

/* -- Parts of a row ---------------------------------------------------------------------------------------------- */

static uint32_t first_event(const struct table *table, uint32_t row)
{
    return table->averages->rows[row].first;
}

uint32_t table_row_name(const struct table *table, uint32_t row)
{
    return event_key(table->trace, first_event(table, row));
}

struct span table_row_label(const struct table *table, uint32_t row, struct text *scratch)
{
    if ((table->query.grouping.parts & GROUP_NAME) != 0)
        return strings_get(&table->trace->strings, table_row_name(table, row));
    text_clear(scratch);
    table_add_row_label(table, row, scratch);
    return text_span(scratch);
}

struct span table_row_shapes(const struct table *table, uint32_t row)
{
    const struct grouping *grouping = &table->query.grouping;
    if ((grouping->parts & GROUP_SHAPE) == 0)
        return (struct span){"", 0};
    const struct inputs *inputs = &table->trace->inputs.items[table->trace->events.inputs[first_event(table, row)]];
    uint32_t shapes = grouping->full_list_shapes ? inputs->dims : inputs->torch_dims;
    return shapes != 0 ? strings_get(&table->trace->strings, shapes) : span_of("[]");
}

struct span table_row_overload(const struct table *table, uint32_t row)
{
    if ((table->query.grouping.parts & GROUP_OVERLOAD) == 0)
        return (struct span){"", 0};
    return strings_get(&table->trace->strings, event_overload(table->trace, first_event(table, row)));
}

uint32_t table_row_stack(const struct table *table, uint32_t row, struct span *lines, uint32_t room)
{
    const struct grouping *grouping = &table->query.grouping;
    const struct stack_node *nodes = table->trace->stacks.nodes;
    if ((grouping->parts & GROUP_STACK) == 0)
        return 0;
    uint32_t depth = 0;
    for (uint32_t node = table->tree->stack[first_event(table, row)];
         node != 0 && depth < (uint32_t)grouping->stack_depth; node = nodes[node].caller, depth++)
        if (depth < room)
            lines[depth] = strings_get(&table->trace->strings, nodes[node].frame);
    return depth;
}

bool table_row_on_device(const struct table *table, uint32_t row)
{
    return event_on_device(table->trace, first_event(table, row));
}

bool table_row_annotation(const struct table *table, uint32_t row)
{
    enum event_kind kind = event_kind(table->trace, first_event(table, row));
    return kind == KIND_ANNOTATION || kind == KIND_DEVICE_ANNOTATION;
}

bool table_row_async(const struct table *table, uint32_t row)
{
    return (table->trace->events.flags[first_event(table, row)] & EVENT_ASYNC) != 0;
}

bool table_row_top_level(const struct table *table, uint32_t row)
{
    return table->tree->parent[first_event(table, row)] == NO_EVENT;
}

uint64_t table_row_flops(const struct table *table, uint32_t row)
{
    return table->trace->header.with_flops ? table->averages->rows[row].flops : 0;
}

const struct spread *table_row_spread(const struct table *table, uint32_t row)
{
    if (!table->spread_known[row]) {
        table->spread_known[row] = 1;
        table->spreads[row] = averages_spread(table->averages, row);
    }
    return &table->spreads[row];
}

void table_need_whole(struct table *table)
{
    if (table->restricted && table->whole == NULL)
        table->whole = averages_build(table->tree, &table->query.grouping, NULL);
}

uint32_t table_row_key_event(struct table *table, uint32_t row)
{
    uint32_t first = first_event(table, row);
    if (!table->restricted)
        return first;
    table_need_whole(table);
    return table->whole->rows[table->whole->row_of[first]].first;
}

uint64_t *table_chosen_events(const struct table *table)
{
    return choose_events(&table->query, table->tree);
}

int64_t table_row_outermost(const struct table *table, uint32_t row)
{
    uint32_t count = table->averages->count;
    if (table->outermost[count] == 0) {
        int64_t *totals = outermost_totals(table);
        memcpy(table->outermost, totals, count * sizeof *totals);
        table->outermost[count] = 1;
        free(totals);
    }
    return table->outermost[row];
}

const char *table_device_name(const struct table *table)
{
    return trace_use_device(table->trace) != NULL ? backend_name(table->trace->backend) : backend_name(BACKEND_NONE);
}

const char *table_row_device_name(const struct table *table, uint32_t row)
{
    return table_row_on_device(table, row) ? table_device_name(table) : "CPU";
}

void table_value(const struct table *table, uint32_t row, const struct column *column, struct value *out,
                 struct text *scratch)
{
    *out = (struct value){.kind = VALUE_UNKNOWN, .over = 1};
    text_clear(scratch);
    if (column_available(table, column))
        column->value(table, row, out, scratch);
}

/* -- Building ---------------------------------------------------------------------------------------------------- */

/* What group_rows makes, but for the tree and what another table (or NULL) has as well. */
static void free_groups(struct table *table, const struct table *other)
{
    struct averages *const both[] = {table->averages, table->whole};
    for (unsigned i = 0; i < 2; i++)
        if (other == NULL || (both[i] != other->averages && both[i] != other->whole))
            averages_free(both[i]);
    free(table->spreads);
    free(table->spread_known);
    free(table->outermost);
    table->averages = table->whole = NULL;
    table->outermost = NULL;
    table->spreads = NULL;
    table->spread_known = NULL;
}

static void free_rows(struct table *table)
{
    free_groups(table, NULL);
    free(table->order);
    free(table->kept);
    table->order = table->kept = NULL;
}

static void sum_rows(const struct table *table, const uint32_t *rows, uint32_t count, int64_t *self_cpu,
                     int64_t *self_device)
{
    *self_cpu = *self_device = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct average *average = &table->averages->rows[rows[i]];
        *self_cpu = wrap_add(*self_cpu, average->self_cpu_time_total);
        if (table_row_on_device(table, rows[i]) && !table_row_annotation(table, rows[i]))
            *self_device = wrap_add(*self_device, average->self_device_time_total);
    }
}

static bool tree_fits(const struct table *table, const struct query *query)
{
    return table->tree != NULL && table->tree->without_python == (query->grouping.python == PYTHON_LEFT_OUT);
}

static bool grouping_equal(const struct grouping *a, const struct grouping *b)
{
    return a->parts == b->parts && a->stack_depth == b->stack_depth && a->full_list_shapes == b->full_list_shapes &&
           a->python == b->python;
}

/* The averages of all events that a table has and that hold for another query as well; NULL none. */
static struct averages *whole_for(const struct table *table, const struct query *query)
{
    bool fits = tree_fits(table, query) && grouping_equal(&table->query.grouping, &query->grouping);
    return !fits ? NULL : table->restricted ? table->whole : table->averages;
}

/* `whole` are the averages of all events, if they are there already. */
static void group_rows(struct table *table, struct averages *whole)
{
    const struct query *query = &table->query;
    if (!tree_fits(table, query)) {
        tree_free(table->tree);
        table->summed = NULL;
        table->tree = tree_build(table->trace, query->grouping.python == PYTHON_LEFT_OUT);
    }
    table->restricted = choose_restricts(query);
    bool follows = table->restricted && choose_follows(query);
    if (whole == NULL && (!table->restricted || follows))
        whole = averages_build(table->tree, &query->grouping, NULL);
    table->whole = table->restricted ? whole : NULL;
    if (!table->restricted) {
        table->averages = whole;
    } else if (follows) {
        uint8_t *chosen = choose_groups(query, whole);
        table->averages = averages_choose(whole, chosen);
        free(chosen);
    } else {
        uint64_t *selected = choose_events(query, table->tree);
        table->averages = averages_build(table->tree, &query->grouping, selected);
        free(selected);
    }
    uint32_t count = table->averages->count;
    table->spreads = memory_alloc(count * sizeof *table->spreads);
    table->spread_known = memory_zero(count, sizeof *table->spread_known);
    table->outermost = memory_zero((size_t)count + 1, sizeof *table->outermost);
    if (table->summed != table->tree || table->summed_python != table->query.grouping.python)
        choose_sum_file(table, &table->self_cpu_all, &table->self_device_all);
    table->summed = table->tree;
    table->summed_python = table->query.grouping.python;
}

static void make_room(struct table *table)
{
    table->order = memory_alloc(table->averages->count * sizeof *table->order);
    table->kept = memory_alloc(table->averages->count * sizeof *table->kept);
}

static void keep_rows(struct table *table)
{
    /* A filter on shares of what is shown takes them of what the other terms leave. */
    for (uint32_t row = 0; row < table->averages->count; row++)
        table->kept[row] = row;
    sum_rows(table, table->kept, table->averages->count, &table->self_cpu_shown, &table->self_device_shown);
    choose_rows(table);
    sum_rows(table, table->kept, table->kept_count, &table->self_cpu_shown, &table->self_device_shown);
}

static void order_rows(struct table *table)
{
    const struct query *query = &table->query;
    uint32_t count = 0;
    for (uint32_t i = 0; i < table->kept_count; i++)
        if (!query->top_level_only || table_row_top_level(table, table->kept[i]))
            table->order[count++] = table->kept[i];
    if (query->sort != NULL)
        table_sort(table, query->sort, query->ascending, table->order, count);
    uint32_t visible = choose_visible(table, table->order, count);
    table->hidden = count - visible;
    table->count = query->row_limit >= 0 && query->row_limit < visible ? (uint32_t)query->row_limit : visible;
    table->left_out = visible - table->count;
}

struct table *table_build(struct trace *trace, const struct query *query)
{
    struct table *table = memory_zero(1, sizeof *table);
    table->trace = trace;
    table->query = *query;
    group_rows(table, NULL);
    make_room(table);
    keep_rows(table);
    order_rows(table);
    return table;
}

static bool must_group(const struct table *table, const struct query *query)
{
    return !grouping_equal(&table->query.grouping, &query->grouping) || !choose_same_events(&table->query, query);
}

bool table_shows(const struct table *table, const struct query *query)
{
    const struct query *shown = &table->query;
    return !must_group(table, query) && choose_same_rows(shown, query) && shown->sort == query->sort &&
           shown->ascending == query->ascending && shown->top_level_only == query->top_level_only &&
           shown->row_limit == query->row_limit && shown->percent_of == query->percent_of &&
           !(shown->hide_below < query->hide_below || shown->hide_below > query->hide_below);
}

void table_update(struct table *table, const struct query *query)
{
    /* Both filters must still be there: a caller frees the old one afterwards. */
    bool regroup = must_group(table, query), same = table_shows(table, query);
    struct averages *whole = regroup ? whole_for(table, query) : NULL;
    if (regroup) {
        if (whole != NULL && whole == table->averages)
            table->averages = NULL;
        else if (whole != NULL)
            table->whole = NULL;
        free_rows(table);
    }
    table->query = *query;
    if (same)
        return;
    if (regroup) {
        group_rows(table, whole);
        make_room(table);
    }
    keep_rows(table);
    order_rows(table);
}

void table_free(struct table *table)
{
    if (table == NULL)
        return;
    free_rows(table);
    tree_free(table->tree);
    free(table);
}

/* -- Two tables of one trace ------------------------------------------------------------------------------------- */

uint64_t table_update_work(const struct table *table, const struct query *query)
{
    enum { OF_A_TREE = 8, OF_A_TEXT = 4 };
    uint64_t events = table->tree->count, rows = table->averages->count;
    if (table_shows(table, query))
        return 0;
    if (!tree_fits(table, query))
        return events * OF_A_TREE;
    if (must_group(table, query))
        return events;
    /* Calls of all rows are gone through for these, once. */
    bool slow_filter = query->filter != NULL && filter_on_rows(query->filter) && query->filter != table->query.filter;
    if (query->sort != NULL && query->sort != table->query.sort && query->sort->spread)
        return events;
    return slow_filter || (query->sort != NULL && query->sort->unit == UNIT_TEXT) ? rows * OF_A_TEXT : rows;
}

struct table *table_beside(const struct table *table, const struct query *query)
{
    struct table *other = memory_alloc(sizeof *other);
    bool regroup = must_group(table, query);
    *other = *table;
    other->query = *query;
    if (regroup) {
        other->averages = other->whole = NULL;
        other->restricted = false;
        if (!tree_fits(table, query))
            other->tree = NULL; /* the first one's stays */
        group_rows(other, whole_for(table, query));
        table_need_whole(other); /* the screen asks for it */
    }
    make_room(other);
    keep_rows(other);
    order_rows(other);
    return other;
}

void table_give_up(struct table *table, const struct table *other)
{
    free(table->order);
    free(table->kept);
    if (table->averages != other->averages)
        free_groups(table, other);
    if (table->tree != other->tree)
        tree_free(table->tree);
    free(table);
}
