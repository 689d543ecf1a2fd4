/* A grid of cells: what a view draws, and what the terminal, `--play` and the tests read. */
#ifndef KEYAVG_GRID_H
#define KEYAVG_GRID_H

#include <stdbool.h>
#include <stdint.h>

#include "keyavg/role.h"
#include "keyavg/text.h"
#include "keyavg/utf8.h"

enum { GRID_POINTS = 4 }; /* code points of one cell: a base and its marks; further marks are left out */

struct cell {
    uint32_t points[GRID_POINTS];
    uint8_t count; /* of points; 0 in the right half of a wide character */
    uint8_t width; /* 1 or 2; 0 in the right half */
    uint8_t role;  /* enum role */
};

struct grid {
    int rows, columns;
    bool ascii; /* nothing beyond ASCII is ever put into it */
    struct cell *cells;
};

void grid_init(struct grid *grid, int rows, int columns, bool ascii);
void grid_free(struct grid *grid);

/* Another size; the contents are blank afterwards. */
void grid_resize(struct grid *grid, int rows, int columns);

/* Makes all cells blank, of role ROLE_TEXT. */
void grid_clear(struct grid *grid);

/* A cell, or NULL outside. */
const struct cell *grid_cell(const struct grid *grid, int row, int column);
bool grid_same(const struct cell *a, const struct cell *b);

/* All drawing is cut at the edges; places outside are allowed and draw nothing. `text` may hold any bytes: it is
 * cleaned (utf8_add_clean), so nothing of it can reach a terminal as a control. */

/* Writes text cut to `width` columns; the rest of the width stays as it is. Returns the columns used. */
int grid_text(struct grid *grid, int row, int column, int width, struct span text, enum utf8_cut where,
              enum role role);

/* The same for a string, cut at its end at the edge of the grid. */
int grid_string(struct grid *grid, int row, int column, const char *string, enum role role);

/* Text at the right end of `width` columns; too long, it is cut at its end. */
void grid_right(struct grid *grid, int row, int column, int width, struct span text, enum role role);

/* One code point of width 1; in an ASCII grid `fallback` instead. */
void grid_point(struct grid *grid, int row, int column, uint32_t point, char fallback, enum role role);

/* Blank cells of a role. */
void grid_blank(struct grid *grid, int row, int column, int width, enum role role);

/* Gives existing cells another role. */
void grid_role(struct grid *grid, int row, int column, int width, enum role role);

/* A bar of eighth blocks (`#` in ASCII) over `width` columns for a share from 0 to 1; a share above 0 shows at least
 * one eighth, in ASCII nothing under half a column. */
void grid_bar(struct grid *grid, int row, int column, int width, double share, enum role role);

/* A horizontal line. */
void grid_line(struct grid *grid, int row, int column, int width, enum role role);

/* A border around a box that is `rows` x `columns`, with its inside blanked. */
void grid_box(struct grid *grid, int row, int column, int rows, int columns, const char *title);

/* Appends the grid as text, a line a row, without spaces at the ends of lines. */
void grid_add_text(const struct grid *grid, struct text *out);

/* Appends each row padded to its whole width, `|`, and the letters of its roles. */
void grid_add_beside(const struct grid *grid, struct text *out);

/* Appends the letter of each cell's role, a line a row. */
void grid_add_roles(const struct grid *grid, struct text *out);

#endif
