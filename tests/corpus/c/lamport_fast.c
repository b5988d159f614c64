//! clean
//! found assertion -DBROKEN
// Lamport's fast lock for two threads; broken: it does not look again whether y was taken over.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y, b[3], inside;

static void enter(int me) {
    for (;;) {
        b[me] = 1;
        x = me;
        if (y != 0) {
            b[me] = 0;
            while (y != 0)
                ;
            continue;
        }
        y = me;
#ifndef BROKEN
        if (x != me) {
            b[me] = 0;
            for (int other = 1; other <= 2; other++)
                while (b[other])
                    ;
            if (y != me) {
                while (y != 0)
                    ;
                continue;
            }
        }
#endif
        return;
    }
}

static void *run(void *arg) {
    int me = (int)(long)arg;
    enter(me);
    assert(inside++ == 0);
    inside--;
    y = 0;
    b[me] = 0;
    return 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, run, (void *)1L);
    pthread_create(&two, 0, run, (void *)2L);
    pthread_join(one, 0);
    pthread_join(two, 0);
}
