/* Reading the command line by the table of options. */
#include "parse.h"

#include <stdlib.h>
#include <sys/stat.h>
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

struct rank_settings options_summary_settings(const struct options *options)
{
    const struct grouping *grouping = &options->query.grouping;
    bool given = options_given(options, "group-by-stack-n");
    return (struct rank_settings){given ? grouping->stack_depth : SUMMARY_STACK_DEPTH, grouping->python};
}

/* An option's argument, and the word behind it where it takes two. */
static bool apply_words(struct options *options, const struct option_entry *entry, const char *value, int argc,
                        char *const argv[], int *at, struct error *error)
{
    if (!apply(options, entry, value, error))
        return false;
    if (entry->kind != ARGUMENT_CELL)
        return true;
    if (*at + 1 >= argc)
        return error_set(error, ERROR_USAGE, "--%s needs two words: --%s %s", entry->name, entry->name,
                         entry->argument);
    return apply(options, entry, argv[++*at], error);
}

/* One word that starts with `--`; may take the next ones. */
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
        return apply_words(options, entry, equals + 1, argc, argv, at, error);
    if (*at + 1 >= argc)
        return missing_value(error, entry);
    ++*at;
    return apply_words(options, entry, argv[*at], argc, argv, at, error);
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

static void take_path(struct options *options, const char *word)
{
    options->paths = memory_resize(options->paths, options->path_count + 1, sizeof *options->paths);
    options->paths[options->path_count++] = word;
    options->trace = options->paths[0];
}

/* -- What the traces are to each other ----------------------------------------------------------------------------- */

static bool is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static bool is_summary(const char *path)
{
    size_t length = strlen(path);
    return length > 5 && strcmp(path + length - 5, ".kavg") == 0;
}

static bool are_ranks(const struct options *options)
{
    bool ranks = options->path_count > 2;
    for (unsigned i = 0; i < options->path_count && !ranks; i++)
        ranks = is_folder(options->paths[i]) || is_summary(options->paths[i]);
    return ranks;
}

static bool has_side_filters(const struct options *options)
{
    return options->side_texts[COMPARE_BASE] != NULL || options->side_texts[COMPARE_NEW] != NULL;
}

static bool find_mode(struct options *options, struct error *error)
{
    bool compare = options_given(options, "compare"), ranks = options_given(options, "ranks");
    if (compare && ranks)
        return error_set(error, ERROR_USAGE, "--compare and --ranks exclude each other");
    for (unsigned i = 0; i < options->path_count && options->path_count > 1; i++)
        if (strcmp(options->paths[i], "-") == 0)
            return error_set(error, ERROR_USAGE, "standard input (-) is read alone, not with other traces");
    if (compare)
        options->mode = MODE_COMPARE;
    else if (ranks || options->by_rank || options->collectives || are_ranks(options))
        options->mode = MODE_RANKS;
    else
        options->mode = options->path_count == 2 || has_side_filters(options) ? MODE_COMPARE : MODE_ONE;
    if (options->mode == MODE_COMPARE && options->path_count != 2 && !(options->path_count == 1 && has_side_filters(options)))
        return error_set(error, ERROR_USAGE, "to compare takes two traces, BASE and NEW, or one with --base-filter and "
                         "--new-filter; here are %u", options->path_count);
    return true;
}

/* An option that says nothing in this mode is told, not passed over. */
static bool check_mode(const struct options *options, struct error *error)
{
    static const char *const of_two[] = {"base-filter", "new-filter", "per-step", "unchanged", "fail-if"};
    static const char *const of_rows[] = {"by-rank", "group-by", "group-by-input-shape", "group-by-stack-n",
                                          "group-by-overload-name", "scope", "top-level-events-only", "hide-below"};
    static const char *const of_ranks[] = {"by-rank", "collectives"};
    for (size_t i = 0; i < sizeof of_two / sizeof *of_two && options->mode != MODE_COMPARE; i++)
        if (options_given(options, of_two[i]))
            return error_set(error, ERROR_USAGE, "--%s is for two traces: keyavg [OPTION]... BASE NEW", of_two[i]);
    for (size_t i = 0; i < sizeof of_ranks / sizeof *of_ranks && options->mode != MODE_RANKS; i++)
        if (options_given(options, of_ranks[i]))
            return error_set(error, ERROR_USAGE, "--%s is for ranks: keyavg [OPTION]... DIR", of_ranks[i]);
    for (size_t i = 0; i < sizeof of_rows / sizeof *of_rows && options->collectives; i++)
        if (options_given(options, of_rows[i]))
            return error_set(error, ERROR_USAGE, "--%s is for the table; --collectives shows single calls", of_rows[i]);
    if (options->collectives && options->filter != NULL && filter_asks(options->filter) != 0)
        return error_set(error, ERROR_USAGE,
                         "a filter of --collectives has words of the name and terms on its columns");
    if (options_given(options, "memory") && options->mode == MODE_ONE && options->summarise == NULL)
        return error_set(error, ERROR_USAGE, "--memory is for ranks: keyavg [OPTION]... DIR");
    return true;
}

static bool fits_mode(const struct options *options, const struct column *column)
{
    if (column != NULL && options->collectives)
        return column->need == NEED_COLLECTIVES || strcmp(column->name, "ranks") == 0;
    return column == NULL || (column->need == NEED_TWO ? options->mode == MODE_COMPARE
                              : column->need == NEED_RANKS ? options->mode == MODE_RANKS
                              : column->need != NEED_COLLECTIVES);
}

static bool check_columns(const struct options *options, struct error *error)
{
    const struct column *wrong = NULL;
    if (!fits_mode(options, options->query.sort))
        wrong = options->query.sort;
    for (unsigned i = 0; options->columns != NULL && i < options->writing.column_count && wrong == NULL; i++)
        if (!fits_mode(options, options->columns[i]))
            wrong = options->columns[i];
    if (wrong == NULL && options->filter != NULL && !fits_mode(options, filter_special_column(options->filter)))
        wrong = filter_special_column(options->filter);
    if (wrong != NULL && options->collectives)
        return error_set(error, ERROR_USAGE, "--collectives has no column '%s'; it has collective, group, sequence, ranks, "
                         "arrival_spread, first_rank, last_rank, shortest and longest", wrong->name);
    return wrong == NULL || error_set(error, ERROR_USAGE, "the column %s needs %s", wrong->name, column_remedy(wrong));
}

/* A side's filter has the terms of the common one before its own. */
static bool join_filters(struct options *options, struct error *error)
{
    for (int s = 0; s < COMPARE_SIDES; s++) {
        if (options->side_texts[s] == NULL)
            continue;
        options->side_filters[s] = compare_side_filter(options->filter, span_of(options->side_texts[s]), error);
        if (options->side_filters[s] == NULL)
            return false;
    }
    return true;
}

static bool check_summarise(const struct options *options, struct error *error)
{
    static const char *const not_for[] = {"filter", "scope", "group-by", "group-by-input-shape", "group-by-overload-name",
                                          "full-list-shapes", "by-rank", "collectives", "compare", "format", "columns"};
    for (size_t i = 0; i < sizeof not_for / sizeof *not_for; i++)
        if (options_given(options, not_for[i]))
            return error_set(error, ERROR_USAGE, "--summarise keeps all there is: --%s is for reading the summary",
                             not_for[i]);
    if (options->summarise[0] == '\0')
        return error_set(error, ERROR_USAGE, "--summarise needs the name of a file");
    if (options->output != NULL)
        return error_set(error, ERROR_USAGE, "--summarise writes to its own file; --output is for text");
    return true;
}

/* -- What no option can see alone ---------------------------------------------------------------------------------- */

static bool check_format(struct options *options, bool screen, struct error *error)
{
    if (!options->format_given && options->output != NULL && writer_for_file(options->output) != NULL) {
        options->writer = writer_for_file(options->output);
        options->format_given = true;
    }
    if ((options->mode != MODE_ONE || options->view != DRILL_TABLE) && !options->format_given)
        options->writer = writer_find(span_of("text"));
    bool tree = options->writer->write == folded_write; /* of two traces it has both */
    if (options->mode != MODE_ONE && options->writer->write_sheet == NULL && !(tree && options->mode == MODE_COMPARE))
        return error_set(error, ERROR_USAGE, "--format %s is for one trace%s; give text, csv, tsv, json or markdown",
                         options->writer->name, tree ? " or two" : "");
    if (!options->row_limit_given)
        options->query.row_limit = screen || options->writer->all_rows ? -1 : 100;
    if (options->columns != NULL && !screen && !options->writer->takes_columns)
        return error_set(error, ERROR_USAGE, "--columns does not go with --format %s, which has its own; "
                         "give --format text, csv, tsv, json or markdown", options->writer->name);
    return parse_check_view(options, screen, error);
}

static bool check(struct options *options, struct error *error)
{
    if (options->help || options->version || options->list_columns || options->print_config)
        return true;
    if (options->trace == NULL)
        return error_set(error, ERROR_USAGE, "no trace given: keyavg [OPTION]... TRACE (keyavg --help explains)");
    if (!find_mode(options, error) || !check_mode(options, error) || !check_columns(options, error) ||
        !join_filters(options, error) || (options->summarise != NULL && !check_summarise(options, error)))
        return false;
    options->interactive = !options->batch && !options->format_given && options->output == NULL &&
                           options->play == NULL && !options->by_rank && !options->collectives && options->summarise == NULL &&
                           options->condition_count == 0 && isatty(STDOUT_FILENO) != 0;
    if (options->play != NULL && (options->by_rank || options->collectives))
        return error_set(error, ERROR_USAGE, "--by-rank and --collectives are printed; --play shows the table over all ranks");
    if (!check_format(options, options->interactive || options->play != NULL, error))
        return false;
    if (options->output != NULL && options->output[0] == '\0')
        return error_set(error, ERROR_USAGE, "--output needs the name of a file");
    if (options->output != NULL && strcmp(options->output, "-") == 0)
        options->output = NULL;
    return true;
}

bool options_parse(struct options *options, int argc, char *const argv[], struct error *error)
{
    *options = (struct options){.writer = writer_find(span_of("torch")), .screen_rows = 24, .screen_columns = 80};
    query_init(&options->query);
    drill_settings_init(&options->drill);
    writer_options_init(&options->writing);
    bool words_only = false;
    for (int at = 1; at < argc && !options->help && !options->version; at++) {
        const char *word = argv[at];
        bool taken;
        if (words_only || word[0] != '-' || word[1] == '\0') {
            take_path(options, word);
            taken = true;
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
    free(options->paths);
    filter_free(options->filter);
    filter_free(options->view_filter);
    for (int s = 0; s < COMPARE_SIDES; s++) {
        filter_free(options->side_filters[s]);
        options->side_filters[s] = NULL;
    }
    for (unsigned i = 0; i < options->condition_count; i++)
        condition_free(&options->conditions[i]);
    free(options->conditions);
    options->conditions = NULL;
    options->condition_count = 0;
    options->paths = NULL;
    options->columns = NULL;
    options->writing.columns = NULL;
    options->filter = NULL;
    options->query.filter = NULL;
}
