/* The explorer in a terminal: the event loop, and the thread that reads. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "keyavg/drill.h"
#include "keyavg/explorer.h"
#include "keyavg/many.h"
#include "keyavg/terminal.h"
#include "keyavg/work.h"
#include "startup.h"
#include "table_view.h"

enum {
    PACE = 100000000,     /* between two notes of progress, ns */
    UNSEEN = 40000000,    /* an update that takes no longer shows no line of its own, ns */
    WORK_PACE = 200,      /* between two notes of a longer one, ms */
    LONG_UPDATE = 400000, /* events; below that an update is done within UNSEEN */
};

/* A file being read in a thread of its own. It stays allocated until the thread has ended. */
struct load {
    struct side {
        struct load *load;
        struct load_progress *progress;
        int64_t last;
    } sides[COMPARE_SIDES]; /* the files that are read; one: the first */
    const char *paths[COMPARE_SIDES];
    struct app *app;
    struct compare_query query;
    bool sort_given, live; /* live: there is no table yet, so parts of one file are shown */
    bool two;
    unsigned threads;
    atomic_bool stop, done;
    int stop_pipe[2]; /* wakes a read that waits for bytes */
    struct table *table;     /* NULL when it failed, */
    struct compare *compare; /* and with two files */
    _Atomic(struct table *) arrived; /* what can be shown so far, until the loop takes it */
    struct error error;
    int64_t start;
    pthread_t thread;
};

struct run {
    struct app app;
    struct startup startup;
    struct theme theme;
    struct load *load; /* NULL: nothing is being read */
    unsigned threads;  /* that read; 0: one for each processor */
};

static struct run *run_of(struct app *app)
{
    return app->outside.context;
}

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* -- Loading -------------------------------------------------------------------------------------- */

static bool tell(void *context, uint64_t done, uint64_t total, uint64_t text)
{
    struct side *side = context;
    atomic_store(&side->progress->loaded, done);
    atomic_store(&side->progress->total, total);
    atomic_store(&side->progress->text_bytes, text);
    int64_t time = now();
    if (time - side->last >= PACE) {
        side->last = time;
        terminal_wake();
    }
    return !atomic_load(&side->load->stop);
}

static void drop_table(struct table *table)
{
    if (table == NULL)
        return;
    struct trace *trace = table->trace;
    table_free(table);
    trace_free(trace);
}

/* A table of the first part of the file; one that the loop has not come to take is replaced. */
static void show_arrived(void *context, struct trace *so_far)
{
    struct load *load = ((struct side *)context)->load;
    struct query query = load->query.query;
    struct table *table = app_build_table(so_far, &query, load->sort_given);
    drop_table(atomic_exchange(&load->arrived, table));
    terminal_wake();
}

/* Of two files nothing is shown before both are there: what only one has by then would seem new or gone. */
static void read_two(struct load *load, struct trace_options reading[COMPARE_SIDES])
{
    struct trace *traces[COMPARE_SIDES];
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    for (int s = 0; s < COMPARE_SIDES && load->paths[0] != load->paths[1]; s++)
        if (load->threads == 0)
            reading[s].threads = processors > 3 ? (unsigned)processors / 2 : 1;
    if (compare_load(load->paths, reading, true, traces, &load->error)) {
        load->compare = app_build_compare(traces, &load->query);
        for (int s = 0; s < COMPARE_SIDES; s++)
            drill_prepare(load->compare->sides[s].table);
    }
}

static void *read_file(void *context)
{
    struct load *load = context;
    struct trace_options reading[COMPARE_SIDES];
    for (int s = 0; s < COMPARE_SIDES; s++)
        reading[s] = (struct trace_options){.threads = load->threads,
                                            .keep_text = true,
                                            .progress = tell,
                                            .context = &load->sides[s],
                                            .stop_file = load->stop_pipe[0]};
    if (load->two) {
        read_two(load, reading);
    } else {
        if (load->live)
            reading[0].arrived = show_arrived;
        struct trace *trace = trace_load(load->paths[0], &reading[0], &load->error);
        if (trace != NULL) {
            load->table = app_build_table(trace, &load->query.query, load->sort_given);
            drill_prepare(load->table);
        }
    }
    atomic_store(&load->done, true);
    terminal_wake();
    return NULL;
}

static void free_load(struct load *load)
{
    close(load->stop_pipe[0]);
    close(load->stop_pipe[1]);
    free(load);
}

static bool start_load(struct run *run, struct error *error)
{
    struct load *load = memory_zero(1, sizeof *load);
    if (pipe2(load->stop_pipe, O_CLOEXEC) != 0) {
        free(load);
        return error_set(error, ERROR_IO, "no pipe: %s", strerror(errno));
    }
    load->paths[COMPARE_BASE] = run->app.path;
    load->paths[COMPARE_NEW] = run->app.two.path;
    load->two = run->app.two.on;
    load->app = &run->app;
    load->query = app_compare_query(&run->app);
    /* The loop may change and free its filters meanwhile; it applies them when it takes the table. */
    load->query.query.filter = load->query.filters[COMPARE_BASE] = load->query.filters[COMPARE_NEW] = NULL;
    load->live = run->app.table == NULL;
    load->sort_given = run->app.sort_given;
    load->threads = run->threads;
    load->start = now();
    for (int s = 0; s < COMPARE_SIDES; s++)
        load->sides[s] = (struct side){load, &run->app.progress[s], load->start};
    int failure = pthread_create(&load->thread, NULL, read_file, load);
    if (failure != 0) {
        free_load(load);
        return error_set(error, ERROR_IO, "no thread to read in: %s", strerror(failure));
    }
    run->load = load;
    run->app.reading = true;
    return true;
}

/* Shows a table in place of the one before. */
static void take_table(struct run *run, struct table *table)
{
    struct app *app = &run->app;
    bool first = app->table == NULL;
    if (!app->sort_given)
        app->query.sort = table->query.sort;
    app->sort_given = true;
    app_set_table(app, table);
    if (first) {
        startup_finish(&run->startup, app);
        app_update(app);
    }
    if (first && app->many != NULL)
        many_show(app);
}

static void take_compare(struct run *run, struct compare *compare)
{
    struct app *app = &run->app;
    bool first = app->compare == NULL;
    app_set_compare(app, compare);
    if (!first)
        return;
    startup_finish(&run->startup, app);
    app_update(app);
    if (!app->message_is_error)
        changes_tell_notes(app);
}

static bool is_partial(const struct app *app)
{
    return app->compare != NULL ? app->traces[COMPARE_BASE]->partial || app->traces[COMPARE_NEW]->partial
                                : app->trace->partial;
}

static void take_arrived(struct run *run)
{
    struct table *table = atomic_exchange(&run->load->arrived, NULL);
    if (table != NULL)
        take_table(run, table);
}

/* Takes what the thread has brought. False: nothing can be shown. */
static bool finish_load(struct run *run, struct error *error)
{
    struct load *load = run->load;
    struct app *app = &run->app;
    bool first = app->table == NULL, good = load->table != NULL || load->compare != NULL;
    pthread_join(load->thread, NULL);
    drop_table(atomic_exchange(&load->arrived, NULL));
    run->load = NULL;
    app->reading = false;
    if (good) {
        if (load->compare != NULL)
            take_compare(run, load->compare);
        else
            take_table(run, load->table);
        if (is_partial(app))
            app_say(app, "reading was stopped: this is a part of the file");
        else if (!load->live && app->many == NULL)
            app_say(app, "read again");
        else if (!app->message_is_error)
            app_tell_damage(app);
        if (app->many != NULL && !load->live)
            many_arrived(app);
    } else {
        app_complain(app, "%s", load->error.text);
        *error = load->error;
        if (app->many != NULL)
            many_failed(app);
    }
    /* Stopped before there was anything: the user has not asked to leave. */
    bool stays = good || !first || atomic_load(&load->stop);
    if (!good && stays)
        app->exit_code = first ? (int)ERROR_NOT_TRACE : app->exit_code;
    free_load(load);
    return stays;
}

/* -- What only a terminal can do ------------------------------------------------------------------ */

static void send_clipboard(struct app *app, struct span text)
{
    (void)app;
    struct text sequence = {0};
    clipboard_add_sequence(&sequence, text, getenv("TMUX") != NULL);
    terminal_send(sequence.bytes, sequence.length);
    text_free(&sequence);
}

static void suspend(struct app *app)
{
    (void)app;
    terminal_suspend();
}

static void redraw(struct app *app)
{
    (void)app;
    terminal_redraw();
}

static void mouse(struct app *app, bool on)
{
    (void)app;
    terminal_mouse(on);
}

static void set_theme(struct app *app)
{
    struct run *run = run_of(app);
    struct messages messages = {0};
    theme_free(&run->theme);
    theme_load(&run->theme, app->looks.theme, NULL, (struct place){0, 0}, &messages);
    if (messages.count > 0)
        app_complain(app, "%s", messages.items[0]);
    messages_free(&messages);
    int colors = run->startup.color == COLOR_NEVER ? 0 : terminal_colors();
    for (int role = 0; role < ROLE_COUNT; role++) {
        struct style style = theme_style(&run->theme, (enum role)role, colors);
        terminal_set_style((enum role)role, style.fg, style.bg, style.attributes);
    }
}

static void reload(struct app *app)
{
    struct run *run = run_of(app);
    struct error error = {0};
    if (run->load != NULL)
        app_complain(app, "the file is being read already");
    else if (start_load(run, &error))
        app_say(app, "reading again");
    else
        app_complain(app, "%s", error.text);
}

static void stop(struct app *app)
{
    struct run *run = run_of(app);
    if (run->load == NULL || atomic_exchange(&run->load->stop, true))
        return;
    if (write(run->load->stop_pipe[1], "", 1) < 0) {
        /* Nothing else writes to it: it cannot be full. */
    }
}

/* -- The loop ------------------------------------------------------------------------------------- */

static void paint(struct run *run)
{
    int rows, width;
    terminal_size(&rows, &width);
    if (rows != run->app.grid.rows || width != run->app.grid.columns)
        grid_resize(&run->app.grid, rows, width);
    if (run->load != NULL)
        run->app.load_time = now() - run->load->start;
    app_draw(&run->app);
    terminal_paint(&run->app.grid, run->app.cursor_row, run->app.cursor_column);
}

/* What the reading thread has brought. False: nothing can be shown. */
static bool take_loaded(struct run *run, struct error *error)
{
    if (run->load == NULL)
        return true;
    if (atomic_load(&run->load->done))
        return finish_load(run, error);
    take_arrived(run);
    return true;
}

/* Keys that wait are taken together before the screen is drawn once, but not without end. */
static bool take_keys(struct run *run, struct error *error)
{
    enum { TOGETHER = 500 };
    struct app *app = &run->app;
    struct key key;
    bool ranks_work = app->many != NULL && app->many->work != NULL;
    int wait = app->work != NULL || ranks_work ? WORK_PACE : -1;
    for (int i = 0; i < TOGETHER && !app->quit && terminal_read(&key, wait); i++) {
        wait = 0;
        app_key(app, &key);
        if (app->work != NULL && work_wait(app, 0))
            work_take(app);
        if (app->many != NULL && app->many->work != NULL && many_work_wait(app, 0))
            many_work_take(app);
        if (app->work == NULL && !take_loaded(run, error))
            return false;
    }
    return true;
}

/* Starts an update that waits. One that is soon done is taken before anything of it is seen. */
static void start_work(struct app *app)
{
    if (app->many != NULL && app->many->work_waits && app->many->work == NULL) {
        many_work_start(app, terminal_wake);
        if (many_work_wait(app, UNSEEN))
            many_work_take(app);
    }
    if (app->work != NULL || !app->update_waits)
        return;
    work_start(app, terminal_wake);
    if (work_wait(app, UNSEEN))
        work_take(app);
}

int explorer_run(const struct options *options)
{
    static struct run run; /* a thread that could not be stopped may still write to it at the end */
    struct error error = {0};
    struct app *app = &run.app;
    struct many *many = options->mode == MODE_RANKS ? many_read(options, &error) : NULL;
    if (options->mode == MODE_RANKS && many == NULL) {
        fprintf(stderr, "keyavg: %s\n", error.text);
        return (int)error.code;
    }
    startup_init(&run.startup, options, false);
    run.threads = options->threads;
    app_init(app, options->trace, &options->query, 24, 80, run.startup.ascii);
    if (options->mode == MODE_COMPARE)
        startup_two(&run.startup, app);
    bool reads = many == NULL || many_start(app, many);
    app->outside = (struct app_outside){.clipboard = send_clipboard,
                                        .suspend = suspend,
                                        .redraw = redraw,
                                        .mouse = mouse,
                                        .theme = set_theme,
                                        .reload = reload,
                                        .stop = stop,
                                        .context = &run};
    startup_prepare(&run.startup, app);
    histories_load(app->prompt.histories);
    bool good = terminal_open(app->looks.mouse, &error);
    if (good) {
        set_theme(app);
        good = !reads || start_load(&run, &error);
        if (!reads)
            many_show(app);
    }
    app->patience = LONG_UPDATE;
    while (good && !app->quit) {
        start_work(app);
        paint(&run);
        good = take_keys(&run, &error);
    }
    terminal_close();
    histories_save(app->prompt.histories);
    if (!good)
        fprintf(stderr, "keyavg: %s\n", error.text);
    int code = good ? app->exit_code : error.code != ERROR_NONE ? (int)error.code : ERROR_IO;
    if (run.load != NULL || app->work != NULL || (many != NULL && many->work != NULL))
        _Exit(code); /* a thread may hang in a read, or have long to go; it ends with the process */
    app_free(app);
    many_free(many);
    theme_free(&run.theme);
    startup_free(&run.startup);
    return code;
}
