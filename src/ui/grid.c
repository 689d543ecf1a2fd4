/* The grid of cells. */
#include "keyavg/grid.h"

#include <stdlib.h>

#include "keyavg/memory.h"

static const struct cell blank = {.points = {' '}, .count = 1, .width = 1, .role = ROLE_TEXT};

void grid_init(struct grid *grid, int rows, int columns, bool ascii)
{
    *grid = (struct grid){.ascii = ascii};
    grid_resize(grid, rows, columns);
}

void grid_free(struct grid *grid)
{
    free(grid->cells);
    *grid = (struct grid){0};
}

void grid_resize(struct grid *grid, int rows, int columns)
{
    grid->rows = rows < 0 ? 0 : rows;
    grid->columns = columns < 0 ? 0 : columns;
    grid->cells = memory_resize(grid->cells, (size_t)grid->rows * (size_t)grid->columns + 1, sizeof *grid->cells);
    grid_clear(grid);
}

void grid_clear(struct grid *grid)
{
    size_t count = (size_t)grid->rows * (size_t)grid->columns;
    for (size_t i = 0; i < count; i++)
        grid->cells[i] = blank;
}

static struct cell *cell_at(const struct grid *grid, int row, int column)
{
    if (row < 0 || row >= grid->rows || column < 0 || column >= grid->columns)
        return NULL;
    return &grid->cells[(size_t)row * (size_t)grid->columns + (size_t)column];
}

const struct cell *grid_cell(const struct grid *grid, int row, int column)
{
    return cell_at(grid, row, column);
}

bool grid_same(const struct cell *a, const struct cell *b)
{
    if (a->count != b->count || a->width != b->width || a->role != b->role)
        return false;
    for (int i = 0; i < a->count; i++)
        if (a->points[i] != b->points[i])
            return false;
    return true;
}

/* Before a cell is overwritten: the other half of a wide character must not stay alone. */
static void release_wide(const struct grid *grid, struct cell *cell, int column)
{
    if (cell->width == 0 && column > 0) {
        struct cell *left = cell - 1;
        uint8_t role = left->role;
        *left = blank;
        left->role = role;
    } else if (cell->width == 2 && column + 1 < grid->columns) {
        struct cell *right = cell + 1;
        uint8_t role = right->role;
        *right = blank;
        right->role = role;
    }
}

static void set_cell(struct grid *grid, int row, int column, uint32_t point, int width, enum role role)
{
    struct cell *cell = cell_at(grid, row, column);
    if (cell == NULL)
        return;
    if (width == 2 && column + 1 >= grid->columns) {
        point = ' ';
        width = 1;
    }
    release_wide(grid, cell, column);
    if (width == 2)
        release_wide(grid, cell + 1, column + 1);
    *cell = (struct cell){.points = {point}, .count = 1, .width = (uint8_t)width, .role = (uint8_t)role};
    if (width == 2)
        cell[1] = (struct cell){.role = (uint8_t)role};
}

/* Puts clean text; returns the columns used. */
static int put_clean(struct grid *grid, int row, int column, struct span text, enum role role)
{
    int used = 0;
    struct cell *last = NULL;
    for (size_t at = 0; at < text.length;) {
        uint32_t point;
        at += utf8_decode(text.bytes + at, text.length - at, &point);
        int width = utf8_point_width(point);
        if (width == 0) {
            if (last != NULL && last->count > 0 && last->count < GRID_POINTS)
                last->points[last->count++] = point;
            continue;
        }
        set_cell(grid, row, column + used, point, width, role);
        last = cell_at(grid, row, column + used);
        used += width;
    }
    return used;
}

int grid_text(struct grid *grid, int row, int column, int width, struct span text, enum utf8_cut where,
              enum role role)
{
    if (width <= 0 || row < 0 || row >= grid->rows)
        return 0;
    struct text clean = {0};
    utf8_add_fitted(&clean, text, (size_t)width, where, grid->ascii);
    int used = put_clean(grid, row, column, text_span(&clean), role);
    text_free(&clean);
    return used;
}

int grid_string(struct grid *grid, int row, int column, const char *string, enum role role)
{
    return grid_text(grid, row, column, grid->columns - column, span_of(string), UTF8_CUT_END, role);
}

void grid_right(struct grid *grid, int row, int column, int width, struct span text, enum role role)
{
    size_t long_as = utf8_width(text);
    int pad = long_as < (size_t)(width > 0 ? width : 0) ? width - (int)long_as : 0;
    grid_text(grid, row, column + pad, width - pad, text, UTF8_CUT_END, role);
}

void grid_point(struct grid *grid, int row, int column, uint32_t point, char fallback, enum role role)
{
    set_cell(grid, row, column, grid->ascii && point > 0x7E ? (uint32_t)(unsigned char)fallback : point, 1, role);
}

void grid_blank(struct grid *grid, int row, int column, int width, enum role role)
{
    for (int i = 0; i < width; i++)
        set_cell(grid, row, column + i, ' ', 1, role);
}

void grid_role(struct grid *grid, int row, int column, int width, enum role role)
{
    for (int i = 0; i < width; i++) {
        struct cell *cell = cell_at(grid, row, column + i);
        if (cell != NULL)
            cell->role = (uint8_t)role;
    }
}

void grid_bar(struct grid *grid, int row, int column, int width, double share, enum role role)
{
    if (width <= 0 || !(share > 0))
        return;
    if (share > 1)
        share = 1;
    int eighths = (int)(share * width * 8 + 0.5);
    if (grid->ascii) {
        for (int i = 0; i < (eighths + 4) / 8; i++)
            grid_point(grid, row, column + i, '#', '#', role);
        return;
    }
    if (eighths == 0)
        eighths = 1;
    for (int i = 0; eighths > 0; i++, eighths -= 8)
        grid_point(grid, row, column + i, eighths >= 8 ? 0x2588u : 0x2590u - (uint32_t)eighths, '#', role);
}

void grid_line(struct grid *grid, int row, int column, int width, enum role role)
{
    for (int i = 0; i < width; i++)
        grid_point(grid, row, column + i, 0x2500, '-', role);
}

void grid_box(struct grid *grid, int row, int column, int rows, int columns, const char *title)
{
    for (int r = 0; r < rows; r++)
        grid_blank(grid, row + r, column, columns, ROLE_MENU);
    int bottom = row + rows - 1, right = column + columns - 1;
    grid_line(grid, row, column, columns, ROLE_PANE_BORDER);
    grid_line(grid, bottom, column, columns, ROLE_PANE_BORDER);
    for (int r = row + 1; r < bottom; r++) {
        grid_point(grid, r, column, 0x2502, '|', ROLE_PANE_BORDER);
        grid_point(grid, r, right, 0x2502, '|', ROLE_PANE_BORDER);
    }
    grid_point(grid, row, column, 0x250C, '+', ROLE_PANE_BORDER);
    grid_point(grid, row, right, 0x2510, '+', ROLE_PANE_BORDER);
    grid_point(grid, bottom, column, 0x2514, '+', ROLE_PANE_BORDER);
    grid_point(grid, bottom, right, 0x2518, '+', ROLE_PANE_BORDER);
    if (columns > 6) {
        struct text label = {0};
        text_addf(&label, " %s ", title);
        grid_text(grid, row, column + 2, columns - 4, text_span(&label), UTF8_CUT_END, ROLE_PANE_TITLE);
        text_free(&label);
    }
}

static void add_cell(const struct cell *cell, struct text *out)
{
    for (int i = 0; i < cell->count; i++) {
        char bytes[4];
        text_add(out, bytes, utf8_encode(cell->points[i], bytes));
    }
}

void grid_add_text(const struct grid *grid, struct text *out)
{
    for (int row = 0; row < grid->rows; row++) {
        const struct cell *line = &grid->cells[(size_t)row * (size_t)grid->columns];
        int end = grid->columns;
        while (end > 0 && line[end - 1].count == 1 && line[end - 1].points[0] == ' ')
            end--;
        for (int column = 0; column < end; column++)
            add_cell(&line[column], out);
        text_add_char(out, '\n');
    }
}

void grid_add_beside(const struct grid *grid, struct text *out)
{
    for (int row = 0; row < grid->rows; row++) {
        const struct cell *line = &grid->cells[(size_t)row * (size_t)grid->columns];
        for (int column = 0; column < grid->columns; column++)
            add_cell(&line[column], out);
        text_add_char(out, '|');
        for (int column = 0; column < grid->columns; column++)
            text_add_char(out, roles[line[column].role].letter);
        text_add_char(out, '\n');
    }
}

void grid_add_roles(const struct grid *grid, struct text *out)
{
    for (int row = 0; row < grid->rows; row++) {
        for (int column = 0; column < grid->columns; column++) {
            const struct cell *cell = &grid->cells[(size_t)row * (size_t)grid->columns + (size_t)column];
            text_add_char(out, roles[cell->role].letter);
        }
        text_add_char(out, '\n');
    }
}
