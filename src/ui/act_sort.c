/* Sorting. */
#include "acts.h"
#include "rows.h"

/* Numbers are looked at from the largest, words from the first. */
static bool first_direction(const struct column *column)
{
    return column != NULL && !column_is_number(column);
}

static void sort_by(struct app *app, const struct column *column, bool ascending)
{
    app->query.sort = column;
    app->query.ascending = ascending;
    app->two.main_sort = false;
    app->sort_chosen = true;
    app_update(app);
}

static const struct column *key_column(void)
{
    return column_find(span_of("key"));
}

/* The column numbers 0 (Name), 1, ... as they are shown. */
static const struct column *shown_column(const struct table_view *view, uint32_t number)
{
    if (number == 0)
        return key_column();
    if (number > view->seen.count)
        return NULL;
    return view->seen.items[number - 1].column;
}

void act_sort(struct app *app, struct span argument)
{
    if (argument.length == 0) {
        act_sort_menu(app, argument);
        return;
    }
    const struct column *column = column_find(argument);
    if (column == NULL) {
        const struct column *near = column_nearest(argument);
        app_complain(app, "no column '%.*s'%s%s", (int)argument.length, argument.bytes,
                     near != NULL ? "; did you mean " : "", near != NULL ? near->name : "");
        return;
    }
    if (column->need >= NEED_TWO && !(app->two.on && column->need == NEED_TWO)) {
        app_complain(app, "the column %s needs %s", column->name, column_remedy(column));
        return;
    }
    sort_by(app, column, column == app->query.sort ? !app->query.ascending : first_direction(column));
}

void act_sort_ascending(struct app *app, struct span argument)
{
    (void)argument;
    const struct column *column = table_columns_under_cursor(table_view_of(app));
    if (column != NULL)
        sort_by(app, column, true);
}

void act_sort_descending(struct app *app, struct span argument)
{
    (void)argument;
    const struct column *column = table_columns_under_cursor(table_view_of(app));
    if (column != NULL)
        sort_by(app, column, false);
}

void act_sort_by_number(struct app *app, struct span argument)
{
    uint32_t number = app->key.code >= '1' && app->key.code <= '9' ? app->key.code - '1' : 0;
    if (argument.length == 1 && argument.bytes[0] >= '1' && argument.bytes[0] <= '9')
        number = (uint32_t)(argument.bytes[0] - '1');
    const struct column *column = shown_column(table_view_of(app), number);
    if (column == NULL)
        app_complain(app, "there is no column %u", number + 1);
    else
        act_sort(app, span_of(column->name));
}

static void sort_beside(struct app *app, int step)
{
    struct table_view *view = table_view_of(app);
    int count = (int)view->seen.count + 1, now = -1;
    for (int i = 0; i < count; i++)
        if (shown_column(view, (uint32_t)i) == rows_sorted_by(app))
            now = i;
    int next = now < 0 ? 0 : now + step;
    if (next < 0 || next >= count)
        return;
    const struct column *column = shown_column(view, (uint32_t)next);
    if (next > 0)
        view->column_cursor = (uint32_t)next - 1; /* what is sorted by stays in sight */
    sort_by(app, column, first_direction(column));
}

void act_sort_left(struct app *app, struct span argument)
{
    (void)argument;
    sort_beside(app, -1);
}

void act_sort_right(struct app *app, struct span argument)
{
    (void)argument;
    sort_beside(app, 1);
}

void act_sort_reverse(struct app *app, struct span argument)
{
    (void)argument;
    if (app->two.main_sort) {
        app->query.ascending = !app->query.ascending;
        app_update(app);
    } else if (app->query.sort == NULL)
        app_complain(app, "the rows stand in order of first appearance; sort them first");
    else
        sort_by(app, app->query.sort, !app->query.ascending);
}

void act_unsort(struct app *app, struct span argument)
{
    (void)argument;
    sort_by(app, NULL, false);
}

/* -- The menu ------------------------------------------------------------------------------------- */

/* The column of an entry; NULL for the first one, the order of first appearance, and of two traces for the last one. */
static const struct column *entry_column(int entry)
{
    return entry > 0 && (unsigned)entry <= column_count ? &columns[entry - 1] : NULL;
}

/* What the rows are sorted by, of two traces by whose change. */
static const struct column *sorted_column(const struct app *app)
{
    const struct column *sort = app->two.main_sort ? NULL : app->query.sort;
    return sort != NULL && sort->of != NULL ? sort->of : sort;
}

static void add_label(struct app *app, int entry, struct text *out)
{
    const struct column *column = entry_column(entry);
    if (column == NULL) {
        text_add_string(out, entry == 0 ? "order of first appearance" : "size of the change, as at first");
        return;
    }
    column_add_title(column, app->table, out);
    text_addf(out, "  %s", column->name);
    if (column == sorted_column(app))
        text_add_string(out, app->query.ascending ? "  (ascending now)" : "  (descending now)");
}

static void pick(struct app *app, int entry)
{
    const struct column *column = entry_column(entry);
    if (column != NULL) {
        act_sort(app, span_of(column->name));
    } else if (entry == 0) {
        act_unsort(app, (struct span){"", 0});
    } else {
        sort_by(app, NULL, false);
        app->two.main_sort = true;
        app_update(app);
    }
}

void act_sort_menu(struct app *app, struct span argument)
{
    (void)argument;
    static struct menu menu = {.title = "sort by", .add_label = add_label, .pick = pick};
    const struct column *sorted = sorted_column(app);
    bool known = sorted >= columns && sorted < columns + column_count;
    menu.count = (int)column_count + 1 + app->two.on;
    menu_open(app, &menu, app->two.main_sort ? menu.count - 1 : known ? (int)(sorted - columns) + 1 : 0);
}
