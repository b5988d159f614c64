//! clean
//! found memory|race -DBROKEN
// Readers count themselves in and out, and the writer waits for them before it frees. Broken: it does not wait.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) shared;
static atomic_int readers;

static void *reader(void *sum) {
    atomic_fetch_add(&readers, 1);
    *(int *)sum = *atomic_load(&shared);
    atomic_fetch_sub(&readers, 1);
    return NULL;
}

int main(void) {
    int *old = malloc(sizeof *old), *new = malloc(sizeof *new), sums[2];
    *old = 1;
    *new = 2;
    atomic_store(&shared, old);
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, reader, &sums[i]);
    atomic_store(&shared, new);
#ifndef BROKEN
    while (atomic_load(&readers) != 0)
        ;
#endif
    free(old);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    free(new);
}
