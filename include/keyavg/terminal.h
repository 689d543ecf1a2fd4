/* The terminal: keys in, a grid of cells out. The only door to ncurses; there is one terminal in a process. */
#ifndef KEYAVG_TERMINAL_H
#define KEYAVG_TERMINAL_H

#include "keyavg/error.h"
#include "keyavg/grid.h"
#include "keyavg/key.h"

/* Whether an explorer can run here: standard output is a terminal, TERM names one that can move its cursor, and keys
 * can be read. Otherwise `why` says in one line what is missing. */
bool terminal_usable(struct error *why);

/* Takes the terminal: raw keys, alternate screen, signals. Keys come from standard input where that is a terminal, else
 * from /dev/tty. From here on a failing allocation restores it first (memory_on_failure). */
bool terminal_open(bool mouse, struct error *error);

/* Gives the terminal back as it was. May be called at any time, also twice. */
void terminal_close(void);

/* How many colours it has: 256, 16, 8 or 0. Only while open. */
int terminal_colors(void);

/* How a role looks from now on. Colours are numbers of the terminal's palette, -1 its own; above what it has they are
 * left out. */
void terminal_set_style(enum role role, int foreground, int background, unsigned attributes);

void terminal_size(int *rows, int *columns);
void terminal_mouse(bool on);

/* The next key; waits for it so many milliseconds at most, below 0 without end. False: there is none. */
bool terminal_read(struct key *key, int wait);

/* Makes a waiting terminal_read return KEYCODE_PROGRESS. From any thread. */
void terminal_wake(void);

/* Shows the grid: only cells that differ from what is on the screen are sent, in one write. The cursor is shown at a
 * place of the grid, or hidden where row is negative. */
void terminal_paint(const struct grid *grid, int cursor_row, int cursor_column);

/* Sends the whole screen again with the next terminal_paint. */
void terminal_redraw(void);

/* Stops the process group as ^Z does in a shell; returns when it goes on. */
void terminal_suspend(void);

/* Sends bytes to the terminal as they are: for the clipboard alone. */
void terminal_send(const char *bytes, size_t length);

#endif
