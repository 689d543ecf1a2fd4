#include "folder.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

char folder_path[] = "/tmp/keyavg-test-XXXXXX";

void folder_make(void)
{
    cr_assert_not_null(mkdtemp(folder_path));
}

void folder_remove(void)
{
    char command[128];
    snprintf(command, sizeof command, "chmod -R u+rwx %s; rm -rf %s", folder_path, folder_path);
    cr_assert_eq(system(command), 0);
}

const char *folder_file(const char *name)
{
    static char paths[4][256];
    static unsigned next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder_path, name);
    return path;
}

void folder_write(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file, "%s", path);
    fputs(text, file);
    fclose(file);
}
