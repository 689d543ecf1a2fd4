#include "keyavg/timing.h"

#include <time.h>

bool timing_wanted;
atomic_int timing_phase;
struct timing timings[TIMING_COUNT];

static double seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

void timing_switch(enum timing_phase phase)
{
    static struct timing since;
    struct timing now = {seconds(CLOCK_MONOTONIC), seconds(CLOCK_PROCESS_CPUTIME_ID)};
    if (since.wall > 0) {
        struct timing *before = &timings[atomic_load(&timing_phase)];
        before->wall += now.wall - since.wall;
        before->cpu += now.cpu - since.cpu;
    }
    atomic_store(&timing_phase, (int)phase);
    since = now;
}
