//! clean
//! found livelock -DBROKEN
//! clean {--livelock off} -DBROKEN
// Two workers hand work to each other until they are told to stop; broken: they never are.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int stop, full;

static void *producer(void *arg) {
    while (!stop)
        if (!full)
            full = 1;
    return 0;
}

static void *consumer(void *arg) {
    while (!stop)
        if (full)
            full = 0;
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, producer, 0);
    pthread_create(&b, 0, consumer, 0);
#ifndef BROKEN
    stop = 1;
#endif
    pthread_join(a, 0);
    pthread_join(b, 0);
}
