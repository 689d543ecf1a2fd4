#include "calls_of_rank.h"

#include <stdlib.h>

#include "keyavg/names.h"
#include "keyavg/raw.h"
#include "keyavg/steps.h"

enum { MEMBER_GROUP, MEMBER_DESCRIPTION, MEMBER_RANKS, MEMBER_NAME, MEMBER_SEQUENCE, MEMBERS };

static const char *const member_names[MEMBERS] = {
    [MEMBER_GROUP] = "Process Group Name",
    [MEMBER_DESCRIPTION] = "Process Group Description",
    [MEMBER_RANKS] = "Process Group Ranks",
    [MEMBER_NAME] = "Collective name",
    [MEMBER_SEQUENCE] = "Seq",
};

/* What the arguments of an event say of a collective. */
struct facts {
    struct text of[MEMBERS];
};

struct finding {
    struct trace *trace;
    struct tree *tree;
    ARRAY(uint32_t) events;  /* the collectives */
    ARRAY(uint32_t) asked;   /* events whose text is read: those, and the ops that launched them */
    uint32_t *place;         /* by event: place in `asked` + 1; 0: its text is not read */
    struct facts *facts;     /* by place in `asked` */
};

/* -- Which events ------------------------------------------------------------------------------------------------ */

/* Kernels of NCCL and RCCL: `ncclKernel_AllReduce_RING_LL_Sum_float(...)`, `ncclDevKernel_AllGather_RING_LL(...)`. */
static bool is_kernel(const struct trace *trace, uint32_t event)
{
    return event_kind(trace, event) == KIND_KERNEL &&
           span_starts(strings_get(&trace->strings, trace->events.name[event]), "nccl");
}

static bool is_annotation(const struct trace *trace, uint32_t event)
{
    return event_kind(trace, event) == KIND_ANNOTATION && trace->names[trace->events.name[event]].collective;
}

static void find_events(struct finding *finding)
{
    for (int annotations = 0; annotations < 2 && finding->events.count == 0; annotations++)
        for (uint32_t e = 0; e < finding->trace->events.count; e++)
            if (annotations ? is_annotation(finding->trace, e) : is_kernel(finding->trace, e))
                array_push(&finding->events, e);
}

/* The op around a collective whose arguments tell most of it. */
static uint32_t op_of(const struct finding *finding, uint32_t event)
{
    const struct tree *tree = finding->tree;
    uint32_t at = event_on_device(finding->trace, event) ? tree->owner[event] : tree->parent[event];
    while (at != NO_EVENT &&
           !span_is(strings_get(&finding->trace->strings, event_key(finding->trace, at)), "record_param_comms"))
        at = tree->parent[at];
    return at;
}

static void ask(struct finding *finding, uint32_t event)
{
    if (event == NO_EVENT || finding->place[event] != 0)
        return;
    array_push(&finding->asked, event);
    finding->place[event] = (uint32_t)finding->asked.count;
}

/* -- What they say ----------------------------------------------------------------------------------------------- */

static bool take_member(void *context, const struct raw_member *member)
{
    struct facts *facts = context;
    struct text room = {0};
    if (member->depth != 2 || member->key.bytes == NULL || (member->kind != RAW_STRING && member->kind != RAW_NUMBER))
        return true;
    struct span key = raw_decode(member->key, &room);
    for (int m = 0; m < MEMBERS; m++) {
        struct text value = {0};
        if (!span_is(key, member_names[m]) || facts->of[m].length > 0)
            continue;
        text_add_span(&facts->of[m], member->kind == RAW_STRING ? raw_decode(member->text, &value) : member->text);
        text_free(&value);
    }
    text_free(&room);
    return true;
}

static void take_text(void *context, uint32_t event, struct span text)
{
    struct finding *finding = context;
    raw_members(text, take_member, &finding->facts[finding->place[event] - 1], NULL);
}

/* A member of the event's own arguments, else of its op's. */
static struct span fact(const struct finding *finding, uint32_t event, int member)
{
    uint32_t op = op_of(finding, event);
    const struct text *own = &finding->facts[finding->place[event] - 1].of[member];
    if (own->length == 0 && op != NO_EVENT)
        own = &finding->facts[finding->place[op] - 1].of[member];
    return own->length > 0 ? text_span(own) : (struct span){"", 0};
}

/* `AllReduce` of `ncclKernel_AllReduce_RING_LL_Sum_float(...)`, the whole name of anything else. */
static struct span name_in(struct span name)
{
    const char *end = name.bytes + name.length, *from = memmem(name.bytes, name.length, "Kernel_", 7);
    if (from == NULL)
        return name;
    from += 7;
    const char *to = from;
    while (to < end && *to != '_' && *to != '(' && *to != '<')
        to++;
    return to > from ? (struct span){from, (size_t)(to - from)} : name;
}

/* A place among those of one name, group and step, where no number was recorded: `step 3 #2`. */
struct places {
    struct strings keys;
    ARRAY(uint32_t) counts; /* by number of a key */
};

static void number_call(struct places *places, struct rank_call *call, int64_t step)
{
    struct text key = {0};
    if (call->sequence.length > 0)
        return;
    text_addf(&key, "%lld", (long long)step);
    text_add(&key, "", 1);
    rank_call_add_key(call, &key);
    uint32_t number = strings_add(&places->keys, key.bytes, key.length);
    while (places->counts.count <= number)
        array_push(&places->counts, 0);
    if (step >= 0)
        text_addf(&call->sequence, "step %lld ", (long long)step);
    text_addf(&call->sequence, "#%lu", (unsigned long)++places->counts.items[number]);
    text_free(&key);
}

void rank_call_add_key(const struct rank_call *call, struct text *out)
{
    const struct text *parts[] = {&call->group, &call->members, &call->name, &call->sequence};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        text_add_span(out, parts[i]->length > 0 ? text_span(parts[i]) : (struct span){"", 0});
        text_add(out, "", 1);
    }
}

static void make_calls(struct finding *finding, struct rank_calls *calls)
{
    const struct steps *steps = tree_steps(finding->tree);
    struct trace *trace = finding->trace;
    struct places places = {0};
    strings_init(&places.keys);
    for (size_t i = 0; i < finding->events.count; i++) {
        uint32_t event = finding->events.items[i];
        struct rank_call call = {.start = trace->events.start[event], .duration = trace->events.duration[event]};
        struct span group = fact(finding, event, MEMBER_GROUP), name = fact(finding, event, MEMBER_NAME);
        text_add_span(&call.group, group.length > 0 ? group : fact(finding, event, MEMBER_DESCRIPTION));
        text_add_span(&call.members, fact(finding, event, MEMBER_RANKS));
        text_add_span(&call.sequence, fact(finding, event, MEMBER_SEQUENCE));
        text_add_span(&call.name,
                      name.length > 0 ? name : name_in(strings_get(&trace->strings, trace->events.name[event])));
        uint32_t step = steps->of[event];
        number_call(&places, &call, step != 0 ? steps->numbers[step - 1] : -1);
        array_push(&calls->list, call);
    }
    strings_free(&places.keys);
    array_free(&places.counts);
}

bool rank_calls_find(struct tree *tree, struct rank_calls *calls, struct error *error)
{
    struct finding finding = {.trace = tree->trace, .tree = tree};
    finding.place = memory_zero((size_t)tree->count + 1, sizeof *finding.place);
    find_events(&finding);
    for (size_t i = 0; i < finding.events.count; i++) {
        ask(&finding, finding.events.items[i]);
        ask(&finding, op_of(&finding, finding.events.items[i]));
    }
    finding.facts = memory_zero(finding.asked.count + 1, sizeof *finding.facts);
    bool fine =
        finding.asked.count == 0 || trace_event_texts(tree->trace, finding.asked.items, (uint32_t)finding.asked.count,
                                                      take_text, &finding, error);
    if (fine)
        make_calls(&finding, calls);
    for (size_t i = 0; i < finding.asked.count; i++)
        for (int m = 0; m < MEMBERS; m++)
            text_free(&finding.facts[i].of[m]);
    free(finding.facts);
    free(finding.place);
    array_free(&finding.events);
    array_free(&finding.asked);
    return fine;
}

void rank_calls_free(struct rank_calls *calls)
{
    for (size_t i = 0; i < calls->list.count; i++) {
        struct rank_call *call = &calls->list.items[i];
        text_free(&call->group);
        text_free(&call->members);
        text_free(&call->sequence);
        text_free(&call->name);
    }
    array_free(&calls->list);
}
