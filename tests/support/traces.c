#include "traces.h"

#include <criterion/criterion.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>

/* nftw hands nothing to its function. */
static struct support_traces found;
static bool take_all;

static int take_file(const char *path, const struct stat *status, int type, struct FTW *at)
{
    (void)status;
    const char *name = path + at->base;
    size_t length = strlen(name);
    bool packed = length > 8 && strcmp(name + length - 8, ".json.gz") == 0;
    if (type != FTW_F || !(strcmp(name, "trace.json") == 0 || strcmp(name, "trace.json.gz") == 0 || (take_all && packed)))
        return 0;
    found.paths = realloc(found.paths, (found.count + 1) * sizeof *found.paths);
    cr_assert_not_null(found.paths);
    found.paths[found.count++] = strdup(path);
    return 0;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

struct support_traces support_traces_below(const char *folder, bool all)
{
    found = (struct support_traces){0};
    take_all = all;
    cr_assert_eq(nftw(folder, take_file, 8, FTW_PHYS), 0, "%s", folder);
    cr_assert_gt(found.count, 0, "no traces in %s", folder);
    qsort(found.paths, found.count, sizeof *found.paths, by_name);
    return found;
}

void support_traces_free(struct support_traces *traces)
{
    while (traces->count > 0)
        free(traces->paths[--traces->count]);
    free(traces->paths);
    traces->paths = NULL;
}

const char *support_short_path(const char *path)
{
    const char *name = strrchr(path, '/');
    while (name != NULL && name > path && name[-1] != '/')
        name--;
    return name != NULL ? name : path;
}
