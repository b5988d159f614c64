//! clean
//! found race -DBROKEN
// A post publishes what was written before it. Broken: the write comes after the post.
#include <pthread.h>
#include <semaphore.h>

static sem_t ready;
static int data;

static void *work(void *unused) {
#ifdef BROKEN
    sem_post(&ready);
    data = 1;
#else
    data = 1;
    sem_post(&ready);
#endif
    return unused;
}

int main(void) {
    sem_init(&ready, 0, 0);
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    sem_wait(&ready);
    int seen = data;
    pthread_join(thread, NULL);
    return seen == 2;
}
