//! clean
//! found deadlock -DBROKEN
// A reader that wants to write without giving its read lock back.
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int value;

static void *work(void *_) {
    pthread_rwlock_rdlock(&l);
    int seen = value;
#ifndef BROKEN
    pthread_rwlock_unlock(&l);
    pthread_rwlock_wrlock(&l);
    value = seen + 1;
    pthread_rwlock_unlock(&l);
#else
    /* Linux's own rwlock reports EDEADLK only to the writer; two readers that wait for each other do not end. */
    if (pthread_rwlock_wrlock(&l) == 0) {
        value = seen + 1;
        pthread_rwlock_unlock(&l);
    }
    pthread_rwlock_unlock(&l);
#endif
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
