/* One object: {"trace": {facts}, "rows": [{attributes}, ...]}. Values are torch's own, numbers exact.
 *
 * Rows are made and written one by one. Every value goes in as finished text: no number passes through a double, and
 * names may hold NUL and invalid bytes, which cJSON's strings cannot. */
#include <stdlib.h>

#include <cjson/cJSON.h>

#include "keyavg/memory.h"
#include "keyavg/names.h"
#include "keyavg/notes.h"
#include "keyavg/utf8.h"
#include "keyavg/writer.h"

const char *writer_json_library(void)
{
    return cJSON_Version();
}

/* -- Values as text ---------------------------------------------------------------------------------------------- */

/* Adds a member of finished text and empties it. */
static void add_member(cJSON *object, const char *name, struct text *value)
{
    cJSON_AddItemToObjectCS(object, name, cJSON_CreateRaw(value->bytes));
    text_clear(value);
}

static void add_word(cJSON *object, const char *name, const char *word, struct text *scratch)
{
    text_add_string(scratch, word);
    add_member(object, name, scratch);
}

static void add_flag(cJSON *object, const char *name, bool flag, struct text *scratch)
{
    add_word(object, name, flag ? "true" : "false", scratch);
}

static void add_number(cJSON *object, const char *name, int64_t number, bool known, struct text *scratch)
{
    if (known)
        text_addf(scratch, "%lld", (long long)number);
    else
        text_add_string(scratch, "null");
    add_member(object, name, scratch);
}

/* A text, or null for NULL. */
static void add_text(cJSON *object, const char *name, const char *string, struct text *scratch)
{
    if (string != NULL)
        json_add_string(scratch, span_of(string));
    else
        text_add_string(scratch, "null");
    add_member(object, name, scratch);
}

/* Prints an object on one line at the end of `out` and deletes it. */
static void add_object(struct text *out, cJSON *object)
{
    char *printed = cJSON_PrintUnformatted(object);
    if (printed == NULL)
        return; /* cannot be: allocation does not fail */
    text_add_string(out, printed);
    cJSON_free(printed);
    cJSON_Delete(object);
}

/* -- Facts about the trace --------------------------------------------------------------------------------------- */

static const char *skip_digits(const char *at)
{
    while (*at >= '0' && *at <= '9')
        at++;
    return at;
}

/* The end of a number as JSON has it, NULL where there is none: cJSON takes more than that. */
static const char *number_end(const char *at)
{
    at += *at == '-';
    const char *digits = at;
    at = skip_digits(at);
    if (at == digits || (*digits == '0' && at > digits + 1))
        return NULL;
    if (*at == '.') {
        digits = ++at;
        at = skip_digits(at);
        if (at == digits)
            return NULL;
    }
    if (*at == 'e' || *at == 'E') {
        at++;
        at += *at == '+' || *at == '-';
        digits = at;
        at = skip_digits(at);
        if (at == digits)
            return NULL;
    }
    return at;
}

/* Whether a text from the file may stand in our document as it is: cJSON reads all of it, and what cJSON takes too
 * easily is not in it. */
static bool is_json(const char *json)
{
    const char *end = NULL;
    cJSON *parsed = cJSON_ParseWithOpts(json, &end, true);
    cJSON_Delete(parsed);
    if (parsed == NULL || !utf8_valid(span_of(json)))
        return false;
    bool inside = false;
    for (const char *at = json; *at != '\0';) {
        if ((unsigned char)*at < 0x20 && (inside || strchr("\t\n\r", *at) == NULL))
            return false;
        if (inside && *at == '\\') {
            at += 2;
        } else if (*at == '"') {
            inside = !inside;
            at++;
        } else if (!inside && (*at == '-' || *at == '+' || *at == '.' || (*at >= '0' && *at <= '9'))) {
            at = number_end(at);
            if (at == NULL)
                return false;
        } else {
            at++;
        }
    }
    return true;
}

/* Part of the file's header as it is there, on one line; null where it is missing or no JSON. */
static void add_part(cJSON *object, const char *name, const char *json, struct text *scratch)
{
    if (json == NULL || !is_json(json)) {
        add_word(object, name, "null", scratch);
        return;
    }
    size_t length = strlen(json);
    for (size_t at = 0; at < length;) {
        uint32_t point;
        at += utf8_decode(json + at, length - at, &point);
        if (point < 0x20) /* white space, as is_json has seen */
            text_add_char(scratch, ' ');
        else
            json_add_point(scratch, point);
    }
    add_member(object, name, scratch);
}

/* One text for each kind of damage. */
static void add_notes(cJSON *object, const struct notes *notes, struct text *scratch)
{
    struct text line = {0};
    notes_describe(notes, &line);
    text_add_char(scratch, '[');
    for (size_t at = 0; at < line.length;) {
        const char *end = memmem(line.bytes + at, line.length - at, "; ", 2);
        size_t length = end != NULL ? (size_t)(end - line.bytes) - at : line.length - at;
        if (at > 0)
            text_add_char(scratch, ',');
        json_add_string(scratch, (struct span){line.bytes + at, length});
        at += length + (end != NULL ? 2 : 0);
    }
    text_add_char(scratch, ']');
    text_free(&line);
    add_member(object, "notes", scratch);
}

static void add_us(cJSON *object, const char *name, int64_t ns, struct text *scratch)
{
    units_add_us(scratch, ns);
    add_member(object, name, scratch);
}

void json_add_facts(struct text *out, const struct table *table)
{
    const struct trace *trace = table->trace;
    const struct header *header = &trace->header;
    const char *slash = strrchr(trace->path, '/');
    /* With our allocator, which ends the program instead of failing, no call below returns NULL. */
    cJSON_InitHooks(&(cJSON_Hooks){memory_alloc, free});
    cJSON *facts = cJSON_CreateObject();
    struct text scratch = {0};
    add_text(facts, "file", slash != NULL ? slash + 1 : trace->path, &scratch);
    add_text(facts, "schema_version", header->schema_version, &scratch);
    add_text(facts, "trace_id", header->trace_id, &scratch);
    add_text(facts, "trace_name", header->trace_name, &scratch);
    add_text(facts, "host_name", header->host_name, &scratch);
    add_number(facts, "rank", header->rank, header->rank >= 0, &scratch);
    add_number(facts, "world_size", header->world_size, header->world_size >= 0, &scratch);
    add_text(facts, "use_device", trace_use_device(trace), &scratch);
    add_flag(facts, "record_shapes", header->record_shapes, &scratch);
    add_flag(facts, "with_stack", header->with_stack, &scratch);
    add_flag(facts, "profile_memory", trace_has_memory(trace), &scratch);
    add_flag(facts, "with_flops", header->with_flops, &scratch);
    add_flag(facts, "with_modules", header->with_modules, &scratch);
    add_number(facts, "base_time_nanoseconds", header->base_time, header->has_base_time, &scratch);
    add_us(facts, "start", trace->start, &scratch);
    add_us(facts, "end", trace->end, &scratch);
    add_number(facts, "events", trace->events.count, true, &scratch);
    add_number(facts, "records", (int64_t)trace->records_seen, true, &scratch);
    add_us(facts, "self_cpu_time_total", table->self_cpu_all, &scratch);
    add_us(facts, "self_device_time_total", table->self_device_all, &scratch);
    add_flag(facts, "partial", trace->partial, &scratch);
    add_notes(facts, &trace->notes, &scratch);
    add_part(facts, "device_properties", header->device_properties, &scratch);
    add_part(facts, "distributed_info", header->distributed_info, &scratch);
    add_object(out, facts);
    text_free(&scratch);
}

/* -- Rows -------------------------------------------------------------------------------------------------------- */

/* Names and frames may hold `;`, so lists are made of the parts, not of the cell's text. */
static void add_stack(const struct table *table, uint32_t row, struct text *out)
{
    uint32_t depth = table_row_stack(table, row, NULL, 0);
    struct span *lines = memory_alloc(depth * sizeof *lines);
    table_row_stack(table, row, lines, depth);
    text_add_char(out, '[');
    for (uint32_t i = 0; i < depth; i++) {
        if (i > 0)
            text_add_char(out, ',');
        json_add_string(out, lines[i]);
    }
    text_add_char(out, ']');
    free(lines);
}

static void add_children(const struct table *table, uint32_t row, struct text *out)
{
    const struct tree *tree = table->tree;
    uint32_t first = table->averages->rows[row].first;
    tree_need_children(table->tree);
    text_add_char(out, '[');
    for (uint32_t i = tree->child_first[first]; i < tree->child_first[first + 1]; i++) {
        if (i > tree->child_first[first])
            text_add_char(out, ',');
        json_add_string(out, strings_get(&table->trace->strings, event_key(table->trace, tree->children[i])));
    }
    text_add_char(out, ']');
}

static void add_value(const struct table *table, uint32_t row, const struct column *column, struct text *out,
                      struct text *scratch)
{
    struct value value = {.kind = VALUE_UNKNOWN, .over = 1};
    if (strcmp(column->name, "stack") == 0) {
        add_stack(table, row, out);
        return;
    }
    if (strcmp(column->name, "cpu_children") == 0) {
        add_children(table, row, out);
        return;
    }
    if (column->unit == UNIT_FLOPS) {
        text_addf(out, "%llu", (unsigned long long)table_row_flops(table, row));
        return;
    }
    text_clear(scratch);
    column->value(table, row, &value, scratch);
    if (strcmp(column->name, "input_shapes") == 0)
        json_add_shapes(out, value.text);
    else if (strcmp(column->name, "cpu_parent") == 0 && table_row_top_level(table, row))
        text_add_string(out, "null");
    else if (strcmp(column->name, "use_device") == 0 && value.text.length == 0)
        text_add_string(out, "null");
    else if (value.kind == VALUE_TEXT)
        json_add_string(out, value.text);
    else if (value.kind == VALUE_UNKNOWN)
        text_add_string(out, "null");
    else
        column_add_raw(column, &value, out);
}

/* The chosen columns; else all attributes, the calls' statistics and the parts of the key. To free(). */
static const struct column **json_columns(const struct table *table, const struct writer_options *options,
                                          unsigned *count)
{
    if (options->columns != NULL)
        return writer_columns(table, options, true, count);
    const struct column **chosen = memory_alloc(column_count * sizeof *chosen);
    *count = 0;
    for (unsigned i = 0; i < column_count; i++)
        if (columns[i].attribute || columns[i].spread || writer_is_key_part(table, &columns[i]))
            chosen[(*count)++] = &columns[i];
    return chosen;
}

bool json_write(struct table *table, const struct writer_options *options, struct sink *sink)
{
    /* With our allocator, which ends the program instead of failing, no call below returns NULL. */
    cJSON_InitHooks(&(cJSON_Hooks){memory_alloc, free});
    struct text out = {0}, value = {0}, scratch = {0};
    unsigned count;
    const struct column **chosen = json_columns(table, options, &count);
    text_add_string(&out, "{\"trace\": ");
    json_add_facts(&out, table);
    text_add_string(&out, ",\n\"rows\": [");
    bool taken = true;
    for (uint32_t i = 0; i < table->count && taken; i++) {
        cJSON *object = cJSON_CreateObject();
        for (unsigned k = 0; k < count; k++) {
            add_value(table, table->order[i], chosen[k], &value, &scratch);
            add_member(object, chosen[k]->name, &value);
        }
        text_add_string(&out, i > 0 ? ",\n" : "\n");
        add_object(&out, object);
        taken = writer_flush(sink, &out, false);
    }
    text_add_string(&out, table->count > 0 ? "\n]}\n" : "]}\n");
    taken = taken && writer_flush(sink, &out, true);
    text_free(&out);
    text_free(&value);
    text_free(&scratch);
    free(chosen);
    return taken;
}
