//! clean
//! found misuse -DBROKEN
// A thread is joined twice.
#include <pthread.h>

static void *work(void *_) { return 0; }

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_join(a, 0);
#ifdef BROKEN
    pthread_join(a, 0);
#endif
}
