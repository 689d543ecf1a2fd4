#include "keyavg/timing.h"

#include <time.h>

bool timing_wanted;
struct timing timings[TIMING_COUNT];

static double seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

void timing_switch(enum timing_phase phase)
{
    static enum timing_phase current;
    static struct timing since;
    struct timing now = {seconds(CLOCK_MONOTONIC), seconds(CLOCK_PROCESS_CPUTIME_ID)};
    if (since.wall > 0) {
        timings[current].wall += now.wall - since.wall;
        timings[current].cpu += now.cpu - since.cpu;
    }
    current = phase;
    since = now;
}
