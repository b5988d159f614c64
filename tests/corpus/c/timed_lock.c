//! found assertion
//! clean {--timeouts last}
//! clean {--timeouts patient}
//! found assertion {--timeouts last} -DSTUCK
//! found assertion {--timeouts patient} -DSTUCK
// A lock and a semaphore with time-outs. STUCK: the thread that holds the lock waits for the other one.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
sem_t posted, never;

void *work(void *unused) {
    pthread_mutex_lock(&lock);
    sem_post(&posted);
#ifdef STUCK
    sem_wait(&never);
#endif
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t worker;
    struct timespec until;
    sem_init(&posted, 0, 0);
    sem_init(&never, 0, 0);
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 5;
    pthread_create(&worker, 0, work, 0);
    assert(sem_timedwait(&posted, &until) == 0);
    assert(pthread_mutex_timedlock(&lock, &until) == 0);
    pthread_mutex_unlock(&lock);
    pthread_join(worker, 0);
    return 0;
}
