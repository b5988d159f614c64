//! clean
//! found deadlock|misuse -DBROKEN
// A function that locks calls another one that locks: right with a recursive mutex, wrong with an ordinary one.
#include <pthread.h>
static pthread_mutex_t lock;
static int depth;

static void inner(void) {
    pthread_mutex_lock(&lock);
    depth++;
    pthread_mutex_unlock(&lock);
}

static void *outer(void *arg) {
    pthread_mutex_lock(&lock);
    inner();
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
#ifndef BROKEN
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
#endif
    pthread_mutex_init(&lock, &attributes);
    pthread_t a, b;
    pthread_create(&a, 0, outer, 0);
    pthread_create(&b, 0, outer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
