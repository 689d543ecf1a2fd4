/*
 * Views other than the table, in batch: what --view prints, in which formats, and that its sums are those of the file.
 */
#include <cjson/cJSON.h>
#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "keyavg/drill.h"
#include "support/skip.h"

static const char *const samples[] = {"gpu_small/trace.json", "mlp_all/trace.json.gz", "transformer_bf16/trace.json.gz",
                                      "names/trace.json.gz"};
enum { SAMPLES = sizeof samples / sizeof *samples };

static void sample_path(char path[4096], const char *sample)
{
    snprintf(path, 4096, "%s/%s", support_samples_dir(), sample);
}

/* What keyavg prints of a sample; `...` are options up to NULL. */
static struct support_bytes prints(const char *sample, int wanted, ...)
{
    const char *argv[24] = {support_keyavg()};
    char path[4096];
    struct support_bytes out, errors;
    int count = 1, status;
    va_list words;
    va_start(words, wanted);
    for (const char *word; count < 20 && (word = va_arg(words, const char *)) != NULL;)
        argv[count++] = word;
    va_end(words);
    sample_path(path, sample);
    argv[count++] = path;
    setenv("LC_ALL", "C.UTF-8", 1);
    cr_assert(support_run(argv, &out, &errors, &status));
    cr_expect_eq(status, wanted, "%s %s %s: status %d: %s", sample, argv[1], argv[2], status, errors.bytes);
    if (wanted == 0) {
        support_run_free(&errors);
        return out;
    }
    support_run_free(&out);
    return errors;
}

Test(views, json_of_each_view_is_json, .timeout = 120)
{
    for (int i = 0; i < SAMPLES; i++) {
        for (int kind = DRILL_FOCUS; kind < DRILL_EXPLAIN; kind++) {
            const char *view = drill_kinds[kind].name;
            bool whole = kind == DRILL_MODULES || kind == DRILL_QUALITY;
            struct support_bytes out = prints(samples[i], 0, "--view", view, "--format", "json", "--row-limit", "500",
                                              whole ? NULL : "--focus", "#1", NULL);
            cJSON *json = cJSON_Parse(out.bytes);
            cr_assert_not_null(json, "%s of %s: %.200s", view, samples[i], out.bytes);
            cr_expect_str_eq(cJSON_GetObjectItem(json, "view")->valuestring, view);
            cr_expect(cJSON_IsArray(cJSON_GetObjectItem(json, "rows")));
            cr_expect(cJSON_IsObject(cJSON_GetObjectItem(json, "trace")));
            cJSON_Delete(json);
            support_run_free(&out);
        }
    }
}

Test(views, every_format_takes_every_view, .timeout = 120)
{
    static const char *const formats[] = {"text", "csv", "tsv", "markdown"};
    for (int kind = DRILL_FOCUS; kind < DRILL_EXPLAIN; kind++) {
        for (int format = 0; format < 4; format++) {
            bool whole = kind == DRILL_MODULES || kind == DRILL_QUALITY;
            struct support_bytes out = prints("gpu_small/trace.json", 0, "--view", drill_kinds[kind].name, "--format",
                                              formats[format], whole ? NULL : "--focus", "aten::addmm", NULL);
            cr_expect_gt(out.length, 20, "%s as %s", drill_kinds[kind].name, formats[format]);
            support_run_free(&out);
        }
    }
}

/* Lines `a;b;c 123`: the sum of the numbers. */
static int64_t folded_sum(const char *text, int *lines)
{
    int64_t sum = 0;
    *lines = 0;
    while (*text != 0) {
        size_t length = strcspn(text, "\n");
        size_t space = length;
        while (space > 0 && text[space - 1] != ' ')
            space--;
        cr_expect(space > 1 && space < length, "%.*s", (int)length, text);
        char *end;
        long long number = strtoll(text + space, &end, 10);
        cr_expect(end == text + length && number > 0, "%.*s", (int)length, text);
        sum += number;
        (*lines)++;
        text += length + (text[length] == '\n');
    }
    return sum;
}

static struct table *sample_table(const char *sample, struct trace **trace)
{
    char path[4096];
    struct query query;
    struct error error;
    sample_path(path, sample);
    *trace = trace_load(path, &(struct trace_options){0}, &error);
    cr_assert_not_null(*trace, "%s", error.text);
    query_init(&query);
    return table_build(*trace, &query);
}

Test(views, folded_sums_are_the_files)
{
    for (int i = 0; i < SAMPLES; i++) {
        struct trace *trace;
        struct table *table = sample_table(samples[i], &trace);
        int64_t self = 0;
        for (uint32_t e = 0; e < table->tree->count; e++)
            if (table->tree->state[e] == STATE_ROW && !event_on_device(trace, e) &&
                amounts_get(&table->tree->self_cpu, e) > 0)
                self += amounts_get(&table->tree->self_cpu, e);
        int lines, totals;
        struct support_bytes out = prints(samples[i], 0, "--format", "folded", NULL);
        int64_t sum = folded_sum(out.bytes, &lines);
        /* A path whose self time is negative as a whole has no line. */
        cr_expect(sum <= self && sum >= self - self / 100, "%s: %lld of %lld", samples[i], (long long)sum,
                  (long long)self);
        support_run_free(&out);
        out = prints(samples[i], 0, "--view", "tree", "--format", "folded", "--metric", "cpu_time_total", NULL);
        folded_sum(out.bytes, &totals);
        cr_expect_geq(totals, lines);
        support_run_free(&out);
        table_free(table);
        trace_free(trace);
    }
}

Test(views, focus_by_name_and_number)
{
    struct support_bytes one = prints("gpu_small/trace.json", 0, "--view", "focus", "--focus", "aten::addmm", "--format",
                                      "csv", NULL);
    cr_expect_not_null(strstr(one.bytes, "\nrow,aten::addmm,2,107.336"), "%s", one.bytes);
    cr_expect_not_null(strstr(one.bytes, "caller,aten::linear,2,107.336,100.0000"), "%s", one.bytes);
    struct support_bytes same = prints("gpu_small/trace.json", 0, "--view", "focus", "--focus", "aten::addmm#1",
                                       "--format", "csv", NULL);
    cr_expect_str_eq(one.bytes, same.bytes);
    support_run_free(&same);
    /* Rows of a name under another grouping: one of them, and all. */
    struct support_bytes second = prints("gpu_small/trace.json", 0, "--view", "calls", "--focus", "aten::copy_#2", "-g",
                                         "name,step", "--format", "csv", NULL);
    cr_expect_neq(second.length, 0);
    support_run_free(&second);
    /* A frame is in no row. */
    struct support_bytes frame = prints("gpu_small/trace.json", 0, "--view", "focus", "--focus",
                                        "model.py(24): forward", NULL);
    cr_expect_not_null(strstr(frame.bytes, "nn.Module: Net_0"), "%s", frame.bytes);
    support_run_free(&frame);
    support_run_free(&one);
}

Test(views, wrong_names)
{
    struct support_bytes said = prints("gpu_small/trace.json", 2, "--view", "focus", "--focus", "aten::admm", NULL);
    cr_expect_str_eq(said.bytes, "keyavg: no row 'aten::admm'; did you mean 'aten::addmm'?\n");
    support_run_free(&said);
    said = prints("gpu_small/trace.json", 2, "--view", "focus", "--focus", "aten::addmm#7", NULL);
    cr_expect_str_eq(said.bytes, "keyavg: there is only 1 row of 'aten::addmm', no #7\n");
    support_run_free(&said);
    said = prints("gpu_small/trace.json", 2, "--view", "calls", "--focus", "aten::addmm@7", NULL);
    cr_expect_not_null(strstr(said.bytes, "there are only 2 calls of 'aten::addmm', no @7"), "%s", said.bytes);
    support_run_free(&said);
    said = prints("gpu_small/trace.json", 0, "--view", "calls", "--focus", "aten::addmm@2", "--columns", "key,event",
                  "--format", "csv", NULL);
    struct support_bytes calls = prints("gpu_small/trace.json", 0, "--view", "calls", "--focus", "aten::addmm", "--columns",
                                        "key,event", "--format", "csv", NULL);
    const char *second_call = strchr(strchr(calls.bytes, '\n') + 1, '\n') + 1;
    cr_expect_str_eq(strchr(said.bytes, '\n') + 1, second_call, "%s%s", said.bytes, calls.bytes);
    support_run_free(&said);
    support_run_free(&calls);
}

/* Numbers and strings of an event stand as in the file. */
Test(views, an_event_is_printed_as_it_is)
{
    struct support_bytes page = prints("gpu_small/trace.json", 0, "--view", "event", "--focus", "aten::addmm", NULL);
    cr_expect_not_null(strstr(page.bytes, "    \"ts\": 3187205517815.189,\n"), "%s", page.bytes);
    cr_expect_not_null(strstr(page.bytes, "\nparent: aten::linear  event "), "%s", page.bytes);
    cr_expect_not_null(strstr(page.bytes, "\nkernel: ampere_sgemm_128x64_tn  event "), "%s", page.bytes);
    support_run_free(&page);
}

/* What a filter leaves is what a view is about. */
Test(views, filter_scope_and_limit)
{
    struct support_bytes out = prints("gpu_small/trace.json", 0, "--view", "calls", "--filter", "aten::addmm step:1", "--format",
                                      "csv", NULL);
    int lines = 0;
    for (const char *at = out.bytes; (at = strchr(at, '\n')) != NULL; at++)
        lines++;
    cr_expect_eq(lines, 2, "%s", out.bytes);
    support_run_free(&out);
    out = prints("gpu_small/trace.json", 0, "--view", "calls", "--row-limit", "3", "--sort-by", "duration", NULL);
    cr_expect_not_null(strstr(out.bytes, "more rows left out"), "%s", out.bytes);
    support_run_free(&out);
}

/* Recompute and gradient sync are parts of backward, and all phases together the whole. */
Test(views, phases_add_up)
{
    static const char *const phased[] = {"custom_autograd/trace.json.gz", "ddp/rank0/trace.json.gz",
                                         "gpu_small/trace.json"};
    for (int i = 0; i < 3; i++) {
        struct trace *trace;
        struct table *table = sample_table(phased[i], &trace);
        struct query query;
        int64_t whole = table->self_cpu_shown, sum = 0, recompute = 0, sync = 0;
        for (int scope = SCOPE_ALL + 1; scope < SCOPE_CHOICES; scope++) {
            query_init(&query);
            query.scope = (enum scope_choice)scope;
            table_update(table, &query);
            sum += table->self_cpu_shown;
            recompute += scope == SCOPE_RECOMPUTE ? table->self_cpu_shown : 0;
            sync += scope == SCOPE_SYNC ? table->self_cpu_shown : 0;
        }
        cr_expect_eq(sum, whole, "%s: %lld of %lld", phased[i], (long long)sum, (long long)whole);
        cr_expect_eq(recompute > 0, i == 0, "%s", phased[i]);
        cr_expect_eq(sync > 0, i == 1, "%s", phased[i]);
        table_free(table);
        trace_free(trace);
    }
}
