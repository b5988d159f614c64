//! clean
//! found crash -DBROKEN
// A pointer is checked and then read again after another thread has cleared it.
#include <pthread.h>
#include <stdatomic.h>

static int value = 1;
static _Atomic(int *) pointer = &value;
static int sum;

static void *reads(void *_) {
#ifdef BROKEN
    if (pointer)
        sum += *pointer;
#else
    int *seen = pointer;
    if (seen)
        sum += *seen;
#endif
    return 0;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, reads, 0);
    pointer = 0;
    pthread_join(a, 0);
}
