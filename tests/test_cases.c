/* The small damaged and odd inputs: each table of values in their expect.md, and what the reading cases say on
 * loading. */
#include <criterion/criterion.h>

#include <cjson/cJSON.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "keyavg/text.h"
#include "keyavg/utf8.h"
#include "support/skip.h"

enum { CELLS = 12, ROWS = 64, WORDS = 16 };

/* One table: the line above it, the titles, the rows; cells point into copies of lines that are kept. */
struct expected {
    char *label, *titles[CELLS], *rows[ROWS][CELLS];
    unsigned title_count, row_count;
};

/* Copies live as long as the test. */
static char *keep(const char *line)
{
    static char *kept[4096];
    static unsigned count;
    cr_assert(count < sizeof kept / sizeof *kept);
    return kept[count++] = strdup(line);
}

static unsigned split(char *line, const char *between, char *cells[CELLS])
{
    unsigned count = 0;
    while (*line == '|' || *line == ' ')
        line++;
    for (char *next; line != NULL && *line != '\0' && count < CELLS; line = next) {
        next = strstr(line, between);
        if (next != NULL) {
            *next = '\0';
            next += strlen(between);
        }
        while (*line == ' ')
            line++;
        size_t length = strlen(line);
        while (length > 0 && (line[length - 1] == ' ' || line[length - 1] == '|'))
            line[--length] = '\0';
        if (*line != '\0')
            cells[count++] = line;
    }
    return count;
}

/* `run_<e9>` to the bytes that it stands for, as JSON output has them: invalid ones as U+FFFD each. */
static void name_of(const char *cell, struct text *out)
{
    struct text bytes = {0};
    text_clear(out);
    if (strcmp(cell, "(empty)") != 0)
        for (const char *at = cell + 1; *at != '\0' && at[1] != '\0'; at++) {
            unsigned byte;
            int used = 0;
            if (sscanf(at, "<%2x>%n", &byte, &used) == 1 && used == 4) {
                text_add_char(&bytes, (char)byte);
                at += 3;
            } else {
                text_add_char(&bytes, *at);
            }
        }
    for (size_t i = 0; i < bytes.length;) {
        uint32_t point;
        char encoded[4];
        i += utf8_decode(bytes.bytes + i, bytes.length - i, &point);
        text_add(out, encoded, utf8_encode(point, encoded));
    }
    text_free(&bytes);
}

static const char *kind_of(const cJSON *row)
{
    bool cpu = strcmp(cJSON_GetObjectItem(row, "device_type")->valuestring, "CPU") == 0;
    bool annotation = cJSON_IsTrue(cJSON_GetObjectItem(row, "is_user_annotation"));
    return cpu ? (annotation ? "cpu-annotation" : "cpu") : annotation ? "device-annotation" : "device";
}

static void check_row(const char *where, const struct expected *table, unsigned r, const cJSON *row)
{
    struct text name = {0};
    for (unsigned c = 0; c < table->title_count; c++) {
        const char *title = table->titles[c], *cell = table->rows[r][c];
        if (strcmp(title, "name") == 0) {
            const char *key = cJSON_GetObjectItem(row, "key")->valuestring;
            name_of(cell, &name);
            cr_assert(strcmp(key, name.length > 0 ? name.bytes : "") == 0, "%s: row %u is %s, not %s", where, r, key,
                      cell);
        } else if (strcmp(title, "kind") == 0) {
            cr_assert(strcmp(kind_of(row), cell) == 0, "%s: %s is %s", where, cell, kind_of(row));
        } else if (strcmp(title, "stack") != 0 && strcmp(title, "shape") != 0 && strcmp(cell, "--") != 0) {
            const cJSON *value = cJSON_GetObjectItem(row, title);
            if (cJSON_IsNumber(value))
                cr_assert(value->valuedouble == strtod(cell, NULL), "%s: row %u: %s is %.3f, not %s", where, r, title,
                          value->valuedouble, cell);
        }
    }
    text_free(&name);
}

/* The words for the line above a table; false when it asks for something that is no option. */
static bool options_of(char *label, const char *words[WORDS], unsigned *count)
{
    static const char *const known[] = {"--include-python-functions", "--no-python", "--group-by-input-shape",
                                        "--group-by-overload-name", "--full-list-shapes"};
    bool any = false;
    unsigned depth;
    static char number[16];
    for (char *at = strstr(label, "--"); at != NULL; at = strstr(at + 2, "--")) {
        bool found = false;
        for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
            if (strncmp(at, known[i], strlen(known[i])) == 0) {
                words[(*count)++] = known[i];
                found = true;
            }
        if (sscanf(at, "--group-by-stack-n %u", &depth) == 1) {
            snprintf(number, sizeof number, "%u", depth);
            words[(*count)++] = "--group-by-stack-n";
            words[(*count)++] = number;
            found = true;
        }
        if (!found)
            return false;
        any = true;
    }
    if (!any && sscanf(label, "Depth %u", &depth) == 1) {
        snprintf(number, sizeof number, "%u", depth);
        words[(*count)++] = "--group-by-stack-n";
        words[(*count)++] = number;
        any = true;
    }
    if (strncmp(label, "Grouped by shape", 16) == 0 && !any) {
        words[(*count)++] = "--group-by-input-shape";
        any = true;
    }
    return any || (strstr(label, "Filter") == NULL && strstr(label, "Step ") == NULL &&
                   strstr(label, "Option `") == NULL);
}

static bool check_table(const char *folder, const char *case_name, struct expected *table)
{
    char trace[4096], file[128] = "trace.json", where[512];
    const char *words[WORDS] = {support_keyavg(), "--batch", "--format", "json", "--row-limit", "-1"};
    unsigned count = 6;
    sscanf(table->label[0] == '`' ? table->label + 1 : table->label, "%127[a-z0-9.-]", file);
    if (strncmp(file, "trace", 5) != 0 || strstr(file, ".json") == NULL)
        snprintf(file, sizeof file, "trace.json");
    snprintf(where, sizeof where, "%s (%.60s)", case_name, table->label);
    if (!options_of(table->label, words, &count))
        return false;
    snprintf(trace, sizeof trace, "%s/cases/%s/%s", folder, case_name, file);
    words[count++] = trace;
    words[count] = NULL;
    struct support_bytes out, err;
    int status;
    cr_assert(support_run(words, &out, &err, &status), "%s", words[0]);
    cr_assert(status == 0, "%s: status %d: %s", where, status, err.bytes);
    cJSON *whole = cJSON_Parse(out.bytes), *rows = cJSON_GetObjectItem(whole, "rows");
    cr_assert((unsigned)cJSON_GetArraySize(rows) == table->row_count, "%s: %d rows, not %u", where,
              cJSON_GetArraySize(rows), table->row_count);
    for (unsigned r = 0; r < table->row_count; r++)
        check_row(where, table, r, cJSON_GetArrayItem(rows, (int)r));
    cJSON_Delete(whole);
    support_run_free(&out);
    support_run_free(&err);
    return true;
}

/* The tables of one page; returns how many were checked. */
static unsigned check_page(const char *folder, const char *case_name)
{
    char path[4096], line[4096];
    snprintf(path, sizeof path, "%s/cases/%s/expect.md", folder, case_name);
    FILE *page = fopen(path, "r");
    if (page == NULL)
        return 0;
    unsigned checked = 0;
    struct expected table = {0};
    char *label = keep("");
    bool inside = false;
    for (bool more = true; more;) {
        more = fgets(line, sizeof line, page) != NULL;
        line[more ? strcspn(line, "\n") : 0] = '\0';
        if (strncmp(line, "| name", 6) == 0) {
            table = (struct expected){.label = keep(label)};
            table.title_count = split(keep(line), "|", table.titles);
            inside = true;
        } else if (inside && line[0] == '|') {
            if (strncmp(line, "|--", 3) != 0)
                split(keep(line), " | ", table.rows[table.row_count++]);
        } else if (inside) {
            inside = false;
            checked += check_table(folder, case_name, &table);
        }
        if (strncmp(line, "## ", 3) == 0)
            label[0] = '\0';
        else if (!inside && line[0] != '\0' && line[0] != '|')
            label = keep(line);
    }
    fclose(page);
    return checked;
}

Test(cases, every_table)
{
    const char *shared = support_need_shared();
    char folder[4096];
    snprintf(folder, sizeof folder, "%s/cases", shared);
    DIR *cases = opendir(folder);
    cr_assert(cases != NULL);
    unsigned checked = 0;
    for (struct dirent *entry; (entry = readdir(cases)) != NULL;)
        if (entry->d_name[0] != '.')
            checked += check_page(shared, entry->d_name);
    closedir(cases);
    cr_assert(checked >= 42, "only %u tables", checked);
}

/* What is said of the reading cases: the status, and words that standard error must hold; NULL: it must be silent. */
static const struct {
    const char *file;
    int status;
    const char *says[4];
} loads[] = {
    {"01-windows-backslash-escapes/trace.json", 0, {"2 strings with illegal escapes"}},
    {"02-raw-control-characters/trace.json", 0, {"2 strings with raw control bytes"}},
    {"04-non-utf8-bytes/trace.json", 0, {"4 strings with invalid UTF-8"}},
    {"05-bare-inf-nan-na/trace.json", 0, {"5 values that are not JSON"}},
    {"07-array-form-legacy-export/trace.json", 0, {NULL}},
    {"08-truncated-tail/trace.json", 0, {"byte 652", "1 incomplete event"}},
    {"09-interleaved-writers/trace.json", 0, {"2 damaged regions", "line 3", "2 processes"}},
    {"10-empty-file-and-empty-list/trace.json", 3, {"empty file"}},
    {"10-empty-file-and-empty-list/trace-blank.json", 3, {"empty file"}},
    {"10-empty-file-and-empty-list/trace-nokey.json", 3, {"no traceEvents in this file"}},
    {"10-empty-file-and-empty-list/trace-noevents.json", 0, {NULL}},
    {"12-old-category-and-key-names/trace.json", 0, {NULL}},
    {"13-spans-and-metadata-are-not-ops/trace.json", 0, {NULL}},
    {"15-negative-and-overflowing-durations/trace.json", 0, {"1 negative duration", "1 op without an end"}},
    {"16-kernels-with-ts-zero/trace.json", 0, {"1 device event without a time stamp"}},
};

Test(cases, what_loading_says)
{
    for (size_t i = 0; i < sizeof loads / sizeof *loads; i++) {
        char trace[4096];
        struct support_bytes err;
        int status;
        snprintf(trace, sizeof trace, "%s/cases/%s", support_need_shared(), loads[i].file);
        cr_assert(support_run((const char *[]){support_keyavg(), "--batch", trace, NULL}, NULL, &err, &status));
        cr_expect(status == loads[i].status, "%s: status %d", loads[i].file, status);
        if (loads[i].says[0] == NULL)
            cr_expect(err.length == 0, "%s says: %s", loads[i].file, err.bytes);
        for (unsigned w = 0; w < 4 && loads[i].says[w] != NULL; w++)
            cr_expect(strstr(err.bytes, loads[i].says[w]) != NULL, "%s: no word of `%s` in: %s", loads[i].file,
                      loads[i].says[w], err.bytes);
        const char *line_end = strchr(err.bytes, '\n');
        cr_expect(line_end == NULL || line_end[1] == '\0', "%s: more than one line", loads[i].file);
        support_run_free(&err);
    }
}
