// A sender and a receiver share a ring without locks (SCTBench). -DBROKEN: the place is announced before it is filled.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define PLACES 4
#ifndef ITEMS
#define ITEMS 3
#endif

int buffer[PLACES];
atomic_uint in, out;

void *send(void *unused) {
    for (int i = 1; i <= ITEMS; i++) {
        unsigned at = in;
#ifdef BROKEN
        in = at + 1;
        buffer[at % PLACES] = i;
#else
        buffer[at % PLACES] = i;
        in = at + 1;
#endif
    }
    return unused;
}

void *receive(void *unused) {
    for (int i = 1; i <= ITEMS; i++) {
        while (in == out)
            ;
        unsigned at = out;
        assert(buffer[at % PLACES] == i);
        out = at + 1;
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, send, 0);
    pthread_create(&b, 0, receive, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
