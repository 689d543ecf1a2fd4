/*
 * What every Criterion test may need: where things lie, and how to skip a test by name.
 */
#ifndef SUPPORT_SKIP_H
#define SUPPORT_SKIP_H

#include "run.h"

/*
 * The folder of data that is not part of the project, from $KEYAVG_SHARED, else beside the
 * sources; NULL when it is not there. The text is static.
 */
const char *support_shared_dir(void);

/* The folder samples/ of the project. The text is static. */
const char *support_samples_dir(void);

/* The folder tests/ of the sources, for golden files. The text is static. */
const char *support_tests_dir(void);

/* The path of the program that was built. The text is static. */
const char *support_keyavg(void);

/*
 * Ends the running test as skipped and prints `SKIP: suite/test: why`. Does not return; memory
 * and files that the test holds stay so until its process ends.
 */
_Noreturn void support_skip(const char *why);

/* Like support_shared_dir(), but skips the test when the folder is not there. */
const char *support_need_shared(void);

#endif
