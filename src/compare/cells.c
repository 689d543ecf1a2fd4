#include "keyavg/cells.h"

#include <pthread.h>
#include <stdlib.h>

#include "keyavg/grouping.h"
#include "keyavg/phase.h"

/* -- Which column is what ---------------------------------------------------------------------------------------- */

enum cell {
    CELL_UNKNOWN, CELL_KEY, CELL_NODE, CELL_ASYNC, CELL_REMOTE, CELL_USE_DEVICE, CELL_SHAPES, CELL_OVERLOAD, CELL_STACK,
    CELL_SCOPE, CELL_DEVICE_TYPE, CELL_LEGACY, CELL_ANNOTATION, CELL_CPU_TIME, CELL_DEVICE_TIME, CELL_SELF_CPU_SHARE,
    CELL_CPU_SHARE, CELL_SELF_DEVICE_SHARE, CELL_MIN, CELL_MAX, CELL_P50, CELL_P90, CELL_P99, CELL_DEVIATION, CELL_TYPES,
    CELL_THREAD, CELL_STEP, CELL_PHASE, CELL_MODULE, CELL_LANE,
    CELL_MEASURE, /* and the measures behind it */
    CELL_COUNT = CELL_MEASURE + MEASURES,
};

static const char *const cell_names[CELL_COUNT] = {
    [CELL_KEY] = "key",
    [CELL_NODE] = "node_id",
    [CELL_ASYNC] = "is_async",
    [CELL_REMOTE] = "is_remote",
    [CELL_USE_DEVICE] = "use_device",
    [CELL_SHAPES] = "input_shapes",
    [CELL_OVERLOAD] = "overload_name",
    [CELL_STACK] = "stack",
    [CELL_SCOPE] = "scope",
    [CELL_DEVICE_TYPE] = "device_type",
    [CELL_LEGACY] = "is_legacy",
    [CELL_ANNOTATION] = "is_user_annotation",
    [CELL_CPU_TIME] = "cpu_time",
    [CELL_DEVICE_TIME] = "device_time",
    [CELL_SELF_CPU_SHARE] = "self_cpu_percent",
    [CELL_CPU_SHARE] = "cpu_total_percent",
    [CELL_SELF_DEVICE_SHARE] = "self_device_percent",
    [CELL_MIN] = "min",
    [CELL_MAX] = "max",
    [CELL_P50] = "p50",
    [CELL_P90] = "p90",
    [CELL_P99] = "p99",
    [CELL_DEVIATION] = "std",
    [CELL_TYPES] = "dtypes",
    [CELL_THREAD] = "thread",
    [CELL_STEP] = "step",
    [CELL_PHASE] = "phase",
    [CELL_MODULE] = "module",
    [CELL_LANE] = "lane",
    [CELL_MEASURE + MEASURE_CALLS] = "count",
    [CELL_MEASURE + MEASURE_CPU] = "cpu_time_total",
    [CELL_MEASURE + MEASURE_SELF_CPU] = "self_cpu_time_total",
    [CELL_MEASURE + MEASURE_DEVICE] = "device_time_total",
    [CELL_MEASURE + MEASURE_SELF_DEVICE] = "self_device_time_total",
    [CELL_MEASURE + MEASURE_MEMORY + MEMORY_CPU] = "cpu_memory_usage",
    [CELL_MEASURE + MEASURE_MEMORY + MEMORY_DEVICE] = "device_memory_usage",
    [CELL_MEASURE + MEASURE_MEMORY + MEMORY_SELF_CPU] = "self_cpu_memory_usage",
    [CELL_MEASURE + MEASURE_MEMORY + MEMORY_SELF_DEVICE] = "self_device_memory_usage",
    [CELL_MEASURE + MEASURE_FLOPS] = "flops",
};

enum { COLUMNS_MOST = 64 };

static uint8_t cell_of[COLUMNS_MOST];
static const struct column *column_of[CELL_COUNT];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void find_cells(void)
{
    for (unsigned i = 0; i < column_count && i < COLUMNS_MOST; i++) {
        for (unsigned cell = 0; cell < CELL_COUNT; cell++) {
            if (cell_names[cell] != NULL && strcmp(cell_names[cell], columns[i].name) == 0) {
                cell_of[i] = (uint8_t)cell;
                column_of[cell] = &columns[i];
            }
        }
    }
}

static enum cell find_cell(const struct column *column)
{
    pthread_once(&once, find_cells);
    return column >= columns && column < columns + column_count ? (enum cell)cell_of[column - columns] : CELL_UNKNOWN;
}

int column_measure(const struct column *column)
{
    enum cell cell = find_cell(column->of != NULL ? column->of : column);
    return cell >= CELL_MEASURE ? (int)(cell - CELL_MEASURE) : -1;
}

const struct column *measure_column(enum measure measure)
{
    pthread_once(&once, find_cells);
    return column_of[CELL_MEASURE + measure];
}

/* -- Values ------------------------------------------------------------------------------------------------------ */

static int64_t negated(int64_t value)
{
    return value == INT64_MIN ? INT64_MAX : -value;
}

struct value value_integer(int64_t integer)
{
    return (struct value){.kind = VALUE_INTEGER, .integer = integer, .over = 1};
}

struct value value_ratio(int64_t integer, int64_t over)
{
    if (over == 0)
        return (struct value){.kind = VALUE_UNKNOWN, .over = 1};
    return (struct value){.kind = VALUE_RATIO, .integer = over < 0 ? negated(integer) : integer,
                          .over = over < 0 ? negated(over) : over};
}

static struct value value_of_real(double real)
{
    return (struct value){.kind = VALUE_REAL, .real = real, .over = 1};
}

struct value value_zero(const struct value *like)
{
    return like->kind == VALUE_REAL ? value_of_real(0) : like->kind == VALUE_RATIO ? value_ratio(0, 1) : value_integer(0);
}

/* numerator / denominator in its lowest terms, a double where int64 does not hold them. */
static struct value make_ratio(__int128 numerator, __int128 denominator)
{
    __int128 a = numerator < 0 ? -numerator : numerator, b = denominator;
    while (b != 0) {
        __int128 rest = a % b;
        a = b;
        b = rest;
    }
    numerator /= a != 0 ? a : 1;
    denominator /= a != 0 ? a : 1;
    if (numerator > INT64_MAX || numerator < -INT64_MAX || denominator > INT64_MAX)
        return value_of_real((double)numerator / (double)denominator);
    return value_ratio((int64_t)numerator, (int64_t)denominator);
}

static int64_t over_of(const struct value *value)
{
    return value->kind == VALUE_RATIO ? value->over : 1;
}

struct value value_difference(const struct value *a, const struct value *b)
{
    if (a->kind == VALUE_INTEGER && b->kind == VALUE_INTEGER)
        return value_integer((int64_t)((uint64_t)a->integer - (uint64_t)b->integer));
    if (a->kind == VALUE_REAL || b->kind == VALUE_REAL)
        return value_of_real(value_real(a) - value_real(b));
    __int128 left = (__int128)a->integer * over_of(b), right = (__int128)b->integer * over_of(a);
    return make_ratio(left - right, (__int128)over_of(a) * over_of(b));
}

struct value value_quotient(const struct value *a, const struct value *b)
{
    if (a->kind == VALUE_REAL || b->kind == VALUE_REAL) {
        double over = value_real(b);
        return over < 0 || over > 0 ? value_of_real(value_real(a) / over) : value_ratio(0, 0);
    }
    __int128 top = (__int128)a->integer * over_of(b), bottom = (__int128)b->integer * over_of(a);
    if (bottom == 0)
        return value_ratio(0, 0);
    return bottom < 0 ? make_ratio(-top, -bottom) : make_ratio(top, bottom);
}

/* -- Cells of a group -------------------------------------------------------------------------------------------- */

const char *facts_device_name(const struct cell_facts *facts)
{
    return backend_name(facts->has & SOURCE_DEVICE ? (enum backend)facts->backend : BACKEND_NONE);
}

static struct value text_value(struct span text)
{
    return (struct value){.kind = VALUE_TEXT, .over = 1, .text = text};
}

static struct span string_of(const struct cell_facts *facts, uint32_t number)
{
    return strings_get(facts->groups->strings, number);
}

/* A part of the key, unknown where rows are not grouped by it. */
static void set_part(const struct cell_facts *facts, enum group_part part, struct span text, struct value *out)
{
    if (facts->groups->grouping.parts & part)
        *out = text_value(text);
}

static struct span or_none(struct span text)
{
    return text.length > 0 ? text : span_of("[none]");
}

static struct span step_text(const struct group *group, struct text *scratch)
{
    text_clear(scratch);
    if (group->key.step < 0)
        text_add_string(scratch, "[no step]");
    else
        text_addf(scratch, "step %lld", (long long)group->key.step);
    return text_span(scratch);
}

static struct span lane_text(const struct cell_facts *facts, const struct group *group)
{
    return group->key.side & SIDE_DEVICE ? or_none(string_of(facts, group->key.lane)) : span_of("CPU");
}

static struct span stack_text(const struct cell_facts *facts, const struct group *group, struct text *scratch)
{
    const struct stack_node *nodes = facts->groups->stacks->nodes;
    text_clear(scratch);
    for (uint32_t node = group->key.stack; node != 0; node = nodes[node].caller) {
        if (scratch->length > 0)
            text_add_char(scratch, ';');
        text_add_span(scratch, string_of(facts, nodes[node].frame));
    }
    return text_span(scratch);
}

struct span group_label(const struct cell_facts *facts, const struct group *group, struct text *scratch)
{
    const struct grouping_part *part = grouping_first(&facts->groups->grouping);
    const struct group_key *key = &group->key;
    struct span text = {"", 0};
    switch ((enum group_part)part->part) {
    case GROUP_NAME: return string_of(facts, key->name);
    case GROUP_OVERLOAD: text = string_of(facts, key->overload); break;
    case GROUP_SHAPE: text = string_of(facts, key->shapes); break;
    case GROUP_DTYPE: text = string_of(facts, key->types); break;
    case GROUP_STACK: text = stack_text(facts, group, scratch); break;
    case GROUP_THREAD: text = string_of(facts, key->thread); break;
    case GROUP_STEP: text = step_text(group, scratch); break;
    case GROUP_SCOPE: text = span_of(phase_name((enum phase)key->phase)); break;
    case GROUP_MODULE: text = string_of(facts, key->module); break;
    case GROUP_DEVICE: text = lane_text(facts, group); break;
    }
    text = text.length > 0 ? text : span_of(part->part == GROUP_SHAPE ? "[]" : "[none]");
    if (!(key->side & SIDE_DEVICE))
        return text;
    if (text.bytes != scratch->bytes) {
        text_clear(scratch);
        text_add_span(scratch, text);
    }
    /* Rows of ops, of the device and of its annotations stay apart. */
    if (key->side & SIDE_ANNOTATION)
        text_addf(scratch, " (%s annotations)", facts_device_name(facts));
    else if (part->part != GROUP_DEVICE)
        text_addf(scratch, " (%s)", facts_device_name(facts));
    return text_span(scratch);
}

/* Statistics of the calls: of nothing they are not known. */
static void set_percentile(const struct group *group, unsigned p, struct value *out)
{
    if (group->histogram.count > 0)
        *out = value_integer(histogram_percentile(&group->histogram, p, group->min, group->max));
}

static void set_use_device(const struct cell_facts *facts, struct value *out, struct text *scratch)
{
    if (!(facts->has & SOURCE_DEVICE))
        return;
    text_clear(scratch);
    for (const char *at = facts_device_name(facts); *at != '\0'; at++)
        text_add_char(scratch, (char)(*at >= 'A' && *at <= 'Z' ? *at + 32 : *at));
    *out = text_value(text_span(scratch));
}

/* Which of source_has a cell needs. */
static uint32_t needs(const struct column *column)
{
    switch ((enum column_need)column->need) {
    case NEED_DEVICE: return SOURCE_DEVICE;
    case NEED_MEMORY: return SOURCE_MEMORY;
    case NEED_DEVICE_MEMORY: return SOURCE_MEMORY | SOURCE_DEVICE;
    case NEED_SHAPES: return SOURCE_SHAPES;
    case NEED_STACKS: return SOURCE_STACKS;
    case NEED_OVERLOADS: return SOURCE_OVERLOADS;
    case NEED_NODES: return SOURCE_NODES;
    default: return 0;
    }
}

static void set_part_cell(const struct cell_facts *facts, const struct group *group, enum cell cell, struct value *out,
                          struct text *scratch)
{
    const struct group_key *key = &group->key;
    struct span shapes = string_of(facts, key->shapes);
    switch (cell) {
    case CELL_SHAPES:
        set_part(facts, GROUP_SHAPE, shapes.length > 0 ? shapes : span_of("[]"), out);
        break;
    case CELL_OVERLOAD: set_part(facts, GROUP_OVERLOAD, string_of(facts, key->overload), out); break;
    case CELL_STACK: set_part(facts, GROUP_STACK, stack_text(facts, group, scratch), out); break;
    case CELL_TYPES: set_part(facts, GROUP_DTYPE, or_none(string_of(facts, key->types)), out); break;
    case CELL_THREAD: set_part(facts, GROUP_THREAD, or_none(string_of(facts, key->thread)), out); break;
    case CELL_STEP: set_part(facts, GROUP_STEP, step_text(group, scratch), out); break;
    case CELL_PHASE: set_part(facts, GROUP_SCOPE, span_of(phase_name((enum phase)key->phase)), out); break;
    case CELL_MODULE: set_part(facts, GROUP_MODULE, or_none(string_of(facts, key->module)), out); break;
    case CELL_LANE: set_part(facts, GROUP_DEVICE, lane_text(facts, group), out); break;
    default: break;
    }
    /* As in a table of one trace, these are empty where rows are not grouped by them. */
    if (out->kind == VALUE_UNKNOWN && (cell == CELL_SHAPES || cell == CELL_OVERLOAD || cell == CELL_STACK))
        *out = text_value((struct span){"", 0});
}

void group_value(const struct cell_facts *facts, const struct group *group, const struct column *column,
                 struct value *out, struct text *scratch)
{
    enum cell cell = find_cell(column);
    uint32_t needed = needs(column);
    bool on_device = (group->key.side & SIDE_DEVICE) != 0;
    int64_t calls = group->sums[MEASURE_CALLS];
    *out = (struct value){.kind = VALUE_UNKNOWN, .over = 1};
    if ((facts->has & needed) != needed || (column->need == NEED_FLOPS && !(facts->has & (SOURCE_FLOPS | SOURCE_SHAPES))))
        return;
    switch (cell) {
    case CELL_KEY: *out = text_value(group_label(facts, group, scratch)); break;
    case CELL_NODE: *out = value_integer(group->key.node); break;
    case CELL_ASYNC: *out = value_integer(group->async); break;
    case CELL_REMOTE: *out = value_integer(group->key.node >= 0); break;
    case CELL_USE_DEVICE: set_use_device(facts, out, scratch); break;
    case CELL_SCOPE: *out = value_integer(group->scope); break;
    case CELL_DEVICE_TYPE: *out = text_value(span_of(on_device ? facts_device_name(facts) : "CPU")); break;
    case CELL_LEGACY: *out = value_integer(0); break;
    case CELL_ANNOTATION: *out = value_integer((group->key.side & SIDE_ANNOTATION) != 0); break;
    case CELL_CPU_TIME: *out = value_ratio(group->sums[MEASURE_CPU], calls); break;
    case CELL_DEVICE_TIME: *out = value_ratio(group->sums[MEASURE_DEVICE], calls); break;
    case CELL_SELF_CPU_SHARE: *out = value_ratio(group->sums[MEASURE_SELF_CPU], facts->self_cpu); break;
    case CELL_CPU_SHARE:
        *out = value_ratio(group->async ? 0 : group->sums[MEASURE_CPU], facts->self_cpu);
        break;
    case CELL_SELF_DEVICE_SHARE: *out = value_ratio(group->sums[MEASURE_SELF_DEVICE], facts->self_device); break;
    case CELL_MIN: *out = value_integer(group->min); break;
    case CELL_MAX: *out = value_integer(group->max); break;
    case CELL_P50: set_percentile(group, 50, out); break;
    case CELL_P90: set_percentile(group, 90, out); break;
    case CELL_P99: set_percentile(group, 99, out); break;
    case CELL_DEVIATION:
        *out = value_of_real(group_deviation(group, on_device ? MEASURE_DEVICE : MEASURE_CPU));
        break;
    case CELL_UNKNOWN: break;
    default:
        if (cell >= CELL_MEASURE)
            *out = value_integer(group->sums[cell - CELL_MEASURE]);
        else
            set_part_cell(facts, group, cell, out, scratch);
    }
}
