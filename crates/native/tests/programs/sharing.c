/* Threads that read under a read-write lock, and threads that write under it. READERS, WRITERS: how many of each. With MEET, two
   readers wait for each other before they give the lock back, so that a writer comes before both or behind both. With PREFERS, no
   reader gets the lock while a writer waits for it. With STATUS the exit status is what the first reader has seen. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

#ifndef READERS
#define READERS 2
#endif
#ifndef WRITERS
#define WRITERS 1
#endif

#ifdef PREFERS
static pthread_rwlock_t lock = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
#else
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
#endif
static sem_t met[2];
static int value, seen[READERS];

static void *reader(void *argument) {
    int own = *(int *)argument;
    pthread_rwlock_rdlock(&lock);
    seen[own] = value;
#ifdef MEET
    sem_post(&met[1 - own]);
    sem_wait(&met[own]);
#endif
    pthread_rwlock_unlock(&lock);
    return 0;
}

static void *writer(void *argument) {
    pthread_rwlock_wrlock(&lock);
    value++;
    pthread_rwlock_unlock(&lock);
    return argument;
}

int main(void) {
    static int numbers[READERS];
    pthread_t threads[READERS + WRITERS];
    sem_init(&met[0], 0, 0);
    sem_init(&met[1], 0, 0);
    for (int i = 0; i < READERS; i++) {
        numbers[i] = i;
        pthread_create(&threads[i], 0, reader, &numbers[i]);
    }
    for (int i = 0; i < WRITERS; i++)
        pthread_create(&threads[READERS + i], 0, writer, 0);
    for (int i = 0; i < READERS + WRITERS; i++)
        pthread_join(threads[i], 0);
#ifdef MEET
    assert(seen[0] == seen[1]);
#endif
#ifdef STATUS
    return seen[0];
#endif
    return 0;
}
