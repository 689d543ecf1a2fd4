/*
 * The configuration file: what is read from it, what is wrong in it, and where it is.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "keyavg/array.h"
#include "keyavg/config.h"
#include "support/folder.h"

/* Reads the text as a file called `c.yaml`. */
static struct config parsed(const char *yaml)
{
    struct config config;
    config_parse(&config, "c.yaml", span_of(yaml));
    return config;
}

/* The text must give exactly this message. */
static void expect(const char *yaml, const char *message)
{
    struct config config = parsed(yaml);
    cr_assert_eq(config.messages.count, 1, "%zu messages instead of '%s', the first '%s'", config.messages.count,
                 message, config.messages.count > 0 ? config.messages.items[0] : "");
    cr_assert_str_eq(config.messages.items[0], message);
    config_free(&config);
}

/* The text must give a message that begins so. */
static void expect_start(const char *yaml, const char *start)
{
    struct config config = parsed(yaml);
    cr_assert_eq(config.messages.count, 1, "%zu messages instead of '%s'", config.messages.count, start);
    cr_assert_eq(strncmp(config.messages.items[0], start, strlen(start)), 0, "'%s' instead of '%s'",
                 config.messages.items[0], start);
    config_free(&config);
}

static void expect_word(const struct word *word, const char *text, unsigned line, unsigned column)
{
    cr_assert_str_eq(word->text, text);
    cr_assert(word->place.line == line && word->place.column == column, "'%s' at %u:%u instead of %u:%u", text,
              word->place.line, word->place.column, line, column);
}

/* -- Reading ------------------------------------------------------------------------------------- */

Test(config, a_good_file)
{
    struct config config = parsed("# a comment\n"
                                  "theme: light\n"
                                  "color: always\n"
                                  "mouse: false\n"
                                  "ascii: yes\n"
                                  "options:\n"
                                  "  sort-by: self_cpu_time_total\n"
                                  "  group-by: [name, shape]\n"
                                  "  filter: 'conv|norm !kind:kernel'\n"
                                  "columns:\n"
                                  "  table: [count, cpu_time]\n"
                                  "  tree: 'count  scope'\n"
                                  "keys:\n"
                                  "  quit: 'q <F10>'\n"
                                  "  menu:\n"
                                  "    sort-menu: [s, \"<F6>\"]\n"
                                  "    redraw: []\n");
    cr_assert_eq(config.messages.count, 0, "%s", config.messages.count > 0 ? config.messages.items[0] : "");
    expect_word(&config.theme, "light", 2, 8);
    cr_assert(config.color_given);
    cr_assert_eq(config.color, COLOR_ALWAYS);
    cr_assert_eq(config.mouse, CONFIG_OFF);
    cr_assert_eq(config.ascii, CONFIG_ON);
    cr_assert_eq(config.options.count, 3);
    expect_word(&config.options.items[0].name, "sort-by", 7, 3);
    expect_word(&config.options.items[0].value, "self_cpu_time_total", 7, 12);
    expect_word(&config.options.items[1].value, "name,shape", 8, 13);
    expect_word(&config.options.items[2].value, "conv|norm !kind:kernel", 9, 11);
    cr_assert_eq(config.columns.count, 2);
    expect_word(&config.columns.items[0].view, "table", 11, 3);
    expect_word(&config.columns.items[0].names.items[1], "cpu_time", 11, 18);
    expect_word(&config.columns.items[1].names.items[1], "scope", 12, 17);
    cr_assert_eq(config.keys.count, 3);
    cr_assert_null(config.keys.items[0].context.text);
    expect_word(&config.keys.items[0].action, "quit", 14, 3);
    cr_assert_eq(config.keys.items[0].keys.count, 2);
    expect_word(&config.keys.items[0].keys.items[0], "q", 14, 10);
    expect_word(&config.keys.items[0].keys.items[1], "<F10>", 14, 12);
    expect_word(&config.keys.items[1].context, "menu", 15, 3);
    expect_word(&config.keys.items[1].keys.items[1], "<F6>", 16, 20);
    expect_word(&config.keys.items[2].action, "redraw", 17, 5);
    cr_assert_eq(config.keys.items[2].keys.count, 0);
    config_free(&config);
}

Test(config, nothing_is_a_good_file)
{
    static const char *const files[] = {"",       "\n\n", "# only words\n", "---\n", "---\n...\n",
                                        "~\n", "options:\nkeys:\ncolumns:\n"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct config config = parsed(files[i]);
        cr_assert_eq(config.messages.count, 0, "%zu: %s", i, config.messages.count > 0 ? config.messages.items[0] : "");
        cr_assert_eq(config.options.count + config.keys.count + config.columns.count, 0);
        config_free(&config);
    }
}

Test(config, a_byte_order_mark_and_carriage_returns_do_no_harm)
{
    struct config config = parsed("\xEF\xBB\xBFtheme: light\r\noptions:\r\n  limit: 3\r\n");
    cr_assert_eq(config.messages.count, 0, "%s", config.messages.count > 0 ? config.messages.items[0] : "");
    cr_assert_str_eq(config.theme.text, "light");
    cr_assert_str_eq(config.options.items[0].value.text, "3");
    config_free(&config);
}

Test(config, wrong_words_have_their_place_and_the_nearest_good_one)
{
    expect("options:\n  limit: 3\nthme: dark\n", "c.yaml:3:1: unknown section 'thme'; did you mean 'theme'?");
    expect("zzzzzz: 3\n", "c.yaml:1:1: unknown section 'zzzzzz'");
    expect("color: alway\n",
           "c.yaml:1:8: unknown value of 'color' (auto, always or never) 'alway'; did you mean 'always'?");
    expect("mouse: maybe\n", "c.yaml:1:8: 'mouse' is true or false, not 'maybe'");
    expect("ascii:\n  a: b\n", "c.yaml:2:3: 'ascii' needs text, not a map");
    expect_start("theme:\n", "c.yaml:1:1: 'theme' has no value; it needs text");
    expect("theme: [dark]\n", "c.yaml:1:8: 'theme' needs text, not a list");
    expect("options: dark\n", "c.yaml:1:10: 'options' needs a map, not text");
    expect("options:\n  a: {b: c}\n", "c.yaml:2:6: 'a' needs text, not a map");
    expect("options:\n  a: [b, [c]]\n", "c.yaml:2:10: a value of 'a' must be one word");
    expect("options:\n  theme: dark\n", "c.yaml:2:3: 'theme' stands outside of 'options', at the left edge");
    expect("columns:\n  table: {a: b}\n", "c.yaml:2:10: 'table' needs a list, not a map");
    expect("columns:\n  table: [a, ~]\n",
           "c.yaml:2:14: a word is missing in the list of 'table' (write ~ and the like in quotes)");
    expect("keys:\n  quit:\n", "c.yaml:2:3: 'quit' has no keys; write [] where it shall have none");
    expect("keys:\n  table:\n    quit: {a: b}\n", "c.yaml:3:11: 'quit' needs a list, not a map");
    expect("- a\n", "c.yaml:1:1: a configuration begins with a section, as 'options:'");
    expect("dark\n", "c.yaml:1:1: a configuration begins with a section, as 'options:'");
}

Test(config, what_is_good_beside_what_is_wrong_holds)
{
    struct config config = parsed("thme: dark\ncolor: never\nmouse: perhaps\noptions:\n  a: [[]]\n  b: c\n");
    cr_assert_eq(config.messages.count, 3);
    cr_assert_eq(config.color, COLOR_NEVER);
    cr_assert_eq(config.mouse, CONFIG_UNSET);
    cr_assert_eq(config.options.count, 1);
    expect_word(&config.options.items[0].value, "c", 6, 6);
    config_free(&config);
}

Test(config, those_who_know_the_words_report_the_wrong_ones)
{
    struct config config = parsed("options:\n  sort-bye: x\n");
    config_unknown(&config, &config.options.items[0].name, "option", "sort-by");
    config_error(&config, &config.options.items[0].value, "no column is called '%s'", "x");
    cr_assert_eq(config.messages.count, 2);
    cr_assert_str_eq(config.messages.items[0], "c.yaml:2:3: unknown option 'sort-bye'; did you mean 'sort-by'?");
    cr_assert_str_eq(config.messages.items[1], "c.yaml:2:13: no column is called 'x'");
    config_free(&config);
}

Test(config, messages_are_safe_to_print_and_not_endless)
{
    expect("\"a\\x1b[31m\": 1\n", "c.yaml:1:1: unknown section 'a\u241b[31m'");
    struct text yaml = {0};
    for (int i = 0; i < 100; i++)
        text_addf(&yaml, "wrong%d: 1\n", i);
    struct config config = parsed(yaml.bytes);
    cr_assert_eq(config.messages.count, MESSAGES_MAX);
    cr_assert_eq(config.messages.dropped, 100 - MESSAGES_MAX);
    config_free(&config);
    text_clear(&yaml);
    text_add_repeat(&yaml, 'x', 4000);
    text_add_string(&yaml, ": 1\n");
    config = parsed(yaml.bytes);
    cr_assert_eq(config.messages.count, 1);
    cr_assert_lt(strlen(config.messages.items[0]), 120);
    config_free(&config);
    text_free(&yaml);
}

/* -- Hostile YAML ---------------------------------------------------------------------------------- */

Test(config, anchors_aliases_and_tags_are_refused)
{
    expect("options: &a\n  b: c\n", "c.yaml:1:10: anchors are not understood; write '&' in quotes");
    expect("theme: &a dark\n", "c.yaml:1:8: anchors are not understood; write '&' in quotes");
    expect("keys: {a: &b [c]}\n", "c.yaml:1:11: anchors are not understood; write '&' in quotes");
    expect("theme: *a\n", "c.yaml:1:8: aliases are not understood; write '*' in quotes");
    expect("theme: !!str dark\n", "c.yaml:1:8: tags are not understood; write '!' in quotes");
    expect("options: !x {}\n", "c.yaml:1:10: tags are not understood; write '!' in quotes");
    expect("a: &a [x,x,x,x]\nb: &b [*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c]\n",
           "c.yaml:1:4: anchors are not understood; write '&' in quotes");
    expect("<<: {theme: dark}\n", "c.yaml:1:1: unknown section '<<'");
}

Test(config, keys_stand_once_and_are_words)
{
    expect("theme: dark\noptions:\n  a: b\n  c: d\n  a: e\n", "c.yaml:5:3: 'a' stands twice, first in line 3");
    expect("theme: dark\n\"theme\": light\n", "c.yaml:2:1: 'theme' stands twice, first in line 1");
    expect("{}: a\n", "c.yaml:1:1: a key must be one word; write '[' and '{' in quotes");
    expect("? [a, b]\n: c\n", "c.yaml:1:3: a key must be one word; write '[' and '{' in quotes");
    expect("~: a\n", "c.yaml:1:1: a key is missing; write '~' and 'null' in quotes");
    expect("\"\": a\n", "c.yaml:1:1: unknown section ''");
    expect("theme: dark\n---\ntheme: light\n", "c.yaml:2:1: a second document; only one is understood");
}

Test(config, tabs_and_broken_yaml)
{
    expect("options:\n\ta: b\n", "c.yaml:2:1: this character must stand in quotes, and a tab cannot indent");
    expect("keys:\n  quit: @\n", "c.yaml:2:9: this character must stand in quotes, and a tab cannot indent");
    expect_start("options: [a\nb: c\n", "c.yaml:");
    expect_start("options: {a: b\n", "c.yaml:");
    expect_start("theme: 'dark\n", "c.yaml:");
    expect_start("theme: \"\\q\"\n", "c.yaml:1:");
    expect_start("a: b: c\n", "c.yaml:1:5: ");
    expect_start("a:\n  - b\n c: d\n", "c.yaml:3:");
    expect_start("]", "c.yaml:1:1: ");
    expect_start("%YAML 9.9\n---\na: b\n", "c.yaml:1:");
    expect_start("%\n", "c.yaml:1:");
}

Test(config, bad_bytes)
{
    expect("theme: dark\nascii: \xFF\n", "c.yaml:2:8: byte 0xFF is not UTF-8");
    expect("# \xC3\xA9\xC3\n", "c.yaml:1:4: byte 0xC3 is not UTF-8");
    expect("theme: \xED\xA0\x80\n", "c.yaml:1:8: byte 0xED is not UTF-8");
    expect("theme: da\x1brk\n", "c.yaml:1:10: control character 0x1B");
    struct config config;
    config_parse(&config, "c.yaml", (struct span){"a\0b", 3});
    cr_assert_str_eq(config.messages.items[0], "c.yaml:1:2: control character 0x00");
    config_free(&config);
    config_parse(&config, "c.yaml", (struct span){"\xFF\xFE" "a\0", 4});
    cr_assert_str_eq(config.messages.items[0], "c.yaml:1:1: byte 0xFF is not UTF-8");
    config_free(&config);
    expect("theme: \"a\\0b\"\n", "c.yaml:1:8: a value must not hold a NUL byte");
}

Test(config, depth_and_size_have_limits)
{
    struct text yaml = {0};
    text_add_repeat(&yaml, '[', 100000);
    expect(yaml.bytes, "c.yaml:1:9: nested too deeply");
    text_clear(&yaml);
    for (int i = 0; i < 60000; i++)
        text_add_string(&yaml, "[\n");
    expect(yaml.bytes, "c.yaml:9:1: nested too deeply");
    text_clear(&yaml);
    for (int i = 0; i < 20; i++) {
        text_add_repeat(&yaml, ' ', (size_t)i);
        text_add_string(&yaml, "a:\n");
    }
    expect(yaml.bytes, "c.yaml:9:9: nested too deeply");
    text_clear(&yaml);
    text_add_string(&yaml, "theme: ");
    text_add_repeat(&yaml, 'x', 5000);
    expect(yaml.bytes, "c.yaml:1:8: a value of more than 4096 bytes");
    text_clear(&yaml);
    text_add_string(&yaml, "options: [");
    for (int i = 0; i < 20000; i++)
        text_add_string(&yaml, "a, ");
    expect_start(yaml.bytes, "c.yaml:1:24");
    text_clear(&yaml);
    text_add_repeat(&yaml, '#', 300000);
    expect(yaml.bytes, "c.yaml: the file is larger than 256 KiB");
    text_free(&yaml);
}

/* Any prefix of a file and any changed byte in it is read or refused, without a crash. */
Test(config, damaged_files)
{
    static const char yaml[] = "theme: light\noptions:\n  a: [b, \"c\\n\"]\nkeys:\n  menu: {x: '[ ]'}\n  y: |\n    q\n";
    static const char bytes[] = "\0\t\n\r\x80\xC2:{}[]#&*!|>'\"%@`,?-~ ";
    for (size_t length = 0; length < sizeof yaml; length++) {
        struct config config;
        config_parse(&config, "c.yaml", (struct span){yaml, length});
        config_free(&config);
        for (size_t i = 0; i < sizeof bytes && length < sizeof yaml - 1; i++) {
            char changed[sizeof yaml];
            memcpy(changed, yaml, sizeof yaml);
            changed[length] = bytes[i];
            config_parse(&config, "c.yaml", (struct span){changed, sizeof yaml - 1});
            config_free(&config);
        }
    }
}

/* -- Where it is ------------------------------------------------------------------------------------- */

static void expect_path(const char *path)
{
    struct text text = {0};
    cr_assert_eq(config_add_path(&text), path != NULL);
    if (path != NULL)
        cr_assert_str_eq(text.bytes, path);
    text_free(&text);
}

Test(config, paths_follow_the_xdg_rules)
{
    unsetenv("KEYAVG_CONFIG");
    setenv("HOME", "/home/x", 1);
    setenv("XDG_CONFIG_HOME", "/xdg", 1);
    expect_path("/xdg/keyavg/config.yaml");
    setenv("XDG_CONFIG_HOME", "relative", 1);
    expect_path("/home/x/.config/keyavg/config.yaml");
    setenv("XDG_CONFIG_HOME", "", 1);
    expect_path("/home/x/.config/keyavg/config.yaml");
    unsetenv("HOME");
    expect_path(NULL);
    setenv("KEYAVG_CONFIG", "", 1);
    expect_path(NULL);
    setenv("KEYAVG_CONFIG", "my.yaml", 1);
    expect_path("my.yaml");
    setenv("XDG_STATE_HOME", "/state", 1);
    struct text state = {0};
    cr_assert(config_add_state_folder(&state));
    cr_assert_str_eq(state.bytes, "/state/keyavg");
    text_free(&state);
}

Test(config, no_file_is_no_error_unless_it_was_named, .init = folder_make, .fini = folder_remove)
{
    struct config config;
    unsetenv("KEYAVG_CONFIG");
    setenv("XDG_CONFIG_HOME", folder_path, 1);
    config_load(&config, NULL);
    cr_assert_not(config.exists);
    cr_assert_eq(config.messages.count, 0);
    cr_assert_str_eq(config.path, folder_file("keyavg/config.yaml"));
    config_free(&config);

    setenv("KEYAVG_CONFIG", folder_file("none.yaml"), 1);
    config_load(&config, NULL);
    cr_assert_eq(config.messages.count, 1);
    cr_assert_not_null(strstr(config.messages.items[0], "none.yaml: there is no such file"));
    config_free(&config);

    folder_write(folder_file("c.yaml"), "theme: light\n");
    config_load(&config, folder_file("c.yaml"));
    cr_assert(config.exists);
    cr_assert_str_eq(config.theme.text, "light");
    config_free(&config);

    config_load(&config, folder_path);
    cr_assert_eq(config.messages.count, 1);
    cr_assert_not_null(strstr(config.messages.items[0], ": Is a directory"));
    config_free(&config);

    unsetenv("KEYAVG_CONFIG");
    unsetenv("XDG_CONFIG_HOME");
    unsetenv("HOME");
    config_load(&config, NULL);
    cr_assert_null(config.path);
    cr_assert_eq(config.messages.count, 0);
    config_free(&config);
}
