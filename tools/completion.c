/* Completions for bash, zsh and fish. */
#include "manual.h"

/* Adds the words that an option's argument is chosen from, each after `before` and followed by `after`. */
static void add_names(struct text *out, enum argument_kind kind, const char *before, const char *after)
{
    switch (kind) {
    case ARGUMENT_COLUMN:
    case ARGUMENT_COLUMNS:
        for (unsigned i = 0; i < column_count; i++)
            text_addf(out, "%s%s%s", before, columns[i].name, after);
        for (unsigned i = 0; i < drill_column_count; i++)
            text_addf(out, "%s%s%s", before, drill_columns[i].name, after);
        break;
    case ARGUMENT_FORMAT:
        for (unsigned i = 0; i < writer_count; i++)
            text_addf(out, "%s%s%s", before, writers[i].name, after);
        break;
    case ARGUMENT_GROUPING:
        for (int i = 0; i < GROUPING_PARTS; i++)
            text_addf(out, "%s%s%s", before, grouping_parts[i].name, after);
        break;
    case ARGUMENT_THEME:
        for (unsigned i = 0; i < theme_source_count; i++)
            text_addf(out, "%s%s%s", before, theme_sources[i].name, after);
        break;
    default: break;
    }
}

/* `auto|always|never` as words. */
static void add_choices(struct text *out, const char *choices)
{
    for (const char *at = choices; *at != 0; at++)
        text_add_char(out, *at == '|' ? ' ' : *at);
}

static bool is_list(enum argument_kind kind)
{
    return kind == ARGUMENT_COLUMNS || kind == ARGUMENT_GROUPING;
}

/* -- bash --------------------------------------------------------------------------------------------------------- */

static void add_bash_case(struct text *out, const struct option_entry *entry)
{
    text_addf(out, "    --%s", entry->name);
    if (entry->letter != 0)
        text_addf(out, " | -%c", entry->letter);
    text_add_string(out, ")");
    switch ((enum argument_kind)entry->kind) {
    case ARGUMENT_CHOICE:
        text_add_string(out, " words='");
        add_choices(out, entry->argument);
        text_add_string(out, "' ;;\n");
        break;
    case ARGUMENT_COLUMN:
    case ARGUMENT_FORMAT: text_addf(out, " words=$%s ;;\n", entry->kind == ARGUMENT_FORMAT ? "formats" : "columns"); break;
    case ARGUMENT_COLUMNS: text_add_string(out, " words=$columns list=yes ;;\n"); break;
    case ARGUMENT_GROUPING: text_add_string(out, " words=$parts list=yes ;;\n"); break;
    case ARGUMENT_THEME:
        text_add_string(out, "\n        words=$themes\n"
                             "        for file in \"${XDG_CONFIG_HOME:-$HOME/.config}\"/keyavg/themes/*.yaml; do\n"
                             "            [[ -e $file ]] && file=${file##*/} && words+=\" ${file%.yaml}\"\n"
                             "        done\n"
                             "        ;;\n");
        break;
    case ARGUMENT_FILE: text_add_string(out, " files=yes ;;\n"); break;
    default: text_add_string(out, " return ;;\n"); break;
    }
}

static void add_bash_names(struct text *out, const char *variable, enum argument_kind kind)
{
    text_addf(out, "    %s='", variable);
    add_names(out, kind, "", " ");
    out->length--;
    text_add_string(out, "'\n");
}

void completion_add_bash(struct text *out)
{
    text_add_string(out, "# bash completion for keyavg; made from its tables.\n"
                         "_keyavg()\n"
                         "{\n"
                         "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}\n"
                         "    local words='' list='' files='' before='' file columns formats parts themes\n");
    add_bash_names(out, "columns", ARGUMENT_COLUMN);
    add_bash_names(out, "formats", ARGUMENT_FORMAT);
    add_bash_names(out, "parts", ARGUMENT_GROUPING);
    add_bash_names(out, "themes", ARGUMENT_THEME);
    text_add_string(out, "    # `--format=csv` comes as three words.\n"
                         "    if [[ $cur == = ]]; then\n"
                         "        cur=''\n"
                         "    elif [[ $prev == = ]] && ((COMP_CWORD > 1)); then\n"
                         "        prev=${COMP_WORDS[COMP_CWORD - 2]}\n"
                         "    fi\n"
                         "    COMPREPLY=()\n"
                         "    case $prev in\n");
    for (unsigned i = 0; i < option_entry_count; i++)
        if (option_entries[i].kind != ARGUMENT_NONE)
            add_bash_case(out, &option_entries[i]);
    text_add_string(out, "    *)\n"
                         "        if [[ $cur == -* ]]; then\n"
                         "            words='");
    for (unsigned i = 0; i < option_entry_count; i++)
        text_addf(out, "%s--%s", i == 0 ? "" : " ", option_entries[i].name);
    text_add_string(out, "'\n"
                         "        else\n"
                         "            files=yes\n"
                         "        fi\n"
                         "        ;;\n"
                         "    esac\n"
                         "    if [[ $files ]]; then\n"
                         "        compopt -o filenames 2>/dev/null\n"
                         "        mapfile -t COMPREPLY < <(compgen -f -- \"$cur\")\n"
                         "        return\n"
                         "    fi\n"
                         "    if [[ $list && $cur == *,* ]]; then\n"
                         "        before=${cur%,*},\n"
                         "        cur=${cur##*,}\n"
                         "    fi\n"
                         "    [[ $list ]] && compopt -o nospace 2>/dev/null\n"
                         "    mapfile -t COMPREPLY < <(compgen -P \"$before\" -W \"$words\" -- \"$cur\")\n"
                         "}\n"
                         "complete -F _keyavg keyavg\n");
}

/* -- zsh ---------------------------------------------------------------------------------------------------------- */

/* Text inside of '...', where `[`, `]` and `:` would end it too. */
static void add_zsh_text(struct text *out, const char *text)
{
    for (const char *at = text; *at != 0; at++) {
        if (*at == '\'')
            text_add_string(out, "'\\'");
        else if (strchr("[]:\\", *at) != NULL)
            text_add_char(out, '\\');
        text_add_char(out, *at);
    }
}

static void add_zsh_pair(struct text *out, const char *name, const char *help)
{
    text_addf(out, "        '%s[", name);
    add_zsh_text(out, help);
    text_add_string(out, "]'\n");
}

static void add_zsh_argument(struct text *out, const struct option_entry *entry)
{
    text_add_char(out, ':');
    add_zsh_text(out, entry->kind == ARGUMENT_CHOICE ? entry->name : entry->argument);
    text_add_char(out, ':');
    switch ((enum argument_kind)entry->kind) {
    case ARGUMENT_CHOICE:
        text_add_char(out, '(');
        add_choices(out, entry->argument);
        text_add_char(out, ')');
        break;
    case ARGUMENT_COLUMN: text_add_string(out, "{_values column $columns}"); break;
    case ARGUMENT_COLUMNS: text_add_string(out, "{_values -s , column $columns}"); break;
    case ARGUMENT_GROUPING: text_add_string(out, "{_values -s , part $parts}"); break;
    case ARGUMENT_FORMAT: text_add_string(out, "{_values format $formats}"); break;
    case ARGUMENT_THEME:
        text_add_string(out, "{compadd -a themes}");
        break;
    case ARGUMENT_FILE: text_add_string(out, "_files"); break;
    default: text_add_char(out, ' '); break;
    }
}

static void add_zsh_option(struct text *out, const struct option_entry *entry)
{
    bool value = entry->kind != ARGUMENT_NONE;
    text_add_string(out, "        ");
    if (entry->letter != 0)
        text_addf(out, "'(-%c --%s)'{-%c%s,--%s%s}'", entry->letter, entry->name, entry->letter, value ? "+" : "",
                  entry->name, value ? "=" : "");
    else
        text_addf(out, "'--%s%s", entry->name, value ? "=" : "");
    text_add_char(out, '[');
    add_zsh_text(out, entry->help);
    text_add_char(out, ']');
    if (value)
        add_zsh_argument(out, entry);
    text_add_string(out, "'\n");
}

void completion_add_zsh(struct text *out)
{
    text_add_string(out, "#compdef keyavg\n"
                         "# zsh completion for keyavg; made from its tables.\n"
                         "_keyavg() {\n"
                         "    local -a columns formats parts themes\n"
                         "    columns=(\n");
    for (unsigned i = 0; i < column_count; i++)
        add_zsh_pair(out, columns[i].name, columns[i].help);
    for (unsigned i = 0; i < drill_column_count; i++)
        add_zsh_pair(out, drill_columns[i].name, drill_columns[i].help);
    text_add_string(out, "    )\n    formats=(\n");
    for (unsigned i = 0; i < writer_count; i++)
        add_zsh_pair(out, writers[i].name, writers[i].help);
    text_add_string(out, "    )\n    parts=(\n");
    for (int i = 0; i < GROUPING_PARTS; i++)
        add_zsh_pair(out, grouping_parts[i].name, grouping_parts[i].help);
    text_add_string(out, "    )\n    themes=(");
    add_names(out, ARGUMENT_THEME, "", " ");
    text_add_string(out, "${XDG_CONFIG_HOME:-$HOME/.config}/keyavg/themes/*.yaml(N:t:r))\n    _arguments -s -S : \\\n");
    for (unsigned i = 0; i < option_entry_count; i++) {
        add_zsh_option(out, &option_entries[i]);
        out->length--;
        text_add_string(out, " \\\n");
    }
    text_add_string(out, "        '*:trace:_files'\n"
                         "}\n"
                         "if [ \"$funcstack[1]\" = _keyavg ]; then\n"
                         "    _keyavg \"$@\"\n"
                         "else\n"
                         "    compdef _keyavg keyavg\n"
                         "fi\n");
}

/* -- fish --------------------------------------------------------------------------------------------------------- */

static void add_fish_text(struct text *out, const char *text)
{
    text_add_char(out, '\'');
    for (const char *at = text; *at != 0; at++) {
        if (*at == '\'' || *at == '\\')
            text_add_char(out, '\\');
        text_add_char(out, *at);
    }
    text_add_char(out, '\'');
}

static void start_fish_words(struct text *out, const char *name)
{
    text_addf(out, "function __keyavg_%s\n    printf '%%s\\t%%s\\n'", name);
}

static void add_fish_word(struct text *out, const char *word, const char *help)
{
    text_addf(out, " \\\n        %s ", word);
    add_fish_text(out, help);
}

static void end_fish_words(struct text *out)
{
    text_add_string(out, "\nend\n");
}

static void add_fish_words(struct text *out)
{
    start_fish_words(out, "columns");
    for (unsigned i = 0; i < column_count; i++)
        add_fish_word(out, columns[i].name, columns[i].help);
    for (unsigned i = 0; i < drill_column_count; i++)
        add_fish_word(out, drill_columns[i].name, drill_columns[i].help);
    end_fish_words(out);
    start_fish_words(out, "formats");
    for (unsigned i = 0; i < writer_count; i++)
        add_fish_word(out, writers[i].name, writers[i].help);
    end_fish_words(out);
    start_fish_words(out, "parts");
    for (int i = 0; i < GROUPING_PARTS; i++)
        add_fish_word(out, grouping_parts[i].name, grouping_parts[i].help);
    end_fish_words(out);
    text_add_string(out, "function __keyavg_themes\n    printf '%s\\n'");
    add_names(out, ARGUMENT_THEME, " ", "");
    text_add_string(out, "\n"
                         "    set -q XDG_CONFIG_HOME; or set -l XDG_CONFIG_HOME ~/.config\n"
                         "    for file in $XDG_CONFIG_HOME/keyavg/themes/*.yaml\n"
                         "        string replace -r '.*/(.*)\\.yaml$' '$1' $file\n"
                         "    end\n"
                         "end\n");
}

static void add_fish_option(struct text *out, const struct option_entry *entry)
{
    static const char *const functions[] = {
        [ARGUMENT_COLUMN] = "columns", [ARGUMENT_COLUMNS] = "columns", [ARGUMENT_FORMAT] = "formats",
        [ARGUMENT_GROUPING] = "parts", [ARGUMENT_THEME] = "themes",
    };
    text_add_string(out, "complete -c keyavg");
    if (entry->letter != 0)
        text_addf(out, " -s %c", entry->letter);
    text_addf(out, " -l %s", entry->name);
    enum argument_kind kind = (enum argument_kind)entry->kind;
    if (kind == ARGUMENT_FILE) {
        text_add_string(out, " -r -F");
    } else if (kind == ARGUMENT_CHOICE) {
        text_add_string(out, " -x -a '");
        add_choices(out, entry->argument);
        text_add_char(out, '\'');
    } else if (kind < sizeof functions / sizeof *functions && functions[kind] != NULL) {
        text_addf(out, " -x -a '(%s__keyavg_%s)'", is_list(kind) ? "__fish_complete_list , " : "", functions[kind]);
    } else if (kind != ARGUMENT_NONE) {
        text_add_string(out, " -x");
    }
    text_add_string(out, " -d ");
    add_fish_text(out, entry->help);
    text_add_char(out, '\n');
}

void completion_add_fish(struct text *out)
{
    text_add_string(out, "# fish completion for keyavg; made from its tables.\n");
    add_fish_words(out);
    for (unsigned i = 0; i < option_entry_count; i++)
        add_fish_option(out, &option_entries[i]);
}
