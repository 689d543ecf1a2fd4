/* Event: one event whole, as the file has it, and what it is linked with. */
#include <stdlib.h>

#include "drill_ops.h"
#include "keyavg/launches.h"
#include "keyavg/pairs.h"
#include "keyavg/raw.h"

/* Rows are lines. Spans lie in `raw`, names of links in `strings` that stay. */
struct line {
    uint32_t depth;
    bool comma;
    struct span key;     /* with its quotes cut; `bytes` NULL: none */
    struct span content; /* a token, or a whole list of plain values */
    const char *link;    /* what kind of link; NULL: a member */
    uint32_t event;      /* a link's event */
};

struct model {
    uint32_t event;
    struct text raw, problem;
    ARRAY(struct line) lines;
    size_t list;       /* the line of the list that is being read, of plain values so far */
    bool in_list;
};

static struct model *model_of(const struct drill *drill)
{
    return drill->model;
}

/* -- Members ----------------------------------------------------------------------------------------------------- */

/* A list of plain values stands in one line, exactly as in the file. */
static bool close_list(struct model *model, const struct raw_member *member)
{
    if (!model->in_list || model->lines.items[model->list].depth != member->depth)
        return false;
    struct line *line = &model->lines.items[model->list];
    line->content.length = (size_t)(member->text.bytes + member->text.length - line->content.bytes);
    model->lines.count = model->list + 1;
    return true;
}

static bool visit(void *context, const struct raw_member *member)
{
    struct model *model = context;
    bool opens = member->kind == RAW_OBJECT || member->kind == RAW_ARRAY;
    if (member->kind == RAW_CLOSE && close_list(model, member)) {
        model->in_list = false;
        return true;
    }
    if (member->kind != RAW_CLOSE && model->lines.count > 0) {
        struct line *before = &model->lines.items[model->lines.count - 1];
        bool opened = before->content.length == 1 && (*before->content.bytes == '{' || *before->content.bytes == '[');
        before->comma = !opened;
    }
    if (opens)
        model->in_list = member->kind == RAW_ARRAY;
    if (opens && model->in_list)
        model->list = model->lines.count;
    array_push(&model->lines, (struct line){.depth = member->depth, .key = member->key, .content = member->text,
                                            .event = NO_EVENT});
    return true;
}

/* -- Links ------------------------------------------------------------------------------------------------------- */

static void add_link(struct model *model, const char *link, uint32_t event)
{
    if (event != NO_EVENT)
        array_push(&model->lines, (struct line){.link = link, .event = event});
}

static void add_links(struct drill *drill)
{
    enum { MOST = 1000 };
    struct model *model = model_of(drill);
    struct tree *tree = drill->tree;
    uint32_t e = model->event;
    const struct launches *launches = tree_launches(tree);
    const struct pairs *pairs = tree_pairs(tree);
    bool device = event_on_device(drill->trace, e);
    if (device) {
        static const char *const links[LAUNCH_RULES] = {"op", "op (torch's link)", "op (by correlation)",
                                                        "op (around the call)"};
        add_link(model, links[launches->rule[e]], launches->op[e]);
        add_link(model, "launched by", launches->call[e]);
        return;
    }
    add_link(model, "parent", tree->parent[e]);
    add_link(model, pairs->by_flows ? "pair (flow)" : "pair (sequence number)", pairs->other[e]);
    if (event_kind(drill->trace, e) == KIND_RUNTIME) {
        uint32_t count = 0;
        for (uint32_t k = launches->call[e]; k != NO_EVENT && count < MOST; k = launches->next[k], count++)
            add_link(model, "launched", k);
    }
    tree_need_children(tree);
    uint32_t end = tree->child_first[e + 1], first = tree->child_first[e];
    for (uint32_t i = first; i < end && i - first < MOST; i++)
        add_link(model, "child", tree->children[i]);
    uint32_t kernels = 0;
    for (uint32_t k = 0; k < tree->count && kernels < MOST; k++)
        if (launches->rule[k] != LAUNCH_NONE && launches->op[k] == e && event_on_device(drill->trace, k)) {
            add_link(model, "kernel", k);
            kernels++;
        }
}

static void build(struct drill *drill)
{
    struct model *model = drill->model = memory_zero(1, sizeof *model);
    uint32_t count;
    uint32_t *events = drill_subject_events(drill->source, &drill->subject, &count);
    struct error error = {0};
    model->event = events != NULL && count > 0 ? events[0] : drill->tree->count > 0 && events == NULL ? 0 : NO_EVENT;
    free(events);
    if (model->event == NO_EVENT)
        return;
    if (trace_event_text(drill->trace, model->event, NULL, NULL, &model->raw, &error))
        raw_members(text_span(&model->raw), visit, model, NULL);
    else
        text_add_string(&model->problem, error.text);
    model->in_list = false;
    add_links(drill);
}

static bool is_bracket(const struct line *line)
{
    return line->link == NULL && line->content.length == 1 && strchr("{}[]", *line->content.bytes) != NULL;
}

static void list(struct drill *drill)
{
    struct model *model = model_of(drill);
    for (uint32_t i = 0; i < model->lines.count; i++)
        if (!drill->settings.members_alone || !is_bracket(&model->lines.items[i]))
            array_push(&drill->rows, (struct drill_row){.id = i, .depth = model->lines.items[i].depth});
}

/* -- Lines ------------------------------------------------------------------------------------------------------- */

static void add_content(const struct drill *drill, const struct line *line, struct text *out)
{
    if (line->link == NULL) {
        text_add_span(out, line->content);
        return;
    }
    drill_add_event_name(drill, line->event, out);
    text_addf(out, "  event %u", line->event);
    drill_add_time(drill, "", drill->trace->events.duration[line->event], out);
}

static void add_label(const struct drill *drill, uint32_t id, struct text *out)
{
    const struct line *line = &model_of(drill)->lines.items[id];
    if (line->link != NULL)
        text_addf(out, "%s: ", line->link);
    if (line->link == NULL && line->key.bytes != NULL) {
        text_add_char(out, '"');
        text_add_span(out, line->key);
        text_add_string(out, "\": ");
    }
    add_content(drill, line, out);
    if (line->comma)
        text_add_char(out, ',');
}

static void add_title(const struct drill *drill, struct text *out)
{
    const struct model *model = model_of(drill);
    if (model->event == NO_EVENT)
        return;
    text_addf(out, "   event %u", model->event);
    if (model->problem.length > 0)
        text_addf(out, "   %s", model->problem.bytes);
}

#define CELL(name) static void name(const struct drill *drill, uint32_t id, struct value *out, struct text *scratch)

/* The way down to a member: `args.grid`. */
CELL(value_member)
{
    const struct model *model = model_of(drill);
    const struct line *line = &model->lines.items[id];
    struct span keys[RAW_DEPTH + 1];
    uint32_t count = 0, depth = line->depth + 1;
    if (line->link != NULL) {
        set_text(out, span_of(line->link));
        return;
    }
    for (uint32_t i = id + 1; i-- > 0 && depth > 0;) {
        if (model->lines.items[i].depth + 1 != depth)
            continue;
        depth--;
        if (model->lines.items[i].key.bytes != NULL && count <= RAW_DEPTH)
            keys[count++] = model->lines.items[i].key;
    }
    for (uint32_t i = count; i-- > 0;) {
        text_add_span(scratch, keys[i]);
        text_add_string(scratch, i > 0 ? "." : "");
    }
    set_text(out, text_span(scratch));
}

CELL(value_content)
{
    add_content(drill, &model_of(drill)->lines.items[id], scratch);
    set_text(out, text_span(scratch));
}

CELL(value_event)
{
    (void)scratch;
    if (model_of(drill)->lines.items[id].link != NULL)
        set_integer(out, model_of(drill)->lines.items[id].event);
}

void drill_add_page(const struct drill *drill, struct text *out)
{
    for (size_t i = 0; i < drill->rows.count; i++) {
        text_add_repeat(out, ' ', 4 * (size_t)drill->rows.items[i].depth);
        add_label(drill, drill->rows.items[i].id, out);
        text_add_char(out, '\n');
    }
    if (model_of(drill)->problem.length > 0)
        text_addf(out, "%s\n", model_of(drill)->problem.bytes);
}

static const struct drill_cell cells[] = {
    {"member", false, value_member},
    {"content", false, value_content},
    {"event", true, value_event},
};

uint32_t drill_event_link(const struct drill *drill, uint32_t row)
{
    return model_of(drill)->lines.items[row].event;
}

static uint32_t event(const struct drill *drill, uint32_t id)
{
    (void)id;
    return model_of(drill)->event;
}

static uint32_t *events(const struct drill *drill, uint32_t id, uint32_t *count)
{
    uint32_t *one = memory_alloc(sizeof *one), link = model_of(drill)->lines.items[id].event;
    *one = link != NO_EVENT ? link : model_of(drill)->event;
    *count = 1;
    return one;
}

static void free_model(struct drill *drill)
{
    struct model *model = drill->model;
    text_free(&model->raw);
    text_free(&model->problem);
    array_free(&model->lines);
    free(model);
}

const struct drill_ops drill_event_ops = {
    .cells = cells,
    .cell_count = CELL_COUNT(cells),
    .build = build,
    .list = list,
    .add_label = add_label,
    .add_title = add_title,
    .events = events,
    .event = event,
    .free = free_model,
};
