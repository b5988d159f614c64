// Dining philosophers. -DBROKEN: all of them take the left fork first.
#include <pthread.h>

#ifndef N
#define N 3
#endif

pthread_mutex_t forks[N];

void *dine(void *argument) {
    int left = (int)(long)argument, right = (left + 1) % N;
#ifndef BROKEN
    if (left > right) {
        int other = left;
        left = right;
        right = other;
    }
#endif
    pthread_mutex_lock(&forks[left]);
    pthread_mutex_lock(&forks[right]);
    pthread_mutex_unlock(&forks[right]);
    pthread_mutex_unlock(&forks[left]);
    return 0;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_mutex_init(&forks[i], 0);
    for (long i = 0; i < N; i++)
        pthread_create(&threads[i], 0, dine, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], 0);
    return 0;
}
