//! clean
//! found deadlock -DBROKEN
// A bounded buffer with semaphores; broken: the mutex is taken before the semaphore.
#include <pthread.h>
#include <semaphore.h>

static sem_t empty, full;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int buffer, sum;

static void *producer(void *_) {
    for (int i = 1; i <= 2; i++) {
#ifdef BROKEN
        pthread_mutex_lock(&m);
        sem_wait(&empty);
#else
        sem_wait(&empty);
        pthread_mutex_lock(&m);
#endif
        buffer = i;
        pthread_mutex_unlock(&m);
        sem_post(&full);
    }
    return 0;
}

static void *consumer(void *_) {
    for (int i = 1; i <= 2; i++) {
#ifdef BROKEN
        pthread_mutex_lock(&m);
        sem_wait(&full);
#else
        sem_wait(&full);
        pthread_mutex_lock(&m);
#endif
        sum += buffer;
        pthread_mutex_unlock(&m);
        sem_post(&empty);
    }
    return 0;
}

int main(void) {
    sem_init(&empty, 0, 1);
    sem_init(&full, 0, 0);
    pthread_t a, b;
    pthread_create(&a, 0, producer, 0);
    pthread_create(&b, 0, consumer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
