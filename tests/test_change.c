/*
 * What a comparison says of a change: a regression put into a copy, formats, noise, steps, filters, --fail-if.
 */
#include <criterion/criterion.h>
#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "keyavg/text.h"
#include "support/render.h"
#include "support/words.h"

/* Times in json are us with three decimals: whole ns. */
static long long ns_of(const cJSON *number)
{
    return llround(number->valuedouble * 1000);
}

static const cJSON *member(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

/* -- A regression put into a copy -------------------------------------------------------------------------------- */

static cJSON *read_trace(const char *path)
{
    char *text = support_read(path, NULL);
    cJSON *json = cJSON_Parse(text);
    cr_assert_not_null(json);
    free(text);
    return json;
}

static const char *write_trace(const char *name, cJSON *json)
{
    char *text = cJSON_PrintUnformatted(json);
    const char *path = words_file(name, text);
    free(text);
    return path;
}

static bool is_event(const cJSON *event, const char *cat, const char *name)
{
    const cJSON *own_cat = member(event, "cat"), *own_name = member(event, "name");
    return cJSON_IsString(own_cat) && strcmp(own_cat->valuestring, cat) == 0 && strstr(own_name->valuestring, name) != NULL;
}

static double number_of(const cJSON *event, const char *name)
{
    return member(event, name)->valuedouble;
}

/* Makes all that starts at or after a time of the thread start later, and all that ends behind it end later. */
static void stretch(cJSON *events, const cJSON *at, double time, double by)
{
    cJSON *event;
    double pid = number_of(at, "pid"), tid = number_of(at, "tid");
    cJSON_ArrayForEach(event, events)
    {
        if (!cJSON_IsNumber(member(event, "pid")) || member(event, "dur") == NULL)
            continue;
        bool same = fabs(number_of(event, "pid") - pid) < 0.5 && fabs(number_of(event, "tid") - tid) < 0.5;
        double start = number_of(event, "ts"), duration = number_of(event, "dur");
        if (!same)
            continue;
        if (start >= time)
            cJSON_SetNumberValue(cJSON_GetObjectItem(event, "ts"), start + by);
        else if (start + duration >= time)
            cJSON_SetNumberValue(cJSON_GetObjectItem(event, "dur"), duration + by);
    }
}

/* The explorer's first three rows: below the title, the crumbs and the header. */
static void check_screen(const char *plain, const char *changed)
{
    static const char *const rows[] = {"  aten::threshold_backward ", "  aten::detach ", " >ampere_sgemm_128x64_nt "};
    setenv("LC_ALL", "C.UTF-8", 1);
    struct words_run screen = words_run("--play '' --screen 100x24 $1 $2", plain, changed);
    const char *line = screen.out.bytes;
    for (int i = 0; i < 3; i++)
        line = strchr(line, '\n') + 1;
    for (int i = 0; i < 3; i++, line = strchr(line, '\n') + 1)
        cr_expect_eq(strncmp(line, rows[i], strlen(rows[i])), 0, "row %d:\n%s", i + 1, screen.out.bytes);
    words_run_free(&screen);
}

/* One op made slower, one called once more, one kernel renamed: the first three rows name them. */
Test(compare, regression_is_found)
{
    cJSON *base = read_trace(words_sample("gpu_small/trace.json")), *json = cJSON_Duplicate(base, true);
    cJSON *events = cJSON_GetObjectItem(json, "traceEvents"), *event;
    const char *plain = write_trace("base.json", base);
    const cJSON *slow = NULL, *often = NULL;
    cJSON_ArrayForEach(event, events)
    {
        if (slow == NULL && is_event(event, "cpu_op", "aten::threshold_backward"))
            slow = event;
        if (is_event(event, "kernel", "ampere_sgemm_128x64_nt"))
            cJSON_SetValuestring(cJSON_GetObjectItem(event, "name"), "ampere_sgemm_32x32_nt");
    }
    stretch(events, slow, number_of(slow, "ts") + number_of(slow, "dur"), 500);
    /* A second call right behind another one. */
    cJSON_ArrayForEach(event, events)
        if (is_event(event, "cpu_op", "aten::detach"))
            often = event;
    double end = number_of(often, "ts") + number_of(often, "dur");
    stretch(events, often, end + 0.001, number_of(often, "dur") + 1);
    cJSON *again = cJSON_Duplicate(often, true);
    cJSON_SetNumberValue(cJSON_GetObjectItem(again, "ts"), end + 0.5);
    cJSON_DeleteItemFromObject(cJSON_GetObjectItem(again, "args"), "External id");
    cJSON_AddItemToArray(events, again);
    const char *changed = write_trace("new.json", json);

    cJSON *found = words_json_of("--format json $1 $2", plain, changed);
    const cJSON *rows = member(found, "rows"), *row = cJSON_GetArrayItem(rows, 0);
    cr_expect_str_eq(member(row, "key")->valuestring, "aten::threshold_backward");
    cr_expect_eq(ns_of(member(member(row, "self_cpu_time_total"), "by_call")), 500000);
    cr_expect_eq(ns_of(member(member(row, "self_cpu_time_total"), "by_calls")), 0);
    row = cJSON_GetArrayItem(rows, 1);
    cr_expect_str_eq(member(row, "key")->valuestring, "aten::detach");
    cr_expect_float_eq(number_of(member(row, "count"), "diff"), 1, 1e-9);
    row = cJSON_GetArrayItem(rows, 2);
    cr_expect_str_eq(member(row, "key")->valuestring, "ampere_sgemm_128x64_nt");
    cr_expect_str_eq(member(row, "change")->valuestring, "renamed");
    cr_expect_str_eq(member(row, "renamed_to")->valuestring, "ampere_sgemm_32x32_nt");
    cr_expect_eq(ns_of(member(member(row, "self_device_time_total"), "diff")), 0);
    check_screen(plain, changed);
    cJSON_Delete(found);
    cJSON_Delete(json);
    cJSON_Delete(base);
    unlink(plain);
    unlink(changed);
}

/* -- Small traces ------------------------------------------------------------------------------------------------ */

struct call {
    const char *name;
    double us;
};

/* Ops one behind the other. */
static const char *ops(const char *file, const struct call *calls)
{
    struct text out = {0};
    double at = 1000;
    text_add_string(&out, "{\"traceEvents\": [");
    for (int i = 0; calls[i].name != NULL; i++) {
        text_addf(&out, "%s{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"%s\", \"pid\": 1, \"tid\": 1, \"ts\": %.3f, "
                  "\"dur\": %.3f}", i > 0 ? ", " : "", calls[i].name, at, calls[i].us);
        at += calls[i].us + 10;
    }
    text_add_string(&out, "]}");
    const char *path = words_file(file, out.bytes);
    text_free(&out);
    return path;
}

static const struct call before[] = {{"copy", 10}, {"copy", 12}, {"mm", 100}, {"mm", 102}, {"mm", 98}, {"old", 5},
                                     {"same", 7}, {NULL, 0}};
static const struct call after[] = {{"copy", 11}, {"copy", 13}, {"copy", 12}, {"mm", 101}, {"mm", 103}, {"mm", 99},
                                    {"fresh", 30}, {"same", 7}, {NULL, 0}};

Test(compare, formats)
{
    const char *a = ops("a.json", before), *b = ops("b.json", after);
    words_print("--columns key,change,count,self_cpu_time_total --format csv $1 $2", a, b, 0,
           "key,change,count.base,count.new,count.diff,count.ratio,self_cpu_time_total.base,self_cpu_time_total.new,"
           "self_cpu_time_total.diff,self_cpu_time_total.ratio\r\n"
           "fresh,new,,1,1,,,30.000,30.000,\r\n"
           "copy,,2,3,1,1.5000,22.000,36.000,14.000,1.6364\r\n"
           "old,gone,1,,-1,0.0000,5.000,,-5.000,0.0000\r\n"
           "mm,~,3,3,0,1.0000,300.000,303.000,3.000,1.0100\r\n", "");
    words_print("--columns key,self_cpu_time_total.by_calls,self_cpu_time_total.by_call,self_cpu_time_total.share,"
           "self_cpu_time_total.noise --format tsv $1 $2", a, b, 0,
           "key\tself_cpu_time_total.by_calls\tself_cpu_time_total.by_call\tself_cpu_time_total.share\t"
           "self_cpu_time_total.noise\n"
           "fresh\t30.000\t0.000\t71.4286\tfalse\n"
           "copy\t11.000\t3.000\t33.3333\tfalse\n"
           "old\t-5.000\t0.000\t-11.9048\tfalse\n"
           "mm\t0.000\t3.000\t7.1429\ttrue\n", "");
    words_print("--columns key,count --format markdown --row-limit 1 $1 $2", a, b, 0,
           "| key | count.base | count.new | count.diff | count.ratio |\n"
           "| --- | ---: | ---: | ---: | ---: |\n"
           "| fresh |  | 1 | 1 |  |\n", "");
    struct words_run text = words_run("$1 $2", a, b);
    static const char *const lines[] = {
        "Name   Change  # of Calls base  new  Self CPU base        new     change  ratio   by calls   by call    share\n",
        "\nfresh  new                  --    1             --   30.000us  +30.000us     --  +30.000us   0.000us   71.43%\n",
        "\ncopy                         2    3       22.000us   36.000us  +14.000us  1.64x  +11.000us  +3.000us   33.33%\n",
        "\nold    gone                  1   --        5.000us         --   -5.000us  0.00x   -5.000us   0.000us  -11.90%\n",
        "\nmm     ~                     3    3      300.000us  303.000us   +3.000us  1.01x    0.000us  +3.000us    7.14%\n",
        "\nSelf CPU time total: 334.000us -> 376.000us  +42.000us  1.13x\n",
        "\n1 new, 1 gone, 1 row unchanged (--unchanged shows it)\n",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        cr_expect_not_null(strstr(text.out.bytes, lines[i]), "%s is not in\n%s", lines[i], text.out.bytes);
    words_run_free(&text);
    unlink(a);
    unlink(b);
}

Test(compare, fail_if)
{
    const char *a = ops("a.json", before), *b = ops("b.json", after);
    char err[1024];
    words_print("--fail-if 'self_cpu_time_total > 70%' --format csv --columns key $1 $2", a, b, 4, "key\r\nfresh\r\ncopy\r\nold\r\nmm\r\n",
           "keyavg: --fail-if 'self_cpu_time_total > 70%': 1 row\n"
           "  fresh  0.000us -> 30.000us  +30.000us\n");
    words_print("--fail-if 'self_cpu_time_total>60%' --fail-if total:self_cpu_time_total>12% $1 $2", a, b, 4, NULL,
           "keyavg: --fail-if 'self_cpu_time_total>60%': 2 rows\n"
           "  fresh  0.000us -> 30.000us  +30.000us\n"
           "  copy  22.000us -> 36.000us  +14.000us (+63.64%)\n"
           "keyavg: --fail-if 'total:self_cpu_time_total>12%': it has\n"
           "  total  334.000us -> 376.000us  +42.000us (+12.57%)\n");
    words_print("--fail-if total:self_cpu_time_total>13% --filter !fresh --fail-if 'self_cpu_time_total > 1ms' $1 $2", a, b, 0,
           NULL, "");
    /* The limit itself is not above it; `>=` is. */
    words_print("--fail-if 'self_cpu_time_total > 14us' --filter copy $1 $2", a, b, 0, NULL, "");
    snprintf(err, sizeof err, "keyavg: --fail-if 'self_cpu_time_total >= 14us': 1 row\n"
             "  copy  22.000us -> 36.000us  +14.000us (+63.64%%)\n");
    words_print("--fail-if 'self_cpu_time_total >= 14us' --filter copy $1 $2", a, b, 4, NULL, err);
    words_print("--fail-if 'count > 0' --filter copy $1 $2", a, b, 4, NULL,
           "keyavg: --fail-if 'count > 0': 1 row\n  copy  2 -> 3  +1 (+50.00%)\n");
    words_print("--fail-if 'cpu_time > 5%' --filter copy $1 $2", a, b, 4, NULL,
           "keyavg: --fail-if 'cpu_time > 5%': 1 row\n  copy  11.000us -> 12.000us  +1.000us (+9.09%)\n");
    /* Nothing grows against itself, nor backwards. */
    words_print("--fail-if 'self_cpu_time_total >= 0%' --fail-if 'count >= 0' $1 $1", a, b, 0, NULL, "");
    words_print("--fail-if 'self_cpu_time_total > 500%' --filter 'mm' $2 $1", a, b, 0, NULL, "");
    unlink(a);
    unlink(b);
}

Test(compare, fail_if_refuses)
{
    static const struct {
        const char *words, *err;
    } cases[] = {
        {"--fail-if self_cpu_time_total $1 $2",
         "keyavg: --fail-if 'self_cpu_time_total': it is COLUMN > N%, COLUMN > 1ms or total:COLUMN > N%\n"},
        {"--fail-if 'self_cpu_tme_total > 5%' $1 $2", "keyavg: --fail-if 'self_cpu_tme_total > 5%': did you mean "
                                                      "self_cpu_time_total? there is no column self_cpu_tme_total\n"},
        {"--fail-if 'self_cpu_time_total > 5x' $1 $2",
         "keyavg: --fail-if 'self_cpu_time_total > 5x': a limit is 5% or a time such as 1ms, not 5x\n"},
        {"--fail-if 'self_cpu_time_total > -5%' $1 $2",
         "keyavg: --fail-if 'self_cpu_time_total > -5%': a limit is 5% or a time such as 1ms, not -5%\n"},
        {"--fail-if 'self_cpu_time_total >' $1 $2",
         "keyavg: --fail-if 'self_cpu_time_total >': a limit is 5% or a time such as 1ms, not\n"},
        {"--fail-if 'key > 5%' $1 $2", "keyavg: --fail-if 'key > 5%': no time, count, bytes or operations of a row is key\n"},
        {"--fail-if 'total:cpu_time > 5%' $1 $2",
         "keyavg: --fail-if 'total:cpu_time > 5%': no column that is summed over calls is cpu_time\n"},
        {"--fail-if 'count > 5%' $1", "keyavg: --fail-if is for two traces: keyavg [OPTION]... BASE NEW\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        words_print(cases[i].words, "a", "b", 2, "", cases[i].err);
}

/* The noise mark is what facet.c says: at most twice the standard error of the difference of the means. */
Test(compare, noise)
{
    /* Four calls of mean 100, deviation 10 (sample variance 400/3); the error of a difference of two such means is
     * sqrt(2 * 400/3 / 4) = 8.165. */
    static const struct call base[] = {{"x", 90}, {"x", 110}, {"x", 90}, {"x", 110}, {NULL, 0}};
    static const struct call within[] = {{"x", 106.3}, {"x", 126.3}, {"x", 106.3}, {"x", 126.3}, {NULL, 0}};
    static const struct call beyond[] = {{"x", 106.4}, {"x", 126.4}, {"x", 106.4}, {"x", 126.4}, {NULL, 0}};
    static const struct call fewer[] = {{"x", 90}, {"x", 110}, {"x", 90}, {NULL, 0}};
    const char *words = "--columns self_cpu_time_total.noise --format tsv $1 $2";
    const char *a = ops("a.json", base), *b = ops("b.json", within), *c = ops("c.json", beyond),
        *d = ops("d.json", fewer);
    words_print(words, a, b, 0, "self_cpu_time_total.noise\ntrue\n", "");
    words_print(words, b, a, 0, "self_cpu_time_total.noise\ntrue\n", "");
    words_print(words, a, c, 0, "self_cpu_time_total.noise\nfalse\n", "");
    words_print(words, a, d, 0, "self_cpu_time_total.noise\nfalse\n", "");
    unlink(a);
    unlink(b);
    unlink(c);
    unlink(d);
}

/* -- Sides, steps, filters --------------------------------------------------------------------------------------- */

/* `steps` steps from `first` on, each with `calls` calls of x of 10 us and one of y of 30 us. */
static const char *steps(const char *file, int first, int count, int calls)
{
    struct text out = {0};
    text_add_string(&out, "{\"traceEvents\": [");
    for (int s = 0; s < count; s++) {
        int at = 10000 + s * 2000;
        text_addf(&out, "%s{\"ph\": \"X\", \"cat\": \"user_annotation\", \"name\": \"ProfilerStep#%d\", \"pid\": 1, \"tid\": 1, "
                  "\"ts\": %d, \"dur\": 1000}", s > 0 ? ", " : "", first + s, at);
        for (int i = 0; i < calls; i++)
            text_addf(&out, ", {\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"x\", \"pid\": 1, \"tid\": 1, \"ts\": %d, "
                      "\"dur\": %d}", at + 20 * i, 10 + s);
        text_addf(&out, ", {\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"y\", \"pid\": 1, \"tid\": 1, \"ts\": %d, "
                  "\"dur\": 30}", at + 900);
    }
    text_add_string(&out, "]}");
    const char *path = words_file(file, out.bytes);
    text_free(&out);
    return path;
}

Test(compare, per_step)
{
    const char *a = steps("a.json", 3, 2, 3), *b = steps("b.json", 10, 4, 3);
    /* Twice as many steps: without --per-step all has doubled. */
    words_print("--columns key,count,cpu_time_total.diff --format csv --filter kind:op $1 $2", a, b, 0,
           "key,count.base,count.new,count.diff,count.ratio,cpu_time_total.diff\r\n"
           "x,6,12,6,2.0000,75.000\r\ny,2,4,2,2.0000,60.000\r\n", "");
    /* x takes 10 and 11, or 10 to 13 us: 31.5 and 34.5 a step. y is unchanged. */
    words_print("--per-step --columns key,count,cpu_time_total,cpu_time_total.by_calls,cpu_time_total.by_call --format csv --filter kind:op $1 $2",
           a, b, 0,
           "key,count.base,count.new,count.diff,count.ratio,cpu_time_total.base,cpu_time_total.new,cpu_time_total.diff,"
           "cpu_time_total.ratio,cpu_time_total.by_calls,cpu_time_total.by_call\r\n"
           "x,3,3,0,1.0000,31.500,34.500,3.000,1.0952,0.000,3.000\r\n", "");
    /* Steps with no number in common are paired by their place, and that is said. */
    words_print("--group-by step --columns key,cpu_time_total.base,cpu_time_total.new --format csv --filter kind:op $1 $2", a, b, 0,
           "key,cpu_time_total.base,cpu_time_total.new\r\nstep 13,,69.000\r\nstep 12,,66.000\r\n",
           "keyavg: the traces have no step in common: the first is compared with the first\n");
    unlink(a);
    unlink(b);
}

Test(compare, sides_of_one_file)
{
    const char *a = steps("a.json", 3, 2, 3);
    words_print("--base-filter step:3 --new-filter step:4 --filter kind:op --columns key,cpu_time_total --format csv $1", a, NULL, 0,
           "key,cpu_time_total.base,cpu_time_total.new,cpu_time_total.diff,cpu_time_total.ratio\r\n"
           "x,30.000,33.000,3.000,1.1000\r\n", "");
    words_print("--new-filter name:y --columns key,change --format csv --filter kind:op $1", a, NULL, 0,
           "key,change\r\nx,gone\r\n", "");
    words_print("--base-filter step: $1", a, NULL, 2, "", "keyavg: filter, at 6: nothing stands behind the colon\n");
    unlink(a);
}

/* A row stays when either side passes; terms on facets see what lies between the sides. */
Test(compare, filters_on_columns)
{
    const char *a = ops("a.json", before), *b = ops("b.json", after);
    words_print("--columns key --format csv --filter self_cpu_time_total>25us $1 $2", a, b, 0,
           "key\r\nfresh\r\ncopy\r\nmm\r\n", "");
    words_print("--columns key --format csv --filter self_cpu_time_total.diff>10us $1 $2", a, b, 0,
                "key\r\nfresh\r\ncopy\r\n", "");
    words_print("--columns key --format csv --filter change=new $1 $2", a, b, 0, "key\r\nfresh\r\n", "");
    words_print("--columns key --format csv --filter !change=new --sort-by self_cpu_time_total.diff $1 $2", a, b, 0,
           "key\r\ncopy\r\nmm\r\nold\r\n", "");
    words_print("--columns key --format csv --sort-by key --ascending $1 $2", a, b, 0,
                "key\r\ncopy\r\nfresh\r\nmm\r\nold\r\n", "");
    words_print("--columns key --format csv --sort-by count --unchanged $1 $2", a, b, 0,
           "key\r\ncopy\r\nold\r\nfresh\r\nmm\r\nsame\r\n", "");
    words_print("--columns key --format csv --hide-below 5 $1 $2", a, b, 0, "key\r\nfresh\r\ncopy\r\nmm\r\n", "");
    words_print("--filter self_cpu_time_total.diff>10us $1", a, b, 2, "",
           "keyavg: the column self_cpu_time_total.diff needs two traces: keyavg BASE NEW\n");
    words_print("--sort-by count.spread $1 $2", a, b, 2, "",
                "keyavg: the column count.spread needs many ranks: keyavg DIR\n");
    words_print("--format torch $1 $2", a, b, 2, "",
           "keyavg: --format torch is for one trace; give text, csv, tsv, json or markdown\n");
    words_print("--compare $1", a, b, 2, "",
           "keyavg: to compare takes two traces, BASE and NEW, or one with --base-filter and --new-filter; here are 1\n");
    words_print("$1 -", a, b, 2, "", "keyavg: standard input (-) is read alone, not with other traces\n");
    unlink(a);
    unlink(b);
}

Test(compare, two_ranks_of_one_run)
{
    words_print("--columns key --format csv --row-limit 0 $1 $2", words_sample("ddp/rank0/trace.json.gz"),
           words_sample("ddp/rank2/trace.json.gz"), 0, "key\r\n",
           "keyavg: these are ranks 0 and 2 of 4 of one run; --ranks shows them as such\n");
}

/* A file that is none is told with its name, whichever it is. */
Test(compare, unreadable)
{
    const char *a = ops("a.json", before);
    words_print("$1 $2", a, "nowhere.json", 1, "", "keyavg: nowhere.json: No such file or directory\n");
    words_print("$2 $1", a, "nowhere.json", 1, "", "keyavg: nowhere.json: No such file or directory\n");
    unlink(a);
}
