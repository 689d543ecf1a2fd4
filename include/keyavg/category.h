/* The categories of events (`cat` in the file) and what each of them is. */
#ifndef KEYAVG_CATEGORY_H
#define KEYAVG_CATEGORY_H

#include <stdbool.h>
#include <stdint.h>

#include "keyavg/text.h"

enum event_kind {
    KIND_OP,              /* cpu_op, old Operator, an event without a category */
    KIND_ANNOTATION,      /* user_annotation */
    KIND_PYTHON,          /* python_function: a frame */
    KIND_RUNTIME,         /* a call of the device's runtime or driver */
    KIND_OVERHEAD,        /* the profiler's own */
    KIND_CPU_OTHER,       /* other rows on the CPU */
    KIND_MEMORY,          /* rows made of [memory] and [OutOfMemory] records */
    KIND_KERNEL,          /* from here on: device events */
    KIND_MEMCPY,
    KIND_MEMSET,
    KIND_DEVICE_ANNOTATION, /* gpu_user_annotation */
    KIND_SYNC,
    KIND_DEVICE_OTHER,
    KIND_COUNT
};

static inline bool kind_on_device(enum event_kind kind)
{
    return kind >= KIND_KERNEL;
}

/* The device that torch names in headings. */
/* In order of precedence: a file with categories of several back ends is the highest one's. */
enum backend { BACKEND_NONE, BACKEND_CUDA, BACKEND_PRIVATEUSE1, BACKEND_HPU, BACKEND_XPU, BACKEND_MTIA, BACKEND_COUNT };

/* `CUDA`, `XPU`, ...; `None` for BACKEND_NONE. */
const char *backend_name(enum backend backend);

struct category {
    const char *name; /* in lower case */
    uint8_t kind;     /* enum event_kind */
    uint8_t backend;  /* the back end that this category proves, else BACKEND_NONE */
};

/* ABSENT: no `cat` at all, a CPU op of the array form; OP: cpu_op itself, not the old Operator. */
enum { CATEGORY_UNKNOWN = 0, CATEGORY_ABSENT = 1, CATEGORY_OP = 2 };

/* The number of a category by name, without regard to case; CATEGORY_UNKNOWN makes no rows. */
uint8_t category_find(struct span name);
extern const struct category categories[]; /* by number */
extern const unsigned category_count;

/* The back end that a category's name proves, also of categories that make no rows. */
enum backend category_backend(struct span name);

/* The category of rows made of [memory] and [OutOfMemory] records. */
uint8_t category_of_records(void);

#endif
