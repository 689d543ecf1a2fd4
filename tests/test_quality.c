/*
 * The quality of a trace: torch's own validator's counts on the public traces, each rule and fact on events made for
 * it, damage with its place, and that --view quality and the page tell the same.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../src/ui/drill_view.h"
#include "keyavg/arguments.h"
#include "keyavg/quality.h"
#include "support/explorer.h"
#include "support/loads.h"
#include "support/render.h"
#include "support/skip.h"
#include "support/traces.h"

static const char *const rules[] = {"gpu_kernel_causality", "stream_wait_corr_id_populated", "stream_sync_overlap",
                                    "stream_wait_corr_id_in_past", "nccl_metadata", "backward_seq_id_uniqueness"};
enum { RULES = sizeof rules / sizeof *rules };

/* -- Torch's validator --------------------------------------------------------------------------------------------- */

static void check_file(const char *shared, char *line)
{
    char path[8192];
    char *rest = strchr(line, '\t');
    cr_assert_not_null(rest);
    *rest++ = '\0';
    snprintf(path, sizeof path, "%s/traces/%s", shared, line);
    struct trace *trace = support_trace_file(path);
    struct tree *tree = tree_build(trace, false);
    for (int i = 0; i < RULES; i++) {
        const struct quality_fact *fact = quality_find(tree_quality(tree), rules[i]);
        cr_assert_not_null(fact);
        cr_expect_eq(fact->amount, strtoll(rest, &rest, 10), "%s, %s: %lld", line, rules[i], (long long)fact->amount);
        cr_expect_eq(fact->event_count, fact->amount, "%s", rules[i]);
        cr_expect_eq(fact->state, fact->amount > 0 ? QUALITY_FAULT : QUALITY_OK);
    }
    tree_free(tree);
    trace_free(trace);
}

Test(quality, counts_what_torchs_validator_counts, .timeout = 120)
{
    char path[4096], line[1024];
    const char *shared = support_need_shared();
    snprintf(path, sizeof path, "%s/expected/validator.tsv", shared);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        support_skip("no expected/validator.tsv");
    cr_assert_not_null(fgets(line, sizeof line, file));
    int files = 0;
    for (; fgets(line, sizeof line, file) != NULL; files++)
        check_file(shared, line);
    fclose(file);
    cr_expect_geq(files, 34);
}

/* -- Facts of events made for them --------------------------------------------------------------------------------- */

#define X(category, name, thread, start, duration, args)                                                               \
    "{\"ph\":\"X\",\"cat\":\"" category "\",\"name\":\"" name "\",\"pid\":1,\"tid\":" #thread ",\"ts\":" #start \
    ",\"dur\":" #duration ",\"args\":{" args "}}"
#define LINK(id) "\"External id\":" #id ",\"correlation\":" #id
#define LAUNCH(id, start) X("cuda_runtime", "cudaLaunchKernel", 1, start, 2, LINK(id))
#define ON(stream) ",\"device\":0,\"stream\":" #stream
#define KERNEL(id, start, duration) X("kernel", "gemm", 7, start, duration, LINK(id) ON(7))
#define SYNC(kind, start, more) X("cuda_sync", kind, 7, start, 1, "\"cuda_sync_kind\":\"" kind "\"" ON(7) more)
#define WAITS(id) ",\"wait_on_cuda_event_record_corr_id\":" #id
#define RECORD(name, id, start) X("cuda_runtime", name, 1, start, 1, LINK(id))
#define BACKWARD(name, number) \
    X("cpu_op", "autograd::engine::evaluate_function: " name, 1, 1, 1, "\"Sequence number\":" #number)
#define COMMS(args) X("cpu_op", "record_param_comms", 1, 1, 1, args)
#define FOUR "\"Collective name\":\"allreduce\",\"dtype\":\"Float\",\"In msg nelems\":1,\"Out msg nelems\":1"

static const struct {
    const char *name, *events;
    int64_t amount;
} made[] = {
    {"gpu_kernel_causality", LAUNCH(5, 10) "," KERNEL(5, 9, 3), 1},
    {"gpu_kernel_causality", LAUNCH(5, 10) "," KERNEL(5, 10, 3), 0},
    /* The first kernel against the first launch, whatever else has the id. */
    {"gpu_kernel_causality", LAUNCH(5, 10) "," LAUNCH(5, 20) "," KERNEL(5, 12, 3), 0},
    {"gpu_kernel_causality", LAUNCH(5, 10) "," KERNEL(5, 12, 3) "," KERNEL(5, 8, 1) "," KERNEL(5, 9, 1), 1},
    {"gpu_kernel_causality", X("cuda_driver", "cudaLaunchKernel", 1, 10, 2, LINK(5)) "," KERNEL(5, 9, 3), 0},
    {"gpu_kernel_causality", X("cuda_runtime", "cudaLaunchKernelExC", 1, 10, 2, LINK(5)) "," KERNEL(5, 9, 3), 0},
    {"stream_wait_corr_id_populated", SYNC("Stream Wait Event", 5, ""), 1},
    {"stream_wait_corr_id_populated", SYNC("Stream Wait Event", 5, WAITS(-1)) "," SYNC("Event Sync", 6, WAITS(-1)), 2},
    {"stream_wait_corr_id_populated", SYNC("Event Sync", 6, WAITS(0)) "," SYNC("Stream Sync", 7, ""), 0},
    {"stream_sync_overlap", KERNEL(5, 1, 9) "," SYNC("Stream Sync", 5, ""), 1},
    {"stream_sync_overlap", KERNEL(5, 1, 4) "," SYNC("Stream Sync", 5, ""), 0},
    {"stream_sync_overlap", KERNEL(5, 5, 4) "," SYNC("Stream Sync", 5, ""), 0},
    {"stream_sync_overlap",
     KERNEL(5, 1, 9) "," KERNEL(6, 2, 1) "," SYNC("Stream Sync", 5, "") "," SYNC("Stream Sync", 6, ""), 2},
    {"stream_sync_overlap", X("kernel", "gemm", 8, 1, 9, LINK(5) ON(8)) "," SYNC("Stream Sync", 5, ""), 0},
    {"stream_sync_overlap", X("gpu_memcpy", "copy", 7, 1, 9, LINK(5) ON(7)) "," SYNC("Stream Sync", 5, ""), 0},
    {"stream_wait_corr_id_in_past", RECORD("cudaEventRecord", 4, 3) "," SYNC("Stream Wait Event", 5, WAITS(4)), 0},
    {"stream_wait_corr_id_in_past",
     RECORD("cudaEventRecordWithFlags_ptsz", 4, 5) "," SYNC("Stream Wait Event", 5, WAITS(4)), 0},
    {"stream_wait_corr_id_in_past", RECORD("cudaEventRecord", 4, 6) "," SYNC("Stream Wait Event", 5, WAITS(4)), 1},
    {"stream_wait_corr_id_in_past", RECORD("cudaEventQuery", 4, 3) "," SYNC("Stream Wait Event", 5, WAITS(4)), 1},
    {"stream_wait_corr_id_in_past", SYNC("Stream Wait Event", 5, WAITS(-1)) "," SYNC("Event Sync", 5, WAITS(9)), 0},
    {"nccl_metadata", COMMS(FOUR ",\"Group size\":2") "," COMMS(FOUR) "," COMMS(""), 2},
    {"nccl_metadata", X("cpu_op", "other", 1, 1, 1, ""), 0},
    {"backward_seq_id_uniqueness", BACKWARD("A", 1) "," BACKWARD("A", 1) "," BACKWARD("B", 2), 0},
    {"backward_seq_id_uniqueness", BACKWARD("A", 1) "," BACKWARD("B", 1) "," BACKWARD("C", 1), 1},
    {"early_device_events", LAUNCH(5, 10) "," KERNEL(5, 9, 3), 1},
    {"launches_without_device_event", LAUNCH(5, 10) "," LAUNCH(6, 14) "," KERNEL(6, 15, 1), 1},
    {"unlinked_device_events", LAUNCH(5, 10) "," KERNEL(5, 11, 3), 1},
    {"unlinked_device_events",
     X("cpu_op", "aten::mm", 1, 9, 9, "\"External id\":5") "," LAUNCH(5, 10) "," KERNEL(5, 11, 3), 0},
    {"device_events_without_op",
     X("cpu_op", "aten::mm", 1, 9, 9, "\"External id\":77") "," LAUNCH(5, 10) "," KERNEL(5, 11, 3), 0},
    {"partial_overlaps",
     X("cpu_op", "a", 1, 1, 5, "") "," X("cpu_op", "b", 1, 3, 9, "") "," X("cpu_op", "c", 2, 3, 9, ""), 1},
    {"unknown_category",
     X("what_is_this", "a", 1, 1, 5, "") "," X("Trace", "b", 1, 3, 9, "") "," X("cpu_op", "a", 1, 1, 5, ""), 1},
    {"unfinished_ops",
     X("cpu_op", "a", 1, 1, 5, "\"finished\":false") "," X("cpu_op", "a", 1, 1, 5, "\"finished\":true"), 1},
    {"span", X("cpu_op", "a", 1, 10, 5, "") "," X("cpu_op", "a", 1, 40, 2, ""), 32000},
    {"device_busy",
     LAUNCH(1, 1) "," KERNEL(1, 10, 5) "," KERNEL(2, 12, 5) "," KERNEL(3, 13, 1) "," KERNEL(4, 30, 1), 8000},
    {"cpu_resolution", X("cpu_op", "a", 1, 10.25, 5, "") "," X("cpu_op", "a", 1, 40.75, 2, ""), -1},
};

static struct tree *tree_of_events(const char *events)
{
    return tree_build(support_events(events), false);
}

static void free_both(struct tree *tree)
{
    struct trace *trace = tree->trace;
    tree_free(tree);
    trace_free(trace);
}

Test(quality, facts_of_events_made_for_them)
{
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
        struct tree *tree = tree_of_events(made[i].events);
        const struct quality_fact *fact = quality_find(tree_quality(tree), made[i].name);
        cr_assert_not_null(fact, "%s", made[i].name);
        if (made[i].amount < 0)
            cr_expect(!fact->known && fact->state == QUALITY_PLAIN, "%s", made[i].name);
        else
            cr_expect_eq(fact->amount, made[i].amount, "%s, case %zu: %lld", made[i].name, i, (long long)fact->amount);
        free_both(tree);
    }
}

/* The same with the file read by several threads, whose tables are merged. */
Test(quality, args_of_synchronisation_survive_the_merge_of_parts)
{
    struct text json = {0};
    struct error error = {0};
    text_add_string(&json, "{\"traceEvents\":[");
    for (int i = 0; i < 3000; i++)
        text_addf(&json, "%s{\"ph\":\"X\",\"cat\":\"cuda_sync\",\"name\":\"Stream Wait Event\",\"pid\":0,\"tid\":7,"
                  "\"ts\":%d,\"dur\":1,\"args\":{\"cuda_sync_kind\":\"Stream Wait Event\",\"device\":0,\"stream\":7,"
                  "\"wait_on_cuda_event_record_corr_id\":%d}},\n{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":"
                  "\"cudaEventRecord\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":1,\"args\":{\"correlation\":%d}}",
                  i > 0 ? ",\n" : "", 10 * i + 5, i % 3 == 0 ? -1 : i, 10 * i + (i % 5 == 0 ? 7 : 1), i);
    text_add_string(&json, "]}");
    int64_t expected[2] = {1000, 0};
    for (int i = 1; i < 3000; i++)
        expected[1] += i % 3 != 0 && i % 5 == 0;
    for (unsigned threads = 1; threads <= 4; threads += 3) {
        struct trace_options options = {.threads = threads, .block = 4096};
        struct trace *trace = trace_load_memory_with(json.bytes, json.length, "made", &options, &error);
        cr_assert_not_null(trace);
        struct tree *tree = tree_build(trace, false);
        cr_expect_eq(quality_find(tree_quality(tree), rules[1])->amount, expected[0]);
        cr_expect_eq(quality_find(tree_quality(tree), rules[3])->amount, expected[1]);
        cr_expect_not(trace->has_shapes);
        free_both(tree);
    }
    text_free(&json);
}

Test(quality, what_was_not_recorded_names_its_argument)
{
    static const char *const arguments[][2] = {
        {"record_shapes", ARGUMENT_SHAPES},     {"with_stack", ARGUMENT_STACKS}, {"profile_memory", ARGUMENT_MEMORY},
        {"with_flops", ARGUMENT_FLOPS},         {"with_modules", ARGUMENT_MODULES}, {"device_events", ARGUMENT_DEVICE},
        {"overload_names", ARGUMENT_OVERLOADS}, {"steps", ARGUMENT_STEPS},        {"ranks", ARGUMENT_RANKS},
    };
    struct tree *bare = tree_of_events(X("cpu_op", "aten::mm", 1, 1, 1, ""));
    struct tree *full = tree_build(support_trace_file(support_sample("gpu_small/trace.json")), false);
    for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++) {
        const struct quality_fact *fact = quality_find(tree_quality(bare), arguments[i][0]);
        cr_expect_eq(fact->state, QUALITY_MISSING, "%s", fact->name);
        cr_expect_eq(fact->amount, 0);
        cr_expect_not_null(strstr(fact->advice, arguments[i][1]), "%s: %s", fact->name, fact->advice);
        fact = quality_find(tree_quality(full), arguments[i][0]);
        if (strcmp(fact->name, "overload_names") != 0)
            cr_expect_eq(fact->state, QUALITY_OK, "%s", fact->name);
    }
    cr_expect_eq(quality_find(tree_quality(bare), "cpu_ops")->state, QUALITY_OK);
    free_both(bare);
    free_both(full);
}

/* The overlap is with the outermost call that is crossed: by so much self times are more than the time there was. */
Test(quality, crossing_calls_tell_how_much_counts_twice)
{
    struct tree *tree = tree_of_events(X("cpu_op", "outer", 1, 0, 100, "") "," X("cpu_op", "inner", 1, 10, 60, "") ","
                                       X("cpu_op", "crosses", 1, 50, 150, "") "," X("cpu_op", "later", 1, 300, 5, ""));
    const struct quality_fact *fact = quality_find(tree_quality(tree), "partial_overlaps");
    int64_t self = 0;
    for (uint32_t e = 0; e < tree->count; e++)
        self += amounts_get(&tree->self_cpu, e);
    cr_expect_eq(fact->amount, 1);
    cr_expect_eq(tree->overlap, 50000);
    cr_expect_eq(self - tree->overlap, 205000);
    cr_expect_not_null(strstr(fact->advice, "50.000us count"), "%s", fact->advice);
    free_both(tree);
}

/* One note for each name, up to where that tells nothing any more; the same for any number of threads. */
Test(quality, unknown_categories_are_told_by_name)
{
    struct tree *tree = tree_of_events(X("odd", "a", 1, 1, 1, "") "," X("even", "b", 1, 3, 1, "") ","
                                       X("odd", "c", 1, 5, 1, "") "," X("Trace", "t", 1, 1, 9, "") ","
                                       X("cpu_op", "t", 1, 1, 9, ""));
    const struct quality_fact *fact = quality_find(tree_quality(tree), "unknown_category");
    cr_expect_eq(fact->amount, 3);
    cr_expect_eq(fact->state, QUALITY_NOTE);
    cr_expect_not_null(strstr(fact->advice, "line 1): odd 2, even 1"), "%s", fact->advice);
    cr_expect_eq(tree_quality(tree)->faults, 0);
    free_both(tree);
    struct text json = {0};
    struct error error = {0};
    text_add_string(&json, "{\"traceEvents\":[");
    for (int i = 0; i < 2000; i++)
        text_addf(&json, "%s{\"ph\":\"X\",\"cat\":\"c%d\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":1}",
                  i > 0 ? ",\n" : "", i % 100, i);
    text_add_string(&json, "]}");
    struct trace_options options[2] = {{.threads = 1}, {.threads = 4, .block = 4096}};
    struct trace *traces[2];
    for (int i = 0; i < 2; i++)
        cr_assert_not_null(traces[i] = trace_load_memory_with(json.bytes, json.length, "made", &options[i], &error));
    cr_expect_eq(traces[0]->unknown.count, UNKNOWN_CATEGORIES + 1);
    cr_expect_eq(traces[0]->unknown.items[0].count, 20);
    cr_expect_eq(traces[0]->unknown.items[UNKNOWN_CATEGORIES].count, 20 * (100 - UNKNOWN_CATEGORIES));
    char *difference = support_difference(traces[0], traces[1]);
    cr_expect_null(difference, "%s", difference);
    free(difference);
    trace_free(traces[0]);
    trace_free(traces[1]);
    text_free(&json);
}

/* Damage with its place, and the event in which that is. */
Test(quality, damage_leads_to_its_event)
{
    struct tree *tree = tree_of_events(X("cpu_op", "a", 1, 1, 1, "") ",\n" X("cpu_op", "b\\q", 1, 3, 1, "") ",\n"
                                       X("cpu_op", "c", 1, 5, 1, ""));
    const struct quality *quality = tree_quality(tree);
    const struct quality_fact *fact = quality_find(quality, "illegal_escape");
    cr_assert_not_null(fact);
    cr_expect_eq(fact->amount, 1);
    cr_expect_eq(fact->offset, tree->trace->notes.of[NOTE_ILLEGAL_ESCAPE].offset);
    cr_expect_eq(fact->line, tree->trace->notes.of[NOTE_ILLEGAL_ESCAPE].line);
    cr_assert_eq(fact->event_count, 1);
    cr_expect_eq(tree->trace->events.start[fact->events[0]], 3000);
    cr_expect_eq(quality->faults, 1);
    cr_expect_str_eq(quality->verdict, "illegal escapes 1");
    cr_expect_eq(quality_find(quality, "repaired")->amount, 1);
    cr_expect_eq(quality_find(quality, "skipped")->amount, 0);
    cr_expect_null(quality_find(quality, "damaged"));
    free_both(tree);
}

/* What the page counts is what other parts of the program count. */
Test(quality, agrees_with_launches_and_lists_in_order, .timeout = 120)
{
    struct support_traces traces = support_traces_below(support_samples_dir(), false);
    for (unsigned i = 0; i < traces.count; i++) {
        struct tree *tree = tree_build(support_trace_file(traces.paths[i]), false);
        const struct quality *quality = tree_quality(tree);
        for (size_t k = 0; k < quality->facts.count; k++) {
            const struct quality_fact *fact = &quality->facts.items[k];
            for (uint32_t e = 0; e < fact->event_count; e++)
                cr_expect(fact->events[e] < tree->count && (e == 0 || fact->events[e - 1] < fact->events[e]));
            cr_expect(fact->part < QUALITY_PARTS && (k == 0 || fact[-1].part <= fact->part));
            cr_expect_gt(fact->over, 0);
            cr_expect_gt(strlen(fact->advice), 0);
        }
        const struct quality_fact *idle = quality_find(quality, "device_idle");
        if (idle != NULL && idle->known)
            cr_expect_eq(idle->amount + quality_find(quality, "device_busy")->amount,
                         quality_find(quality, "span")->amount);
        free_both(tree);
    }
    support_traces_free(&traces);
}

/* -- Batch and screen ---------------------------------------------------------------------------------------------- */

static struct support_bytes print(const char *path, const char *format, const char *wanted)
{
    struct support_bytes out;
    int status;
    const char *argv[] = {support_keyavg(), "--view", "quality", "--format", format, path,
                          wanted != NULL ? "--columns" : NULL, wanted, NULL};
    setenv("LC_ALL", "C.UTF-8", 1);
    cr_assert(support_run(argv, &out, NULL, &status));
    cr_expect_eq(status, 0);
    return out;
}

Test(quality, batch_prints_it_as_text_csv_and_json)
{
    const char *path = support_sample("names_2_13/trace.json.gz");
    struct support_bytes text = print(path, "text", NULL), json = print(path, "json", NULL);
    struct support_bytes csv = print(path, "csv", "check,amount,unit,state,line");
    cr_expect_not_null(strstr(text.bytes, "the file   not clean: unescaped quotes 1"), "%s", text.bytes);
    cr_expect_not_null(strstr(text.bytes, "record_shapes=True records shapes"));
    cr_expect_not_null(strstr(csv.bytes, "\nquote_repaired,1,count,fault,"), "%s", csv.bytes);
    cr_expect_not_null(strstr(csv.bytes, "\nrecord_shapes,0,flag,missing,"), "%s", csv.bytes);
    cr_expect_not_null(strstr(json.bytes, "\"check\":\"quote_repaired\",\"amount\":1,\"unit\":\"count\",\"events\":1"),
                       "%s", json.bytes);
    cr_expect_not_null(strstr(json.bytes, "\"view\": \"quality\""));
    support_run_free(&text);
    support_run_free(&json);
    support_run_free(&csv);
}

/* Every cell of the page is what the drill says, row by row; Enter goes through the events in turn. */
Test(quality, enter_goes_to_each_event_in_turn)
{
    struct app app;
    struct text label = {0};
    cr_assert(support_explore(&app, support_sample("gpu_small/trace.json")));
    support_type(&app, "Q/without device<Enter>");
    struct drill_view *view = drill_view_of(&app);
    cr_assert_eq(view->drill->kind, DRILL_QUALITY);
    const struct quality_fact *fact = quality_find(tree_quality(app.table->tree), "launches_without_device_event");
    cr_assert_eq(fact->event_count, 1);
    support_type(&app, "<Enter>");
    cr_assert_eq(drill_view_of(&app)->drill->kind, DRILL_EVENT);
    cr_expect_eq(drill_event(drill_view_of(&app)->drill, 0), fact->events[0]);
    support_type(&app, "<Backspace>g/no known<Enter>");
    fact = quality_find(tree_quality(app.table->tree), "device_events_without_op");
    cr_assert_gt(fact->event_count, 1);
    for (uint32_t i = 0; i <= fact->event_count; i++) {
        support_type(&app, "<Enter>");
        cr_expect_eq(drill_event(drill_view_of(&app)->drill, 0), fact->events[i % fact->event_count]);
        support_type(&app, "<Backspace>");
    }
    support_type(&app, "c");
    cr_expect_eq(drill_view_of(&app)->drill->rows.count, fact->event_count);
    support_type(&app, "<Backspace>g<Enter>");
    cr_expect(app.message_is_error);
    app_free(&app);
    text_free(&label);
}

Test(quality, the_title_tells_what_is_not_clean)
{
    struct app app;
    cr_assert(support_explore(&app, support_sample("gpu_small/trace.json")));
    cr_expect_null(app.verdict);
    cr_expect_not(support_on_screen(&app, "not clean"));
    app_free(&app);
    struct text bare = {0};
    text_add_string(&bare, "{\"traceEvents\":[" COMMS("") "]}");
    char *path = support_file(bare.bytes, bare.length);
    cr_assert(support_explore(&app, path));
    cr_expect(support_on_screen(&app, "  not clean"));
    support_type(&app, "p");
    cr_expect(support_on_screen(&app, "  not clean"));
    grid_resize(&app.grid, 24, 140);
    support_type(&app, "g");
    cr_expect(support_on_screen(&app, "collectives without metadata 1"));
    app_free(&app);
    free(path);
    text_free(&bare);
}
