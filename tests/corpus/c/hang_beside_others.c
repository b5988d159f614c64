//! found hang
//! clean -DENDS
// A thread never finishes. Another thread can still run, and cannot change that.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int shared;

static void *hangs(void *_) {
#ifndef ENDS
    for (;;)
        ;
#endif
    return 0;
}

static void *runs(void *_) {
    for (int i = 0; i < 3; i++)
        shared++;
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, hangs, 0);
    pthread_create(&b, 0, runs, 0);
    pthread_join(b, 0);
    pthread_join(a, 0);
}
