#include "measure.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static double seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

double measure_wall(void)
{
    return seconds(CLOCK_MONOTONIC);
}

double measure_cpu(void)
{
    return seconds(CLOCK_PROCESS_CPUTIME_ID);
}

const char *measure_map(const char *path, size_t *length)
{
    struct stat status;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    char *map = MAP_FAILED;
    if (file >= 0 && fstat(file, &status) == 0 && status.st_size > 0)
        map = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file, 0);
    if (map == MAP_FAILED) {
        fprintf(stderr, "bench: cannot read %s\n", path);
        exit(1);
    }
    close(file);
    *length = (size_t)status.st_size;
    return map;
}

const char *measure_list(const char *text, size_t length)
{
    static const char key[] = "\"traceEvents\"";
    const char *at = memmem(text, length, key, sizeof key - 1);
    at = at != NULL ? at + sizeof key - 1 : text;
    at = memchr(at, '[', length - (size_t)(at - text));
    return at != NULL ? at + 1 : NULL;
}
