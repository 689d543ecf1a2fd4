/*
 * Every allocation of a run fails once, in a process of its own: a message and exit status 1, no crash, nothing lost,
 * no half-written file. In a sanitizer build a leak or a wrong read would show as another status.
 */
#include <criterion/criterion.h>

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "keyavg/batch.h"
#include "keyavg/explorer.h"
#include "keyavg/memory.h"
#include "damage_kin.h"
#include "support/render.h"
#include "support/skip.h"

enum { ALL_UP_TO = 40, POINTS = 120, WORDS_MAX = 16 };

/* What main() does, with the words of a command line. */
static int run(char **words, int count)
{
    struct options options;
    struct error error = {0};
    int code;
    if (!options_parse(&options, count, words, &error)) {
        fprintf(stderr, "keyavg: %s\n", error.text);
        code = (int)error.code;
    } else {
        code = options.play != NULL ? explorer_play(&options) : batch_run(&options);
    }
    options_free(&options);
    return code;
}

/* Runs with the n-th allocation failing. True when it failed in order; false when there were fewer allocations. */
static bool fails_at(unsigned long n, char **words, int count)
{
    char said[512] = "";
    int status, err = memfd_create("err", 0), none = open("/dev/null", O_WRONLY);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        dup2(none, STDOUT_FILENO);
        dup2(err, STDERR_FILENO);
        memory_fail_at(n);
        exit(run(words, count));
    }
    cr_assert_eq(waitpid(child, &status, 0), child);
    close(none);
    ssize_t length = pread(err, said, sizeof said - 1, 0);
    close(err);
    bool failed = length > 0 && strstr(said, "keyavg: out of memory (") != NULL;
    cr_assert(WIFEXITED(status), "allocation %lu: signal %d: %s", n, WTERMSIG(status), said);
    cr_assert_eq(WEXITSTATUS(status), failed ? 1 : 0, "allocation %lu: status %d: %s", n, WEXITSTATUS(status), said);
    return failed;
}

/* All of the first allocations, and so many points of the rest. */
static void walk(const char *const *given)
{
    char *words[WORDS_MAX];
    int count = 0;
    words[count++] = strdup("keyavg");
    for (; *given != NULL; given++)
        words[count++] = strdup(*given);
    unsigned long most = 1;
    while (fails_at(most, words, count))
        most *= 2;
    unsigned long step = most / POINTS + 1;
    for (unsigned long n = 1; n < ALL_UP_TO && n < most; n++)
        fails_at(n, words, count);
    for (unsigned long n = ALL_UP_TO; n < most && fails_at(n, words, count);)
        n += step;
    while (count > 0)
        free(words[--count]);
}

static const char *sample(void)
{
    static char path[4096];
    snprintf(path, sizeof path, "%s/deep/trace.json.gz", support_samples_dir());
    return path;
}

/* Files of this test. Children end too, so that nothing may be removed when a process ends. */
static char small_path[64], output_path[64];

static void write_file(char path[64], const char *name, const char *text)
{
    snprintf(path, 64, "keyavg-%s-%d", name, (int)getpid());
    FILE *file = fopen(path, "wb");
    cr_assert_not_null(file);
    fputs(text, file);
    fclose(file);
}

static void remove_files(void)
{
    unlink(small_path);
    unlink(output_path);
}

static const char *small(void)
{
    static const char text[] =
        "{\"record_shapes\":1,\"with_stack\":1,\"profile_memory\":1,\"with_flops\":1,\"traceEvents\":["
        "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":1,\"tid\":1,\"args\":{\"name\":\"main"
            "\"}}" NEXT FRAME("f.py(1): f", 0, 90)
        NEXT MARK("ProfilerStep#1", 1, 80, "")
        NEXT OP("aten::mm", 5, 40, ID(2) AND "\"Input Dims\":[[2,3],[3,4]]" AND STACK("a.py(1): g;b.py(2): h"))
        NEXT CALL("cudaLaunchKernel", 9, 4, ID(2) AND CORRELATION(8))
        NEXT KERNEL("_Z4gemmv", 20, 30, ID(2) AND CORRELATION(8) AND "\"device\":0,\"stream\":7")
        NEXT EVENT("cpu_op", "MmBackward0", THREAD(1, 2), "60", "9", "\"Sequence number\":4,\"Fwd thread id\":1")
        NEXT "{\"ph\":\"i\",\"name\":\"[memory]\",\"pid\":1,\"tid\":1,\"ts\":7,\"args\":{\"Bytes\":64,\"Device "
            "Type\":0}}"
        NEXT "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":broken}]}";
    if (small_path[0] == '\0')
        write_file(small_path, "small", text);
    return small_path;
}

#define WALK(...) walk((const char *const[]){__VA_ARGS__, NULL})

#define FORMAT(name, ...)                                                                                              \
    Test(memory_failure, name, .timeout = 120, .fini = remove_files) { WALK("--format", #name, __VA_ARGS__, small()); }

FORMAT(torch, "--group-by-stack-n", "3")
FORMAT(text, "--group-by-input-shape", "--sort-by", "p90")
FORMAT(json, "--group-by-stack-n", "5")
FORMAT(csv, "--group-by", "name,thread,step,scope")
FORMAT(markdown, "--include-python-functions")
FORMAT(stacks, "--no-python")
FORMAT(tsv, "--filter", "!kind:kernel /^aten/ count>0", "--columns", "key,count")

Test(memory_failure, quality, .timeout = 120, .fini = remove_files)
{
    WALK("--view", "quality", "--format", "json", small());
}

Test(memory_failure, explain, .timeout = 120, .fini = remove_files)
{
    WALK("--explain", "aten::mm", "device_time_total", small());
}

Test(memory_failure, packed, .timeout = 120) { WALK("--format", "torch", sample()); }

Test(memory_failure, explorer, .timeout = 240, .fini = remove_files)
{
    WALK("--play",
         "S}\\kernel<Enter><Enter><Esc><Esc>C<Down><Space><Esc>:theme light<Enter>d/aten<Enter>nb<Space><Enter>?<Esc>"
         "Jo<Esc>y:set unit ms<Enter><Tab>:gr<Tab><Esc>%u!jQG",
         "--screen", "60x16", small());
}

Test(memory_failure, ranks_in_the_explorer, .timeout = 240, .fini = remove_files)
{
    char ranks[4][4096];
    for (int i = 0; i < 4; i++)
        snprintf(ranks[i], sizeof ranks[i], "%s/ddp/rank%d/trace.json.gz", support_samples_dir(), i);
    WALK("--play", "S:group name,thread<Enter>\\mm<Enter><Enter>)A<Esc>Sq", "--screen", "60x20", "--threads", "1",
         "--ranks", ranks[0], ranks[1], ranks[2], ranks[3]);
}

static int count_unfinished(void)
{
    int count = 0;
    DIR *folder = opendir(".");
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
        count += strncmp(entry->d_name, ".keyavg-", 8) == 0;
    closedir(folder);
    return count;
}

/* The old file stays as it is until there is a whole new one. */
Test(memory_failure, output_file, .timeout = 120, .fini = remove_files)
{
    write_file(output_path, "output", "old\n");
    char *words[] = {strdup("keyavg"), strdup("--output"), strdup(output_path),
                     strdup("--format"), strdup("csv"), strdup(small())};
    int before = count_unfinished();
    for (unsigned long n = 1; fails_at(n, words, 6); n += n < ALL_UP_TO ? 1 : 7) {
        char *text = support_read(output_path, NULL);
        cr_assert_str_eq(text, "old\n", "allocation %lu", n);
        cr_assert_eq(count_unfinished(), before, "allocation %lu", n);
        free(text);
    }
    char *text = support_read(output_path, NULL);
    cr_expect_str_neq(text, "old\n");
    free(text);
    for (int i = 0; i < 6; i++)
        free(words[i]);
}
