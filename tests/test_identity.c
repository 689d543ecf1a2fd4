/*
 * Torch's word: every text and every figure that lies beside a recording is what keyavg makes of the recording.
 */
#include <criterion/criterion.h>
#include <cjson/cJSON.h>
#include <dirent.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "keyavg/notes.h"
#include "support/render.h"
#include "support/skip.h"

/* -- Folders ----------------------------------------------------------------------------------------------------- */

static char *folders[64];
static unsigned folder_count;

static int take_folder(const char *path, const struct stat *status, int type, struct FTW *at)
{
    (void)status, (void)at;
    if (type == FTW_D && folder_count < 64)
        folders[folder_count++] = strdup(path);
    return 0;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* All folders below one, sorted. */
static void find_folders(const char *root)
{
    folder_count = 0;
    cr_assert_eq(nftw(root, take_folder, 8, FTW_PHYS), 0, "%s", root);
    cr_assert_lt(folder_count, 64);
    qsort(folders, folder_count, sizeof *folders, by_name);
}

static void free_folders(void)
{
    while (folder_count > 0)
        free(folders[--folder_count]);
}

static int compare_entries(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static bool exists(const char *path)
{
    FILE *file = fopen(path, "r");
    if (file != NULL)
        fclose(file);
    return file != NULL;
}

static const char *base_name(const char *path)
{
    return strrchr(path, '/') + 1;
}

/* -- What a file's name says ------------------------------------------------------------------------------------- */

static const struct variant {
    const char *name, *words;
} variants[] = {
    {"name", ""},
    {"shapes", "--group-by-input-shape"},
    {"overload", "--group-by-overload-name"},
    {"python", "--include-python-functions"},
    {"python_stack5", "--include-python-functions --group-by-stack-n 5"},
    {"stack1", "--group-by-stack-n 1"},
    {"stack5", "--group-by-stack-n 5"},
    {"shapes_stack3", "--group-by-input-shape --group-by-stack-n 3"},
};

static const struct variant specials[] = {
    {"unit_s", "--sort-by cpu_time_total --row-limit 10 --time-unit s"},
    {"unit_ms", "--sort-by cpu_time_total --row-limit 10 --time-unit ms"},
    {"unit_us", "--sort-by cpu_time_total --row-limit 10 --time-unit us"},
    {"top_level", "--sort-by cpu_time_total --row-limit 20 --top-level-events-only"},
    {"narrow", "--sort-by cpu_time_total --row-limit 20 --max-name-column-width 24 --header narrow"},
};

static const char *words_of(const struct variant *table, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(table[i].name, name) == 0)
            return table[i].words;
    return NULL;
}

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* The parts of `shapes.self_cpu_time_total.txt.gz`: grouping, what stands between, `txt` or `json`. False for
 * another. */
static bool read_name(const char *file, char kind[8], const char **grouping, char middle[64])
{
    char name[64] = "", extension[64] = "";
    middle[0] = '\0';
    if (sscanf(file, "%63[a-z0-9_].%63[a-z0-9_].%63[a-z]", name, middle, extension) < 2)
        return false;
    if (strcmp(middle, "txt") == 0 || strcmp(middle, "json") == 0) {
        snprintf(kind, 8, "%.7s", middle);
        middle[0] = '\0';
    } else {
        snprintf(kind, 8, "%.7s", extension);
    }
    *grouping = words_of(variants, COUNT(variants), name);
    return *grouping != NULL && (strcmp(kind, "txt") == 0 || strcmp(kind, "json") == 0);
}

/* -- Texts ------------------------------------------------------------------------------------------------------- */

/* The rows of which a file knows less than the process did (samples/README.md): lines that hold one of these. */
static const struct lossy {
    const char *folder;
    const char *lines[16];
} lossy[] = {
    {"names", {"unknown", "newline", "/slash", "\\slash", "'x'", "\"x\"", "\xC3", "                new", "line ", "tab\t",
               "\xF0", "null", "e\xCC\x81", "combining", "emoji"}},
    {"unfinished", {"never closed"}},
};

/* Drops the lines that hold one of the words. */
static void drop_lines(char *text, const char *const *words)
{
    char *to = text;
    for (char *line = text, *next; *line != '\0'; line = next) {
        char *end = strchrnul(line, '\n');
        next = *end != '\0' ? end + 1 : end;
        char kept = *end;
        *end = '\0';
        bool dropped = false;
        for (unsigned i = 0; i < 16 && words[i] != NULL; i++)
            dropped |= strstr(line, words[i]) != NULL;
        *end = kept;
        if (!dropped) {
            memmove(to, line, (size_t)(next - line));
            to += next - line;
        }
    }
    *to = '\0';
}

static void compare_text(const char *folder, const char *path, char *want, char *have)
{
    for (size_t i = 0; i < COUNT(lossy); i++) {
        if (strcmp(lossy[i].folder, base_name(folder)) == 0) {
            drop_lines(want, lossy[i].lines);
            drop_lines(have, lossy[i].lines);
        }
    }
    size_t line = 1, at = 0;
    for (; want[at] != '\0' && want[at] == have[at]; at++)
        line += want[at] == '\n';
    cr_expect(want[at] == have[at], "%s differs in line %zu", path, line);
}

/* -- Exact rows -------------------------------------------------------------------------------------------------- */

static void compare_rows(const char *path, const cJSON *want, const cJSON *have)
{
    const char *folder = path;
    bool names = strstr(folder, "/names/") != NULL, unfinished = strstr(folder, "/unfinished/") != NULL;
    bool jit_fork = strstr(folder, "/jit_fork/") != NULL;
    int count = cJSON_GetArraySize(want);
    if (!names)
        cr_expect_eq(count, cJSON_GetArraySize(have), "%s: %d rows", path, cJSON_GetArraySize(have));
    const cJSON *row = have->child, *wanted;
    cJSON_ArrayForEach(wanted, want)
    {
        const char *key = cJSON_GetObjectItem(wanted, "key")->valuestring;
        if (names) {
            /* The rows whose names the file has are still all there, in order. */
            bool lost = strpbrk(key, "\\\"\t\n") != NULL || strstr(key, "null") != NULL;
            for (const char *c = key; *c != '\0'; c++)
                lost |= (*c & '\x80') != 0;
            if (lost)
                continue;
            while (row != NULL && strcmp(cJSON_GetObjectItem(row, "key")->valuestring, key) != 0)
                row = row->next;
        }
        if (row == NULL) {
            cr_expect_fail("%s: no row %s", path, key);
            return;
        }
        const cJSON *field;
        cJSON_ArrayForEach(field, wanted)
        {
            const cJSON *ours = cJSON_GetObjectItem(row, field->string);
            bool same = cJSON_Compare(field, ours, true) ||
                        /* torch's table has "" where shapes are not in the key. */
                        (strcmp(field->string, "input_shapes") == 0 && cJSON_IsString(field) && ours != NULL &&
                         cJSON_GetArraySize(ours) == 0);
            /* Known losses: TorchScript's scope; the end of an op that had none. */
            same |= jit_fork && strcmp(field->string, "scope") == 0 && field->valueint == 2;
            same |= unfinished && strcmp(key, "never closed") == 0 && strcmp(field->string, "cpu_time_total") == 0;
            cr_expect(same, "%s: %s of %s", path, field->string, key);
        }
        row = row->next;
    }
}

static void compare_json(const char *path, const char *want_text, const char *have_text)
{
    cJSON *want = cJSON_Parse(want_text), *have = cJSON_Parse(have_text);
    cr_assert(want != NULL && have != NULL, "%s", path);
    compare_rows(path, cJSON_GetObjectItem(want, "rows"), cJSON_GetObjectItem(have, "rows"));
    cJSON_Delete(want);
    cJSON_Delete(have);
}

/* -- Walks ------------------------------------------------------------------------------------------------------- */

/* The sort of all texts of a folder of expected/, "" where file names say it. To free(). */
static char *folder_sort(const char *folder)
{
    char path[4200];
    snprintf(path, sizeof path, "%s/name.json.gz", folder);
    if (!exists(path))
        return strdup("");
    char *text = support_read(path, NULL);
    cJSON *json = cJSON_Parse(text);
    const cJSON *sort = cJSON_GetObjectItem(json, "sort_by");
    char *found = strdup(sort != NULL ? sort->valuestring : "");
    cJSON_Delete(json);
    free(text);
    return found;
}

static unsigned compared;

static void compare_file(struct trace *trace, struct table **table, const char *folder, const char *file,
                         const char *sort)
{
    char kind[8], middle[64], path[4200], words[256];
    const char *grouping;
    bool list = strcmp(base_name(folder), "event_list") == 0;
    if (!read_name(file, kind, &grouping, middle))
        return;
    /* In this file the base of torch's times is missing; its rows must agree, the texts' last digits need not. */
    bool text = strcmp(kind, "txt") == 0;
    if (text && strcmp(base_name(folder), "python_export") == 0)
        return;
    const char *special = words_of(specials, COUNT(specials), middle);
    /* The first 20 rows are other rows where names were lost. */
    if (special != NULL && strcmp(base_name(folder), "names") == 0)
        return;
    if (list)
        sort = "self_cpu_time_total";
    else if (middle[0] != '\0' && special == NULL)
        sort = middle;
    if (!text)
        snprintf(words, sizeof words, "--format json %s", grouping);
    else if (special != NULL)
        snprintf(words, sizeof words, "%s %s", grouping, special);
    else
        snprintf(words, sizeof words, "%s --row-limit -1 %s %s", grouping, sort[0] != '\0' ? "--sort-by" : "", sort);
    snprintf(path, sizeof path, "%s/%s", folder, file);
    char *want = support_read(path, NULL);
    struct text have = {0};
    support_render(trace, table, words, &have);
    if (text)
        compare_text(folder, path, want, have.bytes);
    else
        compare_json(path, want, have.bytes);
    compared++;
    text_free(&have);
    free(want);
}

static void compare_folder(const char *folder, const char *trace_path)
{
    struct trace *trace = support_trace_file(trace_path);
    struct table *table = NULL;
    struct dirent **files;
    int count = scandir(folder, &files, NULL, compare_entries);
    cr_assert_geq(count, 0, "%s", folder);
    char *sort = folder_sort(folder);
    for (int i = 0; i < count; i++) {
        compare_file(trace, &table, folder, files[i]->d_name, sort);
        free(files[i]);
    }
    free(files);
    free(sort);
    table_free(table);
    trace_free(trace);
}

Test(identity, samples)
{
    find_folders(support_samples_dir());
    compared = 0;
    for (unsigned i = 0; i < folder_count; i++) {
        char path[4200];
        snprintf(path, sizeof path, "%s/trace.json", folders[i]);
        if (!exists(path))
            snprintf(path, sizeof path, "%s/trace.json.gz", folders[i]);
        if (exists(path))
            compare_folder(folders[i], path);
    }
    free_folders();
    cr_expect_gt(compared, 380, "only %u files were compared", compared);
}

Test(identity, expected)
{
    char root[4096], path[8400];
    snprintf(root, sizeof root, "%s/expected", support_need_shared());
    find_folders(root);
    compared = 0;
    for (unsigned i = 0; i < folder_count; i++) {
        snprintf(path, sizeof path, "%s/traces%s.json.gz", support_shared_dir(), folders[i] + strlen(root));
        if (exists(path))
            compare_folder(folders[i], path);
    }
    free_folders();
    cr_expect_gt(compared, 100, "only %u files were compared", compared);
}

static void compare_stacks(const char *folder, const char *trace_name, const char *file, const char *words)
{
    char path[4200], want_path[4200];
    snprintf(path, sizeof path, "%s/%s/%s", support_samples_dir(), folder, trace_name);
    snprintf(want_path, sizeof want_path, "%s/%s/%s", support_samples_dir(), folder, file);
    struct trace *trace = support_trace_file(path);
    struct table *table = NULL;
    struct text have = {0};
    char *want = support_read(want_path, NULL);
    support_render(trace, &table, words, &have);
    compare_text(path, want_path, want, have.bytes);
    text_free(&have);
    free(want);
    table_free(table);
    trace_free(trace);
}

Test(identity, stacks)
{
    compare_stacks("mlp_verbose", "trace.json.gz", "stacks.txt.gz", "--format stacks");
    compare_stacks("gpu_small", "trace.json", "stacks.txt", "--format stacks");
    compare_stacks("gpu_small", "trace.json", "stacks.self_device_time_total.txt",
                   "--format stacks --metric self_cuda_time_total");
}

/* 2.13 wrote a quote into a name as it was: the event is read, and told. */
Test(identity, unescaped_quote)
{
    char path[4200];
    snprintf(path, sizeof path, "%s/names_2_13/trace.json.gz", support_samples_dir());
    struct trace *trace = support_trace_file(path);
    struct table *table = NULL;
    struct text have = {0};
    support_render(trace, &table, "--format csv --columns key,count,cpu_time_total", &have);
    cr_expect_not_null(strstr(have.bytes, "\"quote \"\"x\"\" here\",1,69.941\r\n"));
    cr_expect_eq(trace->notes.of[NOTE_QUOTE_REPAIRED].count, 1);
    text_free(&have);
    table_free(table);
    trace_free(trace);
}
