//! clean
//! found assertion -DBROKEN
// A mutex that checks errors tells a thread that it has the lock already; broken: the program expects success.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
static pthread_mutex_t lock;

static void *twice(void *arg) {
    assert(pthread_mutex_lock(&lock) == 0);
#ifdef BROKEN
    assert(pthread_mutex_lock(&lock) == 0);
#else
    assert(pthread_mutex_lock(&lock) == EDEADLK);
#endif
    assert(pthread_mutex_unlock(&lock) == 0);
    return arg;
}

int main(void) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&lock, &attributes);
    pthread_t a, b;
    pthread_create(&a, 0, twice, 0);
    pthread_create(&b, 0, twice, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
