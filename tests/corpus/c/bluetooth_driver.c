//! clean
//! found assertion -DBROKEN
// A driver is stopped while a request begins; broken: the flag is looked at before the count goes up.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int stopping, pending = 1, stopped;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t drained = PTHREAD_COND_INITIALIZER;

static void leave(void) {
    if (--pending == 0) {
        pthread_mutex_lock(&m);
        pthread_cond_signal(&drained);
        pthread_mutex_unlock(&m);
    }
}

static void *request(void *_) {
#ifdef BROKEN
    if (stopping)
        return 0;
    pending++;
#else
    pending++;
    if (stopping) {
        leave();
        return 0;
    }
#endif
    assert(!stopped);
    leave();
    return 0;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, request, 0);
    stopping = 1;
    leave();
    pthread_mutex_lock(&m);
    while (pending > 0)
        pthread_cond_wait(&drained, &m);
    pthread_mutex_unlock(&m);
    stopped = 1;
    pthread_join(a, 0);
}
