/* The man pages. */
#include <config.h>

#include "manual.h"

/* Text as troff takes it: nothing in it is a request, and hyphens stay hyphens when copied. What stands in `...` is
 * bold. */
static void add_escaped(struct text *out, struct span text)
{
    bool bold = false;
    for (size_t i = 0; i < text.length; i++) {
        char c = text.bytes[i];
        bool starts = out->length == 0 || out->bytes[out->length - 1] == '\n';
        if (starts && (c == '.' || c == '\''))
            text_add_string(out, "\\&");
        switch (c) {
        case '\\': text_add_string(out, "\\e"); break;
        case '-': text_add_string(out, "\\-"); break;
        case '\'': text_add_string(out, "\\(aq"); break;
        case '^': text_add_string(out, "\\(ha"); break;
        case '~': text_add_string(out, "\\(ti"); break;
        case '`':
            bold = !bold;
            text_add_string(out, bold ? "\\fB" : "\\fP");
            break;
        default: text_add_char(out, c);
        }
        /* Long lists without spaces may be broken behind these. */
        if (strchr(",=|", c) != NULL && i + 1 < text.length && text.bytes[i + 1] != ' ')
            text_add_string(out, "\\:");
    }
}

static void add_text(struct text *out, const char *text)
{
    add_escaped(out, span_of(text));
}

static void add_section(struct text *out, const char *title)
{
    text_addf(out, ".SH %s\n", title);
}

static void add_subsection(struct text *out, const char *title)
{
    text_add_string(out, ".SS ");
    add_text(out, title);
    text_add_char(out, '\n');
}

static void add_paragraph(struct text *out, const char *text)
{
    text_add_string(out, ".PP\n");
    add_text(out, text);
    text_add_char(out, '\n');
}

/* Begins `word` in bold with its meaning to follow. */
static void start_entry(struct text *out, const char *word)
{
    text_add_string(out, ".TP\n.B \"");
    for (const char *at = word; *at != 0; at++) {
        if (*at == '"')
            text_add_string(out, "\\(dq");
        else if (*at == '`')
            text_add_string(out, "\\(ga");
        else
            add_escaped(out, (struct span){at, 1});
    }
    text_add_string(out, "\"\n");
}

static void add_entry(struct text *out, const char *word, const char *meaning)
{
    start_entry(out, word);
    add_text(out, meaning);
    text_add_char(out, '\n');
}

/* The same with a meaning that is a part of a sentence. */
static void add_sentence(struct text *out, const char *word, const char *meaning)
{
    struct text sentence = {0};
    words_add_sentence(meaning, &sentence);
    add_entry(out, word, sentence.bytes);
    text_free(&sentence);
}

static void add_entries(struct text *out, const struct entry *entries)
{
    for (; entries->word != NULL; entries++)
        add_entry(out, entries->word, entries->meaning);
}

/* Lines as they are. */
static void start_lines(struct text *out)
{
    text_add_string(out, ".nf\n.RS 4\n");
}

static void end_lines(struct text *out)
{
    text_add_string(out, ".RE\n.fi\n");
}

static void add_title(struct text *out, const char *section, const char *kind)
{
    text_addf(out,
              ".\\\" Made from the program's tables by tools/manual; changes belong there.\n"
              ".TH keyavg %s \"\" \"%s %s\" \"%s\"\n"
              ".ad l\n.nh\n", /* names are to be read and copied */
              section, PACKAGE_NAME, PACKAGE_VERSION, kind);
}

/* -- keyavg(1) ---------------------------------------------------------------------------------------------------- */

static void add_option(struct text *out, const struct option_entry *entry)
{
    text_add_string(out, ".TP\n");
    if (entry->letter != 0)
        text_addf(out, "\\fB\\-%c\\fP, ", entry->letter);
    text_add_string(out, "\\fB\\-\\-");
    add_text(out, entry->name);
    text_add_string(out, "\\fP");
    if (entry->argument != NULL) {
        text_add_string(out, " \\fI");
        add_text(out, entry->argument);
        text_add_string(out, "\\fP");
    }
    text_add_char(out, '\n');
    struct text help = {0};
    words_add_sentence(entry->help, &help);
    add_text(out, help.bytes);
    text_add_char(out, '\n');
    text_free(&help);
}

static void add_columns(struct text *out)
{
    struct text words = {0};
    for (unsigned i = 0; i < column_count + drill_column_count; i++) {
        const struct column *column = i < column_count ? &columns[i] : &drill_columns[i - column_count];
        const char *unit = column_unit_name(column);
        text_clear(&words);
        column_add_title(column, NULL, &words);
        text_addf(&words, " (%s). %s ", unit[0] != 0 ? unit : "text", column->help);
        words_add_need(column, &words);
        drill_column_add_views(column, &words);
        add_entry(out, column->name, words.bytes);
    }
    text_free(&words);
}

static void add_keys(struct text *out)
{
    for (int group = 0; group < ACTION_GROUPS; group++) {
        add_subsection(out, action_group_names[group]);
        for (unsigned i = 0; i < action_count; i++)
            if (actions[i].group == group && actions[i].keys[0] != 0)
                add_entry(out, actions[i].keys, actions[i].help);
    }
}

void man_add_program(struct text *out)
{
    add_title(out, "1", "User Commands");
    add_section(out, "NAME");
    text_add_string(out, "keyavg \\- averages of operators and kernels in PyTorch profiler traces\n");
    add_section(out, "SYNOPSIS");
    for (int i = 0; help_usages[i].files != NULL; i++) {
        text_addf(out, "%s.B keyavg\n[\\fIOPTION\\fP]... \\fI", i == 0 ? "" : ".br\n");
        add_text(out, help_usages[i].files);
        text_add_string(out, "\\fP\n");
    }
    add_section(out, "DESCRIPTION");
    add_text(out, help_summary);
    text_add_char(out, '\n');
    for (int i = 0; help_usages[i].files != NULL; i++)
        add_sentence(out, help_usages[i].files, help_usages[i].meaning);
    add_paragraph(out, "What is printed depends on the command line alone; the configuration is for the explorer.");
    add_section(out, "OPTIONS");
    for (int group = 0; group < OPTIONS_GROUP_COUNT; group++) {
        add_subsection(out, option_group_titles[group]);
        for (unsigned i = 0; i < option_entry_count; i++)
            if (option_entries[i].group == group)
                add_option(out, &option_entries[i]);
    }
    add_section(out, "FORMATS");
    for (unsigned i = 0; i < writer_count; i++)
        add_sentence(out, writers[i].name, writers[i].help);
    add_section(out, "GROUPINGS");
    for (int i = 0; i < GROUPING_PARTS; i++)
        add_sentence(out, grouping_parts[i].name, grouping_parts[i].help);
    add_section(out, "KEYS");
    text_add_string(out, "The keys that come with the program, by what they do. ");
    add_text(out, "`?` lists those of the view you are in, `:` takes any action by its name.\n");
    add_keys(out);
    add_section(out, "COLUMNS");
    add_text(out, "What `--columns`, `--sort-by` and filters can name, with their titles and units.\n");
    add_columns(out);
    add_section(out, "EXIT STATUS");
    for (const struct exit_status *status = exit_statuses; status->code != NULL; status++)
        add_sentence(out, status->code, status->meaning);
    add_section(out, "ENVIRONMENT");
    add_entries(out, environment_entries);
    add_section(out, "FILES");
    add_entries(out, file_entries);
    add_section(out, "EXAMPLES");
    start_lines(out);
    for (int i = 0; help_examples[i] != NULL; i++) {
        add_text(out, help_examples[i]);
        text_add_char(out, '\n');
    }
    end_lines(out);
    add_section(out, "SEE ALSO");
    text_add_string(out, ".BR keyavg (5)\n");
}

/* -- keyavg(5) ---------------------------------------------------------------------------------------------------- */

static void add_settings(struct text *out)
{
    struct text help = {0};
    for (unsigned i = 0; i < setting_count; i++) {
        text_clear(&help);
        text_add_string(&help, settings[i].help);
        text_add_string(&help, settings[i].values != NULL ? " One of " : "");
        for (const char *at = settings[i].values; at != NULL && *at != 0; at++) {
            if (*at == ' ')
                text_add_string(&help, ", ");
            else
                text_add_char(&help, *at);
        }
        text_add_string(&help, settings[i].values != NULL ? "." : "");
        add_entry(out, settings[i].name, help.bytes);
    }
    text_free(&help);
}

static void add_action(struct text *out, const struct action *action)
{
    struct text help = {0};
    text_addf(&help, "%s Works in: ", action->help);
    words_add_contexts(action, &help);
    text_add_char(&help, '.');
    if (action->keys[0] != 0)
        text_addf(&help, " By default `%s`.", action->keys);
    add_entry(out, action->name, help.bytes);
    text_free(&help);
}

static void add_configuration(struct text *out)
{
    add_section(out, "CONFIGURATION");
    add_text(out, "A file in YAML, `$XDG_CONFIG_HOME/keyavg/config.yaml`, by default in `~/.config`, or the file that "
                  "KEYAVG_CONFIG or `--config` names. `keyavg --print-config` prints one with all its words and what "
                  "they mean. What is wrong in it is told with line and column, and the rest holds. The explorer "
                  "writes it when you say `:save`, and then as a whole; the file before stays beside it with `~` at "
                  "the end of its name.\n");
    add_paragraph(out, "For example:");
    text_add_string(out, ".PP\n");
    start_lines(out);
    add_text(out, "theme: light\n"
                  "options:\n"
                  "  group-by: name,shape\n"
                  "  time-unit: us\n"
                  "columns:\n"
                  "  table: [key, self_device_time_total, count, p90]\n"
                  "keys:\n"
                  "  table:\n"
                  "    shapes: 'S <F5>'\n");
    end_lines(out);
    add_subsection(out, "theme, color, mouse, ascii");
    struct text themes = {0};
    text_add_string(&themes, "A theme's name (built in are");
    for (unsigned i = 0; i < theme_source_count; i++)
        text_addf(&themes, "%s `%s`", i == 0 ? "" : ",", theme_sources[i].name);
    text_addf(&themes, "); `%s`, `%s` or `%s`; whether clicks are for keyavg; whether to draw with ASCII alone.",
              color_choice_names[0], color_choice_names[1], color_choice_names[2]);
    add_text(out, themes.bytes);
    text_add_char(out, '\n');
    text_free(&themes);
    add_subsection(out, "options");
    add_text(out, "Their values when the explorer starts. The command line wins. `:set NAME VALUE` changes one while it "
                  "runs. Some have a place of their own outside of this section: `columns`, `theme`, `mouse`.\n");
    add_settings(out);
    add_subsection(out, "columns");
    add_text(out, "The columns of a view in their order, below the view's name. Their names are in keyavg(1).\n");
    add_subsection(out, "keys");
    add_text(out, "An action and its keys with spaces between them, or a list of keys. They take the place of those that "
                  "it had; `''` leaves it without any.\n");
    add_paragraph(out, "Keys are written so:");
    add_entries(out, key_name_entries);
    add_paragraph(out, "The actions, which also the `:` prompt takes:");
    for (unsigned i = 0; i < action_count; i++)
        add_action(out, &actions[i]);
}

static void add_themes(struct text *out)
{
    add_section(out, "THEMES");
    add_text(out, "A theme is a file in YAML, `$XDG_CONFIG_HOME/keyavg/themes/NAME.yaml`. It says how each role of the "
                  "screen looks. Copies of the built-in ones, to start from, are installed with the documentation.\n");
    add_entries(out, theme_entries);
    add_paragraph(out, "The roles:");
    for (unsigned i = 0; i < ROLE_COUNT; i++)
        add_sentence(out, roles[i].name, roles[i].meaning);
}

static void add_filter(struct text *out)
{
    add_section(out, "FILTER LANGUAGE");
    add_text(out, "What `--filter` and the `\\` key take: terms with spaces between them, which must all hold. Terms on calls "
                  "choose calls before they are grouped, terms on columns choose rows afterwards. A filter never changes "
                  "a call's own figures: tree, self times and links come from the whole file.\n");
    struct text meaning = {0};
    for (const struct filter_form *form = filter_forms; form->form != NULL; form++) {
        text_clear(&meaning);
        text_addf(&meaning, "%s For example `%s`.", form->meaning, form->example);
        add_entry(out, form->form, meaning.bytes);
    }
    text_free(&meaning);
    add_paragraph(out, "Values are written so:");
    add_entries(out, filter_value_entries);
}

void man_add_formats(struct text *out)
{
    add_title(out, "5", "File Formats");
    add_section(out, "NAME");
    text_add_string(out, "keyavg \\- configuration, themes and filter language of keyavg\n");
    add_configuration(out);
    add_themes(out);
    add_filter(out);
    add_section(out, "FILES");
    add_entries(out, file_entries);
    add_section(out, "SEE ALSO");
    text_add_string(out, ".BR keyavg (1)\n");
}
