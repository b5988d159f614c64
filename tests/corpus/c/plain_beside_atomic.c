//! clean
//! found race -DBROKEN
// A variable that is updated atomically. Broken: one thread reads it by a plain pointer.
#include <pthread.h>

static int counter;

static void *work(void *unused) {
    __atomic_fetch_add(&counter, 1, __ATOMIC_SEQ_CST);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
#ifdef BROKEN
    int seen = counter;
#else
    int seen = __atomic_load_n(&counter, __ATOMIC_SEQ_CST);
#endif
    pthread_join(thread, NULL);
    return seen == 2;
}
