/*
 * Collectives of several ranks: arrivals against a small computation of its own, clocks that agree and that do not,
 * what recorded arguments say.
 */
#include <criterion/criterion.h>
#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "keyavg/array.h"
#include "keyavg/text.h"
#include "keyavg/trace.h"
#include "support/render.h"
#include "support/words.h"

enum { RANKS = 6, CALLS_MOST = 32 };

static const cJSON *member(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

/* -- Recorded ranks ---------------------------------------------------------------------------------------------- */

struct call {
    char name[32];
    double start, duration; /* us */
};

static int by_start(const void *a, const void *b)
{
    const struct call *x = a, *y = b;
    return (x->start > y->start) - (x->start < y->start);
}

/* Kernels of NCCL in one trace, by start. */
static int read_calls(const char *path, struct call *calls)
{
    char *text = support_read(path, NULL);
    cJSON *json = cJSON_Parse(text);
    const cJSON *event;
    int count = 0;
    cJSON_ArrayForEach(event, member(json, "traceEvents"))
    {
        const cJSON *cat = member(event, "cat"), *name = member(event, "name");
        if (!cJSON_IsString(cat) || strcmp(cat->valuestring, "kernel") != 0 ||
            strncmp(name->valuestring, "nccl", 4) != 0)
            continue;
        cr_assert_lt(count, CALLS_MOST);
        const char *word = strchr(name->valuestring, '_') + 1;
        snprintf(calls[count].name, sizeof calls[count].name, "%.*s", (int)strcspn(word, "_"), word);
        calls[count].start = member(event, "ts")->valuedouble;
        calls[count++].duration = member(event, "dur")->valuedouble;
    }
    qsort(calls, (size_t)count, sizeof *calls, by_start);
    cJSON_Delete(json);
    free(text);
    return count;
}

/* All have the same collectives in the same order; `sequence` ends in the place among those of one name. */
static void check_row(struct call (*calls)[CALLS_MOST], int count, const cJSON *row)
{
    const char *name = member(row, "collective")->valuestring;
    int place = atoi(strchr(member(row, "sequence")->valuestring, '#') + 1), at = -1;
    for (int i = 0; i < count && place > 0; i++) {
        place -= strcmp(calls[0][i].name, name) == 0;
        at = i;
    }
    cr_assert_geq(at, 0);
    double first = HUGE_VAL, last = -HUGE_VAL, shortest = HUGE_VAL, longest = 0;
    int last_rank = -1;
    for (int r = 0; r < RANKS; r++) {
        const struct call *call = &calls[r][at];
        cr_assert_str_eq(call->name, name);
        last_rank = call->start > last ? r : last_rank;
        last = fmax(last, call->start);
        first = fmin(first, call->start);
        shortest = fmin(shortest, call->duration);
        longest = fmax(longest, call->duration);
    }
    cr_expect_float_eq(member(row, "arrival_spread")->valuedouble, last - first, 0.001, "%s %d", name, at);
    cr_expect_float_eq(member(row, "shortest")->valuedouble, shortest, 0.001);
    cr_expect_float_eq(member(row, "longest")->valuedouble, longest, 0.001);
    cr_expect_eq((int)member(row, "last_rank")->valuedouble, last_rank, "%s %d", name, at);
    cr_expect_eq((int)member(row, "ranks")->valuedouble, RANKS);
}

Test(collectives, arrivals_of_dlrm8)
{
    static struct call calls[RANKS][CALLS_MOST];
    struct text words = {0};
    int count = 0;
    text_add_string(&words, "--collectives --format json");
    for (int r = 0; r < RANKS; r++) {
        char name[64];
        snprintf(name, sizeof name, "dlrm8/worker%d.json.gz", r);
        const char *path = words_shared(name);
        text_addf(&words, " %s", path);
        count = read_calls(path, calls[r]);
        cr_assert_eq(count, 8);
    }
    struct words_run run = words_run(words.bytes, NULL, NULL);
    cr_assert_eq(run.status, 0, "%s", run.err.bytes);
    cJSON *json = cJSON_Parse(run.out.bytes);
    const cJSON *row;
    cr_expect(cJSON_IsTrue(member(member(json, "clocks"), "agree")));
    cr_expect_eq(cJSON_GetArraySize(member(json, "rows")), count);
    cJSON_ArrayForEach(row, member(json, "rows"))
        check_row(calls, count, row);
    cJSON_Delete(json);
    words_run_free(&run);
    text_free(&words);
}

Test(collectives, annotations_of_gloo)
{
    char words[4096];
    snprintf(words, sizeof words, "--batch --collectives %s", words_sample("ddp"));
    words_tell(words, 0, "5 collectives of 4 ranks\n", NULL);
    words_tell(words, 0, "clocks agree: 3 of 3 collectives that wait for all ranks overlap on all of them\n", NULL);
    words_tell(words, 0,
               "waited for most: rank 2 (3 times, 25.128ms), rank 3 (1 time, 7.308ms), rank 1 (1 time, 7.255ms)\n",
               NULL);
}

/* -- Made ones --------------------------------------------------------------------------------------------------- */

/* A kernel, the op that launched it and the arguments of both. */
static void add_call(struct text *out, int id, const char *op_args, const char *kernel_args, double start,
                     double duration)
{
    text_addf(
        out,
        "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"record_param_comms\",\"pid\":1,\"tid\":1,\"ts\":%.3f,\"dur\":2,"
        "\"args\":{\"External id\":%d%s}},\n",
        start - 10, id, op_args);
    text_addf(
        out,
        "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"ncclDevKernel_AllReduce_Sum_f32_RING_LL(x)\",\"pid\":0,"
        "\"tid\":7,"
        "\"ts\":%.3f,\"dur\":%.3f,\"args\":{\"External id\":%d,\"correlation\":%d,\"device\":0,\"stream\":7%s}}",
        start, duration, id, id + 1000, kernel_args);
}

static const char *rank_file(int rank, const char *header, const struct text *events)
{
    struct text text = {0};
    char name[32];
    snprintf(name, sizeof name, "rank%d.json", rank);
    text_addf(&text, "{\"distributedInfo\":{\"rank\":%d,\"world_size\":2}%s,\n\"traceEvents\":[\n%s\n]}", rank, header,
              events->bytes);
    const char *path = words_file(name, text.bytes);
    text_free(&text);
    return path;
}

/* Two ranks whose second has its events `shift` us later; the words run on both. */
static void two_ranks(const char *words, const char *const headers[2], double shift, const char *out, const char *err)
{
    struct text line = {0};
    text_addf(&line, "--batch --collectives %s", words);
    for (int r = 0; r < 2; r++) {
        struct text events = {0};
        double by = 500 + (r == 1 ? shift : 0);
        add_call(&events, 1, ",\"Seq\":71,\"Process Group Name\":\"tp\"", ",\"Collective name\":\"allreduce\"", by,
                 90 - 30 * r);
        text_add_string(&events, ",\n");
        add_call(&events, 2, ",\"Seq\":71,\"Process Group Name\":\"dp\"", ",\"Collective name\":\"allreduce\"",
                 by + 100, 50);
        if (r == 0) {
            text_add_string(&events, ",\n");
            add_call(&events, 3, ",\"Seq\":\"72\",\"Process Group Name\":\"dp\"", "", by + 200, 50);
        }
        text_addf(&line, " %s", rank_file(r, headers[r], &events));
        text_free(&events);
    }
    words_tell(line.bytes, 0, out, err);
    text_free(&line);
}

static const char *const plain[2] = {"", ""};

/* Numbers and groups of the op's arguments, names of the kernel's; the same number in two groups is two collectives. */
Test(collectives, recorded_sequence_and_group)
{
    two_ranks("-f csv -s sequence -a", plain, 30,
              "allreduce,tp,71,2,30.000,0,1,60.000,90.000\r\nallreduce,dp,71,2,30.000,0,1,50.000,50.000\r\n"
              "AllReduce,dp,72,1,,,,50.000,50.000\r\n", NULL);
    two_ranks("", plain, 30, "3 collectives of 2 ranks; 1 of one rank alone\n", NULL);
    two_ranks("-f csv -F 'all arrival_spread>20us' -c group,last_rank", plain, 30,
              "group,last_rank\r\ntp,1\r\ndp,1\r\n", NULL);
}

Test(collectives, clocks_that_do_not_agree)
{
    static const char *const mixed[2] = {",\"baseTimeNanoseconds\":1700000000000000000", ""};
    static const char *const bases[2] = {",\"baseTimeNanoseconds\":1700000000000000000",
                                         ",\"baseTimeNanoseconds\":1700000000000040000"};
    two_ranks("-f csv -s sequence -a", plain, 5000, "allreduce,tp,71,2,,,,60.000,90.000\r\n",
              "who arrived last cannot be told: 0 of 2 collectives that wait for all ranks overlap on all of them\n");
    two_ranks("", mixed, 0, "no arrivals: some files have baseTimeNanoseconds and others do not", NULL);
    /* The base counts: 40 us later and 10 us earlier. */
    two_ranks("-f csv -s sequence -a", bases, -10, "allreduce,tp,71,2,30.000,0,1,60.000,90.000\r\n", NULL);
}

Test(collectives, what_cannot_be_is_told)
{
    char words[4096];
    const char *path = words_sample("ddp");
    static const struct {
        const char *words, *err;
    } cases[] = {
        {"-s self_cpu_time_total", "--collectives has no column 'self_cpu_time_total'; it has collective, group"},
        {"-c key", "--collectives has no column 'key'"},
        {"-g step", "--group-by is for the table; --collectives shows single calls"},
        {"-F step:1", "a filter of --collectives has words of the name and terms on its columns"},
        {"--by-rank", "--by-rank is for the table"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snprintf(words, sizeof words, "--collectives %s %s", cases[i].words, path);
        words_tell(words, 2, NULL, cases[i].err);
    }
    snprintf(words, sizeof words, "--collectives --ranks %s", words_sample("mlp_all/trace.json.gz"));
    words_tell(words, 3, NULL,
               "no collectives in these traces: neither kernels of NCCL nor annotations such as nccl:all_reduce");
    char summary[1024];
    snprintf(summary, sizeof summary, "%s", words_file("one.kavg", ""));
    snprintf(words, sizeof words, "--summarise %s %s", summary, words_sample("ddp/rank0/trace.json.gz"));
    words_tell(words, 0, NULL, NULL);
    snprintf(words, sizeof words, "--collectives %s", summary);
    words_tell(words, 2, NULL, "one.kavg: a summary does not keep single collectives; give the traces; left out");
}

/* -- Texts of several events ------------------------------------------------------------------------------------- */

struct seen {
    const struct trace *trace;
    uint32_t count;
    uint64_t last;
};

static void see(void *context, uint32_t event, struct span text)
{
    struct seen *seen = context;
    struct text alone = {0};
    uint64_t offset = events_offset(&seen->trace->events, event);
    cr_assert(trace_event_text(seen->trace, event, NULL, NULL, &alone, NULL));
    cr_assert(span_equal(text_span(&alone), text), "event %u", event);
    cr_assert(seen->count == 0 || offset > seen->last);
    seen->last = offset;
    seen->count++;
    text_free(&alone);
}

/* In one go as one by one, packed and plain. */
Test(collectives, texts_of_events)
{
    static const char *const names[] = {"gpu_small/trace.json", "ddp/rank1/trace.json.gz"};
    for (int i = 0; i < 2; i++) {
        struct trace *trace = support_trace_file(words_sample(names[i]));
        ARRAY(uint32_t) events = {0};
        for (uint32_t e = trace->events.count; e-- > 0;)
            if (e % 3 == 0 && events_offset(&trace->events, e) != UINT64_MAX)
                array_push(&events, e);
        struct seen seen = {.trace = trace};
        struct error error = {0};
        cr_assert(trace_event_texts(trace, events.items, (uint32_t)events.count, see, &seen, &error), "%s", error.text);
        cr_expect_eq(seen.count, events.count);
        cr_expect_gt(seen.count, 50);
        array_free(&events);
        trace_free(trace);
    }
}

/* Numbers of a file made to overflow end in a table or in an error, never in anything else. */
Test(collectives, hostile_numbers)
{
    static const char *const headers[] = {
        "{\"rank\":9223372036854775807,\"world_size\":9223372036854775807}", "{\"rank\":-5,\"world_size\":-9}",
        "{\"rank\":\"99999999999\",\"world_size\":1}", "{\"rank\":2147483647,\"world_size\":2147483647}",
    };
    struct text words = {0}, table = {0};
    text_add_string(&words, "--batch --collectives");
    text_add_string(&table, "--batch");
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        struct text text = {0};
        char name[32];
        snprintf(name, sizeof name, "hostile%zu.json", i);
        text_addf(&text, "{\"distributedInfo\":%s,\"baseTimeNanoseconds\":9223372036854775807,\"traceEvents\":[\n",
                  headers[i]);
        add_call(&text, 1, "", "", 9223372036854000.0 - 10.0 * (double)i, 9223372036854000.0);
        text_add_string(&text, "\n]}");
        const char *path = words_file(name, text.bytes);
        text_addf(&words, " %s", path);
        text_addf(&table, " %s", path);
        text_free(&text);
    }
    words_tell(words.bytes, 0, "1 collective of 4 ranks\n", "tell no rank");
    words_tell(table.bytes, 0, "of 4 ranks", "tell no rank");
    text_free(&words);
    text_free(&table);
}
