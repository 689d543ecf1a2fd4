/* The command line: one table of options, from which parsing, --help and `did you mean` are made. */
#ifndef KEYAVG_OPTIONS_H
#define KEYAVG_OPTIONS_H

#include "keyavg/compare.h"
#include "keyavg/drill.h"
#include "keyavg/error.h"
#include "keyavg/filter.h"
#include "keyavg/query.h"
#include "keyavg/rank_files.h"
#include "keyavg/theme.h"
#include "keyavg/writer.h"

enum argument_kind {
    ARGUMENT_NONE,
    ARGUMENT_NUMBER,
    ARGUMENT_TEXT,
    ARGUMENT_FILE,
    ARGUMENT_COLUMN,  /* a column's name */
    ARGUMENT_COLUMNS, /* several, separated by commas */
    ARGUMENT_FORMAT,  /* a writer's name */
    ARGUMENT_GROUPING, /* parts of a key, separated by commas */
    ARGUMENT_FILTER,  /* an expression of the filter language */
    ARGUMENT_THEME,   /* a theme's name or file */
    ARGUMENT_CELL,    /* a row's name, and a column's as a word of its own */
    ARGUMENT_CHOICE,  /* one of the words of `argument`, which are separated by `|` */
};

enum option_group {
    OPTIONS_GROUPING,
    OPTIONS_ROWS,
    OPTIONS_VIEW,
    OPTIONS_SEVERAL,
    OPTIONS_OUTPUT,
    OPTIONS_WIDTHS,
    OPTIONS_OTHER,
    OPTIONS_GROUP_COUNT
};

/* What the traces on the command line are to each other. */
enum options_mode {
    MODE_ONE,     /* one trace */
    MODE_COMPARE, /* two traces side by side */
    MODE_RANKS,   /* many ranks, or their summaries */
};

struct options;

struct option_entry {
    const char *name;     /* without its dashes: `sort-by` */
    char letter;          /* `s`, or 0 */
    uint8_t kind;         /* enum argument_kind */
    uint8_t group;        /* enum option_group */
    const char *argument; /* how help calls the argument, NULL without one */
    const char *help;     /* a sentence or a part of one, without its full stop */
    /* Takes the option into `options`; `value` is "" for an option without one. */
    bool (*apply)(struct options *options, const struct option_entry *entry, const char *value, struct error *error);
};

extern const struct option_entry option_entries[];
extern const unsigned option_entry_count;
extern const char *const option_group_titles[OPTIONS_GROUP_COUNT];

/* What --help says besides, for the man page too. */
struct help_usage {
    const char *files, *meaning; /* what the command line names */
};
extern const struct help_usage help_usages[]; /* ends with NULL */
extern const char *const help_summary;    /* what the program does, a few sentences */
extern const char *const help_examples[]; /* command lines; ends with NULL */
struct exit_status {
    const char *code, *meaning;
};
extern const struct exit_status exit_statuses[]; /* ends with NULL */

/* What a command line asks for. */
struct options {
    const char *trace;  /* the first; `-` for standard input */
    const char **paths; /* owned; all of them, also folders and summaries */
    unsigned path_count;
    enum options_mode mode;
    const char *output; /* NULL for standard output */
    struct query query;
    enum drill_kind view;
    const char *focus;             /* NULL: not given */
    struct drill_settings drill;   /* of the view; sort, row limit and columns are those of the options as well */
    struct filter *view_filter;    /* owned; drill.filter while not NULL */
    const struct writer *writer;
    struct writer_options writing;
    const struct column **columns; /* owned; writing.columns while not NULL */
    struct filter *filter;         /* owned; query.filter while not NULL */
    const char *side_texts[COMPARE_SIDES];     /* --base-filter, --new-filter; NULL: not given */
    struct filter *side_filters[COMPARE_SIDES]; /* owned; with the terms of `filter`; NULL: not given */
    struct condition *conditions;  /* owned; --fail-if */
    unsigned condition_count;
    bool per_step, unchanged, by_rank, collectives;
    int64_t memory;                /* bytes that traces of ranks may take at a time; 0: not given */
    const char *summarise;         /* the file to write a summary to, NULL none */
    const char *play;              /* keys to play without a terminal, NULL none */
    int screen_rows, screen_columns;
    unsigned threads;              /* that read; 0: one for each processor */
    const char *theme, *config;    /* NULL: not given */
    enum color_choice color;
    bool color_given, ascii, screen_roles, print_config, sort_given;
    uint64_t given;                /* one bit an entry: it was on the command line */
    bool interactive;              /* the explorer: nothing asks for text and standard output is a terminal */
    bool batch, stats, list_columns, help, version;
    bool format_given, row_limit_given, metric_given, python_given;
};

/* Reads the words after argv[0]. False with a usage error that names the word and the nearest right one. The options
 * borrow from argv; free with options_free in either case. Nothing after --help or --version is looked at. */
bool options_parse(struct options *options, int argc, char *const argv[], struct error *error);
void options_free(struct options *options);

/* Whether an option was on the command line, by name. */
bool options_given(const struct options *options, const char *name);

/* How --summarise summarises. */
struct rank_settings options_summary_settings(const struct options *options);

/* The text of --help, of --list-columns. */
void options_add_help(struct text *out);
void options_add_columns(struct text *out);

#endif
