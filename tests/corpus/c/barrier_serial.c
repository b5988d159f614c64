//! clean
//! found assertion -DBROKEN
// The thread that a barrier calls serial sums up; broken: the first thread does so without the barrier.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static pthread_barrier_t barrier;
static atomic_int parts[3], sums;

static void *work(void *arg) {
    int me = (int)(long)arg;
    parts[me] = me + 1;
#ifdef BROKEN
    int serial = me == 0;
#else
    int serial = pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
#endif
    if (serial) {
        sums++;
        assert(parts[0] + parts[1] + parts[2] == 6);
    }
    return 0;
}

int main(void) {
    pthread_t t[3];
    pthread_barrier_init(&barrier, 0, 3);
    for (long n = 0; n < 3; n++)
        pthread_create(&t[n], 0, work, (void *)n);
    for (int n = 0; n < 3; n++)
        pthread_join(t[n], 0);
    assert(sums == 1);
    pthread_barrier_destroy(&barrier);
}
