// Threads that are blocked for ever when main returns, and wait for no lock of each other.
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static sem_t never;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_t other;

static void *sleep_for_ever(void *unused) {
    sem_wait(&never);
    return unused;
}

static void *take(void *unused) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *leave(void *unused) {
    exit(0);
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&never, 0, 0);
#if CASE == 0
    pthread_create(&thread, 0, sleep_for_ever, 0);
#elif CASE == 1
    // It would be let go on if the program did not end.
    pthread_mutex_lock(&mutex);
    pthread_create(&thread, 0, take, 0);
#elif CASE == 2
    // That main waits is how the program goes on.
    pthread_create(&thread, 0, leave, 0);
    pthread_join(thread, 0);
#endif
    return 0;
}
