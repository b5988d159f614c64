/* Locks in states that no step of the exploration has led to, or that are told of without being taken.
   CASE 1: main shares a lock before there are others; 2: since before main was called; 3: threads give back a mutex that they
   do not have, and are told so; 4: who has a robust mutex has ended, and the next one does not repair it: nobody can have it
   any more; 5: the same, and somebody waits on a condition variable meanwhile; 6: main has a mutex since before it was called. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t told = PTHREAD_COND_INITIALIZER;
static int value;

#if CASE == 2 || CASE == 6
__attribute__((constructor)) static void early(void) {
#if CASE == 2
    pthread_rwlock_rdlock(&shared);
#else
    pthread_mutex_lock(&mutex);
#endif
}
#endif

#if CASE <= 2
static void *one(void *argument) {
    pthread_rwlock_wrlock(&shared);
    value++;
    pthread_rwlock_unlock(&shared);
    return argument;
}
static void *another(void *argument) { return one(argument); }
static void *third(void *argument) {
    pthread_rwlock_rdlock(&shared);
    pthread_rwlock_unlock(&shared);
    return argument;
}
#elif CASE == 3
static void *one(void *argument) {
    assert(pthread_mutex_unlock(&mutex) == EPERM);
    return argument;
}
static void *another(void *argument) { return one(argument); }
static void *third(void *argument) {
    assert(pthread_mutex_lock(&mutex) == 0);
    return argument;
}
#elif CASE == 4
static void *one(void *argument) {
    pthread_mutex_lock(&mutex);
    return argument;
}
static void *another(void *argument) {
    if (pthread_mutex_lock(&mutex) != ENOTRECOVERABLE)
        pthread_mutex_unlock(&mutex);
    return argument;
}
static void *third(void *argument) {
    int result = pthread_mutex_trylock(&mutex);
    if (result == 0 || result == EOWNERDEAD)
        pthread_mutex_unlock(&mutex);
    return argument;
}
#elif CASE == 5
static void *one(void *argument) {
    if (pthread_mutex_lock(&mutex) == 0) {
        value = 1;
        int result = pthread_cond_wait(&told, &mutex);
        assert(result == 0 || result == EOWNERDEAD || result == ENOTRECOVERABLE);
    }
    return argument;
}
static void *another(void *argument) {
    pthread_mutex_lock(&mutex);
    if (value)
        pthread_cond_signal(&told);
    return argument;
}
static void *third(void *argument) {
    if (pthread_mutex_lock(&mutex) != ENOTRECOVERABLE)
        pthread_mutex_unlock(&mutex);
    return argument;
}
#else
static void *one(void *argument) {
    pthread_mutex_lock(&mutex);
    value++;
    pthread_mutex_unlock(&mutex);
    return argument;
}
static void *another(void *argument) { return one(argument); }
static void *third(void *argument) {
    if (pthread_mutex_trylock(&mutex) == 0)
        pthread_mutex_unlock(&mutex);
    return argument;
}
#endif

int main(void) {
    pthread_t threads[3];
    pthread_mutexattr_t attribute;
    pthread_mutexattr_init(&attribute);
#if CASE == 1
    pthread_rwlock_rdlock(&shared);
#elif CASE == 3
    pthread_mutexattr_settype(&attribute, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&mutex, &attribute);
#elif CASE == 4 || CASE == 5
    pthread_mutexattr_setrobust(&attribute, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mutex, &attribute);
#endif
    pthread_create(&threads[0], 0, one, 0);
    pthread_create(&threads[1], 0, another, 0);
    pthread_create(&threads[2], 0, third, 0);
#if CASE <= 2
    pthread_rwlock_unlock(&shared);
#elif CASE == 6
    pthread_mutex_unlock(&mutex);
#endif
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    return 0;
}
