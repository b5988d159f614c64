//! clean
//! found livelock -DBROKEN
//! found livelock {--search dfs} -DBROKEN
//! clean {--livelock off} -DBROKEN
// Two threads hand a token to each other; broken: they never stop.
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
        turn = 1 - me;
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, player, (void *)0L);
    pthread_create(&b, 0, player, (void *)1L);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
