/* A variable of main is used when main has left it: by a thread that main has waited for in vain (CASE 1), in a handler (CASE 2), or
   not at all, because main does not return: it calls exit (CASE 3) or ends as a thread (CASE 4). In CASE 5 a handler has
   a variable of its own where main had its. */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>

static sem_t begun, given;
static _Atomic(int *) kept;

static void *user(void *number) {
    sem_post(&begun);
#if CASE == 5
    sem_wait(&given);
    number = kept;
#endif
    *(int *)number = 1;
    sem_post(&begun);
    return NULL;
}

static void handler(void) {
#if CASE == 2
    *kept = 2;
#elif CASE == 5
    int own = 0;
    kept = &own;
    sem_post(&given);
    sem_wait(&begun);
#endif
}

int main(void) {
    int number = 0;
    sem_init(&begun, 0, 0);
    sem_init(&given, 0, 0);
    kept = &number;
    atexit(handler);
#if CASE != 2
    pthread_t thread;
    pthread_create(&thread, NULL, user, &number);
    sem_wait(&begun);
#endif
#if CASE == 3
    exit(0);
#elif CASE == 4
    pthread_exit(NULL);
#endif
    return 0;
}
