//! clean
//! found deadlock -DBROKEN
// Cigarette smokers: the agent gives two of three things. Broken: each smoker takes its two things one after the other.
#include <pthread.h>
#include <semaphore.h>

static sem_t paper, tobacco, match, smokers[3];

static void *smoker(void *arg) {
    long me = (long)arg;
#ifdef BROKEN
    sem_t *things[3] = {&paper, &tobacco, &match};
    if (me == 0) {
        sem_wait(things[0]);
        sem_wait(things[1]);
    } else if (me == 1) {
        sem_wait(things[1]);
        sem_wait(things[2]);
    }
#else
    if (me == 0)
        sem_wait(&smokers[0]);
#endif
    return NULL;
}

int main(void) {
    sem_init(&paper, 0, 0);
    sem_init(&tobacco, 0, 0);
    sem_init(&match, 0, 0);
    for (int i = 0; i < 3; i++)
        sem_init(&smokers[i], 0, 0);
    pthread_t a, b;
    pthread_create(&a, NULL, smoker, (void *)0L);
    pthread_create(&b, NULL, smoker, (void *)1L);
#ifdef BROKEN
    sem_post(&paper);
    sem_post(&tobacco);
    pthread_join(a, NULL);
    sem_post(&tobacco);
    sem_post(&match);
    pthread_join(b, NULL);
#else
    sem_post(&smokers[0]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
#endif
}
