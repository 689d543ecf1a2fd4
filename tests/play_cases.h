/*
 * For each action the keys that show what it does: the screens after `before` and after `before`
 * and `keys` must differ, and the second is a golden file.
 */
#ifndef TESTS_PLAY_CASES_H
#define TESTS_PLAY_CASES_H

struct play_case {
    const char *action;
    const char *before, *keys;
};

static const struct play_case play_cases[] = {
    {"down", "", "jj<Down><C-n>"},
    {"up", "5]GG", "kk<Up><C-p>"},
    {"page-down", "", "<PgDn><C-f>"},
    {"page-up", "G", "<PgUp><C-b>"},
    {"half-down", "", "<C-d>"},
    {"half-up", "<PgDn><PgDn>", "<C-u>"},
    {"first", "<Down 40>", "g"},
    {"last", "", "G"},
    {"column-left", "", "hh<Left>"},
    {"column-right", "", "ll<Right>"},
    {"wheel-down", "", "<WheelDown 2>"},
    {"wheel-up", "<Down 9>", "<WheelUp>"},
    {"click", "", "<Click 5,6>"},
    {"sort-ascending", "", "["},
    {"sort-descending", "hh", "]"},
    {"sort-by-number", "", "33"},
    {"sort-left", "", "<lt>"},
    {"sort-right", "", ">"},
    {"reverse", "", "r"},
    {"sort", "", "s<Down 3>"},
    {"unsort", "", ":unsort<Enter>"},
    {"shapes", "", "S"},
    {"stack-more", "", "}}"},
    {"stack-less", "}}}", "{"},
    {"stack-switch", "", "<F8>"},
    {"stack", "", ":stack 4<Enter>"},
    {"overloads", "", "O"},
    {"group", "", "b<Down 6> "},
    {"filter", "", "\\conv|gemm<Backspace 5> !kind:kernel"},
    {"scope", "", "ff"},
    {"python", "", "p"},
    {"top-level", "", "t"},
    {"hide-below", "", "L1<Enter>"},
    {"search", "", "/gemm<Enter>"},
    {"search-next", "/gemm<Enter>", "n"},
    {"search-previous", "/gemm<Enter>", "N"},
    {"open", "", "<Enter>"},
    {"detail", "j", "d"},
    {"detail-down", "jd", ")))"},
    {"detail-up", "jd)))", "("},
    {"show-calls", "/addmm<Enter>", "c"},
    {"show-tree", "/addmm<Enter>", "T"},
    {"show-kernels", "/addmm<Enter>", "K"},
    {"show-pairs", "/addmm<Enter>", "P"},
    {"show-modules", "/addmm<Enter>", "m"},
    {"show-event", "/addmm<Enter>", "e"},
    {"show-quality", "", "Q/no known<Enter>"},
    {"explain", "/addmm<Enter>", "!j"},
    {"show-worst", "/addmm<Enter>", "E"},
    {"pair-end", "/addmm<Enter>", "x"},
    {"ops", "/ampere_sgemm<Enter>K", "o"},
    {"pane", "/addmm<Enter><Enter>", "<Tab>"},
    {"choose-columns", "/addmm<Enter>cC", "<Down 5> "},
    {"unfold", "Tg", "+"},
    {"fold", "Tg+", "-"},
    {"unfold-all", "Tg", "*"},
    {"hot-path", "Tg", "o"},
    {"zoom", "/addmm<Enter>T", "z"},
    {"zoom-out", "/addmm<Enter>Tz", "Z"},
    {"fold-python", "Tg*", "F"},
    {"bottom-up", "T", "v"},
    {"python-line", "/addmm<Enter>T", "p"},
    {"fold-chains", "Tg*", "="},
    {"by-class", "m", "v"},
    {"columns", "", "C"},
    {"options", "", "o"},
    {"percent-base", "\\kind:kernel<Enter>", "%"},
    {"unit", "", "u"},
    {"bars", "", "B"},
    {"theme", "", ":theme light<Enter>"},
    {"mark", "", " j "},
    {"mark-matches", "", ":mark-matches conv<Enter>"},
    {"unmark", "   ", "U"},
    {"copy-row", "", "y"},
    {"copy-view", "\\kind:memcpy<Enter>", "Y"},
    {"export", "", "wview.c"},
    {"cli", "}", ":cli<Enter>"},
    {"choose", "s", "<Down 4><Enter>"},
    {"switch", "b<Down 2>", " "},
    {"show-column", "C", "<Down 3> "},
    {"column-earlier", "Ck", "K"},
    {"column-later", "C", "J"},
    {"column-wider", "C", "+++"},
    {"column-narrower", "C", "-"},
    {"columns-reset", "C  <Down> ", "0"},
    {"command", "", ":sort self_cpu<Tab>"},
    {"set", "", ":set hide-below 5<Enter>"},
    {"save", "", ":save<Enter>"},
    {"mouse", "", "M"},
    {"help", "", "?"},
    {"escape", "S}", "<Esc>"},
    {"close", "?", "<Backspace>"},
    {"back", "?", "q"},
};

/* The same of two traces, ranks 0 and 1 of samples/ddp. */
static const struct play_case cases_of_two[] = {
    {"facets", "", "==="},
    {"per-step", "", "A"},
    {"other-side", "j<Enter>", "a"},
};

/* The same of the four ranks of samples/ddp: over all ranks, and in the trace of one of them. */
static const struct play_case cases_of_ranks[] = {
    {"previous-rank", "", "("},
    {"next-rank", "q", ")"},
    {"ranks", "qj", "A"},
    {"open-rank", "j", "<Enter>"},
    {"ranks-measure", "", "m"},
    {"ranks-sort-left", "", "<lt>"},
    {"ranks-sort-right", "", ">"},
    {"ranks-reverse", "", "r"},
    {"ranks-search", "", "/addmm<Enter>"},
    {"ranks-search-next", "/addmm<Enter>", "n"},
    {"ranks-search-previous", "/addmm<Enter>", "N"},
};

/* Actions that leave the screen as it was: test_terminal.c uses their keys in a real terminal, or
 * test_tmux.sh does. */
static const char *const terminal_actions[] = {"reload", "redraw", "suspend", "stop", "quit"};

#endif
