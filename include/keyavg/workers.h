/* Independent tasks on several threads. */
#ifndef KEYAVG_WORKERS_H
#define KEYAVG_WORKERS_H

/* Runs task(context, 0) .. task(context, count - 1), each once, on at most `threads` threads of which the caller is
 * one; returns when all are done. Where no thread can be made the caller does them alone. */
void workers_run(void (*task)(void *context, unsigned number), void *context, unsigned count, unsigned threads);

#endif
