//! clean
//! found assertion -DBROKEN
// A timed wait can time out before the signal; broken: the time-out is taken for success.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void *sets(void *_) {
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, sets, 0);
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 1;
    pthread_mutex_lock(&m);
    int status = 0;
    while (!ready && status != ETIMEDOUT)
        status = pthread_cond_timedwait(&c, &m, &until);
#ifdef BROKEN
    assert(ready);
#else
    assert(ready || status == ETIMEDOUT);
#endif
    pthread_mutex_unlock(&m);
    pthread_join(a, 0);
}
