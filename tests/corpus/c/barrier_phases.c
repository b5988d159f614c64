//! clean
//! found race -DBROKEN
// Each thread writes its cell, then reads its neighbour's; a barrier separates the two.
#include <pthread.h>

enum { N = 2 };
static pthread_barrier_t barrier;
static int cell[N], seen[N];

static void *work(void *arg) {
    long me = (long)arg;
    cell[me] = me + 1;
#ifndef BROKEN
    pthread_barrier_wait(&barrier);
#endif
    seen[me] = cell[(me + 1) % N];
    return 0;
}

int main(void) {
    pthread_barrier_init(&barrier, 0, N);
    pthread_t t[N];
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], 0, work, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
}
