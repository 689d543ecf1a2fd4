/*
 * The fuzz targets over what is committed: the corpora that `make fuzz` starts from, and the
 * inputs that once broke something (tests/fuzz/found).
 */
#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "fuzz/fuzz.h"
#include "support/skip.h"

enum { LONGEST = 1 << 22, SECONDS = 60 };

static void run_file(const struct fuzz_target *target, const char *path)
{
    static uint8_t room[LONGEST];
    FILE *file = fopen(path, "rb");
    cr_assert_not_null(file, "%s", path);
    size_t length = fread(room, 1, sizeof room, file);
    fclose(file);
    /* At its own length, so that a read behind its end is seen. */
    uint8_t *bytes = malloc(length + 1);
    memcpy(bytes, room, length);
    bytes = realloc(bytes, length > 0 ? length : 1);
    printf("%s\n", path); /* the last one is the one that failed */
    fflush(stdout);
    target->run(bytes, length);
    free(bytes);
}

static int run_folder(const struct fuzz_target *target, const char *folder)
{
    char path[4096];
    int count = 0;
    snprintf(path, sizeof path, "%s/fuzz/%s/%s", support_tests_dir(), folder, target->name);
    struct dirent **entries;
    int found = scandir(path, &entries, NULL, alphasort);
    for (int i = 0; i < found; i++) {
        char file[4608];
        struct stat status;
        snprintf(file, sizeof file, "%s/%s", path, entries[i]->d_name);
        if (stat(file, &status) == 0 && S_ISREG(status.st_mode)) {
            run_file(target, file);
            count++;
        }
        free(entries[i]);
    }
    if (found >= 0)
        free(entries);
    return count;
}

static void run(const char *name)
{
    for (unsigned i = 0; i < fuzz_target_count; i++) {
        if (strcmp(fuzz_targets[i].name, name) != 0)
            continue;
        cr_assert_gt(run_folder(&fuzz_targets[i], "corpus"), 0, "no corpus for %s", name);
        run_folder(&fuzz_targets[i], "found");
        return;
    }
    cr_assert_fail("no target %s", name);
}

#define TARGET(name)                                                                                                   \
    Test(fuzz, name, .timeout = SECONDS)                                                                               \
    {                                                                                                                  \
        run(#name);                                                                                                    \
    }

TARGET(trace)
TARGET(blocks)
TARGET(json)
TARGET(inflate)
TARGET(filter)
TARGET(config)
TARGET(keys)
TARGET(play)
TARGET(summary)
