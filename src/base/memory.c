#include "keyavg/memory.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "keyavg/output.h"

static void (*restore_terminal)(void);
static atomic_ulong fail_at;

void memory_on_failure(void (*restore)(void))
{
    restore_terminal = restore;
}

void memory_fail_at(unsigned long n)
{
    atomic_store(&fail_at, n);
}

static _Noreturn void fail(size_t size)
{
    void (*restore)(void) = restore_terminal;
    restore_terminal = NULL;
    if (restore != NULL)
        restore();
    char *unfinished = output_unfinished;
    if (unfinished != NULL)
        unlink(unfinished);
    fprintf(stderr, "keyavg: out of memory (%zu bytes asked for)\n", size);
    exit(1);
}

/* Whether this allocation is the one that a test wants to fail. */
static bool told_to_fail(void)
{
    unsigned long left = atomic_load_explicit(&fail_at, memory_order_relaxed);
    return left != 0 && atomic_fetch_sub(&fail_at, 1) == 1;
}

static void *check(void *room, size_t size)
{
    if (room == NULL)
        fail(size);
    return room;
}

void *memory_alloc(size_t size)
{
    return check(told_to_fail() ? NULL : malloc(size != 0 ? size : 1), size);
}

void *memory_zero(size_t count, size_t size)
{
    if (size == 0 || count == 0)
        count = size = 1;
    return check(told_to_fail() ? NULL : calloc(count, size), count * size);
}

void *memory_resize(void *old, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes))
        fail(SIZE_MAX);
    return check(told_to_fail() ? NULL : realloc(old, bytes != 0 ? bytes : 1), bytes);
}

char *memory_copy_text(const char *bytes, size_t length)
{
    char *copy = memory_alloc(length + 1);
    if (length != 0)
        memcpy(copy, bytes, length);
    copy[length] = '\0';
    return copy;
}
