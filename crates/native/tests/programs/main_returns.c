// main returns while a thread lives on: handlers run at once, and the thread may see what they do.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int closed;

void close_all(void) {
    closed = 1;
}

void *work(void *unused) {
    assert(!closed);
    return unused;
}

int main(void) {
    pthread_t other;
    atexit(close_all);
    pthread_create(&other, 0, work, 0);
#ifndef BROKEN
    pthread_join(other, 0);
#endif
    return 0;
}
