//! clean
//! found race|assertion -DBROKEN
// A semaphore used as a lock; broken: it begins with two permits.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
static sem_t permits;
static int count;

static void *add(void *arg) {
    sem_wait(&permits);
    count++;
    sem_post(&permits);
    return arg;
}

int main(void) {
#ifdef BROKEN
    sem_init(&permits, 0, 2);
#else
    sem_init(&permits, 0, 1);
#endif
    pthread_t a, b;
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(count == 2);
}
