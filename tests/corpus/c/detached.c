//! clean
//! found race -DBROKEN
// A detached thread tells main that it is done.
#include <pthread.h>
#include <semaphore.h>

static sem_t done;
static int result;

static void *work(void *_) {
    result = 7;
    sem_post(&done);
    return 0;
}

int main(void) {
    sem_init(&done, 0, 0);
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_detach(a);
#ifndef BROKEN
    sem_wait(&done);
#endif
    int seen = result;
    return seen > 7;
}
