//! clean
//! found assertion|race -DBROKEN
// Lamport's bakery for two threads. Broken: a thread does not show that it is choosing its number.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int choosing[2], number[2], inside;

static void lock(int me) {
    int other = 1 - me;
#ifndef BROKEN
    choosing[me] = 1;
#endif
    int highest = number[other];
    number[me] = highest + 1;
    choosing[me] = 0;
    while (choosing[other])
        ;
    for (;;) {
        int theirs = number[other];
        if (theirs == 0 || theirs > number[me] || (theirs == number[me] && other > me))
            break;
    }
}

static void *work(void *arg) {
    int me = (int)(long)arg;
    lock(me);
    assert(inside++ == 0);
    inside--;
    number[me] = 0;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, work, (void *)0L);
    pthread_create(&b, NULL, work, (void *)1L);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
