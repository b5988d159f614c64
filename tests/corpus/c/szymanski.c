//! clean
//! found assertion -DBROKEN
// Szymanski's lock for two threads; broken: a thread does not wait for the one that stands in the doorway.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int flag[2];
static atomic_int inside;

static void enter(int me) {
    int other = 1 - me;
    flag[me] = 1;
    while (flag[other] >= 3)
        ;
    flag[me] = 3;
#ifndef BROKEN
    if (flag[other] == 1) {
        flag[me] = 2;
        while (flag[other] != 4)
            ;
    }
    flag[me] = 4;
    if (me == 1)
        while (flag[0] >= 2)
            ;
#endif
}

static void leave(int me) {
    int other = 1 - me;
    if (me == 0)
        for (int seen = flag[other]; seen == 2 || seen == 3; seen = flag[other])
            ;
    flag[me] = 0;
}

static void *run(void *arg) {
    int me = (int)(long)arg;
    enter(me);
    assert(inside++ == 0);
    inside--;
    leave(me);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, run, (void *)0L);
    pthread_create(&b, 0, run, (void *)1L);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
