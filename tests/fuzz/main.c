/* libFuzzer's door to the targets: fuzz --target=NAME [OPTION]... [CORPUS]... */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static fuzz_run *run;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    static const char option[] = "--target=";
    for (int i = 1; i < *argc; i++)
        for (unsigned t = 0; t < fuzz_target_count && strncmp((*argv)[i], option, sizeof option - 1) == 0; t++)
            if (strcmp((*argv)[i] + sizeof option - 1, fuzz_targets[t].name) == 0)
                run = fuzz_targets[t].run;
    if (run == NULL)
        fuzz_fail("use: fuzz --target=NAME [OPTION]... [CORPUS]...");
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    return run(bytes, length);
}
