//! clean
//! found assertion -DBROKEN
// A buffer of each thread's own; broken: all threads share it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef BROKEN
static atomic_int scratch;
#else
static _Thread_local atomic_int scratch;
#endif

static void *work(void *arg) {
    scratch = (int)(long)arg;
    assert(scratch == (int)(long)arg);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, (void *)1L);
    pthread_create(&b, 0, work, (void *)2L);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
