#include "keyavg/theme.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "color.h"
#include "keyavg/array.h"
#include "keyavg/config.h"
#include "keyavg/nearest.h"
#include "node.h"
#include "theme_data.h"

#ifndef KEYAVG_DATADIR
#define KEYAVG_DATADIR "/usr/local/share/keyavg"
#endif

static const char default_theme[] = "dark";
static const struct style plain = {.fg = COLOR_DEFAULT, .bg = COLOR_DEFAULT, .fg16 = COLOR_DEFAULT,
                                   .bg16 = COLOR_DEFAULT};

const char *const color_choice_names[3] = {"auto", "always", "never"};

/* Reading one file. */
struct reading {
    struct theme *theme;
    const struct document *document;
    struct messages *messages;
};

static const struct theme_source *find_source(const char *name)
{
    for (unsigned i = 0; i < theme_source_count; i++)
        if (strcmp(theme_sources[i].name, name) == 0)
            return &theme_sources[i];
    return NULL;
}

bool theme_add_source(struct text *out, const char *name)
{
    const struct theme_source *source = find_source(name);
    for (size_t i = 0; source != NULL && source->lines[i] != NULL; i++)
        text_add_string(out, source->lines[i]);
    return source != NULL;
}

/* -- Reading a file ---------------------------------------------------------------------------------------------- */

static bool read_color(struct reading *reading, const struct node *key, int limit, int *color)
{
    const struct node *value = key->value;
    if (!node_expect(reading->document, key, NODE_SCALAR, reading->messages))
        return false;
    if (color_parse(value->text, limit, color))
        return true;
    const char *path = reading->document->path, *near = color_nearest_name(value->text);
    if (near != NULL || value->text.bytes[0] < '0' || value->text.bytes[0] > '9')
        messages_add_unknown(reading->messages, path, value->place, "colour", value->text, near);
    else
        messages_add(reading->messages, path, value->place, "colour '%.20s' is not between 0 and %d",
                     value->text.bytes, limit - 1);
    return false;
}

static void read_attribute(struct reading *reading, const struct node *word, uint8_t *attributes)
{
    static const char *const names[] = {"bold", "dim", "reverse", "underline", "italic"};
    static const uint8_t bits[] = {STYLE_BOLD, STYLE_DIM, STYLE_REVERSE, STYLE_UNDERLINE, STYLE_ITALIC};
    enum { COUNT = sizeof names / sizeof *names };
    if (word->kind != NODE_SCALAR) {
        messages_add(reading->messages, reading->document->path, word->place, "a style must be one word");
        return;
    }
    size_t found = node_word(word->text, names, COUNT);
    if (found == COUNT)
        node_unknown(reading->document, word, "style", names, COUNT, reading->messages);
    else
        *attributes |= bits[found];
}

static void read_attributes(struct reading *reading, const struct node *key, uint8_t *attributes)
{
    const struct node *value = key->value;
    if (value->kind == NODE_LIST) {
        for (const struct node *word = value->first; word != NULL; word = word->next)
            read_attribute(reading, word, attributes);
    } else if (node_expect(reading->document, key, NODE_SCALAR, reading->messages)) {
        read_attribute(reading, value, attributes);
    }
}

/* One role; what is wrong in it is left at the default. */
static struct style read_style(struct reading *reading, const struct node *map)
{
    static const char *const words[] = {"fg", "bg", "fg16", "bg16", "style"};
    enum { FG, BG, FG16, BG16, ATTRIBUTES, COUNT };
    struct style style = plain;
    int colors[4] = {COLOR_DEFAULT, COLOR_DEFAULT, COLOR_DEFAULT, COLOR_DEFAULT};
    bool given[4] = {false};
    for (const struct node *key = map->first; key != NULL; key = key->next) {
        size_t word = node_word(key->text, words, COUNT);
        if (word == COUNT)
            node_unknown(reading->document, key, "word", words, COUNT, reading->messages);
        else if (word == ATTRIBUTES)
            read_attributes(reading, key, &style.attributes);
        else
            given[word] = read_color(reading, key, word >= FG16 ? 16 : 256, &colors[word]);
    }
    style.fg = (int16_t)colors[FG];
    style.bg = (int16_t)colors[BG];
    style.fg16 = (int8_t)(given[FG16] ? colors[FG16] : color_to_16(colors[FG]));
    style.bg16 = (int8_t)(given[BG16] ? colors[BG16] : color_to_16(colors[BG]));
    return style;
}

static void read_roles(struct reading *reading, const struct node *map)
{
    for (const struct node *key = map->first; key != NULL; key = key->next) {
        enum role role = role_find(key->text);
        if (role == ROLE_COUNT)
            messages_add_unknown(reading->messages, reading->document->path, key->place, "role", key->text,
                                 role_nearest(key->text));
        else if (node_expect(reading->document, key, NODE_MAP, reading->messages))
            reading->theme->styles[role] = read_style(reading, key->value);
    }
}

static bool load_built_in(struct theme *theme, const char *name);

static void read_base(struct reading *reading, const struct node *key)
{
    if (!node_expect(reading->document, key, NODE_SCALAR, reading->messages))
        return;
    if (load_built_in(reading->theme, key->value->text.bytes))
        return;
    struct nearest nearest;
    nearest_init(&nearest, key->value->text);
    for (unsigned i = 0; i < theme_source_count; i++)
        nearest_offer(&nearest, theme_sources[i].name);
    messages_add_unknown(reading->messages, reading->document->path, key->value->place, "built-in theme",
                         key->value->text, nearest.name);
}

static void read_theme(struct theme *theme, const struct document *document, struct messages *messages)
{
    static const char *const words[] = {"description", "base", "roles"};
    enum { DESCRIPTION, BASE, ROLES_OF_FILE, COUNT };
    struct reading reading = {theme, document, messages};
    const struct node *roles_key = NULL;
    if (document->root->kind != NODE_MAP && document->root->kind != NODE_NOTHING) {
        messages_add(messages, document->path, document->root->place, "a theme begins with 'roles:'");
        return;
    }
    for (const struct node *key = document->root->first; key != NULL; key = key->next) {
        switch (node_word(key->text, words, COUNT)) {
        case DESCRIPTION:
            node_expect(document, key, NODE_SCALAR, messages);
            break;
        case BASE:
            read_base(&reading, key);
            break;
        case ROLES_OF_FILE:
            roles_key = key;
            break;
        default:
            node_unknown(document, key, "word", words, COUNT, messages);
        }
    }
    /* Last, because the base lies under them wherever it stands in the file. */
    if (roles_key != NULL && roles_key->value->kind != NODE_NOTHING &&
        node_expect(document, roles_key, NODE_MAP, messages))
        read_roles(&reading, roles_key->value);
}

/* Fills the styles alone. The built-in themes are without faults, which the tests see to. */
static bool load_built_in(struct theme *theme, const char *name)
{
    struct text yaml = {0};
    if (!theme_add_source(&yaml, name))
        return false;
    struct document document;
    struct messages messages = {0};
    document_parse(&document, name, text_span(&yaml), &messages);
    for (unsigned i = 0; i < ROLE_COUNT; i++)
        theme->styles[i] = plain;
    read_theme(theme, &document, &messages);
    messages_free(&messages);
    document_free(&document);
    text_free(&yaml);
    return true;
}

/* -- Finding it ---------------------------------------------------------------------------------------------------- */

/* Appends the folder of the user's themes (0) or of the data folder's (1); false when there is none. */
static bool add_theme_folder(struct text *out, unsigned which)
{
    if (which == 0 && !config_add_folder(out))
        return false;
    if (which == 1)
        text_add_string(out, KEYAVG_DATADIR);
    text_add_string(out, "/themes");
    return true;
}

/* Reads NAME.yaml or, where the name has a slash, the file of this path. */
static bool read_file(struct document *document, const char *name, bool *missing, struct messages *messages)
{
    *missing = true;
    if (strchr(name, '/') != NULL)
        return document_read(document, name, missing, messages);
    struct text path = {0};
    bool good = false;
    for (unsigned which = 0; which < 2 && *missing; which++) {
        text_clear(&path);
        if (!add_theme_folder(&path, which))
            continue;
        text_addf(&path, "/%s.yaml", name);
        document_free(document);
        good = document_read(document, path.bytes, missing, messages);
    }
    text_free(&path);
    return good;
}

static void report_unknown(const char *name, const char *from, struct place place, struct messages *messages)
{
    struct theme_names names = {0};
    struct nearest nearest;
    theme_names_list(&names);
    nearest_init(&nearest, span_of(name));
    for (size_t i = 0; i < names.count; i++)
        nearest_offer(&nearest, names.items[i]);
    messages_add_unknown(messages, from, place, "theme", span_of(name), nearest.name);
    theme_names_free(&names);
}

bool theme_load(struct theme *theme, const char *name, const char *from, struct place place,
                struct messages *messages)
{
    size_t before = messages->count + messages->dropped;
    *theme = (struct theme){.name = memory_copy_text(name, strlen(name))};
    bool built_in = load_built_in(theme, name);
    if (!built_in)
        load_built_in(theme, default_theme);
    struct document document = {0};
    bool missing;
    if (read_file(&document, name, &missing, messages))
        read_theme(theme, &document, messages);
    else if (missing && !built_in)
        report_unknown(name, from, place, messages);
    if (!missing) {
        theme->path = document.path;
        document.path = NULL;
    }
    document_free(&document);
    return messages->count + messages->dropped == before;
}

void theme_free(struct theme *theme)
{
    free(theme->name);
    free(theme->path);
    *theme = (struct theme){0};
}

static bool has_light_background(void)
{
    /* `foreground;background`, sometimes with a third between them, as numbers of the 16 colours. */
    const char *colors = getenv("COLORFGBG");
    const char *last = colors != NULL ? strrchr(colors, ';') : NULL;
    return last != NULL && (strcmp(last, ";7") == 0 || strcmp(last, ";15") == 0);
}

const char *theme_choose(const char *named, enum color_choice choice)
{
    const char *no_color = getenv("NO_COLOR");
    if (choice == COLOR_NEVER)
        return "mono";
    if (named != NULL)
        return named;
    if (choice == COLOR_AUTO && no_color != NULL && *no_color != '\0')
        return "mono";
    return has_light_background() ? "light" : default_theme;
}

static bool is_listed(const struct theme_names *names, struct span name)
{
    for (size_t i = 0; i < names->count; i++)
        if (span_is(name, names->items[i]))
            return true;
    return false;
}

static int compare_names(const void *a, const void *b)
{
    const char *const *left = a, *const *right = b;
    return strcmp(*left, *right);
}

void theme_names_list(struct theme_names *names)
{
    *names = (struct theme_names){0};
    for (unsigned i = 0; i < theme_source_count; i++)
        array_push(names, memory_copy_text(theme_sources[i].name, strlen(theme_sources[i].name)));
    for (unsigned which = 0; which < 2; which++) {
        struct text path = {0};
        DIR *folder = add_theme_folder(&path, which) ? opendir(path.bytes) : NULL;
        const struct dirent *entry;
        while (folder != NULL && (entry = readdir(folder)) != NULL) {
            struct span name = span_of(entry->d_name);
            if (name.length <= 5 || name.bytes[0] == '.' || strcmp(name.bytes + name.length - 5, ".yaml") != 0)
                continue;
            name.length -= 5;
            if (!is_listed(names, name))
                array_push(names, memory_copy_text(name.bytes, name.length));
        }
        if (folder != NULL)
            closedir(folder);
        text_free(&path);
    }
    size_t own = names->count - theme_source_count;
    if (own > 0)
        qsort(names->items + theme_source_count, own, sizeof *names->items, compare_names);
}

void theme_names_free(struct theme_names *names)
{
    for (size_t i = 0; i < names->count; i++)
        free(names->items[i]);
    array_free(names);
}

/* -- For a terminal ------------------------------------------------------------------------------------------------ */

/* Eight colours: the bright half of 16 is bold where it is a foreground. */
static void reduce_to_8(struct style *style)
{
    if (style->bg >= 8)
        style->bg = (int16_t)(style->bg - 8);
    if (style->fg == 8 && style->bg == COLOR_DEFAULT) {
        /* Bright black would be black on black. */
        style->fg = COLOR_DEFAULT;
        style->attributes |= STYLE_DIM;
    } else if (style->fg >= 8) {
        style->fg = (int16_t)(style->fg - 8);
        style->attributes |= STYLE_BOLD;
    }
    if (style->fg == style->bg && style->fg != COLOR_DEFAULT)
        style->fg = style->bg == 0 ? 7 : 0;
}

struct style theme_style(const struct theme *theme, enum role role, int colors)
{
    struct style style = theme->styles[role];
    if (colors >= 256)
        return style;
    if (colors < 8) {
        bool colored = style.fg != COLOR_DEFAULT || style.bg != COLOR_DEFAULT || style.fg16 != COLOR_DEFAULT ||
                       style.bg16 != COLOR_DEFAULT;
        struct style none = plain;
        none.attributes = colored ? roles[role].attributes : style.attributes;
        return none;
    }
    style.fg = style.fg16;
    style.bg = style.bg16;
    if (colors < 16)
        reduce_to_8(&style);
    return style;
}
