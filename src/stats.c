#include "keyavg/stats.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "keyavg/timing.h"
#include "keyavg/units.h"

/* -- Watching memory --------------------------------------------------------------------------------------------- */

static struct {
    pthread_t thread;
    bool running;
    atomic_bool stop;
    uint64_t all, own; /* the most bytes in memory; the same without what is mapped from files */
    uint64_t phase[TIMING_COUNT]; /* `own` by phase */
    double wall, cpu; /* seconds, at the start */
} watch;

static double now(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* The kernel keeps no peak of a process's own memory (VmHWM counts the pages of a mapped file), so it is sampled. */
static void look_at_memory(void)
{
    char line[128];
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return;
    ssize_t length = read(file, line, sizeof line - 1);
    close(file);
    if (length <= 0)
        return;
    line[length] = '\0';
    char *at;
    (void)strtoull(line, &at, 10);
    uint64_t all = strtoull(at, &at, 10), shared = strtoull(at, &at, 10);
    uint64_t own = all > shared ? all - shared : 0;
    watch.all = all * page > watch.all ? all * page : watch.all;
    watch.own = own * page > watch.own ? own * page : watch.own;
    uint64_t *phase = &watch.phase[atomic_load(&timing_phase)];
    *phase = own * page > *phase ? own * page : *phase;
}

static void *watch_memory(void *nothing)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    while (!atomic_load(&watch.stop)) {
        look_at_memory();
        nanosleep(&pause, NULL);
    }
    return nothing;
}

void stats_start(bool phases)
{
    timing_wanted = phases;
    watch.wall = now(CLOCK_MONOTONIC);
    watch.cpu = now(CLOCK_PROCESS_CPUTIME_ID);
    timing_begin(TIMING_START);
    atomic_store(&watch.stop, false);
    watch.running = pthread_create(&watch.thread, NULL, watch_memory, NULL) == 0;
}

void stats_stop(void)
{
    timing_begin(TIMING_START);
    timing_wanted = false;
    atomic_store(&watch.stop, true);
    if (watch.running)
        pthread_join(watch.thread, NULL);
    watch.running = false;
    look_at_memory();
}

/* -- Telling ----------------------------------------------------------------------------------------------------- */

static const char *const phase_names[TIMING_COUNT] = {
    [TIMING_START] = "other",     [TIMING_READ] = "read",         [TIMING_MERGE] = "merge",
    [TIMING_FINISH] = "finish",   [TIMING_LINKS] = "links",       [TIMING_PARENTS] = "parents",
    [TIMING_FRAMES] = "frames",   [TIMING_FOLD] = "fold",         [TIMING_MEMORY] = "memory",
    [TIMING_BACKWARD] = "backward", [TIMING_AVERAGES] = "averages", [TIMING_OUTPUT] = "output",
};

static double ratio(double value, double over)
{
    return over > 0 ? value / over : 0;
}

/* All traces together. */
struct totals {
    uint64_t text_bytes, events, records, flows, strings, string_bytes, inputs, nodes;
};

static struct totals add_up(struct trace *const *traces, unsigned count)
{
    struct totals totals = {0};
    for (unsigned i = 0; i < count; i++) {
        const struct trace *trace = traces[i];
        totals.text_bytes += trace->text_bytes;
        totals.events += trace->events.count;
        totals.records += trace->memory.count;
        totals.flows += trace->flows.count;
        totals.strings += trace->strings.count;
        totals.string_bytes += trace->strings.bytes;
        totals.inputs += trace->inputs.count;
        totals.nodes += trace->stacks.count;
    }
    return totals;
}

static void add_phase(struct text *out, const char *name, struct timing time, double all, uint64_t memory,
                      const struct totals *totals)
{
    text_addf(out, "%-10s %9.4f %9.4f %6.1f%% %8.0f %9.1f %8.1f\n", name, time.wall, time.cpu,
              100 * ratio(time.wall, all), ratio((double)totals->text_bytes * 1e-6, time.wall),
              ratio(time.wall * 1e9, (double)totals->events), (double)memory * 1e-6);
}

static void add_bytes(struct text *out, const char *name, uint64_t bytes, const char *behind)
{
    text_addf(out, "%-10s ", name);
    units_add_bytes(out, (int64_t)bytes);
    text_add_string(out, behind);
}

static void add_peak(struct text *out, uint64_t events)
{
    add_bytes(out, "peak", watch.own, ", ");
    text_addf(out, "%.1f bytes an event; with the file's pages ", ratio((double)watch.own, (double)events));
    units_add_bytes(out, (int64_t)watch.all);
    text_add_string(out, "\n");
}

void stats_add_text(struct trace *const *traces, unsigned count, struct text *out)
{
    struct totals totals = add_up(traces, count);
    struct timing all = {0};
    for (unsigned i = 0; i < TIMING_COUNT; i++) {
        all.wall += timings[i].wall;
        all.cpu += timings[i].cpu;
    }
    /* A phase shorter than the pause between two looks shows no memory. */
    text_add_string(out, "phase        seconds   cpu sec   share     MB/s  ns/event  peak MB\n");
    for (unsigned i = 1; i < TIMING_COUNT; i++)
        add_phase(out, phase_names[i], timings[i], all.wall, watch.phase[i], &totals);
    add_phase(out, phase_names[TIMING_START], timings[TIMING_START], all.wall, watch.phase[TIMING_START], &totals);
    add_phase(out, "all", all, all.wall, watch.own, &totals);
    add_bytes(out, "text", totals.text_bytes, ", ");
    text_addf(out, "%.1f bytes an event\n", ratio((double)totals.text_bytes, (double)totals.events));
    text_addf(out, "%-10s %llu, and %llu memory records, %llu flows\n", "events", (unsigned long long)totals.events,
              (unsigned long long)totals.records, (unsigned long long)totals.flows);
    text_addf(out, "%-10s %llu, ", "strings", (unsigned long long)totals.strings);
    units_add_bytes(out, (int64_t)totals.string_bytes);
    text_addf(out, "; %llu inputs, %llu stack nodes\n", (unsigned long long)totals.inputs,
              (unsigned long long)totals.nodes);
    add_peak(out, totals.events);
}

void stats_add_files(const struct stats_files *files, struct text *out)
{
    double wall = now(CLOCK_MONOTONIC) - watch.wall, cpu = now(CLOCK_PROCESS_CPUTIME_ID) - watch.cpu;
    text_addf(out, "%-10s %.4f seconds, %.4f CPU seconds, %.0f MB/s of files, %.1f ns an event\n", "all", wall, cpu,
              ratio((double)files->bytes * 1e-6, wall), ratio(wall * 1e9, (double)files->events));
    text_addf(out, "%-10s %llu, ", "files", (unsigned long long)files->count);
    units_add_bytes(out, (int64_t)files->bytes);
    text_addf(out, ", %llu events\n", (unsigned long long)files->events);
    add_peak(out, files->events);
}
