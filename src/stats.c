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
} watch;

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

void stats_start(void)
{
    timing_wanted = true;
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

static void add_phase(struct text *out, const char *name, struct timing time, double all, uint64_t memory,
                      const struct trace *trace)
{
    text_addf(out, "%-10s %9.4f %9.4f %6.1f%% %8.0f %9.1f %8.1f\n", name, time.wall, time.cpu,
              100 * ratio(time.wall, all), ratio((double)trace->text_bytes * 1e-6, time.wall),
              ratio(time.wall * 1e9, trace->events.count), (double)memory * 1e-6);
}

static void add_bytes(struct text *out, const char *name, uint64_t bytes, const char *behind)
{
    text_addf(out, "%-10s ", name);
    units_add_bytes(out, (int64_t)bytes);
    text_add_string(out, behind);
}

void stats_add_text(const struct trace *trace, struct text *out)
{
    struct timing all = {0};
    for (unsigned i = 0; i < TIMING_COUNT; i++) {
        all.wall += timings[i].wall;
        all.cpu += timings[i].cpu;
    }
    /* A phase shorter than the pause between two looks shows no memory. */
    text_add_string(out, "phase        seconds   cpu sec   share     MB/s  ns/event  peak MB\n");
    for (unsigned i = 1; i < TIMING_COUNT; i++)
        add_phase(out, phase_names[i], timings[i], all.wall, watch.phase[i], trace);
    add_phase(out, phase_names[TIMING_START], timings[TIMING_START], all.wall, watch.phase[TIMING_START], trace);
    add_phase(out, "all", all, all.wall, watch.own, trace);
    add_bytes(out, "text", trace->text_bytes, ", ");
    text_addf(out, "%.1f bytes an event\n", ratio((double)trace->text_bytes, trace->events.count));
    text_addf(out, "%-10s %lu, and %zu memory records, %zu flows\n", "events", (unsigned long)trace->events.count,
              trace->memory.count, trace->flows.count);
    text_addf(out, "%-10s %lu, ", "strings", (unsigned long)trace->strings.count);
    units_add_bytes(out, (int64_t)trace->strings.bytes);
    text_addf(out, "; %zu inputs, %lu stack nodes\n", trace->inputs.count, (unsigned long)trace->stacks.count);
    add_bytes(out, "peak", watch.own, ", ");
    text_addf(out, "%.1f bytes an event; with the file's pages ", ratio((double)watch.own, trace->events.count));
    units_add_bytes(out, (int64_t)watch.all);
    text_add_string(out, "\n");
}
