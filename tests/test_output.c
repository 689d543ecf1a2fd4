/*
 * Files that are written beside their place, and how a run of the program ends.
 */
#include <criterion/criterion.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "keyavg/output.h"
#include "keyavg/progress.h"
#include "support/folder.h"
#include "support/render.h"
#include "support/skip.h"

static void holds(const char *name, const char *text)
{
    char *have = support_read(folder_file(name), NULL);
    cr_expect_str_eq(have, text);
    free(have);
}

static unsigned files(void)
{
    unsigned count = 0;
    DIR *all = opendir(folder_path);
    for (struct dirent *entry; (entry = readdir(all)) != NULL;)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(all);
    return count;
}

static void write_text(struct output *output, const char *text)
{
    struct sink sink = output_sink(output);
    cr_expect(sink.write(sink.context, text, strlen(text)));
}

TestSuite(output, .init = folder_make, .fini = folder_remove);

Test(output, replaces_at_the_end)
{
    struct output output;
    struct error error = {0};
    folder_write(folder_file("a"), "old");
    cr_assert_eq(chmod(folder_file("a"), 0640), 0);
    cr_assert(output_open(&output, folder_file("a"), &error));
    write_text(&output, "new");
    holds("a", "old");
    cr_expect_not_null(output_unfinished);
    cr_assert(output_commit(&output, &error), "%s", error.text);
    cr_expect_null(output_unfinished);
    holds("a", "new");
    struct stat status;
    cr_assert_eq(stat(folder_file("a"), &status), 0);
    cr_expect_eq(status.st_mode & 07777, 0640);
    cr_expect_eq(files(), 1);
}

Test(output, new_files_have_the_mode_of_new_files)
{
    struct output output;
    struct error error = {0};
    umask(027);
    cr_assert(output_open(&output, folder_file("a"), &error));
    cr_assert(output_commit(&output, &error));
    struct stat status;
    cr_assert_eq(stat(folder_file("a"), &status), 0);
    cr_expect_eq(status.st_mode & 07777, 0640);
    holds("a", "");
}

Test(output, abandoned_changes_nothing)
{
    struct output output;
    struct error error = {0};
    folder_write(folder_file("a"), "old");
    cr_assert(output_open(&output, folder_file("a"), &error));
    write_text(&output, "new");
    output_abandon(&output);
    holds("a", "old");
    cr_expect_eq(files(), 1);
}

Test(output, links_are_followed)
{
    struct output output;
    struct error error = {0};
    cr_assert_eq(mkdir(folder_file("d"), 0777), 0);
    folder_write(folder_file("d/a"), "old");
    cr_assert_eq(symlink("d/a", folder_file("l")), 0);
    cr_assert_eq(symlink("l", folder_file("m")), 0);
    cr_assert(output_open(&output, folder_file("m"), &error));
    write_text(&output, "new");
    cr_assert(output_commit(&output, &error));
    holds("d/a", "new");
    struct stat status;
    cr_assert_eq(lstat(folder_file("m"), &status), 0);
    cr_expect(S_ISLNK(status.st_mode));
    /* A link to what is not there yet makes it. */
    cr_assert_eq(symlink("d/b", folder_file("n")), 0);
    cr_assert(output_open(&output, folder_file("n"), &error));
    write_text(&output, "b");
    cr_assert(output_commit(&output, &error));
    holds("d/b", "b");
    cr_assert_eq(symlink("ring", folder_file("ring")), 0);
    cr_expect_not(output_open(&output, folder_file("ring"), &error));
    cr_expect_eq(error.code, ERROR_IO);
}

Test(output, devices_are_written_to)
{
    struct output output;
    struct error error = {0};
    cr_assert(output_open(&output, "/dev/null", &error));
    write_text(&output, "x");
    cr_expect(output_commit(&output, &error));
    struct stat status;
    cr_assert_eq(stat("/dev/null", &status), 0);
    cr_expect(S_ISCHR(status.st_mode));
}

Test(output, errors_say_what)
{
    struct output output;
    struct error error = {0};
    cr_expect_not(output_open(&output, folder_file("no\x1B/a"), &error));
    cr_expect_not_null(strstr(error.text, "no\xE2\x90\x9B/a': No such file or directory (the folder must exist)"), "%s",
                       error.text);
    cr_assert(output_open(&output, "/dev/full", &error));
    write_text(&output, "x");
    cr_expect_not(output_commit(&output, &error));
    cr_expect_not_null(strstr(error.text, "/dev/full': No space left on device"), "%s", error.text);
}

static void progresses(uint64_t done, uint64_t total, double seconds, const char *want)
{
    struct text line = {0};
    progress_add_line(&line, done, total, done * 10, seconds);
    cr_expect_str_eq(line.bytes, want);
    text_free(&line);
}

Test(output, progress)
{
    progresses(0, 1 << 20, 0, "reading [                    ]   0%  0 B of 1.00 MB");
    progresses(1 << 18, 1 << 20, 1, "reading [#####               ]  25%  256.00 KB of 1.00 MB  3 MB/s  3 s left");
    progresses(1 << 20, 1 << 20, 2, "reading [####################] 100%  1.00 MB of 1.00 MB  5 MB/s");
    progresses(1 << 20, 0, 2, "reading 1.00 MB  5 MB/s");
}

/* -- The program ------------------------------------------------------------------------------------------------- */

static int shell(const char *format, const char *name)
{
    char command[1024], trace[512];
    snprintf(trace, sizeof trace, "%s/gpu_small/trace.json", support_samples_dir());
    setenv("KEYAVG", support_keyavg(), 1);
    setenv("TRACE", trace, 1);
    setenv("OUT", folder_file(name), 1);
    snprintf(command, sizeof command, "%s", format);
    int status = system(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

Test(output, program_writes_files)
{
    cr_expect_eq(shell("\"$KEYAVG\" --output \"$OUT\" \"$TRACE\"", "a.csv"), 0);
    char *csv = support_read(folder_file("a.csv"), NULL);
    cr_expect_eq(strncmp(csv, "key,count,", 10), 0);
    free(csv);
    folder_write(folder_file("b"), "old");
    cr_expect_eq(shell("printf nothing | \"$KEYAVG\" --output \"$OUT\" - 2>/dev/null", "b"), 3);
    holds("b", "old");
    cr_expect_eq(shell("\"$KEYAVG\" --output \"$OUT\" \"$TRACE\" 2>/dev/null", "no/b"), 1);
    /* Not over what is read, under whatever name. */
    cr_expect_eq(shell("ln -s b \"$OUT.link\"; \"$KEYAVG\" --output \"$OUT.link\" \"$OUT\" 2>/dev/null", "b"), 2);
    holds("b", "old");
    cr_expect_eq(shell("rm \"$OUT.link\"", "b"), 0);
    cr_expect_eq(files(), 2);
}

Test(output, program_ends_well)
{
    cr_expect_eq(shell("\"$KEYAVG\" -f json \"$TRACE\" 2>\"$OUT\" | head -c 10 >/dev/null", "err"), 0);
    holds("err", "");
    /* The exit status is the program's own, not head's. */
    cr_expect_eq(shell("{ \"$KEYAVG\" -k9 -n-1 \"$TRACE\" \"$@\"; echo $? >\"$OUT\"; } | true", "status"), 0);
    holds("status", "0\n");
    cr_expect_eq(shell("\"$KEYAVG\" \"$TRACE\" >/dev/full 2>/dev/null", "x"), 1);
    cr_expect_eq(shell("\"$KEYAVG\" \"$TRACE\" >&- 2>/dev/null", "x"), 1);
    cr_expect_eq(shell("\"$KEYAVG\" \"$OUT\" 2>/dev/null", "missing"), 1);
    cr_expect_eq(shell("printf '{}' | \"$KEYAVG\" - 2>/dev/null", "x"), 3);
    cr_expect_eq(shell("\"$KEYAVG\" - <\"$TRACE\" >/dev/null", "x"), 0);
    /* No escapes where there is no terminal. */
    cr_expect_eq(shell("\"$KEYAVG\" -f text \"$TRACE\" 2>&1 | grep -q \"$(printf '\\033')\"", "x"), 1);
}

Test(output, program_is_interrupted)
{
    folder_write(folder_file("a"), "old");
    /* It waits for the rest of a trace that does not come. */
    cr_expect_eq(shell("mkfifo \"$OUT.pipe\"; \"$KEYAVG\" --output \"$OUT\" - <\"$OUT.pipe\" & "
                       "exec 9>\"$OUT.pipe\"; printf '{\"traceEvents\": [' >&9; "
                       "until ls -A \"$(dirname \"$OUT\")\" | grep -q keyavg-; do sleep 0.01; done; "
                       "kill -TERM $!; wait $!",
                       "a"),
                 143);
    holds("a", "old");
    cr_expect_eq(files(), 2);
}

/* One line for all damage; the table is there nevertheless. */
Test(output, program_tells_damage)
{
    cr_expect_eq(shell("head -c 100000 \"$TRACE\" | \"$KEYAVG\" - >/dev/null 2>\"$OUT\"", "err"), 0);
    char *have = support_read(folder_file("err"), NULL);
    cr_expect_eq(strncmp(have, "keyavg: standard input: ", 24), 0, "%s", have);
    cr_expect_eq(strchr(have, '\n'), have + strlen(have) - 1);
    free(have);
}

/* What a run took is told beside the table, which stays as it is. */
Test(output, program_tells_stats)
{
    cr_expect_eq(shell("\"$KEYAVG\" \"$TRACE\" >\"$OUT\"; \"$KEYAVG\" --stats \"$TRACE\" 2>\"$OUT.err\" | cmp -s - \"$OUT\" && "
                       "cut -d' ' -f1 \"$OUT.err\" | tr '\\n' ' ' >\"$OUT\"", "words"), 0);
    holds("words", "phase read merge finish links parents frames fold memory backward averages output other all "
                   "text events strings peak ");
}

/* The same of two traces, and of many: their bytes and events together. */
Test(output, program_tells_stats_of_several)
{
    static const char *const phases = "phase read merge finish links parents frames fold memory backward averages output "
                                      "other all text events strings peak ";
    cr_expect_eq(shell("\"$KEYAVG\" --stats \"$TRACE\" \"$TRACE\" 2>\"$OUT.err\" >/dev/null && cut -d' ' -f1 \"$OUT.err\" | "
                       "tr '\\n' ' ' >\"$OUT\"", "two"), 0);
    holds("two", phases);
    cr_expect_eq(shell("\"$KEYAVG\" --stats --ranks \"$TRACE\" 2>\"$OUT.err\" >/dev/null && "
                       "sed '/^keyavg/d; s/[0-9][0-9.]*/N/g; s/ [KM]B,/ B,/' \"$OUT.err\" | cut -d';' -f1 | cut -c1-52 >\"$OUT\"", "ranks"), 0);
    holds("ranks", "all        N seconds, N CPU seconds, N MB/s of files\n"
                   "files      N, N B, N events\n"
                   "peak       N B, N bytes an event\n");
    cr_expect_eq(shell("\"$KEYAVG\" --stats --summarise \"$OUT.kavg\" \"$TRACE\" 2>\"$OUT.err\" && cut -d' ' -f1 \"$OUT.err\" | "
                       "tr '\\n' ' ' >\"$OUT\"", "summary"), 0);
    holds("summary", "all files peak ");
}
