/*
 * The columns of a trace: numbers of any size come out as the file has them, wherever the file is cut into blocks.
 */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>

#include "../src/trace/events.h"
#include "keyavg/amounts.h"
#include "keyavg/tree.h"
#include "support/loads.h"

enum { EVENTS = 4000 };

/* Most are small; some, and in one part of the file many, need all of their 64 bits. */
static int64_t id_of(unsigned i)
{
    static const int64_t large[] = {INT64_C(1) << 32, (INT64_C(1) << 32) - 1, INT64_MAX, INT64_MIN, -1,
                                    INT64_C(1) << 40};
    return i % 997 == 500 || i / 100 == 25 ? large[i % 6] : (int64_t)i;
}

static void add_events(struct text *text)
{
    text_add_string(text, "{\"traceEvents\":[\n");
    for (unsigned i = 0; i < EVENTS; i++)
        text_addf(text, "{\"ph\":\"X\",\"cat\":\"%s\",\"name\":\"e%u\",\"pid\":1,\"tid\":1,\"ts\":%u,\"dur\":1,"
                        "\"args\":{\"External id\":%" PRId64 ",\"%s\":%" PRId64 "}}%s\n",
                  i % 2 == 0 ? "cpu_op" : "cuda_runtime", i, i * 10, id_of(i), i % 2 == 0 ? "Sequence number" : "correlation",
                  id_of(i + 7), i + 1 < EVENTS ? "," : "");
    text_add_string(text, "]}\n");
}

Test(trace, numbers_of_all_sizes)
{
    struct text text = {0};
    struct error error = {0};
    add_events(&text);
    static const struct trace_options ways[] = {
        {.threads = 1}, {.threads = 1, .block = 3000}, {.threads = 3, .block = 3000}, {.threads = 4, .block = 50000}};
    for (unsigned way = 0; way < sizeof ways / sizeof *ways; way++) {
        struct trace *trace = trace_load_memory_with(text.bytes, text.length, "made.json", &ways[way], &error);
        cr_assert_not_null(trace, "%s", error.text);
        cr_assert_eq(trace->events.count, EVENTS);
        size_t at = 0;
        for (unsigned i = 0; i < EVENTS; i++) {
            at += (size_t)(strstr(text.bytes + at, "{\"ph\"") - (text.bytes + at));
            cr_assert_eq(events_external_id(&trace->events, i), id_of(i), "way %u, event %u", way, i);
            cr_assert_eq(events_number(&trace->events, i), id_of(i + 7), "way %u, event %u", way, i);
            cr_assert_eq(events_offset(&trace->events, i), at, "way %u, event %u", way, i);
            at++;
        }
        trace_free(trace);
    }
    text_free(&text);
}

/* Small files do without the upper halves. */
Test(trace, small_numbers_take_half_the_room)
{
    struct trace *trace = support_events(
        "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":9,\"args\":{\"External id\":4294967295}},"
        "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"b\",\"pid\":1,\"tid\":1,\"ts\":2,\"dur\":1,\"args\":{\"Sequence number\":4294967294}},"
        "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\",\"pid\":0,\"tid\":7,\"ts\":2,\"dur\":1,\"args\":{\"External id\":4294967295,\"correlation\":0}}");
    cr_expect_null(trace->events.external_id.high);
    cr_expect_null(trace->events.number.high);
    cr_expect_null(trace->events.offset.high);
    cr_expect_eq(events_external_id(&trace->events, 0), UINT32_MAX);
    cr_expect_eq(events_number(&trace->events, 0), -1);
    cr_expect_eq(events_number(&trace->events, support_event(trace, "b", 0)), (int64_t)UINT32_MAX - 1);
    cr_expect_eq(events_number(&trace->events, support_event(trace, "k", 0)), 0);
    trace_free(trace);
}

/* An offset beyond 4 GB, which no test's file has. */
Test(trace, offsets_beyond_four_gigabytes)
{
    struct events events = {0};
    for (uint32_t i = 0; i < 3000; i++) {
        cr_assert_eq(events_add(&events), i);
        events_set_offset(&events, i, i < 2000 ? i : i % 3 == 0 ? UINT64_MAX : (UINT64_C(7) << 32) + i);
    }
    for (uint32_t i = 0; i < 3000; i++)
        cr_assert_eq(events_offset(&events, i), i < 2000 ? i : i % 3 == 0 ? UINT64_MAX : (UINT64_C(7) << 32) + i);
    events_free(&events);
}

Test(trace, a_kernel_finds_its_op_by_a_large_id)
{
    struct trace *trace = support_events(
        "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":9,\"args\":{\"External id\":1099511627783}},"
        "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"b\",\"pid\":1,\"tid\":1,\"ts\":20,\"dur\":9,\"args\":{\"External id\":7}},"
        "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\",\"pid\":0,\"tid\":7,\"ts\":30,\"dur\":1,\"args\":{\"External id\":1099511627783,"
        "\"device\":0,\"stream\":7,\"correlation\":4294967303}}");
    struct tree *tree = tree_build(trace, false);
    cr_expect_eq(tree->owner[support_event(trace, "k", 0)], support_event(trace, "a", 0));
    tree_free(tree);
    trace_free(trace);
}

/* -- Amounts ----------------------------------------------------------------------------------------------------- */

/* Amounts that grow, shrink and wrap around, beside the same in plain numbers. */
Test(amounts, equal_plain_numbers)
{
    enum { COUNT = 500 };
    static int64_t plain[COUNT];
    static const int64_t steps[] = {1, -1, INT32_MAX, INT32_MIN, INT64_C(1) << 40, -(INT64_C(1) << 40), INT64_MAX, INT64_MIN,
                                    -(INT64_C(1) << 31), 0, 12345};
    struct amounts amounts = {0};
    cr_expect_not(amounts_there(&amounts));
    cr_expect_eq(amounts_get(&amounts, 7), 0);
    amounts_init(&amounts, COUNT);
    cr_expect(amounts_there(&amounts));
    for (unsigned i = 0; i < 20000; i++) {
        uint32_t at = i * 7919u % COUNT;
        int64_t step = steps[i * 31u % (sizeof steps / sizeof *steps)];
        if (i % 5 == 0) {
            plain[at] = step;
            amounts_set(&amounts, at, step);
        } else {
            plain[at] = (int64_t)((uint64_t)plain[at] + (uint64_t)step);
            amounts_add(&amounts, at, step);
        }
        cr_assert_eq(amounts_get(&amounts, at), plain[at], "step %u", i);
    }
    for (uint32_t at = 0; at < COUNT; at++)
        cr_assert_eq(amounts_get(&amounts, at), plain[at], "at %u", at);
    amounts_free(&amounts);
    cr_expect_not(amounts_there(&amounts));
}
