/* The crumb line: what is grouped, chosen and left out; each crumb can be taken away. */
#include "keyavg/filter.h"
#include "keyavg/grouping.h"
#include "keyavg/many.h"
#include "table_view.h"

static bool crumb_on(const struct app *app, int crumb)
{
    const struct query *query = &app->query;
    switch (crumb) {
    case CRUMB_SCOPE: return query->scope != SCOPE_ALL;
    case CRUMB_FILTER: return query->filter != NULL && filter_has_others(query->filter);
    case CRUMB_BASE: return app->two.on && app->two.own[COMPARE_BASE] != NULL;
    case CRUMB_NEW: return app->two.on && app->two.own[COMPARE_NEW] != NULL;
    case CRUMB_STEPS: return query->filter != NULL && filter_has_steps(query->filter);
    case CRUMB_TOP_LEVEL: return query->top_level_only;
    case CRUMB_HIDE_BELOW: return query->hide_below > 0;
    case CRUMB_PERCENT: return query->percent_of == PERCENT_OF_SHOWN;
    case CRUMB_PYTHON: return query->grouping.python != PYTHON_IN_TREE;
    case CRUMB_ANNOTATIONS: return query->no_device_annotations;
    case CRUMB_ROW_LIMIT: return query->row_limit >= 0 && !ranks_view_in_sight(app); /* it has all rows */
    case CRUMB_PER_STEP: return app->two.on && app->two.per_step;
    case CRUMB_UNCHANGED: return app->two.on && app->two.unchanged;
    default: break;
    }
    /* The name is the ground that stays. */
    if (crumb > CRUMB_GROUPING && crumb < CRUMB_GROUPING + GROUPING_PARTS)
        return (query->grouping.parts & grouping_parts[crumb - CRUMB_GROUPING].part) != 0;
    return false;
}

static void add_crumb(const struct app *app, int crumb, struct text *out)
{
    const struct query *query = &app->query;
    switch (crumb) {
    case CRUMB_SCOPE: text_addf(out, "scope %s", scope_names[query->scope]); break;
    case CRUMB_FILTER:
        text_add_string(out, "filter ");
        filter_add_text(query->filter, false, out);
        break;
    case CRUMB_BASE: text_addf(out, "base %s", app->two.own[COMPARE_BASE]); break;
    case CRUMB_NEW: text_addf(out, "new %s", app->two.own[COMPARE_NEW]); break;
    case CRUMB_STEPS:
        text_add_string(out, "steps ");
        filter_add_steps(query->filter, out);
        break;
    case CRUMB_TOP_LEVEL: text_add_string(out, "top level"); break;
    case CRUMB_HIDE_BELOW: text_addf(out, "below %g %% hidden", query->hide_below); break;
    case CRUMB_PERCENT: text_add_string(out, "% of shown"); break;
    case CRUMB_PYTHON:
        text_add_string(out, query->grouping.python == PYTHON_AS_ROWS ? "python rows" : "no python");
        break;
    case CRUMB_ANNOTATIONS: text_add_string(out, "no device annotations"); break;
    case CRUMB_ROW_LIMIT: text_addf(out, "first %lld", (long long)query->row_limit); break;
    case CRUMB_PER_STEP: text_add_string(out, "per step"); break;
    case CRUMB_UNCHANGED: text_add_string(out, "unchanged too"); break;
    default: 
        /* These words also stand for what is chosen. */
        if (grouping_parts[crumb - CRUMB_GROUPING].part & (GROUP_SCOPE | GROUP_STEP))
            text_add_string(out, "by ");
        text_add_string(out, grouping_parts[crumb - CRUMB_GROUPING].name);
        if (grouping_parts[crumb - CRUMB_GROUPING].part == GROUP_STACK)
            text_addf(out, ":%d", query->grouping.stack_depth);
        break;
    }
}

static void remove_crumb(struct app *app, int crumb)
{
    struct query *query = &app->query;
    struct error error;
    switch (crumb) {
    case CRUMB_SCOPE: query->scope = SCOPE_ALL; break;
    case CRUMB_FILTER:
    case CRUMB_STEPS: {
        /* One of the two parts of the filter stays. */
        struct text rest = {0};
        if (crumb == CRUMB_FILTER)
            filter_add_step_terms(query->filter, &rest);
        else
            filter_add_text(query->filter, false, &rest);
        app_set_filter(app, text_span(&rest), &error);
        text_free(&rest);
        break;
    }
    case CRUMB_BASE:
    case CRUMB_NEW:
        app_set_side_filter(app, crumb == CRUMB_BASE ? COMPARE_BASE : COMPARE_NEW, (struct span){"", 0}, &error);
        break;
    case CRUMB_TOP_LEVEL: query->top_level_only = false; break;
    case CRUMB_HIDE_BELOW: query->hide_below = 0; break;
    case CRUMB_PERCENT: query->percent_of = PERCENT_OF_ALL; break;
    case CRUMB_PYTHON: query->grouping.python = PYTHON_IN_TREE; break;
    case CRUMB_ANNOTATIONS: query->no_device_annotations = false; break;
    case CRUMB_ROW_LIMIT: query->row_limit = -1; break;
    case CRUMB_PER_STEP: app->two.per_step = false; break;
    case CRUMB_UNCHANGED: app->two.unchanged = false; break;
    default:
        query->grouping.parts &= ~grouping_parts[crumb - CRUMB_GROUPING].part;
        if (query->grouping.parts == 0)
            query->grouping.parts = GROUP_NAME;
        break;
    }
    app_update(app);
}

/* Walks over the crumbs as they stand on the screen; draws them, and returns the one at `wanted`, -1 none. */
static int walk(struct app *app, struct grid *grid, int row, int wanted)
{
    struct text crumb = {0};
    int at = 1, found = -1;
    for (int i = 0; i < CRUMB_COUNT; i++) {
        if (!crumb_on(app, i))
            continue;
        text_clear(&crumb);
        add_crumb(app, i, &crumb);
        int room = app->grid.columns - at;
        int width = (int)utf8_width(text_span(&crumb));
        /* A long filter leaves room for what follows. */
        width = width > 40 && width > room / 2 ? (room / 2 > 40 ? room / 2 : 40) : width;
        if (room <= 0)
            break;
        if (grid != NULL) {
            int used = grid_text(grid, row, at, width, text_span(&crumb), UTF8_CUT_END, ROLE_CRUMB);
            grid_point(grid, row, at + used + 1, 0x2715, 'x', ROLE_CRUMB_REMOVE);
            width = used;
        }
        if (wanted >= at && wanted < at + width + 2)
            found = i;
        at += width + 4;
    }
    if (grid != NULL && at == 1) {
        struct text ground = {0};
        text_add_string(&ground, "by ");
        grouping_add_text(&app->query.grouping, &ground);
        grid_text(grid, row, at, grid->columns - 2, text_span(&ground), UTF8_CUT_END, ROLE_DIM);
        at += (int)ground.length + 2;
        text_free(&ground);
    }
    if (grid != NULL) {
        /* What 100 % is, or of two traces what is shown of each number, stands at the right, where there is room. */
        const char *base = app->two.on                                ? facet_choice_words[app->two.facets]
                           : ranks_view_in_sight(app)                 ? "" /* no shares there */
                           : app->query.percent_of == PERCENT_OF_SHOWN ? "% of shown"
                                                                       : "% of all";
        int width = (int)strlen(base);
        if (at + width + 1 <= grid->columns)
            grid_string(grid, row, grid->columns - width - 1, base, ROLE_DIM);
    }
    text_free(&crumb);
    return found;
}

void crumbs_draw(struct app *app, struct grid *grid, int row)
{
    walk(app, grid, row, -1);
}

void crumbs_click(struct app *app, int column)
{
    int crumb = walk(app, NULL, 0, column);
    if (crumb >= 0)
        remove_crumb(app, crumb);
}

bool crumbs_remove_last(struct app *app)
{
    for (int i = CRUMB_COUNT - 1; i >= 0; i--) {
        if (crumb_on(app, i)) {
            remove_crumb(app, i);
            return true;
        }
    }
    return false;
}
