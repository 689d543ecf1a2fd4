/* What the tables of keyavg do not say, written once for man pages and docs/. */
#include "manual.h"

const struct entry environment_entries[] = {
    {"KEYAVG_CONFIG", "The configuration file, in place of the usual one."},
    {"NO_COLOR", "Set to anything, the explorer uses no colours unless `--color always` is given."},
    {"COLORFGBG", "Where it tells of a light background, the theme is light unless another one is chosen."},
    {"TERM, TERMINFO", "The terminal and where its description lies. Where there are none at all, those of common "
                       "terminals come with the program."},
    {"LC_ALL, LC_CTYPE, LANG", "Where the locale has no UTF-8, screen and text are drawn with ASCII alone."},
    {"ESCDELAY", "How many milliseconds a lone Esc is waited after, as ncurses has it; 50 where it is not set."},
    {"TMUX", "Inside of tmux, copying goes through it to the terminal."},
    {"TMPDIR", "Where files of one's own go that need room for a while."},
    {NULL, NULL},
};

const struct entry file_entries[] = {
    {"$XDG_CONFIG_HOME/keyavg/config.yaml", "The configuration, by default in ~/.config; see keyavg(5). It is written "
                                            "only by `:save`."},
    {"$XDG_STATE_HOME/keyavg/history", "What was typed into the explorer's prompts, by default in ~/.local/state; kept where that folder is "
                                       "there or can be made."},
    {"$XDG_CONFIG_HOME/keyavg/themes/NAME.yaml", "Themes of your own. One there wins over a built-in theme of its name."},
    {NULL, NULL},
};

const struct entry key_name_entries[] = {
    {"a, B, %, é", "The character typed."},
    {"<lt>, <Space>", "`<` and the space, which would not be seen."},
    {"<Enter>, <Tab>, <S-Tab>, <Esc>, <Backspace>", "Keys with names. Case does not matter in names."},
    {"<Up>, <Down>, <Left>, <Right>, <Home>, <End>, <PgUp>, <PgDn>, <Insert>, <Delete>", "Keys that move."},
    {"<F1> to <F12>", "Function keys."},
    {"<C-a> to <C-z>", "A letter with Ctrl. Ctrl with I and M is Tab and Enter."},
    {"<Click>, <WheelUp>, <WheelDown>", "The mouse."},
    {"<Down 3>, <Click 12,5>, <Resize 100x30>", "In `--play` only: three times; at column 12 of row 5, both from 1; "
                                                "a new size of the screen."},
    {NULL, NULL},
};

const struct entry theme_entries[] = {
    {"description", "One line that says what the theme is for."},
    {"base", "A built-in theme, in which roles look that this file leaves out; dark where there is no such line."},
    {"roles", "Below it a line for each role, such as `cursor: {fg: white, bg: '#005faf', style: bold}`."},
    {"fg, bg", "Colour of text and ground: `default` (the terminal's own); a number from 0 to 255; `'#rrggbb'` in "
               "quotes, shown as the nearest of the 256 colours; or black, red, green, yellow, blue, magenta, cyan, "
               "white, each also as bright-red and so on."},
    {"fg16, bg16", "The same where the terminal has only 16 or 8 colours. Left out, the nearest colour is taken."},
    {"style", "bold, dim, reverse, underline, italic, or a list of them."},
    {NULL, NULL},
};

const struct filter_form filter_forms[] = {
    {"WORD", "conv",
     "The name holds the word. In lower case it finds capitals too; with a capital in it, it means itself."},
    {"\"WORDS\"", "\"Memcpy HtoD\"", "The same with spaces, or with signs that would mean something else."},
    {"name:WORD", "name:!odd", "The same where the word looks like another form."},
    {"/REGEX/", "/conv.*backward/",
     "The name holds a match of a POSIX extended regular expression, in exact case. It has 256 bytes at most, no "
     "repeat count above 255, no counted repeat inside of another, no repeat of a repeat, three inside of each other at "
     "most, and no back reference; `\\/` is a slash."},
    {"kind:KIND", "kind:kernel",
     "Calls of one kind: op, annotation, python, runtime, overhead, memory; on the device kernel, memcpy, memset, "
     "sync; or all of a side: cpu, device."},
    {"scope:PHASE", "scope:backward", "Calls of one phase: forward, backward, optimizer, data, user, none."},
    {"step:N", "step:3-5", "Calls of a step of the profiler, by its number: 3, 3-5, 3- for all from 3 on, none."},
    {"thread:ID", "thread:7", "Calls of a thread, by its number in the file or its whole name."},
    {"shape:[...]", "shape:[32,64]",
     "Calls whose list of input shapes holds this piece; spaces do not count, the outer brackets may be left out."},
    {"COLUMN>VALUE", "self_cpu_time_total>1ms",
     "Rows with a value above this one, in any column; also < <= = != >=. Torch's cuda_ and xpu_ forms name the "
     "device's columns. What is unknown passes none of these."},
    {"!TERM", "!aten::copy_", "What does not pass the term."},
    {NULL, NULL, NULL},
};

const struct entry filter_value_entries[] = {
    {"times", "`1ms`, `20us`, `0.5s`, `800ns`; a bare number is microseconds."},
    {"bytes", "`4096`, `2KB`, `1.5MB`, `1GB`, by powers of 1024."},
    {"shares", "`5` or `5%`."},
    {"numbers", "`10`, and with `k`, `M`, `G`, `T` by thousands: `2G`."},
    {"yes or no", "`is_async=yes`; `true` and `1` mean the same."},
    {"text", "Equal or not, as a whole: `device_type=CUDA`, `overload_name!=Tensor`."},
    {NULL, NULL},
};

void words_add_contexts(const struct action *action, struct text *out)
{
    if ((action->contexts & CONTEXT_ALL) == CONTEXT_ALL) {
        text_add_string(out, "all");
        return;
    }
    bool first = true;
    for (unsigned i = 0; context_names[i] != NULL; i++) {
        if (!(action->contexts & 1u << i))
            continue;
        text_addf(out, "%s%s", first ? "" : ", ", context_names[i]);
        first = false;
    }
}

void words_add_need(const struct column *column, struct text *out)
{
    if (column_remedy(column) != NULL)
        text_addf(out, "Recorded with %s.", column_remedy(column));
}

/* A word that is more than small letters is a name and stays as it is. */
static bool starts_with_name(const char *part)
{
    size_t length = strspn(part, "abcdefghijklmnopqrstuvwxyz");
    return length == 0 || (part[length] != ' ' && part[length] != 0) || strncmp(part, "torch", 5) == 0;
}

void words_add_sentence(const char *part, struct text *out)
{
    if (*part == 0)
        return;
    text_add_char(out, starts_with_name(part) ? *part : (char)(*part - 'a' + 'A'));
    text_addf(out, "%s.", part + 1);
}
