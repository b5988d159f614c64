/* What is put into an attribute is there when it is asked for. */
#define _XOPEN_SOURCE 700
#include <assert.h>
#include <pthread.h>

static void *start(void *argument) { return argument; }

int main(void) {
    pthread_attr_t attribute;
    size_t size = 0;
    pthread_t thread;
    assert(pthread_attr_init(&attribute) == 0);
    assert(pthread_attr_setstacksize(&attribute, 1 << 20) == 0);
    assert(pthread_attr_getstacksize(&attribute, &size) == 0 && size == 1 << 20);
    assert(pthread_create(&thread, &attribute, start, 0) == 0);
    pthread_join(thread, 0);

    pthread_mutexattr_t kind;
    pthread_mutex_t lock;
    assert(pthread_mutexattr_init(&kind) == 0);
    assert(pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE) == 0);
    assert(pthread_mutexattr_setprotocol(&kind, PTHREAD_PRIO_INHERIT) == 0);
    assert(pthread_mutex_init(&lock, &kind) == 0);
    assert(pthread_mutex_lock(&lock) == 0 && pthread_mutex_lock(&lock) == 0);
    assert(pthread_mutex_unlock(&lock) == 0 && pthread_mutex_unlock(&lock) == 0);
    assert(pthread_mutex_destroy(&lock) == 0);
    return 0;
}
