#include "keyavg/options.h"

#include "keyavg/memory.h"

enum { HELP_LEFT = 32, HELP_RIGHT = 80, COLUMNS_LEFT = 41, COLUMNS_RIGHT = 120 };

/* Adds words at column `left`, broken before column `right`; the line so far is `used` columns long. */
static void add_wrapped(struct text *out, const char *words, size_t used, size_t left, size_t right)
{
    if (used + 2 > left) {
        text_add_char(out, '\n');
        used = 0;
    }
    text_add_repeat(out, ' ', left - used);
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
    text_add_string(out,
                    "usage: keyavg [OPTION]... TRACE\n"
                    "\n"
                    "Prints torch's key_averages().table() from a saved PyTorch profiler trace. TRACE is\n"
                    "a file, or - for standard input; plain, gzip or zstd.\n");
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
    text_add_string(out,
                    "\n"
                    "Examples:\n"
                    "  keyavg --sort-by self_cpu_time_total --row-limit 20 trace.json.gz\n"
                    "  keyavg --group-by-input-shape --format csv --output ops.csv trace.json.gz\n"
                    "  keyavg -f text -k 3 -s cuda_time_total trace.json.gz\n"
                    "  zcat trace.json.gz | keyavg --format json - | jq '.rows[0]'\n"
                    "\n"
                    "Exit status: 0 done (damage that was skipped is told on standard error); 1 input or\n"
                    "output failed; 2 wrong usage; 3 not a trace; 130 interrupted.\n");
}

void options_add_columns(struct text *out)
{
    for (unsigned i = 0; i < column_count; i++) {
        const struct column *column = &columns[i];
        struct text words = {0};
        size_t start = out->length;
        const char *unit = column_unit_name(column);
        text_addf(out, "%-25s %-12s", column->name, unit[0] != '\0' ? unit : "text");
        column_add_title(column, NULL, &words);
        text_addf(&words, ". %s", column->help);
        if (column_remedy(column) != NULL)
            text_addf(&words, " Recorded with %s.", column_remedy(column));
        add_wrapped(out, words.bytes, out->length - start, COLUMNS_LEFT, COLUMNS_RIGHT);
        text_free(&words);
    }
}
