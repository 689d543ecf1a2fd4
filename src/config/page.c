/* The configuration as text: for --print-config and for saving. */
#include "keyavg/config.h"
#include "keyavg/utf8.h"
#include "theme_data.h"

enum { COMMENT_WIDTH = 100 };

/* A page being written. */
struct writing {
    struct text *out;
    bool only_changed;
};

/* Appends sentences as comment lines, wrapped. */
static void add_comment(struct text *out, size_t indent, const char *sentences)
{
    size_t column = 0;
    for (const char *word = sentences; *word != '\0';) {
        size_t length = strcspn(word, " \n"), width = utf8_width((struct span){word, length});
        if (column != 0 && column + 1 + width > COMMENT_WIDTH) {
            text_add_char(out, '\n');
            column = 0;
        }
        if (column == 0) {
            text_add_repeat(out, ' ', indent);
            text_add_char(out, '#');
            column = indent + 1;
        }
        text_add_char(out, ' ');
        text_add(out, word, length);
        column += 1 + width;
        word += length;
        word += strspn(word, " ");
        if (*word == '\n') {
            text_add_char(out, '\n');
            column = 0;
            word++;
        }
    }
    if (column != 0)
        text_add_char(out, '\n');
}

/* Whether YAML takes a word for itself without quotes, wherever it stands. */
static bool is_plain_word(const char *word)
{
    static const char inside[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-";
    return *word != '\0' && strchr("_./-", *word) == NULL && word[strspn(word, inside)] == '\0' &&
           strcmp(word, "null") != 0;
}

static bool has_control(const char *value)
{
    for (; *value != '\0'; value++)
        if ((unsigned char)*value < 0x20 || *value == 0x7F)
            return true;
    return false;
}

static void add_value(struct text *out, const char *value)
{
    if (is_plain_word(value)) {
        text_add_string(out, value);
        return;
    }
    bool escaped = has_control(value);
    const char quote = escaped ? '"' : '\'';
    struct text clean = {0};
    if (utf8_valid(span_of(value)))
        text_add_string(&clean, value);
    else
        utf8_add_clean(&clean, span_of(value), false);
    text_add_char(out, quote);
    for (size_t i = 0; i < clean.length; i++) {
        char c = clean.bytes[i];
        if ((unsigned char)c < 0x20 || c == 0x7F) {
            text_addf(out, "\\x%02X", (unsigned)(unsigned char)c);
            continue;
        }
        if (escaped && (c == '"' || c == '\\'))
            text_add_char(out, '\\');
        if (!escaped && c == '\'')
            text_add_char(out, '\'');
        text_add_char(out, c);
    }
    text_add_char(out, quote);
    text_free(&clean);
}

/* Begins a line: as a comment where it does not hold. */
static void add_start(const struct writing *writing, size_t indent, bool changed)
{
    text_add_repeat(writing->out, ' ', indent);
    if (writing->only_changed && !changed)
        text_add_string(writing->out, "# ");
}

static void add_line(const struct writing *writing, size_t indent, const struct config_line *line)
{
    if (line->help != NULL)
        add_comment(writing->out, indent, line->help);
    if (line->value == NULL) {
        text_add_repeat(writing->out, ' ', indent);
        text_add_string(writing->out, "# ");
    } else {
        add_start(writing, indent, line->changed);
    }
    add_value(writing->out, line->name);
    text_add_string(writing->out, ": ");
    add_value(writing->out, line->value != NULL ? line->value : "");
    text_add_char(writing->out, '\n');
}

static void add_top(const struct writing *writing, const struct config_page *page)
{
    struct text *out = writing->out;
    struct text themes = {0};
    text_add_string(&themes, "The theme, one of");
    for (unsigned i = 0; i < theme_source_count; i++)
        text_addf(&themes, "%s %s", i == 0 ? "" : ",", theme_sources[i].name);
    text_add_string(&themes, ", or a file of yours in ~/.config/keyavg/themes. Left out, it is dark, light "
                             "where COLORFGBG tells of a light background, mono where NO_COLOR is set.");
    add_comment(out, 0, themes.bytes);
    text_free(&themes);
    if (page->theme != NULL)
        add_start(writing, 0, page->theme_changed);
    text_add_string(out, page->theme != NULL ? "theme: " : "# theme: ");
    add_value(out, page->theme != NULL ? page->theme : theme_sources[0].name);
    text_add_string(out, "\n\n");
    add_comment(out, 0, "Colours: auto (as NO_COLOR and the terminal say), always, never.");
    add_start(writing, 0, page->color_changed);
    text_addf(out, "color: %s\n\n", color_choice_names[page->color]);
    add_comment(out, 0, "Whether clicks and the wheel are for keyavg; with the shift key the terminal still selects "
                        "text.");
    add_start(writing, 0, page->mouse_changed);
    text_addf(out, "mouse: %s\n\n", page->mouse ? "true" : "false");
    add_comment(out, 0, "Draw with ASCII alone, also where the locale has UTF-8.");
    add_start(writing, 0, page->ascii_changed);
    text_addf(out, "ascii: %s\n\n", page->ascii ? "true" : "false");
}

static void add_options(const struct writing *writing, const struct config_page *page)
{
    add_comment(writing->out, 0, "Options of the command line by their long names. The command line itself wins.");
    text_add_string(writing->out, "options:\n");
    for (size_t i = 0; i < page->option_count; i++)
        add_line(writing, 2, &page->options[i]);
    text_add_char(writing->out, '\n');
}

static void add_columns(const struct writing *writing, const struct config_page *page)
{
    struct text *out = writing->out;
    add_comment(out, 0, "The columns of each view, in their order. There are:");
    for (size_t i = 0; i < page->known_column_count; i++) {
        const struct config_line *column = &page->known_columns[i];
        text_addf(out, "#   %-32s %s\n", column->name, column->help != NULL ? column->help : "");
    }
    text_add_string(out, "columns:\n");
    for (size_t i = 0; i < page->column_count; i++) {
        const struct config_list *list = &page->columns[i];
        add_start(writing, 2, list->changed);
        add_value(out, list->view);
        text_add_string(out, ": [");
        for (size_t j = 0; j < list->count; j++) {
            text_add_string(out, j == 0 ? "" : ", ");
            add_value(out, list->names[j]);
        }
        text_add_string(out, "]\n");
    }
    text_add_char(out, '\n');
}

/* Whether any of the lines from `first` on that share its section holds. */
static bool section_holds(const struct writing *writing, const struct config_page *page, size_t first)
{
    const char *section = page->actions[first].section;
    for (size_t i = first; i < page->action_count; i++) {
        const struct config_line *line = &page->actions[i];
        if (line->section == NULL || strcmp(line->section, section) != 0)
            break;
        if (line->value != NULL && (line->changed || !writing->only_changed))
            return true;
    }
    return false;
}

static void add_keys(const struct writing *writing, const struct config_page *page)
{
    struct text *out = writing->out;
    add_comment(out, 0, "Keys: an action and its keys with spaces between them, or a list of them. They take the place "
                        "of the default ones; '' leaves the action without a key.");
    text_add_string(out, "keys:\n");
    const char *section = NULL;
    for (size_t i = 0; i < page->action_count; i++) {
        const struct config_line *line = &page->actions[i];
        if (line->section != NULL && (section == NULL || strcmp(section, line->section) != 0)) {
            /* A name with nothing below it would be an action without keys. */
            text_add_string(out, section_holds(writing, page, i) ? "  " : "  # ");
            add_value(out, line->section);
            text_add_string(out, ":\n");
        }
        add_line(writing, line->section != NULL ? 4 : 2, line);
        section = line->section;
    }
}

void config_add_page(struct text *out, const struct config_page *page, bool only_changed)
{
    struct writing writing = {out, only_changed};
    add_comment(out, 0, "The configuration of keyavg: $XDG_CONFIG_HOME/keyavg/config.yaml, by default "
                        "~/.config/keyavg/config.yaml, or the file that KEYAVG_CONFIG names. It is YAML; words with "
                        "other characters than letters, digits, - and _ stand in quotes.");
    add_comment(out, 0, "keyavg writes it only when asked to, by :save, and then as a whole: comments of your own are "
                        "not kept, but the old file stays as config.yaml~.");
    if (only_changed)
        add_comment(out, 0, "Lines with default values are comments.");
    text_add_char(out, '\n');
    add_top(&writing, page);
    add_options(&writing, page);
    add_columns(&writing, page);
    add_keys(&writing, page);
}

void config_print_default(struct text *out, const struct config_page *page)
{
    config_add_page(out, page, false);
    text_add_char(out, '\n');
    add_comment(out, 0, "Themes, in files of their own, give these roles their looks:");
    for (unsigned i = 0; i < ROLE_COUNT; i++)
        text_addf(out, "#   %-32s %s\n", roles[i].name, roles[i].meaning);
}
