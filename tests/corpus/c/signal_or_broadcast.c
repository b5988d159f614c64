//! clean
//! found deadlock -DBROKEN
// Two waiters for different conditions share one condition variable: signal can wake the wrong one.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int turn;

static void *waits_for(void *which) {
    long mine = (long)which;
    pthread_mutex_lock(&m);
    while (turn != mine)
        pthread_cond_wait(&c, &m);
    turn = mine == 1 ? 2 : 0;
#ifdef BROKEN
    pthread_cond_signal(&c);
#else
    pthread_cond_broadcast(&c);
#endif
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, waits_for, (void *)1L);
    pthread_create(&b, 0, waits_for, (void *)2L);
    pthread_mutex_lock(&m);
    turn = 1;
#ifdef BROKEN
    pthread_cond_signal(&c);
#else
    pthread_cond_broadcast(&c);
#endif
    pthread_mutex_unlock(&m);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
