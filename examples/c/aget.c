// The skeleton of the download accelerator aget: workers add what they have fetched to a common count
// (Yang et al. 2007).
#include <assert.h>
#include <pthread.h>

#ifndef WORKERS
#define WORKERS 5
#endif
#ifndef SECTIONS
#define SECTIONS 2
#endif

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int written;

void *fetch(void *unused) {
    for (int i = 0; i < SECTIONS; i++) {
#ifndef BROKEN
        pthread_mutex_lock(&lock);
#endif
        written += 10;
#ifndef BROKEN
        pthread_mutex_unlock(&lock);
#endif
    }
    return unused;
}

int main(void) {
    pthread_t threads[WORKERS];
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&threads[i], 0, fetch, 0);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], 0);
    assert(written == 10 * WORKERS * SECTIONS);
    return 0;
}
