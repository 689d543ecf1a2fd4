#include "mapping.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

/* The maps there are; a signal handler looks at them, so there is no lock and no list. More than these are not guarded
 * and so not made. */
enum { SLOTS = 16 };

static struct {
    atomic_uintptr_t begin; /* 0: free; 1: taken, not yet set */
    atomic_size_t length;
    atomic_bool lost;
} slots[SLOTS];

static struct sigaction before;
static uintptr_t page;

/* Puts zeros where the file ends now, up to the map's end, and lets the read go on. */
static void replace_lost(int number, siginfo_t *info, void *context)
{
    (void)context;
    uintptr_t at = (uintptr_t)info->si_addr;
    for (int i = 0; i < SLOTS; i++) {
        uintptr_t begin = atomic_load(&slots[i].begin), end = begin + atomic_load(&slots[i].length);
        if (begin <= 1 || at < begin || at >= end)
            continue;
        uintptr_t from = at / page * page;
        /* A plain system call, safe here. */
        if (mmap((void *)from, end - from, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
            break;
        atomic_store(&slots[i].lost, true);
        return;
    }
    /* Not ours: happens again, for whoever was there before us. */
    sigaction(SIGBUS, &before, NULL);
    raise(number);
}

static void install(void)
{
    struct sigaction action = {.sa_sigaction = replace_lost, .sa_flags = SA_SIGINFO};
    page = (uintptr_t)sysconf(_SC_PAGESIZE);
    sigaction(SIGBUS, &action, &before);
}

static int find_slot(uintptr_t begin)
{
    for (int i = 0; i < SLOTS; i++)
        if (atomic_load(&slots[i].begin) == begin)
            return i;
    return -1;
}

const char *mapping_open(int file, size_t length)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    int slot = -1;
    pthread_once(&once, install);
    for (int i = 0; i < SLOTS && slot < 0; i++) {
        uintptr_t none = 0;
        if (atomic_compare_exchange_strong(&slots[i].begin, &none, 1))
            slot = i;
    }
    if (slot < 0)
        return NULL;
    void *map = mmap(NULL, length, PROT_READ, MAP_PRIVATE, file, 0);
    if (map == MAP_FAILED) {
        atomic_store(&slots[slot].begin, 0);
        return NULL;
    }
    madvise(map, length, MADV_SEQUENTIAL);
    atomic_store(&slots[slot].lost, false);
    atomic_store(&slots[slot].length, length);
    atomic_store(&slots[slot].begin, (uintptr_t)map);
    return map;
}

void mapping_close(const char *map, size_t length)
{
    int slot = find_slot((uintptr_t)map);
    if (slot >= 0)
        atomic_store(&slots[slot].begin, 1); /* the place may be another map's before it is free */
    munmap((void *)(uintptr_t)map, length);
    if (slot >= 0)
        atomic_store(&slots[slot].begin, 0);
}

bool mapping_is_lost(const char *map)
{
    int slot = find_slot((uintptr_t)map);
    return slot >= 0 && atomic_load(&slots[slot].lost);
}
