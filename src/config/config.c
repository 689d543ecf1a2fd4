#include "keyavg/config.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "keyavg/array.h"
#include "keyavg/utf8.h"
#include "node.h"

enum section { OPTIONS, COLUMNS, KEYS, THEME, COLOR, MOUSE, ASCII, SECTIONS };

static const char *const section_names[SECTIONS] = {"options", "columns", "keys", "theme", "color", "mouse", "ascii"};

static struct word word_of(const struct node *node)
{
    return (struct word){memory_copy_text(node->text.bytes, node->text.length), node->place};
}

/* -- Lists of words ------------------------------------------------------------------------------------------------ */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n';
}

/* `a b c` in one scalar; each word has its own place where the file shows it. */
static void split_words(struct words *words, const struct node *node)
{
    struct span text = node->text;
    size_t start = 0;
    for (size_t i = 0; i <= text.length; i++) {
        if (i < text.length && !is_blank(text.bytes[i]))
            continue;
        struct place place = node->place;
        if (node->text_column != 0)
            place.column = node->text_column + (uint32_t)utf8_length((struct span){text.bytes, start});
        if (i > start)
            array_push(words, (struct word){memory_copy_text(text.bytes + start, i - start), place});
        start = i + 1;
    }
}

/* A list of words, or one scalar with blanks between them. False when it is neither. */
static bool read_words(struct config *config, const struct document *document, const struct node *key,
                       struct words *words)
{
    const struct node *value = key->value;
    if (value->kind == NODE_SCALAR) {
        split_words(words, value);
        return true;
    }
    if (!node_expect(document, key, NODE_LIST, &config->messages))
        return false;
    for (const struct node *item = value->first; item != NULL; item = item->next) {
        if (item->kind == NODE_SCALAR && item->text.length != 0)
            array_push(words, word_of(item));
        else
            messages_add(&config->messages, document->path, item->place,
                         "a word is missing in the list of '%.60s' (write ~ and the like in quotes)", key->text.bytes);
    }
    return true;
}

/* -- Sections ------------------------------------------------------------------------------------------------------ */

static void read_option(struct config *config, const struct document *document, const struct node *key)
{
    size_t top = node_word(key->text, section_names, SECTIONS);
    if (top >= THEME && top < SECTIONS) {
        messages_add(&config->messages, document->path, key->place,
                     "'%s' stands outside of 'options', at the left edge", section_names[top]);
        return;
    }
    struct text value = {0};
    if (key->value->kind == NODE_LIST) {
        for (const struct node *item = key->value->first; item != NULL; item = item->next) {
            if (item->kind != NODE_SCALAR) {
                messages_add(&config->messages, document->path, item->place, "a value of '%.60s' must be one word",
                             key->text.bytes);
                text_free(&value);
                return;
            }
            if (value.length != 0)
                text_add_char(&value, ',');
            text_add_span(&value, item->text);
        }
    } else if (node_expect(document, key, NODE_SCALAR, &config->messages)) {
        text_add_span(&value, key->value->text);
    } else {
        return;
    }
    struct span span = text_span(&value);
    array_push(&config->options, (struct config_option){
        .name = word_of(key),
        .value = {memory_copy_text(span.bytes, span.length), key->value->place},
    });
    text_free(&value);
}

static void read_columns(struct config *config, const struct document *document, const struct node *key)
{
    struct words names = {0};
    if (read_words(config, document, key, &names))
        array_push(&config->columns, (struct config_columns){.view = word_of(key), .names = names});
}

static void read_action(struct config *config, const struct document *document, const struct node *context,
                        const struct node *key)
{
    struct keymap_entry entry = {0};
    if (!read_words(config, document, key, &entry.keys))
        return;
    if (context != NULL)
        entry.context = word_of(context);
    entry.action = word_of(key);
    array_push(&config->keys, entry);
}

/* `action: keys`, or the name of a view above such lines. */
static void read_keys(struct config *config, const struct document *document, const struct node *key)
{
    if (key->value->kind == NODE_MAP)
        for (const struct node *action = key->value->first; action != NULL; action = action->next)
            read_action(config, document, key, action);
    else if (key->value->kind == NODE_NOTHING)
        messages_add(&config->messages, document->path, key->place,
                     "'%.60s' has no keys; write [] where it shall have none", key->text.bytes);
    else
        read_action(config, document, NULL, key);
}

static enum config_switch read_switch(struct config *config, const struct document *document, const struct node *key)
{
    static const char *const words[] = {"false", "true", "off", "on", "no", "yes"};
    enum { COUNT = sizeof words / sizeof *words };
    if (!node_expect(document, key, NODE_SCALAR, &config->messages))
        return CONFIG_UNSET;
    size_t word = node_word(key->value->text, words, COUNT);
    if (word < COUNT)
        return word % 2 == 1 ? CONFIG_ON : CONFIG_OFF;
    messages_add(&config->messages, document->path, key->value->place, "'%s' is true or false, not '%.60s'",
                 key->text.bytes, key->value->text.bytes);
    return CONFIG_UNSET;
}

static void read_color(struct config *config, const struct document *document, const struct node *key)
{
    if (!node_expect(document, key, NODE_SCALAR, &config->messages))
        return;
    size_t choice = node_word(key->value->text, color_choice_names, 3);
    config->color_given = choice < 3;
    if (config->color_given)
        config->color = (enum color_choice)choice;
    else
        node_unknown(document, key->value, "value of 'color' (auto, always or never)", color_choice_names, 3,
                     &config->messages);
}

/* A section of lines. Nothing at all is a section whose lines are all comments. */
static void read_lines(struct config *config, const struct document *document, const struct node *key,
                       void read(struct config *, const struct document *, const struct node *))
{
    if (key->value->kind == NODE_NOTHING || !node_expect(document, key, NODE_MAP, &config->messages))
        return;
    for (const struct node *line = key->value->first; line != NULL; line = line->next)
        read(config, document, line);
}

static void read_section(struct config *config, const struct document *document, const struct node *key)
{
    switch (node_word(key->text, section_names, SECTIONS)) {
    case OPTIONS:
        read_lines(config, document, key, read_option);
        break;
    case COLUMNS:
        read_lines(config, document, key, read_columns);
        break;
    case KEYS:
        read_lines(config, document, key, read_keys);
        break;
    case THEME:
        if (node_expect(document, key, NODE_SCALAR, &config->messages))
            config->theme = word_of(key->value);
        break;
    case COLOR:
        read_color(config, document, key);
        break;
    case MOUSE:
        config->mouse = read_switch(config, document, key);
        break;
    case ASCII:
        config->ascii = read_switch(config, document, key);
        break;
    default:
        node_unknown(document, key, "section", section_names, SECTIONS, &config->messages);
    }
}

static void read_document(struct config *config, const struct document *document)
{
    const struct node *root = document->root;
    if (root->kind != NODE_MAP && root->kind != NODE_NOTHING)
        messages_add(&config->messages, document->path, root->place,
                     "a configuration begins with a section, as 'options:'");
    for (const struct node *key = root->kind == NODE_MAP ? root->first : NULL; key != NULL; key = key->next)
        read_section(config, document, key);
}

/* -- The doors ----------------------------------------------------------------------------------------------------- */

void config_parse(struct config *config, const char *path, struct span bytes)
{
    struct document document;
    *config = (struct config){.path = memory_copy_text(path, strlen(path)), .exists = true};
    document_parse(&document, path, bytes, &config->messages);
    read_document(config, &document);
    document_free(&document);
}

void config_load(struct config *config, const char *path)
{
    struct text found = {0};
    *config = (struct config){0};
    if (path != NULL)
        text_add_string(&found, path);
    else if (!config_add_path(&found))
        return;
    const char *named = getenv("KEYAVG_CONFIG");
    bool must_be_there = path != NULL || (named != NULL && *named != '\0');
    bool missing = false;
    struct document document;
    document_read(&document, found.bytes, &missing, &config->messages);
    config->path = memory_copy_text(found.bytes, found.length);
    config->exists = !missing;
    if (missing && must_be_there)
        messages_add(&config->messages, found.bytes, (struct place){0}, "there is no such file");
    read_document(config, &document);
    document_free(&document);
    text_free(&found);
}

void config_free(struct config *config)
{
    for (size_t i = 0; i < config->options.count; i++) {
        free(config->options.items[i].name.text);
        free(config->options.items[i].value.text);
    }
    array_free(&config->options);
    for (size_t i = 0; i < config->columns.count; i++) {
        free(config->columns.items[i].view.text);
        words_free(&config->columns.items[i].names);
    }
    array_free(&config->columns);
    keymap_free(&config->keys);
    free(config->theme.text);
    free(config->path);
    messages_free(&config->messages);
    *config = (struct config){0};
}

void config_error(struct config *config, const struct word *word, const char *format, ...)
{
    char what[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    messages_add(&config->messages, config->path, word->place, "%s", what);
}

void config_unknown(struct config *config, const struct word *word, const char *kind, const char *nearest)
{
    messages_add_unknown(&config->messages, config->path, word->place, kind, span_of(word->text), nearest);
}
