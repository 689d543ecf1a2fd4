#include "keyavg/options.h"

#include "keyavg/memory.h"

enum { HELP_LEFT = 32, HELP_RIGHT = 80, COLUMNS_LEFT = 41, COLUMNS_RIGHT = 120 };

const struct help_usage help_usages[] = {
    {"TRACE", "one trace"},
    {"BASE NEW", "what has changed between two"},
    {"DIR|FILE...", "the ranks of one run"},
    {NULL, NULL},
};

const char *const help_summary =
    "Prints torch's key_averages().table() from a saved PyTorch profiler trace; on a terminal it opens an explorer of "
    "it. TRACE is a file, or - for standard input; plain, gzip or zstd.";

const char *const help_examples[] = {
    "keyavg trace.json.gz",
    "keyavg --sort-by self_cpu_time_total --row-limit 20 trace.json.gz | less -S",
    "keyavg --group-by-input-shape --format csv --output ops.csv trace.json.gz",
    "keyavg -f text -k 3 -s cuda_time_total trace.json.gz",
    "zcat trace.json.gz | keyavg --format json - | jq '.rows[0]'",
    "keyavg --fail-if 'self_device_time_total > 5%' before.json.gz after.json.gz",
    "keyavg --sort-by self_device_time_total.spread traces/",
    "keyavg --summarise rank0.kavg rank0.json.gz && keyavg *.kavg",
    NULL,
};

const struct exit_status exit_statuses[] = {
    {"0", "done (damage that was skipped is told on standard error)"},
    {"1", "input or output failed"},
    {"2", "wrong usage"},
    {"3", "not a trace"},
    {"4", "--fail-if: something has grown by more"},
    {"130", "interrupted"},
    {NULL, NULL},
};

/* Adds words from column `left` on, where the line is, broken before column `right`. */
static void add_words(struct text *out, const char *words, size_t left, size_t right)
{
    size_t column = left;
    for (const char *at = words; *at != '\0';) {
        size_t length = strcspn(at, " ");
        if (column > left && column + 1 + length > right) {
            text_add_char(out, '\n');
            text_add_repeat(out, ' ', left);
            column = left;
        } else if (column > left) {
            text_add_char(out, ' ');
            column++;
        }
        text_add(out, at, length);
        column += length;
        at += length;
        at += strspn(at, " ");
    }
    text_add_char(out, '\n');
}

/* The same at column `left` of a line that is `used` columns long, or of the next one. */
static void add_wrapped(struct text *out, const char *words, size_t used, size_t left, size_t right)
{
    if (used + 2 > left) {
        text_add_char(out, '\n');
        used = 0;
    }
    text_add_repeat(out, ' ', left - used);
    add_words(out, words, left, right);
}

static void add_option(struct text *out, const struct option_entry *entry)
{
    size_t start = out->length;
    if (entry->letter != '\0')
        text_addf(out, "  -%c, --%s", entry->letter, entry->name);
    else
        text_addf(out, "      --%s", entry->name);
    if (entry->argument != NULL)
        text_addf(out, " %s", entry->argument);
    add_wrapped(out, entry->help, out->length - start, HELP_LEFT, HELP_RIGHT);
}

void options_add_help(struct text *out)
{
    for (int i = 0; help_usages[i].files != NULL; i++)
        text_addf(out, "%s keyavg [OPTION]... %-11s  %s\n", i == 0 ? "usage:" : "      ", help_usages[i].files,
                  help_usages[i].meaning);
    text_add_char(out, '\n');
    add_words(out, help_summary, 0, HELP_RIGHT);
    for (int group = 0; group < OPTIONS_GROUP_COUNT; group++) {
        text_addf(out, "\n%s:\n", option_group_titles[group]);
        for (unsigned i = 0; i < option_entry_count; i++)
            if (option_entries[i].group == group)
                add_option(out, &option_entries[i]);
    }
    text_add_string(out, "\nFormats:\n");
    for (unsigned i = 0; i < writer_count; i++) {
        size_t start = out->length;
        text_addf(out, "  %s", writers[i].name);
        add_wrapped(out, writers[i].help, out->length - start, 13, HELP_RIGHT);
    }
    text_add_string(out, "\nExamples:\n");
    for (int i = 0; help_examples[i] != NULL; i++)
        text_addf(out, "  %s\n", help_examples[i]);
    text_add_string(out, "\nExit status:\n");
    for (int i = 0; exit_statuses[i].code != NULL; i++) {
        size_t start = out->length;
        text_addf(out, "  %s", exit_statuses[i].code);
        add_wrapped(out, exit_statuses[i].meaning, out->length - start, 7, HELP_RIGHT);
    }
}

static void add_column(const struct column *column, struct text *out)
{
    struct text words = {0};
    size_t start = out->length;
    const char *unit = column_unit_name(column);
    text_addf(out, "%-25s %-12s", column->name, unit[0] != '\0' ? unit : "text");
    column_add_title(column, NULL, &words);
    text_addf(&words, ". %s", column->help);
    if (column_remedy(column) != NULL)
        text_addf(&words, " Recorded with %s.", column_remedy(column));
    drill_column_add_views(column, &words);
    add_wrapped(out, words.bytes, out->length - start, COLUMNS_LEFT, COLUMNS_RIGHT);
    text_free(&words);
}

void options_add_columns(struct text *out)
{
    for (unsigned i = 0; i < column_count; i++)
        add_column(&columns[i], out);
    for (unsigned i = 0; i < drill_column_count; i++)
        add_column(&drill_columns[i], out);
}
