/* The table of actions. */
#include "keyavg/action.h"

#include "acts.h"
#include "table_view.h"

const char *const action_group_names[ACTION_GROUPS] = {
    [GROUP_OF_MOVES] = "Moving",
    [GROUP_OF_SORTS] = "Sorting",
    [GROUP_OF_GROUPINGS] = "Grouping",
    [GROUP_OF_CHOICES] = "Choosing rows",
    [GROUP_OF_LOOKS] = "Looking",
    [GROUP_OF_DRILLS] = "Drilling",
    [GROUP_OF_MARKS] = "Marking",
    [GROUP_OF_OUTPUT] = "Taking along",
    [GROUP_OF_PROGRAM] = "Program",
};

const char *const context_names[] = {"table", "help",    "menu",  "columns", "loading", "focus", "calls",
                                     "tree",  "kernels", "pairs", "modules", "event",   "quality",
                                     "explain", "changes", "sides",  "ranks",   "run",     NULL};

static bool filter_on(const struct app *app)
{
    return app->query.filter != NULL;
}

static bool shapes_on(const struct app *app)
{
    return (app->query.grouping.parts & GROUP_SHAPE) != 0;
}

static bool stack_on(const struct app *app)
{
    return (app->query.grouping.parts & GROUP_STACK) != 0;
}

static bool search_on(const struct app *app)
{
    const struct table_view *view = table_view_of(app);
    return view != NULL && view->search.length > 0;
}

#define ROWS CONTEXT_ROWS
#define TABLE CONTEXT_TABLE
#define DRILL CONTEXT_DRILL
#define RANKS CONTEXT_RANKS
#define DRILL_TABLES (CONTEXT_DRILL & ~(unsigned)CONTEXT_EVENT) /* of rows and columns */
#define OUTLINES (CONTEXT_TREE | CONTEXT_MODULES)
#define QUIET ACTION_QUIET
#define MEANWHILE ACTION_MEANWHILE

const struct action actions[] = {
    /* Moving */
    {"down", "j <Down> <C-n>", ROWS, GROUP_OF_MOVES, TAKES_TEXT, 0, NULL, NULL, "One row down.", act_down},
    {"up", "k <Up> <C-p>", ROWS, GROUP_OF_MOVES, TAKES_TEXT, 0, NULL, NULL, "One row up.", act_up},
    {"page-down", "<PgDn> <C-f>", ROWS, GROUP_OF_MOVES, TAKES_NONE, 0, NULL, NULL, "One page down.",
     act_page_down},
    {"page-up", "<PgUp> <C-b>", ROWS, GROUP_OF_MOVES, TAKES_NONE, 0, NULL, NULL, "One page up.", act_page_up},
    {"half-down", "<C-d>", ROWS, GROUP_OF_MOVES, TAKES_NONE, 0, NULL, NULL, "Half a page down.", act_half_down},
    {"half-up", "<C-u>", ROWS, GROUP_OF_MOVES, TAKES_NONE, 0, NULL, NULL, "Half a page up.", act_half_up},
    {"first", "g <Home>", ROWS, GROUP_OF_MOVES, TAKES_NONE, 0, NULL, NULL, "To the first row.", act_first},
    {"last", "G <End>", ROWS, GROUP_OF_MOVES, TAKES_NONE, 0, NULL, NULL, "To the last row.", act_last},
    {"column-left", "h <Left>", TABLE | DRILL_TABLES, GROUP_OF_MOVES, TAKES_NONE, 0, NULL, NULL,
     "The column cursor to the left; Name stays in sight.", act_any_column_left},
    {"column-right", "l <Right>", TABLE | DRILL_TABLES, GROUP_OF_MOVES, TAKES_NONE, 0, NULL, NULL,
     "The column cursor to the right; columns scroll under it.", act_any_column_right},
    {"wheel-down", "<WheelDown>", ROWS, GROUP_OF_MOVES, TAKES_NONE, 0, NULL, NULL, "Three rows down.",
     act_wheel_down},
    {"wheel-up", "<WheelUp>", ROWS, GROUP_OF_MOVES, TAKES_NONE, 0, NULL, NULL, "Three rows up.", act_wheel_up},
    {"click", "<Click>", CONTEXT_ALL, GROUP_OF_MOVES, TAKES_NONE, 0, NULL, NULL,
     "Row: goes there, again opens it; column title: sorts by it; crumb: takes it away; function bar: its key.",
     act_click},

    /* Sorting */
    {"sort-ascending", "[", TABLE | DRILL_TABLES, GROUP_OF_SORTS, TAKES_NONE, 0, NULL, NULL,
     "By the column under the cursor, smallest first.", act_any_sort_ascending},
    {"sort-descending", "]", TABLE | DRILL_TABLES, GROUP_OF_SORTS, TAKES_NONE, 0, NULL, NULL,
     "By the column under the cursor, largest first.", act_any_sort_descending},
    {"sort-by-number", "1 2 3 4 5 6 7 8 9", TABLE | DRILL_TABLES, GROUP_OF_SORTS, TAKES_TEXT, 0, NULL, NULL,
     "By the n-th column, Name being the first; again: reverse.", act_any_sort_by_number},
    {"sort-left", "<lt>", TABLE | DRILL_TABLES, GROUP_OF_SORTS, TAKES_NONE, 0, NULL, NULL,
     "By the column left of the one sorted by.", act_any_sort_left},
    {"sort-right", ">", TABLE | DRILL_TABLES, GROUP_OF_SORTS, TAKES_NONE, 0, NULL, NULL,
     "By the column right of the one sorted by.", act_any_sort_right},
    {"reverse", "r I", TABLE | DRILL_TABLES, GROUP_OF_SORTS, TAKES_NONE, 0, NULL, NULL, "The other way round.",
     act_any_sort_reverse},
    {"sort", "s <F6>", TABLE | DRILL_TABLES, GROUP_OF_SORTS, TAKES_COLUMN, 0, "Sort", NULL,
     "By a column chosen from a menu; `:sort COLUMN`.", act_any_sort},
    {"unsort", "", TABLE | DRILL_TABLES, GROUP_OF_SORTS, TAKES_NONE, 0, NULL, NULL, "In order of first appearance.",
     act_any_unsort},

    /* Grouping */
    {"shapes", "S <F7>", TABLE | RANKS, GROUP_OF_GROUPINGS, TAKES_NONE, MEANWHILE, "Shapes", shapes_on,
     "Also by the shapes of the inputs, or no longer.", act_shapes},
    {"stack-more", "}", TABLE | RANKS, GROUP_OF_GROUPINGS, TAKES_NONE, MEANWHILE, NULL, NULL,
     "By one more frame of the stack, up to the deepest.", act_stack_more},
    {"stack-less", "{", TABLE | RANKS, GROUP_OF_GROUPINGS, TAKES_NONE, MEANWHILE, NULL, NULL,
     "By one frame of the stack less, down to none.", act_stack_less},
    {"stack-switch", "<F8>", TABLE | RANKS, GROUP_OF_GROUPINGS, TAKES_NONE, MEANWHILE, "Stack", stack_on,
     "By stack with the last number of frames, or no longer.", act_stack_switch},
    {"stack", "", TABLE | RANKS, GROUP_OF_GROUPINGS, TAKES_TEXT, 0, NULL, NULL,
     "`:stack N`: by the n innermost frames.",
     act_stack},
    {"overloads", "O", TABLE | RANKS, GROUP_OF_GROUPINGS, TAKES_NONE, MEANWHILE, NULL, NULL,
     "Also by the operator's overload, or no longer.", act_overloads},
    {"group", "b", TABLE | RANKS, GROUP_OF_GROUPINGS, TAKES_GROUPING, 0, NULL, NULL,
     "By any combination, from a menu; `:group name,shape,stack=3`.", act_group},

    /* Choosing rows */
    {"filter", "\\ & <F4>", TABLE | DRILL | RANKS, GROUP_OF_CHOICES, TAKES_TEXT, 0, "Filter", filter_on,
     "Only what passes a filter, while you type: words, /regex/, column>value, kind: scope: step: thread: shape:, !.",
     act_any_filter},
    {"scope", "f", TABLE | DRILL | RANKS, GROUP_OF_CHOICES, TAKES_SCOPE, MEANWHILE, NULL, NULL,
     "Only calls of one phase: forward, backward, user; by names alone recompute and sync, inside of backward, and "
     "others.",
     act_scope},
    {"python", "p", TABLE | RANKS, GROUP_OF_CHOICES, TAKES_NONE, MEANWHILE, NULL, NULL,
     "Python frames in the tree only, as rows too, or left out as if not recorded.", act_python},
    {"top-level", "t", TABLE | RANKS, GROUP_OF_CHOICES, TAKES_NONE, MEANWHILE, NULL, NULL,
     "Only rows whose first call has no parent.", act_top_level},
    {"hide-below", "L", TABLE | RANKS, GROUP_OF_CHOICES, TAKES_TEXT, 0, NULL, NULL,
     "Hides rows below a share of the sort column.", act_hide_below},
    {"search", "/ <F3>", TABLE | DRILL, GROUP_OF_CHOICES, TAKES_TEXT, 0, "Search", search_on,
     "To the next name that holds a word; capitals in it mean themselves.", act_any_search},
    {"search-next", "n", TABLE | DRILL, GROUP_OF_CHOICES, TAKES_NONE, 0, NULL, NULL, "To the next match.",
     act_any_search_next},
    {"search-previous", "N", TABLE | DRILL, GROUP_OF_CHOICES, TAKES_NONE, 0, NULL, NULL, "To the match before.",
     act_any_search_previous},

    /* Looking */
    {"previous-rank", "(", CONTEXT_RUN | RANKS, GROUP_OF_LOOKS, TAKES_NONE, 0, NULL, NULL,
     "The rank before: over all ranks the one that Enter opens, else its trace in place of this one.",
     act_previous_rank},
    {"next-rank", ")", CONTEXT_RUN | RANKS, GROUP_OF_LOOKS, TAKES_NONE, 0, NULL, NULL,
     "The next rank, in the same way.", act_next_rank},
    {"ranks", "A", CONTEXT_RUN, GROUP_OF_LOOKS, TAKES_NONE, 0, NULL, NULL, "The table over all ranks.", act_ranks},
    {"open-rank", "<Enter>", RANKS, GROUP_OF_LOOKS, TAKES_NONE, 0, NULL, NULL,
     "Opens the row's callers and callees in the trace of the chosen rank, which is at first the worst one.",
     act_open_rank},
    {"ranks-measure", "m", RANKS, GROUP_OF_LOOKS, TAKES_NONE, 0, NULL, NULL,
     "What is told of the ranks: calls, CPU total, self CPU, and the same of the device.", act_ranks_measure},
    {"ranks-sort-left", "<lt>", RANKS, GROUP_OF_SORTS, TAKES_NONE, 0, NULL, NULL,
     "By the column left of the one sorted by.", act_ranks_sort_left},
    {"ranks-sort-right", ">", RANKS, GROUP_OF_SORTS, TAKES_NONE, 0, NULL, NULL,
     "By the column right of the one sorted by.", act_ranks_sort_right},
    {"ranks-search", "/ <F3>", RANKS, GROUP_OF_CHOICES, TAKES_TEXT, 0, "Search", NULL,
     "To the next name that holds a word; capitals in it mean themselves.", act_ranks_search},
    {"ranks-search-next", "n", RANKS, GROUP_OF_CHOICES, TAKES_NONE, 0, NULL, NULL, "To the next match.",
     act_ranks_search_next},
    {"ranks-search-previous", "N", RANKS, GROUP_OF_CHOICES, TAKES_NONE, 0, NULL, NULL, "To the match before.",
     act_ranks_search_previous},
    {"ranks-reverse", "r I", RANKS, GROUP_OF_SORTS, TAKES_NONE, 0, NULL, NULL, "The other way round.",
     act_ranks_reverse},
    {"open", "<Enter>", TABLE | DRILL, GROUP_OF_LOOKS, TAKES_NONE, 0, NULL, NULL,
     "Opens what is under the cursor: a row's callers and callees, a call's tree, a link's event.", act_open},
    {"detail", "d", TABLE, GROUP_OF_LOOKS, TAKES_NONE, 0, NULL, NULL,
     "The detail pane: the whole name, all attributes, shapes, stack, statistics.", act_detail},
    {"detail-down", ")", TABLE, GROUP_OF_LOOKS, TAKES_NONE, 0, NULL, NULL, "The detail pane one line down.",
     act_detail_down},
    {"detail-up", "(", TABLE, GROUP_OF_LOOKS, TAKES_NONE, 0, NULL, NULL, "The detail pane one line up.",
     act_detail_up},
    {"columns", "C <F2>", TABLE, GROUP_OF_LOOKS, TAKES_COLUMN, 0, "Setup", NULL,
     "Which columns are shown, their order and width.", act_columns},
    {"options", "o", TABLE, GROUP_OF_LOOKS, TAKES_NONE, 0, NULL, NULL,
     "A menu of all switches; `:set` has the rest.", act_options},
    {"facets", "=", CONTEXT_CHANGES, GROUP_OF_LOOKS, TAKES_TEXT, 0, NULL, NULL,
     "Of each number base, new, change and ratio; change and ratio; base and new; the change and its parts.",
     act_facets},
    {"per-step", "A", CONTEXT_CHANGES, GROUP_OF_CHOICES, TAKES_NONE, MEANWHILE, NULL, NULL,
     "Sums for one step of the profiler, for traces of unlike length; or for all.", act_per_step},
    {"percent-base", "%", TABLE, GROUP_OF_LOOKS, TAKES_NONE, MEANWHILE, NULL, NULL,
     "Shares of all rows of the file, or of those that filter and scope leave.", act_percent_base},
    {"unit", "u", TABLE | DRILL | RANKS, GROUP_OF_LOOKS, TAKES_UNIT, MEANWHILE, NULL, NULL,
     "Times in the unit that fits each cell, in us, in ms, in s.", act_unit},
    {"bars", "B", TABLE | DRILL_TABLES, GROUP_OF_LOOKS, TAKES_NONE, 0, NULL, NULL, "Bars beside shares, or none.",
     act_bars},
    {"theme", "", CONTEXT_ALL, GROUP_OF_LOOKS, TAKES_THEME, 0, NULL, NULL,
     "`:theme NAME`; alone a menu that shows each while you move.", act_theme},

    /* Drilling */
    {"show-calls", "c", TABLE | (DRILL & ~(unsigned)CONTEXT_CALLS), GROUP_OF_DRILLS, TAKES_NONE, 0, NULL, NULL,
     "Every call in order of time.", act_calls},
    {"show-tree", "T <F5>", TABLE | (DRILL & ~(unsigned)CONTEXT_TREE), GROUP_OF_DRILLS, TAKES_NONE, 0, "Tree", NULL,
     "The call tree: of the table all, else of what is under the cursor, with its callers.", act_tree},
    {"show-kernels", "K", TABLE | (DRILL & ~(unsigned)CONTEXT_KERNELS), GROUP_OF_DRILLS, TAKES_TEXT, 0, NULL, NULL,
     "Device events that were launched; on a row of the device, and as `:show-kernels all`, those of the file.",
     act_kernels},
    {"show-pairs", "P", TABLE | (DRILL & ~(unsigned)CONTEXT_PAIRS), GROUP_OF_DRILLS, TAKES_NONE, 0, NULL, NULL,
     "Forward against backward, by sequence number.", act_pairs},
    {"show-modules", "m", TABLE | (DRILL & ~(unsigned)CONTEXT_MODULES), GROUP_OF_DRILLS, TAKES_NONE, 0, NULL, NULL,
     "The nn.Modules as a tree, forward and backward.", act_modules},
    {"show-event", "e", TABLE | DRILL_TABLES, GROUP_OF_DRILLS, TAKES_NONE, 0, NULL, NULL,
     "The event as the file has it, with its links: the call, or the first one of the row.", act_event},
    {"show-worst", "E", TABLE, GROUP_OF_DRILLS, TAKES_NONE, 0, NULL, NULL, "The event of the row's longest call.",
     act_worst},
    {"show-quality", "Q", TABLE | (DRILL & ~(unsigned)CONTEXT_QUALITY), GROUP_OF_DRILLS, TAKES_NONE, 0, NULL, NULL,
     "What the file can and cannot tell: what was recorded, skipped, is not linked; Enter goes to each event of a row "
     "in turn.",
     act_quality},
    {"explain", "!", TABLE | (DRILL_TABLES & ~(unsigned)(CONTEXT_QUALITY | CONTEXT_EXPLAIN)), GROUP_OF_DRILLS,
     TAKES_COLUMN, 0, NULL, NULL,
     "Where the cell under the cursor comes from: its formula with the row's numbers, what is not in it, and the "
     "events.",
     act_explain},
    {"pair-end", "x", TABLE | DRILL, GROUP_OF_DRILLS, TAKES_NONE, 0, NULL, NULL,
     "To the other end of a forward and backward pair, and back.", act_pair_end},
    {"ops", "o", CONTEXT_KERNELS, GROUP_OF_DRILLS, TAKES_NONE, 0, NULL, NULL,
     "The ops that launched the row's events.", act_ops},
    {"pane", "<Tab>", CONTEXT_FOCUS, GROUP_OF_DRILLS, TAKES_NONE, 0, NULL, NULL,
     "To the next pane: callers, row, callees, kernels.", act_pane},
    {"other-side", "a", CONTEXT_SIDES, GROUP_OF_DRILLS, TAKES_NONE, 0, NULL, NULL,
     "To the same of the other trace, which stands beside it.", act_other_side},
    {"choose-columns", "C <F2>", DRILL_TABLES, GROUP_OF_LOOKS, TAKES_NONE, 0, "Setup", NULL,
     "Which columns of the view are shown.", act_choose_columns},
    {"unfold", "+", OUTLINES, GROUP_OF_DRILLS, TAKES_NONE, 0, NULL, NULL, "Opens the row.", act_unfold},
    {"fold", "-", OUTLINES, GROUP_OF_DRILLS, TAKES_NONE, 0, NULL, NULL,
     "Closes the row; a closed one goes to its parent.",
     act_fold},
    {"unfold-all", "*", OUTLINES, GROUP_OF_DRILLS, TAKES_NONE, 0, NULL, NULL, "Opens all below the row.",
     act_unfold_all},
    {"hot-path", "o", CONTEXT_TREE, GROUP_OF_DRILLS, TAKES_NONE, 0, NULL, NULL,
     "Opens the heaviest child, its heaviest child, and so on.", act_hot_path},
    {"zoom", "z", OUTLINES, GROUP_OF_DRILLS, TAKES_NONE, 0, NULL, NULL, "Shows the row's subtree alone.", act_zoom},
    {"zoom-out", "Z", OUTLINES, GROUP_OF_DRILLS, TAKES_NONE, 0, NULL, NULL, "Back to the tree around it.",
     act_zoom_out},
    {"fold-python", "F", CONTEXT_TREE | CONTEXT_FOCUS, GROUP_OF_DRILLS, TAKES_NONE, 0, NULL, NULL,
     "Python frames that call each other are one, with the time of all; or each stands for itself.", act_fold_python},
    {"bottom-up", "v", CONTEXT_TREE, GROUP_OF_DRILLS, TAKES_NONE, 0, NULL, NULL,
     "Turns the tree round: callers under what they called.", act_bottom_up},
    {"python-line", "p", CONTEXT_TREE, GROUP_OF_DRILLS, TAKES_NONE, 0, NULL, NULL,
     "Up to the line of Python that called: of your own files where there is one.", act_python_line},
    {"fold-chains", "=", CONTEXT_TREE, GROUP_OF_DRILLS, TAKES_NONE, 0, NULL, NULL,
     "Chains of only children are one row, or no longer.", act_fold_chains},
    {"by-class", "v", CONTEXT_MODULES, GROUP_OF_DRILLS, TAKES_NONE, 0, NULL, NULL,
     "Modules of one class are one, or no longer.", act_by_class},

    /* Marking */
    {"mark", "<Space>", TABLE | DRILL_TABLES, GROUP_OF_MARKS, TAKES_NONE, 0, NULL, NULL,
     "Marks the row or takes its mark away; the status line sums the marked ones.", act_any_mark},
    {"mark-matches", "", TABLE, GROUP_OF_MARKS, TAKES_TEXT, 0, NULL, NULL,
     "`:mark-matches WORD`: marks all rows whose name holds it.", act_mark_matches},
    {"unmark", "U", TABLE | DRILL_TABLES, GROUP_OF_MARKS, TAKES_NONE, 0, NULL, NULL,
     "Takes all marks of this grouping away.",
     act_any_unmark},

    /* Taking along */
    {"copy-row", "y", TABLE | DRILL_TABLES | RANKS, GROUP_OF_OUTPUT, TAKES_NONE, 0, NULL, NULL,
     "The row to the terminal's clipboard (OSC 52, also over SSH).", act_copy_row},
    {"copy-view", "Y", TABLE | DRILL | RANKS, GROUP_OF_OUTPUT, TAKES_NONE, 0, NULL, NULL, "The table to the clipboard.",
     act_copy_view},
    {"export", "w <F9>", TABLE | DRILL | RANKS, GROUP_OF_OUTPUT, TAKES_FILE, 0, "Export", NULL,
     "The table to a file; its name's ending chooses the format.", act_export},
    {"cli", "", TABLE | DRILL | RANKS, GROUP_OF_OUTPUT, TAKES_NONE, 0, NULL, NULL,
     "`:cli`: the command line that shows the same, to screen and clipboard.", act_cli},

    /* In menus and setups */
    {"choose", "<Enter>", CONTEXT_MENU, GROUP_OF_CHOICES, TAKES_NONE, 0, NULL, NULL,
     "Takes the entry and closes the menu.", menu_pick},
    {"switch", "<Space>", CONTEXT_MENU, GROUP_OF_CHOICES, TAKES_NONE, 0, NULL, NULL,
     "Switches the entry and leaves the menu open.", menu_switch},
    {"show-column", "<Space> <Enter>", CONTEXT_COLUMNS, GROUP_OF_CHOICES, TAKES_NONE, 0, NULL, NULL,
     "Shows or hides the column.", columns_switch},
    {"column-earlier", "K <lt>", CONTEXT_COLUMNS, GROUP_OF_CHOICES, TAKES_NONE, 0, NULL, NULL,
     "Moves the column to the left.", columns_earlier},
    {"column-later", "J >", CONTEXT_COLUMNS, GROUP_OF_CHOICES, TAKES_NONE, 0, NULL, NULL,
     "Moves the column to the right.", columns_later},
    {"column-wider", "+ <Right> l", CONTEXT_COLUMNS, GROUP_OF_CHOICES, TAKES_NONE, 0, NULL, NULL,
     "Makes the column wider.", columns_wider},
    {"column-narrower", "- <Left> h", CONTEXT_COLUMNS, GROUP_OF_CHOICES, TAKES_NONE, 0, NULL, NULL,
     "Makes the column narrower.", columns_narrower},
    {"columns-reset", "0", CONTEXT_COLUMNS, GROUP_OF_CHOICES, TAKES_NONE, 0, NULL, NULL,
     "All columns as they were at the start.", columns_reset},

    /* Program */
    {"command", ":", CONTEXT_ALL, GROUP_OF_PROGRAM, TAKES_TEXT, 0, NULL, NULL,
     "Any action by its name; Tab completes, arrows bring back what was typed before.", act_command},
    {"set", "", TABLE | DRILL, GROUP_OF_PROGRAM, TAKES_SETTING, 0, NULL, NULL,
     "`:set NAME VALUE`: any option; without a value it tells the one in force.", act_set},
    {"save", "", CONTEXT_TABLE, GROUP_OF_PROGRAM, TAKES_NONE, 0, NULL, NULL,
     "`:save`: writes options, columns, keys and theme to the configuration file.", act_save},
    {"reload", "R", TABLE | DRILL | RANKS, GROUP_OF_PROGRAM, TAKES_NONE, QUIET, NULL, NULL, "Reads the file again.",
     act_reload},
    {"mouse", "M", TABLE | DRILL | RANKS, GROUP_OF_PROGRAM, TAKES_NONE, 0, NULL, NULL,
     "Mouse on or off; off, the terminal selects text without Shift.", act_mouse},
    {"help", "? <F1>", CONTEXT_ALL & ~(unsigned)CONTEXT_HELP, GROUP_OF_PROGRAM, TAKES_NONE, 0, "Help", NULL,
     "The keys of this view.", act_help},
    {"redraw", "<C-l>", CONTEXT_ALL, GROUP_OF_PROGRAM, TAKES_NONE, QUIET, NULL, NULL, "Draws the screen anew.",
     act_redraw},
    {"suspend", "<C-z>", CONTEXT_ALL, GROUP_OF_PROGRAM, TAKES_NONE, QUIET, NULL, NULL,
     "Back to the shell; `fg` comes back.", act_suspend},
    {"stop", "<Esc>", CONTEXT_LOADING, GROUP_OF_PROGRAM, TAKES_NONE, QUIET, NULL, NULL,
     "Stops reading and keeps what has arrived.", loading_stop},
    {"escape", "<Esc>", ROWS, GROUP_OF_PROGRAM, TAKES_NONE, 0, NULL, NULL,
     "Leaves menu or view, else stops reading, else takes the last crumb away; never quits.", act_escape},
    {"close", "<Backspace>", ROWS, GROUP_OF_PROGRAM, TAKES_NONE, 0, NULL, NULL, "Back to the view before.",
     act_close},
    {"back", "q", CONTEXT_ALL, GROUP_OF_PROGRAM, TAKES_NONE, 0, NULL, NULL,
     "Back to the view before; in the first view quits.", act_back},
    {"quit", "<C-c> <F10>", CONTEXT_ALL, GROUP_OF_PROGRAM, TAKES_NONE, QUIET, "Quit", NULL, "Leaves the program.",
     act_quit},
};

const unsigned action_count = sizeof actions / sizeof *actions;

const struct action *action_find(struct span name)
{
    for (unsigned i = 0; i < action_count; i++)
        if (span_is(name, actions[i].name))
            return &actions[i];
    return NULL;
}
