#include "keyavg/options.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>

#include "keyavg/grouping.h"
#include "keyavg/memory.h"
#include "keyavg/nearest.h"
#include "keyavg/utf8.h"
#include "parse.h"

/* -- Errors ------------------------------------------------------------------------------------------------------ */

static bool wrong_value(struct error *error, const struct option_entry *entry, const char *value, const char *expected)
{
    struct text text = {0};
    utf8_add_fitted(&text, span_of(value), 60, UTF8_CUT_END, false);
    error_set(error, ERROR_USAGE, "wrong value '%s' for --%s: %s", text.bytes != NULL ? text.bytes : "", entry->name,
              expected);
    text_free(&text);
    return false;
}

/* -- Applying ---------------------------------------------------------------------------------------------------- */

#define APPLY(name)                                                                                                    \
    static bool name(struct options *options, const struct option_entry *entry, const char *value, struct error *error)

/* For options without an argument. */
#define APPLY_FLAG(name, statement)                                                                                    \
    APPLY(name)                                                                                                        \
    {                                                                                                                  \
        (void)entry, (void)value, (void)error;                                                                         \
        statement;                                                                                                     \
        return true;                                                                                                   \
    }

APPLY_FLAG(apply_shapes, options->query.grouping.parts |= GROUP_SHAPE)
APPLY_FLAG(apply_overload, options->query.grouping.parts |= GROUP_OVERLOAD)
APPLY_FLAG(apply_full_shapes, options->query.grouping.full_list_shapes = true)
APPLY_FLAG(apply_ascending, options->query.ascending = true)
APPLY_FLAG(apply_top_level, options->query.top_level_only = true)
APPLY_FLAG(apply_exact, options->writing.exact = true)
APPLY_FLAG(apply_batch, options->batch = true)
APPLY_FLAG(apply_stats, options->batch = options->stats = true)
APPLY_FLAG(apply_list_columns, options->list_columns = true)
APPLY_FLAG(apply_help, options->help = true)
APPLY_FLAG(apply_version, options->version = true)
APPLY_FLAG(apply_header, options->writing.header = value)
APPLY_FLAG(apply_output, options->output = value)

static bool set_python(struct options *options, enum python_frames python, struct error *error)
{
    if (options->python_given && options->query.grouping.python != python)
        return error_set(error, ERROR_USAGE,
                         "--no-python leaves out what --include-python-functions asks for; give one");
    options->query.grouping.python = python;
    options->python_given = true;
    return true;
}

APPLY(apply_python)
{
    (void)entry, (void)value;
    return set_python(options, PYTHON_AS_ROWS, error);
}

APPLY(apply_no_python)
{
    (void)entry, (void)value;
    return set_python(options, PYTHON_LEFT_OUT, error);
}

static bool read_number(const char *value, int64_t *number)
{
    char *end;
    errno = 0;
    long long read = strtoll(value, &end, 10);
    *number = read;
    return errno == 0 && end != value && *end == '\0' && value[0] != ' ';
}

APPLY(apply_threads)
{
    int64_t threads;
    options->threads = read_number(value, &threads) && threads >= 1 && threads <= 1024 ? (unsigned)threads : 0;
    return options->threads != 0 || wrong_value(error, entry, value, "a number of threads from 1");
}

APPLY(apply_row_limit)
{
    options->row_limit_given = true;
    return read_number(value, &options->query.row_limit) ||
           wrong_value(error, entry, value, "a number of rows, -1 for all");
}

APPLY(apply_stack)
{
    int64_t depth;
    if (!read_number(value, &depth) || depth < 0 || depth > INT_MAX)
        return wrong_value(error, entry, value, "a number of frames, 0 for none");
    options->query.grouping.stack_depth = (int)depth;
    options->query.grouping.parts &= ~(unsigned)GROUP_STACK;
    if (depth > 0)
        options->query.grouping.parts |= GROUP_STACK;
    return true;
}

static bool read_width(const struct option_entry *entry, const char *value, unsigned *width, struct error *error)
{
    int64_t number;
    if (!read_number(value, &number) || number < 0 || number > 1000000)
        return wrong_value(error, entry, value, "a width from 0 to 1000000");
    *width = (unsigned)number;
    return true;
}

APPLY(apply_name_width)
{
    return read_width(entry, value, &options->writing.name_width, error);
}

APPLY(apply_source_width)
{
    return read_width(entry, value, &options->writing.source_width, error);
}

APPLY(apply_shapes_width)
{
    return read_width(entry, value, &options->writing.shapes_width, error);
}

static const struct column *read_column(struct span name, struct error *error)
{
    const struct column *column = column_find(name), *nearest = column == NULL ? column_nearest(name) : NULL;
    if (column == NULL)
        option_unknown(error, "column", name, "", nearest != NULL ? nearest->name : NULL,
                "--list-columns prints the names");
    return column;
}

APPLY(apply_sort)
{
    (void)entry;
    options->sort_given = true;
    if (strcmp(value, "none") == 0) {
        options->query.sort = NULL;
        return true;
    }
    options->query.sort = read_column(span_of(value), error);
    return options->query.sort != NULL;
}

APPLY(apply_columns)
{
    unsigned count = 0, room = 1;
    for (const char *at = value; *at != '\0'; at++)
        room += *at == ',';
    free(options->columns);
    options->columns = memory_alloc(room * sizeof *options->columns);
    for (const char *at = value;;) {
        size_t length = strcspn(at, ","), first = strspn(at, " "), last = length;
        while (last > first && at[last - 1] == ' ')
            last--;
        if (first >= last)
            return wrong_value(error, entry, value, "names separated by commas, as --list-columns prints them");
        options->columns[count] = read_column((struct span){at + first, last - first}, error);
        if (options->columns[count++] == NULL)
            return false;
        if (at[length] == '\0')
            break;
        at += length + 1;
    }
    options->writing.columns = options->columns;
    options->writing.column_count = count;
    return true;
}

APPLY(apply_format)
{
    (void)entry;
    options->format_given = true;
    options->writer = writer_find(span_of(value));
    if (options->writer != NULL)
        return true;
    struct nearest nearest;
    struct text names = {0};
    nearest_init(&nearest, span_of(value));
    for (unsigned i = 0; i < writer_count; i++) {
        nearest_offer(&nearest, writers[i].name);
        text_addf(&names, "%s%s", i == 0 ? "known are " : ", ", writers[i].name);
    }
    option_unknown(error, "format", span_of(value), "", nearest.name, names.bytes);
    text_free(&names);
    return false;
}

/* The number of a word in the entry's `a|b|c`, -1 when it is not there. */
static int choice_of(const struct option_entry *entry, const char *value)
{
    int number = 0;
    for (const char *at = entry->argument;; number++) {
        size_t length = strcspn(at, "|");
        if (span_equal(span_of(value), (struct span){at, length}))
            return number;
        if (at[length] == '\0')
            return -1;
        at += length + 1;
    }
}

APPLY(apply_unit)
{
    static const enum time_unit units[] = {TIME_S, TIME_MS, TIME_US, TIME_AUTO};
    int choice = choice_of(entry, value);
    if (choice < 0)
        return wrong_value(error, entry, value, "it is s, ms, us or auto");
    options->query.unit = units[choice];
    return true;
}

APPLY(apply_group)
{
    (void)entry;
    return grouping_parse(span_of(value), &options->query.grouping, error);
}

APPLY(apply_filter)
{
    (void)entry;
    struct filter *filter = filter_parse(span_of(value), error);
    if (filter == NULL)
        return false;
    filter_free(options->filter);
    options->filter = filter;
    options->query.filter = filter_on_events(filter) || filter_on_rows(filter) ? filter : NULL;
    return true;
}

APPLY(apply_scope)
{
    int choice = choice_of(entry, value);
    if (choice < 0)
        return wrong_value(error, entry, value, "it is " SCOPE_WORDS);
    options->query.scope = (enum scope_choice)choice;
    return true;
}

APPLY(apply_hide_below)
{
    char *end;
    double number = strtod(value, &end);
    if (end == value || *end != '\0' || !(number >= 0 && number <= 100))
        return wrong_value(error, entry, value, "a number of per cent from 0 to 100");
    options->query.hide_below = number;
    return true;
}

APPLY(apply_percent_of)
{
    int choice = choice_of(entry, value);
    if (choice < 0)
        return wrong_value(error, entry, value, "it is all or shown");
    options->query.percent_of = choice == 0 ? PERCENT_OF_ALL : PERCENT_OF_SHOWN;
    return true;
}

APPLY(apply_annotations)
{
    int choice = choice_of(entry, value);
    if (choice < 0)
        return wrong_value(error, entry, value, "it is on or off");
    options->query.no_device_annotations = choice == 1;
    return true;
}

APPLY(apply_screen)
{
    char *end;
    long columns_given = strtol(value, &end, 10), rows = *end == 'x' ? strtol(end + 1, &end, 10) : 0;
    if (*end != '\0' || columns_given < 1 || columns_given > 1000 || rows < 1 || rows > 1000)
        return wrong_value(error, entry, value, "columns and rows, such as 80x24");
    options->screen_columns = (int)columns_given;
    options->screen_rows = (int)rows;
    return true;
}

APPLY(apply_color)
{
    int choice = choice_of(entry, value);
    if (choice < 0)
        return wrong_value(error, entry, value, "it is auto, always or never");
    options->color = (enum color_choice)choice;
    options->color_given = true;
    return true;
}

/* -- Several traces ------------------------------------------------------------------------------------------------ */

APPLY_FLAG(apply_several, (void)options)
APPLY_FLAG(apply_per_step, options->per_step = true)
APPLY_FLAG(apply_unchanged, options->unchanged = true)
APPLY_FLAG(apply_by_rank, options->by_rank = true)
APPLY_FLAG(apply_collectives, options->collectives = true)
APPLY_FLAG(apply_summarise, options->summarise = value)

APPLY(apply_side_filter)
{
    struct filter *filter = filter_parse(span_of(value), error);
    options->side_texts[entry->name[0] == 'b' ? COMPARE_BASE : COMPARE_NEW] = value;
    filter_free(filter);
    return filter != NULL;
}

APPLY(apply_fail_if)
{
    struct condition condition;
    (void)entry;
    if (!condition_parse(value, &condition, error))
        return false;
    options->conditions = memory_resize(options->conditions, options->condition_count + 1, sizeof condition);
    options->conditions[options->condition_count++] = condition;
    return true;
}

APPLY(apply_memory)
{
    return (units_parse_bytes(span_of(value), &options->memory) && options->memory > 0) ||
           wrong_value(error, entry, value, "bytes such as 8G or 512M");
}

APPLY_FLAG(apply_play, options->play = value)
APPLY_FLAG(apply_theme, options->theme = value)
APPLY_FLAG(apply_config, options->config = value)
APPLY_FLAG(apply_ascii, options->ascii = true)
APPLY_FLAG(apply_roles, options->screen_roles = true)
APPLY_FLAG(apply_print_config, options->print_config = true)

APPLY(apply_view)
{
    int choice = choice_of(entry, value);
    struct nearest nearest;
    if (choice >= 0) {
        options->view = (enum drill_kind)choice;
        return true;
    }
    nearest_init(&nearest, span_of(value));
    for (int i = 0; i < DRILL_EXPLAIN; i++)
        nearest_offer(&nearest, drill_kinds[i].name);
    return option_unknown(error, "view", span_of(value), "", nearest.name,
                   "known are table, focus, calls, tree, kernels, pairs, modules, event and quality");
}

APPLY_FLAG(apply_focus, options->focus = value)
/* Comes twice: with the row, then with the column. */
APPLY(apply_explain)
{
    (void)entry;
    if (options->view != DRILL_EXPLAIN || options->drill.explain != NULL) {
        options->view = DRILL_EXPLAIN;
        options->drill.explain = NULL;
        options->focus = value;
        return true;
    }
    options->drill.explain = read_column(span_of(value), error);
    return options->drill.explain != NULL;
}

APPLY_FLAG(apply_bottom_up, options->drill.bottom_up = true)
APPLY_FLAG(apply_fold_python, options->drill.fold_python = true)
APPLY_FLAG(apply_fold_chains, options->drill.fold_chains = true)
APPLY_FLAG(apply_by_class, options->drill.by_class = true)

APPLY(apply_view_filter)
{
    (void)entry;
    struct filter *filter = filter_parse(span_of(value), error);
    if (filter == NULL)
        return false;
    filter_free(options->view_filter);
    options->view_filter = filter;
    return true;
}

APPLY(apply_metric)
{
    /* As torch's export_stacks takes it: cuda, xpu and privateuse1 mean device. */
    const struct column *column = column_find(span_of(value));
    options->metric_given = true;
    if (column == NULL || choice_of(entry, column->name) < 0)
        return wrong_value(error, entry, value, "it is self_cpu_time_total or self_device_time_total, for folded also "
                           "cpu_time_total or device_time_total");
    options->writing.metric = column;
    return true;
}

/* -- The table --------------------------------------------------------------------------------------------------- */

const char *const option_group_titles[OPTIONS_GROUP_COUNT] = {
    [OPTIONS_GROUPING] = "Grouping",
    [OPTIONS_ROWS] = "Rows",
    [OPTIONS_SEVERAL] = "Several traces",
    [OPTIONS_VIEW] = "View",
    [OPTIONS_OUTPUT] = "Output",
    [OPTIONS_WIDTHS] = "Widths (torch, text)",
    [OPTIONS_OTHER] = "Other",
};

const struct option_entry option_entries[] = {
    {"group-by", 'g', ARGUMENT_GROUPING, OPTIONS_GROUPING, "A,B,...",
     "rows by any of name, overload, shape, dtype, stack=N, thread, step, scope, module, device; without name the first "
     "stands under Name (default: name)",
     apply_group},
    {"group-by-input-shape", 'S', ARGUMENT_NONE, OPTIONS_GROUPING, NULL,
     "calls with other input shapes make other rows", apply_shapes},
    {"group-by-stack-n", 'k', ARGUMENT_NUMBER, OPTIONS_GROUPING, "N",
     "calls under other Python frames make other rows; the N innermost frames count", apply_stack},
    {"group-by-overload-name", 'O', ARGUMENT_NONE, OPTIONS_GROUPING, NULL,
     "other overloads of an operator make other rows", apply_overload},
    {"full-list-shapes", 0, ARGUMENT_NONE, OPTIONS_GROUPING, NULL,
     "with --group-by-input-shape: a list of tensors counts with every tensor's shape, which torch drops",
     apply_full_shapes},
    {"include-python-functions", 'p', ARGUMENT_NONE, OPTIONS_GROUPING, NULL,
     "Python frames are rows too; without this they are only callers and stacks", apply_python},
    {"no-python", 0, ARGUMENT_NONE, OPTIONS_GROUPING, NULL,
     "leave Python frames out altogether, as if they had not been recorded", apply_no_python},
    {"sort-by", 's', ARGUMENT_COLUMN, OPTIONS_ROWS, "COLUMN",
     "descending by a column, such as self_cpu_time_total (default: order of first appearance)", apply_sort},
    {"ascending", 'a', ARGUMENT_NONE, OPTIONS_ROWS, NULL, "sort the other way round", apply_ascending},
    {"row-limit", 'n', ARGUMENT_NUMBER, OPTIONS_ROWS, "N",
     "print N rows, -1 all (default: 100 for torch and text, all for the others)", apply_row_limit},
    {"top-level-events-only", 't', ARGUMENT_NONE, OPTIONS_ROWS, NULL, "only rows whose first call has no caller",
     apply_top_level},
    {"filter", 'F', ARGUMENT_FILTER, OPTIONS_ROWS, "EXPRESSION",
     "only calls and rows that pass: words of the name, /regex/, column>value, kind: scope: step: thread: shape:, ! "
     "negates",
     apply_filter},
    {"scope", 0, ARGUMENT_CHOICE, OPTIONS_ROWS, "all|forward|backward|user|recompute|sync|optimizer|data|none",
     "only calls of this phase; recompute (frames of torch/utils/checkpoint.py) and sync (collectives) are inside of backward, "
     "told by names alone",
     apply_scope},
    {"hide-below", 'L', ARGUMENT_NUMBER, OPTIONS_ROWS, "P",
     "leave out rows with less than P per cent of the sort column (self CPU where that has no share)",
     apply_hide_below},
    {"percent-of", 0, ARGUMENT_CHOICE, OPTIONS_ROWS, "all|shown",
     "shares are of all rows of the file, or of those that filter and scope leave (default: all)", apply_percent_of},
    {"device-annotations", 0, ARGUMENT_CHOICE, OPTIONS_ROWS, "on|off",
     "whether annotations on the device make rows (default: on)", apply_annotations},
    {"compare", 0, ARGUMENT_NONE, OPTIONS_SEVERAL, NULL,
     "BASE NEW are two traces to compare (so two files are, unless they are folders or summaries)", apply_several},
    {"ranks", 0, ARGUMENT_NONE, OPTIONS_SEVERAL, NULL,
     "the files are ranks of one run (so a folder, three files or more, and .kavg files are)", apply_several},
    {"base-filter", 0, ARGUMENT_FILTER, OPTIONS_SEVERAL, "EXPRESSION",
     "a filter for BASE alone, besides --filter; with one file both sides are of it", apply_side_filter},
    {"new-filter", 0, ARGUMENT_FILTER, OPTIONS_SEVERAL, "EXPRESSION", "the same for NEW", apply_side_filter},
    {"per-step", 0, ARGUMENT_NONE, OPTIONS_SEVERAL, NULL,
     "compare what one step of the profiler takes, for traces of unlike length", apply_per_step},
    {"unchanged", 0, ARGUMENT_NONE, OPTIONS_SEVERAL, NULL, "print rows in which nothing has changed, too",
     apply_unchanged},
    {"fail-if", 0, ARGUMENT_TEXT, OPTIONS_SEVERAL, "CONDITION",
     "tell which rows have grown by more and exit with 4: 'self_device_time_total > 5%', 'cpu_time > 1ms', "
     "'total:self_cpu_time_total > 2%'; may be given several times",
     apply_fail_if},
    {"by-rank", 0, ARGUMENT_NONE, OPTIONS_SEVERAL, NULL, "a row for each rank, whose number is node_id", apply_by_rank},
    {"collectives", 0, ARGUMENT_NONE, OPTIONS_SEVERAL, NULL,
     "print the collectives of the ranks: who arrived last, and how late", apply_collectives},
    {"memory", 0, ARGUMENT_TEXT, OPTIONS_SEVERAL, "BYTES",
     "memory for traces of ranks that are read at the same time, such as 8G (default: half of what there is)",
     apply_memory},
    {"summarise", 0, ARGUMENT_FILE, OPTIONS_SEVERAL, "OUT.kavg",
     "write a summary of traces, or of summaries, in which stacks have --group-by-stack-n frames (default: 5)",
     apply_summarise},
    {"view", 0, ARGUMENT_CHOICE, OPTIONS_VIEW, "table|focus|calls|tree|kernels|pairs|modules|event|quality",
     "what to show of the calls that are chosen: rows, or a row's callers and callees, every call, the call tree, device "
     "events, forward against backward, nn.Modules, one event; or what the file can and cannot tell (default: table)",
     apply_view},
    {"focus", 0, ARGUMENT_TEXT, OPTIONS_VIEW, "NAME",
     "the row that --view is about, by its name in the table; NAME#K the K-th row of that name, #K the K-th row, behind any of "
     "them @K its K-th call; focus and event need one",
     apply_focus},
    {"explain", 0, ARGUMENT_CELL, OPTIONS_VIEW, "ROW COLUMN",
     "print where one cell of the table comes from: its formula with the row's numbers, what is taken away, what is not in it "
     "and why; ROW as for --focus",
     apply_explain},
    {"bottom-up", 0, ARGUMENT_NONE, OPTIONS_VIEW, NULL, "tree: callers under what they called", apply_bottom_up},
    {"fold-python", 0, ARGUMENT_NONE, OPTIONS_VIEW, NULL, "focus, tree: Python frames that call each other are one",
     apply_fold_python},
    {"fold-chains", 0, ARGUMENT_NONE, OPTIONS_VIEW, NULL, "tree: calls that are their caller's only ones stand in its row",
     apply_fold_chains},
    {"by-class", 0, ARGUMENT_NONE, OPTIONS_VIEW, NULL, "modules: those of one class are one", apply_by_class},
    {"view-filter", 0, ARGUMENT_FILTER, OPTIONS_VIEW, "EXPRESSION",
     "show only the view's rows that pass: words on their names, columns on their cells, and what is asked of calls on "
     "those that a row stands for",
     apply_view_filter},
    {"format", 'f', ARGUMENT_FORMAT, OPTIONS_OUTPUT, "FORMAT",
     "how to print (default: by the ending of --output's file, else torch); the formats are below", apply_format},
    {"columns", 'c', ARGUMENT_COLUMNS, OPTIONS_OUTPUT, "A,B,...", "print these columns, in this order (not with torch)",
     apply_columns},
    {"output", 'o', ARGUMENT_FILE, OPTIONS_OUTPUT, "FILE", "write to FILE, which is replaced only once all is written",
     apply_output},
    {"time-unit", 'u', ARGUMENT_CHOICE, OPTIONS_OUTPUT, "s|ms|us|auto",
     "one unit for all times of torch, text and screen (default: auto, what fits each)",
     apply_unit},
    {"header", 0, ARGUMENT_TEXT, OPTIONS_OUTPUT, "TEXT", "a line above the table of torch and text", apply_header},
    {"metric", 0, ARGUMENT_CHOICE, OPTIONS_OUTPUT,
     "self_cpu_time_total|self_device_time_total|cpu_time_total|device_time_total",
     "what stacks and folded count; the last two are for folded (default: self_cpu_time_total)", apply_metric},
    {"csv-exact", 0, ARGUMENT_NONE, OPTIONS_OUTPUT, NULL,
     "csv: do not put ' before text that a spreadsheet would take for a formula", apply_exact},
    {"max-name-column-width", 0, ARGUMENT_NUMBER, OPTIONS_WIDTHS, "N", "names (default: 55)", apply_name_width},
    {"max-src-column-width", 0, ARGUMENT_NUMBER, OPTIONS_WIDTHS, "N", "source locations (default: 75)",
     apply_source_width},
    {"max-shapes-column-width", 0, ARGUMENT_NUMBER, OPTIONS_WIDTHS, "N", "input shapes (default: 80)",
     apply_shapes_width},
    {"theme", 0, ARGUMENT_THEME, OPTIONS_OTHER, "NAME", "colours of the explorer", apply_theme},
    {"color", 0, ARGUMENT_CHOICE, OPTIONS_OTHER, "auto|always|never",
     "colours of the explorer: auto heeds NO_COLOR (default)", apply_color},
    {"ascii", 0, ARGUMENT_NONE, OPTIONS_OTHER, NULL, "the explorer draws with ASCII characters alone", apply_ascii},
    {"config", 0, ARGUMENT_FILE, OPTIONS_OTHER, "FILE", "read this configuration", apply_config},
    {"print-config", 0, ARGUMENT_NONE, OPTIONS_OTHER, NULL, "print the default configuration with all its words",
     apply_print_config},
    {"play", 0, ARGUMENT_TEXT, OPTIONS_OTHER, "KEYS",
     "type KEYS into an explorer without a terminal and print its last screen: 'S}/conv<Enter><F6><Down 3><Click 12,5>'",
     apply_play},
    {"screen", 0, ARGUMENT_TEXT, OPTIONS_OTHER, "CxR", "with --play: columns and rows of the screen (default: 80x24)",
     apply_screen},
    {"screen-roles", 0, ARGUMENT_NONE, OPTIONS_OTHER, NULL, "with --play: print the role of each cell beside the screen",
     apply_roles},
    {"threads", 0, ARGUMENT_NUMBER, OPTIONS_OTHER, "N", "read with N threads (default: one for each processor)",
     apply_threads},
    {"batch", 'b', ARGUMENT_NONE, OPTIONS_OTHER, NULL, "print, also on a terminal", apply_batch},
    {"stats", 0, ARGUMENT_NONE, OPTIONS_OTHER, NULL,
     "print, and tell on standard error what each phase took, and memory", apply_stats},
    {"list-columns", 0, ARGUMENT_NONE, OPTIONS_OTHER, NULL, "print the columns with their units and meanings",
     apply_list_columns},
    {"help", 'h', ARGUMENT_NONE, OPTIONS_OTHER, NULL, "print this", apply_help},
    {"version", 'V', ARGUMENT_NONE, OPTIONS_OTHER, NULL, "print the version and those of the libraries",
     apply_version},
};
const unsigned option_entry_count = sizeof option_entries / sizeof option_entries[0];
_Static_assert(sizeof option_entries / sizeof option_entries[0] <= 64, "options.given has one bit each");
