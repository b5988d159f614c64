// Three threads take one lock each once: six orders (Yang et al. 2007, figure 7).
#include <pthread.h>

#ifndef THREADS
#define THREADS 3
#endif

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *take(void *unused) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, take, 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    return 0;
}
