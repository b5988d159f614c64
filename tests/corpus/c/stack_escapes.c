//! clean
//! found memory -DBROKEN
// A thread uses a local variable of a function that may have returned.
#include <pthread.h>
#include <stdatomic.h>

static pthread_t a;

static void *work(void *p) {
    atomic_fetch_add((atomic_int *)p, 1);
    return 0;
}

static void start(void) {
    atomic_int local = 0;
    pthread_create(&a, 0, work, &local);
#ifndef BROKEN
    pthread_join(a, 0);
#endif
}

int main(void) {
    start();
#ifdef BROKEN
    pthread_join(a, 0);
#endif
}
