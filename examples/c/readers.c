// One thread writes what several others read: 2 to the power of the readers' number (Abdulla et al. 2014).
#include <pthread.h>
#include <stdatomic.h>

#ifndef READERS
#define READERS 8
#endif

_Atomic int x;

void *write_x(void *unused) {
    x = 1;
    return unused;
}

void *read_x(void *unused) {
    int seen = x;
    (void)seen;
    return unused;
}

int main(void) {
    pthread_t threads[READERS + 1];
    pthread_create(&threads[0], 0, write_x, 0);
    for (int i = 1; i <= READERS; i++)
        pthread_create(&threads[i], 0, read_x, 0);
    for (int i = 0; i <= READERS; i++)
        pthread_join(threads[i], 0);
    return 0;
}
