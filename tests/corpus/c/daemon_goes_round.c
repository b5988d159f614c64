//! clean
//! clean -DTOGETHER
//! found assertion -DTOGETHER -DBROKEN
// Threads that never end do not keep main from ending the program.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int turn;

static void *player(void *arg) {
    long me = (long)arg;
    for (;;) {
        while (turn != me)
            ;
#ifdef TOGETHER
        turn = 1 - me;
#endif
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, player, (void *)0L);
    pthread_create(&b, 0, player, (void *)1L);
#ifdef BROKEN
    assert(turn == 0);
#endif
    return 0;
}
