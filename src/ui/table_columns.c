/* Which columns the table shows, in which order and width. */
#include "rows.h"

#include "keyavg/facet.h"
#include "keyavg/grouping.h"

/* Shown by default, in this order, where the trace has something to say; the rest follows hidden. Parts of the key,
 * which are shown while they are one, stand beside Name: without them its rows look alike. */
const char *const table_columns_defaults[] = {
    "overload_name", "input_shapes", "dtypes", "stack", "thread", "step", "phase", "module", "lane",
    "self_cpu_percent", "self_cpu_time_total", "cpu_time_total", "self_device_time_total", "self_device_percent",
    "device_time_total", "count", "cpu_total_percent", "cpu_time", "device_time", "cpu_memory_usage",
    "self_cpu_memory_usage", "device_memory_usage", "self_device_memory_usage", "flops", "node_id", NULL,
};

/* The same of two traces: what changes are looked at for comes first. Shares of one trace say little of another. */
static const char *const compared[] = {
    "overload_name", "input_shapes", "dtypes", "stack", "thread", "step", "phase", "module", "lane",
    "self_device_time_total", "self_cpu_time_total", "count", "device_time_total", "cpu_time_total", "device_time",
    "cpu_time", "cpu_memory_usage", "self_cpu_memory_usage", "device_memory_usage", "self_device_memory_usage", "flops",
    "renamed_to", NULL,
};

static const char *const *defaults(const struct app *app)
{
    return app->two.on ? compared : table_columns_defaults;
}

static bool is_default(const struct app *app, const struct column *column)
{
    for (const char *const *name = defaults(app); *name != NULL; name++)
        if (strcmp(column->name, *name) == 0)
            return true;
    return false;
}

static bool is_key(const struct column *column)
{
    return strcmp(column->name, "key") == 0;
}

void table_columns_init(struct table_view *view)
{
    view->columns.count = 0;
    view->remainder.count = 0;
    const struct app *app = view->view.app;
    for (const char *const *name = defaults(app); *name != NULL; name++) {
        const struct column *column = column_find(span_of(*name));
        if (column != NULL)
            array_push(&view->columns, (struct table_column){.column = column});
    }
    for (unsigned i = 0; i < column_count; i++)
        if (!is_default(app, &columns[i]) && !is_key(&columns[i]))
            array_push(&view->columns, (struct table_column){.column = &columns[i]});
    for (unsigned i = 0; i < facet_extra_count && app->two.on; i++)
        if (facet_extras[i].need == NEED_TWO && !is_default(app, &facet_extras[i]))
            array_push(&view->columns, (struct table_column){.column = &facet_extras[i]});
}

/* The part of the key that a column stands for; 0: it does not depend on the grouping. */
static unsigned part_of(const struct column *column)
{
    for (int i = 0; i < GROUPING_PARTS; i++)
        if (strcmp(grouping_parts[i].column, column->name) == 0)
            return grouping_parts[i].part;
    return 0;
}

bool table_columns_is_key(const struct table_column *entry)
{
    return entry->choice == COLUMN_AUTO && part_of(entry->column) != 0;
}

static bool with_flops(const struct table *table)
{
    return table->trace->header.with_flops;
}

static bool shown(const struct table_view *view, const struct table_column *entry)
{
    const struct app *app = view->view.app;
    const struct column *column = entry->column;
    if (entry->choice != COLUMN_AUTO)
        return entry->choice == COLUMN_SHOWN;
    unsigned part = part_of(column), parts = app->query.grouping.parts;
    if (part != 0)
        return (parts & part) != 0 && part != grouping_first(&app->query.grouping)->part;
    const struct column *sort = app->query.sort;
    if (sort != NULL && (column == sort || column == sort->of))
        return true;
    if (!is_default(app, column) || !rows_have_column(app, column))
        return false;
    if (column->need == NEED_TWO)
        return app->compare->renamed > 0;
    return column->need != NEED_FLOPS || rows_any(app, with_flops);
}

/* The column whose change is taken apart too: what the rows are sorted by, else the one that counts most. */
static const struct column *taken_apart(const struct app *app)
{
    const struct column *sorted = rows_sorted_by(app);
    sorted = sorted != NULL && sorted->of != NULL ? sorted->of : sorted;
    return sorted != NULL && facet_column(sorted, FACET_BY_CALLS) != NULL ? sorted : compare_main_column(app->compare);
}

/* A column of one trace is one column; a number of two traces is several. */
static void show(struct table_view *view, uint32_t entry)
{
    const struct app *app = view->view.app;
    const struct column *column = view->columns.items[entry].column, *sort = app->query.sort;
    uint32_t bits = app->compare != NULL ? facet_choice_bits[app->two.facets] : 0;
    if (app->compare == NULL || facet_column(column, FACET_BASE) == NULL) {
        array_push(&view->seen, (struct seen_column){entry, column});
        return;
    }
    if (app->two.facets == FACETS_ALL && column == taken_apart(app))
        bits |= facet_choice_bits[FACETS_EFFECTS];
    if (sort != NULL && sort->of == column)
        bits |= 1u << sort->facet;
    for (unsigned f = FACET_BASE; f <= FACET_NOISE; f++)
        if (bits >> f & 1 && facet_column(column, (enum facet)f) != NULL)
            array_push(&view->seen, (struct seen_column){entry, facet_column(column, (enum facet)f)});
}

void table_columns_refresh(struct table_view *view)
{
    const struct column *under = table_columns_under_cursor(view);
    view->seen.count = 0;
    for (uint32_t i = 0; i < view->columns.count; i++)
        if (shown(view, &view->columns.items[i]))
            show(view, i);
    /* The column cursor stays on its column. */
    table_columns_cursor_to(view, under);
    if (view->column_cursor >= view->seen.count)
        view->column_cursor = view->seen.count > 0 ? (uint32_t)view->seen.count - 1 : 0;
}

const struct column *table_columns_under_cursor(const struct table_view *view)
{
    if (view->column_cursor >= view->seen.count)
        return NULL;
    return view->seen.items[view->column_cursor].column;
}

void table_columns_cursor_to(struct table_view *view, const struct column *column)
{
    for (uint32_t i = 0; i < view->seen.count; i++)
        if (view->seen.items[i].column == column)
            view->column_cursor = i;
}

void table_columns_add_title(const struct table_view *view, uint32_t seen, struct text *out)
{
    const struct app *app = view->view.app;
    /* One that stands first on the screen has its whole title. */
    const struct column *before = seen > view->first_column ? view->seen.items[seen - 1].column : NULL;
    facet_add_title(view->seen.items[seen].column, before, table_device_name(rows_device_table(app)), out);
}

/* The next word of a list with commas. */
static bool next_word(struct span *rest, struct span *word)
{
    if (rest->length == 0)
        return false;
    const char *comma = memchr(rest->bytes, ',', rest->length);
    size_t length = comma != NULL ? (size_t)(comma - rest->bytes) : rest->length;
    *word = (struct span){rest->bytes, length};
    size_t taken = length < rest->length ? length + 1 : length;
    *rest = (struct span){rest->bytes + taken, rest->length - taken};
    while (word->length > 0 && *word->bytes == ' ')
        *word = (struct span){word->bytes + 1, word->length - 1};
    while (word->length > 0 && word->bytes[word->length - 1] == ' ')
        word->length--;
    return true;
}

bool table_columns_set(struct app *app, struct span list, bool gently, struct error *error)
{
    struct table_view *view = table_view_of(app);
    if (view == NULL)
        return error_set(error, ERROR_USAGE, "no table yet");
    if (list.length == 0 || span_is(list, "default")) {
        table_columns_init(view);
        table_columns_refresh(view);
        return true;
    }
    struct span rest = list, word;
    while (next_word(&rest, &word)) {
        const struct column *named = column_find(word);
        if (named != NULL && named->need >= NEED_TWO && !(app->two.on && named->need == NEED_TWO))
            return error_set(error, ERROR_USAGE, "the column %s needs %s", named->name, column_remedy(named));
        if (named != NULL)
            continue;
        const struct column *near = column_nearest(word);
        return error_set(error, ERROR_USAGE, "no column '%.*s'%s%s", (int)(word.length > 60 ? 60 : word.length),
                         word.bytes, near != NULL ? "; did you mean " : "", near != NULL ? near->name : "");
    }
    view->remainder.count = 0;
    /* The named ones first and shown, the others hidden behind them. */
    table_columns_init(view);
    for (size_t i = 0; i < view->columns.count; i++)
        view->columns.items[i].choice = COLUMN_HIDDEN;
    size_t place = 0;
    rest = list;
    while (next_word(&rest, &word)) {
        const struct column *column = column_find(word);
        if (column->of != NULL) /* a facet stands for itself */
            array_push(&view->columns, (struct table_column){.column = column});
        for (size_t i = place; i < view->columns.count; i++) {
            if (view->columns.items[i].column != column)
                continue;
            struct table_column entry = view->columns.items[i];
            entry.choice = gently && is_default(app, column) ? COLUMN_AUTO : COLUMN_SHOWN;
            for (size_t j = i; j > place; j--)
                view->columns.items[j] = view->columns.items[j - 1];
            view->columns.items[place++] = entry;
            break;
        }
    }
    table_columns_refresh(view);
    return true;
}

void table_columns_add_list(const struct app *app, struct text *out)
{
    struct table_view *view = table_view_of(app);
    text_add_string(out, "key");
    for (size_t i = 0; view != NULL && i < view->seen.count; i++) {
        text_add_char(out, ',');
        text_add_string(out, view->seen.items[i].column->name);
    }
}
