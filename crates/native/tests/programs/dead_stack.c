/* One thread keeps the address of another one's variable, and uses it, if BROKEN, when that one may have ended. */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static _Atomic(int *) kept;
static sem_t used;

static void *owner(void *unused) {
    int own = 5;
    atomic_store(&kept, &own);
#ifndef BROKEN
    sem_wait(&used);
#endif
    return unused;
}

static void *other(void *unused) {
    int *address = atomic_load(&kept);
    if (address)
        *address = 6;
    sem_post(&used);
    return unused;
}

int main(void) {
    pthread_t a, b;
    sem_init(&used, 0, 0);
    pthread_create(&a, 0, owner, 0);
    pthread_create(&b, 0, other, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
