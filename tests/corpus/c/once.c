//! clean
//! found assertion -DBROKEN
// pthread_once against a flag.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static atomic_int started, calls;

static void init(void) { calls++; }

static void *work(void *_) {
#ifdef BROKEN
    if (!started) {
        started = 1;
        init();
    }
#else
    pthread_once(&once, init);
#endif
    assert(calls == 1);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
