//! found hang
//! clean -DENDS
// A thread that never finishes and does nothing that others could see.
#include <pthread.h>

static void *work(void *_) { return 0; }

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_join(a, 0);
#ifndef ENDS
    for (;;)
        ;
#endif
}
