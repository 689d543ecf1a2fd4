/*
 * Roles and themes: the built-in ones, files of users, what is wrong in them, and how they look on few colours.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "keyavg/nearest.h"
#include "keyavg/theme.h"

static const struct place nowhere = {0, 0};

/* A folder for themes of a user while the test runs. */
static char folder[] = "/tmp/keyavg-theme-XXXXXX";

static void make_folder(void)
{
    char path[64];
    cr_assert_not_null(mkdtemp(folder));
    setenv("XDG_CONFIG_HOME", folder, 1);
    snprintf(path, sizeof path, "%s/keyavg", folder);
    cr_assert_eq(mkdir(path, 0755), 0);
    snprintf(path, sizeof path, "%s/keyavg/themes", folder);
    cr_assert_eq(mkdir(path, 0755), 0);
}

static void remove_folder(void)
{
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    cr_assert_eq(system(command), 0);
}

/* Without files of whoever runs the tests. */
static void no_folder(void)
{
    setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
}

static const char *write_theme(const char *name, const char *yaml)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/keyavg/themes/%s.yaml", folder, name);
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file);
    fputs(yaml, file);
    fclose(file);
    return path;
}

/* Loads a theme that must be without faults. */
static struct theme loaded(const char *name)
{
    struct theme theme;
    struct messages messages = {0};
    bool good = theme_load(&theme, name, NULL, nowhere, &messages);
    cr_assert(good, "%s", messages.count > 0 ? messages.items[0] : "");
    cr_assert_eq(messages.count, 0);
    return theme;
}

/* The text as theme `t` must give just this message after the file's name. */
static void expect(const char *yaml, const char *message)
{
    const char *path = write_theme("t", yaml);
    struct theme theme;
    struct messages messages = {0};
    cr_assert_not(theme_load(&theme, "t", NULL, nowhere, &messages));
    cr_assert_eq(messages.count, 1, "%zu messages instead of '%s'", messages.count, message);
    cr_assert_eq(strncmp(messages.items[0], path, strlen(path)), 0, "%s", messages.items[0]);
    cr_assert_str_eq(messages.items[0] + strlen(path), message);
    messages_free(&messages);
    theme_free(&theme);
}

static bool same(struct style a, struct style b)
{
    return a.fg == b.fg && a.bg == b.bg && a.fg16 == b.fg16 && a.bg16 == b.bg16 && a.attributes == b.attributes;
}

/* -- Roles ----------------------------------------------------------------------------------------- */

Test(role, names_and_letters_are_unique_and_said)
{
    for (unsigned i = 0; i < ROLE_COUNT; i++) {
        cr_assert(roles[i].letter > ' ' && roles[i].letter < 0x7F);
        cr_assert_gt(strlen(roles[i].meaning), 0);
        cr_assert_eq(role_find(span_of(roles[i].name)), i);
        for (unsigned j = 0; j < i; j++)
            cr_assert_neq(roles[i].letter, roles[j].letter, "%s and %s", roles[i].name, roles[j].name);
    }
    cr_assert_eq(role_find(span_of("Text")), ROLE_COUNT);
    cr_assert_str_eq(role_nearest(span_of("titel")), "title");
    cr_assert_null(role_nearest(span_of("qqqqqq")));
}

Test(role, of_a_share)
{
    cr_assert_eq(role_of_share(0), ROLE_HEAT_0);
    cr_assert_eq(role_of_share(-1), ROLE_HEAT_0);
    cr_assert_eq(role_of_share((double)NAN), ROLE_HEAT_0);
    cr_assert_eq(role_of_share(0.01), ROLE_HEAT_1);
    cr_assert_eq(role_of_share(0.05), ROLE_HEAT_2);
    cr_assert_eq(role_of_share(0.1), ROLE_HEAT_3);
    cr_assert_eq(role_of_share(0.2), ROLE_HEAT_4);
    cr_assert_eq(role_of_share(1e300), ROLE_HEAT_4);
}

/* -- The built-in themes --------------------------------------------------------------------------- */

Test(theme, the_six_are_there, .init = no_folder)
{
    static const char *const names[] = {"dark", "light", "mono", "high-contrast", "colour-blind", "ansi16"};
    struct theme_names list;
    theme_names_list(&list);
    cr_assert_eq(list.count, 6);
    for (size_t i = 0; i < list.count; i++)
        cr_assert_str_eq(list.items[i], names[i]);
    theme_names_free(&list);
}

/* Counted in their text, as the roles a theme leaves out would silently be its base's. */
Test(theme, each_names_every_role_once_and_only_roles, .init = no_folder)
{
    struct theme_names list;
    theme_names_list(&list);
    for (size_t i = 0; i < list.count; i++) {
        struct theme theme = loaded(list.items[i]);
        cr_assert_null(theme.path);
        theme_free(&theme);
        struct text yaml = {0};
        cr_assert(theme_add_source(&yaml, list.items[i]));
        unsigned lines = 0;
        const char *at = strstr(yaml.bytes, "\nroles:\n");
        cr_assert_not_null(at);
        for (at += 8; *at != '\0'; at = strchr(at, '\n') + 1)
            lines++;
        cr_assert_eq(lines, ROLE_COUNT, "%s", list.items[i]);
        for (unsigned j = 0; j < ROLE_COUNT; j++) {
            char line[64];
            snprintf(line, sizeof line, "\n  %s: {", roles[j].name);
            cr_assert_not_null(strstr(yaml.bytes, line), "%s in %s", roles[j].name, list.items[i]);
        }
        for (size_t j = 0; j < yaml.length; j++)
            cr_assert(yaml.bytes[j] == '\n' || (yaml.bytes[j] >= ' ' && yaml.bytes[j] < 0x7F));
        text_free(&yaml);
    }
    theme_names_free(&list);
}

Test(theme, mono_has_no_colour_and_the_roles_own_attributes, .init = no_folder)
{
    struct theme theme = loaded("mono");
    for (unsigned i = 0; i < ROLE_COUNT; i++) {
        struct style expected = {-1, -1, -1, -1, roles[i].attributes};
        cr_assert(same(theme.styles[i], expected), "%s", roles[i].name);
    }
    theme_free(&theme);
}

Test(theme, the_text_is_the_terminals_own, .init = no_folder)
{
    static const char *const names[] = {"dark", "light", "mono", "colour-blind", "ansi16"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct theme theme = loaded(names[i]);
        struct style own = {-1, -1, -1, -1, STYLE_PLAIN};
        cr_assert(same(theme.styles[ROLE_TEXT], own), "%s", names[i]);
        theme_free(&theme);
    }
}

/* Colours as xterm shows them, for the contrast. */
static double luminance(int color)
{
    static const int basic[16] = {0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5,
                                  0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF};
    static const int levels[6] = {0, 95, 135, 175, 215, 255};
    static const double weights[3] = {0.2126, 0.7152, 0.0722};
    int parts[3];
    for (int i = 0; i < 3; i++) {
        if (color < 16)
            parts[i] = basic[color] >> (16 - 8 * i) & 255;
        else if (color >= 232)
            parts[i] = 8 + 10 * (color - 232);
        else
            parts[i] = levels[i == 0 ? (color - 16) / 36 : i == 1 ? (color - 16) / 6 % 6 : (color - 16) % 6];
    }
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        double part = parts[i] / 255.0;
        sum += weights[i] * (part <= 0.03928 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4));
    }
    return sum;
}

static double contrast(int a, int b)
{
    double x = luminance(a) + 0.05, y = luminance(b) + 0.05;
    return x > y ? x / y : y / x;
}

/* W3C's ratio for every role, on the backgrounds that a theme is for: 3.5 at the least, 6.5 for high contrast. */
Test(theme, all_can_be_read, .init = no_folder)
{
    static const struct {
        const char *name;
        int fg, bg;
        double least;
    } cases[] = {
        {"dark", 7, 0, 4.4},     {"light", 0, 15, 3.9},        {"high-contrast", 7, 0, 6.5},
        {"high-contrast", 0, 15, 6.5},
        {"ansi16", 7, 0, 3.5},   {"colour-blind", 7, 0, 3.7}, {"colour-blind", 0, 15, 3.7},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct theme theme = loaded(cases[i].name);
        for (unsigned j = 0; j < ROLE_COUNT; j++) {
            for (int colors = 8; colors <= 256; colors += colors == 8 ? 8 : 240) {
                struct style style = theme_style(&theme, (enum role)j, colors);
                int fg = style.fg < 0 ? cases[i].fg : style.fg, bg = style.bg < 0 ? cases[i].bg : style.bg;
                /* Terminals of 8 colours show bold ones bright. */
                if (colors == 8 && style.fg >= 0 && (style.attributes & STYLE_BOLD) != 0)
                    fg += 8;
                cr_assert(style.fg < colors && style.bg < colors);
                double ratio = contrast(fg, bg);
                cr_assert_geq(ratio, cases[i].least, "%s of %s on %d with %d colours: %d on %d is %.2f", roles[j].name,
                              cases[i].name, cases[i].bg, colors, fg, bg, ratio);
            }
        }
        theme_free(&theme);
    }
}

/* -- Files ------------------------------------------------------------------------------------------ */

Test(theme, a_users_file_wins_and_lays_over_its_base, .init = make_folder, .fini = remove_folder)
{
    const char *path = write_theme("dark", "roles:\n  text: {fg: 208, style: [italic, bold]}\n"
                                           "  dim: {fg: '#5fafd7', bg: '#000', fg16: cyan}\n");
    struct theme theme;
    struct messages messages = {0};
    cr_assert_not(theme_load(&theme, "dark", NULL, nowhere, &messages));
    messages_free(&messages);
    theme_free(&theme);

    write_theme("dark", "roles:\n  text: {fg: 208, style: [italic, bold]}\n"
                        "  dim: {fg: '#5fafd7', bg: '#000000', fg16: bright-cyan}\n");
    theme = loaded("dark");
    cr_assert_str_eq(theme.path, path);
    struct style text = {208, -1, 3, -1, STYLE_ITALIC | STYLE_BOLD}, dim = {74, 16, 14, 0, STYLE_PLAIN};
    cr_assert(same(theme.styles[ROLE_TEXT], text), "%d", theme.styles[ROLE_TEXT].fg16);
    cr_assert(same(theme.styles[ROLE_DIM], dim));
    cr_assert_eq(theme.styles[ROLE_MATCH].bg, 221); /* the built-in dark one's */
    theme_free(&theme);

    write_theme("mine", "roles:\n  text: {fg: green}\nbase: light\ndescription: d\n");
    theme = loaded("mine");
    struct theme light = loaded("light");
    cr_assert_eq(theme.styles[ROLE_TEXT].fg, 2);
    cr_assert(same(theme.styles[ROLE_CRUMB], light.styles[ROLE_CRUMB]));
    theme_free(&theme);
    theme_free(&light);
    theme = loaded(write_theme("mine", "base: mono\n"));
    cr_assert_eq(theme.styles[ROLE_CURSOR].attributes, STYLE_REVERSE);
    theme_free(&theme);

    struct theme_names list;
    write_theme("another", "");
    write_theme(".hidden", "");
    theme_names_list(&list);
    cr_assert_eq(list.count, 8);
    cr_assert_str_eq(list.items[6], "another");
    cr_assert_str_eq(list.items[7], "mine");
    theme_names_free(&list);
}

Test(theme, errors_name_the_place_and_the_nearest_word, .init = make_folder, .fini = remove_folder)
{
    expect("roles:\n  titel: {fg: 1}\n", ":2:3: unknown role 'titel'; did you mean 'title'?");
    expect("roles:\n  title: {gf: 1}\n", ":2:11: unknown word 'gf'; did you mean 'fg'?");
    expect("roles:\n  title: {fg: gren}\n", ":2:15: unknown colour 'gren'; did you mean 'green'?");
    expect("roles:\n  title: {fg: 256}\n", ":2:15: colour '256' is not between 0 and 255");
    expect("roles:\n  title: {fg: 99999999999999999999}\n",
           ":2:15: colour '99999999999999999999' is not between 0 and 255");
    expect("roles:\n  title: {fg16: 16}\n", ":2:17: colour '16' is not between 0 and 15");
    expect("roles:\n  title: {bg: -2}\n", ":2:15: unknown colour '-2'");
    expect("roles:\n  title: {fg: '#12345g'}\n", ":2:15: unknown colour '#12345g'");
    expect("roles:\n  title: {fg16: '#123456'}\n", ":2:17: unknown colour '#123456'");
    expect("roles:\n  title:\n    fg: #ff0000\n",
           ":3:5: 'fg' has no value; it needs text (in quotes if it begins with one of # & * ! | > % @ ` [ ] { } "
           "or is ~)");
    expect("roles:\n  title: {style: blod}\n", ":2:18: unknown style 'blod'; did you mean 'bold'?");
    expect("roles:\n  title: {style: [bold, undreline]}\n",
           ":2:25: unknown style 'undreline'; did you mean 'underline'?");
    expect("roles:\n  title: {style: [[bold]]}\n", ":2:19: a style must be one word");
    expect("roles:\n  title: red\n", ":2:10: 'title' needs a map, not text");
    expect("role:\n  title: {}\n", ":1:1: unknown word 'role'; did you mean 'roles'?");
    expect("base: drak\n", ":1:7: unknown built-in theme 'drak'; did you mean 'dark'?");
    expect("roles: []\n", ":1:8: 'roles' needs a map, not a list");
    expect("- x\n", ":1:1: a theme begins with 'roles:'");
    expect("roles:\n  title: {}\n  dim: {}\n  title: {}\n", ":4:3: 'title' stands twice, first in line 2");
    expect("roles: *x\n", ":1:8: aliases are not understood; write '*' in quotes");
}

Test(theme, one_with_faults_can_be_used, .init = make_folder, .fini = remove_folder)
{
    struct theme theme, dark = loaded("dark");
    struct messages messages = {0};
    write_theme("t", "roles:\n  text: {fg: 3}\n  title: {fg: gren, bg: 4}\n");
    cr_assert_not(theme_load(&theme, "t", NULL, nowhere, &messages));
    cr_assert_eq(theme.styles[ROLE_TEXT].fg, 3);
    cr_assert_eq(theme.styles[ROLE_TITLE].fg, COLOR_DEFAULT);
    cr_assert_eq(theme.styles[ROLE_TITLE].bg, 4);
    cr_assert(same(theme.styles[ROLE_MATCH], dark.styles[ROLE_MATCH]));
    theme_free(&theme);
    messages_free(&messages);

    cr_assert_not(theme_load(&theme, "drak", "c.yaml", (struct place){3, 8}, &messages));
    cr_assert_str_eq(messages.items[0], "c.yaml:3:8: unknown theme 'drak'; did you mean 'dark'?");
    cr_assert(same(theme.styles[ROLE_MATCH], dark.styles[ROLE_MATCH]));
    theme_free(&theme);
    messages_free(&messages);

    cr_assert_not(theme_load(&theme, "/nowhere/x.yaml", NULL, nowhere, &messages));
    cr_assert_str_eq(messages.items[0], "unknown theme '/nowhere/x.yaml'");
    theme_free(&theme);
    messages_free(&messages);
    theme_free(&dark);
}

/* -- Choosing and reducing ------------------------------------------------------------------------------ */

Test(theme, no_color_means_mono_unless_something_was_chosen)
{
    unsetenv("NO_COLOR");
    unsetenv("COLORFGBG");
    cr_assert_str_eq(theme_choose(NULL, COLOR_AUTO), "dark");
    cr_assert_str_eq(theme_choose("light", COLOR_AUTO), "light");
    cr_assert_str_eq(theme_choose("light", COLOR_NEVER), "mono");
    setenv("NO_COLOR", "", 1);
    cr_assert_str_eq(theme_choose(NULL, COLOR_AUTO), "dark");
    setenv("NO_COLOR", "1", 1);
    cr_assert_str_eq(theme_choose(NULL, COLOR_AUTO), "mono");
    cr_assert_str_eq(theme_choose("light", COLOR_AUTO), "light");
    cr_assert_str_eq(theme_choose(NULL, COLOR_ALWAYS), "dark");
    cr_assert_str_eq(theme_choose(NULL, COLOR_NEVER), "mono");
    unsetenv("NO_COLOR");
    setenv("COLORFGBG", "0;15", 1);
    cr_assert_str_eq(theme_choose(NULL, COLOR_AUTO), "light");
    setenv("COLORFGBG", "0;default;7", 1);
    cr_assert_str_eq(theme_choose(NULL, COLOR_AUTO), "light");
    setenv("COLORFGBG", "15;0", 1);
    cr_assert_str_eq(theme_choose(NULL, COLOR_AUTO), "dark");
    setenv("COLORFGBG", "7", 1);
    cr_assert_str_eq(theme_choose(NULL, COLOR_AUTO), "dark");
}

Test(theme, fewer_colours, .init = no_folder)
{
    struct theme theme = {.styles[ROLE_TITLE] = {208, 25, 11, 8, STYLE_ITALIC},
                          .styles[ROLE_DIM] = {245, -1, 8, -1, STYLE_PLAIN},
                          .styles[ROLE_MARKED] = {-1, -1, -1, -1, STYLE_ITALIC},
                          .styles[ROLE_CRUMB] = {10, 2, 10, 2, STYLE_PLAIN}};
    struct style style = theme_style(&theme, ROLE_TITLE, 256);
    cr_assert(style.fg == 208 && style.bg == 25 && style.attributes == STYLE_ITALIC);
    style = theme_style(&theme, ROLE_TITLE, 16);
    cr_assert(style.fg == 11 && style.bg == 8 && style.attributes == STYLE_ITALIC);
    style = theme_style(&theme, ROLE_TITLE, 8);
    cr_assert(style.fg == 3 && style.bg == 0 && style.attributes == (STYLE_ITALIC | STYLE_BOLD));
    style = theme_style(&theme, ROLE_TITLE, 0);
    cr_assert(style.fg == -1 && style.bg == -1 && style.attributes == roles[ROLE_TITLE].attributes);
    style = theme_style(&theme, ROLE_DIM, 8);
    cr_assert(style.fg == -1 && style.attributes == STYLE_DIM);
    style = theme_style(&theme, ROLE_MARKED, 0);
    cr_assert(style.fg == -1 && style.attributes == STYLE_ITALIC);
    style = theme_style(&theme, ROLE_CRUMB, 8);
    cr_assert(style.fg == 0 && style.bg == 2);
}

Test(theme, rgb_is_the_nearest_of_256)
{
    cr_assert_eq(theme_nearest_256(0, 0, 0), 16);
    cr_assert_eq(theme_nearest_256(255, 255, 255), 231);
    cr_assert_eq(theme_nearest_256(95, 175, 215), 74);
    cr_assert_eq(theme_nearest_256(128, 128, 128), 244);
    cr_assert_eq(theme_nearest_256(8, 8, 8), 232);
    cr_assert_eq(theme_nearest_256(255, 1, 1), 196);
}
