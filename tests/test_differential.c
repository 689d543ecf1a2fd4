/* Every member of every event, as our scanner reports it and as cJSON reads it. */
#include <criterion/criterion.h>

#include <cjson/cJSON.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "keyavg/raw.h"
#include "support/skip.h"
#include "support/traces.h"

enum { DEEPEST = RAW_DEPTH + 2 };

/* Where in cJSON's tree the visit is: by depth, the node that has to come next. */
struct walk {
    const cJSON *next[DEEPEST];
    struct text room;
    uint64_t members;
    char why[160];
};

static bool differs(struct walk *walk, const char *why, struct span text)
{
    snprintf(walk->why, sizeof walk->why, "%s at %.*s", why, text.length < 60 ? (int)text.length : 60, text.bytes);
    return false;
}

static bool same_value(struct walk *walk, const struct raw_member *member, const cJSON *node)
{
    char *end;
    struct span text;
    switch (member->kind) {
    case RAW_STRING:
        text = raw_decode(member->text, &walk->room);
        return cJSON_IsString(node) && strlen(node->valuestring) == text.length &&
               memcmp(node->valuestring, text.bytes, text.length) == 0;
    case RAW_NUMBER:
        return cJSON_IsNumber(node) && node->valuedouble == strtod(member->text.bytes, &end) &&
               end == member->text.bytes + member->text.length;
    case RAW_TRUE:
        return cJSON_IsTrue(node);
    case RAW_FALSE:
        return cJSON_IsFalse(node);
    case RAW_NULL:
        return cJSON_IsNull(node);
    case RAW_OBJECT:
        return cJSON_IsObject(node);
    case RAW_ARRAY:
        return cJSON_IsArray(node);
    case RAW_WORD:
    case RAW_DEEP:
    case RAW_CLOSE:
        break;
    }
    return false;
}

static bool visit(void *context, const struct raw_member *member)
{
    struct walk *walk = context;
    if (member->kind == RAW_CLOSE)
        return walk->next[member->depth + 1] == NULL || differs(walk, "a member less than cJSON has", member->text);
    const cJSON *node = walk->next[member->depth];
    walk->members++;
    if (node == NULL)
        return differs(walk, "a member more than cJSON has", member->text);
    if (member->depth > 0 && (member->key.bytes != NULL) != (node->string != NULL))
        return differs(walk, "a key where there is none", member->text);
    if (member->key.bytes != NULL) {
        struct span key = raw_decode(member->key, &walk->room);
        if (strlen(node->string) != key.length || memcmp(node->string, key.bytes, key.length) != 0)
            return differs(walk, "another key", member->key);
    }
    if (!same_value(walk, member, node))
        return differs(walk, "another value", member->text);
    walk->next[member->depth] = member->depth > 0 ? node->next : NULL;
    if (member->kind == RAW_OBJECT || member->kind == RAW_ARRAY)
        walk->next[member->depth + 1] = node->child;
    return true;
}

/* For what cJSON does not take: nothing to compare with. */
static bool pass_over(void *context, const struct raw_member *member)
{
    (void)context;
    (void)member;
    return true;
}

static struct text read_packed(const char *path)
{
    struct text text = {0};
    gzFile file = gzopen(path, "rb");
    cr_assert(file != NULL, "%s", path);
    char piece[1 << 16];
    for (int got; (got = gzread(file, piece, sizeof piece)) > 0;)
        text_add(&text, piece, (size_t)got);
    gzclose(file);
    return text;
}

struct counts {
    uint64_t events, members, aside;
};

/* The events of one file. One that cJSON does not take is put aside: our scanner must take it. */
static void compare_file(const char *path, struct counts *counts)
{
    struct text text = read_packed(path);
    const char *at = strstr(text.bytes, "\"traceEvents\""), *end = text.bytes + text.length;
    at = at != NULL ? strchr(at, '[') : strchr(text.bytes, '[');
    cr_assert(at != NULL, "%s: no list of events", path);
    for (at++; at < end && *at != ']';) {
        if (*at == ',' || (unsigned char)*at <= ' ') {
            at++;
            continue;
        }
        struct walk walk = {0};
        const char *cjson_end = NULL;
        size_t length = 0;
        cJSON *event = cJSON_ParseWithLengthOpts(at, (size_t)(end - at), &cjson_end, 0);
        walk.next[0] = event;
        bool whole = raw_members((struct span){at, (size_t)(end - at)}, event != NULL ? visit : pass_over, &walk,
                                 &length);
        cr_assert(whole, "%s, byte %td: %s", path, at - text.bytes, walk.why);
        cr_assert(event == NULL || at + length == cjson_end, "%s, byte %td: another end", path, at - text.bytes);
        counts->events++;
        counts->members += walk.members;
        counts->aside += event == NULL;
        cJSON_Delete(event);
        text_free(&walk.room);
        at += length;
    }
    text_free(&text);
}

static bool is_trace(const char *path)
{
    const char *name = strrchr(path, '/') + 1;
    return strncmp(name, "trace.json", 10) == 0;
}

Test(differential, every_event_of_every_sample)
{
    struct support_traces traces = support_traces_below(support_samples_dir(), false);
    struct counts counts = {0};
    for (unsigned i = 0; i < traces.count; i++)
        if (is_trace(traces.paths[i]))
            compare_file(traces.paths[i], &counts);
    /* The one event of samples/names_2_13 whose name is not JSON. */
    cr_assert(counts.aside == 1, "%llu events are not JSON to cJSON", (unsigned long long)counts.aside);
    cr_assert(counts.events > 40000 && counts.members > 400000, "only %llu events with %llu members",
              (unsigned long long)counts.events, (unsigned long long)counts.members);
    support_traces_free(&traces);
}

Test(differential, every_event_of_the_public_traces)
{
    char folder[4096];
    snprintf(folder, sizeof folder, "%s/traces", support_need_shared());
    struct support_traces traces = support_traces_below(folder, true);
    struct counts counts = {0};
    for (unsigned i = 0; i < traces.count; i++)
        compare_file(traces.paths[i], &counts);
    cr_assert(counts.aside == 0 && counts.events > 400000, "%llu events, %llu put aside",
              (unsigned long long)counts.events, (unsigned long long)counts.aside);
    support_traces_free(&traces);
}

/* What the two read apart, and what ours makes of it. */
static const struct {
    const char *text;
    bool cjson;           /* takes it */
    bool ours;            /* takes it */
    enum raw_kind kind;   /* of the value behind the key "v" */
    const char *value;    /* its token */
} aside[] = {
    {"{\"v\":01}", true, true, RAW_WORD, "01"},                        /* cJSON: a number, 1 */
    {"{\"v\":1.}", true, true, RAW_WORD, "1."},                        /* cJSON: a number, 1 */
    {"{\"v\":\"a\tb\"}", true, true, RAW_STRING, "\"a\tb\""},          /* a raw control byte: kept by both */
    {"{\"v\":1} x", true, true, RAW_NUMBER, "1"},                      /* text behind: left to the caller by both */
    {"{\"v\":\"\\u0000x\"}", true, true, RAW_STRING, "\"\\u0000x\""},  /* cJSON's string ends at the NUL */
    {"{\"v\":\"\\ud800\"}", false, true, RAW_STRING, "\"\\ud800\""},   /* a lone surrogate: U+FFFD */
    {"{\"v\":5109414880992.642}", true, true, RAW_NUMBER, "5109414880992.642"}, /* digits beyond a double */
    {"{\"v\":nan}", false, true, RAW_WORD, "nan"},
    {"{\"v\":\"C:\\work\"}", false, true, RAW_STRING, "\"C:\\work\""}, /* illegal escapes are text */
    {"{\"v\":1,}", false, true, RAW_NUMBER, "1"},                      /* a comma too many */
};

struct found {
    const char *value;
    enum raw_kind kind;
    bool same;
};

static bool find_value(void *context, const struct raw_member *member)
{
    struct found *found = context;
    if (member->depth == 1 && member->kind != RAW_CLOSE)
        found->same = member->kind == found->kind && span_is(member->text, found->value);
    return true;
}

Test(differential, what_is_put_aside)
{
    for (size_t i = 0; i < sizeof aside / sizeof *aside; i++) {
        const char *end;
        struct found found = {aside[i].value, aside[i].kind, false};
        cJSON *tree = cJSON_ParseWithLengthOpts(aside[i].text, strlen(aside[i].text), &end, 0);
        cr_expect((tree != NULL) == aside[i].cjson, "cJSON and %s", aside[i].text);
        cJSON_Delete(tree);
        bool taken = raw_members(span_of(aside[i].text), find_value, &found, NULL);
        cr_expect(taken == aside[i].ours && found.same, "%s", aside[i].text);
    }
    struct text room = {0};
    struct span nul = raw_decode(span_of("\"\\u0000x\""), &room);
    cr_expect(nul.length == 2 && memcmp(nul.bytes, "\0x", 2) == 0);
    cr_expect(span_is(raw_decode(span_of("\"\\ud800\""), &room), "\xEF\xBF\xBD"));
    cr_expect(span_is(raw_decode(span_of("\"C:\\work\\n\""), &room), "C:\\work\\n"));
    text_free(&room);
}
