/* Grouping, and which calls take part. */
#include <limits.h>
#include <stdlib.h>

#include "acts.h"
#include "keyavg/phase.h"
#include "keyavg/grouping.h"
#include "keyavg/many.h"
#include "keyavg/module.h"
#include "rows.h"

/* Says what would have recorded a thing that is not in the file. */
static void complain_missing(struct app *app, const char *what, const char *argument)
{
    app_complain(app, "no %s in %s; torch.profiler records them with %s", what,
                 app->many != NULL ? "these traces" : "this trace", argument);
}

static bool has_shapes(const struct table *table)
{
    return table->trace->has_shapes;
}

static bool has_stacks(const struct table *table)
{
    return table->tree->has_stacks;
}

static bool has_overloads(const struct table *table)
{
    return table->trace->has_overloads;
}

static bool has_python(const struct table *table)
{
    return table->trace->has_python;
}

static bool has_modules(const struct table *table)
{
    const uint32_t *modules = tree_modules(table->tree);
    for (uint32_t e = 0; e < table->tree->count; e++)
        if (modules[e] != 0)
            return true;
    return false;
}

/* Of many ranks, whether any has it. */
static bool any_has(const struct app *app, bool (*holds)(const struct table *table), unsigned of_source)
{
    return app->many != NULL ? (app->many->ranks->facts.has & of_source) != 0 : rows_any(app, holds);
}

static bool any_steps(const struct app *app)
{
    const struct summary *whole = app->many != NULL ? app->many->ranks->roll.whole : NULL;
    for (size_t i = 0; whole != NULL && i < whole->sources.count; i++)
        if (whole->sources.items[i].steps > 0)
            return true;
    return app->steps > 0;
}

/* Whether a part of a key says anything here; complains where not. What only calls can tell is asked of the open
 * trace. */
static bool recorded(struct app *app, unsigned part)
{
    if ((part == GROUP_SHAPE || part == GROUP_DTYPE) && !any_has(app, has_shapes, SOURCE_SHAPES)) {
        complain_missing(app, part == GROUP_SHAPE ? "shapes" : "types", "record_shapes=True");
        return false;
    }
    if (part == GROUP_STACK && !any_has(app, has_stacks, SOURCE_STACKS)) {
        complain_missing(app, "stacks", "with_stack=True");
        return false;
    }
    if (part == GROUP_OVERLOAD && !any_has(app, has_overloads, SOURCE_OVERLOADS)) {
        complain_missing(app, "overloads", "experimental_config=_ExperimentalConfig(capture_overload_names=True)");
        return false;
    }
    if (part == GROUP_MODULE && app->table != NULL && !rows_any(app, has_modules)) {
        complain_missing(app, "modules", "with_stack=True, or with_modules=True for scripted ones");
        return false;
    }
    if (part == GROUP_STEP && !any_steps(app)) {
        app_complain(app, "no steps in this trace; prof.step() after each iteration records them");
        return false;
    }
    return true;
}

static void switch_part(struct app *app, unsigned part)
{
    struct grouping *grouping = &app->query.grouping;
    if (!(grouping->parts & part) && !recorded(app, part))
        return;
    grouping->parts ^= part;
    if (grouping->parts & GROUP_STACK && grouping->stack_depth < 1)
        grouping->stack_depth = app->last_stack > 0 ? app->last_stack : 1;
    if (grouping->parts == 0)
        grouping->parts = GROUP_NAME;
    app_update(app);
}

void act_group(struct app *app, struct span argument)
{
    struct error error;
    struct grouping grouping = app->query.grouping;
    if (argument.length == 0) {
        act_group_menu(app, argument);
        return;
    }
    if (!grouping_parse(argument, &grouping, &error)) {
        app_complain(app, "%s", error.text);
        return;
    }
    for (int i = 0; i < GROUPING_PARTS; i++)
        if (grouping.parts & grouping_parts[i].part && !recorded(app, grouping_parts[i].part))
            return;
    app->query.grouping = grouping;
    app_update(app);
}

static void add_label(struct app *app, int entry, struct text *out)
{
    const struct grouping_part *part = &grouping_parts[entry];
    text_addf(out, "%-9s %s", part->name, part->help);
    if (part->part == GROUP_STACK && app->query.grouping.parts & GROUP_STACK)
        text_addf(out, " (%d)", app->query.grouping.stack_depth);
}

static bool part_on(const struct app *app, int entry)
{
    return (app->query.grouping.parts & grouping_parts[entry].part) != 0;
}

static void pick(struct app *app, int entry)
{
    switch_part(app, grouping_parts[entry].part);
}

void act_group_menu(struct app *app, struct span argument)
{
    (void)argument;
    static const struct menu menu = {
        .title = "group by", .count = GROUPING_PARTS, .add_label = add_label, .on = part_on, .pick = pick};
    menu_open(app, &menu, 0);
}

void act_shapes(struct app *app, struct span argument)
{
    (void)argument;
    switch_part(app, GROUP_SHAPE);
}

void act_overloads(struct app *app, struct span argument)
{
    (void)argument;
    switch_part(app, GROUP_OVERLOAD);
}

static void set_stack(struct app *app, int depth)
{
    struct grouping *grouping = &app->query.grouping;
    if (!any_has(app, has_stacks, SOURCE_STACKS)) {
        complain_missing(app, "stacks", "with_stack=True");
        return;
    }
    /* Summaries say for themselves what is too deep for them. */
    int deepest = app->trace != NULL ? (int)app->trace->stacks.deepest : INT_MAX;
    for (int s = 0; s < COMPARE_SIDES && app->compare != NULL; s++)
        deepest = deepest > (int)app->traces[s]->stacks.deepest ? deepest : (int)app->traces[s]->stacks.deepest;
    if (depth > deepest) {
        app_say(app, "no stack of this trace is deeper than %d", deepest);
        depth = deepest;
    }
    if (depth > 0) {
        grouping->parts |= GROUP_STACK;
        app->last_stack = depth;
    } else {
        grouping->parts &= ~(unsigned)GROUP_STACK;
        if (grouping->parts == 0)
            grouping->parts = GROUP_NAME;
    }
    grouping->stack_depth = depth < 0 ? 0 : depth;
    app_update(app);
}

static int stack_now(const struct app *app)
{
    return app->query.grouping.parts & GROUP_STACK ? app->query.grouping.stack_depth : 0;
}

void act_stack(struct app *app, struct span argument)
{
    int depth = 0;
    for (size_t i = 0; i < argument.length; i++) {
        if (argument.bytes[i] < '0' || argument.bytes[i] > '9' || depth > 1000000) {
            app_complain(app, ":stack N takes a number of frames");
            return;
        }
        depth = depth * 10 + (argument.bytes[i] - '0');
    }
    set_stack(app, argument.length > 0 ? depth : stack_now(app) > 0 ? 0 : 1);
}

void act_stack_more(struct app *app, struct span argument)
{
    (void)argument;
    set_stack(app, stack_now(app) + 1);
}

void act_stack_less(struct app *app, struct span argument)
{
    (void)argument;
    if (stack_now(app) > 0 || !any_has(app, has_stacks, SOURCE_STACKS))
        set_stack(app, stack_now(app) - 1);
}

void act_stack_switch(struct app *app, struct span argument)
{
    (void)argument;
    set_stack(app, stack_now(app) > 0 ? 0 : app->last_stack > 0 ? app->last_stack : 1);
}

/* Whether any call is of a phase: by key only those are gone through. */
static bool has_phase(const struct app *app, enum scope_choice scope)
{
    for (int s = 0; s < (app->compare != NULL ? COMPARE_SIDES : 1); s++) {
        struct tree *tree = rows_table(app, s)->tree;
        const uint8_t *phases = tree_phases(tree);
        for (uint32_t e = 0; e < tree->count; e++)
            if (phases[e] == scope_phase(scope) && tree->state[e] == STATE_ROW)
                return true;
    }
    return false;
}

void act_scope(struct app *app, struct span argument)
{
    int next = (int)(app->query.scope + 1) % SCOPE_CHOICES;
    /* While a table is being made its tree is not looked at. */
    while (argument.length == 0 && app->table != NULL && app->work == NULL && next != SCOPE_ALL &&
           !has_phase(app, (enum scope_choice)next))
        next = (next + 1) % SCOPE_CHOICES;
    for (int i = 0; i < SCOPE_CHOICES && argument.length > 0; i++) {
        if (span_is(argument, scope_names[i])) {
            next = i;
            break;
        }
        if (i == SCOPE_CHOICES - 1) {
            app_complain(app, "scope is " SCOPE_WORDS);
            return;
        }
    }
    app->query.scope = (enum scope_choice)next;
    app_update(app);
}

void act_python(struct app *app, struct span argument)
{
    (void)argument;
    if (app->table == NULL || !rows_any(app, has_python)) {
        complain_missing(app, "python frames", "with_stack=True");
        return;
    }
    app->query.grouping.python = (enum python_frames)((app->query.grouping.python + 1) % 3);
    static const char *const said[] = {"python frames: in the tree, not as rows", "python frames: as rows too",
                                       "python frames: left out, as if not recorded"};
    app_update(app);
    app_say(app, "%s", said[app->query.grouping.python]);
}

void act_top_level(struct app *app, struct span argument)
{
    (void)argument;
    app->query.top_level_only = !app->query.top_level_only;
    app_update(app);
}

/* -- Filter --------------------------------------------------------------------------------------- */

static void filter_changed(struct app *app, struct span text)
{
    struct error error = {0};
    if (!app_set_filter(app, text, &error)) {
        text_add_string(&app->prompt.problem, error.text);
    }
}

static uint32_t count_shown(const struct app *app)
{
    return app->many != NULL && ranks_view_on_top(app) ? app->many->ranks->count : rows_count(app);
}

static void filter_done(struct app *app, struct span text, bool accepted)
{
    struct error error = {0};
    if (!accepted)
        app_set_filter(app, text_span(&app->filter_before), &error);
    else if (!app_set_filter(app, text, &error))
        app_complain(app, "%s", error.text);
    else if (!app->update_waits && count_shown(app) == 0 && text.length > 0)
        app_say(app, "nothing passes this filter; Esc takes it away");
}

static const struct prompt_kind filter_prompt = {
    .label = "filter: ",
    .changed = filter_changed,
    .done = filter_done,
    .complete = complete_filter,
    .history = HISTORY_FILTER,
    .meanwhile = true,
};

void act_filter(struct app *app, struct span argument)
{
    if (argument.length > 0) {
        struct error error;
        if (!app_set_filter(app, argument, &error))
            app_complain(app, "%s", error.text);
        return;
    }
    text_clear(&app->filter_before);
    if (app->filter != NULL)
        filter_add_text(app->filter, true, &app->filter_before);
    prompt_open(app, &filter_prompt, text_span(&app->filter_before));
}
