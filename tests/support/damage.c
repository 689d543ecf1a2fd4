#include "damage.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "keyavg/options.h"
#include "keyavg/table.h"
#include "keyavg/units.h"

/* The text with <hh> for other bytes than printable ASCII. */
static void add_bytes(struct text *out, struct span text)
{
    for (size_t i = 0; i < text.length; i++) {
        unsigned char c = (unsigned char)text.bytes[i];
        if (c >= 0x20 && c < 0x7F)
            text_add_char(out, (char)c);
        else
            text_addf(out, "<%02x>", c);
    }
}

static void add_label(const struct table *table, uint32_t row, struct text *out)
{
    enum { LINES = 64 };
    struct span lines[LINES];
    const struct average *average = &table->averages->rows[row];
    int node = event_node_id(table->trace, average->first);
    add_bytes(out, strings_get(&table->trace->strings, table_row_name(table, row)));
    if (node != -1)
        text_addf(out, "@%d", node);
    if (table->query.grouping.parts & GROUP_SHAPE) {
        text_add_char(out, ' ');
        add_bytes(out, table_row_shapes(table, row));
    }
    uint32_t count = table_row_stack(table, row, lines, LINES);
    for (uint32_t i = 0; i < count && i < LINES; i++) {
        text_add_string(out, i == 0 ? " <- " : ", ");
        add_bytes(out, lines[i]);
    }
}

static void add_row(const struct table *table, uint32_t row, struct text *out)
{
    static const char *const kinds[2][2] = {{" cpu ", " mark "}, {" device ", " device-mark "}};
    const struct average *average = &table->averages->rows[row];
    add_label(table, row, out);
    text_add_string(out, kinds[table_row_on_device(table, row)][table_row_annotation(table, row)]);
    text_addf(out, "%u ", average->count);
    units_add_us(out, average->cpu_time_total);
    text_add_char(out, ' ');
    units_add_us(out, average->self_cpu_time_total);
    if (average->device_time_total != 0 || average->self_device_time_total != 0) {
        text_add_char(out, ' ');
        units_add_us(out, average->device_time_total);
        text_add_char(out, ' ');
        units_add_us(out, average->self_device_time_total);
    }
    text_add_char(out, '\n');
}

char *damage_rows(struct trace *trace, const char *words)
{
    enum { WORDS_MAX = 16 };
    char program[] = "keyavg", path[] = "kin", *argv[WORDS_MAX + 3] = {program};
    char *copy = strdup(words), *rest = copy, *word;
    int argc = 1;
    while (argc < WORDS_MAX && (word = strsep(&rest, " ")) != NULL)
        if (word[0] != '\0')
            argv[argc++] = word;
    argv[argc++] = path;
    struct options options;
    struct error error = {0};
    struct text out = {0};
    cr_assert(options_parse(&options, argc, argv, &error), "%s", error.text);
    struct table *table = table_build(trace, &options.query);
    for (uint32_t i = 0; i < table->count; i++)
        add_row(table, table->order[i], &out);
    text_add(&out, "", 0);
    table_free(table);
    options_free(&options);
    free(copy);
    return out.bytes;
}

char *damage_notes(const struct trace *trace)
{
    static const char number[] = "at byte ";
    struct text all = {0}, out = {0};
    notes_describe(&trace->notes, &all);
    const char *at = all.length > 0 ? all.bytes : "";
    while (*at != '\0') {
        if (strncmp(at, " (", 2) == 0) { /* a place */
            at += strcspn(at, ")") + 1;
        } else if (strncmp(at, number, sizeof number - 1) == 0) {
            at += sizeof number - 1;
            at += strspn(at, "0123456789");
            text_add_string(&out, "at byte N");
        } else {
            text_add_char(&out, *at++);
        }
    }
    text_add(&out, "", 0);
    text_free(&all);
    return out.bytes;
}
