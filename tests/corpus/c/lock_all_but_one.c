//! clean
//! found deadlock -DBROKEN
// Three philosophers, and a semaphore that lets two of them to the table. Broken: it lets all three.
#include <pthread.h>
#include <semaphore.h>

enum { SEATS = 3 };
static pthread_mutex_t forks[SEATS] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static sem_t table;

static void *eat(void *arg) {
    long seat = (long)arg;
    sem_wait(&table);
    pthread_mutex_lock(&forks[seat]);
    pthread_mutex_lock(&forks[(seat + 1) % SEATS]);
    pthread_mutex_unlock(&forks[(seat + 1) % SEATS]);
    pthread_mutex_unlock(&forks[seat]);
    sem_post(&table);
    return NULL;
}

int main(void) {
#ifdef BROKEN
    sem_init(&table, 0, SEATS);
#else
    sem_init(&table, 0, SEATS - 1);
#endif
    pthread_t threads[SEATS];
    for (long i = 0; i < SEATS; i++)
        pthread_create(&threads[i], NULL, eat, (void *)i);
    for (int i = 0; i < SEATS; i++)
        pthread_join(threads[i], NULL);
}
