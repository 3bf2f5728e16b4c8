/* Processes that do numbered tasks side by side. Module runner.
 *
 * A worker is a fork of this process, takes one task at a time, and sends back bytes. If it exits,
 * only its task is lost, and another worker takes its place. */
#ifndef LIFECHECK_RUNNER_CREW_H
#define LIFECHECK_RUNNER_CREW_H

#include "lifecheck/base/buf.h"

/* Most workers of one crew. */
#define LC_MOST_JOBS 64

/* Functions of the caller; `context` is their first argument. */
typedef struct lc_crew {
    void *context;
    unsigned jobs; /* at least 1; more than LC_MOST_JOBS, or than tasks, are as many */
    /* The numbers of the tasks, in the order in which they are begun. */
    const size_t *order;
    size_t count;

    /* In a worker. */
    bool (*begin)(void *context); /* before its first task; false: it cannot work, reported */
    /* Appends the result of a task. False: it was stopped before the task was done. */
    bool (*work)(void *context, size_t task, lc_buf *out);
    void (*end)(void *context); /* before it ends */

    /* In this process. */
    /* Takes a result. False: the caller needs no more, and everything is stopped. */
    bool (*take)(void *context, size_t task, lc_str result);
    void (*lost)(void *context, size_t task); /* its worker exited */
    /* Several times a second: true stops the workers, and what they are doing is not done. */
    bool (*stopped)(void *context);
} lc_crew;

/* Returns when nothing is left, or all are stopped. False: no worker could begin, although there
 * was something to do. */
bool lc_crew_run(const lc_crew *crew);

#endif
