//! clean {--timeouts last}
//! clean {--timeouts patient}
//! found assertion {--timeouts last} -DSTUCK
//! found assertion {--timeouts patient} -DSTUCK
// The poller sleeps between two looks at the clock.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/time.h>
#include <unistd.h>

atomic_int done;

void *work(void *unused) {
#ifndef STUCK
    done = 1;
#endif
    return unused;
}

int main(void) {
    pthread_t worker;
    struct timeval start, now;
    gettimeofday(&start, 0);
    pthread_create(&worker, 0, work, 0);
    while (!done) {
        gettimeofday(&now, 0);
        assert(now.tv_sec - start.tv_sec < 5);
        usleep(1000);
    }
    pthread_join(worker, 0);
    return 0;
}
