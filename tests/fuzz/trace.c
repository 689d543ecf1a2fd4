/* A whole run over any bytes: reading, the tree, averages, rows, and the text of one format. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "keyavg/explain.h"
#include "keyavg/options.h"
#include "keyavg/quality.h"
#include "keyavg/remainder.h"
#include "keyavg/table.h"
#include "keyavg/writer.h"

static bool drop(void *context, const char *bytes, size_t length)
{
    /* Every byte is looked at, so that a sanitizer sees all of them. */
    unsigned char *sum = context;
    for (size_t i = 0; i < length; i++)
        *sum = (unsigned char)(*sum + (unsigned char)bytes[i]);
    return true;
}

struct sink fuzz_drain(void)
{
    static unsigned char sum;
    return (struct sink){drop, &sum};
}

static const char *const command_lines[][8] = {
    {"--format", "torch"},
    {"--format", "torch", "--group-by-input-shape", "--group-by-stack-n", "3", "--sort-by", "self_device_time_total"},
    {"--format", "json", "--group-by", "name,stack,shape,overload"},
    {"--format", "csv", "--group-by", "name,thread,step,device", "--sort-by", "p90"},
    {"--format", "text", "--include-python-functions", "--group-by-stack-n", "5"},
    {"--format", "markdown", "--no-python", "--group-by", "module", "--sort-by", "std"},
    {"--format", "stacks", "--group-by-stack-n", "4"},
    {"--format", "tsv", "--group-by", "name,dtype,scope", "--filter", "!kind:kernel count>0"},
    {"--format", "torch", "--top-level-events-only", "--full-list-shapes", "--group-by-input-shape"},
    {"--format", "text", "--scope", "backward", "--sort-by", "key", "--ascending"},
};

enum { COMMAND_LINES = sizeof command_lines / sizeof *command_lines };

static struct options *options_of(unsigned number)
{
    static struct options known[COMMAND_LINES];
    static char *words[COMMAND_LINES][12]; /* the options borrow them */
    struct options *options = &known[number];
    char **argv = words[number];
    if (argv[0] == NULL) {
        int argc = 1;
        struct error error = {0};
        argv[0] = strdup("keyavg");
        for (unsigned i = 0; i < 8 && command_lines[number][i] != NULL; i++)
            argv[argc++] = strdup(command_lines[number][i]);
        argv[argc++] = strdup("trace.json");
        if (!options_parse(options, argc, argv, &error))
            fuzz_fail("command line %u: %s", number, error.text);
    }
    return options;
}

/* What must hold for every trace. */
static void check(const struct trace *trace, const struct table *table)
{
    const struct averages *averages = table->averages;
    uint64_t calls = 0, rows = 0;
    for (uint32_t e = 1; e < trace->events.count; e++)
        if (trace->events.start[e] < trace->events.start[e - 1])
            fuzz_fail("event %u starts before the one before it", e);
    for (uint32_t e = 0; e < trace->events.count; e++) {
        uint32_t parent = table->tree->parent[e];
        if (trace->events.duration[e] < 0)
            fuzz_fail("event %u has a negative duration", e);
        if (parent != NO_EVENT && parent >= e)
            fuzz_fail("the parent %u of event %u comes after it", parent, e);
        rows += averages->row_of[e] != NO_EVENT;
    }
    for (uint32_t r = 0; r < averages->count; r++) {
        calls += averages->rows[r].count;
        if (averages->rows[r].count == 0 || averages->row_of[averages->rows[r].first] != r)
            fuzz_fail("row %u does not hold its first event", r);
    }
    if (calls != rows)
        fuzz_fail("%llu calls in rows, %llu events with a row", (unsigned long long)calls, (unsigned long long)rows);
    if (table->count > averages->count)
        fuzz_fail("%u rows shown of %u", table->count, averages->count);
}

/* The page of quality, and what explains the first row's cells and adds what is left out. */
static void explain(struct table *table)
{
    const struct quality *quality = tree_quality(table->tree);
    for (size_t i = 0; i < quality->facts.count; i++)
        for (uint32_t e = 0; e < quality->facts.items[i].event_count; e++)
            if (quality->facts.items[i].events[e] >= table->tree->count)
                fuzz_fail("%s is about an event that is not there", quality->facts.items[i].name);
    for (unsigned c = 0; c < column_count && table->averages->count > 0; c++) {
        struct explanation explanation;
        struct value left;
        explain_cell(table, 0, &columns[c], &explanation);
        explanation_free(&explanation);
        table_remainder_value(table, &columns[c], &left);
    }
}

int fuzz_trace(const uint8_t *bytes, size_t length)
{
    /* A control byte before the document is white space to the reader, and chooses the command line here. */
    unsigned number = length > 0 && bytes[0] < COMMAND_LINES ? bytes[0] : 0;
    struct error error = {0};
    struct trace *trace = trace_load_memory((const char *)bytes, length, "trace.json", &error);
    if (trace == NULL) {
        if (error.code == ERROR_NONE || error.text[0] == '\0')
            fuzz_fail("no trace and no error");
        return 0;
    }
    const struct options *options = options_of(number);
    struct text notes = {0};
    struct table *table = table_build(trace, &options->query);
    struct sink sink = fuzz_drain();
    check(trace, table);
    explain(table);
    notes_describe(&trace->notes, &notes);
    if (notes_any(&trace->notes) != (notes.length > 0))
        fuzz_fail("damage without words, or words without damage");
    options->writer->write(table, &options->writing, &sink);
    text_free(&notes);
    table_free(table);
    trace_free(trace);
    return 0;
}
