#include "render.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "keyavg/options.h"

struct trace *support_trace(const char *json)
{
    struct error error = {0};
    struct trace *trace = trace_load_memory(json, strlen(json), "test.json", &error);
    cr_assert_not_null(trace, "%s", error.text);
    return trace;
}

struct trace *support_trace_file(const char *path)
{
    struct error error = {0};
    struct trace *trace = trace_load(path, &(struct trace_options){0}, &error);
    cr_assert_not_null(trace, "%s", error.text);
    return trace;
}

static bool append(void *context, const char *bytes, size_t length)
{
    text_add(context, bytes, length);
    return true;
}

struct sink support_sink(struct text *out)
{
    return (struct sink){append, out};
}

void support_render(struct trace *trace, struct table **table, const char *words, struct text *out)
{
    enum { WORDS_MAX = 32 };
    char program[] = "keyavg", path[] = "test.json", *argv[WORDS_MAX + 2] = {program};
    char *copy = strdup(words), *rest = copy, *word;
    int argc = 1;
    while (argc < WORDS_MAX && (word = strsep(&rest, " ")) != NULL)
        if (word[0] != '\0')
            argv[argc++] = word;
    argv[argc++] = path;
    struct options options;
    struct error error = {0};
    cr_assert(options_parse(&options, argc, argv, &error), "%s", error.text);
    if (*table == NULL)
        *table = table_build(trace, &options.query);
    else
        table_update(*table, &options.query);
    struct sink sink = support_sink(out);
    text_clear(out);
    cr_assert(options.writer->write(*table, &options.writing, &sink));
    text_add(out, "", 0);
    options_free(&options);
    free(copy);
}

char *support_rendered(const char *json, const char *words)
{
    struct trace *trace = support_trace(json);
    struct table *table = NULL;
    struct text out = {0};
    support_render(trace, &table, words, &out);
    table_free(table);
    trace_free(trace);
    return out.bytes;
}

char *support_read(const char *path, size_t *length)
{
    gzFile file = gzopen(path, "rb");
    cr_assert_not_null(file, "%s", path);
    struct text all = {0};
    int got;
    while ((got = gzread(file, text_room(&all, 1 << 16), 1 << 16)) > 0)
        all.length += (size_t)got;
    cr_assert_eq(got, 0, "%s", path);
    gzclose(file);
    text_add(&all, "", 0);
    if (length != NULL)
        *length = all.length;
    return all.bytes;
}
