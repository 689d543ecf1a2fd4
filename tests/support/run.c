#include "run.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { READ, WRITE };

struct capture {
    struct support_bytes kept;
    size_t capacity;
};

static void close_once(int *file)
{
    if (*file >= 0)
        close(*file);
    *file = -1;
}

/* Reads what is there; closes *file at its end. */
static void capture_read(struct capture *capture, int *file)
{
    if (capture->kept.length + 1 >= capture->capacity) {
        capture->capacity = capture->capacity == 0 ? 65536 : capture->capacity * 2;
        capture->kept.bytes = realloc(capture->kept.bytes, capture->capacity);
        if (capture->kept.bytes == NULL)
            abort();
    }
    ssize_t n = read(*file, capture->kept.bytes + capture->kept.length,
                     capture->capacity - capture->kept.length - 1);
    if (n > 0)
        capture->kept.length += (size_t)n;
    else if (n == 0 || errno != EINTR)
        close_once(file);
    capture->kept.bytes[capture->kept.length] = '\0';
}

static void input_write(const char **input, size_t *length, int *file)
{
    ssize_t n = *length > 0 ? write(*file, *input, *length) : 0;
    if (n > 0) {
        *input += n;
        *length -= (size_t)n;
    }
    if (*length == 0 || (n < 0 && errno != EINTR && errno != EAGAIN))
        close_once(file);
}

static bool pipes_open(int pipes[3][2])
{
    for (int i = 0; i < 3; i++)
        if (pipe2(pipes[i], O_CLOEXEC) != 0)
            return false;
    return fcntl(pipes[0][WRITE], F_SETFL, O_NONBLOCK) == 0;
}

static bool start(const char *const argv[], int pipes[3][2], pid_t *child)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t defaults;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, pipes[0][READ], 0);
    posix_spawn_file_actions_adddup2(&actions, pipes[1][WRITE], 1);
    posix_spawn_file_actions_adddup2(&actions, pipes[2][WRITE], 2);
    posix_spawnattr_init(&attributes);
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);

    /* posix_spawnp takes char *const[] by tradition and changes none of it. */
    union {
        const char *const *given;
        char *const *taken;
    } arguments = {.given = argv};
    int failure = posix_spawnp(child, argv[0], &actions, &attributes, arguments.taken, environ);

    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    errno = failure;
    return failure == 0;
}

bool support_run_input(const char *const argv[], const void *input, size_t length, struct support_bytes *out,
                       struct support_bytes *err, int *status)
{
    int pipes[3][2] = {{-1, -1}, {-1, -1}, {-1, -1}};
    struct capture captures[2] = {0};
    const char *rest = input;
    pid_t child;

    /* Buffered text must not be printed twice should Criterion's own process be copied. */
    fflush(NULL);
    if (!pipes_open(pipes) || !start(argv, pipes, &child)) {
        int failure = errno;
        for (int i = 0; i < 3; i++) {
            close_once(&pipes[i][READ]);
            close_once(&pipes[i][WRITE]);
        }
        errno = failure;
        return false;
    }
    close_once(&pipes[0][READ]);
    close_once(&pipes[1][WRITE]);
    close_once(&pipes[2][WRITE]);

    void (*previous)(int) = signal(SIGPIPE, SIG_IGN);
    while (pipes[0][WRITE] >= 0 || pipes[1][READ] >= 0 || pipes[2][READ] >= 0) {
        struct pollfd files[3] = {
            {.fd = pipes[0][WRITE], .events = POLLOUT},
            {.fd = pipes[1][READ], .events = POLLIN},
            {.fd = pipes[2][READ], .events = POLLIN},
        };
        if (poll(files, 3, -1) < 0 && errno != EINTR)
            abort();
        if (files[0].revents != 0)
            input_write(&rest, &length, &pipes[0][WRITE]);
        for (int i = 0; i < 2; i++)
            if (files[1 + i].revents != 0)
                capture_read(&captures[i], &pipes[1 + i][READ]);
    }
    signal(SIGPIPE, previous);

    int ended = 0;
    while (waitpid(child, &ended, 0) < 0)
        if (errno != EINTR)
            abort();
    if (status != NULL)
        *status = WIFEXITED(ended) ? WEXITSTATUS(ended) : 128 + WTERMSIG(ended);

    struct support_bytes *wanted[2] = {out, err};
    for (int i = 0; i < 2; i++) {
        if (wanted[i] != NULL)
            *wanted[i] = captures[i].kept;
        else
            support_run_free(&captures[i].kept);
    }
    return true;
}

bool support_run(const char *const argv[], struct support_bytes *out, struct support_bytes *err, int *status)
{
    return support_run_input(argv, "", 0, out, err, status);
}

void support_run_free(struct support_bytes *bytes)
{
    free(bytes->bytes);
    *bytes = (struct support_bytes){0};
}
