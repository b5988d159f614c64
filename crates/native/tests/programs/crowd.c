/* THREADS threads, one after another, each adding one to COUNTERS counters under the lock of each: nothing races,
   unless, if BROKEN, what the last two do beside that. */
#include <pthread.h>

#ifndef COUNTERS
#define COUNTERS 1
#endif

static pthread_mutex_t locks[COUNTERS];
static int counters[COUNTERS];

static void *add(void *number) {
#ifdef BROKEN
    static int last;
    if ((long)number >= THREADS - 2)
        last++;
#endif
    (void)number;
    for (int i = 0; i < COUNTERS; i++) {
        pthread_mutex_lock(&locks[i]);
        counters[i]++;
        pthread_mutex_unlock(&locks[i]);
    }
    return 0;
}

int main(void) {
    for (int i = 0; i < COUNTERS; i++)
        pthread_mutex_init(&locks[i], 0);
#ifdef TOGETHER
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, add, (void *)(long)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
#else
    for (int i = 0; i < THREADS; i++) {
        pthread_t thread;
        pthread_create(&thread, 0, add, 0);
        pthread_join(thread, 0);
    }
#endif
    return 0;
}
