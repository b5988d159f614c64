//! clean
//! found race -DBROKEN
// Each element of an array has its lock. Broken: the lock is chosen by another formula for one of the threads.
#include <pthread.h>

static int cells[4];
static pthread_mutex_t locks[4] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                   PTHREAD_MUTEX_INITIALIZER};

static void *work(void *arg) {
    int by = (int)(long)arg;
    for (int i = 0; i < 3; i++) {
        int lock = (i * by) % 4;
#ifdef BROKEN
        int cell = i % 4;
#else
        int cell = lock;
#endif
        pthread_mutex_lock(&locks[lock]);
        cells[cell]++;
        pthread_mutex_unlock(&locks[lock]);
    }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, work, (void *)1L);
    pthread_create(&b, NULL, work, (void *)3L);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
