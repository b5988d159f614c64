// One thread looks for the last element that is zero while others change them (Abdulla et al. 2014).
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 5
#endif

_Atomic int array[N + 1];

void *search(void *unused) {
    int i;
    for (i = N; array[i] != 0; i--)
        ;
    return (void *)(long)i;
    (void)unused;
}

void *change(void *argument) {
    long j = (long)argument;
    array[j] = array[j - 1] + 1;
    return 0;
}

int main(void) {
    pthread_t threads[N + 1];
    pthread_create(&threads[0], 0, search, 0);
    for (long j = 1; j <= N; j++)
        pthread_create(&threads[j], 0, change, (void *)j);
    for (int j = 0; j <= N; j++)
        pthread_join(threads[j], 0);
    return 0;
}
