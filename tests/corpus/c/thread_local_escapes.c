//! clean
//! found memory|race|crash -DBROKEN
// A pointer to a thread's own variable is handed out. Broken: it is used after the thread has ended.
#include <pthread.h>
#include <semaphore.h>

static _Thread_local int own;
static int *handed;
static sem_t given, done;

static void *work(void *unused) {
    own = 3;
    handed = &own;
    sem_post(&given);
#ifndef BROKEN
    sem_wait(&done);
#endif
    return unused;
}

int main(void) {
    sem_init(&given, 0, 0);
    sem_init(&done, 0, 0);
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    sem_wait(&given);
#ifdef BROKEN
    pthread_join(thread, NULL);
    int seen = *handed;
#else
    int seen = *handed;
    sem_post(&done);
    pthread_join(thread, NULL);
#endif
    return seen == 4;
}
