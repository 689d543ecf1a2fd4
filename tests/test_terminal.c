/*
 * The explorer in a real terminal: a pseudo terminal whose screen libvterm keeps.
 */
#include <config.h>
#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/skip.h"
#include "support/vt.h"

#ifndef HAVE_VTERM

Test(terminal, needs_libvterm)
{
    support_skip("libvterm is not there");
}

#else

static const char *sample(void)
{
    static char path[4096];
    snprintf(path, sizeof path, "%s/gpu_small/trace.json", support_samples_dir());
    return path;
}

static struct vt *start_in(const char *term, const char *const *more, int rows, int columns)
{
    const char *argv[] = {support_keyavg(), sample(), NULL};
    return vt_start(argv, term, more, rows, columns);
}

static struct vt *start(void)
{
    struct vt *vt = start_in("xterm-256color", NULL, 24, 80);
    vt_expect(vt, "row 1 of");
    return vt;
}

static void leave(struct vt *vt, int status)
{
    cr_assert_eq(vt_wait(vt), status);
    cr_assert_not(vt_alternate(vt), "the alternate screen is still there");
    cr_assert(vt_cursor_visible(vt), "the cursor is hidden");
    vt_free(vt);
}

Test(terminal, starts_and_quits)
{
    struct vt *vt = start();
    cr_assert(vt_alternate(vt));
    vt_expect(vt, "Self CUDA");
    vt_expect(vt, "F10Quit");
    vt_type(vt, "q");
    leave(vt, 0);
}

Test(terminal, control_c_and_f10_quit)
{
    struct vt *vt = start();
    vt_type(vt, "\003");
    leave(vt, 0);
    vt = start();
    vt_type(vt, "\033[21~");
    leave(vt, 0);
}

Test(terminal, escape_never_quits)
{
    struct vt *vt = start();
    vt_type(vt, "S");
    vt_expect(vt, "shape \xE2\x9C\x95");
    vt_type(vt, "\033");
    vt_expect_gone(vt, "shape \xE2\x9C\x95");
    vt_type(vt, "\033");
    vt_settle(vt);
    vt_type(vt, "j");
    vt_expect(vt, "row 2 of");
    vt_type(vt, "q");
    leave(vt, 0);
}

Test(terminal, arrows_letters_and_their_variants_move)
{
    struct vt *vt = start();
    vt_type(vt, "\033OB");
    vt_expect(vt, "row 2 of");
    vt_type(vt, "\033[B");
    vt_expect(vt, "row 3 of");
    vt_type(vt, "j");
    vt_expect(vt, "row 4 of");
    vt_type(vt, "\033[A");
    vt_expect(vt, "row 3 of");
    vt_type(vt, "\033[4~");
    vt_expect_gone(vt, "row 3 of");
    vt_type(vt, "\033[1~");
    vt_expect(vt, "row 1 of");
    vt_type(vt, "\033[F");
    vt_expect_gone(vt, "row 1 of");
    vt_type(vt, "\033[H");
    vt_expect(vt, "row 1 of");
    vt_type(vt, "\033OF");
    vt_expect_gone(vt, "row 1 of");
    vt_type(vt, "\033OH");
    vt_expect(vt, "row 1 of");
    vt_type(vt, "\033OP");
    vt_expect(vt, "Keys in this view");
    vt_type(vt, "q");
    vt_type(vt, "\033[11~");
    vt_expect(vt, "Keys in this view");
    vt_type(vt, "qq");
    leave(vt, 0);
}

Test(terminal, the_prompt_takes_letters_as_text)
{
    struct vt *vt = start();
    vt_type(vt, "/hjklq");
    vt_expect(vt, "/hjklq");
    cr_assert(vt_cursor_visible(vt));
    vt_type(vt, "\033");
    vt_expect(vt, "row 1 of");
    vt_type(vt, "q");
    leave(vt, 0);
}

Test(terminal, an_unknown_key_names_the_help)
{
    struct vt *vt = start();
    vt_type(vt, "Z");
    vt_expect(vt, "Z means nothing here; help: ?");
    vt_type(vt, "q");
    leave(vt, 0);
}

Test(terminal, a_cursor_move_writes_little)
{
    struct vt *vt = start();
    vt_type(vt, "jjj");
    vt_expect(vt, "row 4 of");
    vt_settle(vt);
    size_t before = vt_bytes(vt);
    vt_type(vt, "j");
    vt_expect(vt, "row 5 of");
    vt_settle(vt);
    size_t bytes = vt_bytes(vt) - before;
    printf("bytes for one row down at 80x24: %zu\n", bytes);
    cr_assert_lt(bytes, 400);
    vt_type(vt, "q");
    leave(vt, 0);
}

Test(terminal, keys_that_wait_are_drawn_once)
{
    struct vt *vt = start();
    vt_settle(vt);
    vt_signal(vt, SIGSTOP);
    char keys[41];
    memset(keys, 'j', 40);
    keys[40] = 0;
    size_t before = vt_bytes(vt);
    vt_type(vt, keys);
    vt_signal(vt, SIGCONT);
    vt_expect(vt, "row 41 of");
    vt_settle(vt);
    /* Two whole screens at most: one for coming back, one for the keys. */
    cr_assert_lt(vt_bytes(vt) - before, 2 * 80 * 24 * 3);
    vt_type(vt, "q");
    leave(vt, 0);
}

Test(terminal, resizing_down_to_one_cell_and_back)
{
    struct vt *vt = start();
    vt_resize(vt, 8, 40);
    vt_expect(vt, "row 1 of 99   shown 100.0 %");
    vt_resize(vt, 1, 1);
    vt_settle(vt);
    vt_type(vt, "jS");
    vt_settle(vt);
    vt_resize(vt, 50, 200);
    vt_expect(vt, "shape \xE2\x9C\x95");
    vt_expect(vt, "F10Quit");
    vt_type(vt, "q");
    leave(vt, 0);
}

/* Bytes that no keyboard sends, and sizes that come faster than they are drawn. */
Test(terminal, survives_rubbish_and_a_storm_of_sizes, .timeout = 60)
{
    /* Left out: what quits, suspends, writes files or reads again. */
    static const char left_out[] = "q:wRyYo\003\032\021\017";
    static const int sizes[][2] = {{24, 80}, {1, 1}, {50, 200}, {3, 7}, {8, 40}, {1, 80}, {24, 1}, {100, 300}, {2, 2}};
    struct vt *vt = start();
    unsigned seed = 7;
    for (int round = 0; round < 60; round++) {
        char bytes[41];
        for (int i = 0; i < 40; i++) {
            do
                seed = seed * 1103515245 + 12345;
            while (strchr(left_out, (char)(seed >> 16)) != NULL);
            bytes[i] = (char)(seed >> 16);
        }
        bytes[40] = 0;
        vt_type(vt, bytes);
        const int *size = sizes[round % (int)(sizeof sizes / sizeof *sizes)];
        vt_resize(vt, size[0], size[1]);
        if (round % 10 == 9)
            vt_settle(vt);
    }
    vt_resize(vt, 24, 80);
    /* Out of prompts and menus, whatever they are, back to the table. */
    for (int i = 0; i < 20; i++) {
        vt_type(vt, "\033");
        vt_settle(vt);
    }
    vt_type(vt, "g");
    vt_expect(vt, "row 1 of 99");
    vt_type(vt, "q");
    leave(vt, 0);
}

Test(terminal, redraw_sends_the_screen_again)
{
    struct vt *vt = start();
    vt_settle(vt);
    size_t before = vt_bytes(vt);
    vt_type(vt, "\f");
    vt_settle(vt);
    cr_assert_gt(vt_bytes(vt) - before, 1000);
    vt_type(vt, "q");
    leave(vt, 0);
}

Test(terminal, the_mouse_clicks_rows_titles_and_labels)
{
    struct vt *vt = start();
    vt_type(vt, "\033[<0;5;8M\033[<0;5;8m");
    vt_expect(vt, "row 5 of");
    vt_type(vt, "\033[<65;5;8M");
    vt_expect(vt, "row 8 of");
    vt_type(vt, "\033[<64;5;8M");
    vt_expect(vt, "row 5 of");
    vt_type(vt, "\033[<0;5;3M\033[<0;5;3m");
    vt_expect(vt, "Name \xE2\x96\xB2");
    vt_type(vt, "\033[<0;3;24M\033[<0;3;24m");
    vt_expect(vt, "Keys in this view");
    vt_type(vt, "q");
    vt_expect(vt, " of 99");
    vt_type(vt, "M");
    vt_expect(vt, "mouse off");
    vt_type(vt, "q");
    leave(vt, 0);
}

Test(terminal, the_clipboard_is_written_as_osc_52)
{
    struct vt *vt = start();
    vt_type(vt, "y");
    vt_expect(vt, "copied the row");
    cr_assert_not_null(strstr(vt_output(vt), "\033]52;c;"));
    vt_type(vt, "q");
    leave(vt, 0);
    const char *more[] = {"TMUX=/tmp/x,1,0", NULL};
    vt = start_in("screen-256color", more, 24, 80);
    vt_expect(vt, "row 1 of");
    vt_type(vt, "Y");
    vt_expect(vt, "copied the view");
    cr_assert_not_null(strstr(vt_output(vt), "\033Ptmux;\033\033]52;c;"));
    vt_type(vt, "q");
    leave(vt, 0);
}

Test(terminal, reload_keeps_the_row)
{
    struct vt *vt = start();
    vt_type(vt, "jjjj");
    vt_expect(vt, "row 5 of");
    vt_type(vt, "R");
    vt_expect(vt, "read again");
    vt_type(vt, "k");
    vt_expect(vt, "row 4 of");
    vt_type(vt, "q");
    leave(vt, 0);
}

Test(terminal, a_lost_terminal_ends_it)
{
    struct vt *vt = start();
    vt_hang_up(vt);
    cr_assert_eq(vt_wait(vt), 1);
    vt_free(vt);
}

Test(terminal, sighup_ends_it_with_1)
{
    struct vt *vt = start();
    vt_signal(vt, SIGHUP);
    leave(vt, 1);
}

Test(terminal, signals_give_the_terminal_back)
{
    struct vt *vt = start();
    vt_signal(vt, SIGTERM);
    leave(vt, 128 + SIGTERM);
    vt = start();
    vt_signal(vt, SIGINT);
    leave(vt, 128 + SIGINT);
}

Test(terminal, after_a_stop_the_new_size_is_seen)
{
    struct vt *vt = start();
    vt_settle(vt);
    vt_signal(vt, SIGSTOP);
    vt_resize(vt, 30, 100);
    vt_signal(vt, SIGCONT);
    vt_settle(vt);
    vt_expect(vt, "F10Quit");
    cr_assert_not_null(strstr(vt_row(vt, 29), "F10Quit"));
    vt_type(vt, "q");
    leave(vt, 0);
}

static void expect_batch(const char *term, const char *why)
{
    struct vt *vt = start_in(term, NULL, 24, 80);
    cr_assert_eq(vt_wait(vt), 0);
    cr_assert_not_null(strstr(vt_output(vt), why), "%s", vt_output(vt));
    cr_assert_not_null(strstr(vt_output(vt), "Self CPU time total"));
    cr_assert_null(strchr(vt_output(vt), '\033'));
    vt_free(vt);
}

Test(terminal, without_a_usable_terminal_it_prints)
{
    expect_batch("dumb", "cannot move its cursor");
    expect_batch(NULL, "TERM is not set");
    expect_batch("no-such-terminal", "is not known here");
}

Test(terminal, works_in_the_usual_families)
{
    static const char *const terms[] = {"xterm", "vt100", "screen", "screen-256color", "tmux-256color", "linux"};
    /* On `linux` ncurses asks libgpm for the mouse, which keeps a few bytes. */
    const char *more[] = {"ASAN_OPTIONS=exitcode=99:detect_leaks=0", NULL};
    for (size_t i = 0; i < sizeof terms / sizeof *terms; i++) {
        struct vt *vt = start_in(terms[i], more, 24, 80);
        vt_expect(vt, "row 1 of");
        vt_type(vt, "j");
        vt_expect(vt, "row 2 of");
        vt_type(vt, "q");
        cr_assert_eq(vt_wait(vt), 0, "%s", terms[i]);
        vt_free(vt);
    }
}

Test(terminal, no_color_shows_none)
{
    const char *more[] = {"NO_COLOR=1", NULL};
    struct vt *vt = start_in("xterm-256color", more, 24, 80);
    vt_expect(vt, "row 1 of");
    vt_settle(vt);
    for (int row = 0; row < 24; row++)
        for (int column = 0; column < 80; column++)
            cr_assert_not(vt_colored(vt, row, column), "colour at %d,%d", row, column);
    cr_assert(vt_reversed(vt, 3, 4), "the row under the cursor does not stand out");
    vt_type(vt, "q");
    leave(vt, 0);
}

Test(terminal, without_utf8_only_ascii_is_written)
{
    const char *more[] = {"LC_ALL=C", NULL};
    struct vt *vt = start_in("xterm-256color", more, 24, 80);
    vt_expect(vt, "row 1 of");
    vt_type(vt, "Sd?");
    vt_expect(vt, "Keys in this view");
    for (const char *c = vt_output(vt); *c != 0; c++)
        cr_assert((unsigned char)*c < 0x80);
    vt_type(vt, "qq");
    leave(vt, 0);
}

Test(terminal, the_trace_may_come_through_standard_input)
{
    char command[8300];
    snprintf(command, sizeof command, "cat '%s' | '%s' -", sample(), support_keyavg());
    const char *argv[] = {"sh", "-c", command, NULL};
    struct vt *vt = vt_start(argv, "xterm-256color", NULL, 24, 80);
    vt_expect(vt, "row 1 of");
    vt_type(vt, "j");
    vt_expect(vt, "row 2 of");
    vt_type(vt, "q");
    leave(vt, 0);
}

Test(terminal, a_file_that_is_no_trace_is_told_after_the_screen)
{
    const char *argv[] = {support_keyavg(), "/dev/null", NULL};
    struct vt *vt = vt_start(argv, "xterm-256color", NULL, 24, 80);
    cr_assert_eq(vt_wait(vt), 3);
    cr_assert_not(vt_alternate(vt));
    cr_assert_not_null(strstr(vt_output(vt), "keyavg: "));
    vt_free(vt);
}

/* What was typed is there again in the next run, in the state folder and nowhere else. */
Test(terminal, prompts_remember_what_was_typed_before)
{
    char folder[] = "/tmp/keyavg-state-XXXXXX", variable[64], path[64];
    cr_assert_not_null(mkdtemp(folder));
    snprintf(variable, sizeof variable, "XDG_STATE_HOME=%s/state", folder);
    const char *more[] = {variable, NULL};
    for (int run = 0; run < 2; run++) {
        struct vt *vt = start_in("xterm-256color", more, 24, 80);
        vt_expect(vt, "row 1 of");
        vt_type(vt, run == 0 ? "G:sort count\rg" : ":\033[A");
        vt_expect(vt, run == 0 ? "row 1 of" : ":sort count");
        vt_type(vt, run == 0 ? "/gemm\r" : "\003/\033[A");
        vt_expect(vt, run == 0 ? "F3SEARCH" : "/gemm");
        vt_type(vt, run == 0 ? "q" : "\003q");
        leave(vt, 0);
    }
    snprintf(path, sizeof path, "%s/state/keyavg/history", folder);
    FILE *file = fopen(path, "r");
    char text[64] = "";
    cr_assert_not_null(file);
    size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = 0;
    cr_expect_str_eq(text, ": sort count\n/ gemm\n");
    const char *clean[] = {"rm", "-r", folder, NULL};
    support_run(clean, NULL, NULL, NULL);
}

/* The table over ranks is made anew by a thread while keys arrive, and one rank's trace after the other is read. */
Test(terminal, ranks_are_grouped_and_walked, .timeout = 60)
{
    char command[8300];
    snprintf(command, sizeof command, "'%s' --ranks '%s'/ddp/rank?/trace.json.gz", support_keyavg(),
             support_samples_dir());
    const char *argv[] = {"bash", "-c", command, NULL};
    struct vt *vt = vt_start(argv, "xterm-256color", NULL, 24, 110);
    vt_expect(vt, "row 1 of 68");
    vt_type(vt, "S");
    vt_expect(vt, "row 1 of 336");
    vt_type(vt, ":group name,thread\r");
    vt_expect(vt, "thread 1 ");
    vt_type(vt, "\\kind:op mm\r");
    vt_expect(vt, "row 1 of 4 ");
    vt_type(vt, "\r");
    vt_expect(vt, " focus  aten::addmm");
    vt_expect(vt, " rank 3 ");
    vt_type(vt, "(");
    vt_expect(vt, " rank 0 of 4");
    vt_type(vt, ")))");
    vt_expect(vt, " rank 3 of 4");
    vt_expect(vt, " focus  aten::addmm");
    vt_type(vt, "A");
    vt_expect(vt, "row 1 of 4 ");
    vt_type(vt, "S\033S\033");
    vt_expect(vt, "4 ranks  CPU");
    vt_type(vt, "R");
    vt_expect(vt, "4 ranks  CPU");
    vt_type(vt, "qq");
    leave(vt, 0);
}

/* A pipe that stays open: the explorer is reading while keys arrive. */
Test(terminal, quits_while_it_reads)
{
    char command[8300];
    snprintf(command, sizeof command, "sleep 60 | '%s' -", support_keyavg());
    const char *argv[] = {"bash", "-c", command, NULL};
    struct vt *vt = vt_start(argv, "xterm-256color", NULL, 24, 80);
    vt_expect(vt, "Esc stops reading");
    vt_type(vt, "?");
    vt_expect(vt, "Stops reading");
    vt_type(vt, "q\033");
    vt_expect(vt, "standard input: stopped before anything of a trace had arrived");
    vt_type(vt, "q");
    vt_settle(vt);
    for (int i = 0; i < 100 && vt_alternate(vt); i++)
        vt_settle(vt);
    cr_assert_not(vt_alternate(vt));
    vt_free(vt);
}

#endif
