/* Pairs: forward ops against their backward, by group. */
#include <stdlib.h>

#include "drill_ops.h"
#include "keyavg/pairs.h"

static const struct pair_rows *model_of(const struct drill *drill)
{
    return drill->model;
}

static const struct pair_row *row_of_id(const struct drill *drill, uint32_t id)
{
    return &model_of(drill)->rows[id];
}

static void build(struct drill *drill)
{
    uint32_t count;
    uint32_t *events = drill_subject_events(drill->source, &drill->subject, &count);
    uint64_t *chosen = events != NULL ? keys_select_events(drill->tree, events, count) : NULL;
    drill->model = pairs_group(drill->keys, chosen);
    free(events);
    free(chosen);
}

static void list(struct drill *drill)
{
    for (uint32_t i = 0; i < model_of(drill)->count; i++)
        drill_push(drill, i);
}

static void add_label(const struct drill *drill, uint32_t id, struct text *out)
{
    drill_add_key(drill, row_of_id(drill, id)->key, out);
}

static void add_title(const struct drill *drill, struct text *out)
{
    const struct pair_rows *rows = model_of(drill);
    uint32_t pairs = 0, forward = 0, backward = 0;
    for (uint32_t i = 0; i < rows->count; i++) {
        pairs += rows->rows[i].pairs;
        forward += rows->rows[i].forward_only;
        backward += rows->rows[i].backward_only;
    }
    text_addf(out, "   %u pair%s by %s   without backward %u   without forward %u", pairs, pairs == 1 ? "" : "s",
              tree_pairs(drill->tree)->by_flows ? "arrows" : "sequence number", forward, backward);
}

#define CELL(name) static void name(const struct drill *drill, uint32_t id, struct value *out, struct text *scratch)
#define FIELD(cell, member)                                                                                            \
    CELL(cell)                                                                                                         \
    {                                                                                                                  \
        (void)scratch;                                                                                                 \
        set_integer(out, row_of_id(drill, id)->member);                                                                \
    }

CELL(value_key)
{
    add_label(drill, id, scratch);
    set_text(out, text_span(scratch));
}

/* A time of so many ends: where there is none it is not 0, but nothing is known. */
#define TIME(cell, member, ends)                                                                                       \
    CELL(cell)                                                                                                         \
    {                                                                                                                  \
        (void)scratch;                                                                                                 \
        if (row_of_id(drill, id)->ends > 0)                                                                            \
            set_integer(out, row_of_id(drill, id)->member);                                                            \
    }

FIELD(value_pairs, pairs)
TIME(value_forward_cpu, forward_cpu, pairs)
TIME(value_forward_device, forward_device, pairs)
TIME(value_backward_cpu, backward_cpu, pairs)
TIME(value_backward_device, backward_device, pairs)
FIELD(value_forward_only, forward_only)
FIELD(value_backward_only, backward_only)
TIME(value_forward_only_cpu, forward_only_cpu, forward_only)
TIME(value_backward_only_cpu, backward_only_cpu, backward_only)
TIME(value_forward_only_device, forward_only_device, forward_only)
TIME(value_backward_only_device, backward_only_device, backward_only)

CELL(value_ratio)
{
    const struct pair_row *row = row_of_id(drill, id);
    (void)scratch;
    if (row->forward_device > 0)
        set_ratio(out, row->backward_device, row->forward_device);
    else
        set_ratio(out, row->backward_cpu, row->forward_cpu);
}

static const struct drill_cell cells[] = {
    {"key", false, value_key},
    {"pairs", false, value_pairs},
    {"forward_cpu", false, value_forward_cpu},
    {"backward_cpu", false, value_backward_cpu},
    {"forward_device", false, value_forward_device},
    {"backward_device", false, value_backward_device},
    {"backward_ratio", false, value_ratio},
    {"forward_only", false, value_forward_only},
    {"backward_only", false, value_backward_only},
    {"backward_only_cpu", false, value_backward_only_cpu},
    {"forward_only_cpu", false, value_forward_only_cpu},
    {"forward_only_device", true, value_forward_only_device},
    {"backward_only_device", true, value_backward_only_device},
};

static uint32_t key(const struct drill *drill, uint32_t id)
{
    return row_of_id(drill, id)->key;
}

static uint32_t *events(const struct drill *drill, uint32_t id, uint32_t *count)
{
    return keys_chosen_calls(drill->keys, drill->table->averages, row_of_id(drill, id)->key, count);
}

static uint32_t event(const struct drill *drill, uint32_t id)
{
    return row_of_id(drill, id)->first;
}

static void free_model(struct drill *drill)
{
    pair_rows_free(drill->model);
}

const struct drill_ops drill_pairs_ops = {
    .cells = cells,
    .cell_count = CELL_COUNT(cells),
    .build = build,
    .list = list,
    .add_label = add_label,
    .add_title = add_title,
    .events = events,
    .event = event,
    .key = key,
    .free = free_model,
};
