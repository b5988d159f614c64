// Recursive and error-checking mutexes.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_mutex_t recursive, checking;

void *work(void *unused) {
    pthread_mutex_lock(&recursive);
    pthread_mutex_lock(&recursive);
    pthread_mutex_unlock(&recursive);
    pthread_mutex_unlock(&recursive);
    assert(pthread_mutex_unlock(&checking) == EPERM);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&recursive, &kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&checking, &kind);
    pthread_mutex_lock(&checking);
    assert(pthread_mutex_lock(&checking) == EDEADLK);
    pthread_create(&thread, 0, work, 0);
    pthread_mutex_lock(&recursive);
    pthread_mutex_unlock(&recursive);
    pthread_join(thread, 0);
    pthread_mutex_unlock(&checking);
    return 0;
}
