//! clean
//! found livelock -DBROKEN
// Two threads take turns by two semaphores; broken: they never stop.
#include <pthread.h>
#include <semaphore.h>

static sem_t ready[2];

static void *player(void *arg) {
    long me = (long)arg;
#ifdef BROKEN
    for (;;) {
#else
    for (int round = 0; round < 3; round++) {
#endif
        sem_wait(&ready[me]);
        sem_post(&ready[1 - me]);
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    sem_init(&ready[0], 0, 1);
    sem_init(&ready[1], 0, 0);
    pthread_create(&a, 0, player, (void *)0L);
    pthread_create(&b, 0, player, (void *)1L);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
