//! clean
//! found memory -DBROKEN
// Two threads append to an allocated array with a shared index; broken: they look at the index before they take the lock.
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *items;
static _Atomic int used = 3;

static void *append(void *arg) {
#ifdef BROKEN
    if (used >= 4)
        return arg;
#endif
    pthread_mutex_lock(&lock);
#ifndef BROKEN
    if (used < 4)
#endif
        items[used++] = 1;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    items = calloc(4, sizeof *items);
    pthread_t a, b;
    pthread_create(&a, 0, append, 0);
    pthread_create(&b, 0, append, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    free(items);
}
