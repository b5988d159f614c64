//! clean
//! found race -DBROKEN
// A thread works only if it gets the lock; broken: it works anyway.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void *work(void *_) {
#ifdef BROKEN
    int got = pthread_mutex_trylock(&m) == 0;
    value++;
    if (got)
        pthread_mutex_unlock(&m);
#else
    if (pthread_mutex_trylock(&m) == 0) {
        value++;
        pthread_mutex_unlock(&m);
    }
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
