/* Views: they draw into the grid and act on keys. They lie on one stack; the top one gets the keys. */
#ifndef KEYAVG_VIEW_H
#define KEYAVG_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "keyavg/grid.h"

struct app;
struct view;

struct area {
    int row, column, rows, columns;
};

/* Rows under a cursor. */
struct list {
    uint32_t count, cursor, top;
    int height; /* rows on the screen, set while drawing */
};

/* All but name, context and draw may be NULL. */
struct view_ops {
    const char *name;                                     /* in help */
    unsigned context;                                     /* enum context */
    bool overlay;                                         /* drawn over the view below */
    bool ground;                                          /* Esc takes something back here, it does not leave */
    void (*draw)(struct view *view, struct grid *grid, struct area area);
    void (*status)(struct view *view, struct text *out);  /* the status line while there is no message */
    void (*moved)(struct view *view);                     /* the user has moved the cursor */
    void (*click)(struct view *view, int row, int column);
    void (*escape)(struct view *view);                    /* Esc in the lowest view and where ground is set */
    void (*changed)(struct view *view);                   /* the table's rows or settings are others now */
    void (*free)(struct view *view);
};

struct view {
    const struct view_ops *ops;
    struct app *app;
    struct view *below;
    struct list list;
};

/* Takes a view of `size` bytes whose first member is a struct view, zeroed, to the top. */
void *view_push(struct app *app, const struct view_ops *ops, size_t size);

/* What works in a view: its own context, and what works besides where there are two traces or many. */
unsigned view_context(const struct view *view);

/* Takes the top view away. */
void view_pop(struct app *app);

/* Keeps the cursor in the list and the cursor in sight. */
void list_fit(struct list *list);

/* Moves by rows; negative is up. */
void list_move(struct list *list, int64_t rows);

#endif
