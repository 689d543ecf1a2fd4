/* What the options of --view ask of each other. */
#include "keyavg/drill.h"
#include "parse.h"

/* Sorting and columns must be of the view. */
static bool check_column(const struct options *options, const struct column *column, struct error *error)
{
    unsigned kinds = drill_column_kinds(column);
    bool is_side = column == drill_column_find(span_of("side"));
    if (options->view != DRILL_TABLE && !is_side && !(kinds >> options->view & 1))
        return error_set(error, ERROR_USAGE, "--view %s has no column '%s'; --list-columns tells which views have it",
                         drill_kinds[options->view].name, column->name);
    if (options->view != DRILL_TABLE || drill_column_find(span_of(column->name)) != column)
        return true;
    if (is_side)
        return error_set(error, ERROR_USAGE, "column '%s' is of the views of two traces", column->name);
    int kind = DRILL_FOCUS;
    while (!(kinds >> kind & 1))
        kind++;
    return error_set(error, ERROR_USAGE, "column '%s' is of --view %s", column->name, drill_kinds[kind].name);
}

static bool is_of_table(const struct column *column)
{
    return column == NULL || (column >= columns && column < columns + column_count);
}

static bool check_explain(const struct options *options, struct error *error)
{
    const struct column *wrong = !is_of_table(options->query.sort)      ? options->query.sort
                                 : !is_of_table(options->drill.explain) ? options->drill.explain
                                                                        : NULL;
    if (options->drill.explain == NULL || options->view != DRILL_EXPLAIN)
        return error_set(error, ERROR_USAGE, "--view and --focus do not go with --explain, which names its row");
    return wrong == NULL ||
           error_set(error, ERROR_USAGE, "--explain is about rows and columns of the table; '%s' is of other views",
                     wrong->name);
}

static bool check_metric(const struct options *options, struct error *error)
{
    struct span metric = span_of(options->writing.metric->name);
    bool totals = !span_starts(metric, "self_");
    bool folded = options->writer->write == folded_write, stacks = options->writer->write == stacks_write;
    if (!options->metric_given || folded || (stacks && !totals))
        return true;
    return error_set(error, ERROR_USAGE, "--metric is for --format %s", totals ? "folded" : "stacks or folded");
}

static bool check_filter(const struct options *options, struct error *error)
{
    const struct column *column;
    if (options->view_filter == NULL)
        return true;
    if (options->view == DRILL_TABLE)
        return error_set(error, ERROR_USAGE, "--view-filter is for a view; the table's rows pass --filter");
    for (unsigned i = 0; (column = filter_column(options->view_filter, i)) != NULL; i++)
        if (!check_column(options, column, error))
            return false;
    return true;
}

/* What else the view takes of the options. */
static void fill_settings(struct options *options)
{
    /* Rows are explained in the order of the table. */
    options->drill.sort = options->view != DRILL_EXPLAIN ? options->query.sort : NULL;
    options->drill.ascending = options->query.ascending;
    options->drill.row_limit = options->query.row_limit;
    options->drill.columns = options->columns;
    options->drill.column_count = options->columns != NULL ? options->writing.column_count : 0;
    options->drill.filter = options->view_filter;
}

bool parse_check_view(struct options *options, bool screen, struct error *error)
{
    if (options->writer->write == folded_write && options->format_given && options->view == DRILL_TABLE)
        options->view = DRILL_TREE;
    if (!check_metric(options, error))
        return false;
    if (options->view == DRILL_EXPLAIN && options->mode != MODE_ONE)
        return error_set(error, ERROR_USAGE, "--explain is of one trace");
    if (options->view != DRILL_TABLE && options->mode == MODE_RANKS)
        return error_set(error, ERROR_USAGE, "--view %s is of one trace or two", drill_kinds[options->view].name);
    if (options->view != DRILL_TABLE && options->condition_count > 0)
        return error_set(error, ERROR_USAGE, "--fail-if is about the table of changes; --view does not go with it");
    if ((options->view == DRILL_EXPLAIN || options_given(options, "explain")) && !check_explain(options, error))
        return false;
    bool sorted = options->query.sort != NULL && options->view != DRILL_EXPLAIN;
    if (sorted && !check_column(options, options->query.sort, error))
        return false;
    for (unsigned i = 0; options->columns != NULL && i < options->writing.column_count; i++)
        if (!check_column(options, options->columns[i], error))
            return false;
    if (!check_filter(options, error))
        return false;
    fill_settings(options);
    if (options->view == DRILL_TABLE && options->focus != NULL)
        return error_set(error, ERROR_USAGE,
                         "--focus needs a view: --view focus, calls, tree, kernels, pairs or event");
    if (options->view == DRILL_TABLE)
        return true;
    if (options->focus == NULL && (options->view == DRILL_FOCUS || options->view == DRILL_EVENT))
        return error_set(error, ERROR_USAGE, "--view %s needs a row: --focus NAME", drill_kinds[options->view].name);
    if (options->focus != NULL && (options->view == DRILL_MODULES || options->view == DRILL_QUALITY))
        return error_set(error, ERROR_USAGE, "--view %s is of the whole %s; --focus does not go with it",
                         drill_kinds[options->view].name, options->view == DRILL_MODULES ? "model" : "file");
    if (options->focus != NULL && options->focus[0] == '\0')
        return error_set(error, ERROR_USAGE, "--focus needs the name of a row");
    if (screen || writer_takes_drill(options->writer, (int)options->view))
        return true;
    return error_set(error, ERROR_USAGE, "--format %s does not go with --view %s; give text, csv, tsv, json%s",
                     options->writer->name, drill_kinds[options->view].name,
                     options->view == DRILL_TREE ? ", markdown or folded" : " or markdown");
}
