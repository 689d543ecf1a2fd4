#include "job.h"

#include <errno.h>
#include <time.h>

enum { SECOND = 1000000000 };

int64_t job_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * SECOND + time.tv_nsec;
}

static void *run(void *context)
{
    struct job *job = context;
    job->run(job->context);
    pthread_mutex_lock(&job->lock);
    job->done = true;
    pthread_cond_signal(&job->ended);
    /* Once unlocked the other side may free all this. */
    void (*wake)(void) = job->wake;
    pthread_mutex_unlock(&job->lock);
    if (wake != NULL)
        wake();
    return NULL;
}

void job_start(struct job *job, void (*does)(void *context), void *context, void (*wake)(void), bool apart)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_mutex_init(&job->lock, NULL);
    pthread_cond_init(&job->ended, &attributes);
    pthread_condattr_destroy(&attributes);
    job->done = false;
    job->start = job_now();
    job->run = does;
    job->context = context;
    job->wake = wake;
    if (apart && pthread_create(&job->thread, NULL, run, job) == 0)
        return;
    job->thread = pthread_self();
    job->wake = NULL;
    run(job);
}

bool job_wait(struct job *job, int64_t ns)
{
    int64_t end = job_now() + ns;
    struct timespec until = {.tv_sec = (time_t)(end / SECOND), .tv_nsec = (long)(end % SECOND)};
    int result = 0;
    pthread_mutex_lock(&job->lock);
    while (!job->done && result != ETIMEDOUT)
        result = ns < 0 ? pthread_cond_wait(&job->ended, &job->lock)
                        : pthread_cond_timedwait(&job->ended, &job->lock, &until);
    bool done = job->done;
    pthread_mutex_unlock(&job->lock);
    return done;
}

void job_end(struct job *job)
{
    if (!pthread_equal(job->thread, pthread_self()))
        pthread_join(job->thread, NULL);
    pthread_mutex_destroy(&job->lock);
    pthread_cond_destroy(&job->ended);
}
