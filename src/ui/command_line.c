/* The command line that shows what the explorer shows. */
#include "drill_view.h"
#include "keyavg/many.h"

/* A word as a shell takes it. */
static void add_quoted(struct text *out, struct span word)
{
    bool plain = word.length > 0;
    for (size_t i = 0; i < word.length && plain; i++) {
        char c = word.bytes[i];
        plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                strchr("_-./,=:+@%", c) != NULL;
    }
    if (plain) {
        text_add_span(out, word);
        return;
    }
    struct text shown = {0};
    utf8_add_clean(&shown, word, false);
    bool as_it_is = span_equal(text_span(&shown), word);
    text_free(&shown);
    /* What a terminal would obey when it is pasted is written as bash, zsh and ksh read it: $'\x1b'. */
    text_add_string(out, as_it_is ? "'" : "$'");
    for (size_t i = 0; i < word.length; i++) {
        unsigned char c = (unsigned char)word.bytes[i];
        if (c == '\'')
            text_add_string(out, as_it_is ? "'\\''" : "\\'");
        else if (!as_it_is && c == '\\')
            text_add_string(out, "\\\\");
        else if (!as_it_is && (c < ' ' || c >= 0x7F))
            text_addf(out, "\\x%02x", c);
        else
            text_add_char(out, (char)c);
    }
    text_add_char(out, '\'');
}

/* Options without a value: there when the setting is on. */
static bool is_flag(const struct setting *setting)
{
    return strcmp(setting->option, "--ascending") == 0 || strcmp(setting->option, "--top-level-events-only") == 0 ||
           strcmp(setting->option, "--full-list-shapes") == 0 || strcmp(setting->option, "--per-step") == 0 ||
           strcmp(setting->option, "--unchanged") == 0;
}

static void add_option(struct text *out, const char *option, struct span value)
{
    text_addf(out, " %s ", option);
    add_quoted(out, value);
}

static void add_setting(const struct app *app, const struct setting *setting, struct text *out)
{
    struct text value = {0};
    setting->get(app, &value);
    if (strcmp(setting->name, "python") == 0) {
        if (app->query.grouping.python == PYTHON_AS_ROWS)
            text_add_string(out, " --include-python-functions");
        else if (app->query.grouping.python == PYTHON_LEFT_OUT)
            text_add_string(out, " --no-python");
    } else if (is_flag(setting)) {
        if (!span_is(text_span(&value), "off"))
            text_addf(out, " %s", setting->option);
    } else if (value.length > 0 && !(app->two.main_sort && strcmp(setting->name, "sort-by") == 0)) {
        add_option(out, setting->option, text_span(&value));
    }
    text_free(&value);
}

/* What a view has of its own, where the table has another. */
static bool is_of_view(const struct setting *setting)
{
    return strcmp(setting->name, "sort-by") == 0 || strcmp(setting->name, "ascending") == 0 ||
           strcmp(setting->name, "row-limit") == 0 || strcmp(setting->name, "columns") == 0;
}

static void add_columns(const struct drill_view *view, struct text *out)
{
    struct text list = {0};
    for (unsigned i = 0; i < view->drill->column_count; i++)
        text_addf(&list, "%s%s", i > 0 ? "," : "", view->drill->columns[i]->name);
    add_option(out, "--columns", text_span(&list));
    text_free(&list);
}

/* The row stands in the table's own order, so that the settings before are the table's. */
static bool add_explain(const struct drill_view *view, struct text *out)
{
    struct text row = {0};
    bool named = drill_add_focus(view->drill, &row) && view->settings.explain != NULL;
    add_option(out, "--explain", text_span(&row));
    text_addf(out, " %s", view->settings.explain != NULL ? view->settings.explain->name : "count");
    text_free(&row);
    return named;
}

/* False: no --focus says which calls the view is of. */
static bool add_view(const struct drill_view *view, struct text *out)
{
    const struct drill_settings *own = &view->settings;
    struct text value = {0};
    text_addf(out, " --view %s", drill_kinds[view->drill->kind].name);
    bool named = drill_add_focus(view->drill, &value);
    if (value.length > 0)
        add_option(out, "--focus", text_span(&value));
    if (own->sort != NULL)
        add_option(out, "--sort-by", span_of(own->sort->name));
    if (own->sort != NULL && own->ascending)
        text_add_string(out, " --ascending");
    text_addf(out, " --row-limit %lld", (long long)own->row_limit);
    if (view->chosen != NULL)
        add_columns(view, out);
    if (view->filter != NULL) {
        text_clear(&value);
        filter_add_text(view->filter, true, &value);
        add_option(out, "--view-filter", text_span(&value));
    }
    static const char *const flags[] = {" --bottom-up", " --fold-python", " --fold-chains", " --by-class"};
    const bool on[] = {own->bottom_up, own->fold_python, own->fold_chains, own->by_class};
    for (size_t i = 0; i < sizeof on / sizeof *on; i++)
        text_add_string(out, on[i] ? flags[i] : "");
    text_free(&value);
    return named;
}

static void add_path(struct text *out, const char *path)
{
    text_add_char(out, ' ');
    if (*path == '-' && path[1] != '\0')
        text_add_string(out, "./");
    add_quoted(out, span_of(path));
}

/* Of the table over ranks: the files as they were named, and its own order. */
static void add_ranks(const struct app *app, struct text *out)
{
    const struct options *options = app->many->options;
    bool ascending;
    add_option(out, "--sort-by", span_of(ranks_view_sort(app, &ascending)->name));
    text_addf(out, "%s --row-limit -1 --ranks --format text", ascending ? " --ascending" : "");
    for (unsigned i = 0; i < options->path_count; i++)
        add_path(out, options->paths[i]);
}

bool command_line_add(const struct app *app, struct text *out)
{
    bool ranks = ranks_view_on_top(app);
    const struct drill_view *view = drill_view_of(app);
    bool exact = true;
    bool explain = view != NULL && view->drill->kind == DRILL_EXPLAIN;
    text_add_string(out, "keyavg");
    for (unsigned i = 0; i < setting_count; i++)
        if (settings[i].option != NULL && strcmp(settings[i].name, "theme") != 0 &&
            (app->two.on || !setting_is_of_two(&settings[i])) &&
            ((view == NULL && !ranks) || !is_of_view(&settings[i]) || (explain && strcmp(settings[i].name, "columns") != 0)))
            add_setting(app, &settings[i], out);
    if (ranks) {
        add_ranks(app, out);
        return true;
    }
    if (view != NULL)
        exact = explain ? add_explain(view, out) : add_view(view, out);
    /* torch's format takes no columns. */
    text_add_string(out, " --format text");
    add_path(out, app->path != NULL ? app->path : "");
    if (app->two.on && app->two.path != app->path)
        add_path(out, app->two.path);
    return exact;
}
