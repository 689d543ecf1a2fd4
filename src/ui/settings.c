/* Every option that can be changed while the program runs. */
#include <stdio.h>
#include <stdlib.h>

#include "acts.h"
#include "keyavg/grouping.h"
#include "keyavg/nearest.h"
#include "table_view.h"

static const char *const units[] = {[TIME_AUTO] = "auto", [TIME_S] = "s", [TIME_MS] = "ms", [TIME_US] = "us"};
static const char *const pythons[] = {"tree", "rows", "out"};
static const char *const bases[] = {"all", "shown"};

#define GET(name) static void get_##name(const struct app *app, struct text *out)
#define SET(name) static bool set_##name(struct app *app, struct span value, struct error *error)

static bool wrong(struct error *error, const char *wanted, struct span value)
{
    return error_set(error, ERROR_USAGE, "'%.*s' is not %s", (int)(value.length > 60 ? 60 : value.length), value.bytes,
                     wanted);
}

/* The place of a word in a list, -1 where it is not in it. */
static int word_in(struct span value, const char *const *words, int count)
{
    for (int i = 0; i < count; i++)
        if (span_is(value, words[i]))
            return i;
    return -1;
}

static bool read_switch(struct span value, bool *on, struct error *error)
{
    static const char *const words[] = {"off", "on", "no", "yes", "false", "true", "0", "1"};
    int word = word_in(value, words, 8);
    if (word < 0)
        return wrong(error, "on or off", value);
    *on = word % 2 == 1;
    return true;
}

#define SWITCH(name, place)                                                                                            \
    GET(name)                                                                                                          \
    {                                                                                                                  \
        text_add_string(out, app->place ? "on" : "off");                                                               \
    }                                                                                                                  \
    SET(name)                                                                                                          \
    {                                                                                                                  \
        return read_switch(value, &app->place, error);                                                                 \
    }

SWITCH(ascending, query.ascending)
SWITCH(top_level, query.top_level_only)
SWITCH(full_shapes, query.grouping.full_list_shapes)
SWITCH(bars, looks.bars)

GET(mouse)
{
    text_add_string(out, app->looks.mouse ? "on" : "off");
}

SET(mouse)
{
    if (!read_switch(value, &app->looks.mouse, error))
        return false;
    if (app->outside.mouse != NULL)
        app->outside.mouse(app, app->looks.mouse);
    return true;
}

GET(annotations)
{
    text_add_string(out, app->query.no_device_annotations ? "off" : "on");
}

SET(annotations)
{
    bool on = false;
    if (!read_switch(value, &on, error))
        return false;
    app->query.no_device_annotations = !on;
    return true;
}

GET(detail)
{
    const struct table_view *view = table_view_of(app);
    text_add_string(out, view != NULL && view->detail ? "on" : "off");
}

SET(detail)
{
    struct table_view *view = table_view_of(app);
    bool on = false;
    if (!read_switch(value, &on, error))
        return false;
    if (view != NULL)
        view->detail = on;
    return true;
}

GET(group)
{
    grouping_add_text(&app->query.grouping, out);
}

SET(group)
{
    return grouping_parse(value, &app->query.grouping, error);
}

GET(sort)
{
    text_add_string(out, app->two.main_sort           ? "auto"
                         : app->query.sort != NULL ? app->query.sort->name
                                                   : "none");
}

SET(sort)
{
    const struct column *column = column_find(value);
    bool automatic = span_is(value, "auto");
    if (column == NULL && !automatic && !span_is(value, "none"))
        return wrong(error, "a column, none or auto; Tab lists them", value);
    if (column != NULL && column->need >= NEED_TWO && !(app->two.on && column->need == NEED_TWO))
        return error_set(error, ERROR_USAGE, "the column %s needs %s", column->name, column_remedy(column));
    if (automatic && app->table != NULL && !app->two.on)
        column = app_default_sort(app->table);
    app->two.main_sort = automatic && app->two.on;
    app->query.sort = column;
    app->sort_chosen = !automatic;
    return true;
}

GET(row_limit)
{
    text_addf(out, "%lld", (long long)app->query.row_limit);
}

SET(row_limit)
{
    char copy[24], *end;
    snprintf(copy, sizeof copy, "%.*s", (int)(value.length < 23 ? value.length : 23), value.bytes);
    long long number = strtoll(copy, &end, 10);
    if (end == copy || *end != 0 || value.length > 18)
        return wrong(error, "a number of rows, -1 for all", value);
    app->query.row_limit = number < 0 ? -1 : number;
    return true;
}

GET(filter)
{
    if (app->filter != NULL)
        filter_add_text(app->filter, true, out);
}

SET(filter)
{
    return app_set_filter(app, value, error);
}

GET(scope)
{
    text_add_string(out, scope_names[app->query.scope]);
}

SET(scope)
{
    int scope = word_in(value, scope_names, SCOPE_CHOICES);
    if (scope < 0)
        return wrong(error, SCOPE_WORDS, value);
    app->query.scope = (enum scope_choice)scope;
    return true;
}

GET(hide_below)
{
    text_addf(out, "%g", app->query.hide_below);
}

SET(hide_below)
{
    char copy[24], *end;
    snprintf(copy, sizeof copy, "%.*s", (int)(value.length < 23 ? value.length : 23), value.bytes);
    double number = strtod(copy, &end);
    if (end == copy || *end != 0 || !(number >= 0 && number <= 100))
        return wrong(error, "a number of per cent from 0 to 100", value);
    app->query.hide_below = number;
    return true;
}

GET(percent_of)
{
    text_add_string(out, bases[app->query.percent_of]);
}

SET(percent_of)
{
    int base = word_in(value, bases, 2);
    if (base < 0)
        return wrong(error, "all or shown", value);
    app->query.percent_of = (enum percent_base)base;
    return true;
}

GET(unit)
{
    text_add_string(out, units[app->query.unit]);
}

SET(unit)
{
    int unit = word_in(value, units, 4);
    if (unit < 0)
        return wrong(error, "auto, s, ms or us", value);
    app->query.unit = (enum time_unit)unit;
    return true;
}

GET(python)
{
    text_add_string(out, pythons[app->query.grouping.python]);
}

SET(python)
{
    int python = word_in(value, pythons, 3);
    if (python < 0)
        return wrong(error, "tree, rows or out", value);
    app->query.grouping.python = (enum python_frames)python;
    return true;
}

GET(columns)
{
    table_columns_add_list(app, out);
}

SET(columns)
{
    return table_columns_set(app, value, false, error);
}

GET(theme)
{
    text_add_string(out, app->looks.theme != NULL ? app->looks.theme : "dark");
}

SET(theme)
{
    (void)error;
    act_theme(app, value);
    return true;
}

SWITCH(per_step, two.per_step)
SWITCH(unchanged, two.unchanged)

#define SIDE_FILTER(name, side)                                                                                        \
    GET(name)                                                                                                          \
    {                                                                                                                  \
        text_add_string(out, app->two.own[side] != NULL ? app->two.own[side] : "");                                    \
    }                                                                                                                  \
    SET(name)                                                                                                          \
    {                                                                                                                  \
        return app_set_side_filter(app, side, value, error);                                                           \
    }

SIDE_FILTER(base_filter, COMPARE_BASE)
SIDE_FILTER(new_filter, COMPARE_NEW)

GET(facets)
{
    text_add_string(out, facet_choice_names[app->two.facets]);
}

SET(facets)
{
    int choice = word_in(value, facet_choice_names, FACET_CHOICES);
    if (choice < 0)
        return wrong(error, "all, change, sides or effects", value);
    app->two.facets = (enum facet_choice)choice;
    if (table_view_of(app) != NULL)
        table_columns_refresh(table_view_of(app));
    return true;
}

#define ONOFF "on off"

const struct setting settings[] = {
    {"group-by", "What the rows are grouped by: name,overload,shape,dtype,stack=N,thread,step,scope,module,device.", NULL,
     TAKES_GROUPING, "--group-by", get_group, set_group},
    {"sort-by", "The column sorted by; auto for device time, else CPU time; none for the order of first appearance.", NULL, TAKES_COLUMN, "--sort-by",
     get_sort, set_sort},
    {"ascending", "Smallest first.", ONOFF, TAKES_NONE, "--ascending", get_ascending, set_ascending},
    {"row-limit", "How many rows are shown at most, -1 all.", NULL, TAKES_TEXT, "--row-limit", get_row_limit,
     set_row_limit},
    {"filter", "What calls and rows must pass.", NULL, TAKES_TEXT, "--filter", get_filter, set_filter},
    {"scope", "Calls of which phase take part.", "all forward backward user recompute sync optimizer data none", TAKES_NONE, "--scope", get_scope,
     set_scope},
    {"top-level-events-only", "Only rows whose first call has no parent.", ONOFF, TAKES_NONE,
     "--top-level-events-only", get_top_level, set_top_level},
    {"hide-below", "Hides rows below so many per cent of the sort column.", NULL, TAKES_TEXT, "--hide-below",
     get_hide_below, set_hide_below},
    {"percent-of", "What 100 % is: all rows of the file, or those that filter and scope leave.", "all shown",
     TAKES_NONE, "--percent-of", get_percent_of, set_percent_of},
    {"time-unit", "The unit of times.", "auto s ms us", TAKES_NONE, "--time-unit", get_unit, set_unit},
    {"python", "Python frames: in the tree only, as rows too, or left out.", "tree rows out", TAKES_NONE, "--python",
     get_python, set_python},
    {"full-list-shapes", "A list of tensors keeps every tensor's shape in the key.", ONOFF, TAKES_NONE,
     "--full-list-shapes", get_full_shapes, set_full_shapes},
    {"device-annotations", "Annotations on the device make rows.", ONOFF, TAKES_NONE, "--device-annotations",
     get_annotations, set_annotations},
    {"columns", "The columns shown, separated by commas; default for the usual ones.", NULL, TAKES_COLUMN, "--columns",
     get_columns, set_columns},
    {"base-filter", "Of two traces: what calls and rows of the base must pass besides.", NULL, TAKES_TEXT, "--base-filter",
     get_base_filter, set_base_filter},
    {"new-filter", "Of two traces: what calls and rows of the new one must pass besides.", NULL, TAKES_TEXT,
     "--new-filter", get_new_filter, set_new_filter},
    {"per-step", "Of two traces: what one step of the profiler takes.", ONOFF, TAKES_NONE, "--per-step", get_per_step,
     set_per_step},
    {"unchanged", "Of two traces: rows in which nothing has changed, too.", ONOFF, TAKES_NONE, "--unchanged",
     get_unchanged, set_unchanged},
    {"facets", "Of two traces: what is shown of each number.", "all change sides effects", TAKES_NONE, NULL, get_facets,
     set_facets},
    {"bars", "Bars beside shares.", ONOFF, TAKES_NONE, NULL, get_bars, set_bars},
    {"detail", "The detail pane.", ONOFF, TAKES_NONE, NULL, get_detail, set_detail},
    {"mouse", "Whether the mouse is the program's.", ONOFF, TAKES_NONE, NULL, get_mouse, set_mouse},
    {"theme", "The colours.", NULL, TAKES_THEME, "--theme", get_theme, set_theme},
};

const unsigned setting_count = sizeof settings / sizeof *settings;

bool setting_is_of_two(const struct setting *setting)
{
    return setting->set == set_per_step || setting->set == set_unchanged || setting->set == set_facets ||
           setting->set == set_base_filter || setting->set == set_new_filter;
}

const struct setting *setting_find(struct span name)
{
    for (unsigned i = 0; i < setting_count; i++)
        if (span_is(name, settings[i].name))
            return &settings[i];
    return NULL;
}

bool setting_set(struct app *app, struct span name, struct span value, struct error *error)
{
    const struct setting *setting = setting_find(name);
    if (setting == NULL) {
        struct nearest nearest;
        nearest_init(&nearest, name);
        for (unsigned i = 0; i < setting_count; i++)
            nearest_offer(&nearest, settings[i].name);
        return error_set(error, ERROR_USAGE, "no option '%.*s'%s%s", (int)(name.length > 60 ? 60 : name.length),
                         name.bytes, nearest.name != NULL ? "; did you mean " : "",
                         nearest.name != NULL ? nearest.name : "");
    }
    if (setting_is_of_two(setting) && !app->two.on)
        return error_set(error, ERROR_USAGE, "%s is for two traces: keyavg BASE NEW", setting->name);
    if (!setting->set(app, value, error))
        return false;
    app_update(app);
    return true;
}

/* -- The options menu ----------------------------------------------------------------------------- */

/* Whether a setting has a few values to go through, and says something of what is shown. */
static bool is_choice(const struct app *app, const struct setting *setting)
{
    return setting->values != NULL && (app->two.on || !setting_is_of_two(setting));
}

/* The n-th of these. */
static const struct setting *chosen_setting(const struct app *app, int entry)
{
    for (unsigned i = 0; i < setting_count; i++)
        if (is_choice(app, &settings[i]) && entry-- == 0)
            return &settings[i];
    return &settings[0];
}

static int chosen_count(const struct app *app)
{
    int count = 0;
    for (unsigned i = 0; i < setting_count; i++)
        count += is_choice(app, &settings[i]);
    return count;
}

static void add_label(struct app *app, int entry, struct text *out)
{
    const struct setting *setting = chosen_setting(app, entry);
    struct text value = {0};
    setting->get(app, &value);
    text_addf(out, "%-22s %-9s %s", setting->name, value.length > 0 ? value.bytes : "", setting->help);
    text_free(&value);
}

static bool never_on(const struct app *app, int entry)
{
    struct text value = {0};
    chosen_setting(app, entry)->get(app, &value);
    bool off = value.length == 0 || span_is(text_span(&value), "off") || span_is(text_span(&value), "all") ||
               span_is(text_span(&value), "auto") || span_is(text_span(&value), "tree");
    text_free(&value);
    return !off;
}

/* The value after the one in force. */
static void pick(struct app *app, int entry)
{
    const struct setting *setting = chosen_setting(app, entry);
    struct text value = {0};
    struct error error;
    setting->get(app, &value);
    const char *first = setting->values, *next = first;
    for (const char *at = first; *at != 0;) {
        size_t length = strcspn(at, " ");
        bool now = span_is(text_span(&value), "") ? false : length == value.length && memcmp(at, value.bytes, length) == 0;
        at += length;
        at += strspn(at, " ");
        if (now)
            next = *at != 0 ? at : first;
    }
    if (!setting->set(app, (struct span){next, strcspn(next, " ")}, &error))
        app_complain(app, "%s", error.text);
    app_update(app);
    text_free(&value);
}

void act_options(struct app *app, struct span argument)
{
    (void)argument;
    static struct menu menu = {.title = "options", .add_label = add_label, .on = never_on, .pick = pick};
    menu.count = chosen_count(app);
    menu_open(app, &menu, 0);
}
