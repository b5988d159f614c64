//! clean
//! found livelock -DBROKEN
// Two threads want the same thing, and each lets the other one go first. Broken: no thread ever takes it, because each lowers its flag
// only to raise it again, and waits for a turn that both give away.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2];
static atomic_int turn;
static atomic_int inside;

static void *worker(void *arg) {
    long me = (long)arg;
#ifdef BROKEN
    while (inside != 1) {
        wants[me] = 1;
        turn = 1 - me;
        wants[me] = 0;
    }
#else
    wants[me] = 1;
    turn = 1 - me;
    while (wants[1 - me] && turn != me)
        ;
    inside = inside + 1;
    inside = inside - 1;
    wants[me] = 0;
#endif
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, (void *)0L);
    pthread_create(&b, 0, worker, (void *)1L);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
