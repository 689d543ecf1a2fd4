#include "skip.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

/* The environment is set by `make check`; what was compiled in serves a test started by hand. */
static const char *from_environment(const char *variable, const char *otherwise)
{
    const char *value = getenv(variable);
    return value != NULL && value[0] != '\0' ? value : otherwise;
}

const char *support_shared_dir(void)
{
    const char *path = from_environment("KEYAVG_SHARED", SUPPORT_SHARED);
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode) ? path : NULL;
}

const char *support_samples_dir(void)
{
    return from_environment("KEYAVG_SAMPLES", SUPPORT_SAMPLES);
}

const char *support_tests_dir(void)
{
    return from_environment("KEYAVG_TESTS", SUPPORT_TESTS);
}

const char *support_keyavg(void)
{
    return from_environment("KEYAVG_BIN", SUPPORT_KEYAVG);
}

void support_skip(const char *why)
{
    printf("SKIP: %s/%s: %s\n", criterion_current_test->category, criterion_current_test->name, why);
    fflush(stdout);
    criterion_skip_test("%s", why);
    abort(); /* for compilers that do not know the line above never returns */
}

const char *support_need_shared(void)
{
    const char *path = support_shared_dir();
    if (path == NULL)
        support_skip("no shared data: set KEYAVG_SHARED to its folder");
    return path;
}
