/* The table over ranks: its state, for the files that draw it and act on it. */
#ifndef KEYAVG_UI_RANKS_VIEW_H
#define KEYAVG_UI_RANKS_VIEW_H

#include "keyavg/many.h"

/* What the columns show, in their order behind the key, as far as there is room. */
enum { RANKS_FACETS = 7 };
extern const enum facet ranks_facets[RANKS_FACETS];

struct ranks_view {
    struct view view;
    enum facet sort;
    bool ascending;
    uint32_t chosen;   /* place of the rank that Enter opens */
    uint32_t pane_top;
    struct text anchor; /* the name of the row under the cursor, to be found again in another table */
    struct text search;
    struct text cell, scratch;
    /* As drawn last. */
    int header_row, first_row, number_width;
    int ends[RANKS_FACETS], drawn; /* by facet: the column behind it on the screen; how many are drawn */
    int key_ends;                  /* the column behind the key */
};

/* The view on top. */
struct ranks_view *ranks_view_of(const struct app *app);

/* The row under the cursor, of ranks->groups; UINT32_MAX: none. */
uint32_t ranks_view_row(const struct ranks_view *view);

/* The column of a facet, of the measure that is told. */
const struct column *ranks_view_facet(const struct ranks_view *view, enum facet facet);

/* A cell as text, until the next call. */
struct span ranks_view_cell(struct ranks_view *view, uint32_t row, const struct column *column);

/* What stands under Name: the name, or the first part of the key. */
const struct column *ranks_view_label(const struct ranks_view *view);

/* Puts the rows in order, the cursor on the same one. */
void ranks_view_arrange(struct ranks_view *view);

/* The cursor is on another row: its worst rank is the one that Enter opens. */
void ranks_view_moved(struct view *view);

#endif
