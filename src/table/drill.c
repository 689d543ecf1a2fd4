/* Drills: what all kinds have in common. */
#include "keyavg/drill.h"

#include <stdlib.h>

#include "drill_ops.h"
#include "keyavg/grouping.h"
#include "keyavg/module.h"
#include "keyavg/names.h"

const struct drill_kind_entry drill_kinds[DRILL_KINDS] = {
    [DRILL_TABLE] = {"table", "The rows of the grouping."},
    [DRILL_FOCUS] = {"focus", "One row's callers, callees and kernels."},
    [DRILL_CALLS] = {"calls", "Every call in order of time."},
    [DRILL_TREE] = {"tree", "The call tree, equal paths made one."},
    [DRILL_KERNELS] = {"kernels", "Device events that were launched, by kernel."},
    [DRILL_PAIRS] = {"pairs", "Forward ops against their backward."},
    [DRILL_MODULES] = {"modules", "The model's modules with forward and backward."},
    [DRILL_EVENT] = {"event", "One event as the file has it, and its links."},
    [DRILL_QUALITY] = {"quality", "What the file can and cannot tell, and how far its numbers are to be trusted."},
    [DRILL_EXPLAIN] = {"explain", "Where one cell of the table comes from."},
};

static const struct drill_ops *const kind_ops[DRILL_KINDS] = {
    [DRILL_FOCUS] = &drill_focus_ops, [DRILL_CALLS] = &drill_calls_ops,     [DRILL_TREE] = &drill_tree_ops,
    [DRILL_KERNELS] = &drill_kernels_ops, [DRILL_PAIRS] = &drill_pairs_ops, [DRILL_MODULES] = &drill_modules_ops,
    [DRILL_EVENT] = &drill_event_ops,   [DRILL_QUALITY] = &drill_quality_ops,
    [DRILL_EXPLAIN] = &drill_explain_ops,
};

enum drill_kind drill_kind_find(struct span name)
{
    int kind = 0;
    while (kind < DRILL_KINDS && !span_is(name, drill_kinds[kind].name))
        kind++;
    return (enum drill_kind)kind;
}

unsigned drill_column_kinds(const struct column *column)
{
    unsigned kinds = 0;
    for (int kind = DRILL_FOCUS; kind < DRILL_KINDS; kind++)
        for (unsigned i = 0; i < kind_ops[kind]->cell_count; i++)
            if (strcmp(kind_ops[kind]->cells[i].column, column->name) == 0)
                kinds |= 1u << kind;
    return kinds;
}

/* -- Making ------------------------------------------------------------------------------------------------------ */

void drill_settings_init(struct drill_settings *settings)
{
    *settings = (struct drill_settings){.row_limit = -1};
}

bool drill_on_device(const struct drill *drill)
{
    return drill->tree->has_device_time || trace_use_device(drill->trace) != NULL;
}

static bool available(const struct drill *drill, const struct column *column)
{
    return column->need == NEED_DEVICE ? drill_on_device(drill) : column_available(drill->table, column);
}

static void choose_columns(struct drill *drill)
{
    const struct drill_settings *settings = &drill->settings;
    const struct drill_ops *ops = drill->ops;
    drill->column_count = 0;
    drill->columns = memory_resize(drill->columns, settings->column_count + ops->cell_count + 1,
                                   sizeof *drill->columns);
    for (unsigned i = 0; settings->columns != NULL && i < settings->column_count; i++)
        drill->columns[drill->column_count++] = settings->columns[i];
    for (unsigned i = 0; settings->columns == NULL && i < ops->cell_count; i++)
        if ((!ops->cells[i].hidden || drill->known[i] == settings->sort) && available(drill, drill->known[i]))
            drill->columns[drill->column_count++] = drill->known[i];
}

struct drill *drill_build(struct drill_source *source, enum drill_kind kind, struct drill_subject subject,
                          const struct drill_settings *settings)
{
    struct drill *drill = memory_zero(1, sizeof *drill);
    *drill = (struct drill){
        .ops = kind_ops[kind], .kind = kind, .source = source, .subject = subject, .settings = *settings,
        .keys = drill_source_keys(source), .table = source->table, .tree = source->table->tree,
        .trace = source->table->trace,
    };
    drill->known = memory_alloc((drill->ops->cell_count + 1) * sizeof *drill->known);
    for (unsigned i = 0; i < drill->ops->cell_count; i++)
        drill->known[i] = column_find(span_of(drill->ops->cells[i].column));
    drill->ops->build(drill);
    drill_list(drill);
    return drill;
}

void drill_free(struct drill *drill)
{
    if (drill == NULL)
        return;
    drill->ops->free(drill);
    drill_filter_free(drill);
    drill_subject_free(&drill->subject);
    array_free(&drill->rows);
    free(drill->columns);
    free(drill->known);
    free(drill);
}

/* -- Listing ----------------------------------------------------------------------------------------------------- */

static void filter_rows(struct drill *drill)
{
    struct text scratch = {0};
    size_t kept = 0;
    for (size_t i = 0; drill->settings.filter != NULL && i < drill->rows.count; i++)
        if (drill_passes(drill, drill->rows.items[i].id, &scratch))
            drill->rows.items[kept++] = drill->rows.items[i];
    if (drill->settings.filter != NULL) {
        drill->filtered = (uint32_t)(drill->rows.count - kept);
        drill->rows.count = kept;
    }
    text_free(&scratch);
}

void drill_list(struct drill *drill)
{
    drill->rows.count = 0;
    drill->left_out = drill->filtered = 0;
    choose_columns(drill);
    drill_filter_start(drill);
    drill->ops->list(drill);
    if (drill->ops->own_order)
        return;
    filter_rows(drill);
    drill_sort_rows(drill, 0, drill->rows.count);
    int64_t limit = drill->settings.row_limit;
    if (limit >= 0 && drill->rows.count > (size_t)limit) {
        drill->left_out = (uint32_t)(drill->rows.count - (size_t)limit);
        drill->rows.count = (size_t)limit;
    }
}

/* -- Sorting ----------------------------------------------------------------------------------------------------- */

struct sort_item {
    struct drill_row row;
    struct value value;
    size_t text; /* where its text lies in `texts` */
};

struct sorting {
    const struct column *column;
    const char *texts;
    bool ascending;
};

static int compare_items(const struct sorting *sorting, const struct sort_item *a, const struct sort_item *b)
{
    bool unknown_a = a->value.kind == VALUE_UNKNOWN, unknown_b = b->value.kind == VALUE_UNKNOWN;
    if (unknown_a || unknown_b)
        return (int)unknown_a - (int)unknown_b;
    struct value x = a->value, y = b->value;
    if (x.kind == VALUE_TEXT && y.kind == VALUE_TEXT) {
        x.text.bytes = sorting->texts + a->text;
        y.text.bytes = sorting->texts + b->text;
    } else if (x.kind != y.kind) {
        return (int)x.kind - (int)y.kind;
    }
    int order = value_compare(sorting->column, &x, &y);
    return sorting->ascending ? order : -order;
}

/* Merges runs that double, from `items` into `other` and back: equal ones stay as they stood. */
static struct sort_item *merge_sort(const struct sorting *sorting, struct sort_item *items, struct sort_item *other,
                                    size_t count)
{
    for (size_t run = 1; run < count; run *= 2) {
        for (size_t start = 0; start < count; start += 2 * run) {
            size_t middle = start + run < count ? start + run : count,
                   end = middle + run < count ? middle + run : count;
            size_t a = start, b = middle;
            for (size_t at = start; at < end; at++) {
                bool first = b >= end || (a < middle && compare_items(sorting, &items[a], &items[b]) <= 0);
                other[at] = items[first ? a++ : b++];
            }
        }
        struct sort_item *sorted = other;
        other = items;
        items = sorted;
    }
    return items;
}

void drill_sort_rows(struct drill *drill, size_t first, size_t count)
{
    const struct column *column = drill->settings.sort;
    if (column == NULL || count < 2 || !drill_has_column(drill, column))
        return;
    struct sort_item *items = memory_alloc(count * sizeof *items), *other = memory_alloc(count * sizeof *other);
    struct text texts = {0}, scratch = {0};
    for (size_t i = 0; i < count; i++) {
        items[i].row = drill->rows.items[first + i];
        drill_value(drill, items[i].row.id, column, &items[i].value, &scratch);
        items[i].text = texts.length;
        if (items[i].value.kind == VALUE_TEXT)
            text_add_span(&texts, items[i].value.text);
    }
    text_add_char(&texts, '\0');
    struct sorting sorting = {column, texts.bytes, drill->settings.ascending};
    struct sort_item *sorted = merge_sort(&sorting, items, other, count);
    for (size_t i = 0; i < count; i++)
        drill->rows.items[first + i] = sorted[i].row;
    free(items);
    free(other);
    text_free(&texts);
    text_free(&scratch);
}

/* -- Rows -------------------------------------------------------------------------------------------------------- */

static const struct drill_cell *find_cell(const struct drill *drill, const struct column *column)
{
    for (unsigned i = 0; i < drill->ops->cell_count; i++)
        if (drill->known[i] == column)
            return &drill->ops->cells[i];
    return NULL;
}

unsigned drill_columns_most(const struct drill *drill)
{
    return drill->ops->cell_count;
}

bool drill_has_column(const struct drill *drill, const struct column *column)
{
    return find_cell(drill, column) != NULL && available(drill, column);
}

void drill_value(const struct drill *drill, uint32_t row, const struct column *column, struct value *out,
                 struct text *scratch)
{
    const struct drill_cell *cell = find_cell(drill, column);
    *out = (struct value){.kind = VALUE_UNKNOWN, .over = 1};
    text_clear(scratch);
    if (cell != NULL && available(drill, column))
        cell->value(drill, row, out, scratch);
}

void drill_add_label(const struct drill *drill, uint32_t row, struct text *out)
{
    drill->ops->add_label(drill, row, out);
}

uint32_t *drill_events(const struct drill *drill, uint32_t row, uint32_t *count)
{
    *count = 0;
    return drill->ops->events != NULL ? drill->ops->events(drill, row, count) : memory_alloc(0);
}

uint32_t drill_event(const struct drill *drill, uint32_t row)
{
    return drill->ops->event != NULL ? drill->ops->event(drill, row) : NO_EVENT;
}

bool drill_open_row(const struct drill *drill, uint32_t row, bool of_key, struct drill_subject *subject)
{
    uint32_t key = (of_key || !drill->ops->parts_of_keys) && drill->ops->key != NULL ? drill->ops->key(drill, row)
                                                                                     : NO_EVENT;
    *subject = (struct drill_subject){.event = NO_EVENT};
    if (key != NO_EVENT) {
        subject->about = DRILL_OF_KEY;
        subject->event = drill->keys->first[key];
        return true;
    }
    subject->about = DRILL_OF_EVENTS;
    subject->events = drill_events(drill, row, &subject->count);
    if (subject->count == 0) {
        drill_subject_free(subject);
        return false;
    }
    struct text name = {0};
    drill_add_label(drill, row, &name);
    subject->name = memory_copy_text(name.length > 0 ? name.bytes : "", name.length);
    text_free(&name);
    return true;
}

uint32_t drill_find_event(const struct drill *drill, uint32_t event)
{
    uint32_t id = drill->ops->row_of != NULL && event != NO_EVENT ? drill->ops->row_of(drill, event) : NO_EVENT;
    for (size_t i = 0; id != NO_EVENT && i < drill->rows.count; i++)
        if (drill->rows.items[i].id == id)
            return (uint32_t)i;
    for (size_t i = 0; event != NO_EVENT && i < drill->rows.count; i++)
        if (drill_event(drill, drill->rows.items[i].id) == event)
            return (uint32_t)i;
    return 0;
}

bool drill_share(const struct drill *drill, uint32_t row, const struct column *column, double *share)
{
    if (column->unit == UNIT_SHARE) {
        struct value value;
        struct text scratch = {0};
        drill_value(drill, row, column, &value, &scratch);
        text_free(&scratch);
        *share = value.kind != VALUE_UNKNOWN ? value_real(&value) : 0;
        return value.kind != VALUE_UNKNOWN;
    }
    return drill->ops->share != NULL && drill->ops->share(drill, row, column, share);
}

/* -- Words ------------------------------------------------------------------------------------------------------- */

void drill_add_event_name(const struct drill *drill, uint32_t event, struct text *out)
{
    text_add_span(out, strings_get(&drill->trace->strings, event_key(drill->trace, event)));
}

void drill_add_time(const struct drill *drill, const char *label, int64_t ns, struct text *out)
{
    text_addf(out, "  %s ", label);
    units_add_time(out, ns, drill->table->query.unit);
}

static void add_part(const struct drill *drill, unsigned part, uint32_t event, struct text *out)
{
    struct value value = {.kind = VALUE_UNKNOWN};
    struct text scratch = {0};
    const struct inputs *inputs = &drill->trace->inputs.items[drill->trace->events.inputs[event]];
    switch (part) {
    case GROUP_OVERLOAD:
        set_text(&value, strings_get(&drill->trace->strings, event_overload(drill->trace, event)));
        break;
    case GROUP_SHAPE: drill_set_shapes(drill, event, &value); break;
    case GROUP_DTYPE: set_text(&value, strings_get(&drill->trace->strings, inputs->types)); break;
    case GROUP_STACK: {
        uint32_t node = drill->tree->stack[event];
        if (node != 0)
            set_text(&value, strings_get(&drill->trace->strings, drill->trace->stacks.nodes[node].frame));
        break;
    }
    case GROUP_THREAD: drill_set_thread(drill, event, &value, &scratch); break;
    case GROUP_STEP: drill_set_step(drill, event, &value, &scratch); break;
    case GROUP_SCOPE: drill_set_phase(drill, event, &value); break;
    case GROUP_MODULE:
        set_text(&value, strings_get(&drill->trace->strings, tree_modules(drill->tree)[event]));
        break;
    case GROUP_DEVICE: drill_set_lane(drill, event, &value, &scratch); break;
    default: break;
    }
    if (value.kind == VALUE_TEXT && value.text.length > 0) {
        if (out->length > 0)
            text_add_string(out, "  ");
        text_add_span(out, value.text);
    }
    text_free(&scratch);
}

void drill_add_key(const struct drill *drill, uint32_t key, struct text *out)
{
    const struct grouping *grouping = &drill->keys->grouping;
    struct text label = {0};
    if (grouping->parts & GROUP_NAME)
        drill_add_event_name(drill, drill->keys->first[key], &label);
    for (int i = 0; i < GROUPING_PARTS; i++)
        if (grouping_parts[i].part != GROUP_NAME && grouping->parts & grouping_parts[i].part)
            add_part(drill, grouping_parts[i].part, drill->keys->first[key], &label);
    text_add_string(out, label.length == 0 ? "[none]" : "");
    text_add_span(out, text_span(&label));
    text_free(&label);
}

void drill_add_subject(const struct drill *drill, struct text *out)
{
    const struct drill_subject *subject = &drill->subject;
    if (drill->ops->whole)
        text_add_string(out, "the file");
    else if (subject->about == DRILL_OF_KEY && drill->keys->of[tree_row_event(drill->tree, subject->event)] != NO_EVENT)
        drill_add_key(drill, drill->keys->of[tree_row_event(drill->tree, subject->event)], out);
    else if (subject->about == DRILL_OF_EVENTS && subject->name != NULL)
        text_add_string(out, subject->name);
    else if (subject->about == DRILL_OF_EVENTS && subject->count > 0)
        drill_add_event_name(drill, subject->events[0], out);
    else
        text_add_string(out, "all calls");
}

void drill_add_facts(const struct drill *drill, struct text *out)
{
    if (drill->ops->add_title != NULL)
        drill->ops->add_title(drill, out);
}

void drill_add_title(const struct drill *drill, struct text *out)
{
    drill_add_subject(drill, out);
    drill_add_facts(drill, out);
}
