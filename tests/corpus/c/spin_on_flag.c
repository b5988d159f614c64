//! clean
//! found hang -DBROKEN
// A thread waits in a loop for a flag that only one path sets.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int go, early;

static void *worker(void *_) {
    early = 1;
    while (!go)
        ;
    return 0;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, worker, 0);
#ifdef BROKEN
    if (early)
        go = 1;
#else
    go = 1;
#endif
    pthread_join(a, 0);
}
