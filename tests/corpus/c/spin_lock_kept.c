//! clean
//! found hang -DBROKEN
//! found livelock -DBROKEN -DPOLLS
// A spin lock that its holder never gives back, while others wait for it, or poll.
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag lock = ATOMIC_FLAG_INIT;
static atomic_int ticks, done;

static void *holder(void *arg) {
    while (atomic_flag_test_and_set(&lock))
        ;
#ifndef BROKEN
    atomic_flag_clear(&lock);
#endif
    return 0;
}

static void *poller(void *arg) {
    while (!done)
        ticks = 1 - ticks;
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, holder, 0);
    pthread_create(&b, 0, holder, 0);
#ifdef POLLS
    pthread_create(&c, 0, poller, 0);
#endif
    pthread_join(a, 0);
    pthread_join(b, 0);
    done = 1;
#ifdef POLLS
    pthread_join(c, 0);
#endif
}
