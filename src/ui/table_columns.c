/* Which columns the table shows, in which order and width. */
#include "table_view.h"

#include "keyavg/grouping.h"

/* Shown by default, in this order, where the trace has something to say; the rest follows hidden. Parts of the key,
 * which are shown while they are one, stand beside Name: without them its rows look alike. */
const char *const table_columns_defaults[] = {
    "overload_name", "input_shapes", "dtypes", "stack", "thread", "step", "phase", "module", "lane",
    "self_cpu_percent", "self_cpu_time_total", "cpu_time_total", "self_device_time_total", "self_device_percent",
    "device_time_total", "count", "cpu_total_percent", "cpu_time", "device_time", "cpu_memory_usage",
    "self_cpu_memory_usage", "device_memory_usage", "self_device_memory_usage", "flops", "node_id", NULL,
};

enum { DEFAULTS = sizeof table_columns_defaults / sizeof *table_columns_defaults - 1 };

static bool is_default(const struct column *column)
{
    for (int i = 0; i < DEFAULTS; i++)
        if (strcmp(column->name, table_columns_defaults[i]) == 0)
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
    view->hidden_sums.count = 0;
    for (int i = 0; i < DEFAULTS; i++) {
        const struct column *column = column_find(span_of(table_columns_defaults[i]));
        if (column != NULL)
            array_push(&view->columns, (struct table_column){.column = column});
    }
    for (unsigned i = 0; i < column_count; i++)
        if (!is_default(&columns[i]) && !is_key(&columns[i]))
            array_push(&view->columns, (struct table_column){.column = &columns[i]});
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

static bool shown(const struct table_view *view, const struct table_column *entry)
{
    const struct app *app = view->view.app;
    const struct column *column = entry->column;
    if (entry->choice != COLUMN_AUTO)
        return entry->choice == COLUMN_SHOWN;
    unsigned part = part_of(column), parts = app->query.grouping.parts;
    if (part != 0)
        return (parts & part) != 0 && part != grouping_first(&app->query.grouping)->part;
    if (column == app->query.sort)
        return true;
    if (!is_default(column) || !column_available(app->table, column))
        return false;
    return column->need != NEED_FLOPS || app->trace->header.with_flops;
}

void table_columns_refresh(struct table_view *view)
{
    const struct column *under = table_columns_under_cursor(view);
    view->seen.count = 0;
    for (uint32_t i = 0; i < view->columns.count; i++)
        if (shown(view, &view->columns.items[i]))
            array_push(&view->seen, i);
    /* The column cursor stays on its column. */
    for (uint32_t i = 0; i < view->seen.count; i++)
        if (view->columns.items[view->seen.items[i]].column == under)
            view->column_cursor = i;
    if (view->column_cursor >= view->seen.count)
        view->column_cursor = view->seen.count > 0 ? (uint32_t)view->seen.count - 1 : 0;
}

const struct column *table_columns_under_cursor(const struct table_view *view)
{
    if (view->column_cursor >= view->seen.count)
        return NULL;
    return view->columns.items[view->seen.items[view->column_cursor]].column;
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
        if (column_find(word) != NULL)
            continue;
        const struct column *near = column_nearest(word);
        return error_set(error, ERROR_USAGE, "no column '%.*s'%s%s", (int)(word.length > 60 ? 60 : word.length),
                         word.bytes, near != NULL ? "; did you mean " : "", near != NULL ? near->name : "");
    }
    view->hidden_sums.count = 0;
    /* The named ones first and shown, the others hidden behind them. */
    table_columns_init(view);
    for (size_t i = 0; i < view->columns.count; i++)
        view->columns.items[i].choice = COLUMN_HIDDEN;
    size_t place = 0;
    rest = list;
    while (next_word(&rest, &word)) {
        const struct column *column = column_find(word);
        for (size_t i = place; i < view->columns.count; i++) {
            if (view->columns.items[i].column != column)
                continue;
            struct table_column entry = view->columns.items[i];
            entry.choice = gently && is_default(column) ? COLUMN_AUTO : COLUMN_SHOWN;
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
        text_add_string(out, view->columns.items[view->seen.items[i]].column->name);
    }
}
