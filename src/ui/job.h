/* Something long that a thread does while the loop goes on. */
#ifndef KEYAVG_UI_JOB_H
#define KEYAVG_UI_JOB_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct job {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t ended;
    bool done;        /* under the lock */
    int64_t start;    /* job_now when it began */
    void (*run)(void *context);
    void *context;
    void (*wake)(void);
};

/* ns of a clock that only goes forward. */
int64_t job_now(void);

/* Starts it; `wake` is called from the thread when it is done, NULL nothing. Without `apart`, or where there is no
 * thread to be had, it is done before this returns. */
void job_start(struct job *job, void (*run)(void *context), void *context, void (*wake)(void), bool apart);

/* Waits so many ns at most, below 0 without end. Whether it is done. */
bool job_wait(struct job *job, int64_t ns);

/* Waits for the thread's end and frees what the job itself holds. */
void job_end(struct job *job);

#endif
