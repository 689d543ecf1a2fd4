#include "rows.h"

#include "keyavg/names.h"

uint32_t rows_count(const struct app *app)
{
    return app->compare != NULL ? app->compare->count : app->table->count;
}

uint32_t rows_at(const struct app *app, uint32_t place)
{
    return app->compare != NULL ? app->compare->order[place] : app->table->order[place];
}

uint32_t rows_hidden(const struct app *app)
{
    return app->compare != NULL ? app->compare->hidden : app->table->hidden;
}

uint32_t rows_left_out(const struct app *app)
{
    return app->compare != NULL ? app->compare->left_out : app->table->left_out;
}

const struct table *rows_table(const struct app *app, int side)
{
    return app->compare != NULL ? app->compare->sides[side].table : app->table;
}

uint32_t rows_of_table(const struct app *app, uint32_t row, int *side)
{
    *side = COMPARE_BASE;
    if (app->compare == NULL)
        return row;
    const struct compare_row *of = &app->compare->rows[row];
    *side = of->group[COMPARE_NEW] != NO_ROW ? COMPARE_NEW : COMPARE_BASE;
    return app->compare->sides[*side].row_of[of->group[*side]];
}

uint32_t rows_find(const struct app *app, int side, uint32_t event)
{
    const struct table *table = rows_table(app, side);
    uint32_t row = event != NO_EVENT ? table->averages->row_of[tree_row_event(table->tree, event)] : NO_EVENT;
    if (row == NO_EVENT || app->compare == NULL)
        return row;
    return compare_find_row(app->compare, side, row);
}

const struct table *rows_device_table(const struct app *app)
{
    const struct table *base = rows_table(app, COMPARE_BASE);
    return trace_use_device(base->trace) != NULL ? base : rows_table(app, COMPARE_NEW);
}

bool rows_any(const struct app *app, bool (*holds)(const struct table *table))
{
    return app->compare != NULL ? holds(app->compare->sides[COMPARE_BASE].table) ||
                                      holds(app->compare->sides[COMPARE_NEW].table)
                                : holds(app->table);
}

/* -- Cells -------------------------------------------------------------------------------------------------------- */

void rows_value(const struct app *app, uint32_t row, const struct column *column, struct value *out,
                struct text *scratch)
{
    if (app->compare != NULL)
        compare_value(app->compare, row, column, out, scratch);
    else
        table_value(app->table, row, column, out, scratch);
}

bool rows_have_column(const struct app *app, const struct column *column)
{
    const struct column *of = column->of != NULL ? column->of : column;
    if (app->compare == NULL)
        return column_available(app->table, column);
    return of->need == NEED_TWO || column_available(app->compare->sides[COMPARE_BASE].table, of) ||
           column_available(app->compare->sides[COMPARE_NEW].table, of);
}

void rows_add_label(const struct app *app, uint32_t row, struct text *out)
{
    const struct table *table = app->table;
    if (app->compare != NULL) {
        struct value value;
        struct text scratch = {0};
        compare_value(app->compare, row, column_find(span_of("key")), &value, &scratch);
        text_add_span(out, value.text);
        text_free(&scratch);
    } else if (table->query.grouping.parts & GROUP_NAME) {
        text_add_span(out, strings_get(&app->trace->strings, table_row_name(table, row)));
    } else {
        table_add_row_label(table, row, out);
    }
}

uint32_t rows_stack(const struct app *app, uint32_t row, struct span *lines, uint32_t room)
{
    int side;
    uint32_t of = rows_of_table(app, row, &side);
    return table_row_stack(rows_table(app, side), of, lines, room);
}

/* The whole that a time of one side is a part of, per step where the cells are. */
static double whole_of(const struct app *app, const struct column *column)
{
    const struct column *of = column->of != NULL ? column->of : column;
    bool device = strstr(of->name, "device") != NULL;
    if (app->compare == NULL) {
        bool shown = app->table->query.percent_of == PERCENT_OF_SHOWN;
        return (double)(device ? (shown ? app->table->self_device_shown : app->table->self_device_all)
                               : (shown ? app->table->self_cpu_shown : app->table->self_cpu_all));
    }
    int side = column->facet == FACET_BASE ? COMPARE_BASE : COMPARE_NEW;
    const struct cell_facts *facts = &app->compare->sides[side].facts;
    return (double)(device ? facts->self_device : facts->self_cpu) / (double)compare_steps(app->compare, side);
}

bool rows_share(const struct app *app, uint32_t row, const struct column *column, double *share)
{
    struct value value;
    struct text scratch = {0};
    rows_value(app, row, column, &value, &scratch);
    bool known = value.kind != VALUE_UNKNOWN;
    double real = known && column->unit != UNIT_TEXT ? value_real(&value) : 0;
    text_free(&scratch);
    if (!known)
        return false;
    if (column->unit == UNIT_SHARE) {
        *share = real;
        return true;
    }
    bool side = column->facet == FACET_NONE || column->facet == FACET_BASE || column->facet == FACET_NEW;
    if (column->unit != UNIT_TIME || !side || !(column->of != NULL ? column->of : column)->summable)
        return false;
    double whole = whole_of(app, column);
    if (!(whole > 0))
        return false;
    *share = real / whole;
    return true;
}

const struct column *rows_sorted_by(const struct app *app)
{
    const struct column *sort = app->query.sort;
    if (app->compare == NULL)
        return sort;
    if (app->two.main_sort)
        sort = compare_main_column(app->compare);
    const struct column *change = sort != NULL ? facet_column(sort, FACET_DIFF) : NULL;
    return change != NULL ? change : sort;
}

/* -- Marks -------------------------------------------------------------------------------------------------------- */

/* The row of one side's table, UINT32_MAX none. */
static uint32_t row_of_side(const struct app *app, uint32_t row, int side)
{
    if (app->compare == NULL)
        return side == COMPARE_BASE ? row : UINT32_MAX;
    uint32_t group = app->compare->rows[row].group[side];
    return group != NO_ROW ? app->compare->sides[side].row_of[group] : UINT32_MAX;
}

static struct table *table_of_side(const struct app *app, int side)
{
    return app->compare != NULL ? app->compare->sides[side].table : app->table;
}

bool rows_marked(const struct table_view *view, uint32_t row)
{
    const struct app *app = view->view.app;
    for (int s = 0; s < COMPARE_SIDES; s++) {
        uint32_t own = row_of_side(app, row, s);
        if (own != UINT32_MAX && marks_has(&view->marks[s], table_of_side(app, s), own))
            return true;
    }
    return false;
}

void rows_mark(struct table_view *view, uint32_t row, bool off)
{
    const struct app *app = view->view.app;
    bool marked = rows_marked(view, row);
    for (int s = 0; s < COMPARE_SIDES; s++) {
        uint32_t own = row_of_side(app, row, s);
        if (own == UINT32_MAX)
            continue;
        struct table *table = table_of_side(app, s);
        if (!marked)
            marks_set(&view->marks[s], table, own);
        else if (off && marks_has(&view->marks[s], table, own))
            marks_switch(&view->marks[s], table, own);
    }
}

void rows_unmark_all(struct table_view *view)
{
    for (int s = 0; s < COMPARE_SIDES; s++)
        marks_clear(&view->marks[s], table_of_side(view->view.app, s));
}

bool rows_any_marked(const struct table_view *view)
{
    size_t count = 0;
    for (int s = 0; s < COMPARE_SIDES; s++)
        count += marks_count(&view->marks[s], table_of_side(view->view.app, s));
    return count > 0;
}
