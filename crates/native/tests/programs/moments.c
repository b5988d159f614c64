// Waits until a moment. -DCASE=1: a second is added to the nanoseconds and, -DBROKEN, not carried over: there is no such moment,
// so that nobody waits, and the mutex is never given back. -DCASE=2: what each function says of such a moment.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
sem_t tokens;
int ready;

#if CASE == 1
void *other(void *unused) {
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&lock);
    return unused;
}

void first(void) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 1000000000;
#ifndef BROKEN
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
#endif
    pthread_mutex_lock(&lock);
    while (!ready && pthread_cond_timedwait(&condition, &lock, &until) != ETIMEDOUT)
        ;
    pthread_mutex_unlock(&lock);
}
#else
void *other(void *unused) {
    struct timespec none = {1, 1000000000}, before = {1, -1}, once = {1, 0};
    // Who can have the mutex at once is not told; who would wait is.
    assert(pthread_mutex_timedlock(&lock, &none) == 0);
    assert(pthread_mutex_timedlock(&lock, &before) == EINVAL);
    assert(pthread_mutex_timedlock(&lock, &once) == ETIMEDOUT);
    assert(pthread_mutex_clocklock(&lock, CLOCK_PROCESS_CPUTIME_ID, &once) == EINVAL);
    assert(pthread_cond_timedwait(&condition, &lock, &none) == EINVAL);
    assert(pthread_cond_clockwait(&condition, &lock, CLOCK_PROCESS_CPUTIME_ID, &once) == EINVAL);
    assert(pthread_cond_clockwait(&condition, &lock, CLOCK_MONOTONIC, &once) == ETIMEDOUT);
    pthread_mutex_unlock(&lock);
    assert(pthread_rwlock_timedrdlock(&shared, &none) == EINVAL);
    assert(pthread_rwlock_timedwrlock(&shared, &once) == 0);
    assert(pthread_rwlock_timedrdlock(&shared, &once) == EDEADLK);
    assert(pthread_rwlock_clockwrlock(&shared, CLOCK_MONOTONIC, &once) == EDEADLK);
    pthread_rwlock_unlock(&shared);
    sem_post(&tokens);
    assert(sem_timedwait(&tokens, &none) == -1 && errno == EINVAL);
    assert(sem_timedwait(&tokens, &once) == 0);
    assert(sem_clockwait(&tokens, CLOCK_MONOTONIC, &once) == -1 && errno == ETIMEDOUT);
    assert(nanosleep(&before, 0) == -1 && errno == EINVAL);
    assert(clock_nanosleep(CLOCK_MONOTONIC, 0, &none, 0) == EINVAL);
    return unused;
}

void first(void) {}
#endif

int main(void) {
    pthread_t thread;
    sem_init(&tokens, 0, 0);
    pthread_create(&thread, 0, other, 0);
    first();
    pthread_join(thread, 0);
    return 0;
}
