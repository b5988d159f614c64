//! found assertion
//! clean {--timeouts last}
//! clean {--timeouts patient}
//! found assertion {--timeouts last} -DSTUCK
//! found assertion {--timeouts patient} -DSTUCK
//! found assertion {--timeouts patient} -DSHORT
//! clean {--timeouts last} -DSHORT
// A wait of five seconds for a thread that can run. SHORT: of a tenth of a second.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int done;

void *work(void *unused) {
    pthread_mutex_lock(&lock);
#ifndef STUCK
    done = 1;
#endif
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t worker;
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
#ifdef SHORT
    until.tv_nsec += 100000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
#else
    until.tv_sec += 5;
#endif
    pthread_create(&worker, 0, work, 0);
    pthread_mutex_lock(&lock);
    while (!done) {
        int result = pthread_cond_timedwait(&changed, &lock, &until);
        assert(result != ETIMEDOUT || done);
    }
    pthread_mutex_unlock(&lock);
    pthread_join(worker, 0);
    return 0;
}
