//! clean -DTHREADS=2
//! found deadlock -DTHREADS=3
// A barrier for three that only two threads reach.
#include <pthread.h>

static pthread_barrier_t barrier;
static void *work(void *_) { pthread_barrier_wait(&barrier); return 0; }

int main(void) {
    pthread_barrier_init(&barrier, 0, THREADS);
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_barrier_wait(&barrier);
    pthread_join(a, 0);
    pthread_barrier_destroy(&barrier);
}
