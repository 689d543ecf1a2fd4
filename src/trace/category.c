#include "keyavg/category.h"

#include <strings.h>

/* By number; CATEGORY_UNKNOWN, CATEGORY_ABSENT and CATEGORY_OP are fixed. */
const struct category categories[] = {
    {"", KIND_CPU_OTHER, BACKEND_NONE},
    {"", KIND_OP, BACKEND_NONE},
    {"cpu_op", KIND_OP, BACKEND_NONE},
    {"operator", KIND_OP, BACKEND_NONE},
    {"user_annotation", KIND_ANNOTATION, BACKEND_NONE},
    {"python_function", KIND_PYTHON, BACKEND_NONE},
    {"cuda_runtime", KIND_RUNTIME, BACKEND_NONE},
    {"cuda_driver", KIND_RUNTIME, BACKEND_NONE},
    {"hip_runtime", KIND_RUNTIME, BACKEND_NONE},
    {"xpu_runtime", KIND_RUNTIME, BACKEND_XPU},
    {"xpu_driver", KIND_RUNTIME, BACKEND_XPU},
    {"mtia_runtime", KIND_RUNTIME, BACKEND_MTIA},
    {"privateuse1_runtime", KIND_RUNTIME, BACKEND_PRIVATEUSE1},
    {"privateuse1_driver", KIND_RUNTIME, BACKEND_PRIVATEUSE1},
    {"glow_runtime", KIND_RUNTIME, BACKEND_NONE},
    {"runtime", KIND_RUNTIME, BACKEND_NONE},
    {"overhead", KIND_OVERHEAD, BACKEND_NONE},
    {"external_correlation", KIND_CPU_OTHER, BACKEND_NONE},
    {"cpu_instant_event", KIND_CPU_OTHER, BACKEND_NONE},
    {"[memory]", KIND_MEMORY, BACKEND_NONE}, /* never in a file's X event: rows made of records */
    {"kernel", KIND_KERNEL, BACKEND_CUDA},
    {"gpu_memcpy", KIND_MEMCPY, BACKEND_CUDA},
    {"gpu_memset", KIND_MEMSET, BACKEND_CUDA},
    {"memcpy", KIND_MEMCPY, BACKEND_CUDA},
    {"memset", KIND_MEMSET, BACKEND_CUDA},
    {"gpu_user_annotation", KIND_DEVICE_ANNOTATION, BACKEND_CUDA},
    {"cuda_sync", KIND_SYNC, BACKEND_CUDA},
    {"cuda_profiler_range", KIND_DEVICE_OTHER, BACKEND_CUDA},
    {"mtia_ccp_events", KIND_KERNEL, BACKEND_MTIA},
    {"mtia_insight", KIND_DEVICE_OTHER, BACKEND_MTIA},
    {"mtia_counters", KIND_DEVICE_OTHER, BACKEND_MTIA},
    {"hpu_op", KIND_KERNEL, BACKEND_HPU},
};

enum { CATEGORIES = sizeof categories / sizeof *categories };

const unsigned category_count = CATEGORIES;

uint8_t category_find(struct span name)
{
    for (unsigned i = CATEGORY_OP; i < CATEGORIES; i++)
        if (strlen(categories[i].name) == name.length && strncasecmp(categories[i].name, name.bytes, name.length) == 0 &&
            categories[i].kind != KIND_MEMORY)
            return (uint8_t)i;
    return CATEGORY_UNKNOWN;
}

uint8_t category_of_records(void)
{
    for (unsigned i = 0; i < CATEGORIES; i++)
        if (categories[i].kind == KIND_MEMORY)
            return (uint8_t)i;
    return CATEGORY_UNKNOWN;
}

enum backend category_backend(struct span name)
{
    static const struct {
        const char *prefix;
        enum backend backend;
    } prefixes[] = {{"mtia", BACKEND_MTIA}, {"xpu", BACKEND_XPU}, {"privateuse1", BACKEND_PRIVATEUSE1}};
    for (unsigned i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        size_t length = strlen(prefixes[i].prefix);
        if (name.length >= length && strncasecmp(name.bytes, prefixes[i].prefix, length) == 0)
            return prefixes[i].backend;
    }
    return categories[category_find(name)].backend;
}

const char *backend_name(enum backend backend)
{
    static const char *const names[BACKEND_COUNT] = {"None", "CUDA", "PRIVATEUSE1", "HPU", "XPU", "MTIA"};
    return names[backend];
}
