#include "keyavg/workers.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

enum { MOST = 64 };

struct work {
    void (*task)(void *context, unsigned number);
    void *context;
    unsigned count;
    atomic_uint next;
};

static void *run(void *argument)
{
    struct work *work = argument;
    for (unsigned number; (number = atomic_fetch_add(&work->next, 1)) < work->count;)
        work->task(work->context, number);
    return NULL;
}

void workers_run(void (*task)(void *context, unsigned number), void *context, unsigned count, unsigned threads)
{
    struct work work = {.task = task, .context = context, .count = count};
    pthread_t others[MOST];
    unsigned started = 0;
    if (threads > count)
        threads = count;
    while (started + 1 < threads && started < MOST && pthread_create(&others[started], NULL, run, &work) == 0)
        started++;
    run(&work);
    for (unsigned i = 0; i < started; i++)
        pthread_join(others[i], NULL);
}
