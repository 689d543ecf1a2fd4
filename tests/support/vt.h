/*
 * keyavg in a pseudo terminal, its screen read through libvterm.
 */
#ifndef SUPPORT_VT_H
#define SUPPORT_VT_H

#include <stdbool.h>
#include <stddef.h>

struct vt;

/*
 * Starts argv (ended by NULL) in a terminal of this size. The environment is only what vt_start
 * sets (LC_ALL=C.UTF-8, TERM, PATH, HOME) and `more`, lines NAME=VALUE ended by NULL, which may be
 * NULL. Ends the test when that is not possible.
 */
struct vt *vt_start(const char *const argv[], const char *term, const char *const *more, int rows, int columns);

/* Ends the program if it still runs and releases everything. */
void vt_free(struct vt *vt);

/* Types bytes. */
void vt_type(struct vt *vt, const char *bytes);

/* Changes the size as a window manager does. */
void vt_resize(struct vt *vt, int rows, int columns);

/* Sends a signal to the program. */
void vt_signal(struct vt *vt, int number);

/* The terminal goes away. */
void vt_hang_up(struct vt *vt);

/*
 * Waits until a text stands anywhere on the screen, or no longer. Fails the test with the screen
 * after five seconds, or when the program ends before.
 */
void vt_expect(struct vt *vt, const char *text);
void vt_expect_gone(struct vt *vt, const char *text);

/* Waits until the program has ended; returns its exit status, 128 + the signal that ended it. */
int vt_wait(struct vt *vt);

/* What the program has written, and how the terminal stands. */
size_t vt_bytes(const struct vt *vt);  /* all bytes written so far */
void vt_settle(struct vt *vt);         /* until the program waits for keys */
void vt_expect_empty_pipe(struct vt *vt, int file); /* until all that was written to a pipe has been read */
bool vt_alternate(const struct vt *vt); /* the alternate screen is shown */
bool vt_cursor_visible(const struct vt *vt);

/* All bytes that were written, for what no screen shows. */
const char *vt_output(const struct vt *vt);

/* One row of the screen as UTF-8, without spaces at its end. The text is static. */
const char *vt_row(struct vt *vt, int row);

/* Whether a cell has a colour of its own or is reversed. */
bool vt_colored(struct vt *vt, int row, int column);
bool vt_reversed(struct vt *vt, int row, int column);

#endif
