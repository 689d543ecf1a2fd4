/*
 * The harness itself: running programs, and the places that tests read from.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "support/skip.h"

Test(support, keeps_both_streams_and_the_status)
{
    const char *argv[] = {"sh", "-c", "printf 'a\\0b'; printf err >&2; exit 3", NULL};
    struct support_bytes out, err;
    int status;
    cr_assert(support_run(argv, &out, &err, &status));
    cr_assert_eq(status, 3);
    cr_assert_eq(out.length, 3);
    cr_assert_eq(memcmp(out.bytes, "a\0b", 4), 0);
    cr_assert_str_eq(err.bytes, "err");
    support_run_free(&out);
    support_run_free(&err);
}

Test(support, standard_input_is_passed_whole)
{
    enum { LENGTH = 1000000 };
    char *input = malloc(LENGTH);
    cr_assert_not_null(input);
    for (int i = 0; i < LENGTH; i++)
        input[i] = (char)('a' + i % 26);
    const char *argv[] = {"cat", NULL};
    struct support_bytes out;
    int status;
    cr_assert(support_run_input(argv, input, LENGTH, &out, NULL, &status));
    cr_assert_eq(status, 0);
    cr_assert_eq(out.length, LENGTH);
    cr_assert_eq(memcmp(out.bytes, input, LENGTH), 0);
    support_run_free(&out);
    free(input);
}

Test(support, a_program_may_leave_its_input_unread)
{
    const char *argv[] = {"true", NULL};
    char input[200000] = {0};
    int status;
    cr_assert(support_run_input(argv, input, sizeof input, NULL, NULL, &status));
    cr_assert_eq(status, 0);
}

Test(support, a_signal_is_128_and_its_number)
{
    const char *argv[] = {"sh", "-c", "kill -TERM $$", NULL};
    int status;
    cr_assert(support_run(argv, NULL, NULL, &status));
    cr_assert_eq(status, 128 + 15);
}

Test(support, a_program_that_is_not_there)
{
    const char *argv[] = {"no-such-program-of-keyavg", NULL};
    cr_assert_not(support_run(argv, NULL, NULL, NULL));
}

Test(support, samples_are_there)
{
    char path[4096];
    struct stat status;
    snprintf(path, sizeof path, "%s/mlp_all/trace.json.gz", support_samples_dir());
    cr_assert_eq(stat(path, &status), 0, "%s", path);
}

Test(support, the_program_tells_its_version)
{
    const char *argv[] = {support_keyavg(), "--version", NULL};
    struct support_bytes out;
    int status;
    cr_assert(support_run(argv, &out, NULL, &status));
    cr_assert_eq(status, 0);
    cr_assert_not_null(strstr(out.bytes, "keyavg "));
    support_run_free(&out);
}

Test(support, shared_data_may_be_absent)
{
    setenv("KEYAVG_SHARED", "/no/such/folder", 1);
    cr_assert_null(support_shared_dir());
    setenv("KEYAVG_SHARED", support_samples_dir(), 1);
    cr_assert_str_eq(support_shared_dir(), support_samples_dir());
}
