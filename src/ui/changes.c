/* What the table view has of two traces in other places than of one. */
#include "acts.h"
#include "keyavg/facet.h"
#include "rows.h"

#define BIT(facet) (1u << (facet))

const char *const facet_choice_names[FACET_CHOICES] = {
    [FACETS_ALL] = "all", [FACETS_CHANGE] = "change", [FACETS_SIDES] = "sides", [FACETS_EFFECTS] = "effects"};

const char *const facet_choice_words[FACET_CHOICES] = {
    [FACETS_ALL] = "base, new, change, ratio",
    [FACETS_CHANGE] = "change, ratio",
    [FACETS_SIDES] = "base, new",
    [FACETS_EFFECTS] = "change, its parts, its share",
};

const uint32_t facet_choice_bits[FACET_CHOICES] = {
    [FACETS_ALL] = BIT(FACET_BASE) | BIT(FACET_NEW) | BIT(FACET_DIFF) | BIT(FACET_RATIO),
    [FACETS_CHANGE] = BIT(FACET_DIFF) | BIT(FACET_RATIO),
    [FACETS_SIDES] = BIT(FACET_BASE) | BIT(FACET_NEW),
    [FACETS_EFFECTS] = BIT(FACET_DIFF) | BIT(FACET_BY_CALLS) | BIT(FACET_BY_CALL) | BIT(FACET_SHARE),
};

/* -- Rows and cells ----------------------------------------------------------------------------------------------- */

static struct span change_word(const struct app *app, uint32_t row)
{
    struct value value;
    struct text scratch = {0};
    compare_value(app->compare, row, column_find(span_of("change")), &value, &scratch);
    text_free(&scratch);
    return value.text; /* a literal */
}

char changes_mark(const struct app *app, uint32_t row)
{
    struct span word = change_word(app, row);
    return span_is(word, "new") ? '+' : span_is(word, "gone") ? '-' : span_is(word, "renamed") ? '>'
           : word.length > 0   ? '~' : '\0';
}

enum role changes_name_role(const struct app *app, uint32_t row, enum role usual)
{
    const struct compare_row *of = &app->compare->rows[row];
    return of->group[COMPARE_BASE] == NO_ROW ? ROLE_NEW_ROW : of->group[COMPARE_NEW] == NO_ROW ? ROLE_GONE_ROW : usual;
}

/* Whether the change of a cell's column lies within the spread of the calls. */
static bool is_noise(const struct app *app, uint32_t row, const struct column *of)
{
    const struct column *noise = facet_column(of, FACET_NOISE);
    struct value value = {.kind = VALUE_UNKNOWN};
    struct text scratch = {0};
    if (noise != NULL)
        compare_value(app->compare, row, noise, &value, &scratch);
    text_free(&scratch);
    return value.kind == VALUE_INTEGER && value.integer != 0;
}

bool changes_cell_role(const struct app *app, uint32_t row, const struct column *column, const struct value *value,
                       enum role *role)
{
    bool tells = column->facet == FACET_DIFF || column->facet == FACET_RATIO || column->facet == FACET_BY_CALLS ||
                 column->facet == FACET_BY_CALL;
    if (!tells || column->of->unit == UNIT_SHARE || value->kind == VALUE_TEXT)
        return false;
    double change = value_real(value) - (column->facet == FACET_RATIO ? 1 : 0);
    *role = is_noise(app, row, column->of) ? ROLE_DIM : change > 0 ? ROLE_WORSE
            : change < 0                   ? ROLE_BETTER : ROLE_NUMBER;
    return true;
}

/* -- The status line ---------------------------------------------------------------------------------------------- */

/* What the sums are of: the measure that is sorted by, of totals the self time that they are made of. */
static enum measure summed(const struct app *app)
{
    const struct column *sorted = rows_sorted_by(app);
    int measure = sorted != NULL ? column_measure(sorted) : -1;
    if (measure < 0)
        return (enum measure)column_measure(compare_main_column(app->compare));
    return measure == MEASURE_CPU      ? MEASURE_SELF_CPU
           : measure == MEASURE_DEVICE ? MEASURE_SELF_DEVICE
                                       : (enum measure)measure;
}

static void add_value(const struct app *app, const struct column *column, const struct value *value, struct text *out)
{
    column_add_text(column, value, app->query.unit, out);
}

static struct value total_of(const struct compare *compare, int side, enum measure measure)
{
    int64_t total = compare->total[side][measure];
    return measure == MEASURE_CALLS ? value_ratio(total, compare_steps(compare, side)) : value_integer(total);
}

static void add_totals(const struct app *app, enum measure measure, struct text *out)
{
    const struct column *of = measure_column(measure);
    struct value base = total_of(app->compare, COMPARE_BASE, measure);
    struct value other = total_of(app->compare, COMPARE_NEW, measure);
    struct value change = value_difference(&other, &base), ratio = value_quotient(&other, &base);
    column_add_title_of(of, table_device_name(rows_device_table(app)), out);
    text_add_char(out, ' ');
    add_value(app, of, &base, out);
    text_add_string(out, app->looks.ascii ? " -> " : " \u2192 ");
    add_value(app, of, &other, out);
    text_add_string(out, "  ");
    add_value(app, facet_column(of, FACET_DIFF), &change, out);
    if (ratio.kind != VALUE_UNKNOWN) {
        text_add_char(out, ' ');
        add_value(app, facet_column(of, FACET_RATIO), &ratio, out);
    }
}

static void add_marked(struct table_view *view, enum measure measure, struct text *out)
{
    const struct app *app = view->view.app;
    const struct column *change = facet_column(measure_column(measure), FACET_DIFF);
    struct value sum = value_integer(0), value;
    uint32_t marked = 0;
    for (uint32_t i = 0; i < app->compare->count && rows_any_marked(view); i++) {
        if (!rows_marked(view, app->compare->order[i]))
            continue;
        marked++;
        compare_value(app->compare, app->compare->order[i], change, &value, &view->scratch);
        struct value less = value_difference(&sum, &value);
        struct value zero = value_integer(0);
        if (value.kind != VALUE_UNKNOWN)
            sum = value_difference(&less, &zero);
    }
    if (marked == 0)
        return;
    text_addf(out, "   %u marked ", marked);
    add_value(app, change, &sum, out);
}

static void add_number(struct text *out, uint32_t number, const char *what)
{
    if (number > 0)
        text_addf(out, "  %u %s", number, what);
}

void changes_add_status(struct table_view *view, struct text *out)
{
    const struct app *app = view->view.app;
    const struct compare *compare = app->compare;
    enum measure measure = summed(app);
    if (compare->count == 0)
        text_add_string(out, compare->unchanged > 0 ? "nothing has changed"
                             : app->query.filter != NULL || app->query.scope != SCOPE_ALL
                                 ? "no rows pass the filter; Esc takes back" : "no rows");
    else
        text_addf(out, "row %u of %u   ", view->view.list.cursor + 1, compare->count);
    if (compare->count > 0)
        add_totals(app, measure, out);
    add_marked(view, measure, out);
    text_add_char(out, ' ');
    add_number(out, compare->appeared, "new");
    add_number(out, compare->gone, "gone");
    add_number(out, compare->renamed, "renamed");
    if (!compare->query.unchanged)
        add_number(out, compare->unchanged, "unchanged");
    add_number(out, compare->hidden, "hidden");
    add_number(out, compare->left_out, "over the limit");
    if (compare->steps_by_place)
        text_add_string(out, "  no step in common: the first with the first");
}

void changes_tell_notes(struct app *app)
{
    struct text note = {0};
    if (app->compare != NULL && compare_add_note(app->compare, NOTE_RANKS, &note))
        app_say(app, "%s", note.bytes);
    text_free(&note);
}

/* -- Actions ------------------------------------------------------------------------------------------------------ */

void act_facets(struct app *app, struct span argument)
{
    struct table_view *view = table_view_of(app);
    int next = ((int)app->two.facets + 1) % FACET_CHOICES;
    for (int i = 0; i < FACET_CHOICES && argument.length > 0; i++) {
        if (span_is(argument, facet_choice_names[i])) {
            next = i;
            break;
        }
        if (i == FACET_CHOICES - 1) {
            app_complain(app, "columns of a number are all, change, sides or effects");
            return;
        }
    }
    const struct column *under = table_columns_under_cursor(view);
    app->two.facets = (enum facet_choice)next;
    table_columns_refresh(view);
    /* A column that is no longer there leaves the cursor at its number. */
    for (uint32_t i = 0; i < view->seen.count && under != NULL; i++) {
        const struct column *column = view->seen.items[i].column;
        if (column == under || (under->of != NULL && column->of == under->of)) {
            view->column_cursor = i;
            if (column->facet == FACET_DIFF || column == under)
                break;
        }
    }
    app_say(app, "of each number: %s", facet_choice_words[next]);
}

void act_per_step(struct app *app, struct span argument)
{
    (void)argument;
    struct text note = {0};
    app->two.per_step = !app->two.per_step;
    app_update(app);
    if (!app->two.per_step)
        app_say(app, "sums over all steps");
    else if (!app->update_waits && compare_add_note(app->compare, NOTE_NO_STEPS, &note))
        app_say(app, "%s", note.bytes);
    else
        app_say(app, "sums for one step of the profiler, as many as each side's calls are in");
    text_free(&note);
}
