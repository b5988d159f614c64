//! clean
//! found race -DBROKEN
// A ticket lock around a plain counter; broken: the ticket is not taken atomically.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int next, serving;
static int count;

static void *work(void *_) {
#ifdef BROKEN
    int mine = next;
    next = mine + 1;
#else
    int mine = atomic_fetch_add(&next, 1);
#endif
    while (atomic_load_explicit(&serving, memory_order_acquire) < mine)
        ;
    count++;
    atomic_store_explicit(&serving, mine + 1, memory_order_release);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
#ifndef BROKEN
    assert(count == 2);
#endif
}
