// Threads that wait until moments which they work out anew each time, or have worked out once. One case for each number; -DBROKEN:
// with a defect that shows only after some time, or never.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/time.h>
#include <time.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
sem_t permits;
int done, late;
struct timespec since;

static struct timespec in_a_second(clockid_t clock) {
    struct timespec moment;
    clock_gettime(clock, &moment);
    moment.tv_sec += 1;
    return moment;
}

void *work(void *unused) {
    pthread_mutex_lock(&lock);
    done = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
#ifndef BROKEN
    sem_post(&permits);
#endif
    return unused;
}

#if CASE == 1
// It waits again and again for a second.
void await(void) {
    pthread_mutex_lock(&lock);
#ifdef BROKEN
    int rounds = 0;
#endif
    while (!done) {
        struct timespec moment = in_a_second(CLOCK_REALTIME);
        pthread_cond_timedwait(&changed, &lock, &moment);
#ifdef BROKEN
        late = ++rounds == 7;
        if (late)
            break;
#endif
    }
    pthread_mutex_unlock(&lock);
}
#elif CASE == 2
// The same by another clock. -DBROKEN: it remembers when it began, and loses patience.
void await(void) {
    struct timeval begin;
    gettimeofday(&begin, 0);
    pthread_mutex_lock(&lock);
    while (!done) {
        struct timeval now;
        gettimeofday(&now, 0);
#ifdef BROKEN
        late = now.tv_sec - begin.tv_sec > 5;
        if (late)
            break;
#else
        begin.tv_sec = 0;
#endif
        struct timespec moment = {now.tv_sec, now.tv_usec * 1000 + 500000000};
        if (moment.tv_nsec >= 1000000000)
            moment.tv_sec++, moment.tv_nsec -= 1000000000;
        pthread_cond_timedwait(&changed, &lock, &moment);
    }
    pthread_mutex_unlock(&lock);
}
#elif CASE == 3
// It waits for a lock. -DBROKEN: when it began everybody can see, and it loses patience.
void await(void) {
#ifdef BROKEN
    clock_gettime(CLOCK_REALTIME, &since);
#endif
    for (;;) {
        struct timespec moment = in_a_second(CLOCK_REALTIME);
#ifdef BROKEN
        late = moment.tv_sec - since.tv_sec > 8;
        if (late)
            return;
#endif
        if (pthread_mutex_timedlock(&lock, &moment) == 0)
            break;
    }
    pthread_mutex_unlock(&lock);
}
#elif CASE == 4
// It waits for a permit, which nobody gives if it is broken.
void await(void) {
    for (;;) {
        struct timespec moment = in_a_second(CLOCK_REALTIME);
        if (sem_timedwait(&permits, &moment) == 0)
            break;
    }
}
#elif CASE == 5
// It has worked out once until when to wait.
void await(void) {
    struct timespec moment = {1, 0};
    while (pthread_mutex_timedlock(&lock, &moment) != 0) {
    }
    pthread_mutex_unlock(&lock);
    while (sem_timedwait(&permits, &moment) != 0) {
    }
}
#endif

int main(void) {
    pthread_t worker;
    sem_init(&permits, 0, 0);
    pthread_create(&worker, 0, work, 0);
    await();
    pthread_join(worker, 0);
    assert(!late);
    return 0;
}
