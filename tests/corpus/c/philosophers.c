//! clean -DN=3
//! found deadlock -DN=3 -DBROKEN
// Dining philosophers; the last one takes the forks in the other order.
#include <pthread.h>

static pthread_mutex_t fork[N];

static void *dine(void *arg) {
    long me = (long)arg;
    long first = me, second = (me + 1) % N;
#ifndef BROKEN
    if (me == N - 1) {
        long swap = first;
        first = second;
        second = swap;
    }
#endif
    pthread_mutex_lock(&fork[first]);
    pthread_mutex_lock(&fork[second]);
    pthread_mutex_unlock(&fork[second]);
    pthread_mutex_unlock(&fork[first]);
    return 0;
}

int main(void) {
    pthread_t t[N];
    for (long i = 0; i < N; i++)
        pthread_mutex_init(&fork[i], 0);
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], 0, dine, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
}
