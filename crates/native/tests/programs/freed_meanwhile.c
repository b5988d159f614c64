/* A reader has the address of a block that a writer replaces and, if BROKEN, frees while the reader is about to look. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) current;

static void *reader(void *unused) {
    int *seen = atomic_load(&current);
    if (*seen != 1 && *seen != 2)
        abort();
    return unused;
}

static void *writer(void *unused) {
    int *next = malloc(sizeof *next);
    *next = 2;
    int *old = atomic_exchange(&current, next);
#ifdef BROKEN
    free(old);
    return unused;
#else
    return old;
#endif
}

int main(void) {
    int *first = malloc(sizeof *first);
    *first = 1;
    current = first;
    pthread_t a, b;
    pthread_create(&a, 0, reader, 0);
    pthread_create(&b, 0, writer, 0);
    void *old;
    pthread_join(a, 0);
    pthread_join(b, &old);
    free(old);
    free(current);
    return 0;
}
