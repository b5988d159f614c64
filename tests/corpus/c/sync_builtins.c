//! clean
//! found assertion -DBROKEN
// A lock by the old builtins. Broken: it looks before it sets.
#include <assert.h>
#include <pthread.h>
#include <sched.h>

static int lock, inside;

static void *work(void *unused) {
#ifdef BROKEN
    while (__sync_fetch_and_add(&lock, 0))
        sched_yield();
    __sync_fetch_and_add(&lock, 1);
#else
    while (__sync_lock_test_and_set(&lock, 1))
        sched_yield();
#endif
    assert(__sync_fetch_and_add(&inside, 1) == 0);
    __sync_fetch_and_sub(&inside, 1);
    __sync_lock_release(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
}
