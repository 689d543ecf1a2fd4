/* Configuration and command line for a new explorer. */
#include "startup.h"

#include <langinfo.h>
#include <stdlib.h>

#include "keyavg/nearest.h"
#include "drill_view.h"

static char *copy_of(const char *text)
{
    return memory_copy_text(text, strlen(text));
}

void startup_init(struct startup *startup, const struct options *options, bool plain)
{
    *startup = (struct startup){.options = options};
    if (!plain || options->config != NULL)
        config_load(&startup->config, options->config);
    const struct config *config = &startup->config;
    startup->ascii = options->ascii || config->ascii == CONFIG_ON || strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
    startup->color = options->color_given ? options->color : config->color_given ? config->color : COLOR_AUTO;
    const char *named = options->theme != NULL ? options->theme : config->theme.text;
    startup->theme = copy_of(theme_choose(named, startup->color));
}

void startup_free(struct startup *startup)
{
    config_free(&startup->config);
    free(startup->theme);
}

/* Whether the command line has said something about a setting. */
static bool on_command_line(const struct options *options, const char *name)
{
    static const char *const also[][2] = {
        {"group-by", "group-by-input-shape"}, {"group-by", "group-by-stack-n"},
        {"group-by", "group-by-overload-name"},
        {"python", "include-python-functions"}, {"python", "no-python"},
    };
    for (size_t i = 0; i < sizeof also / sizeof *also; i++)
        if (strcmp(also[i][0], name) == 0 && options_given(options, also[i][1]))
            return true;
    return options_given(options, name);
}

void startup_two(struct startup *startup, struct app *app)
{
    const struct options *options = startup->options;
    struct compare_query query = {
        .main_sort = !options->sort_given || options->view != DRILL_TABLE, .per_step = options->per_step,
        .unchanged = options->unchanged};
    app_init_two(app, options->paths[options->path_count > 1 ? 1 : 0], &query, options->side_texts);
}

void startup_prepare(struct startup *startup, struct app *app)
{
    struct config *config = &startup->config;
    app->looks.theme = copy_of(startup->theme);
    app->looks.mouse = config->mouse != CONFIG_OFF;
    app->sort_given = app->sort_chosen = startup->options->sort_given;
    if (startup->options->view != DRILL_TABLE) {
        /* They are the view's; the table under it is the usual one. */
        app->sort_given = app->sort_chosen = false;
        app->query.sort = NULL;
        app->query.ascending = false;
        app->query.row_limit = -1;
    }
    app->config_path = config->path;
    for (size_t i = 0; i < config->options.count; i++) {
        const struct config_option *option = &config->options.items[i];
        const struct setting *setting = setting_find(span_of(option->name.text));
        struct error error = {0};
        if (setting == NULL) {
            setting_set(app, span_of(option->name.text), (struct span){"", 0}, &error);
            config_error(config, &option->name, "%s", error.text);
        } else if (!on_command_line(startup->options, setting->name)) {
            if (!setting->set(app, span_of(option->value.text), &error))
                config_error(config, &option->value, "%s", error.text);
            else if (strcmp(setting->name, "sort-by") == 0)
                app->sort_given = app->sort_chosen;
        }
    }
}

static void set_keys(struct config *config, struct app *app)
{
    struct text keys = {0};
    for (size_t i = 0; i < config->keys.count; i++) {
        const struct keymap_entry *entry = &config->keys.items[i];
        const struct action *action = action_find(span_of(entry->action.text));
        if (action == NULL) {
            struct nearest nearest;
            nearest_init(&nearest, span_of(entry->action.text));
            for (unsigned j = 0; j < action_count; j++)
                nearest_offer(&nearest, actions[j].name);
            config_unknown(config, &entry->action, "action", nearest.name);
            continue;
        }
        text_clear(&keys);
        for (size_t j = 0; j < entry->keys.count; j++) {
            if (key_find(span_of(entry->keys.items[j].text)) == KEYCODE_NONE) {
                config_unknown(config, &entry->keys.items[j], "key", NULL);
                continue;
            }
            text_add_string(&keys, entry->keys.items[j].text);
            text_add_char(&keys, ' ');
        }
        struct span wrong;
        bindings_set(&app->bindings, action, text_span(&keys), &wrong);
    }
    text_free(&keys);
}

static void set_columns(struct startup *startup, struct app *app)
{
    struct config *config = &startup->config;
    struct text list = {0};
    struct error error = {0};
    for (size_t i = 0; i < config->columns.count; i++) {
        const struct config_columns *columns_given = &config->columns.items[i];
        if (strcmp(columns_given->view.text, "table") != 0) {
            config_unknown(config, &columns_given->view, "view", "table");
            continue;
        }
        text_clear(&list);
        for (size_t j = 0; j < columns_given->names.count; j++) {
            const struct word *word = &columns_given->names.items[j];
            if (column_find(span_of(word->text)) == NULL) {
                const struct column *near = column_nearest(span_of(word->text));
                config_unknown(config, word, "column", near != NULL ? near->name : NULL);
                continue;
            }
            text_addf(&list, "%s%s", list.length > 0 ? "," : "", word->text);
        }
        table_columns_set(app, text_span(&list), true, &error);
    }
    const struct options *options = startup->options;
    if (options->columns != NULL && options->view == DRILL_TABLE) {
        text_clear(&list);
        for (unsigned i = 0; i < options->writing.column_count; i++)
            text_addf(&list, "%s%s", i > 0 ? "," : "", options->columns[i]->name);
        table_columns_set(app, text_span(&list), false, &error);
    }
    text_free(&list);
}

void startup_finish(struct startup *startup, struct app *app)
{
    struct messages *messages = &startup->config.messages;
    set_keys(&startup->config, app);
    set_columns(startup, app);
    const struct options *options = startup->options;
    struct error error = {0};
    if (options->view != DRILL_TABLE && app->table != NULL &&
        !drill_view_open_named(app, options->view, options->focus, &options->drill, &error))
        app_complain(app, "%s", error.text);
    size_t more = messages->count + messages->dropped;
    if (more == 1)
        app_complain(app, "%s", messages->items[0]);
    else if (more > 1)
        app_complain(app, "%s (and %zu more)", messages->items[0], more - 1);
}
