#include <config.h>

#include "vt.h"

#ifdef HAVE_VTERM

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <vterm.h>

enum { PATIENCE = 5000 }; /* ms */

struct vt {
    int master;
    pid_t child;
    int rows, columns;
    VTerm *term;
    VTermScreen *screen;
    bool alternate, cursor;
    bool ended;
    int status;
    char *output;
    size_t length, room;
};

static int on_property(VTermProp property, VTermValue *value, void *context)
{
    struct vt *vt = context;
    if (property == VTERM_PROP_ALTSCREEN)
        vt->alternate = value->boolean != 0;
    if (property == VTERM_PROP_CURSORVISIBLE)
        vt->cursor = value->boolean != 0;
    return 1;
}

static VTermScreenCallbacks callbacks = {.settermprop = on_property};

struct vt *vt_start(const char *const argv[], const char *term, const char *const *more, int rows, int columns)
{
    struct vt *vt = calloc(1, sizeof *vt);
    cr_assert_not_null(vt);
    *vt = (struct vt){.rows = rows, .columns = columns, .cursor = true};
    struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};
    vt->child = forkpty(&vt->master, NULL, NULL, &size);
    cr_assert_geq(vt->child, 0);
    if (vt->child == 0) {
        const char *asan = getenv("ASAN_OPTIONS"), *path = getenv("PATH");
        char *kept_asan = asan != NULL ? strdup(asan) : NULL, *kept_path = strdup(path != NULL ? path : "/usr/bin:/bin");
        clearenv();
        if (kept_asan != NULL)
            setenv("ASAN_OPTIONS", kept_asan, 1);
        setenv("PATH", kept_path, 1);
        setenv("LC_ALL", "C.UTF-8", 1);
        setenv("HOME", "/nonexistent", 1);
        if (term != NULL)
            setenv("TERM", term, 1);
        for (; more != NULL && *more != NULL; more++)
            putenv(strdup(*more));
        execvp(argv[0], (char *const *)(uintptr_t)argv);
        _exit(127);
    }
    fcntl(vt->master, F_SETFL, O_NONBLOCK);
    vt->term = vterm_new(rows, columns);
    vterm_set_utf8(vt->term, 1);
    vt->screen = vterm_obtain_screen(vt->term);
    vterm_screen_enable_altscreen(vt->screen, 1);
    vterm_screen_set_callbacks(vt->screen, &callbacks, vt);
    vterm_screen_reset(vt->screen, 1);
    return vt;
}

void vt_free(struct vt *vt)
{
    if (!vt->ended) {
        kill(vt->child, SIGKILL);
        waitpid(vt->child, NULL, 0);
    }
    if (vt->master >= 0)
        close(vt->master);
    vterm_free(vt->term);
    free(vt->output);
    free(vt);
}

void vt_type(struct vt *vt, const char *bytes)
{
    size_t length = strlen(bytes);
    while (length > 0) {
        ssize_t sent = write(vt->master, bytes, length);
        if (sent < 0 && errno == EAGAIN)
            continue;
        cr_assert_gt(sent, 0);
        bytes += sent;
        length -= (size_t)sent;
    }
}

void vt_resize(struct vt *vt, int rows, int columns)
{
    struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};
    vt->rows = rows;
    vt->columns = columns;
    /* libvterm 0.1.4 writes beyond a screen of one column where a character takes two, and one that was drawn for the
     * screen before may come yet. */
    vterm_set_size(vt->term, rows, columns < 2 ? 2 : columns);
    ioctl(vt->master, TIOCSWINSZ, &size);
}

void vt_signal(struct vt *vt, int number)
{
    kill(vt->child, number);
}

void vt_hang_up(struct vt *vt)
{
    close(vt->master);
    vt->master = -1;
}

static long now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/* Takes in what arrives within `ms`; false when the terminal was closed. */
static bool pump(struct vt *vt, int ms)
{
    struct pollfd fd = {vt->master, POLLIN, 0};
    if (vt->master < 0 || poll(&fd, 1, ms) <= 0)
        return true;
    char bytes[4096];
    ssize_t got = read(vt->master, bytes, sizeof bytes);
    if (got <= 0)
        return got < 0 && errno == EAGAIN;
    vterm_input_write(vt->term, bytes, (size_t)got);
    if (vt->length + (size_t)got + 1 > vt->room) {
        vt->room = (vt->length + (size_t)got) * 2 + 1;
        vt->output = realloc(vt->output, vt->room);
        cr_assert_not_null(vt->output);
    }
    memcpy(vt->output + vt->length, bytes, (size_t)got);
    vt->length += (size_t)got;
    vt->output[vt->length] = 0;
    return true;
}

const char *vt_row(struct vt *vt, int row)
{
    static char text[8192];
    VTermRect rect = {row, row + 1, 0, vt->columns};
    size_t length = vterm_screen_get_text(vt->screen, text, sizeof text - 1, rect);
    while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == 0))
        length--;
    text[length] = 0;
    return text;
}

static bool on_screen(struct vt *vt, const char *text)
{
    for (int row = 0; row < vt->rows; row++)
        if (strstr(vt_row(vt, row), text) != NULL)
            return true;
    return false;
}

static void fail_with_screen(struct vt *vt, const char *what, const char *text)
{
    fprintf(stderr, "%s: %s\n", what, text);
    for (int row = 0; row < vt->rows; row++)
        fprintf(stderr, "|%s\n", vt_row(vt, row));
    cr_assert_fail("%s: %s", what, text);
}

static void wait_for(struct vt *vt, const char *text, bool there)
{
    long end = now() + PATIENCE;
    while (on_screen(vt, text) != there) {
        if (now() > end)
            fail_with_screen(vt, there ? "not on the screen" : "still on the screen", text);
        if (!pump(vt, 50))
            fail_with_screen(vt, "the program ended while waiting for", text);
    }
}

void vt_expect(struct vt *vt, const char *text)
{
    wait_for(vt, text, true);
}

void vt_expect_gone(struct vt *vt, const char *text)
{
    wait_for(vt, text, false);
}

int vt_wait(struct vt *vt)
{
    long end = now() + PATIENCE;
    for (;;) {
        int status;
        pid_t done = waitpid(vt->child, &status, WNOHANG);
        if (done == vt->child) {
            vt->ended = true;
            for (int i = 0; i < 64 && pump(vt, 0); i++) {
            }
            return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        }
        if (now() > end)
            fail_with_screen(vt, "the program did not end", "");
        pump(vt, 20);
    }
}

/* The program waits for keys: it sleeps, and nothing more comes. */
void vt_settle(struct vt *vt)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)vt->child);
    for (long end = now() + PATIENCE; now() < end;) {
        size_t before = vt->length;
        pump(vt, 20);
        FILE *file = fopen(path, "r");
        char line[512] = "";
        if (file != NULL) {
            if (fgets(line, sizeof line, file) == NULL)
                line[0] = 0;
            fclose(file);
        }
        const char *mark = strrchr(line, ')');
        if (vt->length == before && (mark == NULL || mark[2] == 'S'))
            return;
    }
}

void vt_expect_empty_pipe(struct vt *vt, int file)
{
    long end = now() + PATIENCE;
    for (int left = 1; ioctl(file, FIONREAD, &left) == 0 && left > 0;) {
        if (now() > end)
            fail_with_screen(vt, "it does not read", "");
        pump(vt, 5);
    }
}

size_t vt_bytes(const struct vt *vt)
{
    return vt->length;
}

bool vt_alternate(const struct vt *vt)
{
    return vt->alternate;
}

bool vt_cursor_visible(const struct vt *vt)
{
    return vt->cursor;
}

const char *vt_output(const struct vt *vt)
{
    return vt->output != NULL ? vt->output : "";
}

static VTermScreenCell cell_of(struct vt *vt, int row, int column)
{
    VTermScreenCell cell;
    VTermPos pos = {row, column};
    vterm_screen_get_cell(vt->screen, pos, &cell);
    return cell;
}

bool vt_colored(struct vt *vt, int row, int column)
{
    VTermScreenCell cell = cell_of(vt, row, column);
    return !VTERM_COLOR_IS_DEFAULT_FG(&cell.fg) || !VTERM_COLOR_IS_DEFAULT_BG(&cell.bg);
}

bool vt_reversed(struct vt *vt, int row, int column)
{
    return cell_of(vt, row, column).attrs.reverse != 0;
}

#endif
