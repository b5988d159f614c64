//! clean -DRECURSIVE
//! found deadlock
// A thread locks a mutex that it holds already.
#define _GNU_SOURCE
#include <pthread.h>

int main(void) {
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
#ifdef RECURSIVE
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
#else
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_NORMAL);
#endif
    pthread_mutex_t m;
    pthread_mutex_init(&m, &attr);
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&m);
    pthread_mutex_destroy(&m);
}
