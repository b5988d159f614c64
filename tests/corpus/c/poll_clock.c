//! clean {--timeouts last}
//! clean {--timeouts patient}
//! found assertion
//! found assertion {--timeouts last} -DSTUCK
//! found assertion {--timeouts patient} -DSTUCK
//! found assertion {--timeouts last} -DBROKEN
// A thread polls a flag and the clock. The time-out comes early only if time passes while the worker can run.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>

atomic_int done;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

void *work(void *unused) {
#ifdef STUCK
    pthread_mutex_lock(&lock);
#endif
    done = 1;
    return unused;
}

int main(void) {
    pthread_t worker;
    pthread_mutex_lock(&lock);
    pthread_create(&worker, 0, work, 0);
    long start = now();
    while (!done) {
        if (now() - start > 500) {
#ifdef BROKEN
            break;
#endif
            assert(!"time-out");
        }
        sched_yield();
    }
    pthread_mutex_unlock(&lock);
    pthread_join(worker, 0);
#ifdef BROKEN
    assert(!"comes here in any case");
#endif
    return 0;
}
