// Two threads meet at a barrier; one of them is the serial one.
#include <assert.h>
#include <pthread.h>

pthread_barrier_t barrier;
int arrived[2], serial;

void *meet(void *argument) {
    long own = (long)argument;
    arrived[own] = 1;
#ifndef BROKEN
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
        serial++;
#endif
    assert(arrived[1 - own] == 1);
    return 0;
}

int main(void) {
    pthread_t threads[2];
    pthread_barrier_init(&barrier, 0, 2);
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, meet, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    assert(serial == 1);
    pthread_barrier_destroy(&barrier);
    return 0;
}
