// Threads copy each other's tokens in a ring (SCTBench). -DBROKEN: no thread waits for the others to be done.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int token[3] = {1, 1, 1};

void *pass(void *argument) {
    int own = (int)(long)argument;
    pthread_mutex_lock(&lock);
    token[own] = token[(own + 2) % 3] + 1;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t threads[3];
    for (long i = 0; i < 3; i++) {
        pthread_create(&threads[i], 0, pass, (void *)i);
#ifndef BROKEN
        pthread_join(threads[i], 0);
#endif
    }
#ifdef BROKEN
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
#endif
    assert(token[0] == 2 && token[1] == 3 && token[2] == 4);
    return 0;
}
