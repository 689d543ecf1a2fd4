/* Reading the command line by the table of options. */
#include "parse.h"

#include <stdlib.h>
#include <unistd.h>

#include "keyavg/memory.h"
#include "keyavg/nearest.h"
#include "keyavg/utf8.h"

bool option_unknown(struct error *error, const char *kind, struct span word, const char *dashes, const char *nearest,
                    const char *otherwise)
{
    struct text text = {0};
    text_addf(&text, "unknown %s '", kind);
    utf8_add_fitted(&text, word, 60, UTF8_CUT_END, false);
    text_add_char(&text, '\'');
    if (nearest != NULL)
        text_addf(&text, "; did you mean '%s%s'?", dashes, nearest);
    else
        text_addf(&text, "; %s", otherwise);
    error_set(error, ERROR_USAGE, "%s", text.bytes);
    text_free(&text);
    return false;
}

/* -- Words ------------------------------------------------------------------------------------------------------- */

static const struct option_entry *find_long(struct span name)
{
    for (unsigned i = 0; i < option_entry_count; i++)
        if (span_is(name, option_entries[i].name))
            return &option_entries[i];
    return NULL;
}

static const struct option_entry *find_short(char letter)
{
    for (unsigned i = 0; i < option_entry_count; i++)
        if (option_entries[i].letter == letter)
            return &option_entries[i];
    return NULL;
}

static bool missing_value(struct error *error, const struct option_entry *entry)
{
    return error_set(error, ERROR_USAGE, "--%s needs a value: --%s %s", entry->name, entry->name, entry->argument);
}

static bool apply(struct options *options, const struct option_entry *entry, const char *value, struct error *error)
{
    options->given |= UINT64_C(1) << (entry - option_entries);
    return entry->apply(options, entry, value, error);
}

bool options_given(const struct options *options, const char *name)
{
    const struct option_entry *entry = find_long(span_of(name));
    return entry != NULL && options->given >> (entry - option_entries) & 1;
}

/* One word that starts with `--`; may take the next one. */
static bool parse_long(struct options *options, int argc, char *const argv[], int *at, struct error *error)
{
    const char *word = argv[*at] + 2, *equals = strchr(word, '=');
    struct span name = {word, equals != NULL ? (size_t)(equals - word) : strlen(word)};
    const struct option_entry *entry = find_long(name);
    if (entry == NULL) {
        struct nearest nearest;
        nearest_init(&nearest, name);
        for (unsigned i = 0; i < option_entry_count; i++)
            nearest_offer(&nearest, option_entries[i].name);
        struct span dashed = {argv[*at], name.length + 2};
        return option_unknown(error, "option", dashed, "--", nearest.name, "keyavg --help lists all");
    }
    if (entry->kind == ARGUMENT_NONE) {
        if (equals != NULL)
            return error_set(error, ERROR_USAGE, "--%s takes no value", entry->name);
        return apply(options, entry, "", error);
    }
    if (equals != NULL)
        return apply(options, entry, equals + 1, error);
    if (*at + 1 >= argc)
        return missing_value(error, entry);
    return apply(options, entry, argv[++*at], error);
}

/* One word of letters: `-tn20`, `-n 20`. */
static bool parse_short(struct options *options, int argc, char *const argv[], int *at, struct error *error)
{
    /* A long option with one dash is more likely a slip than six letters. */
    size_t name = strcspn(argv[*at] + 1, "=");
    const struct option_entry *meant = find_long((struct span){argv[*at] + 1, name});
    if (meant != NULL && name > 1)
        return option_unknown(error, "option", (struct span){argv[*at], name + 1}, "--", meant->name, "");
    for (const char *letter = argv[*at] + 1; *letter != '\0'; letter++) {
        const struct option_entry *entry = find_short(*letter);
        if (entry == NULL) {
            char dashed[3] = {'-', *letter, '\0'};
            struct span word = letter == argv[*at] + 1 && letter[1] != '\0' ? span_of(argv[*at]) : span_of(dashed);
            return option_unknown(error, "option", word, "", NULL, "keyavg --help lists all");
        }
        if (entry->kind == ARGUMENT_NONE) {
            if (!apply(options, entry, "", error))
                return false;
            continue;
        }
        if (letter[1] != '\0')
            return apply(options, entry, letter + 1, error);
        if (*at + 1 >= argc)
            return missing_value(error, entry);
        return apply(options, entry, argv[++*at], error);
    }
    return true;
}

static bool take_trace(struct options *options, const char *word, struct error *error)
{
    if (options->trace == NULL) {
        options->trace = word;
        return true;
    }
    struct text name = {0};
    utf8_add_fitted(&name, span_of(word), 60, UTF8_CUT_END, false);
    error_set(error, ERROR_USAGE, "one trace at a time: '%s' is one too many", name.bytes != NULL ? name.bytes : "");
    text_free(&name);
    return false;
}

/* What no option can see alone. */
static bool check(struct options *options, struct error *error)
{
    if (options->help || options->version || options->list_columns || options->print_config)
        return true;
    options->interactive = !options->batch && !options->format_given && options->output == NULL &&
                           options->play == NULL && isatty(STDOUT_FILENO) != 0;
    bool screen = options->interactive || options->play != NULL;
    if (!options->format_given && options->output != NULL && writer_for_file(options->output) != NULL)
        options->writer = writer_for_file(options->output);
    if (!options->row_limit_given)
        options->query.row_limit = screen || options->writer->all_rows ? -1 : 100;
    if (options->columns != NULL && !screen && !options->writer->takes_columns)
        return error_set(error, ERROR_USAGE, "--columns does not go with --format %s, which has its own; "
                         "give --format text, csv, tsv, json or markdown", options->writer->name);
    if (options->metric_given && options->writer->write != stacks_write)
        return error_set(error, ERROR_USAGE, "--metric is for --format stacks");
    if (options->output != NULL && options->output[0] == '\0')
        return error_set(error, ERROR_USAGE, "--output needs the name of a file");
    if (options->output != NULL && strcmp(options->output, "-") == 0)
        options->output = NULL;
    if (options->trace == NULL)
        return error_set(error, ERROR_USAGE, "no trace given: keyavg [OPTION]... TRACE (keyavg --help explains)");
    return true;
}

bool options_parse(struct options *options, int argc, char *const argv[], struct error *error)
{
    *options = (struct options){.writer = writer_find(span_of("torch")), .screen_rows = 24, .screen_columns = 80};
    query_init(&options->query);
    writer_options_init(&options->writing);
    bool words_only = false;
    for (int at = 1; at < argc && !options->help && !options->version; at++) {
        const char *word = argv[at];
        bool taken;
        if (words_only || word[0] != '-' || word[1] == '\0') {
            taken = take_trace(options, word, error);
        } else if (strcmp(word, "--") == 0) {
            words_only = true;
            taken = true;
        } else if (word[1] == '-') {
            taken = parse_long(options, argc, argv, &at, error);
        } else {
            taken = parse_short(options, argc, argv, &at, error);
        }
        if (!taken)
            return false;
    }
    return check(options, error);
}

void options_free(struct options *options)
{
    free(options->columns);
    filter_free(options->filter);
    options->columns = NULL;
    options->writing.columns = NULL;
    options->filter = NULL;
    options->query.filter = NULL;
}
