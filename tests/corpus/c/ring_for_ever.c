//! clean
//! found livelock -DBROKEN
// Three threads hand a token round; broken: they never stop.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int turn;

static void *player(void *arg) {
    long me = (long)arg;
#ifdef BROKEN
    for (;;) {
#else
    for (int round = 0; round < 2; round++) {
#endif
        while (turn != me)
            ;
        turn = (me + 1) % 3;
    }
    return 0;
}

int main(void) {
    pthread_t threads[3];
    for (long i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, player, (void *)i);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
}
