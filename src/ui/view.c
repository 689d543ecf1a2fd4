/* The stack of views and their lists. */
#include "keyavg/view.h"

#include <stdlib.h>

#include "keyavg/app.h"
#include "keyavg/memory.h"

void *view_push(struct app *app, const struct view_ops *ops, size_t size)
{
    struct view *view = memory_zero(1, size);
    view->ops = ops;
    view->app = app;
    view->below = app->top;
    app->top = view;
    return view;
}

unsigned view_context(const struct view *view)
{
    unsigned context = view->ops->context;
    if (view->app->two.on && context & CONTEXT_TABLE)
        context |= CONTEXT_CHANGES;
    if (view->app->two.on && context & CONTEXT_DRILL)
        context |= CONTEXT_SIDES;
    if (view->app->many != NULL && context & (CONTEXT_TABLE | CONTEXT_DRILL))
        context |= CONTEXT_RUN;
    return context;
}

void view_pop(struct app *app)
{
    struct view *view = app->top;
    if (view == NULL)
        return;
    app->top = view->below;
    if (view->ops->free != NULL)
        view->ops->free(view);
    free(view);
}

void list_fit(struct list *list)
{
    if (list->count == 0) {
        list->cursor = list->top = 0;
        return;
    }
    uint32_t height = list->height > 0 ? (uint32_t)list->height : 1;
    if (list->cursor >= list->count)
        list->cursor = list->count - 1;
    if (list->top > list->cursor)
        list->top = list->cursor;
    if (list->cursor - list->top >= height)
        list->top = list->cursor - height + 1;
    /* No empty rows below the last one while there are rows above the first. */
    uint32_t last_top = list->count > height ? list->count - height : 0;
    if (list->top > last_top)
        list->top = last_top;
}

void list_move(struct list *list, int64_t rows)
{
    int64_t cursor = (int64_t)list->cursor + rows;
    if (cursor >= (int64_t)list->count)
        cursor = (int64_t)list->count - 1;
    list->cursor = cursor < 0 ? 0 : (uint32_t)cursor;
    list_fit(list);
}
