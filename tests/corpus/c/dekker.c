//! clean
//! found assertion -DBROKEN
// Dekker's algorithm; broken: a thread does not look at the other's flag again.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], turn, inside;

static void *enter(void *arg) {
    long me = (long)arg, other = 1 - me;
    wants[me] = 1;
#ifdef BROKEN
    if (wants[other] && turn != me) {
        wants[me] = 0;
        while (turn != me && wants[other])
            ;
        wants[me] = 1;
    }
#else
    while (wants[other]) {
        if (turn != me) {
            wants[me] = 0;
            while (turn != me)
                ;
            wants[me] = 1;
        }
    }
#endif
    assert(inside++ == 0);
    inside--;
    turn = other;
    wants[me] = 0;
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, enter, (void *)0L);
    pthread_create(&b, 0, enter, (void *)1L);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
