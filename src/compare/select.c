#include "keyavg/select.h"

#include "keyavg/grouping.h"
#include "keyavg/phase.h"

/* Parts of keys that a query needs to be told, also only to choose calls. */
static unsigned needed_parts(const struct query *query, const struct filter *filter)
{
    unsigned parts = query->grouping.parts, asked = filter != NULL ? filter_asks(filter) : 0;
    parts |= query->scope != SCOPE_ALL || asked & ASKS_PHASE ? GROUP_SCOPE : 0u;
    parts |= asked & ASKS_STEP ? GROUP_STEP : 0u;
    parts |= asked & ASKS_SHAPE ? GROUP_SHAPE : 0u;
    parts |= asked & ASKS_THREAD ? GROUP_THREAD : 0u;
    return parts;
}

int select_table(const struct query *query, const struct filter *filter, int stack_depth, struct error *error)
{
    static const unsigned parts[SUMMARY_TABLES] = {
        [SUMMARY_NAME] = GROUP_NAME,
        [SUMMARY_SHAPE] = GROUP_NAME | GROUP_SHAPE,
        [SUMMARY_STACK] = GROUP_NAME | GROUP_STACK,
        [SUMMARY_STEP] = GROUP_NAME | GROUP_STEP,
        [SUMMARY_SCOPE] = GROUP_NAME | GROUP_SCOPE,
    };
    struct grouping needed = {.parts = needed_parts(query, filter), .stack_depth = query->grouping.stack_depth};
    if ((needed.parts & GROUP_STACK) && stack_depth >= 0 && needed.stack_depth > stack_depth) {
        error_set(error, ERROR_USAGE, "a summary with stacks of %d frames cannot tell %d; make it with "
                  "--group-by-stack-n %d", stack_depth, needed.stack_depth, needed.stack_depth);
        return -1;
    }
    if (query->grouping.full_list_shapes && (needed.parts & GROUP_SHAPE)) {
        error_set(error, ERROR_USAGE, "a summary has shapes as torch does, without --full-list-shapes");
        return -1;
    }
    for (int t = 0; t < SUMMARY_TABLES; t++)
        if ((needed.parts & ~parts[t]) == 0)
            return t;
    struct text text = {0};
    grouping_add_text(&needed, &text);
    error_set(error, ERROR_USAGE, "a summary has groups by name and one of shape, stack, step, scope; it cannot tell %s",
              text.bytes);
    text_free(&text);
    return -1;
}

struct selection {
    const struct query *query;
    const struct filter *filter;
    unsigned parts; /* of the table selected from */
};

static bool passes(const void *context, const struct groups *groups, const struct group *group)
{
    const struct selection *selection = context;
    const struct query *query = selection->query;
    if (query->no_device_annotations && group->key.side == (SIDE_DEVICE | SIDE_ANNOTATION))
        return false;
    if (query->scope != SCOPE_ALL && group->key.phase != scope_phase(query->scope))
        return false;
    if (selection->filter == NULL)
        return true;
    struct filter_subject subject = {
        .name = strings_get(groups->strings, group->key.name),
        .shapes = strings_get(groups->strings, group->key.shapes),
        .kinds = group->kinds,
        .phase = selection->parts & GROUP_SCOPE ? group->key.phase : -1,
        .step = selection->parts & GROUP_STEP ? group->key.step : -2,
    };
    return filter_subject_passes(selection->filter, &subject);
}

bool select_groups(const struct summary *summary, const struct query *query, const struct filter *filter,
                   struct groups *into, struct error *error)
{
    int table = select_table(query, filter, summary->stack_depth, error);
    if (table < 0)
        return false;
    if (summary->python != query->grouping.python)
        return error_set(error, ERROR_USAGE, "the summary was made with other options for Python frames: make it with the "
                         "same --include-python-functions or --no-python");
    if (!(summary->tables_read >> table & 1))
        return error_set(error, ERROR_USAGE, "the summary was read without this table");
    struct selection selection = {query, filter, summary->tables[table].grouping.parts};
    groups_project(into, &summary->tables[table], passes, &selection);
    return true;
}
