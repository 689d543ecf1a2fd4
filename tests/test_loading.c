/*
 * The explorer while its file is still being read: a FIFO whose other end the test holds, so that
 * every state lasts as long as the test wants it to.
 */
#include <config.h>
#include <criterion/criterion.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/skip.h"
#include "support/vt.h"

#ifndef HAVE_VTERM

Test(loading, needs_libvterm)
{
    support_skip("libvterm is not there");
}

#else

static char folder[] = "/tmp/keyavg-loading-XXXXXX";

/* The explorer on `trace` in a folder of its own, a FIFO that nobody writes to yet. */
static struct vt *start(void)
{
    cr_assert_not_null(mkdtemp(folder));
    cr_assert_eq(chdir(folder), 0);
    cr_assert_eq(mkfifo("trace", 0600), 0);
    signal(SIGPIPE, SIG_IGN);
    const char *argv[] = {support_keyavg(), "trace", NULL};
    struct vt *vt = vt_start(argv, "xterm-256color", NULL, 24, 80);
    vt_expect(vt, "Esc stops reading");
    return vt;
}

static void clean_up(void)
{
    unlink("trace");
    cr_assert_eq(chdir("/"), 0);
    rmdir(folder);
}

static void leave(struct vt *vt, int status)
{
    vt_type(vt, "q");
    cr_expect_eq(vt_wait(vt), status);
    cr_expect_not(vt_alternate(vt));
    vt_free(vt);
    clean_up();
}

static void write_text(int file, const char *text)
{
    for (size_t length = strlen(text); length > 0;) {
        ssize_t sent = write(file, text, length);
        cr_assert_gt(sent, 0);
        text += sent;
        length -= (size_t)sent;
    }
}

/* `count` ops one after the other, from number `from` on; each has a name of its own below a hundred. */
static void write_events(int file, int from, int count)
{
    char event[256];
    for (int i = from; i < from + count; i++) {
        snprintf(event, sizeof event,
                 "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"aten::op_%d\", \"pid\": 1, \"tid\": 1, \"ts\": %d, "
                 "\"dur\": 5, \"args\": {\"External id\": %d}},\n",
                 i < 100 ? i : i % 10, i * 10, i + 1);
        write_text(file, event);
    }
}

static bool shows(struct vt *vt, const char *text)
{
    for (int row = 0; row < 24; row++)
        if (strstr(vt_row(vt, row), text) != NULL)
            return true;
    return false;
}

/* Writes until the table is there; returns how many events that took. The explorer reads by large blocks and looks at
 * them now and then, so nobody knows before. */
static int write_until_shown(struct vt *vt, int file)
{
    enum { EACH = 2000, MOST = 4000000 };
    int count = 0;
    write_text(file, "{\"traceEvents\": [\n");
    while (!shows(vt, "row 1 of") && count < MOST) {
        write_events(file, count, EACH);
        count += EACH;
        vt_settle(vt);
    }
    vt_expect(vt, "row 1 of");
    return count;
}

Test(loading, the_first_screen_is_there_before_any_byte)
{
    struct vt *vt = start();
    cr_expect(shows(vt, "reading"));
    cr_expect(shows(vt, "trace"));
    vt_resize(vt, 8, 40);
    vt_resize(vt, 24, 80);
    vt_type(vt, "?");
    vt_expect(vt, "Keys in this view");
    vt_type(vt, "q");
    vt_expect(vt, "Esc stops reading");
    leave(vt, 0);
}

Test(loading, escape_with_nothing_there_does_not_quit)
{
    struct vt *vt = start();
    int file = open("trace", O_WRONLY);
    cr_assert_geq(file, 0);
    vt_type(vt, "\033");
    vt_expect(vt, "before anything of a trace had arrived");
    vt_type(vt, "\033");
    vt_settle(vt);
    close(file);
    leave(vt, 3);
}

Test(loading, the_table_grows_while_it_is_read, .timeout = 60)
{
    struct vt *vt = start();
    int file = open("trace", O_WRONLY);
    int count = write_until_shown(vt, file);
    vt_expect(vt, "reading");
    /* Keys work on the part that is there. */
    vt_type(vt, "j/op_7\r");
    vt_expect(vt, "aten::op_7");
    vt_type(vt, "\\op_9\r");
    vt_expect(vt, "filter op_9");
    write_events(file, count, 10);
    write_text(file, "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"the_last_op_9\", \"pid\": 1, \"tid\": 1, \"ts\": "
                     "900000000, \"dur\": 5}\n]}\n");
    close(file);
    vt_expect(vt, "the_last_op_9");
    vt_expect_gone(vt, "reading");
    cr_expect(shows(vt, "filter op_9"), "the view is as it was");
    cr_expect_not(shows(vt, "PARTIAL"));
    leave(vt, 0);
}

Test(loading, escape_keeps_what_has_arrived, .timeout = 60)
{
    struct vt *vt = start();
    int file = open("trace", O_WRONLY);
    /* Fewer bytes than the explorer wants at once, the last event cut; then the pipe is silent. */
    write_text(file, "{\"traceEvents\": [\n");
    write_events(file, 0, 50);
    write_text(file, "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"cut");
    /* All of it is out of the pipe, or Esc would come before it. */
    vt_expect_empty_pipe(vt, file);
    vt_type(vt, "\033");
    vt_expect(vt, "PARTIAL");
    vt_expect(vt, "this is a part of the file");
    cr_expect(shows(vt, "50 events"));
    vt_type(vt, "j");
    vt_expect(vt, "row 2 of 50");
    cr_expect(shows(vt, "PARTIAL"));
    close(file);
    leave(vt, 0);
}

Test(loading, escape_stops_reading_before_it_takes_crumbs, .timeout = 60)
{
    struct vt *vt = start();
    int file = open("trace", O_WRONLY);
    write_until_shown(vt, file);
    vt_type(vt, "\\op_9\r");
    vt_expect(vt, "filter op_9");
    vt_type(vt, "\033");
    vt_expect(vt, "PARTIAL");
    cr_expect(shows(vt, "filter op_9"));
    vt_type(vt, "\033");
    vt_expect_gone(vt, "filter op_9");
    close(file);
    leave(vt, 0);
}

Test(loading, a_signal_ends_it_while_it_waits)
{
    struct vt *vt = start();
    vt_signal(vt, SIGHUP);
    cr_expect_eq(vt_wait(vt), 1);
    vt_free(vt);
    clean_up();
}

#endif
