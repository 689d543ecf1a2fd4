#include "choose.h"

#include <stdlib.h>

#include "keyavg/filter.h"
#include "keyavg/phase.h"

bool choose_restricts(const struct query *query)
{
    return query->scope != SCOPE_ALL || query->no_device_annotations ||
           (query->filter != NULL && filter_on_events(query->filter));
}

const char *const scope_names[SCOPE_CHOICES] = {"all",  "forward",   "backward", "user", "recompute",
                                                "sync", "optimizer", "data",     "none"};

int scope_phase(enum scope_choice scope)
{
    static const enum phase phases[SCOPE_CHOICES] = {PHASE_NONE,      PHASE_FORWARD, PHASE_BACKWARD,
                                                     PHASE_USER,      PHASE_RECOMPUTE, PHASE_SYNC,
                                                     PHASE_OPTIMIZER, PHASE_DATA,    PHASE_NONE};
    return (int)phases[scope];
}

uint64_t *choose_events(const struct query *query, struct tree *tree)
{
    if (!choose_restricts(query))
        return NULL;
    size_t words = (size_t)tree->count / 64 + 1;
    uint64_t *selected = memory_alloc(words * sizeof *selected);
    memset(selected, 0xFF, words * sizeof *selected);
    if (query->scope != SCOPE_ALL) {
        const uint8_t *phase = tree_phases(tree);
        for (uint32_t e = 0; e < tree->count; e++)
            if (phase[e] != scope_phase(query->scope))
                selected[e / 64] &= ~(UINT64_C(1) << e % 64);
    }
    if (query->no_device_annotations)
        for (uint32_t e = 0; e < tree->count; e++)
            if (event_kind(tree->trace, e) == KIND_DEVICE_ANNOTATION)
                selected[e / 64] &= ~(UINT64_C(1) << e % 64);
    if (query->filter != NULL)
        filter_select(query->filter, tree, selected);
    return selected;
}

bool choose_follows(const struct query *query)
{
    const struct filter *filter = query->filter;
    bool scope = query->scope == SCOPE_ALL || (query->grouping.parts & GROUP_SCOPE) != 0;
    return scope && (filter == NULL || filter_follows(filter, &query->grouping));
}

uint8_t *choose_groups(const struct query *query, const struct averages *averages)
{
    struct tree *tree = averages->tree;
    uint8_t *chosen = memory_alloc((size_t)averages->count + 1);
    for (uint32_t row = 0; row < averages->count; row++) {
        uint32_t first = averages->rows[row].first;
        chosen[row] = (query->scope == SCOPE_ALL || tree_phases(tree)[first] == scope_phase(query->scope)) &&
                      !(query->no_device_annotations && event_kind(tree->trace, first) == KIND_DEVICE_ANNOTATION) &&
                      (query->filter == NULL || filter_event(query->filter, tree, first));
    }
    return chosen;
}

static bool same_filter_text(const struct filter *a, const struct filter *b)
{
    struct text x = {0}, y = {0};
    filter_add_text(a, true, &x);
    filter_add_text(b, true, &y);
    bool same = span_equal(text_span(&x), text_span(&y));
    text_free(&x);
    text_free(&y);
    return same;
}

bool choose_same_events(const struct query *a, const struct query *b)
{
    if (a->scope != b->scope || a->no_device_annotations != b->no_device_annotations)
        return false;
    bool on_a = a->filter != NULL && filter_on_events(a->filter);
    bool on_b = b->filter != NULL && filter_on_events(b->filter);
    return on_a == on_b && (!on_a || a->filter == b->filter || same_filter_text(a->filter, b->filter));
}

bool choose_same_rows(const struct query *a, const struct query *b)
{
    bool on_a = a->filter != NULL && filter_on_rows(a->filter);
    bool on_b = b->filter != NULL && filter_on_rows(b->filter);
    return on_a == on_b && (!on_a || a->filter == b->filter || same_filter_text(a->filter, b->filter));
}

void choose_rows(struct table *table)
{
    const struct filter *filter = table->query.filter;
    bool choosy = filter != NULL && filter_on_rows(filter);
    table->kept_count = 0;
    for (uint32_t row = 0; row < table->averages->count; row++)
        if (!choosy || filter_row(filter, table, row))
            table->kept[table->kept_count++] = row;
}

static double sort_share(const struct table *table, uint32_t row)
{
    const struct column *column = table->query.sort;
    struct value value;
    struct text scratch = {0};
    double share = 0;
    bool of_shown = table->query.percent_of == PERCENT_OF_SHOWN, has_share = false;
    if (column != NULL && column->unit == UNIT_SHARE) {
        table_value(table, row, column, &value, &scratch);
        share = value.kind == VALUE_UNKNOWN ? 0 : value_real(&value);
        has_share = true;
    } else if (column != NULL && column->unit == UNIT_TIME && column->summable) {
        bool device = strstr(column->name, "device") != NULL;
        int64_t base = device ? (of_shown ? table->self_device_shown : table->self_device_all)
                              : (of_shown ? table->self_cpu_shown : table->self_cpu_all);
        table_value(table, row, column, &value, &scratch);
        share = value.kind == VALUE_UNKNOWN || base <= 0 ? 0 : value_real(&value) / (double)base;
        has_share = base > 0;
    }
    if (!has_share) {
        int64_t base = of_shown ? table->self_cpu_shown : table->self_cpu_all;
        share = base > 0 ? (double)table->averages->rows[row].self_cpu_time_total / (double)base : 0;
    }
    text_free(&scratch);
    return share;
}

uint32_t choose_visible(const struct table *table, uint32_t *rows, uint32_t count)
{
    if (!(table->query.hide_below > 0))
        return count;
    uint32_t *hidden = memory_alloc(((size_t)count + 1) * sizeof *hidden), hidden_count = 0, visible = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (sort_share(table, rows[i]) * 100 >= table->query.hide_below)
            rows[visible++] = rows[i];
        else
            hidden[hidden_count++] = rows[i];
    }
    for (uint32_t i = 0; i < hidden_count; i++)
        rows[visible + i] = hidden[i];
    free(hidden);
    return visible;
}

void choose_sum_file(const struct table *table, int64_t *self_cpu, int64_t *self_device)
{
    const struct tree *tree = table->tree;
    bool python = table->query.grouping.python == PYTHON_AS_ROWS;
    uint64_t cpu = 0, device = 0; /* sums of a file made to overflow wrap around */
    for (uint32_t e = 0; e < tree->count; e++) {
        enum event_kind kind = event_kind(tree->trace, e);
        if (tree->state[e] != STATE_ROW || (kind == KIND_PYTHON && !python))
            continue;
        cpu += (uint64_t)amounts_get(&tree->self_cpu, e);
        if (kind_on_device(kind) && kind != KIND_DEVICE_ANNOTATION)
            device += (uint64_t)amounts_get(&tree->self_device, e);
    }
    *self_cpu = (int64_t)cpu;
    *self_device = (int64_t)device;
}
