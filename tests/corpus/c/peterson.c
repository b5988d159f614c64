//! clean
//! found assertion -DBROKEN
// Peterson's algorithm with atomics; broken: the turn is given before the flag is raised.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag[2], turn, inside;

static void *enter(void *arg) {
    long me = (long)arg, other = 1 - me;
#ifdef BROKEN
    turn = other;
    flag[me] = 1;
#else
    flag[me] = 1;
    turn = other;
#endif
    while (flag[other] && turn == other)
        ;
    assert(inside++ == 0);
    inside--;
    flag[me] = 0;
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, enter, (void *)0L);
    pthread_create(&b, 0, enter, (void *)1L);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
