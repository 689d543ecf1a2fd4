/* The terminal. The only file that knows ncurses. */
#include "keyavg/terminal.h"

#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

#include "keyavg/memory.h"
#include "terminfo.h"

/* term.h makes a macro of this word. */
#undef columns

/* Reads in a row that bring nothing although the terminal says there is something: it is gone. */
enum { FAILED_READS = 20 };

struct look {
    attr_t attributes;
    short pair, background; /* a pair of curses; its background's colour */
};

static struct {
    bool open, shown;
    const char *type; /* NULL: as TERM says */
    SCREEN *screen;
    FILE *in;
    WINDOW *pad; /* keys are read from a pad: reading from a window would refresh it */
    int wake[2]; /* signals and other threads write here */
    int colors;
    bool default_colors;
    short pairs;
    short pair_colors[ROLE_COUNT + 1][2];
    struct look looks[ROLE_COUNT];
    int failed_reads;
    bool cursor_shown;
    cchar_t *line;
    int line_room;
} terminal = {.wake = {-1, -1}};

static const int signals[] = {SIGWINCH, SIGTSTP, SIGCONT, SIGHUP, SIGTERM, SIGINT};
enum { SIGNAL_COUNT = sizeof signals / sizeof *signals };
static struct sigaction former[SIGNAL_COUNT];

static void on_signal(int number)
{
    int saved = errno;
    char byte = (char)number;
    if (write(terminal.wake[1], &byte, 1) < 0) {
        /* The pipe is full of signals that say the same. */
    }
    errno = saved;
}

static void take_signal(int number)
{
    struct sigaction action = {.sa_handler = on_signal};
    sigfillset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

void terminal_wake(void)
{
    char byte = 0;
    if (terminal.wake[1] >= 0 && write(terminal.wake[1], &byte, 1) < 0) {
        /* Full: it will wake anyhow. */
    }
}

/* The name under which ncurses knows the terminal, and cur_term is set; NULL: it is not known. Its description is ours
 * where the machine has none. */
static const char *find_type(const char *name)
{
    int state;
    if (setupterm(name, STDOUT_FILENO, &state) == OK)
        return name;
    const char *known, *entry = terminfo_find(name, &known);
    if (entry == NULL || setenv("TERMINFO", entry, 1) != 0 || setupterm(known, STDOUT_FILENO, &state) != OK)
        return NULL;
    return known;
}

bool terminal_usable(struct error *why)
{
    if (!isatty(STDOUT_FILENO))
        return error_set(why, ERROR_IO, "standard output is not a terminal");
    const char *name = getenv("TERM");
    if (name == NULL || *name == 0)
        return error_set(why, ERROR_IO, "TERM is not set");
    terminal.type = find_type(name);
    if (terminal.type == NULL)
        return error_set(why, ERROR_IO, "the terminal type '%.40s' is not known here", name);
    const char *move = tigetstr("cup");
    bool moves = move != NULL && move != (const char *)-1; /* NOLINT: curses' own way */
    del_curterm(cur_term);
    if (!moves)
        return error_set(why, ERROR_IO, "the terminal '%.40s' cannot move its cursor", name);
    if (!isatty(STDIN_FILENO)) {
        int tty = open("/dev/tty", O_RDWR | O_CLOEXEC);
        if (tty < 0)
            return error_set(why, ERROR_IO, "there is no terminal to read keys from");
        close(tty);
    }
    return true;
}

/* What terminfo does not tell of keys that terminals send all the same. */
static void define_keys(void)
{
    static const struct {
        const char *sequence;
        int code;
    } keys[] = {
        {"\033[H", KEY_HOME},    {"\033[F", KEY_END},     {"\033OH", KEY_HOME},    {"\033OF", KEY_END},
        {"\033[1~", KEY_HOME},   {"\033[4~", KEY_END},    {"\033[7~", KEY_HOME},   {"\033[8~", KEY_END},
        {"\033[5~", KEY_PPAGE},  {"\033[6~", KEY_NPAGE},  {"\033[2~", KEY_IC},     {"\033[3~", KEY_DC},
        {"\033OP", KEY_F(1)},    {"\033OQ", KEY_F(2)},    {"\033OR", KEY_F(3)},    {"\033OS", KEY_F(4)},
        {"\033[11~", KEY_F(1)},  {"\033[12~", KEY_F(2)},  {"\033[13~", KEY_F(3)},  {"\033[14~", KEY_F(4)},
        {"\033[[A", KEY_F(1)},   {"\033[[B", KEY_F(2)},   {"\033[[C", KEY_F(3)},   {"\033[[D", KEY_F(4)},
        {"\033[[E", KEY_F(5)},   {"\033[15~", KEY_F(5)},  {"\033[17~", KEY_F(6)},  {"\033[18~", KEY_F(7)},
        {"\033[19~", KEY_F(8)},  {"\033[20~", KEY_F(9)},  {"\033[21~", KEY_F(10)}, {"\033[23~", KEY_F(11)},
        {"\033[24~", KEY_F(12)}, {"\033[A", KEY_UP},      {"\033[B", KEY_DOWN},    {"\033[C", KEY_RIGHT},
        {"\033[D", KEY_LEFT},    {"\033OA", KEY_UP},      {"\033OB", KEY_DOWN},    {"\033OC", KEY_RIGHT},
        {"\033OD", KEY_LEFT},    {"\033[Z", KEY_BTAB},
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (key_defined(keys[i].sequence) == 0)
            define_key(keys[i].sequence, keys[i].code);
}

static void open_colors(void)
{
    terminal.colors = 0;
    terminal.pairs = 0;
    terminal.default_colors = false;
    if (!has_colors() || start_color() != OK)
        return;
    terminal.default_colors = use_default_colors() == OK;
    terminal.colors = COLORS >= 256 ? 256 : COLORS >= 16 ? 16 : COLORS >= 8 ? 8 : 0;
}

bool terminal_open(bool mouse, struct error *error)
{
    if (terminal.open)
        return true;
    terminal.in = stdin;
    if (!isatty(STDIN_FILENO)) {
        terminal.in = fopen("/dev/tty", "re");
        if (terminal.in == NULL)
            return error_set(error, ERROR_IO, "there is no terminal to read keys from");
    }
    if (pipe2(terminal.wake, O_NONBLOCK | O_CLOEXEC) != 0)
        return error_set(error, ERROR_IO, "no pipe: %s", strerror(errno));
    if (getenv("ESCDELAY") == NULL)
        set_escdelay(50);
    terminal.screen = newterm(terminal.type, stdout, terminal.in);
    if (terminal.screen == NULL)
        return error_set(error, ERROR_IO, "the terminal type is not known here");
    set_term(terminal.screen);
    terminal.open = true;
    memory_on_failure(terminal_close);
    raw(); /* so that ^S does not freeze the screen; ^C and ^Z are keys like others */
    noecho();
    nonl();
    open_colors();
    curs_set(0);
    terminal.pad = newpad(1, 1);
    keypad(terminal.pad, TRUE);
    nodelay(terminal.pad, TRUE);
    define_keys();
    terminal_mouse(mouse);
    for (int i = 0; i < SIGNAL_COUNT; i++) {
        sigaction(signals[i], NULL, &former[i]);
        /* What our parent ignores (nohup) stays ignored; ncurses has set its own for some. */
        if (former[i].sa_handler != SIG_IGN)
            take_signal(signals[i]);
        else if (signals[i] == SIGWINCH)
            take_signal(signals[i]);
    }
    return true;
}

void terminal_close(void)
{
    if (!terminal.open)
        return;
    terminal.open = false;
    memory_on_failure(NULL);
    if (terminal.shown)
        curs_set(1);
    mousemask(0, NULL);
    endwin();
    for (int i = 0; i < SIGNAL_COUNT; i++)
        signal(signals[i], former[i].sa_handler == SIG_IGN && signals[i] != SIGWINCH ? SIG_IGN : SIG_DFL);
    delwin(terminal.pad);
    delscreen(terminal.screen);
    if (terminal.in != stdin)
        fclose(terminal.in);
    for (int i = 0; i < 2; i++) {
        close(terminal.wake[i]);
        terminal.wake[i] = -1;
    }
    free(terminal.line);
    terminal.line = NULL;
    terminal.line_room = 0;
}

int terminal_colors(void)
{
    return terminal.colors;
}

/* The pair of two colours, made when it is new. */
static short pair_of(int foreground, int background)
{
    if (!terminal.default_colors) {
        foreground = foreground < 0 ? COLOR_WHITE : foreground;
        background = background < 0 ? COLOR_BLACK : background;
    }
    if (foreground < 0 && background < 0)
        return 0;
    for (short i = 1; i <= terminal.pairs; i++)
        if (terminal.pair_colors[i][0] == foreground && terminal.pair_colors[i][1] == background)
            return i;
    if (terminal.pairs >= ROLE_COUNT || terminal.pairs + 1 >= COLOR_PAIRS)
        return 0;
    short pair = ++terminal.pairs;
    terminal.pair_colors[pair][0] = (short)foreground;
    terminal.pair_colors[pair][1] = (short)background;
    init_pair(pair, (short)foreground, (short)background);
    return pair;
}

static int limited(int color)
{
    return color < terminal.colors ? color : -1;
}

void terminal_set_style(enum role role, int foreground, int background, unsigned attributes)
{
    if (role == 0)
        terminal.pairs = 0; /* a theme starts with the first role */
    attr_t curses = A_NORMAL;
    curses |= attributes & STYLE_BOLD ? A_BOLD : 0;
    curses |= attributes & STYLE_DIM ? A_DIM : 0;
    curses |= attributes & STYLE_ITALIC ? A_ITALIC : 0;
    curses |= attributes & STYLE_UNDERLINE ? A_UNDERLINE : 0;
    curses |= attributes & STYLE_REVERSE ? A_REVERSE : 0;
    short pair = 0;
    int behind = -1;
    if (terminal.colors > 0) {
        behind = limited(background);
        pair = pair_of(limited(foreground), behind);
    }
    terminal.looks[role] = (struct look){curses, pair, (short)behind};
}

void terminal_size(int *rows, int *columns)
{
    *rows = LINES;
    *columns = COLS;
}

void terminal_mouse(bool on)
{
    mouseinterval(0);
    mousemask(on ? BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED : 0, NULL);
}

/* Asks for the size again, as it may have changed while nobody told. */
static void fit_screen(struct key *key)
{
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0)
        resizeterm(size.ws_row, size.ws_col);
    *key = (struct key){.code = KEYCODE_RESIZE, .row = LINES, .column = COLS};
}

void terminal_redraw(void)
{
    clearok(curscr, TRUE);
}

void terminal_suspend(void)
{
    endwin();
    signal(SIGTSTP, SIG_DFL);
    kill(0, SIGTSTP);
    take_signal(SIGTSTP);
    /* What SIGCONT has written to the pipe by now makes the next read look at size and screen. */
    terminal_wake();
}

/* A signal as a key; false for those that are no key's matter. */
static bool read_signal(struct key *key)
{
    char byte;
    while (read(terminal.wake[0], &byte, 1) == 1) {
        switch (byte) {
        case 0:
            *key = (struct key){.code = KEYCODE_PROGRESS};
            return true;
        case SIGWINCH:
            fit_screen(key);
            return true;
        case SIGCONT:
            reset_prog_mode();
            terminal_redraw();
            fit_screen(key);
            return true;
        case SIGTSTP:
            terminal_suspend();
            break;
        case SIGHUP:
            *key = (struct key){.code = KEYCODE_HANGUP};
            return true;
        default:
            *key = (struct key){.code = KEYCODE_TERMINATE, .row = byte};
            return true;
        }
    }
    return false;
}

static uint32_t translate(int code)
{
    switch (code) {
    case KEY_UP: return KEYCODE_UP;
    case KEY_DOWN: return KEYCODE_DOWN;
    case KEY_LEFT: return KEYCODE_LEFT;
    case KEY_RIGHT: return KEYCODE_RIGHT;
    case KEY_HOME: return KEYCODE_HOME;
    case KEY_END: return KEYCODE_END;
    case KEY_PPAGE: return KEYCODE_PAGE_UP;
    case KEY_NPAGE: return KEYCODE_PAGE_DOWN;
    case KEY_IC: return KEYCODE_INSERT;
    case KEY_DC: return KEYCODE_DELETE;
    case KEY_BTAB: return KEYCODE_BACK_TAB;
    case KEY_BACKSPACE: return KEYCODE_BACKSPACE;
    case KEY_ENTER: return KEYCODE_ENTER;
    default: break;
    }
    if (code >= KEY_F(1) && code <= KEY_F(12))
        return KEYCODE_F0 + (uint32_t)(code - KEY_F(0));
    return KEYCODE_UNKNOWN;
}

static bool read_mouse(struct key *key)
{
    MEVENT event;
    if (getmouse(&event) != OK)
        return false;
    *key = (struct key){.row = event.y, .column = event.x};
    if (event.bstate & BUTTON1_PRESSED)
        key->code = KEYCODE_CLICK;
    else if (event.bstate & BUTTON4_PRESSED)
        key->code = KEYCODE_WHEEL_UP;
    else if (event.bstate & BUTTON5_PRESSED)
        key->code = KEYCODE_WHEEL_DOWN;
    return key->code != KEYCODE_NONE;
}

/* What ncurses has, without waiting. */
static bool read_curses(struct key *key)
{
    for (;;) {
        wint_t code;
        int kind = wget_wch(terminal.pad, &code);
        if (kind == ERR)
            return false;
        terminal.failed_reads = 0;
        *key = (struct key){0};
        if (kind == KEY_CODE_YES && code == KEY_MOUSE) {
            if (read_mouse(key))
                return true;
            continue;
        }
        if (kind == KEY_CODE_YES && code == KEY_RESIZE)
            continue;
        if (kind == KEY_CODE_YES)
            key->code = translate((int)code);
        else if (code == 0x7F || code == '\b')
            key->code = KEYCODE_BACKSPACE;
        else if (code == '\n')
            key->code = KEYCODE_ENTER;
        else
            key->code = (uint32_t)code;
        return key->code != KEYCODE_NONE;
    }
}

bool terminal_read(struct key *key, int wait)
{
    for (;;) {
        if (read_signal(key) || read_curses(key))
            return true;
        struct pollfd fds[2] = {{fileno(terminal.in), POLLIN, 0}, {terminal.wake[0], POLLIN, 0}};
        int ready = poll(fds, 2, wait);
        if (ready == 0)
            return false;
        if (ready < 0)
            continue; /* a signal: it is in the pipe */
        if (fds[0].revents & (POLLERR | POLLNVAL) || (fds[0].revents & POLLHUP && !(fds[0].revents & POLLIN)) ||
            (fds[0].revents & POLLIN && ++terminal.failed_reads > FAILED_READS)) {
            *key = (struct key){.code = KEYCODE_HANGUP};
            return true;
        }
    }
}

/* Whether a blank looks the same in both. */
static bool same_blank(const struct look *a, const struct look *b)
{
    return a->background == b->background && ((a->attributes | b->attributes) & (A_REVERSE | A_UNDERLINE)) == 0;
}

static bool is_blank(const struct cell *cell)
{
    return cell->width == 1 && cell->count <= 1 && (cell->count == 0 || cell->points[0] == ' ');
}

static void make_cell(const struct cell *cell, const struct look *look, cchar_t *out)
{
    wchar_t points[GRID_POINTS + 1] = {0};
    int count = 0;
    for (int i = 0; i < cell->count; i++) {
        wchar_t point = (wchar_t)cell->points[i];
        int width = wcwidth(point);
        /* Where the C library measures otherwise than we do, its lines would shift. */
        if (i == 0)
            points[count++] = width == cell->width ? point : cell->width == 1 ? L'?' : L'\uFF1F';
        else if (width == 0)
            points[count++] = point;
    }
    setcchar(out, points, look->attributes, look->pair, NULL);
}

void terminal_paint(const struct grid *grid, int cursor_row, int cursor_column)
{
    if (grid->columns + 1 > terminal.line_room) {
        terminal.line_room = grid->columns + 1;
        terminal.line = memory_resize(terminal.line, (size_t)terminal.line_room, sizeof *terminal.line);
    }
    int rows = grid->rows < LINES ? grid->rows : LINES;
    int columns = grid->columns < COLS ? grid->columns : COLS;
    for (int row = 0; row < rows; row++) {
        int count = 0, end = columns;
        const struct look *look = NULL;
        while (end > 0 && is_blank(grid_cell(grid, row, end - 1)))
            end--;
        for (int column = 0; column < columns; column++) {
            const struct cell *cell = grid_cell(grid, row, column);
            const struct look *own = &terminal.looks[cell->role];
            if (cell->width == 0)
                continue;
            /* Blanks between words keep the look of the word before: changing it costs a dozen bytes. */
            if (look == NULL || column >= end || !is_blank(cell) || !same_blank(look, own))
                look = own;
            make_cell(cell, look, &terminal.line[count++]);
        }
        mvadd_wchnstr(row, 0, terminal.line, count);
    }
    bool cursor = cursor_row >= 0 && cursor_row < LINES && cursor_column < COLS;
    if (cursor != terminal.cursor_shown)
        curs_set(cursor ? 1 : 0);
    terminal.cursor_shown = cursor;
    /* A hidden cursor stays at one place, so that nothing is sent for it. */
    move(cursor ? cursor_row : LINES - 1, cursor ? cursor_column : 0);
    wnoutrefresh(stdscr);
    doupdate();
    terminal.shown = true;
}

void terminal_send(const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t sent = write(STDOUT_FILENO, bytes, length);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return;
        bytes += sent;
        length -= (size_t)sent;
    }
}
