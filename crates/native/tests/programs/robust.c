// A thread ends with a robust mutex. -DBROKEN: the next one does not expect that; -DLOST: it does not repair what is guarded.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_mutex_t mutex;
int sum;

void *dies(void *unused) {
    int told = pthread_mutex_lock(&mutex);
#ifdef LOST
    if (told == ENOTRECOVERABLE)
        return unused;
#endif
    if (told == EOWNERDEAD)
        pthread_mutex_consistent(&mutex);
    sum++;
    return unused;
}

void *lives(void *unused) {
    int told = pthread_mutex_lock(&mutex);
#ifdef BROKEN
    assert(told == 0);
#else
    assert(told == 0 || told == EOWNERDEAD);
#endif
#ifndef LOST
    if (told == EOWNERDEAD)
        assert(pthread_mutex_consistent(&mutex) == 0);
#endif
    sum++;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_mutexattr_t attribute;
    pthread_mutexattr_init(&attribute);
    pthread_mutexattr_setrobust(&attribute, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mutex, &attribute);
    pthread_create(&a, 0, dies, 0);
    pthread_create(&b, 0, lives, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    int told = pthread_mutex_trylock(&mutex);
    assert(told == 0 || told == EOWNERDEAD || told == ENOTRECOVERABLE);
#ifndef LOST
    assert(told != ENOTRECOVERABLE && sum == 2);
#endif
    return 0;
}
