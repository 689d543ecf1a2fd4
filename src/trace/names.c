#include "keyavg/names.h"

#include <stdlib.h>
#include <string.h>

/* Of the C++ runtime library: the only thing taken from it. */
extern char *__cxa_demangle(const char *mangled, char *room, size_t *length, int *status);

static bool is_one_of(struct span name, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (span_is(name, words[i]))
            return true;
    return false;
}

static bool is_collective(struct span name)
{
    static const char *const prefixes[] = {"nccl:", "gloo:", "mpi:", "ucc:", "xccl:", "hccl:"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (span_starts(name, prefixes[i]))
            return true;
    return false;
}

static enum flop_rule flop_rule_of(struct span name)
{
    static const struct {
        const char *name;
        enum flop_rule rule;
    } rules[] = {
        {"aten::mm", FLOPS_MM},         {"aten::addmm", FLOPS_ADDMM},   {"aten::bmm", FLOPS_BMM},
        {"aten::add", FLOPS_ADD},
        {"aten::baddbmm", FLOPS_BADDBMM}, {"aten::conv2d", FLOPS_CONV2D}, {"aten::mul", FLOPS_MUL},
    };
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (span_is(name, rules[i].name))
            return rules[i].rule;
    return FLOPS_NONE;
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || (unsigned char)c >= 0x80;
}

/* `namespace::op.overload` of word characters only: the length of `namespace::op`, else 0. */
static size_t before_overload(struct span name)
{
    size_t i = 0;
    while (i < name.length && is_word(name.bytes[i]))
        i++;
    if (i == 0 || i + 2 >= name.length || memcmp(name.bytes + i, "::", 2) != 0)
        return 0;
    size_t from = i += 2;
    while (i < name.length && is_word(name.bytes[i]))
        i++;
    if (i == from || i + 1 >= name.length || name.bytes[i] != '.')
        return 0;
    size_t dot = i++;
    while (i < name.length && is_word(name.bytes[i]))
        i++;
    return i == name.length ? dot : 0;
}

/* The name as torch shows it: C++ names demangled, steps as one. */
static uint32_t key_of(struct strings *strings, struct span name)
{
    if (span_starts(name, "ProfilerStep#"))
        return strings_add(strings, "ProfilerStep*", 13);
    if (span_starts(name, "_Z") && memchr(name.bytes, '\0', name.length) == NULL) {
        int status = 0;
        char *plain = __cxa_demangle(name.bytes, NULL, NULL, &status);
        if (plain != NULL && status == 0) {
            uint32_t number = strings_add(strings, plain, strlen(plain));
            free(plain);
            return number;
        }
        free(plain);
    }
    return strings_add(strings, name.bytes, name.length);
}

static int64_t step_of(struct span name)
{
    if (!span_starts(name, "ProfilerStep#") || name.length == 13 || name.length > 30)
        return -1;
    int64_t step = 0;
    for (size_t i = 13; i < name.length; i++) {
        if (name.bytes[i] < '0' || name.bytes[i] > '9')
            return -1;
        step = step * 10 + (name.bytes[i] - '0');
    }
    return step;
}

static struct name_facts facts_of(struct strings *strings, uint32_t number)
{
    static const char *const dropped[] = {
        "profiler::_record_function_enter", "profiler::_record_function_enter_new", "profiler::_record_function_exit",
        "aten::is_leaf", "aten::output_nr", "aten::_version", "[memory]", "[OutOfMemory]",
    };
    struct span name = strings_get(strings, number);
    struct name_facts facts = {.step = step_of(name)};
    facts.dropped = is_one_of(name, dropped, sizeof dropped / sizeof *dropped);
    facts.collective = is_collective(name);
    facts.accumulate = span_is(name, "torch::autograd::AccumulateGrad");
    facts.evaluate = span_starts(name, "autograd::engine::evaluate_function: ");
    facts.key = facts.op_key = key_of(strings, name);
    size_t dot = before_overload(name);
    if (dot != 0) {
        facts.op_key = strings_add(strings, name.bytes, dot);
        facts.overload = strings_add(strings, name.bytes + dot + 1, name.length - dot - 1);
    }
    facts.flops = (uint8_t)flop_rule_of(strings_get(strings, facts.op_key));
    return facts;
}

void names_build(struct trace *trace)
{
    uint32_t count = trace->strings.count;
    uint8_t *used = memory_zero(count, 1);
    for (uint32_t e = 0; e < trace->events.count; e++)
        used[trace->events.name[e]] = 1;
    /* Rows made of records come later, under these names. */
    static const char *const records[] = {"[memory]", "[OutOfMemory]"};
    for (size_t i = 0; i < sizeof records / sizeof *records; i++) {
        uint32_t number = strings_find(&trace->strings, records[i], strlen(records[i]));
        if (number != UINT32_MAX)
            used[number] = 1;
    }
    trace->names = memory_resize(trace->names, count, sizeof *trace->names);
    for (uint32_t i = 0; i < count; i++)
        if (used[i])
            trace->names[i] = facts_of(&trace->strings, i);
        else
            trace->names[i] = (struct name_facts){.step = -1};
    trace->name_count = count;
    free(used);
}
