//! clean
//! found race -DBROKEN
// An unprotected global counter that no assertion looks at.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long hits;

static void *hit(void *_) {
#ifndef BROKEN
    pthread_mutex_lock(&lock);
#endif
    hits++;
#ifndef BROKEN
    pthread_mutex_unlock(&lock);
#endif
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, hit, 0);
    pthread_create(&b, 0, hit, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
