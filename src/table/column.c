#include "keyavg/column.h"

#include "keyavg/arguments.h"
#include "keyavg/drill.h"
#include "keyavg/facet.h"
#include "keyavg/names.h"
#include "keyavg/nearest.h"
#include "keyavg/table.h"
#include "parts.h"

/* -- Values ------------------------------------------------------------------------------------------------------ */

static const struct average *row_average(const struct table *table, uint32_t row)
{
    return &table->averages->rows[row];
}

static void set_integer(struct value *out, int64_t integer)
{
    out->kind = VALUE_INTEGER;
    out->integer = integer;
}

static void set_text(struct value *out, struct span text)
{
    out->kind = VALUE_TEXT;
    out->text = text;
}

static int64_t negated(int64_t value)
{
    return value == INT64_MIN ? INT64_MAX : -value;
}

/* A share of nothing is unknown. */
static void set_ratio(struct value *out, int64_t integer, int64_t over)
{
    if (over == 0)
        return;
    out->kind = VALUE_RATIO;
    out->integer = over < 0 ? negated(integer) : integer;
    out->over = over < 0 ? negated(over) : over;
}

/* The value function of a number that the average holds. */
#define FIELD(function, expression)                                                                                    \
    static void function(const struct table *table, uint32_t row, struct value *out, struct text *scratch)            \
    {                                                                                                                  \
        (void)scratch;                                                                                                 \
        const struct average *average = row_average(table, row);                                                       \
        set_integer(out, (int64_t)(expression));                                                                       \
    }

FIELD(value_count, average->count)
FIELD(value_cpu_total, average->cpu_time_total)
FIELD(value_self_cpu, average->self_cpu_time_total)
FIELD(value_device_total, average->device_time_total)
FIELD(value_self_device, average->self_device_time_total)
FIELD(value_cpu_memory, average->memory[MEMORY_CPU])
FIELD(value_device_memory, average->memory[MEMORY_DEVICE])
FIELD(value_self_cpu_memory, average->memory[MEMORY_SELF_CPU])
FIELD(value_self_device_memory, average->memory[MEMORY_SELF_DEVICE])
FIELD(value_flops, average->flops)
FIELD(value_async, (table->trace->events.flags[average->first] & EVENT_ASYNC) != 0)
FIELD(value_remote, (table->trace->events.flags[average->first] & EVENT_NODE) != 0)
FIELD(value_node, event_node_id(table->trace, average->first))
FIELD(value_scope, event_scope(table->trace, average->first))

#define SPREAD(function, expression)                                                                                   \
    static void function(const struct table *table, uint32_t row, struct value *out, struct text *scratch)            \
    {                                                                                                                  \
        (void)scratch;                                                                                                 \
        set_integer(out, table_row_spread(table, row)->expression);                                                    \
    }

static void value_outermost(const struct table *table, uint32_t row, struct value *out, struct text *scratch)
{
    (void)scratch;
    set_integer(out, table_row_outermost(table, row));
}

SPREAD(value_min, min)
SPREAD(value_max, max)
SPREAD(value_p50, p50)
SPREAD(value_p90, p90)
SPREAD(value_p99, p99)

static void value_annotation(const struct table *table, uint32_t row, struct value *out, struct text *scratch)
{
    (void)scratch;
    set_integer(out, table_row_annotation(table, row));
}

static void value_legacy(const struct table *table, uint32_t row, struct value *out, struct text *scratch)
{
    (void)table;
    (void)row;
    (void)scratch;
    set_integer(out, 0); /* torch's old profiler writes no files */
}

static void value_deviation(const struct table *table, uint32_t row, struct value *out, struct text *scratch)
{
    (void)scratch;
    out->kind = VALUE_REAL;
    out->real = table_row_spread(table, row)->deviation;
}

static void value_cpu_time(const struct table *table, uint32_t row, struct value *out, struct text *scratch)
{
    (void)scratch;
    set_ratio(out, row_average(table, row)->cpu_time_total, row_average(table, row)->count);
}

static void value_device_time(const struct table *table, uint32_t row, struct value *out, struct text *scratch)
{
    (void)scratch;
    set_ratio(out, row_average(table, row)->device_time_total, row_average(table, row)->count);
}

static int64_t self_cpu_base(const struct table *table)
{
    return table->query.percent_of == PERCENT_OF_ALL ? table->self_cpu_all : table->self_cpu_shown;
}

static void value_self_cpu_percent(const struct table *table, uint32_t row, struct value *out, struct text *scratch)
{
    (void)scratch;
    set_ratio(out, row_average(table, row)->self_cpu_time_total, self_cpu_base(table));
}

static void value_cpu_total_percent(const struct table *table, uint32_t row, struct value *out, struct text *scratch)
{
    (void)scratch;
    /* torch gives an async row no share: its time is also somebody else's. */
    int64_t total = table_row_async(table, row) ? 0 : row_average(table, row)->cpu_time_total;
    set_ratio(out, total, self_cpu_base(table));
}

static void value_self_device_percent(const struct table *table, uint32_t row, struct value *out,
                                      struct text *scratch)
{
    (void)scratch;
    int64_t base = table->query.percent_of == PERCENT_OF_ALL ? table->self_device_all : table->self_device_shown;
    set_ratio(out, row_average(table, row)->self_device_time_total, base);
}

static void value_key(const struct table *table, uint32_t row, struct value *out, struct text *scratch)
{
    set_text(out, table_row_label(table, row, scratch));
}

static void value_overload(const struct table *table, uint32_t row, struct value *out, struct text *scratch)
{
    (void)scratch;
    set_text(out, table_row_overload(table, row));
}

static void value_shapes(const struct table *table, uint32_t row, struct value *out, struct text *scratch)
{
    (void)scratch;
    set_text(out, table_row_shapes(table, row));
}

/* A list as one text, its items separated by `;` as in the file's `Call stack`. */
static void add_item(struct text *out, struct span item)
{
    if (out->length != 0)
        text_add_char(out, ';');
    text_add_span(out, item);
}

static void value_stack(const struct table *table, uint32_t row, struct value *out, struct text *scratch)
{
    uint32_t depth = table_row_stack(table, row, NULL, 0);
    if (depth > 0) {
        struct span *lines = memory_alloc(depth * sizeof *lines);
        table_row_stack(table, row, lines, depth);
        for (uint32_t i = 0; i < depth; i++)
            add_item(scratch, lines[i]);
        free(lines);
    }
    set_text(out, text_span(scratch));
}

static void value_children(const struct table *table, uint32_t row, struct value *out, struct text *scratch)
{
    const struct tree *tree = table->tree;
    uint32_t first = row_average(table, row)->first;
    tree_need_children(table->tree);
    for (uint32_t i = tree->child_first[first]; i < tree->child_first[first + 1]; i++)
        add_item(scratch, strings_get(&table->trace->strings, event_key(table->trace, tree->children[i])));
    set_text(out, text_span(scratch));
}

static void value_parent(const struct table *table, uint32_t row, struct value *out, struct text *scratch)
{
    (void)scratch;
    uint32_t parent = table->tree->parent[row_average(table, row)->first];
    if (parent == NO_EVENT)
        set_text(out, (struct span){"", 0});
    else
        set_text(out, strings_get(&table->trace->strings, event_key(table->trace, parent)));
}

static void value_use_device(const struct table *table, uint32_t row, struct value *out, struct text *scratch)
{
    (void)row;
    (void)scratch;
    const char *device = trace_use_device(table->trace);
    set_text(out, span_of(device != NULL ? device : ""));
}

static void value_device_type(const struct table *table, uint32_t row, struct value *out, struct text *scratch)
{
    (void)scratch;
    set_text(out, span_of(table_row_device_name(table, row)));
}

/* -- Orders of text ---------------------------------------------------------------------------------------------- */

/* The next number or bracket of a list as Python prints it; 0 at the end. A number counts above an end, below a
 * start. */
static int next_token(struct span *text, int64_t *number)
{
    while (text->length > 0 && (text->bytes[0] == ',' || text->bytes[0] == ' ')) {
        text->bytes++;
        text->length--;
    }
    *number = 0;
    if (text->length == 0)
        return 0;
    char c = text->bytes[0];
    bool negative = c == '-', digits = false;
    if (negative) {
        text->bytes++;
        text->length--;
    }
    for (; text->length > 0 && text->bytes[0] >= '0' && text->bytes[0] <= '9'; text->bytes++, text->length--) {
        digits = true;
        if (__builtin_mul_overflow(*number, 10, number) ||
            __builtin_add_overflow(*number, text->bytes[0] - '0', number))
            *number = INT64_MAX;
    }
    if (negative)
        *number = -*number;
    if (digits)
        return 2;
    if (text->length > 0 && !negative) {
        text->bytes++;
        text->length--;
    }
    return c == ']' ? 1 : 3;
}

/* As Python orders lists of lists of numbers. */
static int compare_shapes(struct span a, struct span b)
{
    for (;;) {
        int64_t x, y;
        int s = next_token(&a, &x), t = next_token(&b, &y);
        if (s != t)
            return s < t ? -1 : 1;
        if (s == 0)
            return 0;
        if (x != y)
            return x < y ? -1 : 1;
    }
}

/* As Python orders lists of texts: what separates two items is below everything else. */
static int compare_lists(struct span a, struct span b)
{
    for (size_t i = 0; i < a.length && i < b.length; i++) {
        if (a.bytes[i] != b.bytes[i]) {
            int x = a.bytes[i] == ';' ? -1 : (unsigned char)a.bytes[i];
            int y = b.bytes[i] == ';' ? -1 : (unsigned char)b.bytes[i];
            return x < y ? -1 : 1;
        }
    }
    return a.length < b.length ? -1 : a.length > b.length;
}

/* -- The table --------------------------------------------------------------------------------------------------- */

#define ATTRIBUTE .attribute = true
#define SUMMABLE .summable = true

const struct column columns[] = {
    {"key", "name", "Name", "Name under which the calls are grouped, as torch's table has it.", UNIT_TEXT,
     NEED_NOTHING, 40, ATTRIBUTE,
     .formula = "the calls' name as torch has it: ProfilerStep#n as ProfilerStep*, C++ names demangled, ops "
     "without their overload",
     .value = value_key},
    {"count", "calls", "# of Calls", "Number of calls in the row.", UNIT_COUNT, NEED_NOTHING, 10, ATTRIBUTE, SUMMABLE,
     .formula = "the number of events whose key is the row's",
     .value = value_count},
    {"node_id", NULL, "Node ID", "Node of a remote call; -1 for none.", UNIT_NUMBER, NEED_NODES, 7, ATTRIBUTE,
     .value = value_node},
    {"is_async", NULL, "Async", "Whether the first call is asynchronous: it has no parent, no children and no self time.",
     UNIT_FLAG, NEED_NOTHING, 5, ATTRIBUTE, .value = value_async},
    {"is_remote", NULL, "Remote", "Whether the first call ran on another node.", UNIT_FLAG, NEED_NODES, 6, ATTRIBUTE,
     .value = value_remote},
    {"use_device", NULL, "Device used", "The device of the recording in lower case, as torch names it.", UNIT_TEXT,
     NEED_DEVICE, 11, ATTRIBUTE, .value = value_use_device},
    {"cpu_time_total", NULL, "CPU total", "Time of the calls on the CPU, with everything they called.", UNIT_TIME,
     NEED_NOTHING, 10, ATTRIBUTE, SUMMABLE,
     .formula = "the sum of the calls' durations; 0 for events of the device",
     .value = value_cpu_total},
    {"device_time_total", NULL, "%D total",
     "Time on the device of the kernels of the calls and of everything they called.", UNIT_TIME, NEED_DEVICE, 10,
     ATTRIBUTE, SUMMABLE,
     .formula = "the sum of the kernels of the calls and of all calls below; of device rows their durations",
     .value = value_device_total},
    {"self_cpu_time_total", NULL, "Self CPU", "Time of the calls on the CPU, without what they called.", UNIT_TIME,
     NEED_NOTHING, 10, ATTRIBUTE, SUMMABLE,
     .formula = "the sum of the calls' durations less those of the calls directly below; 0 for asynchronous "
     "calls and for the device",
     .value = value_self_cpu},
    {"self_device_time_total", NULL, "Self %D",
     "Time on the device of the kernels that the calls themselves launched.", UNIT_TIME, NEED_DEVICE, 10, ATTRIBUTE,
     SUMMABLE,
     .formula = "the sum of the durations of the kernels, copies and fills linked to the calls; of device rows "
     "their durations",
     .value = value_self_device},
    {"input_shapes", NULL, "Input Shapes", "Shapes of the inputs, when rows are grouped by them.", UNIT_TEXT,
     NEED_SHAPES, 30, ATTRIBUTE, .value = value_shapes, .compare = compare_shapes},
    {"overload_name", NULL, "Overload Name", "Overload of the operator, when rows are grouped by it.", UNIT_TEXT,
     NEED_OVERLOADS, 14, ATTRIBUTE, .value = value_overload},
    {"stack", NULL, "Source Location",
     "Python frames around the calls, innermost first, as many as rows are grouped by.", UNIT_TEXT, NEED_STACKS, 40,
     ATTRIBUTE, .value = value_stack, .compare = compare_lists},
    {"scope", NULL, "Scope", "torch's RecordScope number of the first call: 0 forward, 1 backward, 7 user annotation.",
     UNIT_NUMBER, NEED_NOTHING, 5, ATTRIBUTE, .value = value_scope},
    {"cpu_memory_usage", NULL, "CPU Mem", "CPU memory allocated less freed during the calls.", UNIT_BYTES, NEED_MEMORY,
     10, ATTRIBUTE, SUMMABLE,
     .formula = "bytes allocated less freed on the CPU between start and end of the calls",
     .value = value_cpu_memory},
    {"device_memory_usage", NULL, "%D Mem", "Device memory allocated less freed during the calls.", UNIT_BYTES,
     NEED_DEVICE_MEMORY, 10, ATTRIBUTE, SUMMABLE,
     .formula = "bytes allocated less freed on the device between start and end of the calls",
     .value = value_device_memory},
    {"self_cpu_memory_usage", NULL, "Self CPU Mem", "The same without what the calls called, on the CPU.", UNIT_BYTES,
     NEED_MEMORY, 12, ATTRIBUTE, SUMMABLE,
     .formula = "CPU Mem less that of the calls directly below; 0 for asynchronous calls",
     .value = value_self_cpu_memory},
    {"self_device_memory_usage", NULL, "Self %D Mem", "The same without what the calls called, on the device.",
     UNIT_BYTES, NEED_DEVICE_MEMORY, 13, ATTRIBUTE, SUMMABLE,
     .formula = "device memory less that of the calls directly below; 0 for asynchronous calls",
     .value = value_self_device_memory},
    {"cpu_children", NULL, "CPU children", "Names of what the first call called, as torch keeps them.", UNIT_TEXT,
     NEED_NOTHING, 30, ATTRIBUTE, .value = value_children, .compare = compare_lists},
    {"cpu_parent", NULL, "CPU parent", "Name of the caller of the first call, as torch keeps it.", UNIT_TEXT,
     NEED_NOTHING, 30, ATTRIBUTE, .value = value_parent},
    {"device_type", NULL, "Device", "Where the calls ran: CPU or the device's name.", UNIT_TEXT, NEED_NOTHING, 6,
     ATTRIBUTE, .value = value_device_type},
    {"is_legacy", NULL, "Legacy", "Whether the calls are of torch's old profiler; never so in a file.", UNIT_FLAG,
     NEED_NOTHING, 6, ATTRIBUTE, .value = value_legacy},
    {"flops", NULL, "FLOPs", "Floating point operations, as torch estimates them from the shapes.", UNIT_FLOPS,
     NEED_FLOPS, 10, ATTRIBUTE, SUMMABLE,
     .formula = "the sum of torch's estimates for mm, addmm, bmm, baddbmm, conv2d, add and mul",
     .value = value_flops},
    {"is_user_annotation", NULL, "Annotation", "Whether the calls are ranges that the program named itself.", UNIT_FLAG,
     NEED_NOTHING, 10, ATTRIBUTE, .value = value_annotation},
    {"cpu_time", NULL, "CPU time avg", "CPU total of one call, on average.", UNIT_TIME, NEED_NOTHING, 12, ATTRIBUTE,
     .formula = "CPU total / # of Calls",
     .value = value_cpu_time},
    {"device_time", NULL, "%D time avg", "Device total of one call, on average.", UNIT_TIME, NEED_DEVICE, 13,
     ATTRIBUTE,
     .formula = "device total / # of Calls",
     .value = value_device_time},
    {"self_cpu_percent", NULL, "Self CPU %", "Self CPU as a share of the sum of Self CPU over all rows.", UNIT_SHARE,
     NEED_NOTHING, 10, SUMMABLE,
     .formula = "Self CPU / the sum of Self CPU over all rows",
     .value = value_self_cpu_percent},
    {"cpu_total_percent", "total_cpu_percent", "CPU total %",
     "CPU total as a share of the sum of Self CPU over all rows; 0 for asynchronous rows.", UNIT_SHARE, NEED_NOTHING,
     11, SUMMABLE,
     .formula = "CPU total / the sum of Self CPU over all rows; 0 for asynchronous rows",
     .value = value_cpu_total_percent},
    {"self_device_percent", "total_device_percent", "Self %D %",
     "Self device time as a share of its sum over the device's rows that are no annotations.", UNIT_SHARE, NEED_DEVICE,
     11, SUMMABLE,
     .formula = "Self device time / its sum over the device's rows that are no annotations",
     .value = value_self_device_percent},
    {"min", NULL, "Min", "Shortest call of the row: its CPU total, of a device row its duration.", UNIT_TIME,
     NEED_NOTHING, 10, .spread = true,
     .formula = "the shortest duration of a call",
     .value = value_min},
    {"max", NULL, "Max", "Longest call of the row.", UNIT_TIME, NEED_NOTHING, 10, .spread = true,
     .formula = "the longest duration of a call",
     .value = value_max},
    {"p50", NULL, "P50", "Half of the calls take no longer (nearest rank).", UNIT_TIME, NEED_NOTHING, 10,
     .spread = true,
     .formula = "the duration at rank n * 50 %, rounded up, of n calls by duration",
     .value = value_p50},
    {"p90", NULL, "P90", "90 % of the calls take no longer (nearest rank).", UNIT_TIME, NEED_NOTHING, 10,
     .spread = true,
     .formula = "the duration at rank n * 90 %, rounded up, of n calls by duration",
     .value = value_p90},
    {"p99", NULL, "P99", "99 % of the calls take no longer (nearest rank).", UNIT_TIME, NEED_NOTHING, 10,
     .spread = true,
     .formula = "the duration at rank n * 99 %, rounded up, of n calls by duration",
     .value = value_p99},
    {"std", NULL, "Std", "Standard deviation of the calls, over n.", UNIT_TIME, NEED_NOTHING, 10, .spread = true,
     .formula = "the root of the mean square of the durations' differences from their mean",
     .value = value_deviation},
    {"outermost_cpu_time_total", NULL, "CPU once", "CPU total in which calls inside of calls of the same row count once.",
     UNIT_TIME, NEED_NOTHING, 10,
     .formula = "the sum of the durations of the calls that are not inside of another call of the row",
     .value = value_outermost},
    {"dtypes", NULL, "Input Types", "Types of the inputs, when rows are grouped by them.", UNIT_TEXT, NEED_SHAPES, 24,
     .value = part_dtypes},
    {"thread", NULL, "Thread", "Process and thread, when rows are grouped by it.", UNIT_TEXT, NEED_NOTHING, 16,
     .value = part_thread, .compare = part_compare},
    {"step", NULL, "Step", "Step of the profiler, when rows are grouped by it.", UNIT_TEXT, NEED_NOTHING, 10,
     .value = part_step, .compare = part_compare},
    {"phase", NULL, "Phase", "Forward, backward, optimizer, data loading, user, recompute or gradient sync, by names alone.",
     UNIT_TEXT, NEED_NOTHING, 12, .value = part_phase},
    {"module", NULL, "Module", "The innermost nn.Module, when rows are grouped by it.", UNIT_TEXT, NEED_NOTHING, 24,
     .value = part_module, .compare = part_compare},
    {"lane", NULL, "Stream", "Device and stream, when rows are grouped by device.", UNIT_TEXT, NEED_NOTHING, 18,
     .value = part_lane, .compare = part_compare},
};
const unsigned column_count = sizeof columns / sizeof columns[0];

/* -- Finding ----------------------------------------------------------------------------------------------------- */

/* torch replaces the back ends' names by `device` wherever they stand. */
static void add_device_form(struct text *out, struct span name)
{
    static const char *const backends[] = {"cuda", "xpu", "privateuse1"};
    for (size_t at = 0; at < name.length;) {
        size_t taken = 0;
        for (unsigned i = 0; i < 3 && taken == 0; i++)
            if (span_starts((struct span){name.bytes + at, name.length - at}, backends[i]))
                taken = strlen(backends[i]);
        if (taken != 0)
            text_add_string(out, "device");
        else
            text_add_char(out, name.bytes[at]);
        at += taken != 0 ? taken : 1;
    }
}

const struct column *column_find(struct span name)
{
    struct text form = {0};
    add_device_form(&form, name);
    const struct column *found = NULL;
    for (unsigned i = 0; i < column_count && found == NULL; i++)
        if (span_is(text_span(&form), columns[i].name) ||
            (columns[i].alias != NULL && span_is(text_span(&form), columns[i].alias)))
            found = &columns[i];
    if (found == NULL)
        found = facet_find(text_span(&form));
    if (found == NULL)
        found = drill_column_find(text_span(&form));
    text_free(&form);
    return found;
}

const struct column *column_nearest(struct span name)
{
    struct text form = {0};
    add_device_form(&form, name);
    struct nearest nearest;
    nearest_init(&nearest, text_span(&form));
    for (unsigned i = 0; i < column_count; i++)
        nearest_offer(&nearest, columns[i].name);
    for (unsigned i = 0; i < drill_column_count; i++)
        nearest_offer(&nearest, drill_columns[i].name);
    text_free(&form);
    return nearest.name != NULL ? column_find(span_of(nearest.name)) : NULL;
}

/* -- What the trace can tell ------------------------------------------------------------------------------------- */

bool column_available(const struct table *table, const struct column *column)
{
    const struct trace *trace = table->trace;
    bool shapes = trace->header.record_shapes || trace->has_shapes;
    switch ((enum column_need)column->need) {
    case NEED_DEVICE:
        return trace_use_device(trace) != NULL;
    case NEED_MEMORY:
        return trace_has_memory(trace);
    case NEED_DEVICE_MEMORY:
        return trace_has_memory(trace) && trace_use_device(trace) != NULL;
    case NEED_SHAPES:
        return shapes;
    case NEED_STACKS:
        return trace->header.with_stack || trace->has_python || trace->has_own_stacks;
    case NEED_FLOPS:
        return trace->header.with_flops || shapes;
    case NEED_OVERLOADS:
        return trace->has_overloads;
    case NEED_NODES:
        return trace->header.array_form;
    case NEED_TWO:
    case NEED_RANKS:
    case NEED_COLLECTIVES:
        return false; /* a table is of one trace */
    case NEED_NOTHING:
    case NEED_COUNT:
        break;
    }
    return true;
}

const char *column_remedy(const struct column *column)
{
    static const char *const remedies[NEED_COUNT] = {
        [NEED_DEVICE] = ARGUMENT_DEVICE,
        [NEED_MEMORY] = ARGUMENT_MEMORY,
        [NEED_DEVICE_MEMORY] = (ARGUMENT_MEMORY " and " ARGUMENT_DEVICE),
        [NEED_SHAPES] = ARGUMENT_SHAPES,
        [NEED_STACKS] = ARGUMENT_STACKS,
        [NEED_FLOPS] = ARGUMENT_FLOPS,
        [NEED_OVERLOADS] = ARGUMENT_OVERLOADS,
        [NEED_NODES] = "EventList.export_chrome_trace on a remote profiler's events",
        [NEED_TWO] = "two traces: keyavg BASE NEW",
        [NEED_RANKS] = "many ranks: keyavg DIR",
        [NEED_COLLECTIVES] = "many ranks and --collectives",
    };
    return remedies[column->need];
}
