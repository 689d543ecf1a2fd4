/* Roles: what a cell of the screen stands for. Views give each cell a role, themes say how a role looks. */
#ifndef KEYAVG_ROLE_H
#define KEYAVG_ROLE_H

#include <stdint.h>

#include "keyavg/text.h"

/* How a cell can look besides its colours. */
enum style_attribute {
    STYLE_PLAIN = 0,
    STYLE_BOLD = 1,
    STYLE_DIM = 2,
    STYLE_REVERSE = 4,
    STYLE_UNDERLINE = 8,
    STYLE_ITALIC = 16,
};

/* The one table: enum, name (in lower case), letter that --screen-roles prints, attributes where there is no colour,
 * meaning. The letters are unique and printable ASCII; the text itself is the quiet `.`. */
#define ROLES(X)                                                                                                       \
    X(TEXT, "text", '.', STYLE_PLAIN, "what nothing below says better, and the empty screen")                          \
    X(DIM, "dim", 'd', STYLE_DIM, "text of less weight: separators, hints, units")                                     \
    X(TITLE, "title", 'T', STYLE_REVERSE, "the title line: file, rank, device, events, steps")                         \
    X(TITLE_WARNING, "title_warning", 'W', STYLE_REVERSE | STYLE_BOLD, "words in the title that ask for care: partial")\
    X(CRUMB, "crumb", 'c', STYLE_PLAIN, "a crumb: grouping, filter, scope, steps, base of the percentages")            \
    X(CRUMB_REMOVE, "crumb_remove", 'x', STYLE_BOLD, "the mark that removes a crumb")                                  \
    X(HEADER, "header", 'h', STYLE_BOLD, "titles of the columns")                                                      \
    X(HEADER_SORTED, "header_sorted", 'H', STYLE_BOLD | STYLE_UNDERLINE, "title of the column sorted by")              \
    X(HEADER_CURSOR, "header_cursor", 'J', STYLE_BOLD | STYLE_REVERSE, "title of the column under the cursor")         \
    X(CURSOR, "cursor", 'C', STYLE_REVERSE, "the row under the cursor")                                                \
    X(CURSOR_COLUMN, "cursor_column", 'K', STYLE_REVERSE | STYLE_BOLD, "the cell where row and column cursor meet")    \
    X(MARKED, "marked", 'm', STYLE_BOLD, "a marked row")                                                               \
    X(MARKED_CURSOR, "marked_cursor", 'M', STYLE_REVERSE | STYLE_UNDERLINE, "a marked row under the cursor")           \
    X(HEAT_0, "heat_0", '0', STYLE_PLAIN, "a cell with next to no share of its column")                                \
    X(HEAT_1, "heat_1", '1', STYLE_PLAIN, "a small share")                                                             \
    X(HEAT_2, "heat_2", '2', STYLE_PLAIN, "a fair share")                                                              \
    X(HEAT_3, "heat_3", '3', STYLE_BOLD, "a large share")                                                              \
    X(HEAT_4, "heat_4", '4', STYLE_BOLD, "the largest shares: what to look at first")                                  \
    X(BAR, "bar", 'b', STYLE_PLAIN, "bars, histograms and sparklines")                                                 \
    X(NUMBER, "number", 'n', STYLE_PLAIN, "numbers without a share")                                                   \
    X(UNKNOWN, "unknown", 'u', STYLE_DIM, "`--`: the trace cannot tell")                                               \
    X(NAME_OP, "name_op", 'o', STYLE_PLAIN, "names of operators")                                                      \
    X(NAME_ANNOTATION, "name_annotation", 'a', STYLE_PLAIN, "names of steps and user annotations")                     \
    X(NAME_DEVICE, "name_device", 'k', STYLE_PLAIN, "names of kernels and copies on the device")                       \
    X(NAME_PYTHON, "name_python", 'y', STYLE_PLAIN, "names of Python frames and modules")                              \
    X(NAME_RUNTIME, "name_runtime", 'r', STYLE_PLAIN, "names of runtime and driver calls")                             \
    X(TREE_LINE, "tree_line", 'L', STYLE_DIM, "lines and fold signs of trees")                                         \
    X(PANE_BORDER, "pane_border", '|', STYLE_PLAIN, "lines between panes")                                             \
    X(PANE_TITLE, "pane_title", 'P', STYLE_BOLD, "title of a pane")                                                    \
    X(PANE_LABEL, "pane_label", 'l', STYLE_DIM, "names of the values in a pane")                                       \
    X(FOOTER, "footer", 'z', STYLE_PLAIN, "sums of the marked and of the hidden rows")                                 \
    X(STATUS, "status", 's', STYLE_PLAIN, "the status line")                                                           \
    X(STATUS_ERROR, "status_error", 'S', STYLE_BOLD | STYLE_REVERSE, "an error in the status line")                    \
    X(FUNCTION_KEY, "function_key", 'F', STYLE_PLAIN, "F1 to F10 in the function bar")                                 \
    X(FUNCTION_LABEL, "function_label", 'f', STYLE_REVERSE, "what the function keys do")                               \
    X(FUNCTION_ON, "function_on", 'O', STYLE_REVERSE | STYLE_BOLD, "the same while the thing is on")                   \
    X(PROMPT, "prompt", ':', STYLE_PLAIN, "a prompt and what is typed in it")                                          \
    X(PROMPT_HINT, "prompt_hint", 'i', STYLE_DIM, "completions and hints of a prompt")                                 \
    X(PROMPT_ERROR, "prompt_error", 'E', STYLE_UNDERLINE, "what is wrong in a prompt")                                 \
    X(MATCH, "match", '/', STYLE_UNDERLINE | STYLE_BOLD, "what the search found")                                      \
    X(MENU, "menu", 'v', STYLE_PLAIN, "a menu")                                                                        \
    X(MENU_SELECTED, "menu_selected", 'V', STYLE_REVERSE, "the chosen line of a menu")                                 \
    X(HELP_TITLE, "help_title", 'A', STYLE_BOLD | STYLE_UNDERLINE, "headings of the help")                             \
    X(HELP_KEY, "help_key", 'q', STYLE_BOLD, "keys in the help and in menus")                                          \
    X(HELP_TEXT, "help_text", 't', STYLE_PLAIN, "sentences of the help")                                               \
    X(PROGRESS, "progress", 'p', STYLE_REVERSE, "progress: the part that is done")                                     \
    X(BETTER, "better", '-', STYLE_PLAIN, "comparing: less time or memory than the base")                              \
    X(WORSE, "worse", '+', STYLE_BOLD, "comparing: more time or memory than the base")                                 \
    X(NEW_ROW, "new_row", 'N', STYLE_UNDERLINE, "comparing: a row that the base does not have")                        \
    X(GONE_ROW, "gone_row", 'G', STYLE_DIM, "comparing: a row that only the base has")

enum role {
#define ROLE_ENUM(id, name, letter, attributes, meaning) ROLE_##id,
    ROLES(ROLE_ENUM)
#undef ROLE_ENUM
    ROLE_COUNT
};

enum { ROLE_HEATS = 5 };

struct role_entry {
    const char *name;
    const char *meaning;
    char letter;
    uint8_t attributes; /* of enum style_attribute, for terminals without colour */
};

/* Indexed by enum role. */
extern const struct role_entry roles[ROLE_COUNT];

/* The role of a share of a column (1.0 is all of it): ROLE_HEAT_0 to ROLE_HEAT_4. Negative and NaN are ROLE_HEAT_0. */
enum role role_of_share(double share);

/* By name; ROLE_COUNT when there is none. */
enum role role_find(struct span name);

/* The existing name nearest to a wrong one, NULL when none is near. */
const char *role_nearest(struct span name);

#endif
