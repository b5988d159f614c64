// A semaphore orders a write and a read. -DBROKEN: it is not waited for.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

sem_t written;
int x;

void *writer(void *unused) {
    x = 1;
    sem_post(&written);
    return unused;
}

void *reader(void *unused) {
#ifdef BROKEN
    sem_trywait(&written);
#else
    sem_wait(&written);
#endif
    assert(x == 1);
    return unused;
}

int main(void) {
    pthread_t a, b;
    sem_init(&written, 0, 0);
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    sem_destroy(&written);
    return 0;
}
