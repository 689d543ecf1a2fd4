/*
 * Golden screens: every action that changes the screen, played at three sizes.
 *
 * KEYAVG_UPDATE_GOLDEN=1 writes the files anew instead of comparing; look at the difference before
 * it is committed.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "keyavg/action.h"
#include "play_cases.h"
#include "support/skip.h"

enum { CASES = sizeof play_cases / sizeof *play_cases, OF_TWO = sizeof cases_of_two / sizeof *cases_of_two };
enum { OF_RANKS = sizeof cases_of_ranks / sizeof *cases_of_ranks, RANKS = 4 };
enum { QUIET = sizeof terminal_actions / sizeof *terminal_actions };

static const struct {
    const char *size;
    bool roles; /* beside the screen; the large one goes without, to keep the files small */
} sizes[] = {{"80x24", true}, {"40x8", true}, {"200x50", false}};

static void set_environment(void)
{
    setenv("LC_ALL", "C.UTF-8", 1);
    setenv("KEYAVG_CONFIG", "keyavg-play.yaml", 1); /* where :save writes, in the folder of the test run */
    setenv("HOME", "/nonexistent", 1);
    unsetenv("XDG_CONFIG_HOME");
    unsetenv("NO_COLOR");
}

/* The screen after some keys; to be released. */
static struct support_bytes play(const char *before, const char *keys, const char *size, bool roles, int traces)
{
    static const char *const ranks[RANKS] = {"samples/ddp/rank0/trace.json.gz", "samples/ddp/rank1/trace.json.gz",
                                             "samples/ddp/rank2/trace.json.gz", "samples/ddp/rank3/trace.json.gz"};
    char all[512];
    struct support_bytes screen, messages;
    int status;
    snprintf(all, sizeof all, "%s%s", before, keys);
    const char *argv[12] = {support_keyavg(), "--play", all, "--screen", size};
    int words = 5;
    if (roles)
        argv[words++] = "--screen-roles";
    for (int i = 0; i < traces; i++)
        argv[words++] = traces == 1 ? "samples/gpu_small/trace.json" : ranks[i];
    cr_assert(support_run(argv, &screen, &messages, &status));
    cr_assert_eq(status, 0, "%s: status %d: %s", all, status, messages.bytes);
    support_run_free(&messages);
    return screen;
}

static struct support_bytes read_golden(const char *path)
{
    struct support_bytes text = {0};
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return text;
    text.bytes = calloc(1, 1 << 20);
    text.length = fread(text.bytes, 1, (1 << 20) - 1, file);
    fclose(file);
    return text;
}

static void write_file(const char *path, struct support_bytes text)
{
    FILE *file = fopen(path, "wb");
    cr_assert_not_null(file, "%s", path);
    fwrite(text.bytes, 1, text.length, file);
    fclose(file);
}

/* The first line in which two texts differ, as it is now and as it should be. */
static void tell_difference(const char *name, const char *now, const char *golden)
{
    int line = 1;
    while (*now != 0 && *now == *golden) {
        const char *end_now = strchr(now, '\n'), *end_golden = strchr(golden, '\n');
        size_t length = end_now != NULL ? (size_t)(end_now - now) + 1 : strlen(now);
        if (end_golden == NULL || (size_t)(end_golden - golden) + 1 != length || memcmp(now, golden, length) != 0)
            break;
        now += length;
        golden += length;
        line++;
    }
    cr_expect_fail("%s, line %d:\n  now    %.*s\n  golden %.*s", name, line, (int)strcspn(now, "\n"), now,
                   (int)strcspn(golden, "\n"), golden);
}

static void check(const struct play_case *play_case, int size, int traces)
{
    char name[128], path[4096];
    struct support_bytes screen = play(play_case->before, play_case->keys, sizes[size].size, sizes[size].roles, traces);
    snprintf(name, sizeof name, "%s.%s", play_case->action, sizes[size].size);
    snprintf(path, sizeof path, "%s/golden/%s", support_tests_dir(), name);
    if (getenv("KEYAVG_UPDATE_GOLDEN") != NULL) {
        write_file(path, screen);
    } else {
        struct support_bytes golden = read_golden(path);
        if (golden.bytes == NULL)
            cr_expect_fail("%s: no golden file", name);
        else if (golden.length != screen.length || memcmp(golden.bytes, screen.bytes, screen.length) != 0)
            tell_difference(name, screen.bytes, golden.bytes);
        free(golden.bytes);
    }
    support_run_free(&screen);
}

static void go_to_sources(void)
{
    char path[4096];
    set_environment();
    /* The screen shows the path's last part only, but :cli shows it all. */
    snprintf(path, sizeof path, "%s/..", support_samples_dir());
    cr_assert_eq(chdir(path), 0);
    unlink("keyavg-play.yaml");
}

static void check_all(int size)
{
    go_to_sources();
    for (int i = 0; i < CASES; i++)
        check(&play_cases[i], size, 1);
    for (int i = 0; i < OF_TWO; i++)
        check(&cases_of_two[i], size, 2);
    for (int i = 0; i < OF_RANKS; i++)
        check(&cases_of_ranks[i], size, RANKS);
    unlink("keyavg-play.yaml");
}

Test(play, at_80x24, .timeout = 120)
{
    check_all(0);
}

Test(play, at_40x8, .timeout = 120)
{
    check_all(1);
}

Test(play, at_200x50, .timeout = 120)
{
    check_all(2);
}

static void expect_change(const struct play_case *play_case, int traces)
{
    struct support_bytes before = play(play_case->before, "", "80x24", true, traces);
    struct support_bytes after = play(play_case->before, play_case->keys, "80x24", true, traces);
    cr_expect_str_neq(before.bytes, after.bytes, "%s", play_case->action);
    support_run_free(&before);
    support_run_free(&after);
}

Test(play, keys_change_the_screen, .timeout = 120)
{
    go_to_sources();
    for (int i = 0; i < CASES; i++)
        expect_change(&play_cases[i], 1);
    for (int i = 0; i < OF_TWO; i++)
        expect_change(&cases_of_two[i], 2);
    for (int i = 0; i < OF_RANKS; i++)
        expect_change(&cases_of_ranks[i], RANKS);
    unlink("keyavg-play.yaml");
}

Test(play, every_action_is_tested)
{
    for (unsigned i = 0; i < action_count; i++) {
        int goldens = 0, quiet = 0;
        for (int j = 0; j < CASES; j++)
            goldens += strcmp(play_cases[j].action, actions[i].name) == 0;
        for (int j = 0; j < OF_TWO; j++)
            goldens += strcmp(cases_of_two[j].action, actions[i].name) == 0;
        for (int j = 0; j < OF_RANKS; j++)
            goldens += strcmp(cases_of_ranks[j].action, actions[i].name) == 0;
        for (int j = 0; j < QUIET; j++)
            quiet += strcmp(terminal_actions[j], actions[i].name) == 0;
        cr_expect_eq(goldens + quiet, 1, "%s is in %d lists", actions[i].name, goldens + quiet);
        cr_expect_eq(quiet, actions[i].traits & ACTION_QUIET, "%s: quiet actions are those of the terminal tests",
                     actions[i].name);
    }
    for (int j = 0; j < CASES; j++)
        cr_expect_not_null(action_find(span_of(play_cases[j].action)), "%s", play_cases[j].action);
}

Test(play, prints_the_last_screen_also_after_q)
{
    go_to_sources();
    struct support_bytes before = play("j", "", "80x24", true, 1), after = play("j", "q", "80x24", true, 1);
    cr_expect_str_eq(before.bytes, after.bytes);
    support_run_free(&before);
    support_run_free(&after);
}

Test(play, the_clipboard_goes_to_standard_error)
{
    go_to_sources();
    const char *argv[] = {support_keyavg(), "--play", "y", "samples/gpu_small/trace.json", NULL};
    struct support_bytes messages;
    cr_assert(support_run(argv, NULL, &messages, NULL));
    cr_expect_not_null(strstr(messages.bytes, "clipboard: "));
    cr_expect_not_null(strstr(messages.bytes, "ProfilerStep*\t"));
    support_run_free(&messages);
}

Test(play, wrong_keys_are_a_usage_error)
{
    go_to_sources();
    const char *argv[] = {support_keyavg(), "--play", "j<Nokey>", "samples/gpu_small/trace.json", NULL};
    struct support_bytes messages;
    int status;
    cr_assert(support_run(argv, NULL, &messages, &status));
    cr_expect_eq(status, 2);
    cr_expect_str_eq(messages.bytes, "keyavg: no such key: <Nokey>\n");
    support_run_free(&messages);
}

/* The configuration that --print-config prints is the one in force without any. */
Test(play, the_default_configuration_changes_nothing)
{
    go_to_sources();
    char path[] = "/tmp/keyavg-config-XXXXXX";
    int file = mkstemp(path);
    cr_assert_geq(file, 0);
    close(file);
    const char *print[] = {support_keyavg(), "--print-config", NULL};
    const char *plain[] = {support_keyavg(), "--play", "", "--screen", "160x24", "samples/gpu_small/trace.json", NULL};
    const char *with[] = {support_keyavg(), "--config", path, "--play", "", "--screen", "160x24",
                          "samples/gpu_small/trace.json", NULL};
    struct support_bytes config, one, other;
    cr_assert(support_run(print, &config, NULL, NULL));
    write_file(path, config);
    cr_assert(support_run(plain, &one, NULL, NULL));
    cr_assert(support_run(with, &other, NULL, NULL));
    cr_expect_str_eq(other.bytes, one.bytes);
    support_run_free(&config);
    support_run_free(&one);
    support_run_free(&other);
    unlink(path);
}

Test(play, wrong_words_in_the_configuration_are_told_and_the_rest_holds)
{
    go_to_sources();
    char path[] = "/tmp/keyavg-config-XXXXXX", bytes[] = "options:\n  scope: sideways\n  hide-below: 5\nkeys:\n"
                                                         "  table:\n    shaps: x\n    detail: <F11>\n";
    int file = mkstemp(path);
    cr_assert_geq(file, 0);
    close(file);
    write_file(path, (struct support_bytes){bytes, sizeof bytes - 1});
    const char *argv[] = {support_keyavg(), "--config", path, "--play", "<F11>", "--screen", "160x24",
                          "samples/gpu_small/trace.json", NULL};
    struct support_bytes screen;
    cr_assert(support_run(argv, &screen, NULL, NULL));
    cr_expect_not_null(strstr(screen.bytes, "below 5 % hidden"));
    cr_expect_not_null(strstr(screen.bytes, "FunctionEventAvg"), "%s", screen.bytes);
    support_run_free(&screen);
    argv[4] = "";
    cr_assert(support_run(argv, &screen, NULL, NULL));
    cr_expect_not_null(strstr(screen.bytes, ":2:10: 'sideways' is not all, forward, backward, user, recompute, sync, optimizer, data or none (and 1 more)"), "%s",
                       screen.bytes);
    support_run_free(&screen);
    unlink(path);
}

/* The pictures of README.md are screens of the program, set in by four columns. */
Test(play, the_readme_shows_real_screens)
{
    static const char *const screens[][2] = {{"", "80x24"}, {"Sd", "120x24"}};
    char path[4096];
    go_to_sources();
    snprintf(path, sizeof path, "%s/../README.md", support_tests_dir());
    struct support_bytes readme = read_golden(path);
    cr_assert_not_null(readme.bytes);
    for (int i = 0; i < 2; i++) {
        struct support_bytes screen = play("", screens[i][0], screens[i][1], false, 1);
        const char *at = readme.bytes;
        for (char *line = strtok(screen.bytes, "\n"); line != NULL && at != NULL; line = strtok(NULL, "\n")) {
            at = strstr(at, line);
            cr_expect_not_null(at, "README.md has no longer this line of --play '%s': %s", screens[i][0], line);
        }
        support_run_free(&screen);
    }
    free(readme.bytes);
}

/* The text that went to the clipboard after a line with its length; moves behind it. */
static char *next_clipboard(const char **rest)
{
    size_t length = 0;
    const char *at = strstr(*rest, "clipboard: ");
    cr_assert_not_null(at, "%s", *rest);
    cr_assert_eq(sscanf(at, "clipboard: %zu bytes", &length), 1);
    at = strchr(at, '\n') + 1;
    cr_assert_geq(strlen(at), length);
    *rest = at + length;
    return strndup(at, length);
}

/* The command line that `:cli` tells, run by a shell, prints what is on the screen. */
static void check_command_line(const char *sample, const char *keys)
{
    char all[512];
    struct support_bytes messages, printed;
    int status;
    snprintf(all, sizeof all, "%s:cli<Enter>Y", keys);
    const char *play_argv[] = {support_keyavg(), "--play", all, sample, NULL};
    cr_assert(support_run(play_argv, NULL, &messages, &status));
    cr_assert_eq(status, 0, "%s: %s", keys, messages.bytes);
    const char *rest = messages.bytes;
    char *line = next_clipboard(&rest), *view = next_clipboard(&rest);
    cr_assert_eq(strncmp(line, "keyavg ", 7), 0, "%s", line);
    size_t room = strlen(line) + strlen(support_keyavg()) + 8;
    char *command = malloc(room);
    snprintf(command, room, "'%s' %s", support_keyavg(), line + 7);
    const char *argv[] = {"sh", "-c", command, NULL};
    struct support_bytes complaints;
    cr_assert(support_run(argv, &printed, &complaints, &status));
    cr_expect_eq(status, 0, "%s: %s: %s", keys, line, complaints.bytes);
    if (strcmp(printed.bytes, view) != 0)
        tell_difference(line, printed.bytes, view);
    support_run_free(&messages);
    support_run_free(&printed);
    support_run_free(&complaints);
    free(line);
    free(view);
    free(command);
}

Test(play, the_command_line_prints_the_same, .timeout = 120)
{
    static const char *const keys[] = {
        "", "S", "}}", "SO}", "f", "ff", "fff", "p", "pp", "t", "%", "u", "uu", "uuu", "r", "1", "11", "4", ":unsort<Enter>",
        ":unsort<Enter>r", "L2<Enter>", "L2<Enter>%", "\\conv !\"a b\" count>1<Enter>", "\\it's|'$(x)' !/x.y/<Enter>",
        "\\kind:kernel step:1<Enter>S", ":group scope,step<Enter>", ":group dtype,module<Enter>", ":group device<Enter>",
        ":set row-limit 7<Enter>", ":set row-limit 0<Enter>", ":set device-annotations off<Enter>", ":set full-list-shapes on<Enter>S",
        ":sort p99<Enter>", ":columns count,p50,flops,key<Enter>", ":columns default<Enter>", "ll]", "C<Down 3> <Esc>",
        "\\self_cpu_percent>1<Enter>%", "tL1<Enter>f}S%u[",
    };
    go_to_sources();
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        check_command_line("samples/gpu_small/trace.json", keys[i]);
        check_command_line("samples/mlp_all/trace.json.gz", keys[i]);
    }
}

Test(play, the_command_line_prints_the_same_view, .timeout = 120)
{
    static const char *const keys[] = {
        "/aten::addmm<Enter><Enter>", "/aten::addmm<Enter><Enter>F", "/aten::linear<Enter><Enter>2r", "Sg<Enter>",
        "/aten::mm<Enter>c", "/aten::mm<Enter>c:sort duration<Enter>r\\duration>20us<Enter>", "fP", "P:sort pairs<Enter>",
        "/aten::addmm<Enter>e", "m", "mv", "/aten::linear<Enter>K", "K:columns<Down 3> <Esc>", ":set python out<Enter>P",
        "/aten::linear<Enter><Enter>k<Enter>", "SO}/aten::mm<Enter>j<Enter>", ":set row-limit 3<Enter>u/aten::t<Enter>c",
        "\\step:none<Enter>P", "/aten::linear<Enter>cjK", "/aten::t<Enter>cje",
    };
    go_to_sources();
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        check_command_line("samples/gpu_small/trace.json", keys[i]);
        if (strchr(keys[i], 'K') == NULL)
            check_command_line("samples/mlp_all/trace.json.gz", keys[i]);
    }
}

/* Exports: by ending, and not over a file without asking. */
Test(play, exports_the_view)
{
    struct support_bytes screen, text;
    go_to_sources();
    char folder[] = "/tmp/keyavg-play-XXXXXX", keys[256], path[128];
    cr_assert_not_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/view.csv", folder);
    snprintf(keys, sizeof keys, "\\kind:memcpy<Enter>w%s<Enter>", path);
    screen = play("", keys, "120x24", false, 1);
    cr_expect_not_null(strstr(screen.bytes, "wrote "));
    support_run_free(&screen);
    text = read_golden(path);
    cr_assert_not_null(text.bytes);
    cr_expect_eq(strncmp(text.bytes, "key,self_cpu_percent", 20), 0, "%.80s", text.bytes);
    cr_expect_not_null(strstr(text.bytes, "Memcpy HtoD"));
    free(text.bytes);
    snprintf(keys, sizeof keys, "w%s<Enter>", path);
    screen = play("", keys, "120x24", false, 1);
    cr_expect_not_null(strstr(screen.bytes, "overwrite it?"));
    support_run_free(&screen);
    snprintf(keys, sizeof keys, "w%s<Enter>n<Enter>", path);
    screen = play("", keys, "120x24", false, 1);
    cr_expect_not_null(strstr(screen.bytes, "not written"));
    support_run_free(&screen);
    unlink(path);
    rmdir(folder);
}

/* Names with every kind of control never reach the screen as such. */
Test(play, names_are_shown_as_placeholders)
{
    static const char *const keys[] = {"", "d", "S", "?", "C", "s", "/x", "\\x", "Y", "<Enter><Tab>", "c", "T*", "K",
                                       "P", "m", "e", "d)))"};
    go_to_sources();
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const char *argv[] = {support_keyavg(), "--play", keys[i], "samples/names/trace.json.gz", NULL};
        struct support_bytes out, messages;
        int status;
        cr_assert(support_run(argv, &out, &messages, &status));
        cr_expect_eq(status, 0);
        for (size_t j = 0; j < out.length; j++)
            cr_expect((unsigned char)out.bytes[j] >= ' ' || out.bytes[j] == '\n');
        for (size_t j = 0; j < messages.length; j++)
            cr_expect((unsigned char)messages.bytes[j] >= ' ' || strchr("\n\t", messages.bytes[j]) != NULL);
        support_run_free(&out);
        support_run_free(&messages);
    }
}
