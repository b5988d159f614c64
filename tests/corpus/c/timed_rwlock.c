//! found assertion
//! found assertion -DREAD
//! found assertion -DJOIN
//! clean {--timeouts last}
//! clean {--timeouts last} -DREAD
//! clean {--timeouts last} -DJOIN
//! clean {--timeouts patient}
//! clean {--timeouts patient} -DREAD
//! clean {--timeouts patient} -DJOIN
//! found assertion {--timeouts last} -DSTUCK
//! found assertion {--timeouts last} -DSTUCK -DREAD
//! found assertion {--timeouts last} -DSTUCK -DJOIN
//! found assertion {--timeouts patient} -DSTUCK -DJOIN
// Read-write locks and joins with time-outs. STUCK: the other thread waits for ever with the lock.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
sem_t begun, never;

void *work(void *unused) {
    pthread_rwlock_wrlock(&lock);
    sem_post(&begun);
#ifdef STUCK
    sem_wait(&never);
#endif
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t worker;
    struct timespec until;
    sem_init(&begun, 0, 0);
    sem_init(&never, 0, 0);
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 5;
    pthread_create(&worker, 0, work, 0);
    sem_wait(&begun);
#ifdef JOIN
    assert(pthread_timedjoin_np(worker, 0, &until) == 0);
#else
#ifdef READ
    assert(pthread_rwlock_timedrdlock(&lock, &until) == 0);
#else
    assert(pthread_rwlock_timedwrlock(&lock, &until) == 0);
#endif
    pthread_rwlock_unlock(&lock);
    pthread_join(worker, 0);
#endif
    return 0;
}
