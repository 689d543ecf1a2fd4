/*
 * Printing and saving the configuration.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "keyavg/config.h"
#include "support/folder.h"

static struct config parsed(const struct text *yaml)
{
    struct config config;
    config_parse(&config, "c.yaml", text_span(yaml));
    return config;
}

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "r");
    cr_assert_not_null(file, "%s", path);
    char *text = calloc(1, 65536);
    cr_assert_not_null(text);
    cr_assert_lt(fread(text, 1, 65535, file), 65535);
    fclose(file);
    return text;
}

static const char *const table_columns[] = {"count", "self_cpu_time_total"};
static const struct config_line options[] = {
    {NULL, "sort-by", "cpu_time", "The column to sort by.", true},
    {NULL, "filter", "a'b \"c\" # : [", "Which rows.", true},
    {NULL, "limit", "10", NULL, false},
    {NULL, "top-level", NULL, "Has no value.", false},
};
static const struct config_list columns[] = {{"table", table_columns, 2, false}};
static const struct config_line known[] = {{NULL, "count", NULL, "Calls.", false}};
static const struct config_line actions[] = {
    {NULL, "quit", "q <F10> <C-c>", "Leaves.", false},
    {NULL, "odd", "[ ] { } # & * ! | > % @ ` ' \" \\ ~ - ? , :", NULL, true},
    {"menu", "choose", "<Enter>", "Takes the line.", false},
    {"tree", "fold", "-", NULL, true},
    {"tree", "nothing", "", NULL, true},
};
static const struct config_page page = {
    .theme = NULL,
    .color = COLOR_AUTO,
    .mouse = true,
    .options = options,
    .option_count = 4,
    .columns = columns,
    .column_count = 1,
    .known_columns = known,
    .known_column_count = 1,
    .actions = actions,
    .action_count = 5,
};

static const char *option(const struct config *config, const char *name)
{
    for (size_t i = 0; i < config->options.count; i++)
        if (strcmp(config->options.items[i].name.text, name) == 0)
            return config->options.items[i].value.text;
    return NULL;
}

/* The keys of an action with spaces between them, "(none)" when the file does not name it. */
static const char *keys_of(const struct config *config, const char *context, const char *action)
{
    static char keys[256];
    for (size_t i = 0; i < config->keys.count; i++) {
        const struct keymap_entry *entry = &config->keys.items[i];
        if (strcmp(entry->action.text, action) != 0 || (entry->context.text == NULL) != (context == NULL) ||
            (context != NULL && strcmp(entry->context.text, context) != 0))
            continue;
        keys[0] = '\0';
        for (size_t j = 0; j < entry->keys.count; j++)
            snprintf(keys + strlen(keys), sizeof keys - strlen(keys), "%s%s", j == 0 ? "" : " ",
                     entry->keys.items[j].text);
        return keys;
    }
    return "(none)";
}

Test(config_save, the_default_is_read_back_as_it_is)
{
    struct text out = {0};
    config_print_default(&out, &page);
    struct config config = parsed(&out);
    cr_assert_eq(config.messages.count, 0, "%s", config.messages.count > 0 ? config.messages.items[0] : "");
    cr_assert_null(config.theme.text);
    cr_assert(config.color_given);
    cr_assert_eq(config.mouse, CONFIG_ON);
    cr_assert_eq(config.ascii, CONFIG_OFF);
    cr_assert_eq(config.options.count, 3);
    cr_assert_str_eq(option(&config, "filter"), options[1].value);
    cr_assert_str_eq(option(&config, "limit"), "10");
    cr_assert_eq(config.columns.items[0].names.count, 2);
    cr_assert_str_eq(keys_of(&config, NULL, "quit"), "q <F10> <C-c>");
    cr_assert_str_eq(keys_of(&config, NULL, "odd"), actions[1].value);
    cr_assert_str_eq(keys_of(&config, "menu", "choose"), "<Enter>");
    cr_assert_str_eq(keys_of(&config, "tree", "nothing"), "");
    for (unsigned i = 0; i < ROLE_COUNT; i++)
        cr_assert_not_null(strstr(out.bytes, roles[i].meaning), "%s", roles[i].name);
    for (const char *line = out.bytes; line != NULL && *line != '\0'; line = strchr(line, '\n') + 1)
        cr_assert_leq(strcspn(line, "\n"), 120, "%.120s", line);
    config_free(&config);
    text_free(&out);
}

Test(config_save, a_saved_file_holds_what_differs, .init = folder_make, .fini = folder_remove)
{
    struct error error;
    const char *path = folder_file("a/b/config.yaml");
    cr_assert(config_save(path, &page, &error), "%s", error.text);
    struct config config;
    config_load(&config, path);
    cr_assert_eq(config.messages.count, 0, "%s", config.messages.count > 0 ? config.messages.items[0] : "");
    cr_assert_not(config.color_given);
    cr_assert_eq(config.mouse, CONFIG_UNSET);
    cr_assert_eq(config.options.count, 2);
    cr_assert_eq(config.columns.count, 0);
    cr_assert_str_eq(keys_of(&config, NULL, "quit"), "(none)");
    cr_assert_str_eq(keys_of(&config, NULL, "odd"), actions[1].value);
    cr_assert_str_eq(keys_of(&config, "menu", "choose"), "(none)");
    cr_assert_str_eq(keys_of(&config, "tree", "fold"), "-");
    config_free(&config);
}

Test(config_save, values_of_any_kind_come_back)
{
    static const char *const values[] = {
        "",   "~",    "null", "a: b", " a ",    "#x",  "a #b", "'",  "''", "-",   "- a",  "\\",    "\"",  "\n",
        "a\nb", "\x1b", "\t", "é ×",  "true",   "1e3", "%",    "@a", "`",  "[a",  "{a}",  "*a",    "&a",  "!a",
        "? a", ": a", "a,b",  "|",    ">",      "...", "---",  "\x7f", "_a", ".5", "a/b", "/ERE/",
    };
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        struct config_line line = {NULL, values[i][0] != '\0' ? values[i] : "x", values[i], NULL, true};
        struct config_page small = {.options = &line, .option_count = 1};
        struct text out = {0};
        config_print_default(&out, &small);
        struct config config = parsed(&out);
        cr_assert_eq(config.messages.count, 0, "%zu: %s", i, config.messages.count > 0 ? config.messages.items[0] : "");
        cr_assert_str_eq(config.options.items[0].name.text, line.name);
        cr_assert_str_eq(config.options.items[0].value.text, values[i]);
        config_free(&config);
        text_free(&out);
    }
}

static mode_t mode_of(const char *path)
{
    struct stat status;
    cr_assert_eq(lstat(path, &status), 0, "%s", path);
    return status.st_mode;
}

Test(config_save, saving_keeps_links_modes_and_the_old_file, .init = folder_make, .fini = folder_remove)
{
    struct error error;
    folder_write(folder_file("real.yaml"), "# mine\ntheme: light\n");
    cr_assert_eq(chmod(folder_file("real.yaml"), 0640), 0);
    cr_assert_eq(mkdir(folder_file("d"), 0755), 0);
    cr_assert_eq(symlink("../real.yaml", folder_file("d/one.yaml")), 0);
    cr_assert_eq(symlink("d/one.yaml", folder_file("two.yaml")), 0);
    cr_assert(config_save(folder_file("two.yaml"), &page, &error), "%s", error.text);
    cr_assert(S_ISLNK(mode_of(folder_file("two.yaml"))));
    cr_assert(S_ISLNK(mode_of(folder_file("d/one.yaml"))));
    cr_assert_eq(mode_of(folder_file("real.yaml")) & 07777, 0640);
    char *saved = read_file(folder_file("real.yaml")), *old = read_file(folder_file("real.yaml~"));
    cr_assert_not_null(strstr(saved, "sort-by: cpu_time"));
    cr_assert_str_eq(old, "# mine\ntheme: light\n");
    free(old);
    /* Saved again without a change, the old one is not lost. */
    cr_assert(config_save(folder_file("two.yaml"), &page, &error), "%s", error.text);
    old = read_file(folder_file("real.yaml~"));
    cr_assert_str_eq(old, "# mine\ntheme: light\n");
    free(old);
    free(saved);
    /* Nothing else is left. */
    char command[128];
    snprintf(command, sizeof command, "test $(ls -A %s | wc -l) = 4", folder_path);
    cr_assert_eq(system(command), 0);
}

Test(config_save, saving_through_a_link_to_nothing_makes_the_file, .init = folder_make, .fini = folder_remove)
{
    struct error error;
    cr_assert_eq(symlink(folder_file("new/real.yaml"), folder_file("link.yaml")), 0);
    umask(027);
    cr_assert(config_save(folder_file("link.yaml"), &page, &error), "%s", error.text);
    cr_assert(S_ISLNK(mode_of(folder_file("link.yaml"))));
    cr_assert_eq(mode_of(folder_file("new/real.yaml")) & 07777, 0640);
    cr_assert_eq(symlink("loop.yaml", folder_file("loop.yaml")), 0);
    cr_assert_not(config_save(folder_file("loop.yaml"), &page, &error));
    cr_assert_not_null(strstr(error.text, "loop.yaml"));
}

Test(config_save, a_bare_name_is_saved_here, .init = folder_make, .fini = folder_remove)
{
    struct error error;
    cr_assert_eq(chdir(folder_path), 0);
    cr_assert(config_save("bare.yaml", &page, &error), "%s", error.text);
    cr_assert(S_ISREG(mode_of(folder_file("bare.yaml"))));
    cr_assert_eq(chdir("/"), 0);
}

Test(config_save, what_is_read_only_stays, .init = folder_make, .fini = folder_remove)
{
    struct error error;
    folder_write(folder_file("c.yaml"), "theme: light\n");
    cr_assert_eq(chmod(folder_file("c.yaml"), 0444), 0);
    cr_assert_not(config_save(folder_file("c.yaml"), &page, &error));
    cr_assert_eq(error.code, ERROR_IO);
    cr_assert_not_null(strstr(error.text, "c.yaml: the file is read-only"), "%s", error.text);
    char *text = read_file(folder_file("c.yaml"));
    cr_assert_str_eq(text, "theme: light\n");
    free(text);

    cr_assert_not(config_save(folder_path, &page, &error));
    cr_assert_not_null(strstr(error.text, "not a regular file"), "%s", error.text);
    cr_assert_not(config_save(folder_file("c.yaml/x.yaml"), &page, &error));
    cr_assert_not_null(strstr(error.text, "Not a directory"), "%s", error.text);

    /* root may write into any folder, so somebody else tries. */
    cr_assert_eq(mkdir(folder_file("d"), 0755), 0);
    folder_write(folder_file("d/c.yaml"), "theme: light\n");
    cr_assert_eq(chmod(folder_file("d/c.yaml"), 0666), 0);
    cr_assert_eq(chmod(folder_file("d"), 0555), 0);
    cr_assert_eq(chmod(folder_path, 0755), 0);
    bool root = geteuid() == 0;
    if (root)
        cr_assert_eq(seteuid(65534), 0);
    bool saved = config_save(folder_file("d/c.yaml"), &page, &error);
    if (root)
        cr_assert_eq(seteuid(0), 0);
    cr_assert_not(saved);
    cr_assert_not_null(strstr(error.text, "d/c.yaml: Permission denied"), "%s", error.text);
}
