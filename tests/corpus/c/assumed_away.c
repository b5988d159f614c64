//! clean
//! found livelock -DBROKEN
// A thread whose assumption fails stops, and what the others do then says nothing.
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_assume(int);
static atomic_int started, stop, turn;

static void *stopper(void *arg) {
    started = 1;
#ifndef BROKEN
    __VERIFIER_assume(turn == 0);
    stop = 1;
#endif
    return 0;
}

static void *player(void *arg) {
    long me = (long)arg;
    while (!stop) {
        if (turn == me)
            turn = 1 - me;
    }
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, player, (void *)0L);
    pthread_create(&b, 0, player, (void *)1L);
    pthread_create(&c, 0, stopper, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
}
