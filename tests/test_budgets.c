/*
 * What work costs, counted where no clock is steady: instructions and allocations by callgrind, bytes by what arrives
 * in a terminal. Each count is the difference between more work and less of it, so that start and end do not matter.
 *
 * A limit is about a fifth above what gcc -O2 gave. Below a quarter of its limit a count fails as well: then nothing is
 * counted any more, or the limit has to follow.
 */
#include <config.h>
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../bench/grow.h"
#include "keyavg/text.h"
#include "support/render.h"
#include "support/skip.h"
#include "support/vt.h"

enum budget {
    LOAD_INSTRUCTIONS,
    LOAD_ALLOCATIONS,
    GROUP_INSTRUCTIONS,
    CURSOR_INSTRUCTIONS,
    CURSOR_BYTES,
    BUDGETS
};

static const struct {
    const char *work;
    double limit;
} budgets[BUDGETS] = {
    [LOAD_INSTRUCTIONS] = {"instructions an event, from plain text to the table", 10500},
    [LOAD_ALLOCATIONS] = {"allocations for 1000 events, from plain text to the table", 3},
    [GROUP_INSTRUCTIONS] = {"instructions an event, grouped by name and shape", 710},
    [CURSOR_INSTRUCTIONS] = {"instructions for a row down at 80x24", 400000},
    [CURSOR_BYTES] = {"bytes to the terminal for a row down at 80x24", 430},
};

static void keep(enum budget which, double count)
{
    printf("%s: %.1f (limit %.0f)\n", budgets[which].work, count, budgets[which].limit);
    cr_expect_leq(count, budgets[which].limit, "%s: %.1f, more than %.0f", budgets[which].work, count,
                  budgets[which].limit);
    cr_expect_geq(count, budgets[which].limit / 4, "%s: only %.1f, and the limit is %.0f", budgets[which].work, count,
                  budgets[which].limit);
}

/* -- By callgrind ------------------------------------------------------------------------------------------------- */

struct counts {
    double instructions, allocations;
};

/* From callgrind's file: `summary: N` is all instructions; `calls=N` behind a `cfn=` of an allocator are
 * allocations. */
static struct counts read_counts(const char *path)
{
    struct counts counts = {0};
    char *text = support_read(path, NULL);
    bool allocator = false;
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        if (strncmp(line, "summary: ", 9) == 0)
            counts.instructions = strtod(line + 9, NULL);
        else if (strncmp(line, "cfn=", 4) == 0)
            allocator = strcmp(line + 4, "malloc") == 0 || strcmp(line + 4, "calloc") == 0 ||
                        strcmp(line + 4, "realloc") == 0;
        else if (allocator && strncmp(line, "calls=", 6) == 0)
            counts.allocations += strtod(line + 6, NULL);
    }
    free(text);
    return counts;
}

/* Runs keyavg with one thread on a file. Skips the test where its instructions cannot be counted, or mean nothing. */
static struct counts count(const char *option, const char *value, const char *path)
{
#if !defined __OPTIMIZE__ || defined __SANITIZE_ADDRESS__ || !defined __SSE2__
    support_skip("not built as it is delivered");
#endif
    char file[64], out[96];
    snprintf(file, sizeof file, "keyavg-callgrind-%d", (int)getpid());
    snprintf(out, sizeof out, "--callgrind-out-file=%s", file);
    const char *const words[] = {"valgrind", "-q", "--tool=callgrind", "--compress-strings=no", out, support_keyavg(),
                                 "--threads", "1", option, value, path, NULL};
    struct support_bytes err;
    int status;
    if (!support_run(words, NULL, &err, &status))
        support_skip("valgrind is not installed");
    cr_assert_eq(status, 0, "%s", err.bytes);
    support_run_free(&err);
    struct counts counts = read_counts(file);
    unlink(file);
    cr_assert_gt(counts.instructions, 0);
    return counts;
}

enum { FEW = 4, MANY = 12 };

static const char *sample(void)
{
    static char path[4096];
    snprintf(path, sizeof path, "%s/cnn_steps/trace.json.gz", support_samples_dir());
    return path;
}

enum { PATH_ROOM = 64 };

/* Writes the sample that often. */
static void grow(unsigned times, char path[PATH_ROOM])
{
    size_t length;
    char *text = support_read(sample(), &length);
    snprintf(path, PATH_ROOM, "keyavg-grown-%d-%u", (int)getpid(), times);
    struct pour *out = pour_open(path);
    cr_assert(repeat_write(text, length, (struct grow_amount){.times = times}, out));
    pour_close(out);
    free(text);
}

static double events_of_sample(void)
{
    struct trace *trace = support_trace_file(sample());
    double events = trace->events.count;
    trace_free(trace);
    return events;
}

Test(budgets, loading, .timeout = 240)
{
    char few[PATH_ROOM], many[PATH_ROOM];
    grow(FEW, few);
    grow(MANY, many);
    struct counts less = count("--format", "csv", few), more = count("--format", "csv", many);
    double events = events_of_sample() * (MANY - FEW);
    keep(LOAD_INSTRUCTIONS, (more.instructions - less.instructions) / events);
    keep(LOAD_ALLOCATIONS, (more.allocations - less.allocations) / events * 1000);
    unlink(few);
    unlink(many);
}

Test(budgets, grouping, .timeout = 240)
{
    char trace[PATH_ROOM];
    grow(FEW, trace);
    struct counts less = count("--play", ":group name,shape<Enter>", trace);
    struct counts more = count("--play", ":group name,shape<Enter>:group name<Enter>:group name,shape<Enter>", trace);
    struct counts one = count("--play", ":group name,shape<Enter>:group name<Enter>", trace);
    keep(GROUP_INSTRUCTIONS, (more.instructions - one.instructions) / (events_of_sample() * FEW));
    cr_assert_gt(one.instructions, less.instructions);
    unlink(trace);
}

Test(budgets, cursor, .timeout = 240)
{
    const char *trace = sample();
    struct counts less = count("--play", "<Down 10>", trace), more = count("--play", "<Down 60>", trace);
    keep(CURSOR_INSTRUCTIONS, (more.instructions - less.instructions) / 50);
}

/* -- In a terminal ------------------------------------------------------------------------------------------------ */

Test(budgets, bytes, .timeout = 60)
{
#ifndef HAVE_VTERM
    support_skip("libvterm is not there");
#else
    const char *const words[] = {support_keyavg(), sample(), NULL};
    struct vt *vt = vt_start(words, "xterm-256color", NULL, 24, 80);
    enum { MOVES = 15 };
    vt_expect(vt, "row 1 of");
    vt_settle(vt);
    size_t before = vt_bytes(vt);
    for (int i = 2; i <= MOVES + 1; i++) {
        char where[32];
        snprintf(where, sizeof where, "row %d of", i);
        vt_type(vt, "j");
        vt_expect(vt, where);
        vt_settle(vt);
    }
    keep(CURSOR_BYTES, (double)(vt_bytes(vt) - before) / MOVES);
    vt_type(vt, "q");
    cr_assert_eq(vt_wait(vt), 0);
    vt_free(vt);
#endif
}
