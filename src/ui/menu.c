/* A menu: a box of entries over the view. */
#include "rooms.h"

struct menu_view {
    struct view view;
    const struct menu *menu;
    int row, column; /* of the first entry, as drawn last */
};

static void add_entry(struct menu_view *view, int entry, struct text *out)
{
    const struct menu *menu = view->menu;
    if (menu->on != NULL)
        text_add_string(out, menu->on(view->view.app, entry) ? "[x] " : "[ ] ");
    menu->add_label(view->view.app, entry, out);
}

static void draw(struct view *base, struct grid *grid, struct area area)
{
    struct menu_view *view = (struct menu_view *)(void *)base;
    struct list *list = &base->list;
    list->count = (uint32_t)view->menu->count;
    struct text line = {0};
    int widest = (int)strlen(view->menu->title) + 4;
    for (int i = 0; i < view->menu->count; i++) {
        text_clear(&line);
        add_entry(view, i, &line);
        int width = (int)utf8_width(text_span(&line));
        widest = width > widest ? width : widest;
    }
    int wide = widest + 4 < area.columns ? widest + 4 : area.columns;
    int rows = view->menu->count + 2 < area.rows ? view->menu->count + 2 : area.rows;
    int row = area.row + (area.rows - rows) / 3, column = area.column + (area.columns - wide) / 2;
    grid_box(grid, row, column, rows, wide, view->menu->title);
    list->height = rows - 2;
    list_fit(list);
    view->row = row + 1;
    view->column = column;
    for (int i = 0; i < list->height && list->top + (uint32_t)i < list->count; i++) {
        int entry = (int)list->top + i;
        enum role role = (uint32_t)entry == list->cursor ? ROLE_MENU_SELECTED : ROLE_MENU;
        grid_blank(grid, row + 1 + i, column + 1, wide - 2, role);
        text_clear(&line);
        add_entry(view, entry, &line);
        grid_text(grid, row + 1 + i, column + 2, wide - 4, text_span(&line), UTF8_CUT_END, role);
    }
    text_free(&line);
}

static void click(struct view *base, int row, int column)
{
    struct menu_view *view = (struct menu_view *)(void *)base;
    (void)column;
    if (row < view->row || row >= view->row + base->list.height)
        return;
    uint32_t entry = base->list.top + (uint32_t)(row - view->row);
    if (entry >= base->list.count)
        return;
    base->list.cursor = entry;
    if (view->menu->on != NULL)
        menu_switch(base->app, (struct span){"", 0});
    else
        menu_pick(base->app, (struct span){"", 0});
}

static void status(struct view *base, struct text *out)
{
    const struct menu_view *view = (const struct menu_view *)(const void *)base;
    text_add_string(out, view->menu->on != NULL ? "Space switches, Enter switches and closes, Esc closes"
                                                : "Enter chooses, Esc closes");
}

static void moved(struct view *base)
{
    struct menu_view *view = (struct menu_view *)(void *)base;
    if (view->menu->preview != NULL)
        view->menu->preview(base->app, (int)base->list.cursor);
}

static void closed(struct view *base)
{
    struct menu_view *view = (struct menu_view *)(void *)base;
    if (view->menu->preview != NULL)
        view->menu->preview(base->app, -1);
}

static const struct view_ops menu_ops = {
    .name = "menu",
    .context = CONTEXT_MENU,
    .overlay = true,
    .draw = draw,
    .status = status,
    .moved = moved,
    .click = click,
    .free = closed,
};

void menu_open(struct app *app, const struct menu *menu, int entry)
{
    struct menu_view *view = view_push(app, &menu_ops, sizeof *view);
    view->menu = menu;
    view->view.list.count = (uint32_t)menu->count;
    view->view.list.cursor = entry >= 0 ? (uint32_t)entry : 0;
}

static struct menu_view *menu_of(struct app *app)
{
    return (struct menu_view *)(void *)app->top;
}

void menu_pick(struct app *app, struct span argument)
{
    (void)argument;
    const struct menu *menu = menu_of(app)->menu;
    int entry = (int)app->top->list.cursor;
    view_pop(app);
    menu->pick(app, entry);
}

void menu_switch(struct app *app, struct span argument)
{
    (void)argument;
    const struct menu *menu = menu_of(app)->menu;
    if (menu->on == NULL)
        menu_pick(app, (struct span){"", 0});
    else
        menu->pick(app, (int)app->top->list.cursor);
}
