/* The text of torch's EventList.table(), character for character (its _build_table in torch/autograd/profiler_util.py):
 * doubles in microseconds, widths in code points, and its quirks. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "keyavg/memory.h"
#include "keyavg/utf8.h"
#include "keyavg/writer.h"

enum { DEFAULT_WIDTH = 12, SPACING = 2 };

struct torch {
    struct table *table;
    const struct writer_options *options;
    struct torch_times *times; /* per row */
    uint32_t *rows;            /* all that count, sorted */
    uint8_t *hidden;           /* per row: counts but is not printed */
    uint32_t count;
    bool device_time, device_memory, memory, overloads, shapes, stacks, nodes, flops;
    size_t name_width, shapes_width, source_width;
    double self_cpu, self_device; /* sums */
    double flops_scale;
    const char *flops_title;
    struct span *lines; /* of one stack */
    uint32_t line_room;
    struct text out, cell, clean, label;
};

/* -- Text -------------------------------------------------------------------------------------------------------- */

/* Bytes of the first `points` code points. */
static size_t prefix_bytes(struct span text, size_t points)
{
    size_t at = 0;
    for (uint32_t point; points > 0 && at < text.length; points--)
        at += utf8_decode(text.bytes + at, text.length - at, &point);
    return at;
}

/* The text with placeholders for what must not reach a terminal, as many code points as before; until the next call. */
static struct span clean(struct torch *torch, struct span text)
{
    text_clear(&torch->clean);
    utf8_add_clean(&torch->clean, text, false);
    return text_span(&torch->clean);
}

static void add_cell(struct torch *torch, struct span text, size_t width, bool left)
{
    size_t length = utf8_length(text), padding = length < width ? width - length : 0;
    if (!left)
        text_add_repeat(&torch->out, ' ', padding);
    text_add_span(&torch->out, text);
    text_add_repeat(&torch->out, ' ', (left ? padding : 0) + SPACING);
}

static void add_number_cell(struct torch *torch)
{
    add_cell(torch, text_span(&torch->cell), DEFAULT_WIDTH, false);
    text_clear(&torch->cell);
}

/* Names from max - 3 code points on are cut there; Python's negative slice drops from the end. */
static void add_name_cell(struct torch *torch, struct span name)
{
    long keep = (long)torch->options->name_width - 3;
    name = clean(torch, name);
    long length = (long)utf8_length(name);
    if (length < keep) {
        add_cell(torch, name, torch->name_width, false);
        return;
    }
    if (keep < 0)
        keep = length + keep > 0 ? length + keep : 0;
    text_add(&torch->cell, name.bytes, prefix_bytes(name, (size_t)keep));
    text_add_string(&torch->cell, "...");
    add_cell(torch, text_span(&torch->cell), torch->name_width, false);
    text_clear(&torch->cell);
}

/* A path that is too long keeps its end. */
static void add_source_text(struct torch *torch, struct span line)
{
    line = clean(torch, line);
    size_t length = utf8_length(line), width = torch->source_width;
    if (length > width) {
        size_t dropped = prefix_bytes(line, length - width);
        line = (struct span){line.bytes + dropped, line.length - dropped};
        if (width > 3) {
            text_add_string(&torch->cell, "...");
            dropped = prefix_bytes(line, 3);
            line = (struct span){line.bytes + dropped, line.length - dropped};
        }
    }
    text_add_span(&torch->cell, line);
}

static void add_time(struct torch *torch, double us)
{
    enum time_unit unit = torch->table->query.unit;
    if (unit == TIME_S || (unit == TIME_AUTO && us >= 1000.0 * 1000.0))
        text_addf(&torch->cell, "%.3fs", us / (1000.0 * 1000.0));
    else if (unit == TIME_MS || (unit == TIME_AUTO && us >= 1000.0))
        text_addf(&torch->cell, "%.3fms", us / 1000.0);
    else
        text_addf(&torch->cell, "%.3fus", us);
}

static void add_time_cell(struct torch *torch, double us)
{
    add_time(torch, us);
    add_number_cell(torch);
}

static void add_share_cell(struct torch *torch, double us, double total)
{
    if (total == 0)
        text_add_string(&torch->cell, "NaN");
    else
        text_addf(&torch->cell, "%.2f%%", us * 100.0 / total);
    add_number_cell(torch);
}

static void add_memory_cell(struct torch *torch, int64_t bytes)
{
    units_add_bytes(&torch->cell, bytes);
    add_number_cell(torch);
}

/* -- What all rows say ------------------------------------------------------------------------------------------- */

static uint32_t row_lines(struct torch *torch, uint32_t row)
{
    uint32_t count = table_row_stack(torch->table, row, torch->lines, torch->line_room);
    if (count > torch->line_room) {
        torch->line_room = count;
        torch->lines = memory_resize(torch->lines, count, sizeof *torch->lines);
        table_row_stack(torch->table, row, torch->lines, count);
    }
    return count;
}

/* The columns that torch holds as doubles. */
static const struct time_column {
    const char *name;
    size_t offset; /* in struct torch_times */
    bool average;
} time_columns[] = {
    {"cpu_time_total", offsetof(struct torch_times, cpu_time_total), false},
    {"self_cpu_time_total", offsetof(struct torch_times, self_cpu_time_total), false},
    {"device_time_total", offsetof(struct torch_times, device_time_total), false},
    {"self_device_time_total", offsetof(struct torch_times, self_device_time_total), false},
    {"cpu_time", offsetof(struct torch_times, cpu_time_total), true},
    {"device_time", offsetof(struct torch_times, device_time_total), true},
};

static const struct time_column *find_time_column(const struct column *column)
{
    for (size_t i = 0; i < sizeof time_columns / sizeof time_columns[0]; i++)
        if (strcmp(column->name, time_columns[i].name) == 0)
            return &time_columns[i];
    return NULL;
}

/* Times are compared as torch has them: two that are equal as doubles stay in order though they differ by a ns. */
static void sort_rows(struct torch *torch)
{
    const struct query *query = &torch->table->query;
    const struct column *column = query->sort;
    if (column == NULL || (column->unit == UNIT_FLOPS && !torch->table->trace->header.with_flops))
        return;
    const struct time_column *time = find_time_column(column);
    if (time == NULL) {
        table_sort(torch->table, column, query->ascending, torch->rows, torch->count);
        return;
    }
    const struct average *averages = torch->table->averages->rows;
    uint32_t all = torch->table->averages->count;
    double *keys = memory_alloc(all * sizeof *keys);
    for (uint32_t row = 0; row < all; row++) {
        memcpy(&keys[row], (const char *)&torch->times[row] + time->offset, sizeof *keys);
        if (time->average)
            keys[row] /= averages[row].count;
    }
    table_sort_reals(keys, query->ascending, torch->rows, torch->count);
    free(keys);
}

static void grow(size_t *width, size_t length)
{
    if (length > *width)
        *width = length;
}

static size_t limited(size_t longest, unsigned limit)
{
    return longest + 4 < limit ? longest + 4 : limit;
}

/* One scale for the column, from its smallest positive value. */
static void scale_flops(struct torch *torch, uint64_t least)
{
    static const char *const titles[] = {"FLOPs", "KFLOPs", "MFLOPs", "GFLOPs", "TFLOPs", "PFLOPs"};
    double power = fmin(log10((double)least) / 3, 5.0);
    int thousands = power > 0 ? (int)floor(power) : 0;
    torch->flops = true;
    torch->flops_scale = pow(10.0, thousands * -3.0);
    torch->flops_title = titles[thousands];
}

static void survey(struct torch *torch)
{
    struct table *table = torch->table;
    uint64_t least_flops = 0;
    bool any_device_memory = false;
    torch->memory = trace_has_memory(table->trace);
    for (uint32_t i = 0; i < torch->count; i++) {
        uint32_t row = torch->rows[i];
        const struct torch_times *times = &torch->times[row];
        struct span name = table_row_label(table, row, &torch->label);
        struct span shapes = table_row_shapes(table, row);
        grow(&torch->name_width, utf8_length(name));
        grow(&torch->shapes_width, utf8_length(shapes));
        torch->shapes |= shapes.length > 2;
        torch->overloads |= table_row_overload(table, row).length > 0;
        torch->device_time |= times->self_device_time_total > 0;
        any_device_memory |= table->averages->rows[row].memory[MEMORY_SELF_DEVICE] > 0;
        torch->nodes |= event_node_id(table->trace, table->averages->rows[row].first) != -1;
        uint32_t lines = row_lines(torch, row);
        torch->stacks |= lines > 0;
        for (uint32_t k = 0; k < lines; k++)
            grow(&torch->source_width, utf8_length(torch->lines[k]));
        uint64_t flops = table_row_flops(table, row);
        if (flops > 0 && (least_flops == 0 || flops < least_flops))
            least_flops = flops;
        torch->self_cpu += times->self_cpu_time_total;
        if (table_row_on_device(table, row) && !table_row_annotation(table, row))
            torch->self_device += times->self_device_time_total;
    }
    torch->device_memory = torch->memory && any_device_memory && trace_use_device(table->trace) != NULL;
    torch->name_width = limited(torch->name_width, torch->options->name_width);
    torch->shapes_width = limited(torch->shapes_width, torch->options->shapes_width);
    torch->source_width = limited(torch->source_width, torch->options->source_width);
    if (least_flops > 0)
        scale_flops(torch, least_flops);
}

/* -- Lines ------------------------------------------------------------------------------------------------------- */

struct layout {
    const char *titles[24]; /* with %D for the device */
    size_t widths[24];
    unsigned count;
};

static void add_column(struct layout *layout, const char *title, size_t width)
{
    layout->titles[layout->count] = title;
    layout->widths[layout->count++] = width;
}

static void lay_out(const struct torch *torch, struct layout *layout)
{
    static const char *const cpu[] = {"Self CPU %", "Self CPU", "CPU total %", "CPU total", "CPU time avg"};
    static const char *const device[] = {"Self %D", "Self %D %", "%D total", "%D time avg"};
    static const char *const memory[] = {"CPU Mem", "Self CPU Mem", "%D Mem", "Self %D Mem"};
    add_column(layout, "Name", torch->name_width);
    if (torch->overloads)
        add_column(layout, "Overload Name", torch->name_width);
    for (unsigned i = 0; i < 5; i++)
        add_column(layout, cpu[i], DEFAULT_WIDTH);
    for (unsigned i = 0; i < 4 && torch->device_time; i++)
        add_column(layout, device[i], DEFAULT_WIDTH);
    for (unsigned i = 0; i < (torch->device_memory ? 4 : 2) && torch->memory; i++)
        add_column(layout, memory[i], DEFAULT_WIDTH);
    add_column(layout, "# of Calls", DEFAULT_WIDTH);
    if (torch->nodes)
        add_column(layout, "Node ID", DEFAULT_WIDTH);
    if (torch->shapes)
        add_column(layout, "Input Shapes", torch->shapes_width);
    if (torch->stacks)
        add_column(layout, "Source Location", torch->source_width);
    if (torch->flops)
        add_column(layout, "Total ", DEFAULT_WIDTH);
}

/* Of all columns only that under Source Location stands at the left. */
static bool at_left(const struct torch *torch, const struct layout *layout, unsigned column)
{
    return torch->stacks && column == layout->count - 1 - torch->flops;
}

static void add_rule(struct torch *torch, const struct layout *layout)
{
    for (unsigned i = 0; i < layout->count; i++) {
        text_add_repeat(&torch->out, '-', layout->widths[i]);
        text_add_repeat(&torch->out, ' ', SPACING);
    }
    text_add_char(&torch->out, '\n');
}

static void add_double_rule(struct torch *torch, const struct layout *layout)
{
    size_t length = 0;
    for (unsigned i = 0; i < layout->count; i++)
        length += layout->widths[i] + SPACING;
    text_add_repeat(&torch->out, '=', length - SPACING);
    text_add_char(&torch->out, '\n');
}

static void add_titles(struct torch *torch, const struct layout *layout)
{
    for (unsigned i = 0; i < layout->count; i++) {
        for (const char *at = layout->titles[i]; *at != '\0'; at++) {
            if (at[0] == '%' && at[1] == 'D') {
                text_add_string(&torch->cell, table_device_name(torch->table));
                at++;
            } else {
                text_add_char(&torch->cell, *at);
            }
        }
        if (torch->flops && i == layout->count - 1)
            text_add_string(&torch->cell, torch->flops_title);
        add_cell(torch, text_span(&torch->cell), layout->widths[i], at_left(torch, layout, i));
        text_clear(&torch->cell);
    }
    text_add_char(&torch->out, '\n');
}

/* A line that is empty but for its last column. */
static void add_stack_line(struct torch *torch, const struct layout *layout, struct span line)
{
    for (unsigned i = 0; i < layout->count; i++) {
        bool last = i == layout->count - 1;
        if (last)
            add_source_text(torch, line);
        add_cell(torch, text_span(&torch->cell), layout->widths[i], at_left(torch, layout, i));
        text_clear(&torch->cell);
    }
    text_add_char(&torch->out, '\n');
}

static void add_times(struct torch *torch, uint32_t row)
{
    const struct torch_times *times = &torch->times[row];
    double calls = torch->table->averages->rows[row].count;
    add_share_cell(torch, times->self_cpu_time_total, torch->self_cpu);
    add_time_cell(torch, times->self_cpu_time_total);
    if (table_row_async(torch->table, row)) {
        text_add_char(&torch->cell, '0');
        add_number_cell(torch);
    } else {
        add_share_cell(torch, times->cpu_time_total, torch->self_cpu);
    }
    add_time_cell(torch, times->cpu_time_total);
    add_time_cell(torch, times->cpu_time_total / calls);
    if (torch->device_time) {
        add_time_cell(torch, times->self_device_time_total);
        add_share_cell(torch, times->self_device_time_total, torch->self_device);
        add_time_cell(torch, times->device_time_total);
        add_time_cell(torch, times->device_time_total / calls);
    }
}

static void add_row(struct torch *torch, const struct layout *layout, uint32_t row)
{
    struct table *table = torch->table;
    const struct average *average = &table->averages->rows[row];
    add_name_cell(torch, table_row_label(table, row, &torch->label));
    if (torch->overloads)
        add_name_cell(torch, table_row_overload(table, row));
    add_times(torch, row);
    if (torch->memory) {
        add_memory_cell(torch, average->memory[MEMORY_CPU]);
        add_memory_cell(torch, average->memory[MEMORY_SELF_CPU]);
    }
    if (torch->device_memory) {
        add_memory_cell(torch, average->memory[MEMORY_DEVICE]);
        add_memory_cell(torch, average->memory[MEMORY_SELF_DEVICE]);
    }
    text_addf(&torch->cell, "%lu", (unsigned long)average->count);
    add_number_cell(torch);
    if (torch->nodes) {
        text_addf(&torch->cell, "%d", event_node_id(table->trace, average->first));
        add_number_cell(torch);
    }
    if (torch->shapes) {
        struct span shapes = clean(torch, table_row_shapes(table, row));
        shapes.length = prefix_bytes(shapes, torch->shapes_width);
        add_cell(torch, shapes, torch->shapes_width, false);
    }
    /* Where both are shown, torch gives the FLOPs before the stack but names the columns the other way round. */
    unsigned column = layout->count - torch->stacks - torch->flops;
    if (torch->flops) {
        uint64_t flops = table_row_flops(table, row);
        if (flops > 0)
            text_addf(&torch->cell, "%8.3f", (double)flops * torch->flops_scale);
        else
            text_add_string(&torch->cell, "--");
        add_cell(torch, text_span(&torch->cell), layout->widths[column], at_left(torch, layout, column));
        text_clear(&torch->cell);
        column++;
    }
    uint32_t lines = torch->stacks ? row_lines(torch, row) : 0;
    if (torch->stacks) {
        if (lines > 0)
            add_source_text(torch, torch->lines[0]);
        add_cell(torch, text_span(&torch->cell), layout->widths[column], at_left(torch, layout, column));
        text_clear(&torch->cell);
    }
    text_add_char(&torch->out, '\n');
    for (uint32_t i = 1; i < lines; i++)
        add_stack_line(torch, layout, torch->lines[i]);
    if (torch->stacks)
        add_stack_line(torch, layout, (struct span){"", 0});
}

static void add_head(struct torch *torch, const struct layout *layout)
{
    if (torch->options->header != NULL) {
        add_double_rule(torch, layout);
        text_add_string(&torch->out, torch->options->header);
        text_add_char(&torch->out, '\n');
    }
    if (torch->table->query.top_level_only) {
        add_double_rule(torch, layout);
        text_add_string(&torch->out, "This report only display top-level ops statistics\n");
    }
    add_rule(torch, layout);
    add_titles(torch, layout);
    add_rule(torch, layout);
}

static void add_sum(struct torch *torch, const char *device, double us)
{
    add_time(torch, us);
    text_addf(&torch->out, "Self %s time total: %s\n", device, torch->cell.bytes);
    text_clear(&torch->cell);
}

static bool add_all(struct torch *torch, const struct layout *layout, struct sink *sink)
{
    const struct query *query = &torch->table->query;
    int64_t printed = 0;
    bool taken = true;
    add_head(torch, layout);
    for (uint32_t i = 0; i < torch->count && printed != query->row_limit && taken; i++) {
        if (torch->hidden[torch->rows[i]] ||
            (query->top_level_only && !table_row_top_level(torch->table, torch->rows[i])))
            continue;
        printed++;
        add_row(torch, layout, torch->rows[i]);
        taken = writer_flush(sink, &torch->out, false);
    }
    add_rule(torch, layout);
    add_sum(torch, "CPU", torch->self_cpu);
    if (torch->device_time)
        add_sum(torch, table_device_name(torch->table), torch->self_device);
    return taken && writer_flush(sink, &torch->out, true);
}

bool torch_write(struct table *table, const struct writer_options *options, struct sink *sink)
{
    if (table->kept_count == 0)
        return true;
    struct torch torch = {.table = table, .options = options, .count = table->kept_count};
    torch.times = averages_torch_times(table->averages);
    torch.rows = memory_alloc(torch.count * sizeof *torch.rows);
    memcpy(torch.rows, table->kept, torch.count * sizeof *torch.rows);
    torch.hidden = memory_zero(table->averages->count, 1);
    for (uint32_t i = 0; i < table->hidden; i++)
        torch.hidden[table->order[table->count + table->left_out + i]] = 1;
    sort_rows(&torch);
    survey(&torch);
    struct layout layout = {.count = 0};
    lay_out(&torch, &layout);
    bool taken = add_all(&torch, &layout, sink);
    free(torch.times);
    free(torch.rows);
    free(torch.hidden);
    free(torch.lines);
    text_free(&torch.out);
    text_free(&torch.cell);
    text_free(&torch.clean);
    text_free(&torch.label);
    return taken;
}
