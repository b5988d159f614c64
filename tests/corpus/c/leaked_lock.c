//! clean
//! found deadlock -DBROKEN
// An early return forgets to unlock.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int empty = 1;

static void *work(void *_) {
    pthread_mutex_lock(&m);
    if (empty) {
#ifndef BROKEN
        pthread_mutex_unlock(&m);
#endif
        return 0;
    }
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
