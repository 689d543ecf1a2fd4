#include "words.h"

#include <criterion/criterion.h>
#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "skip.h"

enum { WORDS = 32 };

struct words_run words_run(const char *words, const char *first, const char *second)
{
    char *copy = strdup(words), *argv[WORDS + 2] = {0};
    int argc = 0;
    struct words_run result;
    for (char *at = copy; *at != '\0' && argc < WORDS;) {
        while (*at == ' ')
            at++;
        char end = *at == '\'' ? '\'' : ' ';
        at += end == '\'';
        char *word = at;
        at += strcspn(at, end == '\'' ? "'" : " ");
        if (*at != '\0')
            *at++ = '\0';
        argv[argc++] = word;
    }
    const char *words_given[WORDS + 2] = {support_keyavg()};
    for (int i = 0; i < argc; i++)
        words_given[i + 1] = strcmp(argv[i], "$1") == 0 ? first : strcmp(argv[i], "$2") == 0 ? second : argv[i];
    cr_assert(support_run(words_given, &result.out, &result.err, &result.status));
    free(copy);
    return result;
}

void words_run_free(struct words_run *run)
{
    support_run_free(&run->out);
    support_run_free(&run->err);
}

struct cJSON *words_json_of(const char *words, const char *first, const char *second)
{
    struct words_run result = words_run(words, first, second);
    cr_assert_eq(result.status, 0, "%s: %s", words, result.err.bytes);
    cJSON *json = cJSON_Parse(result.out.bytes);
    cr_assert_not_null(json, "%s", words);
    words_run_free(&result);
    return json;
}

void words_print(const char *words, const char *first, const char *second, int status, const char *out, const char *err)
{
    struct words_run result = words_run(words, first, second);
    cr_expect_eq(result.status, status, "%s: %d %s", words, result.status, result.err.bytes);
    if (out != NULL)
        cr_expect_str_eq(result.out.bytes, out, "%s:\n%s", words, result.out.bytes);
    if (err != NULL)
        cr_expect_str_eq(result.err.bytes, err, "%s:\n%s", words, result.err.bytes);
    words_run_free(&result);
}

static bool tells(const struct support_bytes *have, const char *part)
{
    return part == NULL || (*part == '\0' ? have->length == 0 : strstr(have->bytes, part) != NULL);
}

void words_tell(const char *words, int status, const char *out, const char *err)
{
    struct words_run result = words_run(words, NULL, NULL);
    cr_expect_eq(result.status, status, "%s: %d %s", words, result.status, result.err.bytes);
    cr_expect(tells(&result.out, out), "%s:\n%s", words, result.out.bytes);
    cr_expect(tells(&result.err, err), "%s:\n%s", words, result.err.bytes);
    words_run_free(&result);
}

const char *words_file(const char *name, const char *text)
{
    static char paths[8][64];
    static int next;
    char *path = paths[next++ % 8];
    snprintf(path, 64, "words-%d-%s", (int)getpid(), name);
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file);
    fputs(text, file);
    fclose(file);
    return path;
}

const char *words_sample(const char *name)
{
    static char paths[4][1024];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", support_samples_dir(), name);
    return path;
}

const char *words_shared(const char *name)
{
    static char paths[4][1024];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/traces/%s", support_need_shared(), name);
    return path;
}
