/* Tables for docs/. */
#include "manual.h"

/* Text in a cell of a table; outside of `code` what Markdown would take for HTML is escaped. */
static void add_cell(struct text *out, const char *text)
{
    bool code = false;
    for (const char *at = text; *at != 0; at++) {
        code ^= *at == '`';
        if (*at == '|')
            text_add_string(out, "\\|");
        else if (*at == '<' && !code)
            text_add_string(out, "&lt;");
        else if (*at == '*' && !code)
            text_add_string(out, "\\*");
        else
            text_add_char(out, *at);
    }
}

/* A part of a sentence. */
static void add_sentence(struct text *out, const char *part)
{
    struct text sentence = {0};
    words_add_sentence(part, &sentence);
    add_cell(out, sentence.bytes);
    text_free(&sentence);
}

/* A word as code. One with a backtick in it is put between two. */
static void add_code(struct text *out, const char *word)
{
    const char *mark = strchr(word, '`') != NULL ? "``" : "`";
    text_add_string(out, mark);
    for (const char *at = word; *at != 0; at++)
        text_addf(out, "%s%c", *at == '|' ? "\\" : "", *at);
    text_add_string(out, mark);
}

/* Words with spaces between them, each as code. */
static void add_codes(struct text *out, const char *words)
{
    struct text word = {0};
    for (const char *at = words; *at != 0;) {
        size_t length = strcspn(at, " ");
        text_clear(&word);
        text_add(&word, at, length);
        add_code(out, word.bytes);
        at += length;
        if (*at != 0)
            text_add_char(out, ' ');
        at += strspn(at, " ");
    }
    text_free(&word);
}

static void add_entries(struct text *out, const char *title, const struct entry *entries)
{
    text_addf(out, "| %s | |\n|---|---|\n", title);
    for (; entries->word != NULL; entries++) {
        text_add_string(out, "| ");
        add_code(out, entries->word);
        text_add_string(out, " | ");
        add_cell(out, entries->meaning);
        text_add_string(out, " |\n");
    }
}

void markdown_add_columns(struct text *out)
{
    struct text title = {0}, need = {0};
    text_add_string(out, "| column | title | unit | what it says |\n|---|---|---|---|\n");
    for (unsigned i = 0; i < column_count + drill_column_count; i++) {
        const struct column *column = i < column_count ? &columns[i] : &drill_columns[i - column_count];
        const char *unit = column_unit_name(column);
        text_clear(&title);
        text_clear(&need);
        column_add_title(column, NULL, &title);
        words_add_need(column, &need);
        drill_column_add_views(column, &need);
        text_addf(out, "| `%s` | ", column->name);
        add_cell(out, title.bytes);
        text_addf(out, " | %s | ", unit[0] != 0 ? unit : "text");
        add_cell(out, column->help);
        if (need.length > 0) {
            text_add_string(out, *need.bytes == ' ' ? "" : " ");
            add_cell(out, need.bytes);
        }
        text_add_string(out, " |\n");
    }
    text_free(&title);
    text_free(&need);
}

void markdown_add_formulas(struct text *out)
{
    struct text title = {0};
    text_add_string(out, "| column | title | is |\n|---|---|---|\n");
    for (unsigned i = 0; i < column_count; i++) {
        if (columns[i].formula == NULL)
            continue;
        text_clear(&title);
        column_add_title(&columns[i], NULL, &title);
        text_addf(out, "| `%s` | ", columns[i].name);
        add_cell(out, title.bytes);
        text_add_string(out, " | ");
        add_cell(out, columns[i].formula);
        text_add_string(out, " |\n");
    }
    text_free(&title);
}

void markdown_add_actions(struct text *out)
{
    struct text contexts = {0};
    for (int group = 0; group < ACTION_GROUPS; group++) {
        text_addf(out, "%s### %s\n\n| keys | action | works in | |\n|---|---|---|---|\n", group == 0 ? "" : "\n",
                  action_group_names[group]);
        for (unsigned i = 0; i < action_count; i++) {
            if (actions[i].group != group)
                continue;
            text_add_string(out, "| ");
            add_codes(out, actions[i].keys);
            text_clear(&contexts);
            words_add_contexts(&actions[i], &contexts);
            text_addf(out, " | `%s` | %s | ", actions[i].name, contexts.bytes);
            add_cell(out, actions[i].help);
            text_add_string(out, " |\n");
        }
    }
    text_free(&contexts);
}

void markdown_add_key_names(struct text *out)
{
    add_entries(out, "keys", key_name_entries);
}

void markdown_add_roles(struct text *out)
{
    static const struct {
        unsigned bit;
        const char *name;
    } attributes[] = {{STYLE_BOLD, "bold"}, {STYLE_DIM, "dim"}, {STYLE_REVERSE, "reverse"},
                      {STYLE_UNDERLINE, "underline"}, {STYLE_ITALIC, "italic"}};
    text_add_string(out, "| role | what it is | without colours | letter |\n|---|---|---|---|\n");
    for (unsigned i = 0; i < ROLE_COUNT; i++) {
        char letter[2] = {roles[i].letter, 0};
        text_addf(out, "| `%s` | ", roles[i].name);
        add_sentence(out, roles[i].meaning);
        text_add_string(out, " |");
        for (size_t j = 0; j < sizeof attributes / sizeof *attributes; j++)
            if (roles[i].attributes & attributes[j].bit)
                text_addf(out, " %s", attributes[j].name);
        text_add_string(out, " | ");
        add_code(out, letter);
        text_add_string(out, " |\n");
    }
}

void markdown_add_theme_words(struct text *out)
{
    add_entries(out, "word", theme_entries);
}

/* What a line of YAML says behind `description: `, NULL for other lines. */
static const char *description_in(const char *line)
{
    static const char start[] = "description: ";
    return strncmp(line, start, sizeof start - 1) == 0 ? line + sizeof start - 1 : NULL;
}

void markdown_add_themes(struct text *out)
{
    text_add_string(out, "| theme | |\n|---|---|\n");
    for (unsigned i = 0; i < theme_source_count; i++) {
        text_addf(out, "| `%s` | ", theme_sources[i].name);
        for (size_t j = 0; theme_sources[i].lines[j] != NULL; j++) {
            const char *description = description_in(theme_sources[i].lines[j]);
            if (description != NULL)
                text_addf(out, "%.*s", (int)strcspn(description, "\n"), description);
        }
        text_add_string(out, " |\n");
    }
}

void markdown_add_filter(struct text *out)
{
    text_add_string(out, "| form | for example | what passes |\n|---|---|---|\n");
    for (const struct filter_form *form = filter_forms; form->form != NULL; form++) {
        text_add_string(out, "| ");
        add_code(out, form->form);
        text_add_string(out, " | ");
        add_code(out, form->example);
        text_add_string(out, " | ");
        add_cell(out, form->meaning);
        text_add_string(out, " |\n");
    }
}

void markdown_add_filter_values(struct text *out)
{
    text_add_string(out, "| values | |\n|---|---|\n");
    for (const struct entry *entry = filter_value_entries; entry->word != NULL; entry++) {
        text_addf(out, "| %s | ", entry->word);
        add_cell(out, entry->meaning);
        text_add_string(out, " |\n");
    }
}

void markdown_add_groupings(struct text *out)
{
    text_add_string(out, "| part | rows are told apart by | column |\n|---|---|---|\n");
    for (int i = 0; i < GROUPING_PARTS; i++) {
        text_addf(out, "| `%s` | ", grouping_parts[i].name);
        add_sentence(out, grouping_parts[i].help);
        text_addf(out, " | `%s` |\n", grouping_parts[i].column);
    }
}

void markdown_add_settings(struct text *out)
{
    text_add_string(out, "| name | values | |\n|---|---|---|\n");
    for (unsigned i = 0; i < setting_count; i++) {
        text_addf(out, "| `%s` | ", settings[i].name);
        if (settings[i].values != NULL)
            add_codes(out, settings[i].values);
        text_add_string(out, " | ");
        add_cell(out, settings[i].help);
        text_add_string(out, " |\n");
    }
}

void markdown_add_options(struct text *out)
{
    for (int group = 0; group < OPTIONS_GROUP_COUNT; group++) {
        text_addf(out, "%s### %s\n\n| option | |\n|---|---|\n", group == 0 ? "" : "\n", option_group_titles[group]);
        for (unsigned i = 0; i < option_entry_count; i++) {
            const struct option_entry *entry = &option_entries[i];
            struct text words = {0};
            if (entry->group != group)
                continue;
            if (entry->letter != 0)
                text_addf(&words, "-%c, ", entry->letter);
            text_addf(&words, "--%s%s%s", entry->name, entry->argument != NULL ? " " : "",
                      entry->argument != NULL ? entry->argument : "");
            text_add_string(out, "| ");
            add_code(out, words.bytes);
            text_add_string(out, " | ");
            add_sentence(out, entry->help);
            text_add_string(out, " |\n");
            text_free(&words);
        }
    }
}

void markdown_add_formats(struct text *out)
{
    text_add_string(out, "| format | endings | |\n|---|---|---|\n");
    for (unsigned i = 0; i < writer_count; i++) {
        text_addf(out, "| `%s` | ", writers[i].name);
        add_codes(out, writers[i].suffixes);
        text_add_string(out, " | ");
        add_sentence(out, writers[i].help);
        text_add_string(out, " |\n");
    }
}
