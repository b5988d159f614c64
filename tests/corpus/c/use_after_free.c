//! clean
//! found memory -DBROKEN
// The last user of a shared object frees it; broken: the count goes down before the last use.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct shared { atomic_int users; atomic_int value; };

static void release(struct shared *s) {
#ifdef BROKEN
    int last = atomic_fetch_sub(&s->users, 1) == 1;
    s->value++;
    if (last)
        free(s);
#else
    s->value++;
    if (atomic_fetch_sub(&s->users, 1) == 1)
        free(s);
#endif
}

static void *work(void *s) { release(s); return 0; }

int main(void) {
    struct shared *s = malloc(sizeof *s);
    s->users = 2;
    s->value = 0;
    pthread_t a;
    pthread_create(&a, 0, work, s);
    release(s);
    pthread_join(a, 0);
}
