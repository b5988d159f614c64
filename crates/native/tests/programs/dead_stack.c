/* One thread keeps the address of another one's variable, and uses it, if BROKEN, when that one may have ended, and if RETURNS,
   when the function may have returned whose variable it is: the other thread, and if ALONE the same one. */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static _Atomic(int *) kept;
static sem_t used;

static void keep(void) {
    int own = 5;
    atomic_store(&kept, &own);
#if !defined BROKEN && !defined RETURNS
    sem_wait(&used);
#endif
}

static void *owner(void *unused) {
    keep();
#ifdef ALONE
    *kept = 7;
#endif
#ifndef BROKEN
    sem_wait(&used);
#endif
    return unused;
}

static void *other(void *unused) {
    int *address = atomic_load(&kept);
#ifndef ALONE
    if (address)
        *address = 6;
#endif
    sem_post(&used);
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
