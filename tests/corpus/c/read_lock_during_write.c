//! clean
//! found race -DBROKEN
// A writer that takes the lock for reading.
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int value;

static void *writer(void *_) {
#ifdef BROKEN
    pthread_rwlock_rdlock(&l);
#else
    pthread_rwlock_wrlock(&l);
#endif
    value++;
    pthread_rwlock_unlock(&l);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, writer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
