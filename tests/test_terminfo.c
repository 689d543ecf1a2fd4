#include <criterion/criterion.h>
#include <stdlib.h>
#include <unistd.h>

#include "../src/ui/terminfo.h"

/* Last, because it makes macros of many words. */
#include <curses.h>
#include <term.h>

/* What the named terminal is known as, and whether ncurses can read the description that comes with the program. */
static void expect_known(const char *name, const char *as, int colors)
{
    const char *known = NULL, *entry = terminfo_find(name, &known);
    int state;
    cr_assert_not_null(entry, "%s", name);
    cr_expect_str_eq(known, as, "%s", name);
    /* A name that no database has shows that the description alone is read. */
    setenv("TERMINFO", entry, 1);
    cr_expect_eq(setupterm("nowhere-at-all", STDOUT_FILENO, &state), ERR);
    cr_assert_eq(setupterm(known, STDOUT_FILENO, &state), OK, "%s", name);
    const char *move = tigetstr("cup");
    cr_expect(move != NULL && move != (const char *)-1, "%s cannot move its cursor", name);
    cr_expect_eq(tigetnum("colors"), colors, "%s has %d colours", name, tigetnum("colors"));
    del_curterm(cur_term);
}

Test(terminfo, entries_are_read_by_ncurses)
{
    expect_known("xterm", "xterm", 8);
    expect_known("xterm-256color", "xterm-256color", 256);
    expect_known("screen", "screen", 8);
    expect_known("tmux-256color", "tmux-256color", 256);
    expect_known("vt100", "vt100", -1);
    expect_known("linux", "linux", 8);
}

Test(terminfo, terminals_of_a_family_are_taken_for_one_they_understand)
{
    expect_known("xterm-kitty", "xterm-256color", 256);
    expect_known("alacritty-direct", "xterm-256color", 256);
    expect_known("screen.xterm", "screen", 8);
    expect_known("tmux", "tmux-256color", 256);
    expect_known("vt220", "vt100", -1);
}

Test(terminfo, others_are_not_known)
{
    const char *known = NULL;
    cr_expect_null(terminfo_find("nowhere-at-all", &known));
    cr_expect_null(terminfo_find("", &known));
    cr_expect_null(terminfo_find("dumb", &known));
}
