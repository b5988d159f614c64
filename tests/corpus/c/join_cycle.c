//! clean
//! found deadlock|misuse -DBROKEN
// Broken: two threads join each other.
#include <pthread.h>
#include <semaphore.h>

static pthread_t first, second;
static sem_t known;

static void *join_second(void *unused) {
    sem_wait(&known);
    pthread_join(second, NULL);
    return unused;
}

static void *join_first(void *unused) {
#ifdef BROKEN
    pthread_join(first, NULL);
#endif
    return unused;
}

int main(void) {
    sem_init(&known, 0, 0);
    pthread_create(&first, NULL, join_second, NULL);
    pthread_create(&second, NULL, join_first, NULL);
    sem_post(&known);
#ifdef BROKEN
    pthread_exit(NULL);
#else
    pthread_join(first, NULL);
#endif
}
