/* The configuration as a page: printed, or saved when asked. */
#include <stdlib.h>

#include "acts.h"
#include "keyavg/config.h"
#include "keyavg/explorer.h"
#include "keyavg/output.h"
#include "table_view.h"

struct page {
    struct config_page page;
    ARRAY(struct config_line) options;
    ARRAY(struct config_line) known;
    ARRAY(struct config_line) actions;
    ARRAY(const char *) names;
    struct config_list table;
    ARRAY(char *) owned;
};

static const char *keep(struct page *page, struct text *text)
{
    char *copy = memory_copy_text(text->length > 0 ? text->bytes : "", text->length);
    array_push(&page->owned, copy);
    text_clear(text);
    return copy;
}

static void add_options(struct page *page, const struct app *app, const struct app *fresh)
{
    struct text text = {0};
    for (unsigned i = 0; i < setting_count; i++) {
        const struct setting *setting = &settings[i];
        /* These have places of their own in the file. */
        if (strcmp(setting->name, "columns") == 0 || strcmp(setting->name, "theme") == 0 ||
            strcmp(setting->name, "mouse") == 0)
            continue;
        bool sort = strcmp(setting->name, "sort-by") == 0;
        if (sort)
            text_add_string(&text, "auto");
        else
            setting->get(fresh, &text);
        const char *usual = keep(page, &text);
        /* What only two traces have is not kept for one. */
        bool of_two = app->query.sort != NULL && app->query.sort->need >= NEED_TWO;
        if (sort && (!app->sort_chosen || of_two))
            text_add_string(&text, "auto");
        else
            setting->get(app, &text);
        const char *value = keep(page, &text);
        array_push(&page->options, (struct config_line){.name = setting->name,
                                                        .value = value,
                                                        .help = setting->help,
                                                        .changed = strcmp(usual, value) != 0});
    }
    text_free(&text);
}

static void add_columns(struct page *page, const struct app *app)
{
    struct table_view *view = app->two.on ? NULL : table_view_of(app);
    bool changed = false;
    array_push(&page->names, "key");
    for (size_t i = 0; view != NULL && i < view->columns.count; i++)
        changed = changed || view->columns.items[i].choice != COLUMN_AUTO;
    if (view != NULL && changed) {
        for (size_t i = 0; i < view->seen.count; i++)
            array_push(&page->names, view->seen.items[i].column->name);
    } else {
        for (int i = 0; table_columns_defaults[i] != NULL; i++)
            array_push(&page->names, table_columns_defaults[i]);
    }
    for (unsigned i = 0; i < column_count; i++)
        array_push(&page->known, (struct config_line){.name = columns[i].name, .help = columns[i].help});
    page->table = (struct config_list){"table", page->names.items, page->names.count, changed};
}

/* The view of an action that works in no other, NULL for those of several, which stand outside of any. */
static const char *section_of(const struct action *action)
{
    for (unsigned i = 0; context_names[i] != NULL; i++)
        if (action->contexts == 1u << i)
            return context_names[i];
    return NULL;
}

static void add_actions_of(struct page *page, const struct app *app, const struct app *fresh, const char *section)
{
    struct text text = {0};
    for (unsigned i = 0; i < action_count; i++) {
        if (section_of(&actions[i]) != section)
            continue;
        bindings_add_keys(&fresh->bindings, &actions[i], &text);
        const char *usual = keep(page, &text);
        bindings_add_keys(&app->bindings, &actions[i], &text);
        const char *keys = keep(page, &text);
        array_push(&page->actions, (struct config_line){.section = section,
                                                        .name = actions[i].name,
                                                        .value = *keys != 0 ? keys : NULL,
                                                        .help = actions[i].help,
                                                        .changed = strcmp(usual, keys) != 0});
    }
    text_free(&text);
}

static void add_actions(struct page *page, const struct app *app, const struct app *fresh)
{
    add_actions_of(page, app, fresh, NULL);
    for (unsigned i = 0; context_names[i] != NULL; i++)
        add_actions_of(page, app, fresh, context_names[i]);
}

static void page_init(struct page *page, const struct app *app)
{
    struct query query;
    struct app fresh;
    *page = (struct page){0};
    query_init(&query);
    app_init(&fresh, "", &query, 24, 80, false);
    if (app == NULL)
        app = &fresh;
    add_options(page, app, &fresh);
    add_columns(page, app);
    add_actions(page, app, &fresh);
    page->page = (struct config_page){
        .theme = app->looks.theme,
        .theme_changed = app->looks.theme != NULL && strcmp(app->looks.theme, "dark") != 0,
        .mouse = app->looks.mouse,
        .mouse_changed = !app->looks.mouse,
        .ascii = app->looks.ascii,
        .options = page->options.items,
        .option_count = page->options.count,
        .columns = &page->table,
        .column_count = 1,
        .known_columns = page->known.items,
        .known_column_count = page->known.count,
        .actions = page->actions.items,
        .action_count = page->actions.count,
    };
    /* What app owns is copied by now, but for its theme. */
    if (app == &fresh) {
        page->page.theme = NULL;
        page->page.theme_changed = false;
    }
    app_free(&fresh);
}

static void page_free(struct page *page)
{
    for (size_t i = 0; i < page->owned.count; i++)
        free(page->owned.items[i]);
    array_free(&page->owned);
    array_free(&page->options);
    array_free(&page->known);
    array_free(&page->actions);
    array_free(&page->names);
}

void config_page_print(struct text *out)
{
    struct page page;
    page_init(&page, NULL);
    config_print_default(out, &page.page);
    page_free(&page);
}

bool config_page_save(struct app *app, const char *path, struct error *error)
{
    struct page page;
    page_init(&page, app);
    bool saved = config_save(path, &page.page, error);
    page_free(&page);
    return saved;
}

void act_save(struct app *app, struct span argument)
{
    (void)argument;
    struct text path = {0};
    struct error error = {0};
    if (app->config_path != NULL)
        text_add_string(&path, app->config_path);
    else if (!config_add_path(&path))
        text_clear(&path);
    if (path.length == 0)
        app_complain(app, "there is no folder for a configuration: HOME is not set");
    else if (config_page_save(app, path.bytes, &error))
        app_say(app, "saved to %s", path.bytes);
    else
        app_complain(app, "%s", error.text);
    text_free(&path);
}
