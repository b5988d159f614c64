//! clean
//! found race|assertion -DBROKEN
// A read-write lock made of a counter under a mutex and a condition; broken: the last reader forgets to look for the writer.
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t free_again = PTHREAD_COND_INITIALIZER;
static int readers, writing, data;

static void *writer(void *arg) {
    pthread_mutex_lock(&lock);
#ifdef BROKEN
    while (writing)
#else
    while (writing || readers > 0)
#endif
        pthread_cond_wait(&free_again, &lock);
    writing = 1;
    pthread_mutex_unlock(&lock);
    data++;
    data++;
    pthread_mutex_lock(&lock);
    writing = 0;
    pthread_cond_broadcast(&free_again);
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *reader(void *arg) {
    pthread_mutex_lock(&lock);
    while (writing)
        pthread_cond_wait(&free_again, &lock);
    readers++;
    pthread_mutex_unlock(&lock);
    assert(data % 2 == 0);
    pthread_mutex_lock(&lock);
    if (--readers == 0)
        pthread_cond_broadcast(&free_again);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], 0, writer, 0);
    pthread_create(&threads[1], 0, reader, 0);
    pthread_create(&threads[2], 0, reader, 0);
    for (int n = 0; n < 3; n++)
        pthread_join(threads[n], 0);
}
