//! clean
//! found livelock -DBROKEN
// Two threads take turns by a condition variable; broken: they never stop.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int turn;

static void *player(void *arg) {
    int me = (int)(long)arg;
#ifdef BROKEN
    for (;;) {
#else
    for (int round = 0; round < 2; round++) {
#endif
        pthread_mutex_lock(&mutex);
        while (turn != me)
            pthread_cond_wait(&changed, &mutex);
        turn = 1 - me;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&mutex);
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
