/* Allocation that never returns NULL: a failed one restores the terminal, removes a half-written file, says so and
 * exits with 1. */
#ifndef KEYAVG_MEMORY_H
#define KEYAVG_MEMORY_H

#include <stddef.h>

/* `size` bytes, undefined contents; free with free(). size 0 gives a unique pointer. */
void *memory_alloc(size_t size) __attribute__((malloc, returns_nonnull));

/* `count` * `size` bytes, all zero. */
void *memory_zero(size_t count, size_t size) __attribute__((malloc, returns_nonnull));

/* realloc to `count` * `size` bytes. */
void *memory_resize(void *old, size_t count, size_t size) __attribute__((returns_nonnull));

/* A terminated copy of `length` bytes. */
char *memory_copy_text(const char *bytes, size_t length) __attribute__((malloc, returns_nonnull));

/* Called once before the message when an allocation fails; the terminal registers its restore function here. */
void memory_on_failure(void (*restore)(void));

/* Tests: the n-th allocation from now on fails (0 switches it off). */
void memory_fail_at(unsigned long n);

#endif
