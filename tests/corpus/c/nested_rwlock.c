//! clean
//! found deadlock -DBROKEN
// Two read locks, each held for writing by one thread; broken: in opposite order.
#include <pthread.h>
static pthread_rwlock_t a = PTHREAD_RWLOCK_INITIALIZER, b = PTHREAD_RWLOCK_INITIALIZER;
static int shared;

static void *one(void *arg) {
    pthread_rwlock_rdlock(&a);
    pthread_rwlock_wrlock(&b);
    shared++;
    pthread_rwlock_unlock(&b);
    pthread_rwlock_unlock(&a);
    return arg;
}

static void *two(void *arg) {
#ifdef BROKEN
    pthread_rwlock_rdlock(&b);
    pthread_rwlock_wrlock(&a);
    shared += 0;
    pthread_rwlock_unlock(&a);
    pthread_rwlock_unlock(&b);
#else
    pthread_rwlock_rdlock(&a);
    pthread_rwlock_wrlock(&b);
    shared++;
    pthread_rwlock_unlock(&b);
    pthread_rwlock_unlock(&a);
#endif
    return arg;
}

int main(void) {
    pthread_t x, y;
    pthread_create(&x, 0, one, 0);
    pthread_create(&y, 0, two, 0);
    pthread_join(x, 0);
    pthread_join(y, 0);
}
