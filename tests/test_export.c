/*
 * The formats beside torch's own samples: quoting, borders, placeholders, files.
 */
#include <criterion/criterion.h>
#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/render.h"
#include "support/skip.h"

/* One op for each name, of 10 us, 20 us, ... */
static char *ops(const char *const *names, const char *header)
{
    struct text out = {0};
    text_addf(&out, "{%s\"traceEvents\": [", header);
    for (int i = 0; names[i] != NULL; i++)
        text_addf(&out,
                  "%s{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"%s\", \"pid\": 1, \"tid\": 1, \"ts\": %d, "
                  "\"dur\": %d}",
                  i > 0 ? ", " : "", names[i], i * 1000, (i + 1) * 10);
    text_add_string(&out, "]}");
    return out.bytes;
}

static void prints(const char *json, const char *words, const char *want)
{
    char *have = support_rendered(json, words);
    cr_expect_str_eq(have, want);
    free(have);
}

/* -- csv, tsv, markdown ------------------------------------------------------------------------------------------ */

Test(export, csv_quotes)
{
    char *json = ops((const char *[]){"plain", "a,b", "say \\\"hi\\\"", "=1+1", "+x", "-x", "@x", " x", "a'b", NULL},
                     "");
    prints(json, "--format csv --columns key,cpu_time_total",
           "key,cpu_time_total\r\n"
           "plain,10.000\r\n"
           "\"a,b\",20.000\r\n"
           "\"say \"\"hi\"\"\",30.000\r\n"
           "'=1+1,40.000\r\n"
           "'+x,50.000\r\n"
           "'-x,60.000\r\n"
           "'@x,70.000\r\n"
           "\" x\",80.000\r\n"
           "a'b,90.000\r\n");
    prints(json, "--format csv --csv-exact --columns key --row-limit 4",
           "key\r\nplain\r\n\"a,b\"\r\n\"say \"\"hi\"\"\"\r\n=1+1\r\n");
    free(json);
}

Test(export, csv_leaves_the_unknown_empty)
{
    char *json = ops((const char *[]){"x", NULL}, "");
    prints(json, "--format csv --columns key,device_time_total,cpu_memory_usage,count",
           "key,device_time_total,cpu_memory_usage,count\r\nx,,,1\r\n");
    free(json);
    json = ops((const char *[]){"x", NULL}, "\"profile_memory\": 1, ");
    prints(json, "--format csv --columns key,device_time_total,cpu_memory_usage,count",
           "key,device_time_total,cpu_memory_usage,count\r\nx,,0,1\r\n");
    free(json);
}

Test(export, csv_has_every_attribute)
{
    char *json = ops((const char *[]){"x", NULL}, "");
    char *csv = support_rendered(json, "--format csv");
    char *tsv = support_rendered(json, "--format tsv");
    cr_expect(strncmp(csv, "key,count,node_id,is_async,is_remote,use_device,", 48) == 0, "%s", csv);
    cr_expect(strncmp(tsv, "key\tcount\tnode_id\tis_async\tis_remote\tuse_device\t", 48) == 0, "%s", tsv);
    free(csv);
    free(tsv);
    free(json);
}

Test(export, tsv_holds_one_row_a_line)
{
    char *json = ops((const char *[]){"a\\tb\\nc", "=x", "d\\\\n", NULL}, "");
    prints(json, "--format tsv --columns key,count",
           "key\tcount\na\xE2\x90\x89" "b\xE2\x90\x8A" "c\t1\n=x\t1\nd\\n\t1\n");
    free(json);
}

Test(export, markdown_escapes)
{
    char *json = ops((const char *[]){"a|b", "f<int>*", "__init__", "aten::add_", "`x`", NULL}, "");
    prints(json, "--format markdown --columns key,count",
           "| key | count |\n"
           "| --- | ---: |\n"
           "| a\\|b | 1 |\n"
           "| f\\<int>\\* | 1 |\n"
           "| \\_\\_init_\\_ | 1 |\n"
           "| aten::add_ | 1 |\n"
           "| \\`x\\` | 1 |\n");
    free(json);
}

/* -- Control characters ------------------------------------------------------------------------------------------ */

/* Every C0 and C1 control, the bidirectional ones, and bytes that are no UTF-8. */
Test(export, no_control_reaches_a_text)
{
    struct text json = {0};
    text_add_string(&json, "{\"traceEvents\": [");
    for (unsigned c = 1; c < 0xA0; c++) {
        if (c >= 0x20 && c < 0x7F)
            continue;
        text_addf(&json,
                  "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"x\\u%04xy\", \"pid\": 1, \"tid\": 1, \"ts\": %u, "
                  "\"dur\": 5, \"args\": {\"Call stack\": \"f\\u%04xg;\"}},",
                  c, c * 10, c);
    }
    text_add_string(&json, "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"\\u202e\\u2066\\u200f\xFF\x9B\", \"pid\": 1, "
                           "\"tid\": 1, \"ts\": 9999, \"dur\": 5}]}");
    static const char *const formats[] = {"torch", "text", "csv", "tsv", "markdown", "stacks", "json"};
    for (size_t i = 0; i < 7; i++) {
        char words[64];
        snprintf(words, sizeof words, "--format %s --row-limit -1 --group-by-stack-n 1", formats[i]);
        char *have = support_rendered(json.bytes, words);
        const unsigned char *at = (const unsigned char *)have;
        for (; *at != '\0'; at++) {
            bool line = *at == '\n' || (*at == '\t' && i == 3) || (*at == '\r' && i == 2 && at[1] == '\n');
            cr_assert(line || (*at >= 0x20 && *at != 0x7F), "%s: byte %02x", formats[i], *at);
            cr_assert_not(*at == 0xC2 && at[1] >= 0x80 && at[1] < 0xA0, "%s: C1 %02x", formats[i], at[1]);
            cr_assert_not(i < 6 && *at == 0xE2 && at[1] == 0x80 && at[2] == 0xAE, "%s: bidi", formats[i]);
        }
        free(have);
    }
    text_free(&json);
}

/* -- torch ------------------------------------------------------------------------------------------------------- */

static const char *line_of(const char *text, int number)
{
    for (; number > 0; number--)
        text = strchr(text, '\n') + 1;
    return text;
}

Test(export, torch_without_rows_is_empty)
{
    prints("{\"traceEvents\": []}", "", "");
    prints("{\"traceEvents\": []}", "--header x", "");
}

Test(export, torch_cuts_long_names)
{
    /* 51 characters are shown as they are, 52 are cut to 52 and three dots. */
    char *json = ops((const char *[]){"123456789 123456789 123456789 123456789 123456789 1",
                                      "123456789 123456789 123456789 123456789 123456789 12",
                                      "123456789 123456789 123456789 123456789 123456789 \\u00e9\\u00e9\\u00e9", NULL},
                     "");
    char *have = support_rendered(json, "");
    cr_expect_eq(strncmp(line_of(have, 3), "    123456789 123456789 123456789 123456789 123456789 1  ", 57), 0);
    cr_expect_eq(strncmp(line_of(have, 4), "123456789 123456789 123456789 123456789 123456789 12...  ", 57), 0);
    cr_expect_eq(strncmp(line_of(have, 5), "123456789 123456789 123456789 123456789 123456789 \xC3\xA9\xC3\xA9...  ", 59),
                 0);
    free(have);
    /* Python's negative slices, where the width leaves nothing. */
    have = support_rendered(json, "--max-name-column-width 1");
    cr_expect_eq(strncmp(line_of(have, 3), "123456789 123456789 123456789 123456789 123456789...  ", 54), 0);
    free(have);
    free(json);
}

/* us to 1 ms, ms to 1 s, by torch's doubles and before rounding. */
Test(export, torch_units_at_their_borders)
{
    static const struct {
        const char *duration, *text;
    } times[] = {
        {"999.999", "    999.999us  "},     {"1000", "      1.000ms  "},    {"999999.999", "   1000.000ms  "},
        {"1000000", "       1.000s  "},     {"0.001", "      0.001us  "},   {"1000.499", "      1.000ms  "},
    };
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        char json[256];
        snprintf(json, sizeof json,
                 "{\"traceEvents\": [{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"x\", \"pid\": 1, \"tid\": 1, "
                 "\"ts\": 5, \"dur\": %s}]}",
                 times[i].duration);
        char *have = support_rendered(json, "");
        cr_expect_not_null(strstr(line_of(have, 3), times[i].text), "%s: %s", times[i].duration, line_of(have, 3));
        free(have);
    }
}

Test(export, torch_header_and_top_level)
{
    char *json = ops((const char *[]){"x", NULL}, "");
    char *have = support_rendered(json, "--header head --top-level-events-only");
    cr_expect_eq(strncmp(have, "==========", 10), 0);
    cr_expect_eq(strncmp(line_of(have, 1), "head\n", 5), 0);
    cr_expect_eq(strncmp(line_of(have, 2), "==========", 10), 0);
    cr_expect_eq(strncmp(line_of(have, 3), "This report only display top-level ops statistics\n", 50), 0);
    /* The rule is as long as the columns with their gaps, less the last gap. */
    cr_expect_eq(strchr(have, '\n') - have, 5 + 6 * 12 + 7 * 2 - 2);
    free(have);
    free(json);
}

/* -- text -------------------------------------------------------------------------------------------------------- */

Test(export, text_tells_what_is_left_out)
{
    char *json = ops((const char *[]){"a", "b", "c", NULL}, "");
    char *have = support_rendered(json, "--format text --row-limit 1");
    cr_expect_not_null(strstr(have, "\n2 more rows left out (--row-limit -1 shows all)\n"));
    cr_expect_not_null(strstr(have, "\nSelf CPU time total: 60.000us\n"));
    free(have);
    prints(json, "--format text --columns key,count,self_device_time_total --row-limit 2",
           "Name          # of Calls  Self Device\n"
           "\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80"
           "\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80"
           "\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80"
           "\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\n"
           "a                      1           --\n"
           "b                      1           --\n"
           "[1 more row]           1           --\n"
           "\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80"
           "\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80"
           "\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80"
           "\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\n"
           "Self CPU time total: 60.000us\n"
           "1 more row left out (--row-limit -1 shows all)\n");
    free(json);
}

/* No line is wider than the screen, from where the numbers of Name and one column have room. */
Test(export, text_fits_the_screen)
{
    char path[4200];
    snprintf(path, sizeof path, "%s/gpu_small/trace.json", support_samples_dir());
    struct trace *trace = support_trace_file(path);
    struct query query;
    struct writer_options options;
    query_init(&query);
    query.grouping.parts |= GROUP_SHAPE | GROUP_STACK;
    query.grouping.stack_depth = 3;
    query.row_limit = 30;
    writer_options_init(&options);
    options.ascii = true;
    struct table *table = table_build(trace, &query);
    struct text out = {0};
    for (options.screen_columns = 40; options.screen_columns < 260; options.screen_columns++) {
        struct sink sink = support_sink(&out);
        text_clear(&out);
        cr_assert(text_write(table, &options, &sink));
        const char *foot = strstr(out.bytes, "Self CPU time total");
        for (const char *line = out.bytes, *end; line < foot; line = end + 1) {
            end = strchr(line, '\n');
            cr_expect_leq((unsigned)(end - line), options.screen_columns, "%.*s", (int)(end - line), line);
            cr_expect(end == line || end[-1] != ' ', "no blanks at the end");
        }
    }
    text_free(&out);
    table_free(table);
    trace_free(trace);
}

/* -- json -------------------------------------------------------------------------------------------------------- */

Test(export, json_keeps_numbers)
{
    char *have = support_rendered(
        "{\"baseTimeNanoseconds\": 1790857026000000001, \"distributedInfo\": {\"rank\": 3, \"world_size\": 8},\n"
        "\"deviceProperties\": [{\"totalGlobalMem\": 18446744073709551615}], \"traceEvents\": ["
        "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"x\", \"pid\": 1, \"tid\": 1, \"ts\": 5109414880992.642, "
        "\"dur\": 4611686018427387.903}]}",
        "--format json");
    cr_expect_not_null(strstr(have, "\"base_time_nanoseconds\":1790857026000000001,"));
    cr_expect_not_null(strstr(have, "\"totalGlobalMem\": 18446744073709551615"));
    cr_expect_not_null(strstr(have, "\"rank\":3,\"world_size\":8,"));
    cr_expect_not_null(strstr(have, "\"start\":5109414880992.642,"));
    cr_expect_not_null(strstr(have, "\"cpu_time_total\":4611686018427387.903,"));
    cJSON *parsed = cJSON_Parse(have);
    cr_expect_not_null(parsed);
    cJSON_Delete(parsed);
    free(have);
}

/* Strings of any bytes give JSON: controls are escaped, invalid bytes become U+FFFD, NUL cuts nothing off. */
Test(export, json_strings)
{
    char *json = ops((const char *[]){"a\\u0000b\\u001b\\\"\\\\\xFF\xC3\xA9", NULL}, "");
    char *have = support_rendered(json, "--format json --columns key");
    cr_expect_not_null(strstr(have, "{\"key\":\"a\\u0000b\\u001b\\\"\\\\\xEF\xBF\xBD\xC3\xA9\"}"), "%s", have);
    free(have);
    free(json);
}

Test(export, json_has_all_attributes_and_statistics)
{
    char *json = ops((const char *[]){"x", "x", NULL}, "");
    char *have = support_rendered(json, "--format json");
    cJSON *parsed = cJSON_Parse(have);
    cJSON *row = cJSON_GetArrayItem(cJSON_GetObjectItem(parsed, "rows"), 0);
    int count = 0;
    for (unsigned i = 0; i < column_count; i++) {
        bool wanted = columns[i].attribute || columns[i].spread;
        cr_expect_eq(cJSON_HasObjectItem(row, columns[i].name), wanted, "%s", columns[i].name);
        count += wanted;
    }
    cr_expect_eq(cJSON_GetArraySize(row), count);
    cr_expect(cJSON_IsArray(cJSON_GetObjectItem(row, "input_shapes")));
    cr_expect(cJSON_IsArray(cJSON_GetObjectItem(row, "stack")));
    cr_expect(cJSON_IsArray(cJSON_GetObjectItem(row, "cpu_children")));
    cr_expect(cJSON_IsNull(cJSON_GetObjectItem(row, "cpu_parent")));
    cr_expect(cJSON_IsNull(cJSON_GetObjectItem(row, "use_device")));
    cr_expect_eq(cJSON_GetObjectItem(row, "flops")->valueint, 0);
    cr_expect_eq(cJSON_GetObjectItem(row, "cpu_time")->valuedouble, 15);
    cr_expect_eq(cJSON_GetObjectItem(row, "max")->valuedouble, 20);
    cJSON_Delete(parsed);
    free(have);
    free(json);
}

/* -- Writers and sinks ------------------------------------------------------------------------------------------- */

Test(export, writers_are_found)
{
    for (unsigned i = 0; i < writer_count; i++) {
        cr_expect_eq(writer_find(span_of(writers[i].name)), &writers[i]);
        char name[64];
        snprintf(name, sizeof name, "a.b/c.%.*s", (int)strcspn(writers[i].suffixes, " "), writers[i].suffixes);
        cr_expect_eq(writer_for_file(name), &writers[i], "%s", name);
    }
    cr_expect_null(writer_find(span_of("")));
    cr_expect_null(writer_for_file("csv"));
    cr_expect_null(writer_for_file("a.b/csv"));
}

static bool take_no_more(void *context, const char *bytes, size_t length)
{
    (void)context, (void)bytes, (void)length;
    return false;
}

Test(export, writers_stop_when_nothing_is_taken)
{
    char *json = ops((const char *[]){"a", "b", NULL}, "");
    struct trace *trace = support_trace(json);
    struct query query;
    struct writer_options options;
    query_init(&query);
    writer_options_init(&options);
    struct table *table = table_build(trace, &query);
    struct sink sink = {take_no_more, NULL};
    for (unsigned i = 0; i < writer_count; i++)
        if (writers[i].write != stacks_write) /* nothing to write here */
            cr_expect_not(writers[i].write(table, &options, &sink), "%s", writers[i].name);
    table_free(table);
    trace_free(trace);
    free(json);
}
