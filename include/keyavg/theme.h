/* Themes: how each role looks. Built in, or files that users write. */
#ifndef KEYAVG_THEME_H
#define KEYAVG_THEME_H

#include <stdbool.h>
#include <stdint.h>

#include "keyavg/messages.h"
#include "keyavg/role.h"
#include "keyavg/text.h"

enum { COLOR_DEFAULT = -1 }; /* the terminal's own */

struct style {
    int16_t fg, bg;     /* COLOR_DEFAULT or 0 to 255 */
    int8_t fg16, bg16;  /* COLOR_DEFAULT or 0 to 15 */
    uint8_t attributes; /* of enum style_attribute */
};

struct theme {
    char *name;
    char *path; /* of the file that it was read from; NULL when built in */
    struct style styles[ROLE_COUNT];
};

/* Whether to use colours: `--color`, `color:`. */
enum color_choice { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

extern const char *const color_choice_names[3];

/* The theme to load: `named` (by --theme or `theme:`, NULL when by neither), except that COLOR_NEVER makes it mono.
 * Without a name it is dark, or light where COLORFGBG tells of a light background; and mono where NO_COLOR is set to
 * anything, unless the choice is COLOR_ALWAYS. */
const char *theme_choose(const char *named, enum color_choice choice);

/* Loads a theme by name: from themes/NAME.yaml in the user's folder, else in the data folder, else the built-in one; a
 * name with a `/` is the path of a file. What is wrong is added to `messages`, and then false is returned; the theme is
 * usable all the same: what is good in it stands, the rest is as in its base (dark when there is none). `from` and
 * `place` are where the name was written, for the message when there is no such theme; `from` NULL: not in a file.
 * Release with theme_free. */
bool theme_load(struct theme *theme, const char *name, const char *from, struct place place,
                struct messages *messages);

void theme_free(struct theme *theme);

/* How a role looks on a terminal of so many colours: fg and bg are below `colors` or COLOR_DEFAULT. With 256 they are
 * the theme's, from 16 on its fallbacks, from 8 on those without their bright half, else there are only attributes:
 * the theme's where it gives the role no colour, else the role's own. */
struct style theme_style(const struct theme *theme, enum role role, int colors);

/* The themes there are: built-in ones in the order of their list, then the users' by name. */
struct theme_names {
    char **items;
    size_t count, capacity;
};

void theme_names_list(struct theme_names *names);
void theme_names_free(struct theme_names *names);

/* Appends the YAML of a built-in theme, the start for one's own; false when there is none of this name. */
bool theme_add_source(struct text *out, const char *name);

/* The number among 16 to 255 that comes nearest to a colour, for palettes as xterm has them. */
int theme_nearest_256(unsigned red, unsigned green, unsigned blue);

#endif
